package humansize

import "testing"

func TestSystems(t *testing.T) {
	if Binary.Base() != 1024 || SI.Base() != 1000 {
		t.Errorf("got %v and %v", Binary.Base(), SI.Base())
	}
	if len(Binary.Units()) != len(SI.Units()) {
		t.Error("the systems differ in length")
	}
}

func TestUnitsAreACopy(t *testing.T) {
	Binary.Units()[0] = "x"
	if Format(1) != "1 B" {
		t.Error("the units were changed from outside")
	}
}
