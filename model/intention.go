package model

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"

	"varview/decoder"
	"varview/decoder/edit"
	"varview/decoder/format"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
	"varview/model/patch"
)

// An Intention is a change of a buffer that was asked for: one step of the
// history.
type Intention struct {
	Label  string // what it does: "set $.hp"
	Before Cursor
	do     func(ctx context.Context, t *Transaction) (after Cursor, err error)
}

// Prepared is an intention whose edits are worked out, and not yet made.
type Prepared struct {
	t             *Transaction
	label         string
	before, after Cursor
}

// Prepare computes the changes of an intention without making them. It may run in the
// background.
func (d *Document) Prepare(ctx context.Context, b *Buffer, in Intention) (*Prepared, error) {
	done, err := d.use()
	if err != nil {
		return nil, err
	}
	defer done()
	t, err := d.Begin(b)
	if err != nil {
		return nil, err
	}
	after, err := in.do(ctx, t)
	if err != nil {
		return nil, err
	}
	b.compare(t.now) // here, in the background, and not when the change is made
	return &Prepared{t, in.Label, in.Before, after}, nil
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

// moved is a cursor of the bytes before the transaction in those that it has left.
func (t *Transaction) moved(c Cursor) Cursor {
	for _, splices := range t.groups {
		c = c.moved(splices)
	}
	return c
}

// Set gives a value, or a key, another one.
func (x *Explorer) Set(n *tree.Node, literal string, o edit.Options) Intention {
	return Intention{"set " + x.shortPath(n), x.Cursor(), func(ctx context.Context, t *Transaction) (Cursor, error) {
		err := t.Set(ctx, n, edit.Content{Literal: literal}, o)
		return t.moved(x.cursorFor(n)), err
	}}
}

// shortPath is the path of a value for a message, found with less effort than Path.
func (x *Explorer) shortPath(n *tree.Node) string {
	defer x.spend(lookUpBudget)()
	return x.Path(n)
}

// cursorFor is the cursor for a value after it was edited: its row, or that of the
// value whose key it is.
func (x *Explorer) cursorFor(n *tree.Node) Cursor {
	c := cursorOf(n, false)
	if n.Slot.Key && !hasRow(n) {
		c.slot.Key = false
	}
	return c
}

// Insert puts a value into parent, before its child index.
func (x *Explorer) Insert(parent *tree.Node, index int64, key, literal string, o edit.Options) Intention {
	return x.insert("insert into "+x.shortPath(parent), parent, index, edit.Content{Key: key, Literal: literal}, o)
}

func (x *Explorer) insert(label string, parent *tree.Node, index int64, c edit.Content, o edit.Options) Intention {
	return Intention{label, x.Cursor(), func(ctx context.Context, t *Transaction) (Cursor, error) {
		err := t.Insert(ctx, parent, index, c, o)
		return t.moved(childCursor(parent, index)), err
	}}
}

// Duplicate puts a copy of a value after it. key is the literal of the key that
// the copy gets, where it needs one.
func (x *Explorer) Duplicate(n *tree.Node, key string, o edit.Options) Intention {
	return x.insert("duplicate "+x.shortPath(n), n.Parent, n.Slot.Index+1, edit.Content{Key: key, Copy: n, From: x.Buffer.Tree().NewReader()}, o)
}

// Delete takes a value away.
func (x *Explorer) Delete(n *tree.Node, o edit.Options) Intention {
	return Intention{"delete " + x.shortPath(n), x.Cursor(), func(ctx context.Context, t *Transaction) (Cursor, error) {
		err := t.Delete(ctx, n, o)
		return t.moved(childCursor(n.Parent, n.Slot.Index)), err
	}}
}

// Move makes a value the child to of its parent.
func (x *Explorer) Move(n *tree.Node, to int64, o edit.Options) Intention {
	return Intention{"move " + x.shortPath(n), x.Cursor(), func(ctx context.Context, t *Transaction) (Cursor, error) {
		err := t.Move(ctx, n, to, o)
		return t.moved(childCursor(n.Parent, to)), err
	}}
}

// PutBytes puts b in place of n bytes at off. Afterwards the cursor is on the byte
// at.
func (x *Explorer) PutBytes(off, n int64, b []byte, at int64) Intention {
	what := "overwrite"
	switch {
	case n == 0:
		what = "insert"
	case len(b) == 0:
		what = "delete"
	}
	return Intention{fmt.Sprintf("%s %s at %#x", what, span.Bytes(max(n, int64(len(b)))), off), x.Cursor(),
		func(_ context.Context, t *Transaction) (Cursor, error) { return ByteCursor(at), t.Bytes(off, n, b) }}
}

// Patch makes all edits of a patch.
func (x *Explorer) Patch(p patch.Patch, o edit.Options) Intention {
	before := x.Cursor()
	return Intention{"apply a patch", before, func(ctx context.Context, t *Transaction) (Cursor, error) {
		err := t.Apply(ctx, p, o)
		return t.moved(before), err
	}}
}

// A Clip is a value that was copied.
type Clip struct {
	Key     string // literal of its key, "" if it had none
	Literal string // "" where that would be too long

	node *tree.Node
	tree *tree.Tree
}

// Copy takes a copy of a value. It holds whatever becomes of the value. It may run in
// the background.
func (x *Explorer) Copy(ctx context.Context, n *tree.Node) (Clip, error) {
	c := Clip{node: n, tree: x.Buffer.Tree()}
	var err error
	if key := c.tree.NewReader().Key(n); key != nil {
		if c.Key, err = fullLiteral(ctx, c.tree, key); err != nil {
			return c, err
		}
	}
	if c.Literal, err = fullLiteral(ctx, c.tree, n); err == errLong {
		c.Literal, err = "", nil
	}
	return c, err
}

// Paste puts a copied value into parent, before its child index. key is the
// literal of the key that it gets, where it needs one.
func (x *Explorer) Paste(c Clip, parent *tree.Node, index int64, key string, o edit.Options) Intention {
	return x.insert("paste into "+x.shortPath(parent), parent, index, edit.Content{Key: key, Copy: c.node, From: c.tree.NewReader()}, o)
}

// Subject is the value that an edit is about: that of the selected row, or in the
// bytes the one that owns the byte. It is nil where there is none.
func (x *Explorer) Subject() *tree.Node {
	if x.inBytes {
		return x.owner
	}
	return x.row
}

// LastIn is the last child of a value, nil where that is not known.
func (x *Explorer) LastIn(n *tree.Node) *tree.Node {
	last, err := x.read.LastChild(n)
	if err != nil {
		return nil
	}
	return last
}

// KeyOf is the key that precedes a value, nil if none does.
func (x *Explorer) KeyOf(n *tree.Node) *tree.Node { return x.read.Key(n) }

// Literal is the whole literal of a value. The error is of one that is too long to
// be edited as text. It may run in the background.
func (x *Explorer) Literal(ctx context.Context, n *tree.Node) (string, error) {
	s, err := fullLiteral(ctx, x.read.Tree, n)
	if err == errLong {
		err = fmt.Errorf("more than %s of text: unfold it and edit its values", span.Bytes(patch.MaxLiteral))
	}
	return s, err
}

// Check reports what speaks against giving a value another one.
func (x *Explorer) Check(ctx context.Context, n *tree.Node, literal string, o edit.Options) error {
	e, err := x.Buffer.editorOf(x.Buffer.Tree())
	if err != nil {
		return err
	}
	_, err = e.Set(ctx, x.Buffer.Tree().NewReader(), n, edit.Content{Literal: literal}, o)
	return err
}

// CheckInsert reports what speaks against putting a value into parent.
func (x *Explorer) CheckInsert(ctx context.Context, parent *tree.Node, index int64, key, literal string, o edit.Options) error {
	e, err := x.Buffer.editorOf(x.Buffer.Tree())
	if err != nil {
		return err
	}
	_, err = e.Insert(ctx, x.Buffer.Tree().NewReader(), parent, index, edit.Content{Key: key, Literal: literal}, o)
	return err
}

// Types names what a value can be retyped to.
func (x *Explorer) Types(n *tree.Node) []string {
	e, err := x.Buffer.editorOf(x.Buffer.Tree())
	if err != nil {
		return nil
	}
	return e.Types(x.read, n)
}

// Retype gives a value the type name, with what of it that can hold.
func (x *Explorer) Retype(n *tree.Node, name string, o edit.Options) Intention {
	return Intention{"retype " + x.shortPath(n), x.Cursor(), func(ctx context.Context, t *Transaction) (Cursor, error) {
		e, err := t.buffer.editorOf(t.now.tree)
		if err != nil {
			return Cursor{}, err
		}
		literal, err := e.Retyped(ctx, t.read, n, name)
		if err != nil {
			return Cursor{}, err
		}
		o.Retype = true
		err = t.Set(ctx, n, edit.Content{Literal: literal}, o)
		return t.moved(x.cursorFor(n)), err
	}}
}

// maxConverted is the largest size of a buffer that is converted as a step of the history:
// the journal keeps all its bytes.
const maxConverted = 64 << 20

// Convert writes the whole buffer again in another dialect of its format, which its bytes
// have to declare: nothing else would say from then on how they are read.
func (x *Explorer) Convert(to string) Intention {
	return Intention{"convert to " + to, x.Cursor(), func(ctx context.Context, t *Transaction) (Cursor, error) {
		_, declares := t.now.tree.Reading.(format.Declarer)
		switch {
		case t.buffer.layer != nil:
			return Cursor{}, errNoValues
		case t.doc.options.Dialect != "":
			return Cursor{}, fmt.Errorf("the file is read as %s because that was asked for; it is converted where its dialect is detected", t.doc.options.Dialect)
		case !declares:
			return Cursor{}, errors.New("the bytes do not say themselves which dialect they are of; varview convert writes them into another file")
		case t.now.tree.Region.Length > maxConverted:
			return Cursor{}, fmt.Errorf("more than %s: varview convert does that into another file", span.Bytes(maxConverted))
		}
		return Cursor{}, t.Convert(ctx, &format.ConvertRequest{Dialect: to})
	}}
}

// Convert writes the values again in another dialect of their format. They are in a
// temporary file until the document is closed.
func (t *Transaction) Convert(ctx context.Context, q *format.ConvertRequest) error {
	written, err := source.Written(func(f *os.File) error {
		out := bufio.NewWriterSize(f, 256<<10)
		if err := decoder.Convert(ctx, t.read, q, out); err != nil {
			return err
		}
		return out.Flush()
	})
	if err != nil {
		return err
	}
	t.doc.history.closers = append(t.doc.history.closers, written.Close)
	region := t.now.tree.Region
	op, err := t.bytesOp(region.Offset, region.Length, written)
	if err != nil {
		return err
	}
	if err := t.apply([]source.Splice{{Span: region, New: source.Whole(written)}}); err != nil {
		return err
	}
	t.ops = append(t.ops, op)
	return nil
}
