package damage

import (
	"bytes"

	"varview/decoder/godot/internal/types"
	"varview/decoder/source"
	"varview/decoder/tree"
)

// headBytes is the length of a header with the count or length after it.
const headBytes = 8

// Lost implements diagnose.Loser: a header of any type may have been lost, with zeros
// after it.
func (f Judge) Lost(w *source.Window, v *tree.Node, at int64, n int, try func(lost []byte, sure int, counted bool) bool) {
	if v.Type >= types.Raw || at < v.Head || at >= v.Head+headBytes {
		return
	}
	start := bytes.Clone(w.View(v.Head, at-v.Head))
	s := suspecter{f: f.Format}
	for id := range f.Dialect.Table {
		t := f.Dialect.TypeOf(uint32(id))
		for _, flags := range s.flagsOf(t) {
			value := make([]byte, max(4, len(start)+n))
			copy(value[min(4, len(value)):], start[min(4, len(start)):])
			value[0], value[1], value[2], value[3] = byte(id), byte(id>>8), byte(flags), byte(flags>>8)
			after := w.View(at, max(0, 4-int64(len(start)+n))) // what is left of the header
			if !bytes.HasPrefix(value, start) || !bytes.Equal(value[len(start)+n:], after) {
				continue
			}
			counted := len(start)+n > 4 && isCounted(types.Of(t).Shape)
			if len(start) == 0 && types.Of(t).Shape == types.ShapeBytes { // any bytes would fit
				counted = false
			}
			if !try(value[len(start):len(start)+n], 0, counted) {
				return
			}
		}
	}
}

// isCounted reports whether a length or count follows the header of a value.
func isCounted(s types.Shape) bool {
	switch s {
	case types.ShapeText, types.ShapePacked, types.ShapeBytes, types.ShapeStrings, types.ShapeArray, types.ShapeDict, types.ShapePath:
		return true
	}
	return false
}
