package fastlz

import "encoding/binary"

// Least is the fewest plain bytes that Godot packs: shorter blocks are filled up with zeros.
const Least = 16

const (
	far         = 65536 // number of plain bytes from which on level 2 is used
	hashBits    = 13
	maxLiterals = 32  // most literal bytes of one instruction
	maxMatch    = 262 // longest match of one level 1 instruction
	literalEnd  = 12  // number of bytes at the end that are always literal, and one more
)

// Pack packs plain byte for byte as Godot does. Blocks of fewer than 16
// bytes are packed as 16, filled up with zeros.
func Pack(plain []byte) []byte {
	if len(plain) < Least {
		plain = append(append(make([]byte, 0, Least), plain...), make([]byte, Least-len(plain))...)
	}
	p := packer{in: plain, far: len(plain) >= far}
	p.out = make([]byte, 0, len(plain)+len(plain)/16+66)
	p.pack()
	if p.far {
		p.out[0] |= 1 << 5
	}
	return p.out
}

// A packer packs one block.
type packer struct {
	in   []byte
	out  []byte
	from int // first byte that is not written yet, as a literal
	far  bool
	hash [1 << hashBits]int // last position of bytes with this hash; at first the start
}

// hashAt returns the slot for the three bytes at i.
func (p *packer) hashAt(i int) *int {
	a := uint32(binary.LittleEndian.Uint16(p.in[i:]))
	b := uint32(binary.LittleEndian.Uint16(p.in[i+1:]))
	return &p.hash[(a^b^a>>(16-hashBits))&(1<<hashBits-1)]
}

func (p *packer) pack() {
	for at := 2; at < len(p.in)-literalEnd-1; {
		ref, n := p.find(at)
		if n == 0 {
			at++
			continue
		}
		p.literals(at)
		end := p.extend(ref+n, at+n)
		p.match(at-ref-1, end-at-2)
		*p.hashAt(end - 2) = end - 2
		*p.hashAt(end - 1) = end - 1
		at, p.from = end, end
	}
	p.literals(len(p.in))
}

// find returns an earlier offset with the same bytes as at, and the number of bytes
// compared; 0 if there is none.
func (p *packer) find(at int) (ref, n int) {
	in := p.in
	if p.far && in[at] == in[at-1] && in[at] == in[at+1] && in[at+1] == in[at+2] {
		return at - 1, 3
	}
	slot := p.hashAt(at)
	ref, *slot = *slot, at
	back := at - ref
	reach := near + 1
	if p.far {
		reach = 65535 + near - 1
	}
	if back == 0 || back >= reach || in[ref] != in[at] || in[ref+1] != in[at+1] || in[ref+2] != in[at+2] {
		return 0, 0
	}
	if !p.far || back < near {
		return ref, 3
	}
	if in[ref+3] != in[at+3] || in[ref+4] != in[at+4] {
		return 0, 0
	}
	return ref, 5
}

// extend compares the bytes from ref and from at on, and returns how many are equal, counted from at.
// Godot's FastLZ leaves out some bytes of a match that reaches the end.
func (p *packer) extend(ref, at int) int {
	bound := len(p.in) - 2
	free := at + 8 // within these bytes it does not check the bound
	if at-ref == 1 {
		free = at
	}
	for at < max(free, bound) {
		if p.in[ref] != p.in[at] {
			return at
		}
		ref++
		at++
	}
	return at - 1
}

// match writes the instructions of a match of n+2 bytes from back+1 bytes back.
func (p *packer) match(back, n int) {
	far := 0
	if p.far && back >= near {
		far, back = back-near, near
	}
	high, low := byte(back>>8), byte(back)
	for !p.far && n > maxMatch {
		p.out = append(p.out, 7<<5|high, maxMatch-9, low)
		n -= maxMatch
	}
	if n < 7 {
		p.out = append(p.out, byte(n)<<5|high)
	} else {
		p.out = append(p.out, 7<<5|high)
		for n -= 7; p.far && n >= 255; n -= 255 {
			p.out = append(p.out, 255)
		}
		p.out = append(p.out, byte(n))
	}
	p.out = append(p.out, low)
	if back == near {
		p.out = append(p.out, byte(far>>8), byte(far))
	}
}

// literals writes the bytes before end that are not written yet.
func (p *packer) literals(end int) {
	for p.from < end {
		n := min(end-p.from, maxLiterals)
		p.out = append(p.out, byte(n-1))
		p.out = append(p.out, p.in[p.from:p.from+n]...)
		p.from += n
	}
}
