package textual

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/value/notation"
)

// An Editor is a reading whose values can be changed.
type Editor struct{ *Reading }

// An editing collects the splices of one edit.
type editing struct {
	*Reading
	edit.Editing
	does   string // what a repair does, if its problem does not say it
	retype bool   // a container without a type in its literal gets none, and does not keep that of the old one
	at     place  // place of the value that is being written
	beside []byte // line before a new one
}

// A place is where a value is written.
type place struct {
	in  *tree.Value
	key bool
}

// A texter is a reading of text.
type texter interface{ text() *Reading }

func (r *Reading) text() *Reading { return r }

// parse parses a literal.
func (f *Format) parse(literal string) (notation.Value, error) {
	if f.Parse != nil {
		return f.Parse(literal)
	}
	return notation.Parse(literal)
}

func (r *Reading) begin(ctx context.Context, t *tree.Reader, o edit.Options) *editing {
	return &editing{Reading: r, Editing: edit.Begin(ctx, t, o)}
}

// put replaces the bytes from start to end.
func (e *editing) put(start, end int64, b ...string) {
	e.Put(start, end-start, []byte(strings.Join(b, "")))
}

// Set implements edit.Editor.
func (d Editor) Set(ctx context.Context, r *tree.Reader, n *tree.Node, c edit.Content, o edit.Options) ([]source.Splice, error) {
	if splices, ok := d.renumbered(r.Window(), n, &c); ok {
		return splices, nil
	}
	e := d.begin(ctx, r, o)
	if n.Parent == nil && e.Lines {
		return nil, errors.New("this buffer holds values one after the other; set one of them")
	}
	root := e.Subject(n)
	switch {
	case e.Err != nil:
		return nil, e.Err
	case root == nil:
		e.put(n.Body, n.Body, e.content(c, nil, n))
		return e.Sorted()
	}
	if n = e.Finish(root); e.Err != nil {
		return nil, e.Err
	}
	if same, err := c.IsAlready(ctx, r, n); same || err != nil {
		return nil, err
	}
	e.retype = o.Retype
	if o.Infer && !o.Retype {
		c.Literal = e.inferred(&n.Value, c.Literal)
	}
	e.at = place{&n.Parent.Value, n.Slot.Key}
	text := e.fit(n, e.content(c, n, n.Parent))
	if e.Err == nil && n.Flags&Escaped != 0 && e.Window.Byte(n.Head) == '"' && text[0] == '"' {
		meant, _ := e.meant([]byte(text[1 : len(text)-1]))
		e.respell(&n.Value, meant)
	} else {
		e.put(n.Head, n.End, text)
	}
	return e.Sorted()
}

// fit returns a text that may replace a value: a whole number as the float that the value was, unless its type may change.
func (e *editing) fit(n *tree.Node, text string) string {
	if e.Err != nil {
		return ""
	}
	was, is := e.TypeName(&n.Value), e.typeOf(text, n.Parent)
	if whole := text + ".0"; is != was && !e.retype && isWhole(text) && e.typeOf(whole, n.Parent) == was {
		text, is = whole, was
	}
	e.accept(&n.Parent.Value, n.Slot, text)
	if n.Slot.Key {
		e.checkKey(n.Parent, n.Slot.Index, text)
	} else if is != was && is != "" && !e.retype && n.Damage == nil {
		e.Keep(&edit.TypeError{Was: was, Is: is})
	}
	return text
}

// digits returns the text of a whole number that others may replace without a look at anything else: all formats spell them alike.
// It returns nil for any other value.
func (r *Reading) digits(w *source.Window, n *tree.Node) []byte {
	size := n.Tail - n.Head
	if size > mostDigits || n.Layout != tree.Leaf || n.Damage != nil || n.End != n.Tail || n.Slot.Key || n.Parent == nil || r.Line != nil ||
		n.Parent.Layout < tree.Sequence || isPacked(&n.Parent.Value) {
		return nil
	}
	if b := w.View(n.Head, size); isDigits(b) {
		return b
	}
	return nil
}

