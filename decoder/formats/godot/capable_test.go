package godot

import (
	"varview/decoder/diagnose"
	"varview/decoder/edit"
	"varview/decoder/engine/format"
	"varview/decoder/engine/tree"
)

// Capabilities of readings and families. Without these assertions a method with another signature would
// silently be ignored.
var (
	_ tree.Reading        = (*Format)(nil)
	_ tree.Inspector      = (*Format)(nil)
	_ tree.Passer         = (*Format)(nil)
	_ tree.Looker         = (*Format)(nil)
	_ tree.Meaner         = (*Format)(nil)
	_ tree.Stepper        = (*Format)(nil)
	_ tree.LiteralWriter  = (*Format)(nil)
	_ tree.LineWriter     = (*Format)(nil)
	_ tree.JSONWriter     = (*Format)(nil)
	_ tree.TypeWriter     = (*Format)(nil)
	_ tree.Traited        = (*Format)(nil)
	_ tree.Keyed          = (*Format)(nil)
	_ tree.Remedier       = (*Format)(nil)
	_ tree.Resyncer       = (*Format)(nil)
	_ edit.Editor         = (*Format)(nil)
	_ edit.ByteEditor     = (*Format)(nil)
	_ edit.Repairer       = (*Format)(nil)
	_ diagnose.Suspecter  = (*Format)(nil)
	_ diagnose.Resizer    = (*Format)(nil)
	_ diagnose.Texter     = (*Format)(nil)
	_ format.Importer     = family{}
	_ format.Converter    = family{}
	_ format.PrefixReader = (*Format)(nil)
	_ format.Auditor      = (*Format)(nil)
	_ format.Scout        = family{}
)
