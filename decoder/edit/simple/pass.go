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
}

// Pass implements tree.Passer.
func (r *reading) Pass(w *source.Window, parent *tree.Value, s *tree.Stretch) {
	if parent.Type == buffer || parent.Flags&isColumns != 0 {
		return
	}
	p := &passer{reading: r, c: r.cursors.Get().(*Cursor), w: w, s: s, checks: !s.SizesOnly || s.Tally != nil || s.LeastContent > 0}
	defer r.cursors.Put(p.c)
	for seen := int64(0); s.Pos < s.Until && p.has(parent, s.Next.Index, s.Pos); {
		if seen-s.Pos < small && seen < s.Until { // a value that is small is in memory with its key
			seen = s.Pos + int64(len(s.Ahead(w)))
		}
		known := len(s.Contents)
		end := p.child(parent, s.Pos, s.Levels, nil)
		if s.Tally != nil {
			s.Tally.Settle(end != tree.Unknown)
		}
		if end == tree.Unknown {
			s.Contents = s.Contents[:known]
			return
		}
		s.Pos = end
		if s.Next.Index++; s.Pos >= s.Enough {
			return
		}
	}
}

// small is the size in bytes up to which a value is not read twice.
const small = 2 << 10

// has reports whether a container has a child with an index, which would begin at an offset.
func (p *passer) has(v *tree.Value, i, at int64) bool {
	switch {
	case v.Count != tree.Unknown && i >= v.Count || v.Limit-at < int64(v.MinChild):
		return false
	case !v.Marked:
		return true
	}
	p.begin(v, v.Layout == tree.Pairs, at)
	p.c.found = p.Description.HasChild(p.c)
	return p.c.found
}

// begin places the cursor at the beginning of a child of a container, or of its key.
func (p *passer) begin(in *tree.Value, isKey bool, at int64) {
	p.c.reset(p.reading, p.w, at, in.Limit, inside(in, isKey))
	p.c.least = p.s.LeastContent
}

// child passes a child of a container with its key, which must be none of few, or of the keys of the stretch if that is nil.
func (p *passer) child(in *tree.Value, at int64, levels int, few *tree.FewKeys) int64 {
	if in.Layout != tree.Pairs {
		return p.value(in, false, at, levels)
	}
	if at = p.value(in, true, at, levels); at == tree.Unknown || in.Limit-at < int64(in.MinChild) {
		return tree.Unknown
	}
	key := span.Between(p.c.value.Head, at)
	if at = p.value(in, false, at, levels); at == tree.Unknown || !p.checks || key.Length == 0 {
		return at
	}
	b, isNew := p.w.View(key.Offset, key.Length), true
	if few != nil {
		isNew = few.AddNew(b)
	} else if p.s.Keys != nil {
		isNew = p.s.Keys.AddNew(b)
	}
	if !isNew {
		return tree.Unknown
	}
	return at
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
	t := p.s.Tally
	if t == nil || isKey {
		return
	}
	if v.Body > v.Head {
		t.CountLater(v.Type)
	}
	if v.Layout == tree.Leaf && v.End-v.Start >= tree.LargeFrom {
		t.CompareLater(v.Span())
	}
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
