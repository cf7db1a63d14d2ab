package simple

import (
	"varview/decoder/diagnose"
	"varview/decoder/edit"
	"varview/decoder/engine/format"
	"varview/decoder/engine/tree"
)

// Capabilities of readings and families. Without these assertions a method with another signature would
// silently be ignored.
var (
	_ tree.Reading       = (*reading)(nil)
	_ tree.Describer     = (*reading)(nil)
	_ tree.Inspector     = (*reading)(nil)
	_ tree.Keyed         = (*reading)(nil)
	_ tree.Footer        = (*reading)(nil)
	_ tree.Marker        = (*reading)(nil)
	_ tree.Membered      = (*reading)(nil)
	_ tree.Passer        = (*reading)(nil)
	_ tree.Traited       = (*reading)(nil)
	_ edit.Editor        = editor{}
	_ edit.ByteEditor    = editor{}
	_ edit.Repairer      = editor{}
	_ tree.Remedier      = editor{}
	_ format.Importer    = importer{}
	_ diagnose.Suspecter = editor{}
)
