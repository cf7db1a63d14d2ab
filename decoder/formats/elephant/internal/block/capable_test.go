package block

import (
	"varview/decoder/engine/tree"
)

// Capabilities of readings. Without these assertions a method with another signature would silently be
// ignored.
var (
	_ tree.Reading    = (*Reading)(nil)
	_ tree.Inspector  = (*Reading)(nil)
	_ tree.Meaner     = (*Reading)(nil)
	_ tree.Stepper    = (*Reading)(nil)
	_ tree.TypeWriter = (*Reading)(nil)
	_ tree.Traited    = (*Reading)(nil)
	_ tree.Footer     = (*Reading)(nil)
	_ tree.Keyed      = (*Reading)(nil)
	_ tree.Remedier   = (*Reading)(nil)
	_ tree.Learner    = (*Reading)(nil)
	_ tree.Resyncer   = (*Reading)(nil)
)
