package savefile

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"

	"varview/decoder/engine/tree"
)

// maxDepth is the largest depth of nested values that are decoded.
const maxDepth = 1000

// An Entry is an entry of a dictionary whose keys are not all strings.
type Entry struct{ Key, Value any }

// Decode stores the value in what into points to, as encoding/json does:
//
//   - numbers in Go's numbers, if they fit without loss, and texts in strings;
//   - lists, and values with components such as Vector2, in slices, and in arrays of the same length;
//     lists of bytes in []byte as well;
//   - dictionaries and structs in maps, and in structs, whose exported fields are found by their tag
//     `save:"key"` or by their name, in upper or lower case; keys without a field are left out, and
//     fields without a key stay as they are;
//   - null as the zero value or a nil pointer;
//   - anything in a Value, and what is only one word in its notation (a reference, say) in a Literal.
//
// Decoded into an any, values become nil, bool, int64, uint64 above 1<<63 - 1, float64, string, []byte,
// []any, map[string]any, []Entry if keys are not all distinct strings, or Literal. If a value is damaged,
// or does not fit the Go type, the error wraps ErrType and names its path.
func (v Value) Decode(into any) error {
	p := reflect.ValueOf(into)
	if p.Kind() != reflect.Pointer || p.IsNil() {
		return fmt.Errorf("%w: Decode needs a pointer, not %T", ErrType, into)
	}
	if v.n == nil {
		return fmt.Errorf("%w: the zero Value is none", ErrNotFound)
	}
	return v.decode(p.Elem(), maxDepth)
}

var (
	valueType   = reflect.TypeFor[Value]()
	literalType = reflect.TypeFor[Literal]()
	bytesType   = reflect.TypeFor[[]byte]()
)

func (v Value) decode(to reflect.Value, depth int) error {
	switch {
	case v.n.Damage != nil:
		return fmt.Errorf("%w: %s is damaged: %s", ErrType, v.Path(), v.n.Damage.Message)
	case depth == 0:
		return fmt.Errorf("%w: %s nests too deep", ErrType, v.Path())
	case to.Type() == valueType:
		to.Set(reflect.ValueOf(v))
		return nil
	case to.Type() == literalType:
		to.SetString(v.Literal())
		return nil
	}
	s := v.plain()
	if to.Kind() == reflect.Pointer && s.Kind != tree.Null {
		if to.IsNil() {
			to.Set(reflect.New(to.Type().Elem()))
		}
		return v.decode(to.Elem(), depth)
	}
	switch s.Kind {
	case tree.Null:
		to.SetZero()
		return nil
	case tree.Bool, tree.Int, tree.Uint, tree.Float64, tree.Text:
		return v.decodeScalar(to, s)
	}
	return v.decodeComposite(to, depth)
}

// plain returns the value if it is null, a bool, a number or text; anything else becomes Bytes.
func (v Value) plain() tree.Scalar {
	if is := v.r.Look(&v.n.Value); is.Form == tree.FormNumber {
		x := is.Number
		if x.IsFloat() {
			return tree.Scalar{Kind: tree.Float64, Bits: math.Float64bits(x.Float())}
		}
		return tree.Scalar{Kind: x.Kind, Bits: x.Bits}
	}
	return v.r.Plain(&v.n.Value)
}

// decodeScalar stores a bool, number or text.
func (v Value) decodeScalar(to reflect.Value, s tree.Scalar) error {
	if to.Kind() == reflect.Interface && to.NumMethod() == 0 {
		to.Set(reflect.ValueOf(v.scalar(s)))
		return nil
	}
	is := reflect.ValueOf(v.scalar(s))
	if !fits(to, is) {
		return v.mismatch(to)
	}
	to.Set(is.Convert(to.Type()))
	return nil
}

// fits reports whether a bool, number or text can be stored without loss.
func fits(to, is reflect.Value) bool {
	switch {
	case to.Kind() == reflect.Bool, to.Kind() == reflect.String:
		return is.Kind() == to.Kind()
	case to.CanFloat() && is.CanFloat():
		return !to.OverflowFloat(is.Float()) || math.IsInf(is.Float(), 0)
	case to.CanFloat() && (is.CanInt() || is.CanUint()):
		x := is.Convert(reflect.TypeFor[float64]()).Float()
		return math.Abs(x) <= 1<<53
	case to.CanInt() && is.CanInt():
		return !to.OverflowInt(is.Int())
	case to.CanUint() && is.CanInt():
		return is.Int() >= 0 && !to.OverflowUint(uint64(is.Int()))
	case to.CanUint() && is.CanUint():
		return !to.OverflowUint(is.Uint())
	}
	return false
}

// scalar returns a bool, number or text as it is in an any.
func (v Value) scalar(s tree.Scalar) any {
	switch s.Kind {
	case tree.Bool:
		return s.Bits != 0
	case tree.Int:
		return int64(s.Bits)
	case tree.Uint:
		if s.Bits <= math.MaxInt64 {
			return int64(s.Bits)
		}
		return s.Bits
	case tree.Float64:
		return math.Float64frombits(s.Bits)
	}
	text, _ := v.text()
	return text
}

// decodeList stores the children of a value in a slice or an array.
func (v Value) decodeList(to reflect.Value, depth int) error {
	if to.Kind() == reflect.Slice {
		to.Set(reflect.MakeSlice(to.Type(), 0, 0))
		return v.each(func(_ int, c Value) error {
			to.Set(reflect.Append(to, reflect.Zero(to.Type().Elem())))
			return c.decode(to.Index(to.Len()-1), depth-1)
		})
	}
	if v.Len() != int64(to.Len()) {
		return v.mismatch(to)
	}
	return v.each(func(i int, c Value) error { return c.decode(to.Index(i), depth-1) })
}

