package gamemaker

import (
	"varview/decoder/engine/format"
	"varview/decoder/engine/tree"
)

// Capabilities of readings and families. Without these assertions a method with another signature would
// silently be ignored.
var (
	_ format.NameReader  = linesFamily{}
	_ format.MemberNamer = (*namedLines)(nil)
	_ tree.Stepper       = (*namedLines)(nil)
	_ tree.Shortcutter   = (*namedLines)(nil)
)
