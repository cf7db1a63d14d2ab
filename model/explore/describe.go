package explore

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/model"
	"varview/model/inspect"
	"varview/model/literals"
)

// A Description describes what the cursor is on: a value while it moves by rows, otherwise a byte.
type Description struct {
	Path    string // path of the value, or of the one that owns the byte; for a part of a wrapper, its name
	Type    string // type of that value: "Vector3"
	Value   span.Span
	Pending bool         // nothing is known until the index has come here
	NoBytes bool         // the value takes no bytes
	Packed  bool         // Value is that of the one around it from which it is unpacked
	Notes   []string     // notes about a value: its schema, what it refers to, what refers to it
	Fields  []span.Field // fields of a value that its children do not own
	Each    string       // size of a value with elements of one size: "3 × 4 bytes"
	Field   span.Field   // of a byte
	Meaning string       // the value as a literal, or the byte's field decoded
	Problem string       // the worst problem of the value or field; "" if there is none

	Severity span.Severity // of the problem
}

// Describe describes what the cursor is on. Meanings are cut to about limit bytes.
func (x *Explorer) Describe(limit int) Description {
	if !x.inBytes && x.row != nil && x.row.Depth > 0 {
		return x.describeValue(x.row, limit)
	}
	n := x.owner
	if n == nil {
		return Description{Pending: x.Buffer.Size() > 0}
	}
	d := x.describe(n)
	f := x.field
	d.Field = f
	if f.Length == 0 {
		return d
	}
	if f.Label == unreadable {
		d.Meaning = couldNotUnpack
	} else {
		d.Meaning = x.fieldText(n, f, limit)
	}
	x.addProblem(&d, f.Offset, f.End())
	return d
}

// fieldText returns the meaning of a field of a value.
func (x *Explorer) fieldText(n *tree.Node, f span.Field, limit int) string {
	f.Length = min(f.Length, int64(limit))
	defer x.read.Window().TakeHole() // of a value that is partly lost
	return string(x.Buffer.Tree().Reading.AppendField(nil, x.read.Window(), &n.Value, f))
}

// describe fills in what the descriptions of values and bytes have in common.
func (x *Explorer) describe(n *tree.Node) Description {
	in := x.Buffer.Holder(n)
	d := Description{Path: x.Path(n), Value: span.Between(x.read.BehindGap(in), in.End), NoBytes: in.Start == in.End, Packed: in != n}
	if n.Depth > 0 {
		d.Type = x.typeText(n)
	}
	if x.Buffer.IsPart(&n.Value) { // it has no path
		d.Path, d.Type = d.Type, ""
		if n.Depth == 0 {
			d.Path = x.Buffer.Title()
		}
	}
	return d
}

func (x *Explorer) typeText(n *tree.Node) string {
	if isUnreadable(n) {
		return unreadable
	}
	return string(x.Buffer.Tree().AppendType(nil, x.read.Window(), &n.Value))
}

func (x *Explorer) describeValue(n *tree.Node, limit int) Description {
	d := x.describe(n)
	d.Fields = x.read.AppendFields(nil, n)
	d.Notes = x.notes(n, limit)
	for _, f := range d.Fields {
		if f.Kind == span.Schema {
			d.Notes = append([]string{schemaText(x.fieldText(n, f, limit))}, d.Notes...)
		}
	}
	if !n.Refers { // the notes say where it leads
		d.Meaning = x.literal(n, limit)
	}
	switch {
	case isUnreadable(n):
		d.Meaning = couldNotUnpack
	case x.isLeftOut(n):
		d.Meaning = notStored
	}
	if n.Layout == tree.Fixed && !n.Opaque {
		d.Each = fmt.Sprintf("%s × %s", span.Grouped(n.Count), span.Bytes(int64(n.Stride)))
	}
	from, to := x.Selected()
	x.addProblem(&d, from, to)
	if p := n.Damage; p != nil && d.Problem == "" { // the index has not come here, or the value has no bytes
		d.Problem, d.Severity = p.Severity.String()+": "+p.Message, p.Severity
	}
	if isWithoutSchema(n) && n.Damage.Severity < span.Error { // what can be done goes before why
		d.Problem, d.Severity = x.missingSchema(n), n.Damage.Severity
	}
	return d
}

