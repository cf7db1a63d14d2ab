package part

import (
	"context"
	"encoding/json"
	"io"

	"varview/decoder/edit"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// A Reading describes a wrapper of a few parts.
type Reading struct {
	Plain
	Name  string // of the wrapper's kind
	Title string
	About any // what WriteJSON writes
	Parts []Part
}

var (
	_ tree.Reading       = (*Reading)(nil)
	_ tree.Inspector     = (*Reading)(nil)
	_ tree.LiteralWriter = (*Reading)(nil)
	_ tree.JSONWriter    = (*Reading)(nil)
	_ edit.Repairer      = (*Reading)(nil)
)

// Root implements tree.Reading.
func (d *Reading) Root(size int64, region span.Span) tree.Value {
	return Root(size, region, int64(len(d.Parts)), 0)
}

// Root returns a buffer with values in its region. count is their number or tree.Unknown,
// least the smallest size of a value in bytes.
func Root(size int64, region span.Span, count int64, least uint16) tree.Value {
	v := tree.Value{Body: region.Offset, Limit: region.End(), Fenced: true}
	v.Contain(tree.Sequence, count, least)
	v.End = size
	return v
}

// Read implements tree.Reading.
func (d *Reading) Read(w *source.Window, parent *tree.Value, slot tree.Slot, off int64, v *tree.Value) {
	*v = tree.Value{Start: off, Head: off, Body: off, Limit: parent.Limit, Type: Own, Sub: uint32(slot.Index)}
	v.Close(off + d.Parts[slot.Index].Length)
}

// Inspect implements tree.Inspector.
func (d *Reading) Inspect(w *source.Window, parent *tree.Value, slot tree.Slot, v *tree.Value, report func(span.Problem)) {
	if v.Type != Own {
		return
	}
	for _, p := range d.Parts[v.Sub].Problems {
		report(p.Problem)
	}
}

// Fields implements tree.Reading.
func (d *Reading) Fields(w *source.Window, parent, v *tree.Value, fields []span.Field) []span.Field {
	if v.Type == Base {
		return LeadingGap(fields, v)
	}
	return append(fields, d.Parts[v.Sub].Fields...)
}

// TypeName implements tree.Reading.
func (d *Reading) TypeName(v *tree.Value) string {
	if v.Type == Base {
		return d.Name
	}
	return d.Parts[v.Sub].Name
}

// AppendLiteral implements tree.LiteralWriter.
func (d *Reading) AppendLiteral(dst []byte, r *tree.Reader, v *tree.Value, limit int) []byte {
	if v.Type == Base {
		return AppendCut(dst, d.Title, limit)
	}
	return AppendCut(dst, d.Parts[v.Sub].Text, limit)
}

// WriteText implements tree.LiteralWriter: it writes what the wrapper is, whatever v.
func (d *Reading) WriteText(ctx context.Context, out io.Writer, r *tree.Reader, v *tree.Value) error {
	_, err := io.WriteString(out, d.Title)
	return err
}

// WriteJSON implements tree.JSONWriter: it writes what the wrapper is, whatever v.
func (d *Reading) WriteJSON(ctx context.Context, out io.Writer, r *tree.Reader, v *tree.Value) error {
	b, err := json.Marshal(d.About)
	if err == nil {
		_, err = out.Write(b)
	}
	return err
}

// Repair implements edit.Repairer.
func (d *Reading) Repair(ctx context.Context, r *tree.Reader, n *tree.Node, p *span.Problem) (edit.Repair, error) {
	for i := range d.Parts {
		for j := range d.Parts[i].Problems {
			if known := &d.Parts[i].Problems[j]; known.CanRepair(p) {
				return known.AsRepair(), nil
			}
		}
	}
	return edit.Repair{}, ErrNoRepair
}

// About is what WriteJSON writes for any wrapper.
type About struct {
	Wrapper string `json:"wrapper"`
	Size    *int64 `json:"payload_size,omitempty"`
}
