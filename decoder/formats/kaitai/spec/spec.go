// Package spec loads descriptions of formats in the language of Kaitai Struct.
package spec

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"varview/decoder/formats/kaitai/expr"
	"varview/decoder/value/charset"
)

// A Type is a user-defined type; the outermost one of a file is the whole format.
type Type struct {
	Place
	Name   string
	Parent *Type // type in which it is defined; nil for the outermost type of a file
	Top    *Type // the outermost of its file

	Title       string
	Endian      Endian
	EndianOn    *Switch[Endian] // a byte order that is computed
	BitEndian   Endian          // NoEndian is Big
	Encoding    string
	Extensions  []string // extensions of files, without the dot
	Opaque      bool     // types that are not defined may be defined elsewhere
	Doc, DocRef string
	Text        Title // what represents a value in one line: "{name}: {value}"

	Params    []*Attr
	Seq       []*Attr
	Instances []*Attr
	Types     map[string]*Type
	Enums     map[string]*expr.Enum

	seqAt, instancesAt Place // of the keys; the zero Place for none

	refs    map[string]*expr.Ref
	loader  *loader
	imports []node
	bits    int64
	closed  map[bool]bool // whether values depend on nothing but their own bytes, by whether they have their own stream
	isSized bool          // bits is set, or being computed
}

// A Title is a text with the values of attributes.
type Title []TitlePart

// A TitlePart is a text and a value that follows it.
type TitlePart struct {
	Text  string
	Value expr.Node // nil for none
	IsHex bool
}

// Endian is a byte order.
type Endian uint8

// The byte orders.
const (
	NoEndian Endian = iota
	Little
	Big
)

// A Switch chooses by a value.
type Switch[T any] struct {
	On      expr.Node
	Cases   []Case[T]
	Default *T

	index map[expr.Key]int // of cases that are all constant integers
}

// sort looks at the cases once their values are known.
func (s *Switch[T]) sort() {
	index := map[expr.Key]int{}
	for i, c := range slices.Backward(s.Cases) {
		v, ok := expr.IsConstant(c.When)
		if !ok || v.Kind != expr.Int {
			return
		}
		index[v.Key()] = i
	}
	s.index = index
}

// Find returns the index of the case for a value; their number if there is none.
func (s *Switch[T]) Find(on expr.Value, in expr.Env) (int, error) {
	if s.index != nil && on.Kind == expr.Int {
		if i, ok := s.index[on.Key()]; ok {
			return i, nil
		}
		return len(s.Cases), nil
	}
	if err := in.Spend(expr.ValueCost * len(s.Cases)); err != nil {
		return 0, err
	}
	for i := range s.Cases {
		v, err := s.Cases[i].When.Eval(in)
		if err != nil {
			return 0, err
		}
		if c, err := expr.Compare(on, v); err == nil && c == 0 {
			return i, nil
		}
	}
	return len(s.Cases), nil
}

// A Case is the choice of a Switch for one value.
type Case[T any] struct {
	When expr.Node
	Then T
}

// A Kind is what kind of type a TypeRef is.
type Kind uint8

// The kinds.
const (
	RawBytes Kind = iota // no type
	Unsigned
	Signed
	Float
	Bits
	Str
	User
	Other // of parameters only
)

// A TypeRef is the use of a type.
type TypeRef struct {
	Name   string
	Kind   Kind
	Size   int // bytes; Bits: bits
	Endian Endian
	User   *Type // type of User; nil for an opaque type
	Args   []expr.Node

	at Place
}

// Repeat says how an attribute is repeated.
type Repeat uint8

// The repetitions.
const (
	Once Repeat = iota
	UntilEnd
	Times
	Until
)

// An Attr is an attribute, an instance or a parameter.
type Attr struct {
	Place
	ID          string
	Owner       *Type
	Doc, DocRef string
	Text        Title // what represents it in one line
	IsInstance  bool

	Type   TypeRef
	Switch *Switch[TypeRef] // instead of Type

	If         expr.Node
	Repeat     Repeat
	RepeatExpr expr.Node // Times: the number; Until: the condition

	Size       expr.Node
	SizeEOS    bool
	Terminator []byte // nil for none
	Consume    bool
	Include    bool
	EOSError   bool
	Pad        int // byte that fills it up; -1 if there is none
	Contents   []byte
	IsContents bool
	Encoding   string
	Process    *Process
	Enum       *expr.Enum
	Valid      *Valid

	Pos, IO, Value expr.Node // of instances
	Kept           expr.Node // what -varview-value keeps it equal to; nil for none

	NoParent   bool
	ParentExpr expr.Node

	enumName string
	isParam  bool
	isArray  bool             // of a parameter
	isWrong  bool             // a problem of it is known
	isTyping bool             // its type is being found out
	keys     map[string]Place // while it is parsed and checked
}