// decodeComposite stores a value with children, or one that is only bytes.
func (v Value) decodeComposite(to reflect.Value, depth int) error {
	if to.Kind() == reflect.Interface && to.NumMethod() == 0 {
		x, err := v.open(depth)
		if err == nil {
			to.Set(reflect.ValueOf(x))
		}
		return err
	}
	if data := v.r.Look(&v.n.Value); data.Form == tree.FormData && to.Type().ConvertibleTo(bytesType) && to.Kind() == reflect.Slice {
		b, err := v.bytes(data.Data)
		if err == nil {
			to.Set(reflect.ValueOf(b).Convert(to.Type()))
		}
		return err
	}
	is, hasKeys := v.shape(), to.Kind() == reflect.Map || to.Kind() == reflect.Struct
	switch {
	case is == opaque, is == keyed && !hasKeys, is == list && hasKeys:
	case to.Kind() == reflect.Slice || to.Kind() == reflect.Array:
		return v.decodeList(to, depth)
	case to.Kind() == reflect.Map:
		return v.decodeMap(to, depth)
	case to.Kind() == reflect.Struct:
		return v.decodeStruct(to, depth)
	}
	return v.mismatch(to)
}

// open returns a value with others inside as it is in an any.
func (v Value) open(depth int) (any, error) {
	if data := v.r.Look(&v.n.Value); data.Form == tree.FormData {
		return v.bytes(data.Data)
	}
	is := v.shape()
	if is == opaque {
		return Literal(v.Literal()), nil
	}
	items, entries, texts := []any{}, []Entry{}, map[string]any{}
	err := v.each(func(_ int, c Value) error {
		name, _ := c.named()
		e := Entry{Key: name}
		err := c.decode(reflect.ValueOf(&e.Value).Elem(), depth-1)
		if key := v.r.Key(c.n); err == nil && key != nil {
			err = Value{v.r, key}.decode(reflect.ValueOf(&e.Key).Elem(), depth-1)
		}
		if name, ok := e.Key.(string); ok {
			texts[name] = e.Value
		}
		items, entries = append(items, e.Value), append(entries, e)
		return err
	})
	switch {
	case err != nil:
		return nil, err
	case is == list, is == names && v.n.Layout == tree.Fixed:
		return items, nil
	case len(texts) < len(entries):
		return entries, nil
	}
	return texts, nil
}

func (v Value) each(do func(i int, c Value) error) error {
	i := 0
	for c, err := range v.Children() {
		if err == nil {
			err = do(i, c)
		}
		if err != nil {
			return err
		}
		i++
	}
	return nil
}

// decodeMap stores a dictionary or struct in a map.
func (v Value) decodeMap(to reflect.Value, depth int) error {
	to.Set(reflect.MakeMap(to.Type()))
	return v.each(func(_ int, c Value) error {
		key, value := reflect.New(to.Type().Key()).Elem(), reflect.New(to.Type().Elem()).Elem()
		if n := v.r.Key(c.n); n != nil {
			if err := (Value{v.r, n}).decode(key, depth-1); err != nil {
				return err
			}
		} else if key.Kind() == reflect.String {
			key.SetString(c.Name())
		} else {
			return v.mismatch(to)
		}
		if !key.Comparable() {
			return v.mismatch(to)
		}
		err := c.decode(value, depth-1)
		to.SetMapIndex(key, value)
		return err
	})
}

// decodeStruct stores a dictionary, a struct or components in the fields of a struct.
func (v Value) decodeStruct(to reflect.Value, depth int) error {
	return v.each(func(_ int, c Value) error {
		name, _ := c.named()
		if _, f := fieldFor(to, name); name != "" && f.IsValid() {
			return c.decode(f, depth-1)
		}
		return nil
	})
}

// fieldFor returns the field of a struct for a key, and its own key; the zero Value if there is none.
func fieldFor(of reflect.Value, name string) (key string, field reflect.Value) {
	for f := range of.Type().Fields() {
		switch own, tagged := keyOf(f); {
		case own == name && own != "":
			return own, of.FieldByIndex(f.Index)
		case own != "" && !tagged && strings.EqualFold(own, name) && !field.IsValid():
			key, field = own, of.FieldByIndex(f.Index)
		}
	}
	return key, field
}

// keyOf returns the key that a field of a struct stands for: its tag, or its name; "" if it stands for none.
func keyOf(f reflect.StructField) (key string, tagged bool) {
	tag, tagged := f.Tag.Lookup("save")
	switch {
	case !f.IsExported() || tag == "-":
		return "", false
	case tagged:
		return tag, true
	}
	return f.Name, false
}

// isStruct reports whether v is a struct of the caller's.
func isStruct(v reflect.Value) bool { return v.Kind() == reflect.Struct && v.Type() != valueType }

// entriesOf returns the entries that a map or struct stands for: of a map with sorted keys, of a struct in
// the order of its fields.
func entriesOf(v reflect.Value) (keys []string, values map[string]reflect.Value) {
	values = map[string]reflect.Value{}
	if v.Kind() == reflect.Map {
		for k, x := range v.Seq2() {
			values[k.String()] = x
		}
		return slices.Sorted(maps.Keys(values)), values
	}
	for f := range v.Type().Fields() {
		if key, _ := keyOf(f); key != "" {
			keys, values[key] = append(keys, key), v.FieldByIndex(f.Index)
		}
	}
	return keys, values
}

func (v Value) mismatch(to reflect.Value) error {
	return fmt.Errorf("%w: %s is %s, not %s", ErrType, v.Path(), v.Type(), to.Type())
}
