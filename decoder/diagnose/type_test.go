package diagnose_test

import (
	"encoding/binary"
	"testing"

	"varview/decoder/engine/span"
	"varview/decoder/formats/godot"
)

// TestTypeAmongOdd: a wrong type is found even if many values are unusual.
func TestTypeAmongOdd(t *testing.T) {
	const number, values = 3, 400
	var data []byte
	for _, w := range []uint32{28, values} {
		data = binary.LittleEndian.AppendUint32(data, w)
	}
	for i := range uint32(values) {
		w := []uint32{number, 0x3f800000 + i}
		if i%20 == 19 {
			w[1] = 1 // no game stores 1e-45
		}
		for _, w := range w {
			data = binary.LittleEndian.AppendUint32(data, w)
		}
	}
	at := 8 + 300*8
	damaged := put(data, at, 1, 99)
	tr := treeOf(damaged, godot.Raw)
	all := findings(t, tr)
	if len(all) != 1 || all[0].Code != span.UnknownType || all[0].Offset != int64(at) || all[0].Repair == "" {
		t.Fatalf("not only the type at %#x, with a repair: %+v", at, all)
	}
}
