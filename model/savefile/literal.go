package savefile

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"varview/decoder/engine/tree"
)

// literalOf returns a Go value in the notation that all formats share.
func literalOf(v reflect.Value) (string, error) {
	var b strings.Builder
	err := writeLiteral(&b, v, maxDepth)
	return b.String(), err
}

// pointedTo returns what a value of Go holds or points to.
func pointedTo(v reflect.Value) reflect.Value {
	for v.Kind() == reflect.Interface || v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	return v
}

func writeList(b *strings.Builder, v reflect.Value, depth int) error {
	b.WriteByte('[')
	for i := range v.Len() {
		if i > 0 {
			b.WriteString(", ")
		}
		if err := writeLiteral(b, v.Index(i), depth-1); err != nil {
			return err
		}
	}
	b.WriteByte(']')
	return nil
}

func writeLiteral(b *strings.Builder, v reflect.Value, depth int) error {
	v = pointedTo(v)
	switch {
	case depth == 0:
		return fmt.Errorf("%w: it nests too deep", ErrType)
	case !v.IsValid():
		b.WriteString("null")
	case v.Type() == literalType:
		b.WriteString(v.String())
	case v.Type() == valueType:
		return v.Interface().(Value).writeWhole(b)
	case v.Kind() == reflect.Bool:
		b.WriteString(strconv.FormatBool(v.Bool()))
	case v.CanInt():
		b.WriteString(strconv.FormatInt(v.Int(), 10))
	case v.CanUint():
		b.WriteString(strconv.FormatUint(v.Uint(), 10))
	case v.CanFloat():
		b.Write((&tree.Scalar{Kind: tree.Float64, Bits: math.Float64bits(v.Float())}).AppendNumber(nil))
	case v.Kind() == reflect.String:
		b.Write(tree.AppendQuoted(nil, []byte(v.String())))
	case v.Kind() == reflect.Slice || v.Kind() == reflect.Array:
		return writeList(b, v, depth)
	case hasNames(v):
		return writeEntries(b, v, depth)
	default:
		return fmt.Errorf("%w: %s cannot be written as a value", ErrType, v.Type())
	}
	return nil
}

// writeWhole writes a value however long it is.
func (v Value) writeWhole(b *strings.Builder) error {
	if v.n == nil {
		return fmt.Errorf("%w: the zero Value is none", ErrType)
	}
	return v.r.WriteText(context.Background(), b, &v.n.Value)
}

func writeEntries(b *strings.Builder, v reflect.Value, depth int) error {
	keys, entries := entriesOf(v)
	between := "{ "
	for _, k := range keys {
		b.WriteString(between)
		b.Write(tree.AppendQuoted(nil, []byte(k)))
		b.WriteString(": ")
		if err := writeLiteral(b, entries[k], depth-1); err != nil {
			return err
		}
		between = ", "
	}
	if len(entries) == 0 {
		b.WriteString("{")
	}
	b.WriteString(" }")
	return nil
}
