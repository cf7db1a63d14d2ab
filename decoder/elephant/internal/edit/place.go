package edit

import (
	"fmt"

	"varview/decoder/edit"
	"varview/decoder/elephant/internal/block"
	"varview/decoder/elephant/internal/datatype"
	"varview/decoder/elephant/internal/literal"
	"varview/decoder/tree"
)

// A place is where a value is or will be.
type place struct {
	parent *tree.Node
	index  int64
	of     datatype.ID // datatype that the place determines; Any if a tag does
	schema bool        // the place is a member of a schema, whose datatype cannot change
}

// placeOf returns the place of a child of parent.
func placeOf(f *block.Reading, parent *tree.Node, index int64) place {
	p := place{parent: parent, index: index, of: datatype.Any}
	switch schema := f.SchemaOf(&parent.Value); {
	case schema != nil && index < int64(len(schema.Members)):
		p.of, p.schema = datatype.ID(schema.Members[index].Type), true
	case parent.Type == datatype.Array && parent.Sub != 0:
		p.of = datatype.ID(parent.Sub)
	}
	return p
}

// isTagged reports whether the value's datatype precedes it.
func (p *place) isTagged() bool { return p.of == datatype.Any }

// natural returns the datatype that the library's writer chooses for a value if the place
// does not determine one.
func (e *Editor) natural(l *literal.Literal) datatype.ID {
	switch {
	case l.Of != 0:
		return l.Of
	case l.Was != 0:
		return l.Was
	}
	switch l.Shape {
	case literal.Number:
		return datatype.F64
	case literal.Bool:
		return datatype.Bool
	case literal.Text:
		return datatype.String
	case literal.Array:
		return datatype.Array
	case literal.Struct:
		if l.Ctor != nil && e.f.Rules.CtorTags {
			return datatype.CtorElement | datatype.ID(e.ctorIndex(l.Ctor.Name))
		}
		return datatype.Struct
	case literal.Ref:
		return l.Ref.Kind
	}
	return datatype.Undefined
}

// fits returns why a literal cannot be a value of type t, "" if it can. A prefix must
// name the type; a plain number or text adopts it.
func (e *Editor) fits(l *literal.Literal, t datatype.ID) string {
	natural := e.natural(l)
	switch {
	case t == datatype.Any:
		return ""
	case l.Of != 0 && datatype.IsText(l.Of) && datatype.IsText(t):
		return ""
	case l.Of != 0 && l.Of != t, l.Of == 0 && !sameKind(natural, t):
		return fmt.Sprintf("%s is expected here, not %s", datatype.Name(t), e.describe(l))
	case l.Shape == literal.Number:
		_, message := l.Num.As(t)
		return message
	}
	return ""
}

// sameKind reports whether a plain literal with the natural type a can be written as a
// value of type b.
func sameKind(a, b datatype.ID) bool {
	return a == b || datatype.IsNumber(a) && datatype.IsNumber(b) || datatype.IsText(a) && datatype.IsText(b)
}

// describe names the type of a literal as AppendType names the type of a value.
func (e *Editor) describe(l *literal.Literal) string {
	switch {
	case l.Shape == literal.Ref:
		return "reference to " + datatype.Name(l.Ref.Kind)
	case l.Shape == literal.Struct && l.Ctor != nil:
		return literal.Shown(l.Ctor.Name)
	case l.Shape == literal.Default:
		return "default"
	case l.Shape == literal.Number && l.Of == 0:
		return "a number"
	}
	return datatype.Name(e.natural(l))
}

// typeOf returns the datatype of a value; for a struct in 1.0.0 this may be its
// constructor.
func (e *Editor) typeOf(v *tree.Value) datatype.ID {
	if v.Flags&block.OldTag != 0 {
		return datatype.CtorElement | datatype.ID(e.f.CtorIndex(v))
	}
	return v.Type
}

// refuse returns the error for a literal that does not fit its place.
func (e *Editor) refuse(l *literal.Literal, message string) error {
	return &edit.SyntaxError{At: l.At, Message: message}
}

// check returns an error if a literal may not replace v. An array's common type may become
// any, and a tag may change.
func (e *Editor) check(v *tree.Node, p place, l *literal.Literal) error {
	message := e.fits(l, e.typeOf(&v.Value))
	if p.schema && !p.isTagged() {
		return e.bySchema(p, l, nil)
	}
	if message == "" && e.sameCtor(v, l) || e.o.Retype {
		return nil
	}
	switch {
	case l.Of != 0 && sameKind(l.Of, v.Type): // the prefix chooses another type of number or text
		return nil
	case l.Shape == literal.Number && datatype.IsNumber(v.Type):
		return e.refuse(l, message)
	}
	return &edit.TypeError{Was: string(e.f.AppendType(nil, e.w, &v.Value)), Is: e.describe(l)}
}

// sameCtor reports whether v and l are structs with the same constructor. It is also true
// if one of them is not a struct, or v is a reference.
func (e *Editor) sameCtor(v *tree.Node, l *literal.Literal) bool {
	if v.Type != datatype.Struct || v.Refers || l.Shape != literal.Struct {
		return true
	}
	if v.Flags&block.Constructed == 0 || l.Ctor == nil {
		return v.Flags&block.Constructed == 0 && l.Ctor == nil
	}
	name := e.f.CtorName(&v.Value)
	return l.Ctor.Name == name || name == "" && l.Ctor.Name == datatype.Name(datatype.Struct) // as WriteText writes it
}
