package text

import (
	"varview/decoder/engine/format"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/convert"
)

// Capabilities of readings and families. Without these assertions a method with another signature would
// silently be ignored.
var (
	_ format.Converter   = converter{}
	_ convert.Filer      = (*reading)(nil)
	_ format.Linker      = (*reading)(nil)
	_ format.Auditor     = (*reading)(nil)
	_ tree.Shortcutter   = (*reading)(nil)
	_ tree.Reopener      = (*reading)(nil)
	_ format.Starter     = (*reading)(nil)
	_ tree.LiteralWriter = (*reading)(nil)
	_ tree.JSONWriter    = (*reading)(nil)
	_ tree.TypeWriter    = (*reading)(nil)
)