// renumbered returns the splices that put digits in the place of others; ok is false if there is more to an edit.
func (r *Reading) renumbered(w *source.Window, n *tree.Node, c *edit.Content) (splices []source.Splice, ok bool) {
	was, is := r.digits(w, n), []byte(c.Literal)
	switch {
	case was == nil || c.Copy != nil || !isDigits(is):
		return nil, false
	case string(was) == c.Literal:
		return nil, true
	}
	return []source.Splice{source.Put(n.Head, n.Tail-n.Head, is)}, true
}

// mostDigits is the number of digits that each type of whole numbers has room for.
const mostDigits = 9

// isDigits reports whether a text is a whole number of few digits.
func isDigits(b []byte) bool {
	return len(b) > 0 && len(b) <= mostDigits && (b[0] != '0' || len(b) == 1) && digitsEnd(b, 0) == len(b)
}

// isWhole reports whether a literal is a whole number.
func isWhole(literal string) bool {
	digits := strings.TrimPrefix(literal, "-")
	return digits != "" && strings.Trim(digits, "0123456789") == ""
}

// inferred returns a list, or parts, that are written without a type as the value in parentheses that a value is, if
// they can be one.
func (f *Format) inferred(is *tree.Value, literal string) string {
	if f.Name == nil || is.Layout != tree.Fixed && (is.Layout != tree.Sequence || is.Sub != ')') {
		return literal
	}
	parts, isList := strings.CutPrefix(strings.TrimSpace(literal), "[")
	if parts = strings.TrimSuffix(parts, "]"); !isList {
		parts = edit.PartsOf(literal)
	}
	_, err := f.parse(literal)
	typed := f.Name(is) + "(" + parts + ")"
	if _, wrong := f.parse(typed); wrong == nil && isList == (err == nil) && (isList || parts != "") {
		return typed
	}
	return literal
}

// checkKey ends the edit if a text is not a key, or an entry other than number except has it.
func (e *editing) checkKey(in *tree.Node, except int64, text string) {
	switch {
	case e.Err != nil:
	case in.Sub == 0:
		e.Keep(edit.CheckFreeKey(e.Ctx, e.Reader, e.Together, in, except, e.nameLiteral(text), notation.MaxText))
	case text[0] != '"' && !e.AnyKey:
		e.Keep(errors.New("a key is a text in quotes"))
	default:
		e.Keep(edit.CheckFreeKey(e.Ctx, e.Reader, e.Together, in, except, e.literal(text), notation.MaxText))
	}
}

// SetBytes implements edit.ByteEditor.
func (d Editor) SetBytes(ctx context.Context, r *tree.Reader, n *tree.Node, b []byte) ([]source.Splice, error) {
	if r.Look(&n.Value).Form != tree.FormHeld || !utf8.Valid(b) {
		return nil, errors.New("only a text that holds a list or digits can be set by what is in it")
	}
	n, err := r.Finish(n)
	if err != nil {
		return nil, err
	}
	if n.Flags&Escaped == 0 {
		return d.Set(ctx, r, n, edit.Content{Literal: string(tree.AppendQuoted(nil, b))}, edit.Options{})
	}
	e := d.begin(ctx, r, edit.Options{})
	e.respell(&n.Value, b)
	return e.Sorted()
}

// meant returns what a text in quotes means, and where in it the spelling of each of these bytes starts, and that of the end.
func (e *editing) meant(spelled []byte) (text []byte, starts []int) {
	for i := 0; i < len(spelled); {
		n := 1
		if spelled[i] == '\\' {
			n = escapeLen(spelled[i:])
		}
		meant, _ := e.Unescape(nil, spelled[i:i+n])
		for range meant {
			starts = append(starts, i)
		}
		text = append(text, meant...)
		i += n
	}
	return text, append(starts, len(spelled))
}

// respell replaces what differs in a text with escapes, so that all the rest keeps its spelling.
func (e *editing) respell(v *tree.Value, b []byte) {
	at := textSpan(v)
	spelled := e.Window.All(at)
	was, starts := e.meant(spelled)
	like := slices.Concat([]byte{'"'}, spelled, []byte{'"'})
	canCut := func(i, j int) bool { // neither within an escape nor within a character
		return (i == 0 || starts[i] != starts[i-1]) && (j == len(b) || utf8.RuneStart(b[j]))
	}
	for i, j := 0, 0; ; {
		for i < len(was) && j < len(b) && was[i] == b[j] {
			i, j = i+1, j+1
		}
		if i == len(was) && j == len(b) {
			return
		}
		for !canCut(i, j) {
			i, j = i-1, j-1
		}
		p, q := resume(was[i:], b[j:], func(p, q int) bool { return canCut(i+p, j+q) })
		d := Datum{Scalar: tree.Scalar{Kind: tree.Text}, Data: b[j : j+q]}
		text := e.Encode(d, like)
		if len(text) < 2 {
			e.Keep(fmt.Errorf("%s cannot hold this", e.Dialect.Title))
			return
		}
		e.put(at.Offset+int64(starts[i]), at.Offset+int64(starts[i+p]), string(text[1:len(text)-1]))
		i, j = i+p, j+q
	}
}

