package hexdump

import (
	"varview/decoder/wrap/digits"
	"varview/decoder/wrap/layer"
)

// plain is the notation of pairs of digits, and of what may be between them.
type plain struct {
	tight bool  // nothing is between the bytes
	zeros int64 // where the zeros at the end begin: the rest of a buffer that was larger than its text
}

// Lex implements digits.Notation.
func (p *plain) Lex(t *digits.Text, runs []digits.Run, b []byte, off int64) []digits.Run {
	if n := max(0, p.zeros-off); n < int64(len(b)) {
		return digits.Add(p.Lex(t, runs, b[:n], off), len(b)-int(n), digits.IsText)
	}
	if t.Stray {
		for _, c := range b {
			runs = digits.Add(runs, 1, [...]digits.Class{digits.IsOdd, digits.IsDigits, digits.IsText}[digits.HexChars[c]])
		}
		return runs
	}
	runs, _ = p.lex(runs, b)
	return runs
}

// Cut implements digits.Notation.
func (p *plain) Cut(t *digits.Text, b []byte) int {
	if t.Stray {
		return len(b)
	}
	_, safe := p.lex(nil, b)
	return safe
}

// Skip implements digits.Notation.
func (*plain) Skip(b []byte) int { return 0 }

// CanTakeOut implements digits.Notation.
func (*plain) CanTakeOut(t *digits.Text, c digits.Class) bool { return t.Stray || c == digits.IsWrong }

// lex lexes pairs of digits and what is between them. safe is where a long line can be
// cut.
func (p *plain) lex(runs []digits.Run, b []byte) (all []digits.Run, safe int) {
	prefixed := false
	for i := 0; i < len(b); {
		if n := pairsAt(b[i:]); n > 0 {
			runs = digits.Add(runs, n, digits.IsDigits)
			i += n
			safe, prefixed = i, false
			continue
		}
		next := digits.CharBlank
		if i+1 < len(b) {
			next = digits.HexChars[b[i+1]]
		}
		switch c := digits.HexChars[b[i]]; {
		case prefixAt(b, i):
			runs = digits.Add(runs, 2, digits.IsText)
			i += 2
			prefixed = true
			continue
		case c == digits.CharBlank:
			runs = digits.Add(runs, 1, digits.IsText)
			i++
			safe = i
		case c == digits.CharDigit && next == digits.CharBlank:
			runs = digits.Add(runs, 1, single(prefixed))
			i++
		case c == digits.CharDigit:
			runs = digits.Add(digits.Add(runs, 1, digits.IsDigits), 1, digits.IsLost)
			i += 2
		case next == digits.CharDigit && (p.tight || !digitAt(b, i+2)) && !prefixAt(b, i+1):
			runs = digits.Add(digits.Add(runs, 1, digits.IsLost), 1, digits.IsDigits)
			i += 2
		default:
			runs = digits.Add(runs, 1, digits.IsWrong)
			i++
		}
		prefixed = false
	}
	if safe == 0 {
		safe = len(b)
	}
	return runs, safe
}

// pairsAt returns the number of digits, in pairs, with which b begins.
func pairsAt(b []byte) (n int) {
	for n+1 < len(b) && digits.HexChars[b[n]] == digits.CharDigit && digits.HexChars[b[n+1]] == digits.CharDigit {
		n += 2
	}
	return n
}

// single returns the class of a digit that is alone.
func single(prefixed bool) digits.Class {
	if prefixed {
		return digits.IsHalf
	}
	return digits.IsOdd
}

// prefixAt reports whether 0x or \x is at i.
func prefixAt(b []byte, i int) bool {
	return i+1 < len(b) && (b[i] == '0' || b[i] == '\\') && b[i+1]|0x20 == 'x'
}

func digitAt(b []byte, i int) bool {
	return i < len(b) && digits.HexChars[b[i]] == digits.CharDigit
}

// Decode implements digits.Notation.
func (p *plain) Decode(d *digits.Decoder) digits.Decoding {
	return &pairs{Decoder: d, tight: p.tight, high: -1}
}

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