// couldNotUnpack is the meaning of bytes in a hole.
const couldNotUnpack = "these bytes could not be unpacked"

// schemaText explains a schema version: "schema version 3", "schema version 2
// verbose", "verbose".
func schemaText(version string) string {
	if version != "" && version[0] >= '0' && version[0] <= '9' {
		return "schema version " + version
	}
	return version
}

// addProblem adds the worst problem that begins in [from, to).
func (x *Explorer) addProblem(d *Description, from, to int64) {
	if p, ok := x.Buffer.WorstIn(from, to); ok {
		d.Problem, d.Severity = p.Severity.String()+": "+p.Message, p.Severity
	}
}

// Path returns the path of a value for people. For a value deeper than shownDepth levels it contains only
// the last of them.
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
	Kind  span.Kind
	InKey bool // it belongs to the key of an entry
}

// Marks appends the fields that have bytes in [from, to). They end early where the file has not been read
// yet.
func (x *Explorer) Marks(marks []Mark, from, to int64) []Mark {
	x.read.EachFieldIn(from, min(to, x.Buffer.Size()), func(f span.Field, inKey bool) {
		marks = append(marks, Mark{f.Span, f.Kind, inKey})
	})
	return marks
}

// Bytes reads the bytes [from, from+len(dst)). It returns their number, and the spans that cannot be read
// because a wrapper could not be unpacked.
func (x *Explorer) Bytes(dst []byte, from int64) (n int, holes []span.Span) {
	return source.ReadAround(x.Buffer.Tree().Source, dst, from)
}

// HintAt returns a hint about what can be typed in place of the literal of a value; n is nil for a new one.
func (x *Explorer) HintAt(n *tree.Node, literal string, isText bool) string {
	starts := func(with string) bool { return literal != "" && strings.Contains(with, literal[:1]) }
	switch {
	case isText:
		return "what you type is the text; ctrl+t shows it as a literal, with quotes"
	case literal == "true" || literal == "false":
		return "true or false; in the tree the space bar switches it"
	case x.Buffer.Document().Hints().Prefixed:
		return x.Buffer.Document().Hints().Literal
	case strings.HasPrefix(literal, "Color("):
		return "red, green, blue, alpha from 0 to 1; or #rrggbb, #rrggbbaa"
	case literal == "inf", literal == "nan", starts("-0123456789") && strings.ContainsAny(literal, ".en"):
		return "a float: 1.5, -2e9"
	case starts("-0123456789"):
		return "a number: 42, -7, 0x1f, 0b101"
	case starts("[{"), strings.HasSuffix(literal, ")"):
		if parts := x.parts(n, ""); parts != nil {
			return "in this order: " + strings.Join(parts, ", ")
		}
		return "a literal like the current one"
	}
	return x.Buffer.Document().Hints().Literal
}

// parts returns the paths of the numbers in a value that always has the same ones, such as x.x and origin.y, after a
// prefix; nil for other values.
func (x *Explorer) parts(n *tree.Node, prefix string) (paths []string) {
	const most = 16
	if n == nil || n.Layout != tree.Fixed || n.Count > most {
		return nil
	}
	for i := range n.Count {
		c, err := x.read.Child(n, i)
		if err != nil {
			return nil
		}
		name, isNamed := strings.CutPrefix(x.read.Step(c), ".")
		if !isNamed {
			return nil
		}
		inner := x.parts(c, prefix+name+".")
		if inner == nil {
			inner = []string{prefix + name}
		}
		paths = append(paths, inner...)
	}
	return paths
}

// inspected is the number of bytes that the inspector reads: the size of the widest kind.
const inspected = 8

// An Inspection is what can be said about the place of the cursor: the selected value, and what its bytes
// could be.
type Inspection struct {
	Value *tree.Node // the selected value; nil if there is none
	Description
	Key     string // literal of its key; "" if it has none
	Literal string // cut to a limit
	JSON    string // cut to a limit; "" if it takes too long to work out at once
	At      int64  // offset of the bytes: under the cursor or, for a selected row, of the value's content
	Bytes   []byte // bytes at the cursor: at most 8, fewer at the end or before a hole

	own *inspect.Interpretation // how the value itself is read at these bytes, nil where they are not a number of its own
	big bool
}

