package diagnose_test

import (
	"bytes"
	"encoding/binary"
	"testing"

	"varview/decoder/diagnose"
	"varview/decoder/engine/source"
	"varview/decoder/engine/source/sourcetest"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot"
)

// largeArray is one Array of dictionaries, of some megabytes.
func largeArray(size int) []byte {
	entity := func(i int) []byte {
		var b []byte
		for _, w := range []uint32{27, 3, 4, 2, 'i' | 'd'<<8, 2, uint32(i), 4, 4, 'n' | 'a'<<8 | 'm'<<16 | 'e'<<24, 4, 5,
			'w' | 'o'<<8 | 'l'<<16 | 'f'<<24, '0' + uint32(i)%10, 4, 2, 'h' | 'p'<<8, 1, uint32(i) & 1} {
			b = binary.LittleEndian.AppendUint32(b, w)
		}
		return b
	}
	n := size / len(entity(0))
	data := binary.LittleEndian.AppendUint32([]byte{28, 0, 0, 0}, uint32(n))
	for i := range n {
		data = append(data, entity(i)...)
	}
	return data
}

// TestBoundedByDamage: wherever the damage is, the search finds its cause and reads little besides what has
// to be read once.
func TestBoundedByDamage(t *testing.T) {
	const size = 24 << 20
	whole := largeArray(size)
	length := func(i int) int { return 8 + i*76 + 44 } // of the name of an entity
	for _, test := range []struct {
		name   string
		damage func([]byte) []byte
		causes int
	}{
		{"cut", func(b []byte) []byte { return b[:len(b)-1000] }, 1},
		{"a length at the start", func(b []byte) []byte { b[length(3)+1] = 7; return b }, 1},
		{"lengths in the middle", func(b []byte) []byte {
			for i := range 3 {
				b[length(100_000*(i+1))+1] = 7
			}
			return b
		}, 3},
		{"a type at the end", func(b []byte) []byte { b[8+300_000*76] = 99; return b }, 1},
	} {
		data := test.damage(bytes.Clone(whole))
		src := &sourcetest.Counted{Source: source.Bytes(data)}
		d, _ := godot.ByName("godot4")
		tr := tree.New(src, godot.New(godot.Settings{Dialect: d, Framing: godot.Raw}), span.Between(0, int64(len(data))))
		var all []diagnose.Diagnosis
		err := diagnose.Run(t.Context(), tr, diagnose.Options{}, func(f diagnose.Diagnosis) bool {
			all = append(all, f)
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(all) != test.causes {
			t.Errorf("%s: %d problems, want %d causes: %+v", test.name, len(all), test.causes, all[:min(5, len(all))])
		}
		if times := float64(src.Bytes) / float64(len(data)); times > 2.5 { // not once more for each cause
			t.Errorf("%s: read %.1f times", test.name, times)
		}
	}
}

// TestRatedByNear: what is before the damage of a large buffer is read once for its rating, and not once more to weigh all values.
func TestRatedByNear(t *testing.T) {
	whole := largeArray(16 << 20)
	src := &sourcetest.Counted{Source: source.Bytes(whole[:len(whole)-1000])}
	d, _ := godot.ByName("godot4")
	tr := tree.New(src, godot.New(godot.Settings{Dialect: d, Framing: godot.Raw}), span.Between(0, src.Size()))
	if rating, ok, err := diagnose.RateField(t.Context(), tr, false); !ok || err != nil || rating.Values < 64 {
		t.Errorf("%+v, %v, %v", rating, ok, err)
	}
	if times := float64(src.Bytes) / float64(src.Size()); times > 1.3 {
		t.Errorf("read %.1f times", times)
	}
}
