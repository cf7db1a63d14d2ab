// Package encode writes literals as bytes, as the engine of a dialect does.
package encode

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"varview/decoder/formats/godot/internal/literal"
	"varview/decoder/formats/godot/internal/numeric"
	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/formats/godot/internal/variant"
	"varview/decoder/value/notation"
)

// An Encoder writes literals as the engine of a dialect writes their values.
type Encoder struct {
	Format *variant.Format
	Text   string // text of which the literals are parts
	Out    []byte
}

// Bytes returns the bytes of a literal in text.
func Bytes(f *variant.Format, text string, l *literal.Literal) ([]byte, error) {
	e := Encoder{Format: f, Text: text}
	err := e.Value(l)
	return e.Out, err
}

// U32 writes a 32-bit number.
func (e *Encoder) U32(n uint32) { e.Out = e.Format.AppendBinary(e.Out, types.Int32, uint64(n)) }

func (e *Encoder) u64(n uint64) { e.Out = e.Format.AppendBinary(e.Out, types.Int64, n) }

// Header writes a header: the id of a type, and flags.
func (e *Encoder) Header(t types.ID, flags uint32) { e.U32(e.Format.Dialect.AsHeader(t, flags)) }

// PutString writes a string: length, text, padding.
func (e *Encoder) PutString(text []byte) {
	if e.Format.Dialect.Resource {
		e.Entry(text, true)
		return
	}
	e.U32(uint32(len(text)))
	e.Out = append(e.Out, text...)
	e.Pad(len(text))
}

// Pad writes the padding after n bytes.
func (e *Encoder) Pad(n int) { e.Out = append(e.Out, "\x00\x00\x00"[:types.Pad(int64(n))]...) }

// Value writes a value: header and payload.
func (e *Encoder) Value(l *literal.Literal) error {
	switch types.Of(l.Kind).Shape {
	case types.ShapeNumber:
		return e.scalar(l)
	case types.ShapePath:
		return e.path(l)
	case types.ShapeRID:
		return e.rid(l)
	case types.ShapeReference:
		return e.reference(l)
	case types.ShapeObject:
		return e.object(l)
	case types.ShapeDict, types.ShapeArray, types.ShapeTyped:
		return e.container(l)
	case types.ShapeBytes, types.ShapePacked:
		return e.packed(l)
	case types.ShapeRecord, types.ShapeUnknown:
		return l.Errorf("<%s> marks damaged bytes; they can be kept but not written", l.Text)
	}
	return e.plain(l)
}

// plain writes a value whose header has no flags.
func (e *Encoder) plain(l *literal.Literal) error {
	e.Header(l.Kind, 0)
	switch types.Of(l.Kind).Shape {
	case types.ShapeBool:
		e.U32(uint32(l.ID))
	case types.ShapeText:
		e.PutString(l.Text)
	case types.ShapeFixed:
		return e.Components(l, e.Format.Component(types.Of(l.Kind), false))
	case types.ShapeSignal:
		if !e.Format.Dialect.Resource {
			e.PutString(l.Text)
			e.u64(l.ID)
		}
	case types.ShapeStrings:
		e.U32(uint32(len(l.Children)))
		return e.children(l)
	}
	return nil
}

// scalar writes an int or float, in 32 bits if that loses nothing.
func (e *Encoder) scalar(l *literal.Literal) error {
	if l.Kind == types.Int {
		n, err := e.Int(l)
		if err == nil {
			e.PutInt(n)
		}
		return err
	}
	x, err := e.Float(l, 64)
	if err == nil && e.Format.Dialect.NoFlags {
		x, err = e.Float(l, 32)
	}
	if err == nil {
		e.PutFloat(x)
	}
	return err
}

// PutInt writes an int, in 32 bits if that loses nothing.
func (e *Encoder) PutInt(n int64) {
	if e.Format.Dialect.NoFlags || n != int64(int32(n)) {
		e.wide(types.Int, uint64(n))
		return
	}
	e.Header(types.Int, 0)
	e.U32(uint32(n))
}

