package search

import (
	"maps"
	"net/netip"
	"slices"
	"strings"
	"sync"

	"varview/decoder"
	"varview/decoder/engine/format"
	"varview/decoder/engine/parallel"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/value/spelling"
)

// candidates finds the places of a text, or of bytes, in a source, in whatever value they are.
type candidates struct {
	src    source.Source
	length int64 // length of the text or bytes
	index  func([]byte) int
	buf    []byte // bytes from off on
	off    int64
	pieces []span.Span // spans that can be read; nil before the first reading
}

// newCandidates returns spare candidates, each for one goroutine, which find what index finds; length is
// its length in bytes.
func newCandidates(src source.Source, length int, index func([]byte) int) *parallel.Spares[*candidates] {
	return &parallel.Spares[*candidates]{New: func() *candidates {
		return &candidates{src: src, length: int64(length), index: index}
	}}
}

// begin returns candidates that have not read anything yet; s.places takes them back.
func (s *searcher) begin() *candidates {
	c := s.places.Get()
	c.pieces = nil
	return c
}

// next returns the first place in [from, to); to if there is none. passed is called with offsets up to
// which there is no place.
func (c *candidates) next(from, to int64, passed func(int64) error) (int64, error) {
	for at := from; at < to; {
		if at < c.off || at >= c.off+blockBytes || c.pieces == nil {
			if err := passed(at); err != nil {
				return to, err
			}
			c.read(at, to)
		}
		for _, p := range c.pieces {
			start := max(p.Offset, at)
			if start >= p.End() {
				continue
			}
			if i := c.index(c.buf[start-c.off : p.End()-c.off]); i >= 0 && start+int64(i) < c.off+blockBytes {
				return min(to, start+int64(i)), nil
			}
		}
		at = c.off + blockBytes
	}
	return to, nil
}

// read fills the buffer from an offset on, to find places before to.
func (c *candidates) read(off, to int64) {
	size := int(min(blockBytes, to-off) + c.length - 1)
	c.buf = slices.Grow(c.buf[:0], size)[:size] // so that a small file takes little memory
	n, holes := source.ReadAround(c.src, c.buf, off)
	c.off, c.pieces = off, []span.Span{}
	for _, hole := range append(holes, span.Span{Offset: c.off + int64(n)}) {
		if hole.Offset > off {
			c.pieces = append(c.pieces, span.Between(off, hole.Offset))
		}
		off = hole.End()
	}
}

// ErrUnknownPrefix says that a term begins like a prefix, but with an unknown name.
type ErrUnknownPrefix struct{ error }

// unknown returns an error if the term here begins with a name and a colon that are not a prefix. With a
// slash, a capital or a digit before the colon, or two slashes after it, it is text: res://icon.png,
// Player:position, 12:30.
func (p *parser) unknown() error {
	ahead := *p
	word := ahead.word()
	name, after, ok := strings.Cut(word, ":")
	known := p.prefixNames()
	if !ok || strings.HasPrefix(after, "//") || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz_-") != "" && !slices.Contains(known, strings.ToLower(name)) || name == "" {
		return nil
	}
	about := "there are " + strings.Join(known, ":, ") + ":;"
	if near := spelling.Nearest(strings.ToLower(name), known); near != "" {
		about = "did you mean " + near + ":?"
	}
	asText := "to look for it as text, write it in quotes"
	if !strings.Contains(word, `"`) {
		asText += ": " + quote(word)
	}
	return ErrUnknownPrefix{p.errorf(p.at, "%s: is not a prefix here; %s %s", name, about, asText)}
}

// prefixNames returns the prefixes that the query may have, without their colons.
func (p *parser) prefixNames() (all []string) {
	for _, n := range p.names {
		all = append(all, n.Name)
	}
	for _, in := range p.places {
		all = append(all, strings.TrimSuffix(prefixes[in], ":"))
	}
	return all
}

// possible returns an error if no text with a name can be what the term asks for.
func (p *parser) possible(t *term, n *format.TextName, start int) error {
	switch {
	case n.Words != nil:
		if slices.ContainsFunc(n.Words, func(word string) bool { return t.isIn([]string{word}) }) {
			return nil
		}
		if near := spelling.Nearest(strings.ToLower(t.typed), n.Words); near != "" {
			return p.errorf(start, "%s: cannot be %s; did you mean %s:%s?", n.Name, t.typed, n.Name, near)
		}
		return p.errorf(start, "%s: cannot be %s; it is one of %s", n.Name, t.typed, strings.Join(n.Words, ", "))
	case n.Also != "" && t.isIn([]string{n.Also}):
	case n.Shape == format.Number && t.glob != nil && !couldBeNumber(t.glob):
		return p.errorf(start, "%s: cannot be %s; it is a number, as in %s:1 or %s:>1", n.Name, t.typed, n.Name, n.Name)
	case n.Shape == format.Address && (t.isNumber() || t.glob != nil && !couldBeAddress(t.glob)):
		return p.errorf(start, "%s: cannot be %s; it is an address, with its port or without, as in %s:10.0.0.7 or %s:*:7000", n.Name, t.typed, n.Name, n.Name)
	}
	return nil
}

