package json

import (
	"encoding/binary"
	"math"
	"strconv"

	"varview/decoder/elephant/internal/datatype"
	"varview/decoder/tree"
)

func (t *typedWriter) elements(v *tree.Value) {
	element := datatype.ID(v.Sub)
	opening := `{"type":"` + datatype.Name(element) + `"`
	for i := int64(0); i < v.Count && !t.Full(); i++ {
		if i > 0 {
			t.Put(",")
		}
		t.Put(opening)
		at := v.Body + i*int64(v.Stride)
		t.payload(element, at, at+int64(v.Stride))
		t.Put("}")
	}
}

// payload writes the value of a scalar.
func (t *typedWriter) payload(of datatype.ID, at, end int64) {
	t.Put(`,"value":`)
	switch {
	case of == datatype.Undefined:
		t.Put("null")
	case datatype.IsText(of):
		t.Quoted(t.w, at, end-1-at)
	default:
		t.scalar(datatype.NumberAt(t.w, of, at))
	}
}

func (t *typedWriter) scalar(n datatype.Number) {
	switch {
	case n.Of == datatype.U64:
		t.Put(`"`)
		t.Dst = n.Append(t.Dst)
		t.Put(`"`)
	case n.Of == datatype.Bool && n.Bits > 1:
		t.Put(`true,"byte":`)
		t.Dst = strconv.AppendUint(t.Dst, n.Bits, 10)
	case n.IsFloat():
		t.float(n)
	default:
		t.Dst = n.Append(t.Dst)
	}
}

func (t *typedWriter) float(n datatype.Number) {
	x := n.Float()
	switch {
	case math.IsNaN(x):
		t.Put(`"NaN"`)
		if n.Bits != datatype.UsualNaN[n.Of] {
			t.Put(`,"hex":"`)
			var b [8]byte
			binary.LittleEndian.PutUint64(b[:], n.Bits)
			t.Dst = tree.AppendHex(t.Dst, b[:datatype.Width(n.Of)], datatype.Width(n.Of))
			t.Put(`"`)
		}
	case math.IsInf(x, 1):
		t.Put(`"Infinity"`)
	case math.IsInf(x, -1):
		t.Put(`"-Infinity"`)
	case x == 0 && math.Signbit(x):
		t.Put(`"-0"`)
	default:
		t.Dst = n.Append(t.Dst)
	}
}
