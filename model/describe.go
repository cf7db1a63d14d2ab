package model

import (
	"strings"

	"varview/decoder/span"
	"varview/decoder/tree"
)

// A Description says what is under the cursor.
type Description struct {
	Path    string // of the value that owns the byte
	Type    string // of that value: "Vector3"
	Value   span.Span
	Pending bool // nothing is known yet; it waits for the index
	Field   span.Field
	Meaning string // the field, decoded
	Problem string // the worst problem of the field, or of the selected value
}

// Describe tells what is under the cursor. Values are cut to about limit bytes.
func (x *Explorer) Describe(limit int) Description {
	n, f := x.owner, x.field
	if n == nil {
		return Description{Pending: x.Doc.Size() > 0}
	}
	d := Description{Path: x.Path(n), Field: f, Value: span.Between(n.Start, n.End)}
	format, w := x.Doc.Tree.Format, x.read.Window()
	if n.Depth > 0 {
		d.Type = string(format.AppendType(nil, w, &n.Value))
	}
	if f.Length > 0 {
		cut := f
		cut.Length = min(cut.Length, int64(limit))
		d.Meaning = string(format.AppendField(nil, w, &n.Value, cut))
	}
	from, to := x.Selected()
	if f.Length > 0 {
		if p, ok := x.Doc.WorstIn(f.Offset, f.End()); ok {
			d.Problem = p.Severity.String() + ": " + p.Message
			return d
		}
	}
	if p, ok := x.Doc.WorstIn(from, to); ok {
		d.Problem = p.Severity.String() + ": " + p.Message
	}
	return d
}

// Path is the path of a value for people: where it stands deeper than shownDepth
// levels only the last of them are written.
func (x *Explorer) Path(n *tree.Node) string {
	const shownDepth = 64
	if n.Depth <= shownDepth {
		budget := x.read.Budget
		x.read.Budget = budget / 10 // numbering repeated keys is not worth more
		defer func() { x.read.Budget = budget }()
		return x.read.Path(n)
	}
	steps := make([]string, shownDepth)
	for i := shownDepth - 1; i >= 0; i, n = i-1, n.Parent {
		steps[i] = x.read.Step(n)
	}
	return "$…" + strings.Join(steps, "")
}

// A Mark is a field in a range of bytes.
type Mark struct {
	span.Span
	Kind span.Kind
}

// Marks appends the fields that have bytes in [from, to). Where the file is not
// read that far yet they end early.
func (x *Explorer) Marks(marks []Mark, from, to int64) []Mark {
	x.read.EachFieldIn(from, min(to, x.Doc.Size()), func(f span.Field) {
		marks = append(marks, Mark{f.Span, f.Kind})
	})
	return marks
}

// Bytes reads the bytes [from, from+len(dst)) and returns how many there are.
func (x *Explorer) Bytes(dst []byte, from int64) int {
	n, _ := x.Doc.src.ReadAt(dst, from)
	return n
}
