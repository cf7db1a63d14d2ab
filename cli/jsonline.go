package cli

import (
	"strconv"

	"varview/decoder/tree"
)

// appendFieldJSON appends a field as a line of "dump --json".
func appendFieldJSON(dst []byte, f *tree.OwnedField) []byte {
	dst = append(dst, `{"buffer":0,"offset":`...)
	dst = strconv.AppendInt(dst, f.Offset, 10)
	dst = append(dst, `,"length":`...)
	dst = strconv.AppendInt(dst, f.Length, 10)
	dst = append(dst, `,"kind":"`...)
	dst = append(dst, f.Kind.String()...)
	dst = append(dst, `","label":"`...)
	dst = append(dst, f.Label...)
	dst = append(dst, `","path":`...)
	dst = tree.AppendQuoted(dst, f.Path)
	dst = append(dst, `,"value":`...)
	dst = tree.AppendQuoted(dst, f.Value)
	return append(dst, "}\n"...)
}
