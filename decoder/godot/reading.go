package godot

import (
	"varview/decoder/diagnose"
	"varview/decoder/edit"
	"varview/decoder/tree"
)

var (
	_ tree.Reading       = (*Format)(nil)
	_ tree.Inspector     = (*Format)(nil)
	_ tree.Passer        = (*Format)(nil)
	_ tree.Looker        = (*Format)(nil)
	_ tree.Meaner        = (*Format)(nil)
	_ tree.Stepper       = (*Format)(nil)
	_ tree.LiteralWriter = (*Format)(nil)
	_ tree.LineWriter    = (*Format)(nil)
	_ tree.JSONWriter    = (*Format)(nil)
	_ tree.TypeWriter    = (*Format)(nil)
	_ tree.EngineModel   = (*Format)(nil)
	_ tree.Keyed         = (*Format)(nil)
	_ tree.Remedier      = (*Format)(nil)
	_ tree.Resyncer      = (*Format)(nil)

	_ edit.Editor        = (*Format)(nil)
	_ edit.ByteEditor    = (*Format)(nil)
	_ edit.Repairer      = (*Format)(nil)
	_ diagnose.Suspecter = (*Format)(nil)
	_ diagnose.Texter    = (*Format)(nil)
)

// Fork implements tree.Resyncer. A Format learns nothing.
func (f *Format) Fork(int64, bool) tree.Reading { return f }

// AcceptsAmbiguous implements tree.Resyncer. A count determines where a container ends,
// so that there is hardly ever more than one place.
func (f *Format) AcceptsAmbiguous() bool { return false }

// Resynced implements tree.Resyncer.
func (f *Format) Resynced(int64, int64) {}
