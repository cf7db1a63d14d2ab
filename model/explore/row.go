package explore

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/model"
	"varview/model/drawing"
	"varview/model/literals"
)

// A Row is one line of the tree.
type Row struct {
	Indent   int          // in levels
	Foldable bool         // it can be folded and unfolded
	Open     bool         // it is unfolded
	Selected bool         //
	Chosen   bool         // it is one of several selected siblings
	Label    string       // key, index, name of the component
	Named    bool         // the label is one of the game's keys, not an index
	Type     string       // "Dictionary", "Array[int]"
	Value    string       // "(4)", "87", `"Mira"`; control characters are escaped
	Number   string       // "#3", if references can lead to the value
	Referred bool         // a reference leads to it
	Colors   [][4]float64 // a colour, or the first of many: red, green, blue, alpha from 0 to 1
	Preview  string       // the beginning of a container's content, the kind of a reference's target, or what the user can do
	Kind     RowKind
	Before   string       // the value that the file has in its place, if it was edited
	WasColor [][4]float64 // the colour that it has there, if it is one
	Earlier  []string     // the values that saves before had in its place, oldest first
	Glows    bool         // the last save has just changed it
	Changed  bool         // it differs from the file; if unfolded, not counting what is in it
	Problem  string       // the worst problem that begins in the value; "" if there is none
	Severity span.Severity

	Differs Differs // how it differs from the other file, while one is compared
	Only    bool    // the other file has nothing in its place, but has what is around it
	Theirs  bool    // it was not edited: another program has changed it in the file on disk
	Was     string  // what that has in its place
	Inside  int     // differences in the value

	Heads *Columns // of an unfolded list of records, the columns of its rows
	List  *Columns // of a folded record, those of its list
	Cells []Cell   // what it has under them

	KeyHit   bool // a search has found something in the label
	ValueHit bool // a search has found something in the value
}

// RowKind classifies the value of a row, for its colour.
type RowKind uint8

const (
	RowOther     RowKind = iota
	RowText              // a string of some kind
	RowNumber            // numbers
	RowContainer         // a counted container
	RowGap               // bytes without a meaning
	RowReference         // it leads to another value
	RowTitle             // what its reading calls it
	RowAside             // not stored in the file, or not read from it
)

// Rows returns the rows in view, and whether more may follow once more of the file is read. Values are
// cut to about limit bytes.
func (x *Explorer) Rows(limit int) (rows []Row, pending bool) {
	clear(x.lists)
	return x.newRows(x.view(), limit), x.outline.stop != nil
}

func (x *Explorer) newRows(nodes []*tree.Node, limit int) (rows []Row) {
	for _, n := range nodes {
		r := x.newRow(n, limit)
		x.fillCells(&r, n, limit)
		rows = append(rows, r)
	}
	return rows
}

func (x *Explorer) newRow(n *tree.Node, limit int) Row {
	if isGone(n) {
		return x.goneRow(n, limit)
	}
	r := Row{Indent: max(0, n.Depth-1), Selected: n.Same(x.selected()), Chosen: x.anchor != nil && x.isChosen(n)}
	start, end := n.Start, n.End
	switch {
	case n.Depth == 0:
		start = n.Tail
	case end == tree.Unknown:
		end = n.Body
	}
	upTo := end
	if end == x.Buffer.Size() && CanOpen(n) {
		upTo++ // problems of missing bytes come after the last byte
	}
	if p, ok := x.Buffer.WorstIn(start, upTo); ok {
		r.Problem, r.Severity = p.Message, p.Severity
	} else if n.Damage != nil { // of a value without bytes
		r.Problem, r.Severity = n.Damage.Message, n.Damage.Severity
	}
	r.Changed = x.isChanged(n, start, end)
	if n.Depth == 0 {
		r.Label, r.Kind, r.Value = "gap", RowGap, span.Bytes(n.End-n.Tail)+" after the last value"
		return r
	}
	if x.Hits != nil {
		found := x.Hits.row(n)
		r.KeyHit, r.ValueHit = found.inKey, found.inValue
	}
	r.Foldable = CanOpen(n)
	r.Open = r.Foldable && x.outline.isOpen(n)
	r.Type = x.typeText(n)
	if x.Buffer.IsPart(&n.Value) {
		r.Label, r.Type, r.Value, r.Kind = r.Type, "", x.literal(n, limit), RowOther
		return r
	}
	r.Label, r.Named = literals.Label(x.read.Step(n))
	if n.Slot.Key {
		r.Label += " key"
	}
	x.fillValue(&r, n, limit)
	r.Colors = drawing.Colors(x.read, n, rowColors)
	if x.fillDiffering(&r, n, limit); x.differing == nil {
		x.fillBefore(&r, n, end, limit)
	}
	return r
}