// A Process says how bytes are changed before they are read.
type Process struct {
	Name string
	Args []expr.Node
}

// A Valid says which values are valid.
type Valid struct {
	Bounds []Bound
	Expr   expr.Node    // nil for none
	AnyOf  Switch[bool] // a case for each value; without cases it does not matter
	InEnum bool
}

// A Bound is a value with which valid ones compare as -1, 0 or 1, from Low to High.
type Bound struct {
	Value     expr.Node
	Low, High int
	Text      string // what precedes the bound in a message
}

// IsSized reports whether the attribute has its own bytes, in which its type is read.
func (a *Attr) IsSized() bool { return a.Size != nil || a.SizeEOS || a.Terminator != nil }

// EndOf returns the terminator of the attribute with a type, nil for none.
func (a *Attr) EndOf(t *TypeRef) []byte {
	if a.Terminator == nil && t.Name == "strz" {
		return make([]byte, charset.UnitSize(a.Encoding))
	}
	return a.Terminator
}

// IsBits reports whether the attribute begins with the bits that follow those before it.
func (a *Attr) IsBits() bool { return a.Type.Kind == Bits }

// CanFail reports whether an element that can be read may have a problem.
func (a *Attr) CanFail() bool {
	return a.Switch != nil || a.Type.Kind == User || a.Type.Kind == Str || a.Valid != nil || a.Kept != nil || a.IsContents
}

// Types returns the types that the attribute may have.
func (a *Attr) Types() (all []*TypeRef) {
	if a.Switch == nil {
		return []*TypeRef{&a.Type}
	}
	for i := range a.Switch.Cases {
		all = append(all, &a.Switch.Cases[i].Then)
	}
	if a.Switch.Default != nil {
		all = append(all, a.Switch.Default)
	}
	return all
}

// Find returns where an attribute is, nil if there is none.
func (t *Type) Find(name string) *expr.Ref {
	if r := t.refs[name]; r != nil && r.Of != nil {
		return r
	}
	return nil
}

// Attr returns the attribute of the type in a place.
func (t *Type) Attr(r *expr.Ref) *Attr { return [][]*Attr{t.Params, t.Seq, t.Instances}[r.In][r.Index] }

// Ref implements expr.Names.
func (t *Type) Ref(name string) *expr.Ref {
	r := t.ref(name)
	r.Used, r.IsOwn = true, true
	return r
}

// RefOf implements expr.Names. What is no object has methods of the same names: size, length, first.
func (t *Type) RefOf(of expr.Node, name string) {
	t.ref(name).Used = true
	t.loader.late = append(t.loader.late, func() {
		if is, _ := expr.TypeOf(of, scope{t: t}); is.Kind == expr.Struct || is.Kind == expr.Null {
			t.loader.used[name] = true
		}
	})
}

func (t *Type) ref(name string) *expr.Ref {
	if t.refs[name] == nil {
		t.refs[name] = &expr.Ref{Name: name}
	}
	return t.refs[name]
}

// IsUsed reports whether an expression of the description may use the attribute.
func (a *Attr) IsUsed() bool {
	r := a.Owner.refs[a.ID]
	return r != nil && r.IsOwn || a.Owner.loader.used[a.ID]
}

// Says reports whether an expression that is written in the type itself may use an attribute with a name.
func (t *Type) Says(name string) bool { return t.refs[name] != nil && t.refs[name].Used }

// IsGrouped reports whether a value of the type is a number in groups of bits, of which the last one says that none follows.
func (t *Type) IsGrouped() bool { return len(t.Seq) == 1 && t.Seq[0].Repeat == Until }

// later returns a constant that find finds once all types are loaded.
func (t *Type) later(find func() (expr.Value, error)) *expr.Constant {
	l := &expr.Constant{}
	t.loader.late = append(t.loader.late, func() { l.Value, l.Err = find() })
	return l
}

// Label implements expr.Names.
func (t *Type) Label(path []string) *expr.Constant {
	return t.later(func() (v expr.Value, err error) {
		last := len(path) - 1
		e, err := t.findEnum(path[:last])
		if err != nil {
			return v, err
		}
		v, ok := e.Values[path[last]]
		if !ok {
			err = &expr.NameError{Name: path[last], Text: fmt.Sprintf("the enum %s has no %s%s", e.Name, path[last], meant(path[last], e.Order))}
		}
		return v, err
	})
}

// SizeOfType implements expr.Names.
func (t *Type) SizeOfType(typ string, inBits bool) *expr.Constant {
	return t.later(func() (expr.Value, error) {
		r, err := t.typeRef(t.Place, typ)
		if n := r.Bits(); err != nil || inBits && n >= 0 {
			return expr.Of(n), err
		}
		return size(r.Bits(), typ)
	})
}

