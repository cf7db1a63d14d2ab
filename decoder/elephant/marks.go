package elephant

import (
	"context"

	"varview/decoder/source"
	"varview/decoder/tree"
)

// Marks are the places of a block whose bytes depend on what stands elsewhere in
// it, each list in the order of the offsets.
type marks struct {
	numbered []int64 // where values with a number begin, behind their tags; the number is the index
	refs     []refMark
	ctors    []ctorMark
	named    map[uint16]ctorMark // those where the name stands
	lost     bool                // a part could not be read, and may hold more
}

// A refMark is a reference.
type refMark struct {
	at   int64 // where its number stands
	to   uint32
	from uint32 // how many numbered values begin before it
	kind typeID // what its tag says
}

// leads reports whether there is a value that the reference leads to.
func (m *refMark) leads() bool { return m.to < m.from }

// leads reports whether the reference v is known to lead to a value: one that begins
// before it.
func leads(v *tree.Value) bool { return v.Serial != tree.NoSerial && v.Sub < v.Serial }

// leadsNowhere reports whether the reference v is known to lead to no value.
func leadsNowhere(v *tree.Value) bool { return v.Serial != tree.NoSerial && v.Sub >= v.Serial }

// A ctorMark is a use of a constructor.
type ctorMark struct {
	at      int64 // behind its index, where its name may stand
	size    int64 // of the name with its NUL, 0 where none stands
	index   uint16
	version byte // of the struct, if the name stands there
}

// scanMarks goes over the whole block.
func scanMarks(ctx context.Context, f *Reading, t *tree.Tree) (*marks, error) {
	m := &marks{named: map[uint16]ctorMark{}}
	collecting := *f
	collecting.marks = m
	s := tree.New(t.Source, &collecting, t.Region).Scanner()
	s.Brisk = true
	err := s.Run(ctx, func(ev tree.Event) bool {
		if ev == tree.Enter || ev == tree.Atom {
			f.mark(s.Window(), s.Value(), m)
		}
		return true
	})
	return m, err
}

// mark takes note of a value that has been read.
func (f *Reading) mark(w *source.Window, v *tree.Value, m *marks) {
	if v.Damage != nil && v.HasGap() {
		m.lost = true
	}
	if v.Type != tArray && v.Type != tStruct || v.Damage != nil && v.Layout == tree.Leaf {
		return
	}
	at := f.tagsEnd(w, v)
	switch {
	case v.Refers:
		m.refs = append(m.refs, refMark{at + 2, v.Sub, uint32(len(m.numbered)), v.Type})
		return
	case v.Numbered:
		m.numbered = append(m.numbered, at)
	}
	if v.Flags&isCtor == 0 {
		return
	}
	c := ctorMark{at: f.nameAt(w, v), index: f.ctorIndex(v)}
	if v.Flags&isNamed != 0 {
		end := f.versionAt(w, v)
		c.size, c.version = end-c.at, w.Byte(end)
		m.named[c.index] = c
	}
	m.ctors = append(m.ctors, c)
}

// A state is how much had been noted at some time.
type state struct{ numbered, refs, ctors int }

func (m *marks) state() state { return state{len(m.numbered), len(m.refs), len(m.ctors)} }

// forget drops what was noted since.
func (m *marks) forget(s state) {
	m.numbered, m.refs, m.ctors = m.numbered[:s.numbered], m.refs[:s.refs], m.ctors[:s.ctors]
}