// fillBefore says what the file has in place of a value that was edited, and how much was edited in one that
// is folded, and what saves before had in its place. end is the end of the value.
func (x *Explorer) fillBefore(r *Row, n *tree.Node, end int64, limit int) {
	switch {
	case !r.Changed:
	case r.Kind != RowContainer:
		if r.Before = x.before().Of(n, limit); r.Before != "" && len(r.Colors) == 1 {
			if saved, old := x.before().Old(n); old != nil {
				r.WasColor = drawing.Colors(saved, old, 1)
			}
		}
		if rest, ok := strings.CutPrefix(r.Before, x.typeName(n)+"("); ok {
			r.Before = x.withoutType("(" + rest)
		}
	case r.Foldable && !r.Open:
		r.Inside = x.before().EditedIn(n, end)
	}
	e := x.earlier()
	if r.Foldable && !r.Open {
		r.Inside = max(r.Inside, e.In(x.read, n))
	}
	if e != nil && r.Kind != RowContainer {
		was, last, _ := e.Of(x.read, n)
		r.Earlier, r.Glows = was, time.Since(last) < Glow
	}
}

// before returns what compares the rows with the file.
func (x *Explorer) before() *model.Before {
	if !x.saved.IsOf(x.Buffer) {
		x.saved = model.NewBefore(x.Buffer)
	}
	return x.saved
}

// earlier returns what the values were in saves before; nil if that is not known.
func (x *Explorer) earlier() *model.Earlier {
	if x.Buffer != x.Buffer.Document().Innermost() {
		return nil
	}
	return x.Buffer.Document().Earlier
}

// rowColors is the number of colours shown in the row of a value with many.
const rowColors = 8

// Glow is how long it is shown that a save has changed a value.
const Glow = 2 * time.Second

// isChanged reports whether the row of a value of [start, end) differs from the file.
func (x *Explorer) isChanged(n *tree.Node, start, end int64) bool {
	if x.Buffer.Document().ChangedBuffer() != x.Buffer {
		return false
	}
	if n.Depth > 0 && x.outline.isOpen(n) {
		end = n.Body
	}
	if isPacked := n.Depth > 1 && n.Start == n.End; isPacked && (CanOpen(n) && x.before().Grew(n) || !CanOpen(n) && x.before().Of(n, maxCell) != "") {
		return true
	}
	if key := x.read.Key(n); key != nil && !hasRow(key) {
		start = key.Start
	}
	if first := x.Buffer.AppendChanges(nil, start, start+1); len(first) == 1 && first[0].Length == 0 && x.before().BeganWith(start) {
		start++ // what was removed before it is nothing of its own
	}
	return x.Buffer.ChangedIn(start, end)
}

// fillLiteral writes the literal of a value without children.
func (x *Explorer) fillLiteral(r *Row, n *tree.Node, limit int) {
	r.Value = x.literal(n, limit)
	if rest, ok := strings.CutPrefix(r.Value, x.typeName(n)); ok {
		r.Value = x.withoutType(rest) // the type is shown already
	}
	r.Kind = kindOf(r.Value)
	if id, ok := strings.CutPrefix(r.Value, "("); ok {
		x.fillLink(r, n, strings.Trim(id, `")`))
	}
	if text := x.asText(n, limit); r.Kind == RowText {
		r.Value = cmp.Or(text, r.Value)
	} else {
		r.Preview = cmp.Or(r.Preview, text)
	}
}

// fillValue writes what a value is.
func (x *Explorer) fillValue(r *Row, n *tree.Node, limit int) {
	switch {
	case isUnreadable(n):
		r.Type, r.Kind, r.Value = "", RowGap, unreadable
	case n.Refers:
		r.Type, r.Kind, r.Preview = "", RowReference, x.typeName(n)
		r.Value = x.leadsTo(&n.Value, limit)
	case x.isLeftOut(n):
		r.Type, r.Kind, r.Value = "", RowAside, "("+notStored+")"
	case isWithoutSchema(n):
		r.Type, r.Kind, r.Value = "", RowGap, x.missingSchema(n)
	case x.hasTitle(n):
		r.Kind, r.Value = RowTitle, x.literal(n, limit)
	case x.isList(n):
		r.Kind = RowContainer
		r.Value = "(" + count(x.read.Count(n)) + ")"
		if keys := x.keysInside(n); keys != "" {
			r.Value, r.Preview = count(x.read.Count(n))+" ×", keys
		} else if !r.Open {
			r.Preview = literals.Preview(x.literal(n, limit+len(r.Type)+len("(")))
		}
	default:
		x.fillLiteral(r, n, limit)
	}
	if x.read.IsIgnored(n) {
		r.Kind, r.Preview = RowAside, "ignored"
	}
	if n.Numbered && n.Serial != tree.NoSerial && n.Damage == nil {
		r.Number, r.Referred = "#"+span.Grouped(int64(n.Serial)), x.isReferred(n)
	}
}

