package encode

import (
	"math"

	"varview/decoder/formats/godot/internal/literal"
	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/formats/godot/internal/variant"
)

// PutPart writes a name or subname of a NodePath.
func (e *Encoder) PutPart(text []byte) {
	if e.Format.Dialect.Resource {
		e.U32(e.Format.Tables.Add(text))
		return
	}
	e.PutString(text)
}

func (e *Encoder) putIndexedPath(p *variant.NodePath) {
	subnames := p.Subnames
	if e.Format.PathProp && len(subnames) == 0 {
		subnames = [][]byte{{}}
	}
	counted := len(subnames)
	if e.Format.PathProp {
		counted--
	}
	e.Out = e.Format.AppendPathCounts(e.Out, len(p.Names), counted, p.Flags())
	for _, name := range append(p.Names[:len(p.Names):len(p.Names)], subnames...) {
		e.PutPart(name)
	}
}

func (e *Encoder) rid(l *literal.Literal) error {
	e.Header(l.Kind, 0)
	switch {
	case !e.Format.Dialect.RIDHasID:
	case !e.Format.Dialect.Resource:
		e.u64(l.ID)
	case l.ID > math.MaxUint32:
		return l.Errorf("a RID must fit 32 bits here")
	default:
		e.U32(uint32(l.ID))
	}
	return nil
}

// reference writes a reference to a resource in the file's tables; without tables, as in text, its id.
func (e *Encoder) reference(l *literal.Literal) error {
	if e.Format.Tables == nil {
		e.Header(l.Kind, 0)
		e.PutString(l.Text)
		return nil
	}
	number, ok := e.Format.Tables.Number(l.Kind, string(l.Text))
	if !ok {
		return l.Errorf("the file has no %s with the id %s", types.Of(l.Kind).Name, literal.Quote(l.Text))
	}
	e.Header(l.Kind, 0)
	e.U32(variant.ReferenceKind(l.Kind))
	e.U32(number)
	return nil
}
