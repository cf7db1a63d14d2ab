package json

import (
	"bytes"
	"encoding/binary"

	"varview/decoder/elephant/internal/datatype"
	"varview/decoder/elephant/internal/literal"
)

// scalar writes the payload of a value without children.
func (i *importer) scalar(f *form) {
	n := datatype.Width(f.of)
	switch {
	case i.j.err != nil || f.of == datatype.Undefined:
		return
	case datatype.IsText(f.of):
		if !f.isText || bytes.IndexByte(f.text, 0) >= 0 {
			i.fail("%s is a text without NUL", datatype.Name(f.of))
		}
		i.b = append(append(i.b, f.text...), 0)
		return
	case f.hex != nil:
		if int64(len(f.hex)) != n {
			i.fail(`"hex" of %s has %d bytes`, datatype.Name(f.of), n)
		}
		i.b = append(i.b, f.hex...)
		return
	}
	bits, ok := i.bits(f)
	if !ok {
		i.fail("%s is not a valid %s", literal.Shown(f.word+string(f.text)), datatype.Name(f.of))
	}
	i.b = append(i.b, binary.LittleEndian.AppendUint64(nil, bits)[:n]...)
}

// bits returns those of a number or bool.
func (i *importer) bits(f *form) (uint64, bool) {
	if f.of == datatype.Bool {
		switch {
		case f.byte >= 0:
			return uint64(f.byte), true
		case f.word == "true":
			return 1, true
		}
		return 0, f.word == "false"
	}
	text := f.word
	if f.isText {
		switch text = string(f.text); text {
		case "NaN":
			text = "nan"
		case "Infinity":
			text = "inf"
		case "-Infinity":
			text = "-inf"
		}
	}
	x, ok := literal.ParseNumeral(text)
	if !ok {
		return 0, false
	}
	bits, message := x.As(f.of)
	return bits, message == ""
}