// resume returns where two texts are the same again, as far as a look at their beginnings tells; otherwise where their
// common end begins.
func resume(was, b []byte, canCut func(p, q int) bool) (p, q int) {
	const far, same = 64, 12 // bytes
	for sum := 1; sum <= far; sum++ {
		for p := 0; p <= sum; p++ {
			if q := sum - p; p+same <= len(was) && q+same <= len(b) && string(was[p:p+same]) == string(b[q:q+same]) && canCut(p, q) {
				return p, q
			}
		}
	}
	p, q = len(was), len(b)
	for p > 0 && q > 0 && was[p-1] == b[q-1] {
		p, q = p-1, q-1
	}
	for !canCut(p, q) {
		p, q = p+1, q+1
	}
	return p, q
}

// escapeLen returns the length of the escape at the start of b: of two halves of a surrogate pair together.
func escapeLen(b []byte) int {
	const unit = len(`\ud83d`)
	switch {
	case len(b) < 2:
		return 1
	case b[1] != 'u' || len(b) < unit:
		return 2
	case len(b) >= 2*unit && b[2]|0x20 == 'd' && (b[3] == '8' || b[3] == '9' || b[3]|0x20 == 'a' || b[3]|0x20 == 'b') && b[unit] == '\\' && b[unit+1] == 'u':
		return 2 * unit
	}
	return unit
}

// nameLiteral returns the literal of a name that may have no quotes.
func (e *editing) nameLiteral(text string) string {
	if text != "" && text[0] == '"' {
		return e.literal(text)
	}
	return string(tree.AppendQuoted(nil, []byte(text)))
}

// Insert implements edit.Editor.
func (d Editor) Insert(ctx context.Context, r *tree.Reader, in *tree.Node, index int64, c edit.Content, o edit.Options) ([]source.Splice, error) {
	e := d.begin(ctx, r, o)
	if err := c.CheckInsert(r, in, e.Lines, isList(in)); err != nil {
		return nil, err
	}
	in = e.closed(in)
	l, text := e.layoutOf(in), ""
	if in.Layout == tree.Pairs {
		text = e.key(&in.Value, c)
		e.accept(&in.Value, tree.Slot{Index: index, Key: true}, text)
		e.checkKey(in, tree.Unknown, text)
		text += l.Colon
	}
	e.at, e.beside = place{in: &in.Value}, e.like(in, index)
	if e.Err == nil {
		value := e.content(c, nil, in)
		e.accept(&in.Value, tree.Slot{Index: index}, value)
		e.insert(in, index, text+value, &l)
	}
	return e.Sorted()
}

// accept ends the edit if a text in a container would not be read as it is meant.
func (e *editing) accept(in *tree.Value, slot tree.Slot, text string) {
	if e.Accept != nil && e.Err == nil {
		e.Keep(e.Accept(e.Window, in, slot, []byte(text)))
	}
}

// InsertText implements Insert for text that is ready.
func (d Editor) InsertText(ctx context.Context, r *tree.Reader, in *tree.Node, index int64, text string, o edit.Options) ([]source.Splice, error) {
	e := d.begin(ctx, r, o)
	l := e.layoutOf(in)
	e.insert(in, index, text, &l)
	return e.Sorted()
}

