package variant

import (
	"bytes"

	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/types"
)

// A NodePath is a NodePath split into its parts.
type NodePath struct {
	absolute        bool
	Names, Subnames [][]byte
}

// Flags returns the flags that an engine writes for a path.
func (p *NodePath) Flags() uint32 {
	if p.absolute {
		return 1
	}
	return 0
}

// ParsePath splits a path as the engine does: names between slashes up to the first
// colon, then subnames between colons. Empty names are dropped. ok is false for an
// empty subname, other than at the end, which the engine refuses.
func ParsePath(text []byte) (p NodePath, ok bool) {
	names, subnames, some := bytes.Cut(text, []byte(":"))
	p.absolute = bytes.HasPrefix(names, []byte("/"))
	for name := range bytes.SplitSeq(names, []byte("/")) {
		if len(name) > 0 {
			p.Names = append(p.Names, name)
		}
	}
	subnames = bytes.TrimSuffix(subnames, []byte(":"))
	if !some || len(subnames) == 0 {
		return p, true
	}
	for name := range bytes.SplitSeq(subnames, []byte(":")) {
		if len(name) == 0 {
			return p, false
		}
		p.Subnames = append(p.Subnames, name)
	}
	return p, true
}

// A PathPart is a name or subname of a NodePath.
type PathPart struct {
	Off, N int64 // its text
	Sub    bool
}

// EachPart calls each for the names and subnames of a NodePath in order, until it
// returns false or the bytes end.
func (f *Format) EachPart(w *source.Window, v *tree.Value, each func(PathPart) bool) {
	at := v.Body
	for i := int64(0); i < v.Count && v.Limit-at >= 4; i++ {
		if f.Dialect.Resource {
			text, next, _ := f.NameAt(w, at)
			if !each(PathPart{text.Offset, text.Length, i >= int64(v.Sub)}) {
				return
			}
			at = next
			continue
		}
		n := int64(w.U32(at))
		if n > v.Limit-at-4 || !each(PathPart{at + 4, n, i >= int64(v.Sub)}) {
			return
		}
		at += 4 + n + types.Pad(n)
	}
}

// PathFlags returns the flags of a NodePath. Bit 0 is set if it begins at the root.
func (f *Format) PathFlags(w *source.Window, v *tree.Value) uint32 {
	if f.Dialect.Resource {
		return uint32(w.U16(v.Head+6)) >> 15
	}
	return w.U32(v.Head + 12)
}

// OldPath parses a NodePath in the old form, a single string.
func OldPath(w *source.Window, v *tree.Value) (NodePath, bool) {
	n := int64(w.U32(v.Head + 4))
	text := w.View(v.Head+8, n)
	if int64(len(text)) < n {
		return NodePath{}, false
	}
	return ParsePath(bytes.Clone(text))
}
