package textual

import (
	"varview/decoder/diagnose"
	"varview/decoder/edit"
	"varview/decoder/engine/format"
	"varview/decoder/engine/tree"
)

// Capabilities of readings and families. Without these assertions a method with another signature would
// silently be ignored.
var (
	_ edit.Editor       = Editor{}
	_ edit.ByteEditor   = Editor{}
	_ edit.Repairer     = Editor{}
	_ format.Importer   = Family{}
	_ format.CodeLister = Family{}
	_ tree.Reading      = (*Reading)(nil)
	_ tree.Describer    = (*Reading)(nil)
	_ tree.Inspector    = (*Reading)(nil)
	_ tree.Keyed        = (*Reading)(nil)
	_ tree.Marker       = (*Reading)(nil)
	_ tree.Footer       = (*Reading)(nil)
	_ tree.Passer       = (*Reading)(nil)
	_ tree.Parter       = (*Reading)(nil)
	_ tree.Remedier     = Editor{}
	_ diagnose.Text     = (*Reading)(nil)
)
