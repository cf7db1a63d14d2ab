package model

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"

	"varview/decoder"
	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/model/patch"
)

// ErrReadOnly says that a document was opened with --read-only.
var ErrReadOnly = errors.New("opened with --read-only")

// CanEdit returns why a buffer cannot be edited; nil if it can.
func (d *Document) CanEdit(b *Buffer) error {
	switch {
	case d.options.within != nil && d.options.within.fixed != nil:
		return d.options.within
	case d.options.ReadOnly:
		return ErrReadOnly
	case d.IsUnfinished():
		return errors.New("the file is still being read: it can be edited once all of it is read")
	}
	if other := d.ChangedBuffer(); other != nil && other != b {
		return fmt.Errorf("buffer %d has changes that are not in these bytes yet: save them first, or undo them", other.Number)
	}
	return nil
}

// A Transaction is a number of edits of one buffer that become one step of the history, or nothing.
type Transaction struct {
	Progress   *Progress    // progress of many edits; nil if nobody reads it
	Options    edit.Options // how the edits of an intention are made
	Unrecorded bool         // nobody asks for the single changes, only for what they leave: of many values that are set none are noted

	doc     *Document
	buffer  *Buffer
	from    *version
	now     *version
	read    *tree.Reader
	groups  [][]source.Splice // one list for each edit, each on the bytes that the one before has left
	back    [][]source.Splice
	ops     []patch.Op
	drops   []string // what repairs have dropped although it can be read
	rounded []Rounded
	sums    []decoder.Sum // that were computed anew in what values hold
	outcome edit.Outcome  // of the edits
	choices []edit.Choice // of the last one that has some
	shown   int64         // number of values that nameShown has passed
}

// Begin begins a transaction on the values of a buffer or, for a wrapper, on its bytes.
func (d *Document) Begin(b *Buffer) (*Transaction, error) {
	if err := d.CanEdit(b); err != nil {
		return nil, err
	}
	v := b.now.Load()
	return &Transaction{doc: d, buffer: b, from: v, now: v, read: v.tree.NewReader()}, nil
}

// Buffer returns the buffer that is edited.
func (t *Transaction) Buffer() *Buffer { return t.buffer }

// Reader returns a reader of the buffer as the transaction has left it so far.
func (t *Transaction) Reader() *tree.Reader { return t.read }

// Splices returns the edits made so far, each on the bytes that the one before has left.
func (t *Transaction) Splices() [][]source.Splice { return t.groups }

// Moved maps a cursor from the bytes before the transaction to those that it has left.
func (t *Transaction) Moved(c Cursor) Cursor {
	for _, splices := range t.groups {
		c = c.moved(splices)
	}
	return c
}

// Replace makes the bytes of the buffer those of another source, which need not stay open.
func (t *Transaction) Replace(ctx context.Context, by source.Source) error {
	kept, err := source.Written(func(f *os.File) error {
		_, err := io.Copy(f, io.NewSectionReader(by, 0, by.Size()))
		return err
	})
	if err != nil {
		return err
	}
	t.doc.history.closers = append(t.doc.history.closers, kept.Close)
	var splices []source.Splice
	var ops patch.Patch
	var failed error
	err = source.Differences(ctx, t.now.content, kept, apart, func(s source.Splice) bool {
		op, err := t.bytesOp(s.Offset, s.Length, s.New)
		splices, ops, failed = append(splices, s), append(ops, op), err
		return err == nil
	})
	if err = cmp.Or(err, failed); err == nil {
		err = t.applyBytes(splices)
	}
	if err == nil {
		t.ops = append(t.ops, ops...)
	}
	return err
}

// apply makes an edit of values.
func (t *Transaction) apply(splices []source.Splice) error {
	return t.applyBytes(t.keepSize(splices))
}

// keepSize adds to an edit of values what keeps the size of a buffer that is filled up with zeros, as games write those of
// a fixed size.
func (t *Transaction) keepSize(splices []source.Splice) []source.Splice {
	by := int64(0)
	for i := range splices {
		by += splices[i].Added() - splices[i].Length
	}
	end := t.now.tree.Region.End()
	if by == 0 || end == 0 || t.read.Window().Byte(end-1) != 0 {
		return splices
	}
	_, unused, err := t.read.FieldAt(end - 1)
	isFilled := err == nil && unused.Kind == span.Padding && unused.Label == span.Unused && unused.End() == end
	more := source.Filling(unused.Length, by)
	if !isFilled || more == 0 || splices[len(splices)-1].End() > unused.Offset {
		return splices
	}
	less := max(0, -more)
	return append(slices.Clone(splices), source.Put(end-less, less, make([]byte, max(0, more))))
}

// applyBytes makes an edit of the current bytes.
func (t *Transaction) applyBytes(splices []source.Splice) error {
	content := t.now.content
	splices, err := content.Minimal(splices)
	if err != nil || len(splices) == 0 {
		return err
	}
	t.groups = append(t.groups, splices)
	t.back = append(t.back, content.Inverse(splices))
	t.now = t.buffer.edited(t.now, splices)
	t.read = t.now.tree.NewReader()
	return nil
}

