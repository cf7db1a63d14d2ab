package variantref

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

// A pair is an entry of a dictionary, which is a []Pair.
type pair struct{ Key, Value any }

// numbers are the components of a vector, matrix or colour, or the elements of a packed array,
// in the order in which they are stored. Type is the name in Godot 3 or 4.
type numbers struct {
	Type   string
	Values []float64
}

// synonyms are types with another name in Godot 4 than in older engines.
var synonyms = [][2]string{
	{"Quat", "Quaternion"}, {"Transform", "Transform3D"}, {"PoolByteArray", "PackedByteArray"}, {"PoolIntArray", "PackedInt32Array"},
	{"PoolRealArray", "PackedFloat32Array"}, {"PoolStringArray", "PackedStringArray"}, {"PoolVector2Array", "PackedVector2Array"},
	{"PoolVector3Array", "PackedVector3Array"}, {"PoolColorArray", "PackedColorArray"},
}

// A writer writes values as the engine of a dialect does.
type writer struct {
	*table
	out []byte
}

// write returns a value as an engine writes it: nil, bool, int64, float64, string, []any,
// []Pair, []string, []byte or Numbers. It panics for others, and for types that the dialect
// does not have.
func write(dialect string, value any) []byte {
	w := &writer{table: tables[dialect]}
	w.value(value)
	return w.out
}

// has reports whether a dialect has a type, by its name in Godot 3 or 4.
func has(dialect, name string) bool {
	_, ok := tables[dialect].id(name)
	return ok
}

func (t *table) id(name string) (id int, ok bool) {
	if id = slices.Index(t.types, name); id >= 0 {
		return id, true
	}
	for _, s := range synonyms {
		for i, other := range s {
			if other == name && slices.Contains(t.types, s[1-i]) {
				return slices.Index(t.types, s[1-i]), true
			}
		}
	}
	return 0, false
}

func (w *writer) u32(n uint32) { w.out = binary.LittleEndian.AppendUint32(w.out, n) }
func (w *writer) u64(n uint64) { w.out = binary.LittleEndian.AppendUint64(w.out, n) }

func (w *writer) header(name string, flags uint32) {
	id, ok := w.id(name)
	if !ok {
		panic(fmt.Sprintf("variantref: no type %s", name))
	}
	w.u32(uint32(id) | flags)
}

// text writes a string; ended, with a NUL that counts.
func (w *writer) text(s string, ended bool) {
	if ended {
		s += "\x00"
	}
	w.u32(uint32(len(s)))
	w.out = append(w.out, s...)
	w.pad()
}

func (w *writer) pad() {
	for len(w.out)%4 > 0 {
		w.out = append(w.out, 0)
	}
}

func (w *writer) value(value any) {
	switch v := value.(type) {
	case nil:
		w.header("Nil", 0)
	case bool:
		w.header("bool", 0)
		w.u32(map[bool]uint32{true: 1}[v])
	case int64:
		if v == int64(int32(v)) {
			w.header("int", 0)
			w.u32(uint32(v))
			return
		}
		w.header("int", wideFlag)
		w.u64(uint64(v))
	case float64:
		if v == float64(float32(v)) {
			w.header("float", 0)
			w.u32(math.Float32bits(float32(v)))
			return
		}
		w.header("float", wideFlag)
		w.u64(math.Float64bits(v))
	case string:
		w.header("String", 0)
		w.text(v, false)
	default:
		w.container(value)
	}
}

func (w *writer) container(value any) {
	switch v := value.(type) {
	case []any:
		w.header("Array", 0)
		w.u32(uint32(len(v)))
		for _, x := range v {
			w.value(x)
		}
	case []pair:
		w.header("Dictionary", 0)
		w.u32(uint32(len(v)))
		for _, p := range v {
			w.value(p.Key)
			w.value(p.Value)
		}
	case []string:
		w.header("PoolStringArray", 0)
		w.u32(uint32(len(v)))
		for _, s := range v {
			w.text(s, true)
		}
	case []byte:
		w.header("PoolByteArray", 0)
		w.u32(uint32(len(v)))
		w.out = append(w.out, v...)
		w.pad()
	case numbers:
		w.numbers(v)
	default:
		panic(fmt.Sprintf("variantref: %T is not written", value))
	}
}

func (w *writer) numbers(v numbers) {
	w.header(v.Type, 0)
	s := shapes[v.Type]
	ints, size := s.ints, 4
	if e, isPacked := elements[v.Type]; isPacked {
		w.u32(uint32(len(v.Values) / e.count))
		ints, size = e.ints, e.size
	}
	for _, x := range v.Values {
		switch {
		case ints && size == 8:
			w.u64(uint64(int64(x)))
		case ints:
			w.u32(uint32(int32(x)))
		case size == 8:
			w.u64(math.Float64bits(x))
		default:
			w.u32(math.Float32bits(float32(x)))
		}
	}
}
