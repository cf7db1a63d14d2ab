package model

import (
	"context"
	"errors"
)

// An Intention is a change of a buffer that was asked for: one step of the
// history.
type Intention struct {
	Label  string // what it does: "set $.hp"
	Before Cursor
	Do     func(ctx context.Context, t *Transaction) (after Cursor, err error)
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
	done, err := d.Use()
	if err != nil {
		return nil, err
	}
	defer done()
	t, err := d.Begin(b)
	if err != nil {
		return nil, err
	}
	after, err := in.Do(ctx, t)
	if err != nil {
		return nil, err
	}
	b.compare(t.now) // here, in the background, and not when the change is made
	return &Prepared{t, in.Label, in.Before, after}, nil
}

// OpenAhead opens the document again where what was prepared needs that, as the bytes of a
// wrapper do. Make then has nothing to open. It may run in the background.
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
