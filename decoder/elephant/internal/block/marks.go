package block

import (
	"context"

	"varview/decoder/elephant/internal/datatype"
	"varview/decoder/source"
	"varview/decoder/tree"
)

// Marks are the places in a block whose bytes depend on other places in it. Each list is in
// the order of the offsets.
type Marks struct {
	Numbered []int64 // where values with a number begin, after their tags; the index is the number
	Refs     []RefMark
	Ctors    []CtorMark
	Named    map[uint16]CtorMark // the uses that have the name
	Lost     bool                // a part could not be read; it may contain more marks
}

// A RefMark is a reference.
type RefMark struct {
	At   int64 // where its number is
	To   uint32
	from uint32      // number of numbered values that begin before it
	Kind datatype.ID // the datatype that its tag says
}

// Leads reports whether there is a value that the reference leads to.
func (m *RefMark) Leads() bool { return m.To < m.from }

// Leads reports whether the reference v is known to lead to a value: one that begins
// before it.
func Leads(v *tree.Value) bool { return v.Serial != tree.NoSerial && v.Sub < v.Serial }

// LeadsNowhere reports whether the reference v is known to lead to no value.
func LeadsNowhere(v *tree.Value) bool { return v.Serial != tree.NoSerial && v.Sub >= v.Serial }

// A CtorMark is a use of a constructor.
type CtorMark struct {
	At      int64 // after its index, where its name may be
	Size    int64 // of the name with its NUL, 0 if it is not there
	Index   uint16
	Version byte // of the struct, if the name is there
}

// ScanMarks collects the marks of the whole block.
func ScanMarks(ctx context.Context, f *Reading, t *tree.Tree) (*Marks, error) {
	m := &Marks{Named: map[uint16]CtorMark{}}
	s := tree.New(t.Source, f, t.Region).Scanner()
	err := s.Run(ctx, func(ev tree.Event) bool {
		if ev == tree.Enter || ev == tree.Atom {
			f.mark(s.Window(), s.Value(), m)
		}
		return true
	})
	return m, err
}

// mark records a value that has been read.
func (f *Reading) mark(w *source.Window, v *tree.Value, m *Marks) {
	if v.Damage != nil && v.HasGap() {
		m.Lost = true
	}
	if v.Type != datatype.Array && v.Type != datatype.Struct || v.Damage != nil && v.Layout == tree.Leaf {
		return
	}
	at := f.TagsEnd(w, v)
	switch {
	case v.Refers:
		m.Refs = append(m.Refs, RefMark{at + 2, v.Sub, uint32(len(m.Numbered)), v.Type})
		return
	case v.Numbered:
		m.Numbered = append(m.Numbered, at)
	}
	if v.Flags&Constructed == 0 {
		return
	}
	c := CtorMark{At: f.NameAt(w, v), Index: f.CtorIndex(v)}
	if v.Flags&Named != 0 {
		end := f.VersionAt(w, v)
		c.Size, c.Version = end-c.At, w.Byte(end)
		m.Named[c.Index] = c
	}
	m.Ctors = append(m.Ctors, c)
}
