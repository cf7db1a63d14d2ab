package units

import (
	"varview/decoder/edit"
	"varview/decoder/engine/format"
	"varview/decoder/engine/tree"
)

// Capabilities. Without these assertions a method with another signature would silently be ignored.
var (
	_ edit.Editor        = (*Messages)(nil)
	_ edit.Partial       = (*Messages)(nil)
	_ edit.ByteEditor    = (*Messages)(nil)
	_ tree.Looker        = (*Messages)(nil)
	_ tree.Reading       = (*Messages)(nil)
	_ tree.Inspector     = (*Messages)(nil)
	_ tree.Passer        = (*Messages)(nil)
	_ tree.Stepper       = (*Messages)(nil)
	_ tree.LiteralWriter = (*Messages)(nil)
	_ tree.JSONWriter    = (*Messages)(nil)
	_ tree.TypeWriter    = (*Messages)(nil)
	_ tree.Titler        = (*Messages)(nil)
	_ format.Lister      = (*Messages)(nil)
	_ format.Auditor     = (*Messages)(nil)
	_ format.Linker      = (*Messages)(nil)
	_ format.Carrier     = (*Messages)(nil)
	_ tree.Reading       = (*Packets)(nil)
	_ tree.Inspector     = (*Packets)(nil)
	_ tree.Passer        = (*Packets)(nil)
	_ tree.Stepper       = (*Packets)(nil)
	_ tree.LiteralWriter = (*Packets)(nil)
	_ tree.TypeWriter    = (*Packets)(nil)
	_ tree.Titler        = (*Packets)(nil)
	_ tree.Describer     = (*Packets)(nil)
	_ format.Carrier     = (*Packets)(nil)
	_ format.Holder      = (*Packets)(nil)
)
