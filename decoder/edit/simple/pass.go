package simple

import (
	"unicode/utf8"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// A passer passes values by what their first bytes say, or with one cursor.
type passer struct {
	*reading
	c      *Cursor // nil until a value is read
	w      *source.Window
	s      *tree.Stretch
	b      []byte // bytes of the stretch in memory
	from   int64  // offset of the first of them
	checks bool   // values must be ordinary; otherwise only sizes matter
	odd    bool   // ReadFoot has reported something
}

// Pass implements tree.Passer.
func (r *reading) Pass(w *source.Window, parent *tree.Value, s *tree.Stretch) {
	if parent.Type == buffer || parent.Flags&isColumns != 0 {
		return
	}
	p, ok := s.Memory.(*passer)
	if !ok {
		p = new(passer)
		s.Memory = p
	}
	*p = passer{reading: r, w: w, s: s, from: s.Pos, checks: s.Checks()}
	for s.Pos < s.Until && p.hasRoom(parent, s.Next.Index, s.Pos) {
		if ahead := p.from + int64(len(p.b)); ahead-s.Pos < small && ahead < s.Until { // a value that is small is in memory with its key
			p.b, p.from = s.Ahead(w), s.Pos
		}
		end := p.glanceNext(parent)
		if known := len(s.Contents); end == unclear && p.has(parent, s.Next.Index, s.Pos) {
			end = p.settled(known, p.child(parent, s.Pos, s.Levels, nil))
		}
		if end < s.Pos {
			break
		}
		s.Pos = end
		if s.Next.Index++; s.Pos >= s.Enough {
			break
		}
	}
	if p.c != nil {
		r.cursors.Put(p.c)
	}
}

// What a method that passes a value returns in place of its end.
const (
	unclear = tree.Unknown // it must be read more closely, or is not all in the stretch
	cut     = unclear - 1  // it is not all in the bytes
	ended   = unclear - 2  // no other child follows
	wanted  = unclear - 3  // it has a key that is wanted
)

// glanceNext passes the next child of a container by Description.Glance.
func (p *passer) glanceNext(in *tree.Value) int64 {
	if p.Glance == nil {
		return unclear
	}
	known, at := len(p.s.Contents), int(p.s.Pos-p.from)
	end := p.glance(at, p.s.Levels, in.Layout, in.Inner, nil)
	switch end := p.settled(known, int64(end)); {
	case end >= 0:
		return p.from + end
	case end == cut && p.from+int64(len(p.b)) < p.s.Until:
		return unclear
	default:
		return end
	}
}

// settled keeps what is noted of a child that ends at an offset, or forgets that of one that was not passed.
func (p *passer) settled(known int, end int64) int64 {
	if end < 0 {
		p.s.Contents = p.s.Contents[:known]
	}
	if p.s.Tally != nil {
		p.s.Tally.Settle(end >= 0)
	}
	return end
}

// small is the size in bytes up to which a value is not read twice.
const small = 2 << 10

// hasRoom reports whether a container may have a child with an index, which would begin at an offset.
func (p *passer) hasRoom(v *tree.Value, i, at int64) bool {
	return (v.Count == tree.Unknown || i < v.Count) && v.Limit-at >= int64(v.MinChild)
}

// has reports whether a container has a child with an index, which would begin at an offset.
func (p *passer) has(v *tree.Value, i, at int64) bool {
	if !v.Marked || !p.hasRoom(v, i, at) {
		return p.hasRoom(v, i, at)
	}
	p.begin(v, v.Layout == tree.Pairs, at)
	p.c.found = p.Description.HasChild(p.c)
	return p.c.found
}

// begin places the cursor at the beginning of a child of a container, or of its key.
func (p *passer) begin(in *tree.Value, isKey bool, at int64) {
	if p.c == nil {
		p.c = p.cursor(p.w, p.s.Pos, p.s.Until, Place{})
		p.c.least = p.s.LeastContent
	}
	p.c.next(at, in.Limit, inside(in, isKey))
}

// child passes a child of a container with its key, which must be none of few, or of the keys of the stretch if that is nil.
func (p *passer) child(in *tree.Value, at int64, levels int, few *tree.FewKeys) int64 {
	if in.Layout != tree.Pairs {
		return p.value(in, false, at, levels)
	}
	at = p.value(in, true, at, levels)
	if at == unclear || in.Limit-at < int64(in.MinChild) || p.s.Wants != nil && (p.c.scalar.Kind != tree.Text || p.s.Wants(p.w.All(p.c.scalar.Span))) {
		return unclear
	}
	key := span.Between(p.c.value.Head, at)
	at = p.value(in, false, at, levels)
	if at == unclear || !p.checks || key.Length == 0 {
		return at
	}
	if !p.isNew(p.w.View(key.Offset, key.Length), few) {
		return unclear
	}
	return at
}

// isNew reports whether a key repeats none of few, or of the keys of the stretch if that is nil.
func (p *passer) isNew(key []byte, few *tree.FewKeys) bool {
	key = p.KeyIdentity(nil, key)
	if few != nil {
		return few.AddNew(key)
	}
	return p.s.Keys == nil || p.s.Keys.AddNew(key)
}

// glance is child by Description.Glance, of a container with a layout and an argument of Inside. It takes a place in the bytes and
// returns one.
func (p *passer) glance(at, levels int, layout tree.Layout, in uint32, few *tree.FewKeys) int {
	if layout != tree.Pairs {
		_, _, end := p.glanced(at, levels, Place{In: in})
		return end
	}
	g, at, value := p.glanced(at, 0, Place{in, true})
	switch {
	case value < 0:
		return value
	case p.s.Wants != nil && (g.Kind != span.Text || p.s.Wants(p.b[at+g.Head:value-g.Tail])):
		return wanted
	}
	_, _, end := p.glanced(value, levels, Place{In: in})
	if end >= 0 && p.checks && !p.isNew(p.b[at:value], few) {
		return unclear
	}
	return end
}

// glanced is value by Description.Glance. It takes a place in the bytes, and returns where the value begins behind what precedes it
// and where it ends.
func (p *passer) glanced(at, levels int, place Place) (g Glance, head, end int) {
	if at >= len(p.b) {
		return g, at, cut
	}
	g = p.Glance(place, p.b[at:])
	at += g.Before
	switch end = p.contentEnd(&g, at); {
	case g.Ends:
		return g, at, ended
	case g.Type == "" || g.Layout != tree.Leaf && levels == 0:
		p.s.IsTooDeep = g.Type != "" && !place.Key
		return g, at, unclear
	case end < 0:
		return g, at, end
	}
	if p.noteGlance(&g, p.from+int64(at), place.Key); g.Layout == tree.Leaf {
		return g, at, end
	}
	if g.Inside > 0 {
		place.In = g.Inside
	}
	var keys tree.FewKeys
	for n := g.Size; (g.Until || n > 0) && end >= 0; n-- {
		next := p.glance(end, levels-1, g.Layout, place.In, &keys)
		if next == ended {
			break
		}
		end = next
	}
	return g, at, end
}

// contentEnd returns where a value ends that begins at a place, or where its children begin.
func (p *passer) contentEnd(g *Glance, at int) int {
	from := at + g.Head
	if g.Size > uint64(len(p.b)) && !g.Until || from+g.Tail > len(p.b) {
		return cut
	}
	if g.Layout != tree.Leaf {
		return from
	}
	to := from + int(g.Size)
	switch {
	case to+g.Tail > len(p.b):
		return cut
	case p.checks && g.Kind == span.Text && !isASCII(p.b[from:to]) && (p.CESU8 || !utf8.Valid(p.b[from:to])):
		return unclear
	}
	return to + g.Tail
}

// noteGlance is note for a value that begins at an offset.
func (p *passer) noteGlance(g *Glance, at int64, isKey bool) {
	content := span.Span{Offset: at + int64(g.Head), Length: int64(g.Size)}
	if g.Kind == span.Text || g.Kind == span.Data {
		p.content(at, content)
	}
	if p.s.Tally == nil || isKey {
		return
	}
	var leaf span.Span
	if g.Layout == tree.Leaf {
		leaf = span.Between(at, content.End()+int64(g.Tail))
	}
	p.count(p.typeNumber(g.Type), g.Head > 0 || g.Kind == span.Text, leaf)
}

// content notes the text or raw bytes of the value that begins at an offset, if they are as long as those that are wanted.
func (p *passer) content(at int64, s span.Span) {
	if least := p.s.LeastContent; least > 0 && s.Length >= least {
		p.s.Contents = append(p.s.Contents, tree.Content{At: at, Span: s})
	}
}

// count counts a value for the tally: its type, if it has a head, and all its bytes, if it has no children.
func (p *passer) count(typeNumber uint16, hasHead bool, leaf span.Span) {
	if hasHead {
		p.s.Tally.CountLater(typeNumber)
	}
	if leaf.Length >= tree.LargeFrom {
		p.s.Tally.CompareLater(leaf)
	}
}

// isAt reports whether the cursor is at a key already.
func (p *passer) isAt(isKey bool) bool { return isKey && p.c != nil && p.c.found }

// value passes a value of at most so many levels.
func (p *passer) value(in *tree.Value, isKey bool, at int64, levels int) int64 {
	if isKey {
		levels = 0
	}
	if !p.isAt(isKey) {
		p.begin(in, isKey, at)
	}
	p.c.run()
	v := &p.c.value
	switch {
	case v.Damage != nil || v.Layout != tree.Leaf && (levels == 0 || p.Glance != nil || v.Flags&isColumns != 0):
		p.s.IsTooDeep = p.s.IsTooDeep || levels == 0 && v.Damage == nil && !isKey
		return tree.Unknown
	case p.checks && (v.Flags&isOdd != 0 || v.Overcounted()):
		return tree.Unknown
	case v.Layout == tree.Leaf && v.End > p.s.Until:
		return tree.Unknown
	}
	p.note(v, isKey)
	if v.Layout != tree.Leaf {
		return p.children(*v, levels-1)
	}
	return v.End
}

// note notes what others want to know of a value.
func (p *passer) note(v *tree.Value, isKey bool) {
	for _, c := range p.c.contents {
		p.s.Contents = append(p.s.Contents, tree.Content{At: v.Head, Span: c})
	}
	if p.s.Tally == nil || isKey {
		return
	}
	var leaf span.Span
	if v.Layout == tree.Leaf {
		leaf = v.Span()
	}
	p.count(v.Type, v.Body > v.Head, leaf)
}

// children passes the children of a container, and what follows them.
func (p *passer) children(v tree.Value, levels int) int64 {
	var keys tree.FewKeys
	at, n := v.Body, int64(0)
	for ; p.has(&v, n, at); n++ {
		if at = p.child(&v, at, levels, &keys); at == tree.Unknown {
			return tree.Unknown
		}
	}
	if foot := at; v.Footed {
		p.odd = false
		at = p.ReadFoot(p.w, &v, at, false, p.noteOdd())
		if p.odd || p.s.LeastContent > 0 && at-foot >= p.s.LeastContent {
			return tree.Unknown
		}
	}
	if v.Count != tree.Unknown && n < v.Count || v.Open || v.Fenced && at != v.End || at > p.s.Until {
		return tree.Unknown
	}
	return at
}

// noteOdd returns what takes the problems after children, if they matter.
func (p *passer) noteOdd() func(span.Problem) {
	if !p.checks {
		return nil
	}
	return func(span.Problem) { p.odd = true }
}
