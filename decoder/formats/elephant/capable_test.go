package elephant

import (
	"varview/decoder/diagnose"
	"varview/decoder/edit"
	"varview/decoder/engine/format"
	"varview/decoder/engine/tree"
)

// Capabilities of readings and families. Without these assertions a method with another signature would
// silently be ignored.
var (
	_ tree.Looker         = (*Reading)(nil)
	_ tree.LiteralWriter  = (*Reading)(nil)
	_ tree.JSONWriter     = (*Reading)(nil)
	_ edit.Editor         = (*Reading)(nil)
	_ edit.Repairer       = (*Reading)(nil)
	_ diagnose.Suspecter  = (*Reading)(nil)
	_ diagnose.Headed     = (*Reading)(nil)
	_ format.Importer     = family{}
	_ format.Converter    = family{}
	_ format.SchemaReader = family{}
	_ format.CodeLister   = family{}
	_ format.HeaderJudge  = family{}
)
