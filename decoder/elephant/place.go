package elephant

import (
	"fmt"

	"varview/decoder/edit"
	"varview/decoder/tree"
)

// A place is where a value stands, or is to stand.
type place struct {
	parent *tree.Node
	index  int64
	of     typeID // datatype that the place gives; tAny where a tag does
	schema bool   // the place is a member of a schema, which cannot give another
}

// placeOf is the place of a child of parent.
func placeOf(f *Reading, parent *tree.Node, index int64) place {
	p := place{parent: parent, index: index, of: tAny}
	switch schema := f.schemaOf(&parent.Value); {
	case schema != nil && index < int64(len(schema.Members)):
		p.of, p.schema = typeID(schema.Members[index].Type), true
	case parent.Type == tArray && parent.Sub != 0:
		p.of = typeID(parent.Sub)
	}
	return p
}

// isTagged reports whether the value's datatype stands before it.
func (p *place) isTagged() bool { return p.of == tAny }

// natural is the datatype that a value gets where the place does not give one, as
// the library's writer chooses it.
func (e *editor) natural(l *literal) typeID {
	switch {
	case l.of != 0:
		return l.of
	case l.was != 0:
		return l.was
	}
	switch l.shape {
	case ofNumber:
		return tF64
	case ofBool:
		return tBool
	case ofText:
		return tString
	case ofArray:
		return tArray
	case ofStruct:
		if l.ctor != nil && e.f.Rules.ctorTags {
			return ctorElement | typeID(e.ctorIndex(l.ctor.name))
		}
		return tStruct
	case ofRef:
		return l.ref.kind
	}
	return tUndefined
}

// fits says why a literal cannot be a value of type t, "" if it can. A prefix
// must name the type; a plain number or text takes it.
func (e *editor) fits(l *literal, t typeID) string {
	natural := e.natural(l)
	switch {
	case t == tAny:
		return ""
	case l.of != 0 && isText(l.of) && isText(t):
		return ""
	case l.of != 0 && l.of != t, l.of == 0 && !sameKind(natural, t):
		return fmt.Sprintf("%s is expected here, not %s", typeName(t), e.describe(l))
	case l.shape == ofNumber:
		_, message := l.num.as(t)
		return message
	}
	return ""
}

// sameKind reports whether a plain literal whose natural type is one can stand for
// a value of the other.
func sameKind(a, b typeID) bool {
	return a == b || isNumber(a) && isNumber(b) || isText(a) && isText(b)
}

// describe names the type of a literal as AppendType names that of a value.
func (e *editor) describe(l *literal) string {
	switch {
	case l.shape == ofRef:
		return "reference to " + typeName(l.ref.kind)
	case l.shape == ofStruct && l.ctor != nil:
		return shown(l.ctor.name)
	case l.shape == ofDefault:
		return "default"
	case l.shape == ofNumber && l.of == 0:
		return "a number"
	}
	return typeName(e.natural(l))
}

// typeOf is the datatype of a value; of a struct in 1.0.0 it may be its
// constructor.
func (e *editor) typeOf(v *tree.Value) typeID {
	if v.Flags&isOldTag != 0 {
		return ctorElement | typeID(e.f.ctorIndex(v))
	}
	return v.Type
}

// refuse is the error for a literal that does not fit its place.
func (e *editor) refuse(l *literal, message string) error {
	return &edit.SyntaxError{At: l.at, Message: message}
}

// check says whether a literal may take the place of v. An array's common type may
// become any, and a tag another.
func (e *editor) check(v *tree.Node, p place, l *literal) error {
	message := e.fits(l, e.typeOf(&v.Value))
	if p.schema && !p.isTagged() {
		return e.bySchema(p, l, nil)
	}
	if message == "" && e.sameCtor(v, l) || e.o.Retype {
		return nil
	}
	switch {
	case l.of != 0 && sameKind(l.of, v.Type): // the prefix chooses another type of number or text
		return nil
	case l.shape == ofNumber && isNumber(v.Type):
		return e.refuse(l, message)
	}
	return &edit.TypeError{Was: string(e.f.AppendType(nil, e.w, &v.Value)), Is: e.describe(l)}
}

// sameCtor reports whether v and l are both no structs, or of the same
// constructor. A reference stands for a struct of any.
func (e *editor) sameCtor(v *tree.Node, l *literal) bool {
	if v.Type != tStruct || v.Refers || l.shape != ofStruct {
		return true
	}
	if v.Flags&isCtor == 0 || l.ctor == nil {
		return v.Flags&isCtor == 0 && l.ctor == nil
	}
	name := e.f.ctorName(&v.Value)
	return l.ctor.name == name || name == "" && l.ctor.name == typeName(tStruct) // as WriteText has it
}