// PutFloat writes a float, in 32 bits if that loses nothing.
func (e *Encoder) PutFloat(x float64) {
	if !e.Format.Dialect.NoFlags && !numeric.FitsFloat32(x) {
		e.wide(types.Float, math.Float64bits(x))
		return
	}
	e.Header(types.Float, 0)
	e.U32(math.Float32bits(float32(x)))
}

// wide writes a number in 64 bits.
func (e *Encoder) wide(t types.ID, bits uint64) {
	flags := uint32(types.WideFlag)
	if e.Format.Dialect.NoFlags {
		flags = 0
	}
	e.Header(t, flags)
	e.u64(bits)
}

// Entry writes an entry of a packed string array. Its length counts a NUL at its end if nul is set.
func (e *Encoder) Entry(text []byte, nul bool) {
	if !nul {
		e.PutString(text)
		return
	}
	e.U32(uint32(len(text) + 1))
	e.Out = append(append(e.Out, text...), 0)
	if !e.Format.Dialect.Resource {
		e.Pad(len(text) + 1)
	}
}

func (e *Encoder) path(l *literal.Literal) error {
	p, err := literal.SplitPath(l)
	if err != nil {
		return err
	}
	if e.Format.Dialect.Resource && max(len(p.Names), len(p.Subnames)) > math.MaxInt16 {
		return l.Errorf("a NodePath may have at most %d names here", math.MaxInt16)
	}
	e.Header(l.Kind, 0)
	e.PutPath(&p)
	return nil
}

// PutPath writes the payload of a NodePath.
func (e *Encoder) PutPath(p *variant.NodePath) {
	if e.Format.Dialect.Resource {
		e.putIndexedPath(p)
		return
	}
	e.U32(uint32(len(p.Names)) | types.SharedBit)
	e.U32(uint32(len(p.Subnames)))
	e.U32(p.Flags())
	for _, parts := range [][][]byte{p.Names, p.Subnames} {
		for _, part := range parts {
			e.PutString(part)
		}
	}
}

func (e *Encoder) object(l *literal.Literal) error {
	if e.Format.Dialect.Resource {
		return l.Errorf("an object is a resource of its own here: SubResource(\"id\"), ExtResource(\"id\") or null")
	}
	if l.ByID {
		e.Header(l.Kind, types.WideFlag)
		e.u64(l.ID)
		return nil
	}
	e.Header(l.Kind, 0)
	e.PutString(l.Text)
	if !l.Whole {
		return nil
	}
	e.U32(uint32(len(l.Children) / 2))
	return e.children(l)
}

// Int returns the number of a literal.
func (e *Encoder) Int(l *literal.Literal) (int64, error) {
	if l.Kind != types.Int {
		return 0, l.Errorf("a whole number is expected here")
	}
	n, err := notation.ParseInt(e.Text[l.At:l.End])
	if err != nil {
		return 0, l.Errorf("an int must fit 64 bits: %d to %d", math.MinInt64, math.MaxInt64)
	}
	return n, nil
}

// Float returns the number of a literal, rounded to size bits.
func (e *Encoder) Float(l *literal.Literal, size int) (float64, error) {
	text := e.Text[l.At:l.End]
	if x, ok := literal.Special(text); ok {
		return x, nil
	}
	if n, err := notation.ParseInt(text); err == nil && l.Kind == types.Int && text != "-0" {
		if size == 32 {
			return float64(float32(n)), nil
		}
		return float64(n), nil
	}
	if l.Kind == types.Int && strings.ContainsAny(text, "xXbB") {
		return 0, l.Errorf("a number in hex or binary digits must fit 64 bits")
	}
	x, err := strconv.ParseFloat(text, size)
	if err != nil && !(e.Format.Dialect == types.TextAny && errors.Is(err, strconv.ErrRange)) { // in text it is infinite, as engines read it
		if size == 32 {
			return 0, l.Errorf("float32 holds up to 3.4e38")
		}
		return 0, l.Errorf("float holds up to 1.8e308")
	}
	return x, nil
}

