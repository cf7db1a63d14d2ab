// Package checksum finds and computes the checksums that games write before or after bytes.
package checksum

import (
	"bytes"
	"cmp"
	"crypto/hmac"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"varview/decoder/engine/span"
)

// A Place says where a checksum is, and how it is written.
type Place struct {
	Sum    string // kind of the checksum, one of sums
	Start  bool   // it comes before the bytes
	Form   Form
	Secret string // text that is hashed after the bytes
	Salt   string // text that is hashed before the bytes
	Gap    int64  // number of bytes between the hashed ones and the checksum
	Tail   int64  // number of bytes after the checksum
	placed bool   // these are known
}

// A Form is how a checksum is written.
type Form uint8

// The forms of a checksum.
const (
	Lower   Form = iota // hexadecimal digits with a to f
	Upper               // hexadecimal digits with A to F
	Binary              // its bytes; for a CRC-32 the least significant first
	Big                 // its bytes; for a CRC-32 the most significant first
	Base64              // its bytes in base64
	Decimal             // a number in decimal digits, as many as it has
)

// SetForm sets the kind and form by their names in a recipe. The defaults are MD5 and digits.
func (p *Place) SetForm(form string) error {
	if p.Sum == "" {
		p.Sum = "md5"
	}
	strong, keyed := namesOf(strong, false), namesOf(keyed, false)
	if all := slices.Concat(strong, keyed); !slices.Contains(all, p.Sum) {
		return fmt.Errorf("there is no checksum %q: %s", p.Sum, strings.Join(all, ", "))
	}
	if slices.Contains(keyed, p.Sum) && p.Secret == "" {
		return fmt.Errorf("%s needs a secret, its key", p.Sum)
	}
	i := slices.Index(formNames, cmp.Or(form, formNames[Lower]))
	if i < 0 {
		return fmt.Errorf("a checksum has no form %q: %s", form, strings.Join(formNames, ", "))
	}
	p.Form = Form(i)
	return nil
}

// formNames are the names in a recipe of the forms that it can ask for.
var formNames = []string{Lower: "digits", Upper: "DIGITS", Binary: "bytes", Big: "big-endian", Base64: "base64"}

const mostDecimal = 10 // digits of a number of 4 bytes

// Size returns the number of bytes that the checksum takes; of decimal digits, the largest.
func (p *Place) Size() int64 {
	n := named(p.Sum).size
	switch {
	case p.Form == Decimal:
		n = mostDecimal
	case p.Form == Base64:
		n = base64.StdEncoding.EncodedLen(n)
	case p.IsText():
		n *= 2
	}
	return int64(n)
}

// Sums are the checksums of some content, of which each is computed once it is asked for.
type Sums struct {
	content func() []byte
	known   map[string][]byte
}

// Of returns the checksums of some content, which is asked for once; nil has none.
func Of(content func() []byte) *Sums { return &Sums{sync.OnceValue(content), map[string][]byte{}} }

// Matching returns the kind and form in which bytes are the checksum; nil if they are in none.
func (s *Sums) Matching(is []byte) *Place {
	forms := formsOf(is)
	for _, sum := range sums {
		for _, form := range forms {
			p := Place{Sum: sum.name, Form: form}
			if sum.use != strong || form == Decimal && sum.number == nil || form != Decimal && p.Size() != int64(len(is)) {
				continue
			}
			content := s.content()
			if content == nil {
				return nil
			}
			if s.known[sum.name] == nil {
				s.known[sum.name] = sum.of(content)
			}
			if of := s.known[sum.name]; bytes.Equal(p.written(of), is) {
				return &p
			}
		}
	}
	return nil
}

// AreIn reports whether one is among some bytes.
func (s *Sums) AreIn(b []byte) bool {
	for at := range b {
		if slices.ContainsFunc(SizesAt(b[:at], b[at:]), func(size int) bool { return s.Matching(b[at:at+size]) != nil }) {
			return true
		}
	}
	return false
}

// formsOf lists the forms in which bytes may be a checksum, by their look; none for what checksums hardly ever are like.
func formsOf(b []byte) (all []Form) {
	const leastDigits = 7
	switch {
	case len(bytes.Trim(b, "0123456789")) == 0 && len(b) >= leastDigits && len(b) <= mostDecimal:
		all = []Form{Decimal, Lower}
	case len(bytes.Trim(b, "0123456789abcdef")) == 0:
		all = []Form{Lower}
	case len(bytes.Trim(b, "0123456789ABCDEF")) == 0:
		all = []Form{Upper}
	case len(b) >= 8 && len(bytes.Trim(b, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=")) == 0:
		all = []Form{Base64}
	}
	if IsRandom(b) {
		all = append(all, Binary, Big)
	}
	return all
}

// SizesAt returns how many bytes at the beginning of some, behind others, a checksum may take by their look.
func SizesAt(before, b []byte) (all []int) {
	const decimal = "0123456789"
	if n := len(b) - len(bytes.TrimLeft(b, decimal)); n < mostDecimal+1 && (len(before) == 0 || bytes.IndexByte([]byte(decimal), before[len(before)-1]) < 0) {
		all = append(all, n)
	}
	for _, n := range sizes {
		all = append(all, n, 2*n, base64.StdEncoding.EncodedLen(n))
	}
	return slices.DeleteFunc(all, func(n int) bool { return n > len(b) || len(formsOf(b[:n])) == 0 })
}

// Title returns the name of the kind of checksum: "CRC-32".
func (p *Place) Title() string { return named(p.Sum).title }

// IsText reports whether the checksum is written in digits, hexadecimal, decimal or base64.
func (p *Place) IsText() bool { return p.Form <= Upper || p.Form == Decimal || p.Form == Base64 }

// Compute returns the checksum of some bytes, as it is written.
func (p *Place) Compute(b []byte) []byte {
	s := named(p.Sum)
	if s.use == keyed {
		h := hmac.New(s.hash, []byte(p.Secret))
		io.WriteString(h, p.Salt)
		h.Write(b)
		return p.written(h.Sum(nil))
	}
	if p.Salt+p.Secret != "" {
		b = slices.Concat([]byte(p.Salt), b, []byte(p.Secret))
	}
	return p.written(s.of(b))
}

// written returns a checksum as it is written.
func (p *Place) written(b []byte) []byte {
	b = bytes.Clone(b)
	switch p.Form {
	case Lower:
		return fmt.Appendf(nil, "%x", b)
	case Upper:
		return fmt.Appendf(nil, "%X", b)
	case Base64:
		return base64.StdEncoding.AppendEncode(nil, b)
	case Decimal:
		return fmt.Appendf(nil, "%d", binary.BigEndian.Uint32(b))
	case Binary:
		if named(p.Sum).number != nil {
			slices.Reverse(b)
		}
	}
	return b
}

// held returns the bytes of a region that are hashed, of which the checksum takes n others; ok is false if the region is too short.
func (p *Place) held(region span.Span, n int64) (held span.Span, ok bool) {
	ahead, behind := int64(0), n+p.Gap+p.Tail
	if ok = region.Length >= behind; p.Start {
		ahead, behind = behind, 0
	}
	return span.Between(region.Offset+ahead, region.End()-behind), ok
}
