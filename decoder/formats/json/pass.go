package json

import (
	"hash/maphash"
	"slices"
	"unicode/utf8"

	"varview/decoder/edit/textual"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// A passer passes values in b, the bytes of a stretch that are in memory. Its methods take the place in b
// where something begins and return where it ends, or -1 if it must be read more closely: it is not proper
// JSON, or not all in b.
type passer struct {
	s      *tree.Stretch
	b      []byte
	at     int  // place of s.Pos in b
	checks bool // values must be ordinary; otherwise only sizes matter
}

// pass is the grammar's Pass.
func pass(w *source.Window, parent *tree.Value, s *tree.Stretch) {
	p := passer{s: s, checks: !s.SizesOnly || s.Tally != nil || s.LeastContent > 0}
	in := textual.IsBuffer(parent)
	for fresh := false; s.Next.Index < parent.Count || parent.Count == tree.Unknown; {
		end, known := -1, len(s.Contents)
		if p.at < len(p.b) {
			end = p.child(parent, in)
		}
		if end <= 0 {
			s.Contents = s.Contents[:known]
		}
		if s.Tally != nil {
			s.Tally.Settle(end > 0)
		}
		switch {
		case end > 0:
			s.Pos += int64(end - p.at)
			p.at, fresh = end, false
			s.Next.Index++
			if s.Tally != nil && in {
				s.Tally.Children++
			}
			if s.Pos >= s.Enough {
				return
			}
		case fresh:
			return
		default: // perhaps the bytes in memory only end within the value
			p.b, p.at = s.Ahead(w), 0
			fresh = true
		}
	}
}

// child passes the next child with its key.
func (p *passer) child(parent *tree.Value, inBuffer bool) int {
	i := p.blank(p.at)
	if p.s.Next.Index > 0 && !inBuffer {
		if i == len(p.b) || p.b[i] != ',' {
			return -1
		}
		i = p.blank(i + 1)
	}
	key, keyEnd := i, i
	if parent.Layout == tree.Pairs {
		if i = p.text(i); i < 0 {
			return -1
		}
		keyEnd = i
		if i = p.blank(i); i == len(p.b) || p.b[i] != ':' {
			return -1
		}
		i = p.blank(i + 1)
	}
	end := p.value(i, p.s.Levels)
	if end < 0 || inBuffer {
		return end
	}
	if next := p.blank(end); next == len(p.b) || p.b[next] != ',' && p.b[next] != ']' && p.b[next] != '}' {
		return -1
	}
	if p.s.Keys != nil && !p.s.Keys.AddNew(p.b[key:keyEnd]) {
		return -1
	}
	return end
}

func (p *passer) blank(i int) int {
	for i < len(p.b) && (p.b[i] == ' ' || p.b[i] == '\n' || p.b[i] == '\t' || p.b[i] == '\r') {
		i++
	}
	return i
}

// value passes a value of at most so many levels.
func (p *passer) value(i, levels int) int {
	if i >= len(p.b) {
		return -1
	}
	kind, end := uint16(number), -1
	switch c := p.b[i]; {
	case c == '"':
		kind, end = text, p.text(i)
		if p.checks && end > i+2 && (p.b[i+1] == '@' || beginsTyped(p.b[i:end]) && typed(string(p.b[i+1:end-1])) != "") {
			return -1
		}
	case c == '{' || c == '[':
		kind = array
		if c == '{' {
			kind = object
		}
		if levels == 0 {
			return -1
		}
		p.count(kind)
		return p.container(i+1, levels-1, c)
	case c == 't':
		kind, end = boolean, p.word(i, "true")
	case c == 'f':
		kind, end = boolean, p.word(i, "false")
	case c == 'n':
		kind, end = null, p.word(i, "null")
	default:
		end = p.number(i)
	}
	if end > 0 && p.s.Tally != nil {
		p.count(kind)
		if end-i >= tree.LargeFrom {
			p.s.Tally.CompareLater(span.Span{Offset: p.s.Pos + int64(i-p.at), Length: int64(end - i)})
		}
	}
	return end
}

func (p *passer) count(kind uint16) {
	if p.s.Tally != nil {
		p.s.Tally.CountLater(kind)
	}
}

func (p *passer) word(i int, word string) int {
	if len(p.b)-i > len(word) && string(p.b[i:i+len(word)]) == word && !isWord(p.b[i+len(word)]) {
		return i + len(word)
	}
	return -1
}

// container passes the rest of an object or array.
func (p *passer) container(i, levels int, open byte) int {
	isPairs := open == '{'
	closing := open + 2
	var keys fewKeys
	for n := 0; ; n++ {
		if i = p.blank(i); i >= len(p.b) {
			return -1
		}
		if p.b[i] == closing && n == 0 {
			return i + 1
		}
		if isPairs {
			key := i
			if i = p.text(i); i < 0 || p.checks && !keys.addNew(p.b[key:i]) {
				return -1
			}
			if i = p.blank(i); i >= len(p.b) || p.b[i] != ':' {
				return -1
			}
			i = p.blank(i + 1)
		}
		if i = p.value(i, levels); i < 0 {
			return -1
		}
		if i = p.blank(i); i >= len(p.b) {
			return -1
		}
		switch p.b[i] {
		case closing:
			return i + 1
		case ',':
			i++
		default:
			return -1
		}
	}
}

// inText are the bytes of a text that are passed at once.
var inText = func() (plain [256]bool) {
	for c := ' '; c < 0x80; c++ {
		plain[c] = c != '"' && c != '\\'
	}
	return plain
}()

// text passes a text in quotes.
func (p *passer) text(i int) int {
	if i >= len(p.b) || p.b[i] != '"' {
		return -1
	}
	isPlain := true
	from := i
	for i++; i < len(p.b); i++ {
		c := p.b[i]
		if inText[c] {
			continue
		}
		switch {
		case c == '"':
			if !isPlain && p.checks && !utf8.Valid(p.b[from:i]) {
				return -1
			}
			if least := p.s.LeastContent; least > 0 && int64(i+1-from) >= least {
				at := p.s.Pos + int64(from-p.at)
				p.s.Contents = append(p.s.Contents, tree.Content{At: at, Span: span.Span{Offset: at, Length: int64(i + 1 - from)}})
			}
			return i + 1
		case c >= utf8.RuneSelf:
			isPlain = false
		case c != '\\' || i+1 >= len(p.b):
			return -1
		case !p.checks:
			i++
		case p.b[i+1] == 'u':
			if i+5 >= len(p.b) || !isHex(p.b[i+2:i+6]) || p.b[i+2]|0x20 == 'd' && p.b[i+3] >= '8' {
				return -1
			}
			i += 5
		default:
			if i++; !escapes[p.b[i]] {
				return -1
			}
		}
	}
	return -1
}

var escapes = func() (is [256]bool) {
	for _, c := range "\"\\/bfnrt" {
		is[c] = true
	}
	return is
}()

func isHex(b []byte) bool {
	for _, c := range b {
		if !(c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f') {
			return false
		}
	}
	return true
}

// number passes a number of JSON.
func (p *passer) number(i int) int {
	n, whole, exponent := numberLength(p.b[i:])
	end := i + n
	if n < 0 || n > maxNumber || end == len(p.b) || isWord(p.b[end]) || p.checks && (whole > exactDigits || exponent > 2) {
		return -1
	}
	return end
}

// numberLength returns the length of the number of JSON that begins b, -1 if there is none, and the numbers of digits before its
// point and in its exponent.
func numberLength(b []byte) (n, whole, exponent int) {
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

// maxNumber is the largest number of characters of a number that is passed.
const maxNumber = 256

var seed = maphash.MakeSeed()

// fewKeys has the keys of an object with few members.
type fewKeys struct {
	hashes [32]uint64
	n      int
	seen   uint64 // bits of the hashes
}

// addNew adds a key. It reports whether there is room for it and it repeats no other.
func (k *fewKeys) addNew(key []byte) bool {
	if k.n == len(k.hashes) {
		return false
	}
	h := maphash.Bytes(seed, key)
	if bit := uint64(1) << (h >> 58); k.seen&bit == 0 {
		k.seen |= bit
	} else if slices.Contains(k.hashes[:k.n], h) {
		return false
	}
	k.hashes[k.n] = h
	k.n++
	return true
}
