package simple

import (
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// A passer passes values with one cursor. Its methods return where a value ends, or tree.Unknown if it must be read more closely
// or is not all in the stretch.
type passer struct {
	*reading
	c      *Cursor
	w      *source.Window
	s      *tree.Stretch
	checks bool // values must be ordinary; otherwise only sizes matter
	odd    bool // ReadFoot has reported something
	pair   Pair // plain one that has has found
}

// Pass implements tree.Passer.
func (r *reading) Pass(w *source.Window, parent *tree.Value, s *tree.Stretch) {
	if parent.Type == buffer || parent.Flags&isColumns != 0 {
		return
	}
	p := &passer{reading: r, c: r.cursor(w, s.Pos, s.Until, Place{}), w: w, s: s, checks: !s.SizesOnly || s.Tally != nil || s.LeastContent > 0}
	defer r.cursors.Put(p.c)
	p.c.least = s.LeastContent
	for seen := int64(0); s.Pos < s.Until && p.has(parent, s.Next.Index, s.Pos); {
		if seen-s.Pos < small && seen < s.Until { // a value that is small is in memory with its key
			seen = s.Pos + int64(len(s.Ahead(w)))
		}
		end := int64(tree.Unknown)
		if p.Glance != nil {
			end = p.settled(func() int64 { return s.Pos + int64(p.glance(s.Ahead(w), parent.Layout, 0, s.Levels, nil)) })
		}
		if end < s.Pos {
			end = p.settled(func() int64 { return p.child(parent, s.Pos, s.Levels, nil) })
		}
		if end < s.Pos {
			return
		}
		s.Pos = end
		if s.Next.Index++; s.Pos >= s.Enough {
			return
		}
	}
}

// settled keeps what is noted of a child while pass passes it, or forgets that if it cannot.
func (p *passer) settled(pass func() int64) int64 {
	known := len(p.s.Contents)
	end := pass()
	if end < p.s.Pos {
		p.s.Contents = p.s.Contents[:known]
	}
	if p.s.Tally != nil {
		p.s.Tally.Settle(end >= p.s.Pos)
	}
	return end
}

// small is the size in bytes up to which a value is not read twice.
const small = 2 << 10

// has reports whether a container has a child with an index, which would begin at an offset.
func (p *passer) has(v *tree.Value, i, at int64) bool {
	p.pair = Pair{}
	switch {
	case v.Count != tree.Unknown && i >= v.Count || v.Limit-at < int64(v.MinChild):
		return false
	case !v.Marked:
		return true
	case p.Plain != nil && v.Layout == tree.Pairs:
		if p.pair = p.Plain(v.Inner, p.w.View(at, min(usualLine, v.Limit-at, p.s.Until-at))); p.pair.End > 0 {
			return true
		}
	}
	p.begin(v, v.Layout == tree.Pairs, at)
	p.c.found = p.Description.HasChild(p.c)
	return p.c.found
}

// begin places the cursor at the beginning of a child of a container, or of its key.
func (p *passer) begin(in *tree.Value, isKey bool, at int64) {
	p.c.next(at, in.Limit, inside(in, isKey))
}

// child passes a child of a container with its key, which must be none of few, or of the keys of the stretch if that is nil.
func (p *passer) child(in *tree.Value, at int64, levels int, few *tree.FewKeys) int64 {
	if in.Layout != tree.Pairs {
		return p.value(in, false, at, levels)
	}
	key := span.Span{Offset: at, Length: int64(p.pair.Head)}
	if p.pair.End > 0 {
		at = p.plain(at)
	} else {
		if at = p.value(in, true, at, levels); at == tree.Unknown || in.Limit-at < int64(in.MinChild) {
			return tree.Unknown
		}
		key = span.Between(p.c.value.Head, at)
		at = p.value(in, false, at, levels)
	}
	if at == tree.Unknown || !p.checks || key.Length == 0 {
		return at
	}
	if !p.isNew(p.w.View(key.Offset, key.Length), few) {
		return tree.Unknown
	}
	return at
}

// isNew reports whether a key repeats none of few, or of the keys of the stretch if that is nil.
func (p *passer) isNew(key []byte, few *tree.FewKeys) bool {
	if few != nil {
		return few.AddNew(key)
	}
	return p.s.Keys == nil || p.s.Keys.AddNew(key)
}

// glance is child by Description.Glance, for a child that begins at a place in the next bytes of the stretch. It returns where in
// them it ends, or -1 if it must be read more closely.
func (p *passer) glance(b []byte, in tree.Layout, at, levels int, few *tree.FewKeys) int {
	if in != tree.Pairs {
		return p.glanced(b, at, levels, false)
	}
	value := p.glanced(b, at, 0, true)
	if value < 0 {
		return -1
	}
	end := p.glanced(b, value, levels, false)
	if end < 0 || p.checks && !p.isNew(b[at:value], few) {
		return -1
	}
	return end
}

// plain passes the plain pair that begins at an offset.
func (p *passer) plain(at int64) (end int64) {
	is, value := &p.pair, at+int64(p.pair.Head)
	end = at + int64(is.End)
	p.content(at, span.Span{Offset: at, Length: int64(is.Key)})
	p.content(value, span.Between(at+int64(is.From), at+int64(is.To)))
	if p.s.Tally != nil {
		p.count(uint16(len(p.Types)), true, span.Between(value, end))
	}
	return end
}

// glanced is value by Description.Glance.
func (p *passer) glanced(b []byte, at, levels int, isKey bool) int {
	if at >= len(b) {
		return -1
	}
	g := p.Glance(b[at:], isKey)
	from, isLeaf := at+g.Head, g.Layout == tree.Leaf
	if g.Type == "" || g.Size > uint64(len(b)) || from+g.Tail > len(b) || !isLeaf && levels == 0 {
		return -1
	}
	to := from + int(g.Size)
	if isLeaf && (to+g.Tail > len(b) || p.checks && g.Kind == span.Text && (g.Size > longASCII || !isASCII(b[from:to]))) {
		return -1
	}
	p.noteGlance(&g, p.s.Pos+int64(at), isKey)
	if isLeaf {
		return to + g.Tail
	}
	var keys tree.FewKeys
	for at = from; g.Size > 0 && at >= 0; g.Size-- {
		at = p.glance(b, g.Layout, at, levels-1, &keys)
	}
	return at
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
	p.count(p.typeNumber(g.Type), g.Head > 0, leaf)
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

// value passes a value of at most so many levels.
func (p *passer) value(in *tree.Value, isKey bool, at int64, levels int) int64 {
	if isKey {
		levels = 0
	}
	if !isKey || !p.c.found {
		p.begin(in, isKey, at)
	}
	p.c.run()
	v := &p.c.value
	switch {
	case v.Damage != nil || v.Layout != tree.Leaf && (levels == 0 || v.Flags&isColumns != 0):
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
