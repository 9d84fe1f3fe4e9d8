package humansize

import (
	"errors"
	"testing"
)

func TestParse(t *testing.T) {
	tests := map[string]int64{
		"300":      300,
		"10 MiB":   10485760,
		"1.5kB":    1500,
		" 2 gib ":  2147483648,
		"-1.5 KiB": -1536,
		"0.4 B":    0,
	}
	for text, want := range tests {
		got, err := Parse(text)
		if err != nil || got != want {
			t.Errorf("Parse(%q) = %d, %v, want %d", text, got, err, want)
		}
	}
}

func TestParseNeedsANumber(t *testing.T) {
	for _, text := range []string{"", "MiB", "x1", "1.2.3 B"} {
		var syntax *SyntaxError
		if _, err := Parse(text); !errors.As(err, &syntax) {
			t.Errorf("Parse(%q): got %v", text, err)
		}
	}
}

func TestParseUnknownUnit(t *testing.T) {
	_, err := Parse("3 pages")
	if err == nil || err.Error() != `humansize: cannot read "3 pages": the unit is not known` {
		t.Errorf("got %v", err)
	}
}

func TestParseTooLarge(t *testing.T) {
	if _, err := Parse("9 EiB"); err == nil {
		t.Error("no error")
	}
}

func TestParseReadsWhatFormatWrites(t *testing.T) {
	for _, bytes := range []int64{0, 7, 1024, 1536, 5 << 30} {
		got, err := Parse(Format(bytes))
		if err != nil || got != bytes {
			t.Errorf("%d: got %d, %v", bytes, got, err)
		}
	}
}
