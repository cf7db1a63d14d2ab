package model

import (
	"strings"

	"varview/decoder/span"
	"varview/decoder/tree"
)

// A Row is one line of the tree.
type Row struct {
	Indent   int    // levels
	Foldable bool   // it can be folded and unfolded
	Open     bool   // it is unfolded
	Selected bool   //
	Label    string // key, index, name of the component
	Named    bool   // the label is a key of the game's, not an index
	Type     string // "Dictionary", "Array[int]"
	Value    string // "(4)", "87", `"Mira"`; control characters are escaped
	Preview  string // the beginning of what a container holds
	Kind     RowKind
	Problem  string // the worst problem that begins in the value, "" if none does
	Severity span.Severity
}

// RowKind says what the value of a row is, for its colour.
type RowKind uint8

const (
	RowOther     RowKind = iota
	RowText              // a string of some kind
	RowNumber            // numbers
	RowContainer         // values, counted
	RowGap               // bytes that nothing claims
)

// Rows returns the rows in view and whether more could follow once the file is
// read on. Values are cut to about limit bytes.
func (x *Explorer) Rows(limit int) (rows []Row, pending bool) {
	for _, n := range x.outline.rows {
		rows = append(rows, x.newRow(n, limit))
	}
	return rows, x.outline.stop != nil
}

func (x *Explorer) newRow(n *tree.Node, limit int) Row {
	r := Row{Indent: max(0, n.Depth-1), Selected: n.Same(x.row)}
	start, end := n.Start, n.End
	switch {
	case n.Depth == 0:
		start = n.Tail
	case end == tree.Unknown:
		end = n.Body
	}
	if p, ok := x.Doc.WorstIn(start, end); ok {
		r.Problem, r.Severity = p.Message, p.Severity
	}
	if n.Depth == 0 {
		r.Label, r.Kind, r.Value = "gap", RowGap, ByteCount(n.End-n.Tail)+" behind the last value"
		return r
	}
	r.Foldable = CanOpen(n)
	r.Open = r.Foldable && x.outline.IsOpen(n)
	r.Label, r.Named = label(x.read.Step(n))
	if n.Slot.Key {
		r.Label += " key"
	}
	f := x.Doc.Tree.Format
	r.Type = string(f.AppendType(nil, x.read.Window(), &n.Value))
	if x.isList(n) {
		r.Kind = RowContainer
		r.Value = "(" + count(x.read.Count(n)) + ")"
		if !r.Open {
			r.Preview = preview(x.literal(n, limit))
		}
		return r
	}
	r.Value = x.literal(n, limit)
	if rest, ok := strings.CutPrefix(r.Value, f.TypeName(&n.Value)+"("); ok && r.Value != "" {
		r.Value = "(" + rest // the type is written already
	}
	r.Kind = kindOf(r.Value)
	return r
}

func (x *Explorer) literal(n *tree.Node, limit int) string {
	return string(x.Doc.Tree.Format.AppendLiteral(nil, x.read, &n.Value, limit))
}

// isList reports whether the children of a value are counted: they are values of
// their own or elements, not components or parts of a path.
func (x *Explorer) isList(n *tree.Node) bool {
	switch n.Layout {
	case tree.Leaf:
		return false
	case tree.Pairs:
		return true
	case tree.Fixed:
		step := x.Doc.Tree.Format.AppendStep(nil, x.read, &n.Value, tree.Slot{}, nil)
		return len(step) > 0 && step[0] == '['
	}
	return !isText(x.literal(n, 8))
}

// preview is the literal of a container from its first bracket on; one that is
// empty shows nothing.
func preview(literal string) string {
	i := strings.IndexAny(literal, "{[(")
	if i < 0 || strings.HasPrefix(literal[i:], "{}") || strings.HasPrefix(literal[i:], "[]") || strings.HasPrefix(literal[i:], "()") {
		return ""
	}
	return literal[i:]
}

// isText reports whether a literal is text in quotes: "…", &"…" or ^"…".
func isText(literal string) bool {
	literal = strings.TrimLeft(literal, "&^")
	return strings.HasPrefix(literal, `"`)
}

func kindOf(literal string) RowKind {
	switch {
	case isText(literal):
		return RowText
	case literal != "" && strings.ContainsRune("(-0123456789", rune(literal[0])), literal == "inf", literal == "nan":
		return RowNumber
	}
	return RowOther
}

// label turns the step of a path into what stands in a row, and tells whether
// it is a name.
func label(step string) (text string, named bool) {
	switch {
	case step == "":
		return "$", false
	case step[0] == '.':
		return step[1:], true
	case strings.HasPrefix(step, `["`):
		return step[1 : len(step)-1], true
	}
	return step, false
}

func count(n int64) string {
	if n == tree.Unknown {
		return "…"
	}
	return Grouped(n)
}