// ErrOutdated says that a buffer was edited while a transaction was prepared.
var ErrOutdated = errors.New("the buffer was edited meanwhile")

// Commit makes the transaction a step of the history, with the cursor before and after it. It returns the
// document from now on, which is another one if a wrapper's bytes were edited, since the document has to
// be opened again for that. A transaction that changes nothing becomes no step.
func (t *Transaction) Commit(ctx context.Context, label string, before, after Cursor) (*Document, error) {
	if t.buffer.now.Load() != t.from {
		return t.doc, ErrOutdated
	}
	if len(t.groups) == 0 {
		return t.doc, nil
	}
	s := &Step{Label: label, buffer: t.buffer.Number, groups: t.groups, back: t.back,
		was: t.from.content.Size(), is: t.now.content.Size(), before: before, after: after, ops: t.ops}
	t.doc.beginJournal()
	d, err := t.doc.show(ctx, t.buffer, t.now, false)
	if err != nil {
		return t.doc, err
	}
	s.reopened = d != t.doc
	d.history.add(s)
	d.did(s)
	return d, nil
}

// show makes the document show a version of a buffer. The document is opened again if necessary, or if
// always is set.
func (d *Document) show(ctx context.Context, b *Buffer, v *version, always bool) (*Document, error) {
	b.compare(v)
	again := d.ahead.take(v)
	if again == nil && (always || b.needsOpening(v)) {
		var err error
		if again, err = d.reopen(ctx, nil, d.options, b, v); err != nil {
			return d, err
		}
	}
	b.now.Store(v)
	d.history.turns++
	if again == nil {
		return d, nil
	}
	again.basis = d.history.turns
	again.TakeOver(d)
	return again, nil
}

// An Intention is a change of a buffer that was asked for; it becomes one step of the history.
type Intention struct {
	Label   string // what it does: "set $.hp"
	Before  Cursor
	Do      func(ctx context.Context, t *Transaction) (after Cursor, err error)
	Options edit.Options // those of the transaction

	Progress *Progress // how far working it out is; nil tells nobody
}

// Prepared is an intention whose edits are worked out but not yet made.
type Prepared struct {
	t             *Transaction
	label         string
	before, after Cursor
}

// Prepare works out the changes of an intention without making them. It may run in the background.
func (d *Document) Prepare(ctx context.Context, b *Buffer, in Intention) (*Prepared, error) {
	done, err := d.Use()
	if err != nil {
		return nil, err
	}
	defer done()
	t, err := d.Begin(b)
	if err != nil {
		return nil, err
	}
	t.Options, t.Progress = in.Options, in.Progress
	after, err := in.Do(ctx, t)
	made := len(t.groups)
	if err == nil {
		_, err = t.Follow(ctx)
	}
	if err != nil {
		return nil, err
	}
	for _, splices := range t.groups[made:] {
		after = after.moved(splices)
	}
	b.compare(t.now) // here, in the background, and not when the change is made
	return &Prepared{t, in.Label, in.Before, after}, nil
}

// OpenAhead opens the document again if what was prepared requires that, as an edit of a wrapper's bytes
// does. Make then has nothing left to open. It may run in the background.
func (d *Document) OpenAhead(ctx context.Context, p *Prepared) error {
	if len(p.t.groups) == 0 {
		return nil
	}
	done, err := d.Use()
	if err != nil {
		return err
	}
	defer done()
	return d.openAhead(ctx, p.t.buffer, p.t.now, false)
}

// ErrNoChange says that an edit leaves everything as it is.
var ErrNoChange = errors.New("nothing changes")

// Make makes what was prepared a step of the history.
func (d *Document) Make(ctx context.Context, p *Prepared) (Turn, error) {
	if len(p.t.groups) == 0 {
		return Turn{}, ErrNoChange
	}
	again, err := p.t.Commit(ctx, p.label, p.before, p.after)
	if err != nil {
		return Turn{}, err
	}
	return Turn{again, p.label, p.t.buffer.Number, p.after, p.t.groups}, nil
}

// Values returns the number of values that a prepared edit changes.
func (p *Prepared) Values() int { return len(p.t.ops) }

// ahead is the document as an edit will leave it that has been worked out but not yet made.
type ahead struct {
	sync.Mutex
	v   *version // version of the edited buffer
	doc *Document
}

// openAhead opens the document with version v of a buffer if that requires opening it again, or if always
// is set. show takes it from there.
func (d *Document) openAhead(ctx context.Context, b *Buffer, v *version, always bool) error {
	if !always && !b.needsOpening(v) {
		return nil
	}
	again, err := d.reopen(ctx, nil, d.options, b, v)
	if err != nil {
		return err
	}
	return d.ahead.put(v, again)
}

// put keeps what was opened, and closes what it replaces.
func (a *ahead) put(v *version, doc *Document) error {
	a.Lock()
	unused := a.doc
	a.v, a.doc = v, doc
	a.Unlock()
	if unused == nil {
		return nil
	}
	return unused.Close()
}

// take returns what was opened for a version; nil if nothing was.
func (a *ahead) take(v *version) *Document {
	a.Lock()
	defer a.Unlock()
	if a.v != v {
		return nil
	}
	doc := a.doc
	a.v, a.doc = nil, nil
	return doc
}
