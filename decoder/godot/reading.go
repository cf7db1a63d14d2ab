package godot

import (
	"context"
	"io"

	"varview/decoder/godot/internal/json"
	"varview/decoder/godot/internal/literal"
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
)

// AppendLiteral implements tree.LiteralWriter.
func (f *Format) AppendLiteral(dst []byte, r *tree.Reader, v *tree.Value, limit int) []byte {
	return literal.Append(f.Variant(), dst, r, v, limit)
}

// WriteText implements tree.LiteralWriter.
func (f *Format) WriteText(ctx context.Context, out io.Writer, r *tree.Reader, v *tree.Value) error {
	return literal.Write(ctx, f.Variant(), out, r, v)
}

// WriteLines implements tree.LineWriter.
func (f *Format) WriteLines(ctx context.Context, out io.Writer, r *tree.Reader) error {
	return literal.WriteLines(ctx, f.Variant(), out, r)
}

// WriteJSON implements tree.JSONWriter.
func (f *Format) WriteJSON(ctx context.Context, out io.Writer, r *tree.Reader, v *tree.Value) error {
	return json.Write(ctx, f.Variant(), out, r, v)
}

// Import reads what WriteJSON writes, or Godot's own JSON.from_native, and writes the
// bytes of it: one bare value, or for a stream the frames of a list. It holds one value
// in memory, or one frame. An error names line, byte and path of the JSON.
func (f *Format) Import(ctx context.Context, in io.Reader, out io.Writer) error {
	return json.Import(ctx, f.Variant(), in, out)
}

// Fork implements tree.Resyncer. A Format learns nothing.
func (f *Format) Fork(int64, bool) tree.Reading { return f }

// AcceptsAmbiguous implements tree.Resyncer. A count determines where a container ends,
// so that there is hardly ever more than one place.
func (f *Format) AcceptsAmbiguous() bool { return false }

// Resynced implements tree.Resyncer.
func (f *Format) Resynced(int64, int64) {}
