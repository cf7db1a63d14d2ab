package wrap

import (
	"context"
	"encoding/json"
	"io"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// A part is a child of the buffer that is described when the wrapper is opened.
type part struct {
	name string
	span.Span
	fields   []span.Field
	text     string // what its row shows
	problems []finding
}

// put appends a field behind the last one. What would lie behind limit is a gap
// instead, and false is returned.
func (p *part) put(n, limit int64, kind span.Kind, label string) bool {
	fits := p.End()+n <= limit
	if !fits {
		n, kind, label = limit-p.End(), span.Gap, "gap"
	}
	if n > 0 {
		p.fields = append(p.fields, span.Field{Span: span.Span{Offset: p.End(), Length: n}, Kind: kind, Label: label})
		p.Length += n
	}
	return fits
}

func (p *part) fail(at span.Span, code, message, engine string) *finding {
	return p.add(span.Problem{Span: at, Severity: span.Error, Code: code, Message: message, Engine: engine})
}

func (p *part) warn(at span.Span, code, message, engine string) *finding {
	return p.add(span.Problem{Span: at, Severity: span.Warning, Code: code, Message: message, Engine: engine})
}

// add notes a problem; what is returned is good until the next one.
func (p *part) add(problem span.Problem) *finding {
	p.problems = append(p.problems, finding{Problem: problem})
	return &p.problems[len(p.problems)-1]
}

// format describes a wrapper of a few parts. It implements tree.Reading.
type format struct {
	common
	layer *Layer
	about any // what WriteJSON writes
	parts []part
}

var _ tree.Reading = (*format)(nil)

// Root implements tree.Reading.
func (f *format) Root(size int64, region span.Span) tree.Value {
	v := tree.Value{Body: region.Offset, Limit: region.End(), Fenced: true}
	v.Contain(tree.Sequence, int64(len(f.parts)), 0)
	v.End = size
	return v
}

// Read implements tree.Reading.
func (f *format) Read(w *source.Window, parent *tree.Value, slot tree.Slot, off int64, v *tree.Value) {
	p := &f.parts[slot.Index]
	*v = tree.Value{Start: off, Head: off, Body: off, Limit: parent.Limit, Type: tPart, Sub: uint32(slot.Index)}
	v.Close(off + p.Length)
}

// Inspect implements tree.Reading.
func (f *format) Inspect(w *source.Window, parent *tree.Value, slot tree.Slot, v *tree.Value, report func(span.Problem)) {
	if v.Type != tPart {
		return
	}
	for _, p := range f.parts[v.Sub].problems {
		report(p.Problem)
	}
}

// Fields implements tree.Reading.
func (f *format) Fields(w *source.Window, parent, v *tree.Value, fields []span.Field) []span.Field {
	if v.Type == tBase {
		return leadingGap(fields, v)
	}
	return append(fields, f.parts[v.Sub].fields...)
}

// AppendLiteral implements tree.Reading.
func (f *format) AppendLiteral(dst []byte, r *tree.Reader, v *tree.Value, limit int) []byte {
	if v.Type == tBase {
		return appendCut(dst, f.layer.Title, limit)
	}
	return appendCut(dst, f.parts[v.Sub].text, limit)
}

// WriteText implements tree.Reading: it writes what the wrapper is, whatever v.
func (f *format) WriteText(ctx context.Context, out io.Writer, r *tree.Reader, v *tree.Value) error {
	_, err := io.WriteString(out, f.layer.Title)
	return err
}

// WriteJSON implements tree.Reading: it writes what the wrapper is, whatever v.
func (f *format) WriteJSON(ctx context.Context, out io.Writer, r *tree.Reader, v *tree.Value) error {
	return writeJSON(out, f.about)
}

func writeJSON(out io.Writer, v any) error {
	b, err := json.Marshal(v)
	if err == nil {
		_, err = out.Write(b)
	}
	return err
}

// AppendType implements tree.Reading.
func (f *format) AppendType(dst []byte, w *source.Window, v *tree.Value) []byte {
	return append(dst, f.TypeName(v)...)
}

// TypeName implements tree.Reading.
func (f *format) TypeName(v *tree.Value) string {
	if v.Type == tBase {
		return f.layer.Kind.String()
	}
	return f.parts[v.Sub].name
}

// reject makes l a layer whose bytes are no such wrapper.
func (l *Layer) reject(what, message string) {
	l.Title = what
	l.miss(Unrecognized, message)
	p := part{name: "header", Span: span.Span{Offset: l.Region.Offset}}
	p.put(l.Region.Length, l.Region.End(), span.Gap, "gap")
	p.fail(p.Span, Unrecognized, message, "loading fails (ERR_FILE_UNRECOGNIZED)")
	l.Format = &format{layer: l, about: about{Wrapper: l.Kind.String()}, parts: []part{p}}
}

// about is what WriteJSON writes of any wrapper.
type about struct {
	Wrapper string `json:"wrapper"`
	Size    *int64 `json:"payload_size,omitempty"`
}

// describe is about with the size of the payload, where there is one.
func (l *Layer) describe() about {
	a := about{Wrapper: l.Kind.String()}
	if l.Payload != nil {
		size := l.Payload.Size()
		a.Size = &size
	}
	return a
}
