package literal

// Paths remembers where targets of references were written. Each path is kept as what it
// adds to the path around it, so that their lengths do not add up.
type Paths struct {
	at     map[uint32]pathStep
	around uint32 // the innermost target that is being written
	length int    // of its path
}

// A pathStep is a part of a path, after that of another value.
type pathStep struct {
	around uint32
	rest   string
}

// noValue is the serial number that means the beginning of a path.
const noValue = 1<<32 - 1

func NewPaths() Paths { return Paths{at: map[uint32]pathStep{}, around: noValue} }

func (p *Paths) Has(serial uint32) bool {
	_, ok := p.at[serial]
	return ok
}

// Enter records that the value with a number is written at a path; done must be called
// after it.
func (p *Paths) Enter(serial uint32, path []byte) (done func()) {
	around, length := p.around, p.length
	p.at[serial] = pathStep{around, string(path[length:])}
	p.around, p.length = serial, len(path)
	return func() { p.around, p.length = around, length }
}

// Append appends the path of a value.
func (p *Paths) Append(dst []byte, serial uint32) []byte {
	var steps []string
	for serial != noValue {
		step := p.at[serial]
		steps = append(steps, step.rest)
		serial = step.around
	}
	for i := len(steps) - 1; i >= 0; i-- {
		dst = append(dst, steps[i]...)
	}
	return dst
}
