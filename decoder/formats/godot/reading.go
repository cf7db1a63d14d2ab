package godot

import (
	"varview/decoder/engine/tree"
)

// Fork implements tree.Resyncer. A Format learns nothing.
func (f *Format) Fork(int64, bool) tree.Reading { return f }

// AcceptsAmbiguous implements tree.Resyncer. A count determines where a container ends,
// so that there is hardly ever more than one place.
func (f *Format) AcceptsAmbiguous() bool { return false }

// Resynced implements tree.Resyncer.
func (f *Format) Resynced(int64, int64) {}
