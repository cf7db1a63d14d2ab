// Package part describes the bytes of a wrapper itself: parts with fields, and the problems of each.
package part

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// A Part is a child of the buffer that is described when the wrapper is opened.
type Part struct {
	Name string
	span.Span
	Fields   []span.Field
	Text     string // text of its row
	Problems []Problem
}

// At returns a part without bytes at an offset.
func At(name string, off int64) Part { return Part{Name: name, Span: span.Span{Offset: off}} }

// Put appends a field after the last one. If it would extend beyond limit, it appends a gap
// instead and returns false.
func (p *Part) Put(n, limit int64, kind span.Kind, label string) bool {
	fits := p.End()+n <= limit
	if !fits {
		n, kind, label = limit-p.End(), span.Gap, "gap"
	}
	if n > 0 {
		p.Fields = append(p.Fields, span.Field{Span: span.Span{Offset: p.End(), Length: n}, Kind: kind, Label: label})
		p.Length += n
	}
	return fits
}

// Fail adds an error. The result is valid until the next problem is added.
func (p *Part) Fail(at span.Span, code, message, engine string) *Problem {
	return p.add(span.Problem{Span: at, Severity: span.Error, Code: code, Message: message, Engine: engine})
}

// Warn adds a warning, as Fail adds an error.
func (p *Part) Warn(at span.Span, code, message, engine string) *Problem {
	return p.add(span.Problem{Span: at, Severity: span.Warning, Code: code, Message: message, Engine: engine})
}

// Note adds a note, as Fail adds an error.
func (p *Part) Note(at span.Span, code, message, engine string) *Problem {
	return p.add(span.Problem{Span: at, Severity: span.Note, Code: code, Message: message, Engine: engine})
}

func (p *Part) add(problem span.Problem) *Problem {
	p.Problems = append(p.Problems, Problem{Problem: problem})
	return &p.Problems[len(p.Problems)-1]
}

// Spare describes the bytes in the region after the end of a wrapper; ok is false if there are none.
func Spare(end int64, region span.Span) (p Part, ok bool) {
	p = At("gap", end)
	if end >= region.End() {
		return p, false
	}
	p.Put(region.End()-end, region.End(), span.Gap, "gap")
	p.Text = span.Bytes(p.Length)
	what := p.Text + " after the end"
	p.Warn(p.Span, span.TrailingBytes, p.Text+" left over after the end", "ignored").
		RepairBy("delete the "+what, TakeOut(p.Span)).Loss = "the " + what
	return p, true
}

// IsNot returns the message about a wrong signature, and the splice that corrects it.
func IsNot(is, want string, at int64) (message, repair string, splice source.Splice) {
	return fmt.Sprintf("%s is here instead of %s", Quoted([]byte(is)), want), "write " + want, source.Put(at, int64(len(want)), []byte(want))
}

// Types of values in a wrapper's tree, as Type of a tree.Value. A wrapper's own types follow them.
const (
	Base  uint16 = iota // the buffer itself
	Own                 // a part with fields of its own; Sub is its index
	First               // the first type that a wrapper defines itself
)

// Plain implements what the readings of all wrappers share.
type Plain struct{}

// AppendStep implements tree.Stepper: all paths are $.
func (Plain) AppendStep(dst []byte, r *tree.Reader, parent *tree.Value, slot tree.Slot, key *tree.Value) []byte {
	return dst
}

// AppendField implements tree.Reading.
func (Plain) AppendField(dst []byte, w *source.Window, v *tree.Value, field span.Field) []byte {
	if field.Kind == span.Magic || field.Kind == span.Text { // no longer than a piece of text
		return tree.AppendEscaped(dst, w.View(field.Offset, field.Length), 0)
	}
	return tree.AppendData(dst, w, field.Span)
}

// LeadingGap appends the field of the bytes before the region of a buffer.
func LeadingGap(fields []span.Field, v *tree.Value) []span.Field {
	if v.Body == 0 {
		return fields
	}
	return append(fields, span.Field{Span: span.Between(0, v.Body), Kind: span.Gap, Label: "gap"})
}

// AppendCut appends text of at most limit bytes; longer text ends with "…".
func AppendCut(dst []byte, text string, limit int) []byte {
	const more = "…"
	if len(text) <= limit {
		return append(dst, text...)
	}
	n := max(0, limit-len(more))
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return append(append(dst, text[:n]...), more...)
}

// Quoted returns the first characters of a text in quotes.
func Quoted(text []byte) string {
	const most = 16
	if len(text) > most {
		return string(tree.AppendQuoted(nil, text[:most])) + "…"
	}
	return string(tree.AppendQuoted(nil, text))
}

// A Problem is a problem of a wrapper's own bytes, with its repair if that is known.
type Problem struct {
	span.Problem
	Splices []source.Splice
	Loss    string // loss as in an edit.Repair
}

// RepairBy says how the problem is repaired, and by which splices.
func (p *Problem) RepairBy(how string, splices ...source.Splice) *Problem {
	p.Repair, p.Splices = how, splices
	return p
}

// CanRepair reports whether p is the problem that was reported, and has a repair.
func (p *Problem) CanRepair(reported *span.Problem) bool {
	return p.Repair != "" && p.Code == reported.Code && p.Span == reported.Span && p.Repair == reported.Repair
}

// AsRepair returns the repair of the problem.
func (p *Problem) AsRepair() edit.Repair {
	return edit.Repair{Splices: slices.Clone(p.Splices), Loss: p.Loss}
}

// ErrNoRepair is the error of a problem that has no repair.
var ErrNoRepair = errors.New("there is no repair for this")

// Put32 returns a splice that replaces the little-endian number at off.
func Put32(off int64, v uint32) source.Splice {
	return source.Put(off, 4, binary.LittleEndian.AppendUint32(nil, v))
}

// TakeOut returns a splice that deletes bytes.
func TakeOut(at span.Span) source.Splice { return source.Splice{Span: at} }

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

// Root returns a buffer with values in its region. count is their number or tree.Unknown, least the
// smallest size of a value in bytes.
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

// AppendField implements tree.Reading. A number is what the text of its part says.
func (d *Reading) AppendField(dst []byte, w *source.Window, v *tree.Value, field span.Field) []byte {
	if isNumber := field.Kind == span.Length || field.Kind == span.Value; isNumber && v.Type == Own {
		if p := &d.Parts[v.Sub]; len(p.Fields) == 1 && len(p.Text) > 0 && strings.Trim(p.Text, "0123456789") == "" {
			return append(dst, p.Text...)
		}
	}
	return d.Plain.AppendField(dst, w, v, field)
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

// WriteText implements tree.LiteralWriter: it writes the title of the wrapper, whatever v.
func (d *Reading) WriteText(ctx context.Context, out io.Writer, r *tree.Reader, v *tree.Value) error {
	_, err := io.WriteString(out, d.Title)
	return err
}

// WriteJSON implements tree.JSONWriter: it writes About, whatever v.
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

// About has the members that WriteJSON writes for any wrapper.
type About struct {
	Wrapper string `json:"wrapper"`
	Size    *int64 `json:"payload_size,omitempty"`
}
