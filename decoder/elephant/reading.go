package elephant

import (
	"context"
	"io"

	"varview/decoder/diagnose"
	"varview/decoder/edit"
	"varview/decoder/elephant/internal/block"
	"varview/decoder/elephant/internal/damage"
	blockedit "varview/decoder/elephant/internal/edit"
	"varview/decoder/elephant/internal/json"
	"varview/decoder/elephant/internal/literal"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

var (
	_ tree.Looker        = (*Reading)(nil)
	_ tree.LiteralWriter = (*Reading)(nil)
	_ tree.JSONWriter    = (*Reading)(nil)
	_ edit.Editor        = (*Reading)(nil)
	_ edit.Repairer      = (*Reading)(nil)
	_ diagnose.Suspecter = (*Reading)(nil)
	_ diagnose.Headed    = (*Reading)(nil)
)

// A Reading reads one block. What the block means depends on which constructors have been
// named earlier in it. A Reading learns that while it reads.
type Reading struct {
	block.Reading // reads, lists fields, inspects, passes, learns
}

// Fork implements tree.Resyncer.
func (f *Reading) Fork(before int64, strict bool) tree.Reading {
	fork, _ := block.Of(f.Reading.Fork(before, strict))
	return &Reading{*fork}
}

// Edited implements tree.Learner. The rules stay the same, whatever the header is now.
func (f *Reading) Edited(src source.Source, region span.Span) tree.Learner {
	edited, _ := block.Of(f.Reading.Edited(src, region))
	return &Reading{*edited}
}

// AppendLiteral implements tree.LiteralWriter.
func (f *Reading) AppendLiteral(dst []byte, r *tree.Reader, v *tree.Value, limit int) []byte {
	return literal.Append(dst, &f.Reading, r, v, limit)
}

// WriteText implements tree.LiteralWriter.
func (f *Reading) WriteText(ctx context.Context, out io.Writer, r *tree.Reader, v *tree.Value) error {
	return literal.Write(ctx, &f.Reading, out, r, v)
}

// WriteUnlinked implements format.Linked.
func (f *Reading) WriteUnlinked(ctx context.Context, out io.Writer, r *tree.Reader, v *tree.Value) error {
	return literal.WriteUnlinked(ctx, &f.Reading, out, r, v)
}

// WriteJSON implements tree.JSONWriter, in the form of ElephantToJSON of Elephant 1.5.1.
func (f *Reading) WriteJSON(ctx context.Context, out io.Writer, r *tree.Reader, v *tree.Value) error {
	return json.Write(ctx, &f.Reading, out, r, v)
}

// WriteTyped writes a value in the typed form (section 13 of the specification), in
// file order and without loss.
func (f *Reading) WriteTyped(ctx context.Context, out io.Writer, r *tree.Reader, v *tree.Value) error {
	return json.WriteTyped(ctx, &f.Reading, out, r, v)
}

// Set implements edit.Editor.
func (f *Reading) Set(ctx context.Context, r *tree.Reader, n *tree.Node, c edit.Content, o edit.Options) ([]source.Splice, error) {
	return blockedit.Set(ctx, &f.Reading, r, n, c, o)
}

// Insert puts a value into parent; see edit.Editor. In a struct with a schema it stores a
// member that was left out: the one that Content.Key names or, without a key, the one at
// the index.
func (f *Reading) Insert(ctx context.Context, r *tree.Reader, parent *tree.Node, index int64, c edit.Content, o edit.Options) ([]source.Splice, error) {
	return blockedit.Insert(ctx, &f.Reading, r, parent, index, c, o)
}

// Delete implements edit.Editor.
func (f *Reading) Delete(ctx context.Context, r *tree.Reader, n *tree.Node, o edit.Options) ([]source.Splice, error) {
	return blockedit.Delete(ctx, &f.Reading, r, n, o)
}

// Move implements edit.Editor.
func (f *Reading) Move(ctx context.Context, r *tree.Reader, n *tree.Node, to int64, o edit.Options) ([]source.Splice, error) {
	return blockedit.Move(ctx, &f.Reading, r, n, to, o)
}

// Types implements edit.Editor: the datatypes of the format, unless a schema gives one.
func (f *Reading) Types(r *tree.Reader, n *tree.Node) []string {
	return blockedit.Types(&f.Reading, r, n)
}

// Retyped implements edit.Editor.
func (f *Reading) Retyped(ctx context.Context, r *tree.Reader, n *tree.Node, name string) (string, error) {
	return blockedit.Retyped(ctx, &f.Reading, r, n, name)
}

// Repair implements edit.Repairer.
func (f *Reading) Repair(ctx context.Context, r *tree.Reader, n *tree.Node, p *span.Problem) (edit.Repair, error) {
	return damage.Repair(ctx, &f.Reading, r, n, p)
}

// Suspects implements diagnose.Suspecter.
func (f *Reading) Suspects(w *source.Window, parent *tree.Value, slot tree.Slot, v *tree.Value, try func(diagnose.Suspect) bool) {
	damage.Suspects(&f.Reading, w, parent, slot, v, try)
}

// Recount implements diagnose.Suspecter.
func (f *Reading) Recount(w *source.Window, _, v *tree.Value, n int64) (diagnose.Suspect, bool) {
	return damage.Recount(&f.Reading, w, v, n)
}

// Resize implements diagnose.Suspecter: nothing in a block says where it ends.
func (f *Reading) Resize(*source.Window, *tree.Value, *tree.Value, int64) (diagnose.Suspect, bool) {
	return diagnose.Suspect{}, false
}

// Oddness implements diagnose.Suspecter.
func (f *Reading) Oddness(w *source.Window, parent *tree.Value, slot tree.Slot, v *tree.Value) int {
	return damage.Oddness(&f.Reading, w, parent, slot, v)
}

// HeadChanges implements diagnose.Headed.
func (f *Reading) HeadChanges() (all []diagnose.HeadChange) {
	for _, slip := range f.Header.Slips {
		all = append(all, diagnose.HeadChange{Span: slip.Span, New: slip.New})
	}
	return all
}

// Lost implements diagnose.Loser.
func (f *Reading) Lost(w *source.Window, v *tree.Node, at int64, n int, try func(lost []byte, sure int, counted bool) bool) {
	damage.Lost(&f.Reading, w, v, at, n, try)
}
