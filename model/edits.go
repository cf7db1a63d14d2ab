package model

import (
	"bufio"
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"varview/decoder"
	"varview/decoder/edit"
	"varview/decoder/engine/background"
	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/model/literals"
	"varview/model/patch"
)

// ErrNoValues says that a buffer has only bytes to edit.
var ErrNoValues = errors.New("the parts of a wrapper can only be edited as bytes; the values are in the buffer inside")

// editorOf returns the editor for the values of a tree of the buffer. The error says why they cannot be
// changed.
func (b *Buffer) editorOf(t *tree.Tree) (edit.Editor, error) {
	e, ok := t.Reading.(edit.Editor)
	switch {
	case ok:
		return e, nil
	case b.IsWrapper():
		return nil, ErrNoValues
	}
	return nil, fmt.Errorf("%s files can be read, not edited yet", b.doc.Hints().Title)
}

// Editor returns the editor for the values of the buffer. The error says why they cannot be changed.
func (b *Buffer) Editor() (edit.Editor, error) { return b.editorOf(b.Tree()) }

// CanSet reports whether a value can be replaced by another.
func (b *Buffer) CanSet(r *tree.Reader, n *tree.Node) bool {
	e, err := b.Editor()
	p, is := e.(edit.Partial)
	return err == nil && (!is || p.CanSet(r, n))
}

// FirstRecord returns the literal of what a record without members becomes in an empty container: with the members that a
// description gives it.
func (b *Buffer) FirstRecord(ctx context.Context, in *tree.Node) (string, error) {
	t, err := b.doc.Begin(b)
	if err == nil {
		err = t.Insert(ctx, in, 0, edit.Content{Literal: "{}"}, edit.Options{})
	}
	if err != nil {
		return "", err
	}
	r := t.Reader()
	n, err := ChildCursor(in, 0).Find(r)
	if err != nil {
		return "", err
	}
	return literals.Full(ctx, r, n)
}

// telling returns options of an edit whose outcome is noted.
func (t *Transaction) telling(o edit.Options) edit.Options {
	o.Outcome = &t.outcome
	if len(o.Choices) > 0 {
		t.choices = o.Choices
	}
	return o
}

// Followed returns what is said of the numbers and checksums that were equal to something before an edit and are again, as it was chosen.
func (t *Transaction) Followed() []string {
	seen := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(t.outcome.Followed), func(text string) bool {
		isSeen := seen[text]
		seen[text] = true
		return isSeen
	})
}

// A change is an edit of one value.
type change struct {
	kind    patch.Kind
	n       *tree.Node   // the value or, of Insert, the one that gets a child
	at      int64        // index of an inserted child, or the one that a moved value gets
	content edit.Content // of Set and Insert
	options edit.Options

	recorded *patch.Op // the op of another file that is made again; nil if there is none
}

// splices returns the splices that make a change of the values that r reads. Before the child at index comes what is inserted
// or moved.
func (x *change) splices(ctx context.Context, e edit.Editor, r *tree.Reader, index int64, o edit.Options) ([]source.Splice, error) {
	switch x.kind {
	case patch.Insert:
		splices, err := e.Insert(ctx, r, x.n, index, x.content, o)
		return splices, cmp.Or(err, x.content.Err())
	case patch.Delete:
		return e.Delete(ctx, r, x.n, o)
	case patch.Move:
		return e.Move(ctx, r, x.n, index, o)
	}
	splices, err := e.Set(ctx, r, x.n, x.content, o)
	return splices, cmp.Or(err, x.content.Err())
}

// make makes a change by itself.
func (t *Transaction) make(ctx context.Context, x change) error {
	e, err := t.buffer.editorOf(t.now.tree)
	if err == nil && x.kind != patch.Set && x.kind != patch.Insert {
		x.n, err = t.valueOf(x.n)
	}
	if err != nil {
		return err
	}
	splices, err := x.splices(ctx, e, t.read, x.at, t.telling(x.options))
	if err != nil || len(splices) == 0 && x.kind != patch.Delete {
		return err
	}
	return t.made(ctx, &x, splices)
}

// made applies the splices of a change, and notes it.
func (t *Transaction) made(ctx context.Context, x *change, splices []source.Splice) error {
	op, err := (&Batch{t: t}).opOf(ctx, x)
	if err != nil {
		return err
	}
	at := CursorOf(x.n)
	switch x.kind {
	case patch.Insert:
		at, op.Path = ChildCursor(x.n, x.at), string(tree.AppendIndexStep([]byte(op.Path), x.at))
	case patch.Move:
		at = ChildCursor(x.n.Parent, x.at)
	}
	if err := t.apply(splices); err != nil {
		return err
	}
	if x.kind == patch.Delete {
		t.ops = append(t.ops, op)
		return nil
	}
	to := at.moved(splices)
	if x.kind == patch.Insert { // what is put in where the container begins is in it
		inside := func(s source.Splice) bool { return s.Offset == at.Parent && s.Length == 0 }
		to.Parent = source.Map(slices.DeleteFunc(slices.Clone(splices), inside), at.Parent)
	}
	if err := t.note(ctx, op, to); err != nil {
		return err
	}
	t.noteSet(x.content.Literal)
	return nil
}