// Bits returns the bits of a literal as a component or element of type comp.
func (e *Encoder) Bits(l *literal.Literal, comp types.ID) (uint64, error) {
	switch comp {
	case types.Float32:
		x, err := e.Float(l, 32)
		return uint64(math.Float32bits(float32(x))), err
	case types.Float64:
		x, err := e.Float(l, 64)
		return math.Float64bits(x), err
	}
	n, err := e.Int(l)
	switch {
	case err != nil:
	case comp == types.Byte && n != int64(byte(n)):
		err = l.Errorf("this byte must be 0 to 255")
	case comp == types.Int32 && n != int64(int32(n)):
		err = l.Errorf("this number must fit 32 bits: %d to %d", math.MinInt32, math.MaxInt32)
	}
	return uint64(n), err
}

// Components writes the numbers of a vector or packed array.
func (e *Encoder) Components(l *literal.Literal, comp types.ID) error {
	for i := range e.Count(l) {
		bits, err := e.Component(l, i, comp)
		if err != nil {
			return err
		}
		e.Out = e.Format.AppendBinary(e.Out, comp, bits)
	}
	return nil
}

// Count returns the number of components of a vector or packed array.
func (e *Encoder) Count(l *literal.Literal) int {
	if l.Text != nil { // a colour in hex digits
		return len(types.Of(types.Color).Parts)
	}
	return len(l.Children)
}

// Component returns the bits of the i-th number of a vector or packed array.
func (e *Encoder) Component(l *literal.Literal, i int, comp types.ID) (uint64, error) {
	if l.Text == nil {
		return e.Bits(&l.Children[i], comp)
	}
	part := uint64(0xff)
	if 2*i < len(l.Text) {
		part, _ = strconv.ParseUint(string(l.Text[2*i:2*i+2]), 16, 8)
	}
	if comp == types.Float64 {
		return math.Float64bits(float64(part) / 255), nil
	}
	return uint64(math.Float32bits(float32(part) / 255)), nil
}

// container writes an Array, Dictionary or TypedArray.
func (e *Encoder) container(l *literal.Literal) error {
	n := len(l.Children)
	if l.Kind == types.Dictionary {
		n /= 2
	}
	e.ContainerHeader(l)
	e.U32(uint32(n))
	return e.children(l)
}

// ContainerHeader writes the fields of a container before its count.
func (e *Encoder) ContainerHeader(l *literal.Literal) {
	switch types.Of(l.Kind).Shape {
	case types.ShapeTyped:
		e.typedHeader(l)
	case types.ShapeStrings:
		e.Header(l.Kind, 0)
	default:
		e.Header(l.Kind, uint32(l.Elem.Kind|l.Value.Kind<<2))
		e.containerType(l.Elem)
		e.containerType(l.Value)
	}
}

func (e *Encoder) containerType(c types.ContainerType) {
	switch c.Kind {
	case types.KindBuiltin:
		e.U32(e.Format.Dialect.BuiltinID(c))
	case types.KindClass, types.KindScript:
		e.PutString([]byte(c.Name))
	}
}

// typedHeader writes the fields of a TypedArray before its count. Object without a
// class is the element type of objects stored as ids.
func (e *Encoder) typedHeader(l *literal.Literal) {
	object, _ := e.Format.Dialect.IDOf(types.Object)
	switch {
	case l.Elem.Kind == types.KindClass:
		e.Header(l.Kind, 0)
		e.U32(object)
		e.Header(types.StringName, 0)
		e.PutString([]byte(l.Elem.Name))
	case l.Elem.Kind == types.KindNone:
		e.Header(l.Kind, 0)
		e.U32(0)
	case e.Format.Dialect.BuiltinID(l.Elem) == object:
		e.Header(l.Kind, types.WideFlag)
		e.U32(object)
	default:
		e.Header(l.Kind, 0)
		e.containerType(l.Elem)
	}
}

