package humansize

import (
	"math"
	"testing"
)

func TestFormatBinary(t *testing.T) {
	tests := []struct {
		bytes int64
		want  string
	}{
		{0, "0 B"},
		{1, "1 B"},
		{1023, "1023 B"},
		{1024, "1.0 KiB"},
		{1536, "1.5 KiB"},
		{1047552, "1023.0 KiB"},
		{1048576, "1.0 MiB"},
		{math.MaxInt64, "8.0 EiB"},
	}
	for _, test := range tests {
		if got := Format(test.bytes); got != test.want {
			t.Errorf("Format(%d) = %q, want %q", test.bytes, got, test.want)
		}
	}
}

func TestFormatDecimal(t *testing.T) {
	tests := []struct {
		bytes int64
		want  string
	}{
		{999, "999 B"},
		{1000, "1.0 kB"},
		{1550, "1.6 kB"},
		{999000, "999.0 kB"},
		{2500000, "2.5 MB"},
	}
	for _, test := range tests {
		if got := Format(test.bytes, Decimal()); got != test.want {
			t.Errorf("Format(%d, Decimal()) = %q, want %q", test.bytes, got, test.want)
		}
	}
}

func TestFormatStaysBelowTheNextUnit(t *testing.T) {
	if got := Format(1048524); got != "1023.9 KiB" {
		t.Errorf("got %q", got)
	}
	if got := Format(999940, Decimal()); got != "999.9 kB" {
		t.Errorf("got %q", got)
	}
}

func TestFormatNegative(t *testing.T) {
	if got := Format(-1536); got != "-1.5 KiB" {
		t.Errorf("got %q", got)
	}
}

func TestFormatSmallestNumber(t *testing.T) {
	if got := Format(math.MinInt64); got != "-8.0 EiB" {
		t.Errorf("got %q", got)
	}
}

func TestDigits(t *testing.T) {
	tests := []struct {
		digits int
		want   string
	}{
		{-1, "1 KiB"},
		{0, "1 KiB"},
		{1, "1.2 KiB"},
		{3, "1.205 KiB"},
	}
	for _, test := range tests {
		if got := Format(1234, Digits(test.digits)); got != test.want {
			t.Errorf("Digits(%d): got %q, want %q", test.digits, got, test.want)
		}
	}
}

func TestBytesHaveNoDigits(t *testing.T) {
	if got := Format(512, Digits(3)); got != "512 B" {
		t.Errorf("got %q", got)
	}
}

func TestSeparator(t *testing.T) {
	if got := Format(2048, Separator("")); got != "2.0KiB" {
		t.Errorf("got %q", got)
	}
}
