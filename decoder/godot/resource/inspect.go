package resource

import (
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

const (
	failsToLoad = "loading fails"
	codeEnd     = "missing-end"
	repairEnd   = "add " + magic
)

var _ tree.Inspector = (*reading)(nil)

// Inspect implements tree.Inspector.
func (r *reading) Inspect(w *source.Window, parent *tree.Value, slot tree.Slot, v *tree.Value, report func(span.Problem)) {
}