// packed writes a packed array of numbers or vectors.
func (e *Encoder) packed(l *literal.Literal) error {
	t := types.Of(l.Kind)
	e.Header(l.Kind, 0)
	e.U32(uint32(len(l.Children) / t.Each()))
	err := e.Components(l, e.Format.Component(t, false))
	if t.Shape == types.ShapeBytes {
		e.Pad(len(l.Children))
	}
	return err
}

// Child writes the i-th child of a literal as its container accepts it.
func (e *Encoder) Child(l *literal.Literal, i int) error {
	child, of := l.Children[i], l.Elem
	switch shape := types.Of(l.Kind).Shape; {
	case shape == types.ShapeStrings:
		e.Entry(child.Text, true)
		return nil
	case shape == types.ShapeObject && i%2 == 0:
		e.PutString(child.Text)
		return nil
	case shape == types.ShapeDict && i%2 == 1:
		of = l.Value
	}
	accepts := of.Constraint()
	child, fits := Fit(child, accepts)
	if !fits {
		return child.Errorf("%s", MismatchMessage(l.TypeText(), accepts.Name, child.TypeText()))
	}
	return e.Value(&child)
}

// children writes all children of a literal.
func (e *Encoder) children(l *literal.Literal) error {
	for i := range l.Children {
		if err := e.Child(l, i); err != nil {
			return err
		}
	}
	return nil
}

// Fit returns a literal as a container accepts it: an int becomes a float, and text a name. ok is false if
// the container does not accept it.
func Fit(l literal.Literal, w types.Constraint) (fitting literal.Literal, ok bool) {
	if types.Of(w.T).Shape == types.ShapeReference { // Array[Resource] holds those of a class
		w.T = types.Object
	}
	switch {
	case w.Any:
	case l.Kind == types.Int && w.T == types.Float, l.Kind == types.String && w.T == types.StringName:
		l.Kind = w.T
	case types.Of(l.Kind).Shape == types.ShapeReference:
		return l, w.Allows(types.Object)
	}
	return l, w.Allows(l.Kind)
}

// MismatchMessage says that a container accepts one type and got another.
func MismatchMessage(container, wanted, is string) string {
	return fmt.Sprintf("%s holds %s, this is %s", container, wanted, is)
}

// CheckKeys returns an error if a Dictionary in a literal has a key twice, as the engine compares keys.
func CheckKeys(f *variant.Format, text string, l *literal.Literal) error {
	if l.Parts == nil {
		return nil
	}
	var used map[string]bool
	step := 1
	if l.Kind == types.Dictionary {
		used, step = make(map[string]bool, len(l.Children)/2), 2
	}
	for i := range l.Children {
		child := &l.Children[i]
		if i%step == 0 && used != nil {
			name := KeyName(f, text, child, false)
			if used[name] {
				return child.Errorf("the key %s is repeated", text[child.At:min(child.End, child.At+maxNamed)])
			}
			used[name] = true
		}
		if err := CheckKeys(f, text, child); err != nil {
			return err
		}
	}
	return nil
}

// maxNamed is how many bytes of a key a message has.
const maxNamed = 80

// KeyName identifies a key. In Godot 4 a StringName equals a String with the same text, unless types count. A key that cannot
// be stored equals no other.
func KeyName(f *variant.Format, text string, l *literal.Literal, typesCount bool) string {
	key := *l
	if !typesCount && key.Kind == types.StringName && f.Dialect.Engine == types.EngineGodot4 {
		key.Kind = types.String
	}
	b, err := Bytes(f, text, &key)
	if err != nil {
		return "<" + text[l.At:l.End]
	}
	return string(b)
}

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
