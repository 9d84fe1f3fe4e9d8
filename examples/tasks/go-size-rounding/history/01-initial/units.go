package humansize

// System is a series of units, each a constant factor larger than the one before.
type System struct {
	base  float64
	units []string
}

// Binary counts in 1024s: KiB, MiB, GiB and so on.
var Binary = System{1024, []string{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}}

// SI counts in 1000s: kB, MB, GB and so on.
var SI = System{1000, []string{"B", "kB", "MB", "GB", "TB", "PB", "EB"}}

// Base is the factor between two neighbouring units.
func (s System) Base() float64 { return s.base }

// Units are the names of the units, smallest first.
func (s System) Units() []string { return append([]string(nil), s.units...) }

// scale finds the largest unit in which the size is at least 1, and the size in it.
func (s System) scale(size float64) (value float64, unit int) {
	value = size
	for value >= s.base && unit < len(s.units)-1 {
		value /= s.base
		unit++
	}
	return value, unit
}
