package block

import (
	"varview/decoder/elephant/internal/datatype"
	"varview/decoder/source"
	"varview/decoder/tree"
)

// Pass implements tree.Passer. It leaves to Read what is used for the first time, and
// all where contents are wanted.
func (f *Reading) Pass(w *source.Window, parent *tree.Value, s *tree.Stretch) {
	p := passer{f: f, s: s, w: w, checks: !s.SizesOnly, serial: s.Serial, refs: s.Refs}
	if s.LeastContent > 0 || !p.opens(parent) {
		return
	}
	p.look()
	for s.Next.Index < parent.Count {
		before := p.noted()
		end := p.child(parent)
		switch {
		case end >= 0:
			s.Pos, p.at = p.from+int64(end), end
			s.Serial, s.Refs = p.serial, p.refs
			s.Next.Index++
			if s.Pos >= s.Enough {
				return
			}
		case p.isFresh || p.from+int64(len(p.b)) >= s.Until:
			p.forget(before)
			return
		default: // perhaps the value only continues after the bytes in memory
			p.forget(before)
			p.look()
		}
	}
}

// A passer passes values in b, the bytes of a stretch that are in memory. Its methods take
// the place in b where something begins and return where it ends, or -1 if it must be
// looked at more closely or is not all in b.
type passer struct {
	f       *Reading
	s       *tree.Stretch
	w       *source.Window
	b       []byte
	from    int64 // offset of b
	at      int   // the place of s.Pos in b
	isFresh bool  // b begins at s.Pos

	element  byte   // the tag of the children of an array
	tags     []byte // the tags of the members that a schema lays out
	hasSkips bool   // some of these members may be left out

	checks bool // values must be ordinary; otherwise only sizes matter
	serial uint32
	refs   []tree.Reference
}

// look takes those bytes of the stretch that are in memory.
func (p *passer) look() {
	p.b, p.from, p.at, p.isFresh = p.s.Ahead(p.w), p.s.Pos, 0, true
}

// noted returns how much has been recorded, if anything is recorded.
func (p *passer) noted() state {
	p.isFresh = p.at == 0
	if p.f.marks == nil {
		return state{}
	}
	return p.f.marks.state()
}

// forget drops what was recorded of a child that was not passed.
func (p *passer) forget(s state) {
	p.serial, p.refs = p.s.Serial, p.s.Refs
	if p.f.marks != nil {
		p.f.marks.forget(s)
	}
}

// opens decides whether children of parent are passed, from the next one on.
func (p *passer) opens(parent *tree.Value) bool {
	switch {
	case parent.Layout == tree.Pairs:
		return p.s.Next.Key
	case parent.Layout != tree.Sequence:
		return false
	case parent.Flags&BySchema != 0:
		p.tags = p.f.layoutOf(parent).tags
		p.hasSkips = p.f.Rules.Skips && p.f.VersionAt(p.w, parent)+3 < parent.Body
		return true
	case parent.Type == datatype.Array:
		p.element = tagOf(datatype.ID(parent.Sub))
		return true
	}
	return false
}

// child passes the next child of parent.
func (p *passer) child(parent *tree.Value) int {
	levels := p.s.Levels
	switch {
	case p.tags == nil && parent.Layout == tree.Pairs:
		return p.member(levels)
	case p.tags == nil:
		return p.value(p.at, p.at, p.element, levels)
	case p.hasSkips:
		if p.f.IsSkipped(p.w, parent, p.s.Next.Index) {
			return p.at
		}
		p.look() // the window may have moved
	}
	return p.value(p.at, p.at, p.tags[p.s.Next.Index], levels)
}

// member passes a member with its name, which must not be among the names in the stretch.
func (p *passer) member(levels int) int {
	name := p.name(p.at)
	if name < 0 {
		return -1
	}
	end := p.tagged(name, levels)
	if end >= 0 && p.s.Keys != nil && !p.s.Keys.AddNew(p.b[p.at:name]) {
		return -1
	}
	return end
}
