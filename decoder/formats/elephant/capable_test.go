package elephant

import (
	"varview/decoder/diagnose"
	"varview/decoder/edit"
	"varview/decoder/engine/format"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/elephant/internal/block"
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
	_ tree.Reading        = (*block.Reading)(nil)
	_ tree.Inspector      = (*block.Reading)(nil)
	_ tree.Meaner         = (*block.Reading)(nil)
	_ tree.Stepper        = (*block.Reading)(nil)
	_ tree.TypeWriter     = (*block.Reading)(nil)
	_ tree.Traited        = (*block.Reading)(nil)
	_ tree.Footer         = (*block.Reading)(nil)
	_ tree.Keyed          = (*block.Reading)(nil)
	_ tree.Remedier       = (*block.Reading)(nil)
	_ tree.Learner        = (*block.Reading)(nil)
	_ tree.Resyncer       = (*block.Reading)(nil)
)
