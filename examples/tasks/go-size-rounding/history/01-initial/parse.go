package humansize

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// SyntaxError says which text is no size.
type SyntaxError struct {
	Text   string
	Reason string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("humansize: cannot read %q: %s", e.Text, e.Reason)
}

// Parse reads a size such as "10 MiB", "1.5kB" or "300". Units of both systems are known, in any case; a number without
// a unit is in bytes. The result is rounded to whole bytes.
func Parse(text string) (int64, error) {
	trimmed := strings.TrimSpace(text)
	end := strings.LastIndexAny(trimmed, "0123456789.") + 1
	number, err := strconv.ParseFloat(trimmed[:end], 64)
	if err != nil {
		return 0, &SyntaxError{text, "it does not start with a number"}
	}
	factor, ok := factorOf(strings.TrimSpace(trimmed[end:]))
	if !ok {
		return 0, &SyntaxError{text, "the unit is not known"}
	}
	size := math.Round(number * factor)
	if math.Abs(size) >= math.MaxInt64 {
		return 0, &SyntaxError{text, "it is too large"}
	}
	return int64(size), nil
}

func factorOf(unit string) (float64, bool) {
	if unit == "" {
		return 1, true
	}
	for _, system := range []System{Binary, SI} {
		factor := 1.0
		for _, name := range system.units {
			if strings.EqualFold(name, unit) {
				return factor, true
			}
			factor *= system.base
		}
	}
	return 0, false
}