// couldBe reports whether a glob can match a text made only of certain characters.
func couldBe(g *glob, of string) bool {
	return !slices.ContainsFunc(g.runes, func(r rune) bool { return r >= 0 && !strings.ContainsRune(of, r) })
}

// couldBeNumber reports whether a glob can match an integer.
func couldBeNumber(g *glob) bool {
	sign := slices.Index(g.runes, '-')
	return couldBe(g, "-0123456789") && (sign <= 0 || g.runes[sign-1] < 0)
}

// couldBeAddress reports whether a glob can match an address, as far as that can be told: the name of an
// interface follows a %.
func couldBeAddress(g *glob) bool {
	if s := string(g.runes); !slices.ContainsFunc(g.runes, func(r rune) bool { return r < 0 }) {
		_, err := netip.ParseAddr(s)
		if err != nil {
			_, err = netip.ParseAddrPort(s)
		}
		return err == nil
	}
	end := slices.Index(g.runes, '%')
	if end < 0 {
		end = len(g.runes)
	}
	return couldBe(&glob{runes: g.runes[:end]}, "0123456789abcdefABCDEF.:[]")
}

// typeNames maps the types of all dialects from their names in lower case. There are other types, such as
// the classes of objects.
var typeNames = sync.OnceValue(func() map[string]string {
	names := map[string]string{}
	for _, d := range decoder.Dialects() {
		for _, name := range d.Types {
			if lower := strings.ToLower(name); names[lower] == "" && name != "" {
				names[lower] = name
			}
		}
	}
	return names
})

// misspeltType returns the type that was probably meant by a similar name; "" for any other name.
func misspeltType(s string) string {
	known, s := typeNames(), strings.ToLower(s)
	if strings.ContainsAny(s, "*?[") || known[s] != "" {
		return ""
	}
	return known[spelling.Nearest(s, slices.Sorted(maps.Keys(known)))]
}

// A Range is a part of a text, in bytes.
type Range struct{ From, To int }

// Places returns where a text contains what the query looks for in texts, in order and
// without overlap.
func (q Query) Places(s string) []Range {
	if q.expr == nil || s == "" {
		return nil
	}
	var all []Range
	text := []byte(s)
	for at := 0; at < len(text); {
		from, to := q.expr.firstIn(text[at:])
		if from < 0 {
			break
		}
		all = append(all, Range{at + from, at + to})
		at += to
	}
	return all
}

// firstIn returns the first place of a term in a text, and the longest of those that begin there; from is
// -1 if there is none.
func (x *expr) firstIn(s []byte) (from, to int) {
	from = -1
	switch x.op {
	case opTerm:
		return x.term.firstIn(s)
	case opNot:
		return from, to
	}
	for _, part := range x.parts {
		if f, t := part.firstIn(s); f >= 0 && (from < 0 || f < from || f == from && t > to) {
			from, to = f, t
		}
	}
	return from, to
}

// firstIn is expr.firstIn for one term.
func (t *term) firstIn(s []byte) (from, to int) {
	switch {
	case t.text != nil:
		if i := t.text.index(s); i >= 0 {
			return i, i + len(t.text.needle)
		}
	case t.regex != nil:
		if at := t.regex.FindIndex(s); at != nil && at[1] > at[0] {
			return at[0], at[1]
		}
	}
	return -1, 0
}

// blockBytes is the number of bytes that are searched at a time.
const blockBytes = 1 << 20

// isBytes reports whether the query looks for bytes wherever they are.
func (q *Query) isBytes() bool { return q.sole != nil && q.sole.bytes != nil }

// eachBytes calls found for each place in [from, to) that has the bytes. It skips what
// cannot be read.
func (s *searcher) eachBytes(from, to int64, found func(Hit) bool) error {
	c := s.begin()
	defer s.places.Put(c)
	passed := s.passedFrom(from)
	for at := from; ; at++ {
		var err error
		if at, err = c.next(at, to, passed); err != nil || at >= to {
			return err
		}
		if !found(Hit{Span: span.Span{Offset: at, Length: c.length}, Rank: Other}) {
			return errFound
		}
	}
}

// passedFrom returns a function that records how far a search of a stretch beginning at an offset has
// come, and returns an error if it should end.
func (s *searcher) passedFrom(from int64) func(upTo int64) error {
	return func(upTo int64) error {
		s.progress(s.passed+max(0, upTo-from), s.tree.Source.Size())
		return s.ctx.Err()
	}
}
