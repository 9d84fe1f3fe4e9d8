package humansize

type settings struct {
	system    System
	digits    int
	separator string
}

// Option changes how a size is written.
type Option func(*settings)

// Decimal writes in units of 1000.
func Decimal() Option {
	return func(s *settings) { s.system = SI }
}

// Digits sets how many digits stand after the point; at least 0, and 1 unless given. Bytes never have any.
func Digits(n int) Option {
	return func(s *settings) {
		if n < 0 {
			n = 0
		}
		s.digits = n
	}
}

// Separator stands between number and unit: a space unless given.
func Separator(text string) Option {
	return func(s *settings) { s.separator = text }
}

func newSettings(options []Option) settings {
	s := settings{system: Binary, digits: 1, separator: " "}
	for _, option := range options {
		option(&s)
	}
	return s
}
