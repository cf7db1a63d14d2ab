package godot

import (
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

var _ tree.Keyed = (*Format)(nil)

// RepeatedKey implements tree.Keyed.
func (f *Format) RepeatedKey(w *source.Window, key *tree.Value) span.Problem {
	message, what := "the same key stands before this", "entry"
	if key.Type == tName {
		message, what = "a property of the same name stands before this", "property"
	}
	return span.Problem{Span: key.Span(), Severity: span.Warning, Code: span.RepeatedKey, Message: message,
		Engine: "the last value wins, at the first position", Repair: "give the first " + what + " this value, and take this one away"}
}