// size returns a size in bytes; bits is -1 for one that values differ in.
func size(bits int64, of string) (v expr.Value, err error) {
	if bits < 0 {
		return v, fmt.Errorf("%s has no size: %w", of, errDynamic)
	}
	return expr.Of((bits + 7) / 8), nil
}

// FullName returns the name with the names of the types around it: "png::chunk".
func (t *Type) FullName() string {
	if t.Parent == nil {
		return t.Name
	}
	return t.Parent.FullName() + "::" + t.Name
}

// findType returns the type that a name means in t; nil if there is none.
func (t *Type) findType(name string) *Type { return t.typeAt(strings.Split(name, "::")) }

func (t *Type) typeAt(path []string) *Type {
	for in := t; in != nil; in = in.Parent {
		if found := in.Types[path[0]].inner(path[1:]); found != nil {
			return found
		}
		if in.Name == path[0] {
			if found := in.inner(path[1:]); found != nil {
				return found
			}
		}
	}
	return t.loader.tops[path[0]].inner(path[1:])
}

func (t *Type) inner(path []string) *Type {
	for _, name := range path {
		if t == nil {
			return nil
		}
		t = t.Types[name]
	}
	return t
}

// findEnum returns the enum that a name means in t.
func (t *Type) findEnum(path []string) (*expr.Enum, error) {
	last := len(path) - 1
	if last == 0 {
		for in := t; in != nil; in = in.Parent {
			if e := in.Enums[path[0]]; e != nil {
				return e, nil
			}
		}
	} else if last > 0 {
		if in := t.typeAt(path[:last]); in != nil && in.Enums[path[last]] != nil {
			return in.Enums[path[last]], nil
		}
	}
	var known []string
	for in := t; in != nil; in = in.Parent {
		known = slices.AppendSeq(known, maps.Keys(in.Enums))
	}
	name := strings.Join(path, "::")
	return nil, &expr.NameError{Name: path[max(last, 0)], Text: fmt.Sprintf("unknown enum %s%s", name, meant(name, known))}
}

var errDynamic = errors.New("its size is not the same for all values")

// FixedBits returns the size in bits that all values of the type have; -1 if they differ.
func (t *Type) FixedBits() int64 {
	if !t.isSized {
		t.isSized, t.bits = true, -1
		t.bits = t.sumBits()
	}
	return t.bits
}

func (t *Type) sumBits() (sum int64) {
	for _, a := range t.Seq {
		n := a.FixedBits()
		if !a.IsBits() {
			sum = (sum + 7) &^ 7
		}
		if n < 0 || sum+n > 1<<50 || !a.IsBits() && n%8 != 0 { // its last bits may be shared with what follows
			return -1
		}
		sum += n
	}
	return sum
}

// FixedBits returns the size in bits that all values of the attribute have; -1 if they differ.
func (a *Attr) FixedBits() int64 {
	if a.If != nil {
		return -1
	}
	n := a.ElementBits()
	switch a.Repeat {
	case Once:
		return n
	case Times:
		if v, ok := expr.IsConstant(a.RepeatExpr); ok && n >= 0 {
			if times, err := v.Int64(); err == nil && times >= 0 && (n == 0 || times < 1<<40/n) {
				return times * n
			}
		}
	}
	return -1
}

// ElementBits returns the size in bits of each element of the attribute, or of the attribute if it is not
// repeated; -1 if they differ.
func (a *Attr) ElementBits() int64 {
	switch {
	case a.Size != nil && !slices.ContainsFunc(a.Types(), (*TypeRef).isNumber):
		if v, ok := expr.IsConstant(a.Size); ok {
			if n, err := v.Int64(); err == nil && n >= 0 && n < 1<<40 {
				return 8 * n
			}
		}
		return -1
	case a.IsContents:
		return 8 * int64(len(a.Contents))
	case a.SizeEOS, a.Terminator != nil, a.Switch != nil:
		return -1
	}
	return a.Type.Bits()
}

// isNumber reports whether the values are numbers, which have no size but their own.
func (r *TypeRef) isNumber() bool { return r.Size > 0 }

// Bits returns the size in bits of a type; -1 if its values differ.
func (r *TypeRef) Bits() int64 {
	switch r.Kind {
	case Unsigned, Signed, Float:
		return 8 * int64(r.Size)
	case Bits:
		return int64(r.Size)
	case User:
		if r.User != nil {
			return r.User.FixedBits()
		}
	}
	return -1
}

// SizeOfAttr implements expr.Names.
func (t *Type) SizeOfAttr(name string) *expr.Constant {
	return t.later(func() (expr.Value, error) { return t.SizeOf(name) })
}

// SizeOf returns the size in bytes of an attribute.
func (t *Type) SizeOf(name string) (expr.Value, error) {
	r := t.Find(name)
	if r == nil {
		return expr.Value{}, fmt.Errorf("%s has no %s", t.Name, name)
	}
	return size(t.Attr(r).FixedBits(), name)
}
