package godot

import (
	"context"
	"io"

	"varview/decoder/godot/internal/json"
	"varview/decoder/godot/internal/literal"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

var (
	_ tree.Reading       = (*Format)(nil)
	_ tree.Inspector     = (*Format)(nil)
	_ tree.Passer        = (*Format)(nil)
	_ tree.Stepper       = (*Format)(nil)
	_ tree.LiteralWriter = (*Format)(nil)
	_ tree.JSONWriter    = (*Format)(nil)
	_ tree.TypeWriter    = (*Format)(nil)
	_ tree.EngineModel   = (*Format)(nil)
	_ tree.Keyed         = (*Format)(nil)
	_ tree.Remedier      = (*Format)(nil)
	_ tree.Resyncer      = (*Format)(nil)
)

// Root implements tree.Reading.
func (f *Format) Root(size int64, region span.Span) tree.Value {
	return f.Variant().Root(size, region)
}

// Read implements tree.Reading.
func (f *Format) Read(w *source.Window, parent *tree.Value, slot tree.Slot, off int64, v *tree.Value) {
	f.Variant().Read(w, parent, slot, off, v)
}

// Fields implements tree.Reading.
func (f *Format) Fields(w *source.Window, parent, v *tree.Value, fields []span.Field) []span.Field {
	return f.Variant().Fields(w, parent, v, fields)
}

// AppendField implements tree.Reading.
func (f *Format) AppendField(dst []byte, w *source.Window, v *tree.Value, field span.Field) []byte {
	return f.Variant().AppendField(dst, w, v, field)
}

// TypeName implements tree.Reading.
func (f *Format) TypeName(v *tree.Value) string { return f.Variant().TypeName(v) }

// AppendType implements tree.TypeWriter.
func (f *Format) AppendType(dst []byte, w *source.Window, v *tree.Value) []byte {
	return f.Variant().AppendType(dst, w, v)
}

// Inspect implements tree.Inspector.
func (f *Format) Inspect(w *source.Window, parent *tree.Value, slot tree.Slot, v *tree.Value, report func(span.Problem)) {
	f.Variant().Inspect(w, parent, slot, v, report)
}

// Pass implements tree.Passer.
func (f *Format) Pass(w *source.Window, parent *tree.Value, s *tree.Stretch) {
	f.Variant().Pass(w, parent, s)
}

// AppendStep implements tree.Stepper.
func (f *Format) AppendStep(dst []byte, r *tree.Reader, parent *tree.Value, slot tree.Slot, key *tree.Value) []byte {
	return f.Variant().AppendStep(dst, r, parent, slot, key)
}

// AppendLiteral implements tree.LiteralWriter.
func (f *Format) AppendLiteral(dst []byte, r *tree.Reader, v *tree.Value, limit int) []byte {
	return literal.Append(f.Variant(), dst, r, v, limit)
}

// WriteText implements tree.LiteralWriter.
func (f *Format) WriteText(ctx context.Context, out io.Writer, r *tree.Reader, v *tree.Value) error {
	return literal.Write(ctx, f.Variant(), out, r, v)
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

// Nesting implements tree.EngineModel.
func (f *Format) Nesting() (levels int, engine string) { return f.Variant().Nesting() }

// Shortage implements tree.EngineModel.
func (f *Format) Shortage() string { return f.Variant().Shortage() }

// RepeatedKey implements tree.Keyed.
func (f *Format) RepeatedKey(w *source.Window, key *tree.Value) span.Problem {
	return f.Variant().RepeatedKey(w, key)
}

// Remedy implements tree.Remedier.
func (f *Format) Remedy(parent, v *tree.Value, p *span.Problem) string {
	return f.Variant().Remedy(parent, v, p)
}

// Fork implements tree.Resyncer. A Format learns nothing.
func (f *Format) Fork(int64, bool) tree.Reading { return f }

// IsPlausibleStart implements tree.Resyncer.
func (f *Format) IsPlausibleStart(w *source.Window, parent *tree.Value, slot tree.Slot, off, lost int64) bool {
	return f.Variant().IsPlausibleStart(w, parent, slot, off, lost)
}

// AcceptsAmbiguous implements tree.Resyncer. A count determines where a container ends,
// so that there is hardly ever more than one place.
func (f *Format) AcceptsAmbiguous() bool { return false }

// Resynced implements tree.Resyncer.
func (f *Format) Resynced(int64, int64) {}