// Set replaces a value. Nodes are those of the transaction's reader.
func (t *Transaction) Set(ctx context.Context, n *tree.Node, c edit.Content, o edit.Options) error {
	return t.make(ctx, change{kind: patch.Set, n: n, content: c, options: o})
}

// SetBytes puts bytes into a value that holds bytes.
func (t *Transaction) SetBytes(ctx context.Context, n *tree.Node, b []byte) error {
	e, ok := t.now.tree.Reading.(edit.ByteEditor)
	if !ok {
		return errNoByteEditor
	}
	t.outcome.Steers = true
	splices, err := e.SetBytes(ctx, t.read, n, b)
	if err != nil {
		return err
	}
	return t.made(ctx, &change{kind: patch.Set, n: n}, splices)
}

// errNoByteEditor says that a format cannot put bytes into its values.
var errNoByteEditor = errors.New("bytes cannot be put into values of this format")

// Retype changes the type of a value to name, keeping what of its content fits. If not all of it does, the error is an
// *edit.ChoiceError unless edit.Drop is chosen.
func (t *Transaction) Retype(ctx context.Context, n *tree.Node, name string, o edit.Options) error {
	e, err := t.buffer.editorOf(t.now.tree)
	if err != nil {
		return err
	}
	literal, err := e.Retyped(ctx, t.read, n, name)
	if err != nil {
		return err
	}
	o.Retype = true
	was, made, read := t.now.tree.Reading.TypeName(&n.Value), len(t.groups), t.read
	if err := t.Set(ctx, n, edit.Content{Literal: literal}, o); err != nil || slices.Contains(o.Choices, edit.Drop) {
		return err
	}
	at := CursorOf(n)
	for _, splices := range t.groups[made:] {
		at = at.moved(splices)
	}
	old, err := edit.LiteralOf(ctx, read, &n.Value, patch.MaxLiteral)
	if err != nil && err != edit.ErrTooLong {
		return err
	}
	if is, err := at.Find(t.read); err == nil && old != "" {
		if back, err := e.Retyped(ctx, t.read, is, was); err == nil && back == old {
			return nil
		}
	}
	return &edit.ChoiceError{Choices: []edit.Choice{edit.Drop},
		Text: fmt.Sprintf("%s would become %s: not all of what is in %s fits into the type %s", short(old), short(literal), read.Path(n), name)}
}

// Insert puts a value into parent before the child at index.
func (t *Transaction) Insert(ctx context.Context, parent *tree.Node, index int64, c edit.Content, o edit.Options) error {
	return t.make(ctx, change{kind: patch.Insert, n: parent, at: index, content: c, options: o})
}

// Delete removes a value, with its key.
func (t *Transaction) Delete(ctx context.Context, n *tree.Node, o edit.Options) error {
	return t.make(ctx, change{kind: patch.Delete, n: n, options: o})
}

// Move makes a value, with its key, the child of its parent at index to.
func (t *Transaction) Move(ctx context.Context, n *tree.Node, to int64, o edit.Options) error {
	return t.make(ctx, change{kind: patch.Move, n: n, at: to, options: o})
}

// valueOf returns the value of an entry if n is its key, and otherwise n. A key without a value counts as
// itself.
func (t *Transaction) valueOf(n *tree.Node) (*tree.Node, error) {
	if !n.Slot.Key {
		return n, nil
	}
	value, err := t.read.Child(n.Parent, n.Slot.Index)
	if errors.Is(err, tree.ErrNoChild) {
		return n, nil
	}
	return value, err
}

// Bytes replaces n bytes at off, which need not have any meaning, by b.
func (t *Transaction) Bytes(off, n int64, b []byte) error {
	if off < 0 || n < 0 || off > t.now.content.Size()-n {
		return fmt.Errorf("%s at %#x: the buffer has %s", span.Bytes(n), off, span.Bytes(t.now.content.Size()))
	}
	op, err := t.bytesOp(off, n, source.Bytes(b))
	if err != nil {
		return err
	}
	t.outcome.Steers = true
	if err := t.applyBytes([]source.Splice{source.Put(off, n, slices.Clone(b))}); err != nil {
		return err
	}
	t.ops = append(t.ops, op)
	return nil
}

// bytesOp returns the op that replaces n bytes at off by b; a nil b removes them.
func (t *Transaction) bytesOp(off, n int64, b source.Source) (patch.Op, error) {
	op := patch.Op{Kind: patch.Bytes, Path: fmt.Sprintf("what was at %#x", off), Buffer: t.buffer.Number, Offset: off}
	if b == nil {
		b = source.Bytes(nil)
	}
	if op.Long = max(n, b.Size()) > patch.MaxLiteral/2; op.Long {
		return op, nil
	}
	was, err := readAll(t.now.content.Slice(span.Span{Offset: off, Length: n}))
	if err != nil {
		return op, err
	}
	is, err := readAll(b)
	op.Old, op.New = hex.EncodeToString(was), hex.EncodeToString(is)
	return op, err
}