// insert puts the text of an entry or element before the child index of a value.
func (e *editing) insert(in *tree.Node, index int64, text string, l *Layout) {
	if e.Err != nil {
		return
	}
	count := e.Reader.Count(in)
	if count == 0 {
		e.beAround(in, 0)
	}
	e.Keep(e.Together.ChangeChildren(in, count == 0))
	switch {
	case index < 0 || index > count:
		e.Keep(fmt.Errorf("index %d is out of range; the last is %d", index, count))
	case count == 0 && in.Parent == nil:
		e.put(in.Body, in.Body, text, l.Comma)
	case count == 0 && isList(in):
		e.put(in.Body+1, in.Body+1, text)
	case count == 0:
		e.put(in.Body, e.inside(in), l.First, text, l.Last)
	case index == 0:
		at := e.besideFirst(in, e.extentOf(in, 0))
		e.put(at, at, text, l.Comma)
	default:
		x := e.extentOf(in, index-1)
		if tail, comma := e.ownComments(x.end, in.Tail); tail > x.end && in.Parent != nil {
			e.insertBehind(x.end, tail, comma, text, l)
			return
		}
		e.put(x.end, x.end, l.Comma, text)
	}
}

func (e *editing) extentOf(in *tree.Node, index int64) extent {
	c, err := edit.ChildAt(e.Reader, in, index)
	if !e.Keep(err) {
		return extent{}
	}
	return e.extent(c)
}

// closed returns a container with a known end, which must be there.
func (e *editing) closed(n *tree.Node) *tree.Node {
	if n = e.Finish(n); n.Parent != nil && n.Footed && !n.HasFoot() {
		e.Keep(fmt.Errorf("this %s is not closed; repair that first", e.TypeName(&n.Value)))
	}
	return n
}

// key returns the text of the key of content, or of a copied entry.
func (e *editing) key(in *tree.Value, c edit.Content) string {
	e.at = place{in, true}
	if c = c.KeyContent(); c.Literal == "" && c.Copy == nil {
		e.Keep(edit.ErrNoKey)
	}
	return e.content(c, nil, nil)
}

// target returns the entry or element that n is, or whose key it is, and its container.
func (e *editing) target(n *tree.Node) (*tree.Node, *tree.Node) {
	if n.Slot.Key {
		value, err := e.Reader.Child(n.Parent, n.Slot.Index)
		if !e.Keep(err) {
			return nil, nil
		}
		n = value
	}
	switch {
	case n.Parent != nil && n.Parent.Layout == tree.Fixed && !isList(n.Parent):
		e.Keep(fmt.Errorf("%s has %d numbers: they cannot be deleted or moved", e.TypeName(&n.Parent.Value), n.Parent.Count))
	case n.Parent == nil || n.Parent.Parent == nil && !e.Lines:
		e.Keep(edit.ErrOnly)
	default:
		return n, e.closed(n.Parent)
	}
	return nil, nil
}

// Delete implements edit.Editor. A separator is deleted with the child after it; for the first child, the
// separator after that one.
func (d Editor) Delete(ctx context.Context, r *tree.Reader, n *tree.Node, o edit.Options) ([]source.Splice, error) {
	e := d.begin(ctx, r, o)
	n, in := e.target(n)
	if e.Err != nil {
		return nil, e.Err
	}
	x := e.extent(n)
	run, err := e.Together.DeleteChild(in, n.Slot.Index)
	switch {
	case !e.Keep(err):
	case n.Slot.Index > 0 && e.JSON && in.Parent != nil:
		e.deleteWithComments(e.extentOf(in, n.Slot.Index-1), x, in.Tail)
	case n.Slot.Index > 0:
		e.put(x.start, x.end)
	default:
		e.deleteFirst(in, x, run)
	}
	return e.Sorted()
}

// deleteFirst deletes the first child of a container, and what separates the children that begin it from the next one. Those
// after the first of them are deleted by edits of their own.
func (e *editing) deleteFirst(in *tree.Node, x extent, run int64) {
	e.beAround(in, run)
	last := x
	if run > 1 {
		last = e.extentOf(in, run-1)
	}
	start, end := e.besideFirst(in, x), last.end
	switch {
	case in.Sub == 0 && e.isLines(&in.Value):
		end = e.nextLine(last.end)
	case e.Reader.Count(in) > run:
		next := e.extentOf(in, run)
		end = next.head
		if tail, comma := e.ownComments(last.end, in.Tail); comma != tree.Unknown && in.Parent != nil { // the comments above the next one stay
			end = skip(e.Window, max(tail, comma+1), end, isBlank)
		}
	case e.Line != nil:
		end = e.nextLine(last.end)
	case in.Parent == nil:
		end = in.Tail
	case in.Sub == 0, isList(in):
		start = x.start
	default:
		start, end = in.Body, e.inside(in)
	}
	if run > 1 {
		e.put(start, x.end)
		start = last.end
	}
	e.put(start, end)
}