// Owns reports whether the value itself is read in this way.
func (i *Inspection) Owns(k *inspect.Interpretation, big bool) bool {
	return i.own == k && (!k.Both || i.big == big)
}

// Inspect describes the place of the cursor and the bytes at offset at, or at the cursor if at is
// negative. Texts are cut to about limit bytes.
func (x *Explorer) Inspect(at int64, limit int) Inspection {
	i := Inspection{At: x.Inspected()}
	if n := x.Subject(); n != nil && n.Depth > 0 {
		i.Value, i.Description = n, x.describeValue(n, limit)
		if at >= 0 {
			i.At = at
		}
		if !x.Buffer.IsPart(&n.Value) {
			x.inspectValue(&i, limit)
		}
	}
	i.Bytes = make([]byte, max(0, min(inspected, x.Buffer.Size()-i.At)))
	n, holes := x.Bytes(i.Bytes, i.At)
	if len(holes) > 0 {
		n = min(n, int(max(0, holes[0].Offset-i.At)))
	}
	i.Bytes = i.Bytes[:n]
	return i
}

// Inspected returns the offset of the bytes that Inspect reads: of the content of the selected value, after its header, or of
// the byte under the cursor.
func (x *Explorer) Inspected() int64 {
	n := x.Subject()
	if x.inBytes || n == nil || n.Depth == 0 {
		return x.offset
	}
	if l := x.read.Look(&n.Value); l.Form == tree.FormNumber && l.Number.At.Length > 0 {
		return l.Number.At.Offset
	}
	for _, f := range x.read.AppendFields(nil, n) {
		if f.Kind == span.Value || f.Kind == span.Text || f.Kind == span.Data {
			return f.Offset
		}
	}
	if n.Layout != tree.Leaf && n.Body < x.Buffer.Size() && x.read.Count(n) != 0 {
		return n.Body
	}
	return x.offset
}

// maxShownJSON is the size in bytes of the largest value whose JSON is worked out while a frame is drawn.
const maxShownJSON = 4 << 10

func (x *Explorer) inspectValue(i *Inspection, limit int) {
	n := i.Value
	if l := x.read.Look(&n.Value); l.Form == tree.FormNumber && l.Number.At.Offset == i.At {
		i.own, i.big = inspect.OfNumber(l.Number), l.Number.Big
	}
	if key := x.read.Key(n); key != nil {
		i.Key = x.literal(key, limit)
	}
	i.Literal = x.literal(n, limit)
	if n.End == tree.Unknown || n.End-n.Start > maxShownJSON || n.Damage != nil {
		return
	}
	out := literals.Short{Most: limit}
	if err := x.read.WriteJSON(context.Background(), &out, &n.Value); err == nil || errors.Is(err, literals.ErrLong) {
		i.JSON = strings.TrimSpace(out.String())
	}
	x.read.Window().TakeHole()
}

// JSON returns a whole value in the JSON form of its format. It fails if the JSON is too long to be
// copied. It may run in the background.
func (x *Explorer) JSON(ctx context.Context, n *tree.Node) (string, error) {
	var out literals.Short
	err := x.Buffer.Tree().NewReader().WriteJSON(ctx, &out, &n.Value)
	if errors.Is(err, literals.ErrLong) {
		err = errors.New("the JSON of this value is too long to be copied: export writes it")
	}
	return strings.TrimSpace(out.String()), err
}

// PutRead puts b, what was typed as one way to read the bytes, in place of n bytes at off.
// The cursor stays where it is.
func (x *Explorer) PutRead(k *inspect.Interpretation, off, n int64, b []byte) (model.Intention, error) {
	if int64(len(b)) != n {
		return model.Intention{}, fmt.Errorf("this takes %s, and there is room for %d", span.Bytes(int64(len(b))), n)
	}
	return x.staying(fmt.Sprintf("set %s at %#x", k.Name, off), func(_ context.Context, t *model.Transaction) error { return t.Bytes(off, n, b) }), nil
}
