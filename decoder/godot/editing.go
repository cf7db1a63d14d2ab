package godot

import (
	"context"

	"varview/decoder/diagnose"
	"varview/decoder/edit"
	"varview/decoder/godot/internal/damage"
	edits "varview/decoder/godot/internal/edit"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

var (
	_ edit.Editor        = (*Format)(nil)
	_ edit.ByteEditor    = (*Format)(nil)
	_ edit.Repairer      = (*Format)(nil)
	_ diagnose.Suspecter = (*Format)(nil)
	_ diagnose.Texter    = (*Format)(nil)
)

// Set implements edit.Editor.
func (f *Format) Set(ctx context.Context, r *tree.Reader, n *tree.Node, c edit.Content, o edit.Options) ([]source.Splice, error) {
	return edits.Set(ctx, f.Variant(), r, n, c, o)
}

// SetBytes implements edit.ByteEditor.
func (f *Format) SetBytes(ctx context.Context, r *tree.Reader, n *tree.Node, b []byte) ([]source.Splice, error) {
	return edits.SetBytes(ctx, f.Variant(), r, n, b)
}

// Insert implements edit.Editor.
func (f *Format) Insert(ctx context.Context, r *tree.Reader, parent *tree.Node, index int64, c edit.Content, o edit.Options) ([]source.Splice, error) {
	return edits.Insert(ctx, f.Variant(), r, parent, index, c, o)
}

// Delete implements edit.Editor.
func (f *Format) Delete(ctx context.Context, r *tree.Reader, n *tree.Node, o edit.Options) ([]source.Splice, error) {
	return edits.Delete(ctx, f.Variant(), r, n, o)
}

// Move implements edit.Editor.
func (f *Format) Move(ctx context.Context, r *tree.Reader, n *tree.Node, to int64, o edit.Options) ([]source.Splice, error) {
	return edits.Move(ctx, f.Variant(), r, n, to, o)
}

// Types implements edit.Editor.
func (f *Format) Types(r *tree.Reader, n *tree.Node) []string {
	return edits.Types(f.Variant(), r, n)
}

// Retyped implements edit.Editor.
func (f *Format) Retyped(ctx context.Context, r *tree.Reader, n *tree.Node, name string) (string, error) {
	return edits.Retyped(ctx, f.Variant(), r, n, name)
}

// Repair implements edit.Repairer.
func (f *Format) Repair(ctx context.Context, r *tree.Reader, n *tree.Node, p *span.Problem) (edit.Repair, error) {
	return damage.Repair(ctx, f.Variant(), r, n, p)
}

// Suspects implements diagnose.Suspecter.
func (f *Format) Suspects(w *source.Window, parent *tree.Value, slot tree.Slot, v *tree.Value, try func(diagnose.Suspect) bool) {
	damage.Suspects(f.Variant(), w, parent, slot, v, try)
}

// Oddness implements diagnose.Suspecter.
func (f *Format) Oddness(w *source.Window, parent *tree.Value, slot tree.Slot, v *tree.Value) int {
	return damage.Oddness(f.Variant(), w, parent, slot, v)
}

// Lost implements diagnose.Loser.
func (f *Format) Lost(w *source.Window, v *tree.Node, at int64, n int, try func(lost []byte, sure int, counted bool) bool) {
	damage.Lost(f.Variant(), w, &v.Value, at, n, try)
}

// Recount implements diagnose.Suspecter.
func (f *Format) Recount(w *source.Window, parent, v *tree.Value, n int64) (diagnose.Suspect, bool) {
	return damage.Recount(f.Variant(), w, parent, v, n)
}

// Resize implements diagnose.Suspecter.
func (f *Format) Resize(w *source.Window, parent, v *tree.Value, end int64) (diagnose.Suspect, bool) {
	return damage.Resize(f.Variant(), w, parent, v, end)
}

// Relength implements diagnose.Texter.
func (f *Format) Relength(w *source.Window, parent, v *tree.Value, by int64) (u diagnose.Suspect, padding source.Splice, ok bool) {
	return damage.Relength(f.Variant(), w, parent, v, by)
}