// maxConverted is the largest size of a buffer that can be converted as a step of the history: the
// journal keeps all its bytes.
const maxConverted = 64 << 20

// ConvertHere is Convert for a document that stays open. The bytes have to declare their dialect: nothing
// else would tell how to read them afterwards.
func (t *Transaction) ConvertHere(ctx context.Context, to string) error {
	_, declares := t.now.tree.Reading.(format.Declarer)
	switch {
	case t.buffer.layer != nil:
		return ErrNoValues
	case t.doc.options.Dialect != "":
		return fmt.Errorf("the file is read as %s because that was asked for; it can only be converted if its dialect is detected", t.doc.options.Dialect)
	case !declares:
		return fmt.Errorf("the bytes do not say which dialect they are; :convert %s FILE writes them into another file", to)
	case t.now.tree.Region.Length > maxConverted:
		return fmt.Errorf("more than %s; :convert %s FILE writes them into another file", span.Bytes(maxConverted), to)
	}
	return t.Convert(ctx, &format.ConvertRequest{Dialect: to})
}

// ConvertTo writes the current values into another file, in another dialect and in wrappers as the engine
// of that dialect reads them. The document stays as it is.
func (d *Document) ConvertTo(ctx context.Context, q *format.ConvertRequest, o SaveOptions, p *Progress) error {
	b := d.Innermost()
	o.Generation = decoder.Generation(q.Dialect)
	s, err := d.Save(o)
	switch {
	case err != nil:
		return err
	case s.own:
		return errors.New("another dialect has to be written into another file")
	case d.Missing != nil:
		return errors.New(d.WhyMissing().Message)
	}
	if err := d.CanEdit(b); err != nil && !errors.Is(err, ErrReadOnly) {
		return err
	}
	v := b.now.Load()
	t := &Transaction{doc: d, buffer: b, from: v, now: v, read: v.tree.NewReader()}
	written, err := t.converted(ctx, q)
	if err != nil {
		return err
	}
	defer written.Close()
	if err := t.putConverted(written); err != nil {
		return err
	}
	b.compare(t.now)
	s.buffer, s.v = b, t.now
	return s.Write(ctx, p)
}

// Convert writes the values again in another dialect of their format. They are in a temporary file until
// the document is closed.
func (t *Transaction) Convert(ctx context.Context, q *format.ConvertRequest) error {
	written, err := t.converted(ctx, q)
	if err != nil {
		return err
	}
	t.doc.history.closers = append(t.doc.history.closers, written.Close)
	return t.putConverted(written)
}

// converted writes the values in another dialect into a temporary file.
func (t *Transaction) converted(ctx context.Context, q *format.ConvertRequest) (*source.File, error) {
	return source.Written(func(f *os.File) error {
		return background.Writing(f, func(behind io.Writer) error {
			out := bufio.NewWriterSize(t.Progress.Writer(behind, t.buffer.Size()), 256<<10)
			if err := decoder.Convert(ctx, t.read, q, out); err != nil {
				return err
			}
			return out.Flush()
		})
	})
}

// putConverted puts what was converted in place of all values.
func (t *Transaction) putConverted(written *source.File) error {
	region := t.now.tree.Region
	op, err := t.bytesOp(region.Offset, region.Length, written)
	if err != nil {
		return err
	}
	if err := t.applyBytes([]source.Splice{{Span: region, New: source.Whole(written)}}); err != nil {
		return err
	}
	t.ops = append(t.ops, op)
	return nil
}

// Follow sets the values that are checksums of others which the transaction has changed, as games keep the MD5 of a text
// beside it, unless they were set themselves, are to be left, or were asked about: then the edit has set those that are to follow. It
// returns what was set, also in what values hold, and those that are of nothing known.
func (t *Transaction) Follow(ctx context.Context) (done []decoder.Sum, err error) {
	done, t.sums = t.sums, nil
	if len(t.groups) == 0 || t.buffer != t.doc.Innermost() || t.doc.Missing != nil || t.doc.IsForeign() {
		return done, nil
	}
	sums, err := decoder.Sums(ctx, t.from.tree.NewReader())
	sums = slices.DeleteFunc(sums, func(s decoder.Sum) bool {
		path := strings.TrimPrefix(s.Path, "$.")
		name := path[strings.LastIndexByte(path, '.')+1:]
		return edit.Leave.IsIn(t.outcome.Asked, path, name) || edit.Leave.IsIn(t.choices, path, name)
	})
	for i := 0; i < len(sums) && err == nil; i++ {
		if sums[i].Of == "" {
			if sums[i].IsLeft(t.read) {
				done = append(done, sums[i])
			}
			continue
		}
		n, literal, again := sums[i].Again(t.read)
		if err = again; err != nil || literal == "" {
			continue
		}
		if err = t.Set(ctx, n, edit.Content{Literal: literal}, edit.Options{}); err == nil {
			done = append(done, sums[i])
		}
	}
	return done, err
}
