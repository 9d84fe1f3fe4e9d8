package humansize

import "strconv"

// Format writes a number of bytes in the largest unit in which it is at least 1.
func Format(bytes int64, options ...Option) string {
	s := newSettings(options)
	sign, size := "", float64(bytes)
	if bytes < 0 {
		sign, size = "-", -size
	}
	value, unit := s.system.scale(size)
	digits := s.digits
	if unit == 0 {
		digits = 0
	}
	return sign + strconv.FormatFloat(value, 'f', digits, 64) + s.separator + s.system.units[unit]
}
