package decoder_test

import (
	"bytes"
	"testing"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
)

func TestNameLoss(t *testing.T) {
	text := bytes.Repeat([]byte("x"), 100)
	zeros := make([]byte, 5000)
	for _, test := range []struct {
		name  string
		bytes []byte
		r     edit.Repair
		want  string
	}{
		{"a tail", text, edit.Repair{Splices: []source.Splice{source.Put(40, 60, nil)}}, "60 bytes that make no sense as they are read now"},
		{"a tail that padding takes the place of", text, edit.Repair{Splices: []source.Splice{source.Put(40, 60, make([]byte, 3))}}, "57 bytes that make no sense as they are read now"},
		{"part of a value", text, edit.Repair{Splices: []source.Splice{source.Put(84, 16, nil)}}, ""},
		{"zeros", zeros, edit.Repair{Splices: []source.Splice{source.Put(0, 5000, nil)}}, ""},
		{"a few zeros before other bytes", append(zeros[:63:63], text...), edit.Repair{Splices: []source.Splice{source.Put(0, 63, nil)}}, ""},
		{"a block of zeros before other bytes", append(zeros[:64:64], text...), edit.Repair{Splices: []source.Splice{source.Put(0, 64, nil)}}, "what was where 64 bytes are zero"},
		{"zeros but for the last", append(zeros[:4999:4999], 1), edit.Repair{Splices: []source.Splice{source.Put(0, 5000, nil)}}, "5,000 bytes that make no sense as they are read now"},
		{"other bytes instead", text, edit.Repair{Splices: []source.Splice{source.Put(0, 100, make([]byte, 50))}}, ""},
		{"named already", text, edit.Repair{Splices: []source.Splice{source.Put(40, 60, nil)}, Loss: `the key "hp"`}, `the key "hp"`},
	} {
		test.r.NameLoss(source.NewWindow(source.Bytes(test.bytes)))
		if test.r.Loss != test.want {
			t.Errorf("%s: drops %q, want %q", test.name, test.r.Loss, test.want)
		}
	}
}
