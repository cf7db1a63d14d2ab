package hexdump

import (
	"varview/decoder/wrap/digits"
	"varview/decoder/wrap/layer"
)

// pairs is the state of decoding a text of pairs of digits, also those of rows.
type pairs struct {
	*digits.Decoder
	tight bool
	high  int // first digit of a pair, -1 without one
}

// Piece implements digits.Decoding.
func (p *pairs) Piece(b []byte) error {
	p.Runs = p.Text.Runs(p.Runs[:0], b, p.At)
	p.decode(b)
	p.Count()
	return p.Flush(64 << 10)
}

// decode decodes the runs of b.
func (p *pairs) decode(b []byte) {
	for _, r := range p.Runs {
		switch r.Class {
		case digits.IsHalf:
			p.Out = append(p.Out, digits.HexValue(b[0]))
		case digits.IsDigits, digits.IsLost:
			for _, c := range b[:r.N] {
				p.digit(digits.HexValue(c))
			}
		}
		b = b[r.N:]
	}
}

// digit takes a digit.
func (p *pairs) digit(v byte) {
	if p.high < 0 {
		p.high = int(v)
		return
	}
	p.Out = append(p.Out, byte(p.high)<<4|v)
	p.high = -1
}

// Finish implements digits.Decoding.
func (p *pairs) Finish() {}

// HasStray implements digits.Decoding.
func (p *pairs) HasStray() bool {
	return p.tight && p.Lost > 0 && p.Digits%2 == 0 && (p.Digits+p.Lost)%2 == 1
}

// Packer implements digits.Decoding.
func (p *pairs) Packer(o digits.Old) layer.Packer {
	return &digits.Packer{Old: o, Rough: p.Stray || p.Lost > 1 || p.Lost == 1 && p.Wrong > 0}
}
