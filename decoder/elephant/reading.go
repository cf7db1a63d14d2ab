package elephant

import (
	"context"
	"io"

	"varview/decoder/diagnose"
	"varview/decoder/edit"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

var (
	_ tree.LiteralWriter = (*Reading)(nil)
	_ tree.JSONWriter    = (*Reading)(nil)
	_ edit.Editor        = (*Reading)(nil)
	_ edit.Repairer      = (*Reading)(nil)
	_ diagnose.Suspecter = (*Reading)(nil)
	_ diagnose.Headed    = (*Reading)(nil)
)

// AppendLiteral implements tree.LiteralWriter.
func (f *Reading) AppendLiteral(dst []byte, r *tree.Reader, v *tree.Value, limit int) []byte {
	return AppendLiteral(dst, f, r, v, limit)
}

// WriteText implements tree.LiteralWriter.
func (f *Reading) WriteText(ctx context.Context, out io.Writer, r *tree.Reader, v *tree.Value) error {
	return WriteText(ctx, f, out, r, v)
}

// WriteJSON implements tree.JSONWriter: the form of ElephantToJSON of 1.5.1.
func (f *Reading) WriteJSON(ctx context.Context, out io.Writer, r *tree.Reader, v *tree.Value) error {
	return WriteJSON(ctx, f, out, r, v)
}

// WriteTyped writes a value in the typed form (section 13 of the specification), in
// file order and without loss.
func (f *Reading) WriteTyped(ctx context.Context, out io.Writer, r *tree.Reader, v *tree.Value) error {
	return WriteTyped(ctx, f, out, r, v)
}

// Set implements edit.Editor.
func (f *Reading) Set(ctx context.Context, r *tree.Reader, n *tree.Node, c edit.Content, o edit.Options) ([]source.Splice, error) {
	return Set(ctx, f, r, n, c, o)
}

// Insert implements edit.Editor. A schema has all its members: one that is left out
// is stored, which Content.Key names or else the index.
func (f *Reading) Insert(ctx context.Context, r *tree.Reader, parent *tree.Node, index int64, c edit.Content, o edit.Options) ([]source.Splice, error) {
	return Insert(ctx, f, r, parent, index, c, o)
}

// Delete implements edit.Editor.
func (f *Reading) Delete(ctx context.Context, r *tree.Reader, n *tree.Node, o edit.Options) ([]source.Splice, error) {
	return Delete(ctx, f, r, n, o)
}

// Move implements edit.Editor.
func (f *Reading) Move(ctx context.Context, r *tree.Reader, n *tree.Node, to int64, o edit.Options) ([]source.Splice, error) {
	return Move(ctx, f, r, n, to, o)
}

// Types implements edit.Editor: the datatypes of the format, where no schema gives
// one.
func (f *Reading) Types(r *tree.Reader, n *tree.Node) []string { return Types(f, r, n) }

// Retyped implements edit.Editor.
func (f *Reading) Retyped(ctx context.Context, r *tree.Reader, n *tree.Node, name string) (string, error) {
	return Retyped(ctx, f, r, n, name)
}

// Repair implements edit.Repairer.
func (f *Reading) Repair(ctx context.Context, r *tree.Reader, n *tree.Node, p *span.Problem) (edit.Repair, error) {
	return Repair(ctx, f, r, n, p)
}

// Suspects implements diagnose.Suspecter.
func (f *Reading) Suspects(w *source.Window, parent *tree.Value, slot tree.Slot, v *tree.Value, try func(diagnose.Suspect) bool) {
	Suspects(f, w, parent, slot, v, try)
}

// Recount implements diagnose.Suspecter.
func (f *Reading) Recount(w *source.Window, _, v *tree.Value, n int64) (diagnose.Suspect, bool) {
	return Recount(f, w, v, n)
}

// Resize implements diagnose.Suspecter: nothing in a block says where it ends.
func (f *Reading) Resize(*source.Window, *tree.Value, *tree.Value, int64) (diagnose.Suspect, bool) {
	return diagnose.Suspect{}, false
}

// Odd implements diagnose.Suspecter.
func (f *Reading) Odd(w *source.Window, _ *tree.Value, slot tree.Slot, v *tree.Value) int {
	return Odd(f, w, slot, v)
}

// HeadBytes implements diagnose.Headed: those of the two magics, and the numbers of a
// version.
func (f *Reading) HeadBytes() []byte { return []byte("\x00\x01\x02\x03\x04\x05ATMCPEL") }
