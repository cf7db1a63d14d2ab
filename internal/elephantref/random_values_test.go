package elephantref

import (
	"math"
	"strings"
)

// dynamicScalars are the datatypes that the library chooses where no schema
// names one (section 2).
var dynamicScalars = []Datatype{F64, F64, F64, Bool, String, String, Undefined, U64, S32}

var memberNames = []string{
	"x", "y", "hp", "name", "id", "kids", "parent", "items", "count", "flags", "_hidden", "Level", "a1", "a10", "a2",
	"gold_total", "lastSeen", "v1", "self", "zz9",
}

// oddNames are not identifiers, or have a meaning elsewhere.
var oddNames = []string{
	"", " ", "two words", "a.b", "[0]", `"quoted"`, `back\slash`, "1", "-1", "#2", "x#2", "x@key", "$", "{3}", "ünï", "日本語",
	"🐘", "tab\there", "line\nbreak", "\x01\x1b[31m", "\u202egnp", "__proto__", "constructor", "a=b", "'", "é́", "ελλην",
	strings.Repeat("long_name_", 20),
}

var words = []string{
	"", "a", "sword", "Grük", "日本語", "🐘🐘", "line\nbreak", "tab\t", `"`, `\`, "\x1b[2J", "\u202e", "null", "undefined",
	"@i64@5$i64$", "@@nan$$", "PELE", "TNAH", "a b c", "\x7f", "\ufeff",
}

var floats = []float64{
	0, math.Copysign(0, -1), 1, -1, 0.1, 1.5, 42, 1e9, -2.5e-7, math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64,
	math.SmallestNonzeroFloat64, 1 << 53, 1e21, 1e-7, math.Pi, 65504,
}

var longs = []uint64{0, 1, 5, 255, 1 << 31, 1 << 53, 1<<53 + 1, 1<<63 - 1, 1 << 63, math.MaxUint64, math.MaxUint64 - 4}

// scalar makes a number, bool, string or undefined; a string of up to the size.
func (b *builder) scalar(t Datatype, size int) *Value {
	v := &Value{Type: t}
	b.used += sizes[t]
	random := b.r.Uint64()
	switch t {
	case String, Text:
		v.Text = b.string(size)
		b.used += len(v.Text) + 1
	case Bool:
		v.Num = float64(random & 1)
	case U8, U16, U32:
		v.Num = float64(random >> (64 - 8*sizes[t]))
	case S8, S16, S32:
		v.Num = float64(int64(random) >> (64 - 8*sizes[t]))
	case F16:
		v.Int = random & 0xFFFF
		v.Num = half(uint16(v.Int))
	case F32:
		v.Num = float64(math.Float32frombits(uint32(random)))
		if b.chance(2) {
			v.Num = float64(float32(floats[b.r.IntN(len(floats))]))
		}
	case F64:
		v.Num = math.Float64frombits(random)
		if b.chance(2) {
			v.Num = floats[b.r.IntN(len(floats))]
		}
	case U64:
		v.Int = random
		if b.chance(2) {
			v.Int = longs[b.r.IntN(len(longs))]
		}
	}
	return v
}

func (b *builder) string(size int) string {
	var text strings.Builder
	for text.Len() < size && !b.chance(40) {
		text.WriteString(words[b.r.IntN(len(words))])
	}
	return text.String()
}

// array makes an array whose elements are of one kind, or mixed.
func (b *builder) array(size int) *Value {
	v := b.start()
	if b.chance(2) {
		return b.mixedArray(v, size)
	}
	element := b.elementMaker()
	return b.elements(v, size, func(left int) *Value { return element(b.share(left)) })
}

func (b *builder) mixedArray(v *Value, size int) *Value {
	return b.elements(v, size, func(left int) *Value { return b.any(b.share(left)) })
}

// elements adds elements until the array has its size.
func (b *builder) elements(v *Value, size int, element func(left int) *Value) *Value {
	a := &ArrayValue{}
	v.Type, v.Array = Array, a
	b.below(func() {
		for end := b.used + size; b.used+2 < end && len(a.Elems) < 0xFFFE; b.used++ {
			a.Elems = append(a.Elems, element(end-b.used))
		}
	})
	return v
}

// elementMaker chooses the kind of all elements of an array.
func (b *builder) elementMaker() func(size int) *Value {
	if b.depth < 2 || b.chance(2) {
		t := dynamicScalars[b.r.IntN(len(dynamicScalars))]
		return func(size int) *Value { return b.scalar(t, size) }
	}
	switch b.r.IntN(4) {
	case 0:
		return b.array
	case 1:
		return func(size int) *Value { return b.plain(b.start(), size) }
	case 2:
		return func(size int) *Value {
			if v := b.reference(Any); v != nil {
				return v
			}
			return b.plain(b.start(), size)
		}
	default:
		c := b.classes[b.r.IntN(len(b.classes))]
		return func(size int) *Value { return b.constructed(b.start(), c, size) }
	}
}
