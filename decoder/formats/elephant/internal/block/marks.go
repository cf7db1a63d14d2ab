package block

import (
	"context"

	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/elephant/internal/datatype"
)

// Marks are the places in a block whose bytes depend on other places. Each list is in the order of the
// offsets.
type Marks struct {
	Numbered []int64 // starts of numbered values, after their tags; the index is the number
	Refs     []RefMark
	Ctors    []CtorMark
	Named    map[uint16]CtorMark // uses with a name, by index
	Lost     bool                // part of the block is unreadable and may contain more marks
}

// A RefMark is a reference.
type RefMark struct {
	At   int64 // offset of its number
	To   uint32
	from uint32      // number of numbered values that begin before it
	Kind datatype.ID // datatype by its tag
}

// Leads reports whether the reference has a target.
func (m *RefMark) Leads() bool { return m.To < m.from }

// Leads reports whether the reference v is known to have a target: a value that begins before it.
func Leads(v *tree.Value) bool { return v.Serial != tree.NoSerial && v.Sub < v.Serial }

// LeadsNowhere reports whether the reference v is known to have no target.
func LeadsNowhere(v *tree.Value) bool { return v.Serial != tree.NoSerial && v.Sub >= v.Serial }

// A CtorMark is a use of a constructor.
type CtorMark struct {
	At      int64 // offset after its index, where its name may be
	Size    int64 // length of the name with its NUL; 0 if there is no name
	Index   uint16
	Version byte // schema version of the struct, if the name is there
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
