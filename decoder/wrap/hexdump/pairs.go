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
			p.digits(b[:r.N])
		}
		b = b[r.N:]
	}
}

// digits takes some digits.
func (p *pairs) digits(text []byte) {
	if p.high >= 0 && len(text) > 0 {
		p.Out = append(p.Out, byte(p.high)<<4|digits.HexValue(text[0]))
		p.high, text = -1, text[1:]
	}
	for ; len(text) >= 2; text = text[2:] {
		p.Out = append(p.Out, digits.HexValue(text[0])<<4|digits.HexValue(text[1]))
	}
	if len(text) > 0 {
		p.high = int(digits.HexValue(text[0]))
	}
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