// beAround ends an edit of a container without brackets that has no more than few children if it is to be made together with
// others: what is around it is changed with them.
func (e *editing) beAround(in *tree.Node, few int64) {
	if in.Sub == 0 && e.Reader.Count(in) <= few {
		e.BeAlone()
	}
}

// inside returns the offset of the closing bracket of a container.
func (e *editing) inside(in *tree.Node) int64 {
	if in.Sub == 0 {
		return in.Body
	}
	return e.skip(e.Window, in.Foot, in.Tail, betweenAll)
}

// nextLine returns the start of the line after the one that ends at an offset.
func (e *editing) nextLine(at int64) int64 {
	if b := e.Window.View(at, 2); len(b) == 2 && string(b) == "\r\n" {
		return at + 2
	} else if len(b) > 0 && b[0] == '\n' {
		return at + 1
	}
	return at
}

// Move implements edit.Editor. The separators stay where they are, in their order.
func (d Editor) Move(ctx context.Context, r *tree.Reader, n *tree.Node, to int64, o edit.Options) ([]source.Splice, error) {
	e := d.begin(ctx, r, o)
	n, in := e.target(n)
	if e.Err != nil {
		return nil, e.Err
	}
	switch x := e.extent(n); {
	case e.Err != nil:
	case o.Together != nil:
		e.moveTogether(n, in, x, to)
	case n.Slot.Index != to:
		e.moveAlone(n, in, x, to)
	}
	return e.Sorted()
}

func (e *editing) moveAlone(n, in *tree.Node, x extent, to int64) {
	y, src := e.extentOf(in, to), e.Reader.Tree.Source
	is := edit.Bytes(src, x.head, x.end)
	if to < n.Slot.Index {
		e.Replace(y.head, y.head, is)
		e.Replace(y.head, y.head, edit.Bytes(src, x.start, x.head))
		e.put(x.start, x.end) // what precedes it may be empty
		return
	}
	if next := e.extentOf(in, n.Slot.Index+1); e.Err == nil {
		e.put(x.head, next.head)
		e.Replace(y.end, y.end, edit.Bytes(src, x.end, next.head))
		e.Replace(y.end, y.end, is)
	}
}

// moveTogether moves a child, with the separator before it, before another one or behind the last. The first child, which has
// none, is moved alone, and one between others with another separator, since the separators stay.
func (e *editing) moveTogether(n, in *tree.Node, x extent, before int64) {
	y, there := e.extentOf(in, max(before-1, 0)), e.extentOf(in, min(max(before, 1), e.Reader.Count(in)-1))
	separator := e.between(x.start, x.head)
	if n.Slot.Index == 0 || separator != e.between(there.start, there.head) || int64(len(separator)) != x.head-x.start {
		e.BeAlone()
	}
	if e.Err == nil {
		e.Keep(e.Together.ChangeChildren(in, false))
	}
	at, src := y.end, e.Reader.Tree.Source
	first, second := edit.Bytes(src, x.start, x.head), edit.Bytes(src, x.head, x.end)
	if before == 0 {
		at, first, second = y.head, second, first
	}
	e.put(x.start, x.end)
	e.Replace(at, at, first)
	e.Replace(at, at, second)
}

// tree returns the tree of a new text.
func (e *editing) tree(text string) *tree.Tree {
	src, region := source.Bytes(text), span.Between(0, int64(len(text)))
	return tree.New(src, e.reading(src, region), region)
}

// reading returns a reading of a new text.
func (e *editing) reading(src source.Source, region span.Span) tree.Reading {
	if e.Value != nil {
		return e.Value(src, region)
	}
	one := *e.Format
	one.Lines = false
	return &Reading{Format: &one}
}

// literal returns the literal of a text.
func (e *editing) literal(text string) string {
	t := e.tree(text)
	s, err := edit.LiteralOf(e.Ctx, t.NewReader(), &t.Base.Value, notation.MaxText)
	if err != nil {
		return err.Error() // any text that is not a literal
	}
	return s
}
