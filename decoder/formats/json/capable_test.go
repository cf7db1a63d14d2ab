package json_test

import (
	"varview/decoder/diagnose"
	"varview/decoder/edit"
	"varview/decoder/edit/textual"
	"varview/decoder/engine/format"
	"varview/decoder/engine/tree"
)

// Capabilities that all families of text have. Without these assertions a method with another signature would
// silently be ignored.
var (
	_ edit.Editor       = textual.Editor{}
	_ edit.ByteEditor   = textual.Editor{}
	_ edit.Repairer     = textual.Editor{}
	_ format.Importer   = textual.Family{}
	_ format.CodeLister = textual.Family{}
	_ tree.Reading      = (*textual.Reading)(nil)
	_ tree.Describer    = (*textual.Reading)(nil)
	_ tree.Inspector    = (*textual.Reading)(nil)
	_ tree.Keyed        = (*textual.Reading)(nil)
	_ tree.Marker       = (*textual.Reading)(nil)
	_ tree.Footer       = (*textual.Reading)(nil)
	_ tree.Passer       = (*textual.Reading)(nil)
	_ tree.Parter       = (*textual.Reading)(nil)
	_ tree.Remedier     = textual.Editor{}
	_ diagnose.Text     = (*textual.Reading)(nil)
)
