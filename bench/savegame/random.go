package savegame

import "math/bits"

// random is xorshift64*: its numbers depend only on the seed.
type random uint64

func (r *random) next() uint64 {
	x := uint64(*r)
	x ^= x >> 12
	x ^= x << 25
	x ^= x >> 27
	*r = random(x)
	return x * 0x2545f4914f6cdd1d
}

// below returns a number in [0, n).
func (r *random) below(n int) int {
	hi, _ := bits.Mul64(r.next(), uint64(n))
	return int(hi)
}

// between returns a number in [low, high).
func (r *random) between(low, high int) int {
	return low + r.below(high-low)
}

// coordinate returns a multiple of 1/8 in [-2048, 2048), which 32 bits hold exactly.
func (r *random) coordinate() float64 {
	return float64(r.below(32768)-16384) / 8
}

// amount returns a number that is not exact in 32 bits one time in four.
func (r *random) amount() float64 {
	v := float64(r.below(4000)) / 4
	if r.below(4) == 0 {
		v += 0.1
	}
	return v
}

func (r *random) pick(from []string) string {
	return from[r.below(len(from))]
}

// A generator makes up the values of a save.
type generator struct {
	encoder
	random
	draw        []choice
	manyObjects bool
}

func newGenerator(p Plan) *generator {
	g := &generator{random: random(p.Seed*2 + 1), manyObjects: p.Kind == Objects}
	g.dialect, g.ids = p.Dialect, ids(p.Dialect)
	g.draw = drawn(g.ids)
	return g
}