// asText returns bytes as a text, cut to about limit of them, if they are one: "GVAS".
func (x *Explorer) asText(n *tree.Node, limit int) string {
	look := x.read.Look(&n.Value)
	data := x.read.Window().View(look.Data.Offset, min(look.Data.Length, int64(limit)))
	switch is := string(data); {
	case look.Form != tree.FormData && look.Form != tree.FormHeld, x.read.Plain(&n.Value).Kind == tree.Text, len(data) < 2, strings.ContainsFunc(is, func(c rune) bool { return c < ' ' || c > '~' }):
		return ""
	case strings.Contains(is, `"`): // JSON, which is easier to read so
		return is
	default:
		return strconv.Quote(is)
	}
}

// withoutType returns what follows the type name in a literal: the brackets of Vector2(1, 2), but all of
// Elephant's u8(7).
func (x *Explorer) withoutType(rest string) string {
	if x.Buffer.Document().Hints().Prefixed {
		return strings.TrimSuffix(strings.TrimPrefix(rest, "("), ")")
	}
	return rest
}

func (x *Explorer) typeName(n *tree.Node) string { return x.Buffer.Tree().Reading.TypeName(&n.Value) }

// leadsTo says where a reference leads. The beginning of a path much longer than limit bytes is left out.
func (x *Explorer) leadsTo(v *tree.Value, limit int) string {
	switch t, ok := x.target(v); {
	case !ok:
		return fmt.Sprintf("→ #%d", v.Sub)
	case t.node == nil:
		return fmt.Sprintf("→ #%d, which does not exist", v.Sub)
	default:
		return "→ " + strings.ToValidUTF8(t.path[max(0, len(t.path)-4*limit):], "")
	}
}

// notStored is shown for a member that is not in the file.
const notStored = "default: not stored"

// isLeftOut reports whether a member has its default because it is not in the file.
func (x *Explorer) isLeftOut(n *tree.Node) bool {
	return n.Start == n.End && x.typeName(n) == "default"
}

// isUnreadable reports whether a value lies where nothing could be unpacked: whatever else is known about
// it was read from zeros.
func isUnreadable(n *tree.Node) bool { return n.Damage != nil && n.Damage.Code == span.Unreadable }

// isWithoutSchema reports whether a value cannot be laid out without a schema.
func isWithoutSchema(n *tree.Node) bool {
	return n.Damage != nil && n.Damage.Code == span.MissingSchema
}

// missingSchema says which version of a schema is missing and, if none was loaded, what helps: "Player
// v2: no schema — :schema FILE.gml loads it".
func (x *Explorer) missingSchema(n *tree.Node) string {
	name := x.typeText(n)
	for _, f := range x.read.AppendFields(nil, n) {
		if f.Kind == span.Schema {
			name += " v" + x.fieldText(n, f, 16)
		}
	}
	if n.Damage.Severity == span.Error { // there are schemas, and the problem says more
		return name + ": no schema"
	}
	return name + ": no schema — :schema FILE.gml loads it"
}

// literalBudget is the number of values that may be passed over for each reference in a literal. A
// reference whose target is farther away shows its number.
const literalBudget = 3000

func (x *Explorer) literal(n *tree.Node, limit int) string {
	defer x.spend(literalBudget)()
	defer x.read.Window().TakeHole() // of a value that is partly lost
	return string(x.read.AppendLiteral(nil, &n.Value, limit))
}

// isList reports whether the children of a value are counted because they are values or elements, and not
// components or parts of a path.
func (x *Explorer) isList(n *tree.Node) bool {
	switch n.Layout {
	case tree.Leaf:
		return false
	case tree.Pairs:
		return true
	case tree.Fixed:
		step := x.read.AppendStep(nil, &n.Value, tree.Slot{}, nil)
		return len(step) > 0 && step[0] == '['
	}
	return !literals.IsText(x.literal(n, 8))
}

// hasTitle reports whether the literal of a value is a title.
func (x *Explorer) hasTitle(n *tree.Node) bool { return x.isTitled(&n.Value) }

func (x *Explorer) isTitled(v *tree.Value) bool {
	t, ok := x.read.Tree.Reading.(tree.Titler)
	return ok && t.HasTitle(v)
}

// keyBytes is the number of bytes of keys that are shown.
const keyBytes = 40

// keysInside returns the keys of the first records of a list: {slot, id, qty, …}. It returns "" if its elements are no
// records.
func (x *Explorer) keysInside(n *tree.Node) string {
	c := x.columns(n)
	if c == nil || c.listed != nil {
		return ""
	}
	names, length := c.Names, 0
	if names[0] == title {
		names = names[1:]
	}
	for i, name := range names {
		if length += len(name) + 2; length > keyBytes && i > 0 {
			names = append(names[:i:i], "…")
			break
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "{" + strings.Join(names, ", ") + "}"
}

func kindOf(literal string) RowKind {
	switch {
	case literals.IsText(literal):
		return RowText
	case literal != "" && strings.ContainsRune("(-0123456789", rune(literal[0])), literal == "inf", literal == "nan":
		return RowNumber
	}
	return RowOther
}

// count formats a number of children, which may be unknown.
func count(n int64) string {
	if n == tree.Unknown {
		return "…"
	}
	return span.Grouped(n)
}
