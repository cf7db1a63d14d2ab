package simple

import (
	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
)

// A passer passes values of which only the sizes matter, with one cursor. Its methods return where a value ends, or tree.Unknown
// if it must be read more closely or is not all before until.
type passer struct {
	*reading
	c     *Cursor
	w     *source.Window
	until int64
}

// PassesSizesOnly implements tree.SizePasser.
func (r *reading) PassesSizesOnly() {}

// Pass implements tree.Passer.
func (r *reading) Pass(w *source.Window, parent *tree.Value, s *tree.Stretch) {
	if !s.SizesOnly || s.Tally != nil || s.LeastContent > 0 || parent.Type == buffer || parent.Flags&isColumns != 0 {
		return
	}
	p := &passer{reading: r, c: r.cursors.Get().(*Cursor), w: w}
	defer r.cursors.Put(p.c)
	for fresh := false; ; {
		end := int64(tree.Unknown)
		if s.Pos < p.until && p.has(parent, s.Next.Index, s.Pos) {
			end = p.child(parent, s.Pos, s.Levels)
		}
		switch {
		case end != tree.Unknown:
			s.Pos, fresh = end, false
			s.Next.Index++
			if s.Pos >= s.Enough {
				return
			}
		case fresh:
			return
		default: // perhaps the bytes in memory only end within the value
			p.until, fresh = s.Pos+int64(len(s.Ahead(w))), true
		}
	}
}

// has reports whether a container has a child with an index, which would begin at an offset.
func (p *passer) has(v *tree.Value, i, at int64) bool {
	switch {
	case v.Count != tree.Unknown && i >= v.Count || v.Limit-at < int64(v.MinChild):
		return false
	case !v.Marked:
		return true
	}
	p.c.reset(p.reading, p.w, at, v.Limit, inside(v, v.Layout == tree.Pairs))
	return p.Description.HasChild(p.c)
}

// child passes a child of a container with its key.
func (p *passer) child(in *tree.Value, at int64, levels int) int64 {
	if in.Layout == tree.Pairs {
		if at = p.value(in, true, at, levels); at == tree.Unknown || in.Limit-at < int64(in.MinChild) {
			return tree.Unknown
		}
	}
	return p.value(in, false, at, levels)
}

// value passes a value of at most so many levels.
func (p *passer) value(in *tree.Value, isKey bool, at int64, levels int) int64 {
	p.c.reset(p.reading, p.w, at, in.Limit, inside(in, isKey))
	p.c.run()
	v := &p.c.value
	switch {
	case v.Damage != nil || v.Layout != tree.Leaf && (levels == 0 || v.Flags&isColumns != 0):
		return tree.Unknown
	case v.Layout != tree.Leaf:
		return p.children(*v, levels-1)
	case v.End > p.until:
		return tree.Unknown
	}
	return v.End
}

// children passes the children of a container, and what follows them.
func (p *passer) children(v tree.Value, levels int) int64 {
	at, n := v.Body, int64(0)
	for ; p.has(&v, n, at); n++ {
		if at = p.child(&v, at, levels); at == tree.Unknown {
			return tree.Unknown
		}
	}
	if v.Footed {
		at = p.ReadFoot(p.w, &v, at, false, nil)
	}
	if v.Count != tree.Unknown && n < v.Count || v.Open || v.Fenced && at != v.End || at > p.until {
		return tree.Unknown
	}
	return at
}
