package variant

import (
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/types"
)

// repairShortage describes the repair of missing bytes at the end of a buffer or
// frame.
const repairShortage = "cut off the incomplete part and correct the counts"

// Remedy implements tree.Remedier.
func (f *Format) Remedy(parent, v *tree.Value, p *span.Problem) string {
	switch {
	case p.Code == span.TrailingBytes:
		return "delete these bytes"
	case p.Code == span.MissingValue,
		v.Damage == nil && p.Code == span.Truncated && v.Type != types.Raw, // a buffer without bytes has no value
		v.Damage != nil && IsShort(v) && (parent.Type != types.Raw || CanShorten(v)):
		return repairShortage
	}
	return ""
}

// IsShort reports whether v is damaged because the bytes end before it does.
func IsShort(v *tree.Value) bool {
	switch v.Damage.Code {
	case span.Truncated, span.LengthOverrun, span.NegativeLength:
		return true
	}
	return false
}

// CanShorten reports whether a smaller length or count makes a value of the bytes
// that exist of v, which is short.
func CanShorten(v *tree.Value) bool {
	if v.Damage.Code == span.Truncated {
		return false
	}
	switch types.Of(v.Type).Shape {
	case types.ShapeText, types.ShapePath, types.ShapeBytes, types.ShapePacked:
		return true
	}
	return false
}

// KeyIdentity implements tree.Keyed: in Godot 4 a StringName equals a String with the same text.
func (f *Format) KeyIdentity(key *tree.Value, b []byte) []byte {
	if f.Dialect.Engine == types.EngineGodot4 && (key.Type == types.String || key.Type == types.StringName) {
		return b[4:]
	}
	return b
}

// RepeatedKey implements tree.Keyed.
func (f *Format) RepeatedKey(w *source.Window, key *tree.Value) span.Problem {
	message, what := "an earlier entry has the same key", "entry"
	if key.Type == types.Name {
		message, what = "an earlier property has the same name", "property"
	}
	return span.Problem{Span: key.Span(), Severity: span.Warning, Code: span.RepeatedKey, Message: message,
		Engine: "the last value wins, at the first position", Repair: "move this value to the first " + what + " and delete this one"}
}
