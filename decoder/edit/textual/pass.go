package textual

import (
	"unicode/utf8"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// A Passing is how the values of a grammar are passed many at a time.
type Passing struct {
	Array, Object, Text uint16 // numbers of types

	// Token returns the type and the end of the number, word or call that begins at a place of p.B; the end is -1 if
	// it must be read more closely.
	Token func(p *Passer, i int) (typ uint16, end int)

	// Text reports whether the text in quotes b says no more than its characters; nil if all do.
	IsText func(b []byte) bool

	// Escapes has the letters of escapes of two characters.
	Escapes *Class

	Hex      bool // \u has four digits, and halves of surrogate pairs are read more closely
	Controls bool // control characters other than NUL may be in a text
	AnyKey   bool // a key may be any value
	Headed   bool // a bracket at the beginning of a line may begin something else than a list
}

// A Passer passes values in B, the bytes of a stretch that are in memory. Its methods take the place in B
// where something begins and return where it ends, or -1 if it must be read more closely: it is not ordinary,
// or not all in B.
type Passer struct {
	*Passing
	S      *tree.Stretch
	B      []byte
	At     int    // place of S.Pos in B
	Checks bool   // values must be ordinary; otherwise only sizes matter
	Type   uint16 // of the value that was passed last, with all in it

	escaped bool // the text that was passed last has an escape
	ends    bool // the child that could not be passed is not to be, whatever other bytes follow
}

// Pass passes the children of a value, of which child passes the next one.
func (g *Passing) Pass(w *source.Window, parent *tree.Value, s *tree.Stretch, child func(p *Passer) int) {
	p, ok := s.Memory.(*Passer)
	if !ok {
		p = new(Passer)
		s.Memory = p
	}
	*p = Passer{Passing: g, S: s, Checks: s.Checks()}
	for fresh := false; s.Next.Index < parent.Count || parent.Count == tree.Unknown; {
		end, known := -1, len(s.Contents)
		if p.At < len(p.B) {
			end = child(p)
		}
		if end <= 0 {
			s.Contents = s.Contents[:known]
		}
		if s.Tally != nil {
			s.Tally.Settle(end > 0)
		}
		switch {
		case end > 0:
			s.Pos += int64(end - p.At)
			p.At, fresh = end, false
			s.Next.Index++
			if s.Tally != nil && IsBuffer(parent) {
				s.Tally.Children++
			}
			if s.Pos >= s.Enough {
				return
			}
		case fresh, p.ends:
			return
		default: // perhaps the bytes in memory only end within the value
			p.B, p.At = s.Ahead(w), 0
			fresh = true
		}
	}
}

// Separated passes the separator before the next child in brackets, if it is not the first, and the blanks around it.
func (p *Passer) Separated() int {
	i := p.Blank(p.At)
	if p.S.Next.Index > 0 {
		if i == len(p.B) || p.B[i] != ',' {
			p.ends = i < len(p.B)
			return -1
		}
		i = p.Blank(i + 1)
	}
	return i
}

// Ends returns end, if what follows there may follow a value in brackets.
func (p *Passer) Ends(end int) int {
	if end < 0 {
		return end
	}
	if next := p.Blank(end); next == len(p.B) || p.B[next] != ',' && !isClosing(p.B[next]) {
		return -1
	}
	return end
}

// Child passes the next child of a value in brackets with its key; fits reports whether there may be values of their
// types, nil stands for all.
func (p *Passer) Child(pairs bool, fits func(typ uint16, isKey bool) bool) int {
	i := p.Separated()
	key, keyEnd := i, i
	if pairs {
		if keyEnd = p.key(i); keyEnd < 0 || fits != nil && !fits(p.Type, true) {
			return -1
		}
		if i = p.colon(keyEnd); i < 0 {
			return -1
		}
	}
	end := p.Ends(p.Value(i, p.S.Levels))
	if end < 0 || fits != nil && !fits(p.Type, false) || pairs && !p.IsNew(key, keyEnd) {
		return -1
	}
	return end
}

// IsNew reports whether a key repeats none of those before.
func (p *Passer) IsNew(from, to int) bool { return p.S.Keys == nil || p.S.Keys.AddNew(p.B[from:to]) }

// Blank passes blanks.
func (p *Passer) Blank(i int) int {
	for i < len(p.B) && (p.B[i] == ' ' || p.B[i] == '\n' || p.B[i] == '\t' || p.B[i] == '\r') {
		i++
	}
	return i
}

// colon passes what is between a key and its value.
func (p *Passer) colon(i int) int {
	if i = p.Blank(i); i == len(p.B) || p.B[i] != ':' {
		return -1
	}
	return p.Blank(i + 1)
}

// Wants reports whether a key may be looked for.
func (p *Passer) Wants(from, to int) bool {
	p.ends = p.S.Wants != nil && p.S.Wants(p.B[from:to])
	return p.ends
}

// key passes a key.
func (p *Passer) key(i int) int {
	if !p.AnyKey || i < 0 || i >= len(p.B) || p.B[i] == '"' {
		p.Type = p.Passing.Text
		p.escaped = false
		end := p.text(i)
		if end > 0 && (p.escaped && p.Checks || p.Wants(i+1, end-1)) { // the same key may have been spelled in another way
			return -1
		}
		return end
	}
	if isOpening(p.B[i]) || p.S.Wants != nil {
		return -1
	}
	typ, end := p.Token(p, i)
	p.Type = typ
	return end
}

func isOpening(c byte) bool { return c == '[' || c == '{' }

// Value passes a value of at most so many levels.
func (p *Passer) Value(i, levels int) (end int) {
	if i < 0 || i >= len(p.B) {
		return -1
	}
	switch c := p.B[i]; c {
	case '"':
		if end = p.text(i); end > 0 && p.Checks && p.IsText != nil && !p.IsText(p.B[i:end]) {
			return -1
		}
		p.Type = p.Passing.Text
	case '{', '[':
		return p.brackets(i, levels, c)
	default:
		p.Type, end = p.Token(p, i)
	}
	if end > 0 && p.S.Tally != nil {
		p.Count(p.Type, i, end)
	}
	return end
}

// brackets passes a list or an object.
func (p *Passer) brackets(i, levels int, open byte) (end int) {
	typ := p.Object
	if open == '[' {
		if typ = p.Array; p.Headed && i > 0 && p.B[i-1] == '\n' && !p.isList(i+1) {
			return -1
		}
	}
	if levels == 0 {
		p.S.IsTooDeep = true
		return -1
	}
	p.countLater(typ)
	end = p.container(i+1, levels-1, open)
	p.Type = typ
	return end
}

// isList reports whether what follows a bracket can only be the content of a list.
func (p *Passer) isList(i int) bool {
	return i < len(p.B) && (p.B[i] == '"' || p.B[i] == '\n' || p.B[i] == ']' || isOpening(p.B[i]))
}

// countLater counts a value.
func (p *Passer) countLater(typ uint16) {
	if p.S.Tally != nil {
		p.S.Tally.CountLater(typ)
	}
}

// Count counts a value without children.
func (p *Passer) Count(typ uint16, from, to int) {
	p.countLater(typ)
	p.Compare(from, to)
}

// Compare compares a value without children with the largest ones.
func (p *Passer) Compare(from, to int) {
	if p.S.Tally != nil && to-from >= tree.LargeFrom {
		p.S.Tally.CompareLater(p.span(from, to))
	}
}

func (p *Passer) span(from, to int) span.Span {
	return span.Span{Offset: p.S.Pos + int64(from-p.At), Length: int64(to - from)}
}

// Content adds a text to the contents that are wanted.
func (p *Passer) Content(from, to int) {
	if least := p.S.LeastContent; least > 0 && int64(to-from) >= least {
		at := p.span(from, to)
		p.S.Contents = append(p.S.Contents, tree.Content{At: at.Offset, Span: at})
	}
}

// container passes the rest of a container.
func (p *Passer) container(i, levels int, open byte) int {
	closing := open + 2
	var keys tree.FewKeys
	for n := 0; ; n++ {
		if i = p.Blank(i); i >= len(p.B) {
			return -1
		}
		if p.B[i] == closing && n == 0 {
			return i + 1
		}
		if open == '{' {
			key := i
			if i = p.key(i); i < 0 || p.Checks && !keys.AddNew(p.B[key:i]) {
				return -1
			}
			i = p.colon(i)
		}
		if i = p.Value(i, levels); i < 0 {
			return -1
		}
		if i = p.Blank(i); i >= len(p.B) {
			return -1
		}
		switch p.B[i] {
		case closing:
			return i + 1
		case ',':
			i++
		default:
			return -1
		}
	}
}

// text passes a text in quotes.
func (p *Passer) text(i int) int {
	if i < 0 || i >= len(p.B) || p.B[i] != '"' {
		return -1
	}
	isASCII := true
	from := i
	for i++; i < len(p.B); i++ {
		c := p.B[i]
		if isPlain[c] {
			continue
		}
		switch {
		case c == '"':
			if !isASCII && p.Checks && !utf8.Valid(p.B[from:i]) {
				return -1
			}
			p.Content(from, i+1)
			return i + 1
		case c >= utf8.RuneSelf:
			isASCII = false
		case p.Controls && c > 0 && c != '\\':
		case c != '\\':
			return -1
		default:
			n := p.escape(p.B[i:])
			if n < 0 {
				return -1
			}
			p.escaped = true
			i += n - 1
		}
	}
	return -1
}

// escape returns the length of the escape that begins b; -1 if it must be read more closely or is not all in b.
func (p *Passer) escape(b []byte) int {
	switch {
	case len(b) < 2:
		return -1
	case !p.Checks:
		return 2
	case p.Hex && b[1] == 'u':
		if len(b) < 6 || !isHex(b[2:6]) || b[2]|0x20 == 'd' && b[3] >= '8' {
			return -1
		}
		return 6
	case !p.Escapes[b[1]]:
		return -1
	}
	return 2
}

func isHex(b []byte) bool {
	for _, c := range b {
		if !(c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f') {
			return false
		}
	}
	return true
}

// NumberLength returns the length of the number of JSON that begins b, -1 if there is none, and the numbers of digits before its
// point and in its exponent.
func NumberLength(b []byte) (n, whole, exponent int) {
	from := 0
	if len(b) > 0 && b[0] == '-' {
		from++
	}
	i := digitsEnd(b, from)
	if whole = i - from; whole == 0 || b[from] == '0' && whole > 1 {
		return -1, 0, 0
	}
	if i < len(b) && b[i] == '.' {
		from = i + 1
		if i = digitsEnd(b, from); i == from {
			return -1, 0, 0
		}
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		if i++; i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		from = i
		if i = digitsEnd(b, from); i == from {
			return -1, 0, 0
		}
		exponent = i - from
	}
	return i, whole, exponent
}

// digitsEnd returns the end of the digits at a place.
func digitsEnd(b []byte, i int) int {
	for i < len(b) && b[i]-'0' < 10 {
		i++
	}
	return i
}
