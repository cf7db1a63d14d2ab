package resource

import (
	"varview/decoder/edit"
	"varview/decoder/engine/format"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/convert"
	"varview/decoder/formats/godot/internal/variant"
)

// Capabilities of readings and families. Without these assertions a method with another signature would
// silently be ignored.
var (
	_ format.CodeLister  = family{}
	_ format.Converter   = family{}
	_ convert.Filer      = (*reading)(nil)
	_ edit.Editor        = (*reading)(nil)
	_ edit.ByteEditor    = (*reading)(nil)
	_ variant.Tables     = (*tables)(nil)
	_ tree.Inspector     = (*reading)(nil)
	_ tree.Traited       = (*reading)(nil)
	_ format.Auditor     = (*reading)(nil)
	_ format.Linker      = (*reading)(nil)
	_ edit.Repairer      = (*reading)(nil)
	_ tree.Remedier      = (*reading)(nil)
	_ tree.Reading       = (*reading)(nil)
	_ tree.Learner       = (*reading)(nil)
	_ tree.Stepper       = (*reading)(nil)
	_ tree.Looker        = (*reading)(nil)
	_ tree.Meaner        = (*reading)(nil)
	_ tree.Keyed         = (*reading)(nil)
	_ tree.Footer        = (*reading)(nil)
	_ tree.TypeWriter    = (*reading)(nil)
	_ tree.Shortcutter   = (*reading)(nil)
	_ tree.Owner         = (*reading)(nil)
	_ tree.Speller       = (*reading)(nil)
	_ tree.LiteralWriter = (*reading)(nil)
	_ tree.JSONWriter    = (*reading)(nil)
)
