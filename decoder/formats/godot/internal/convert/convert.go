// Package convert writes the values of a buffer in another dialect.
package convert

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/encode"
	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/formats/godot/internal/variant"
)

// Convert writes the values that r reads in the dialect and framing of to. It holds at most one frame, in
// memory or in a temporary file. A value without a counterpart is reported and becomes what q says; for
// format.Stops, all such values are reported, and the error is a *format.LossError.
func Convert(ctx context.Context, r *tree.Reader, from, to *variant.Format, q *format.ConvertRequest, out io.Writer) error {
	c := newConverter(ctx, r, from, to, q, out)
	defer c.close()
	if err := c.all(); err != nil {
		return err
	}
	if c.stopped > 0 {
		return &format.LossError{Count: c.stopped, First: c.first}
	}
	return c.keep()
}

func newConverter(ctx context.Context, r *tree.Reader, from, to *variant.Format, q *format.ConvertRequest, out io.Writer) *converter {
	c := &converter{from: from, to: to, q: q, ctx: ctx, w: r.Window(), paths: r.Tree.NewReader(), scan: r.Scan(r.Tree.Base),
		sink: sink{Encoder: encode.Encoder{Format: to}, out: out, holds: to.Framing != variant.Raw || q.Lost == format.Dropped}}
	c.paths.Budget = pathBudget
	for t := range types.Raw {
		c.targets[t].to, c.targets[t].ok = c.counterpart(t)
	}
	c.levels = append(c.levels, level{typ: r.Tree.Base.Type, accepts: types.Constraint{Any: true}})
	return c
}

// pathBudget is the number of values that may be read to count earlier entries with the
// same key.
const pathBudget = 10_000

// A converter writes the values of a buffer in another dialect, in file order.
type converter struct {
	sink
	from, to *variant.Format
	q        *format.ConvertRequest
	ctx      context.Context
	scan     *tree.Scanner
	w        *source.Window
	paths    *tree.Reader      // reader for the paths of lost values
	targets  [types.Raw]target // by type
	levels   []level           // open values, the buffer first
	hidden   int               // number of open values that are not written
	event    tree.Event
	stopped  int64 // number of values that stop the conversion
	first    format.Loss
}

// A target is what a type becomes, if ok.
type target struct {
	to types.ID
	ok bool
}

// A level is an open value, and what has been written of it.
type level struct {
	typ     types.ID         // in the file
	accepts types.Constraint // constraint of its values; keys are those of a Dictionary
	keys    types.Constraint
	countAt int64  // offset of its count in the output
	shared  uint32 // obsolete bit that is stored with the count
	count   int64  // number of children by the file's count
	seen    int64  // number of children in the file
	written int64  // number of children that were written
	began   int64  // start of the child that is being written, with its key
	key     bool   // it is a key itself
	names   bool   // the names of its properties become Strings
	script  bool   // its next value is the script of an object
	omits   bool   // its next value is left out, like its key
}

func (c *converter) top() *level { return &c.levels[len(c.levels)-1] }

// all converts all values.
func (c *converter) all() error {
	for i := 0; ; i++ {
		if c.event = c.scan.Next(); c.event == tree.Done {
			return c.w.Err()
		}
		if i%1024 == 0 && c.ctx.Err() != nil {
			return c.ctx.Err()
		}
		v := c.scan.Value()
		if v.Damage != nil {
			return c.damaged(v.Damage.Message)
		}
		err := error(nil)
		switch {
		case c.hidden > 0:
			c.hide()
		case c.event == tree.Leave:
			err = c.leave(v)
		default:
			err = c.child(v)
		}
		if err == nil {
			err = c.room()
		}
		if err != nil {
			return err
		}
	}
}

// hide passes the rest of a value that is no longer written.
func (c *converter) hide() {
	switch c.event {
	case tree.Enter:
		c.hidden++
	case tree.Leave:
		c.hidden--
	}
}

// damaged returns the error for a value that cannot be read.
func (c *converter) damaged(message string) error {
	return fmt.Errorf("%s: %s; a damaged file is not converted, repair it first", c.path(), message)
}

// path returns the path of the scanner's current value.
func (c *converter) path() string { return c.paths.Path(c.scan.Current(c.event)) }

// child converts a value, or the beginning of one with children.
func (c *converter) child(v *tree.Value) error {
	l, key := c.top(), c.scan.Slot().Key
	if shape := types.Of(l.typ).Shape; key || shape != types.ShapeDict && shape != types.ShapeObject {
		l.began, l.omits, l.script = c.size(), false, false
	}
	if !key {
		l.seen++
	}
	if len(c.levels) == 1 {
		if n := v.Start + 4; c.from.Framing == variant.Stream && int64(c.from.FrameLength(c.w, v.Start)) > v.End-n {
			return c.damaged("the length of its frame goes past the end")
		}
		if err := c.beginFrame(l); err != nil {
			return err
		}
	}
	if l.omits {
		c.skip()
		return nil
	}
	reason, err := c.value(v)
	if err == nil && reason != "" {
		return c.lose(v, reason)
	}
	if err == nil && c.event == tree.Atom {
		return c.end(v, key)
	}
	return err
}

// skip leaves out what is inside the scanner's current value.
func (c *converter) skip() {
	if c.event == tree.Enter {
		c.hidden = 1
	}
}

// beginFrame begins a value of the buffer.
func (c *converter) beginFrame(l *level) error {
	switch {
	case c.to.Framing == variant.Stream:
		c.U32(0)
	case c.to.Framing == variant.Raw && l.written > 0:
		return errors.New("one bare value cannot take the place of a stream of several")
	}
	return nil
}

// leave ends a value with children.
func (c *converter) leave(v *tree.Value) error {
	l := *c.top()
	c.levels = c.levels[:len(c.levels)-1]
	switch {
	case len(c.levels) == 0:
		c.noteGap(v)
		if c.to.Framing == variant.Raw && l.written == 0 && c.stopped == 0 {
			return errors.New("there is no value that could be written")
		}
		return nil
	case l.seen != l.count:
		return c.damaged(fmt.Sprintf("it counts %d values, but has %d", l.count, l.seen))
	case l.written != l.count:
		if err := c.put32(l.countAt, uint32(l.written)|l.shared); err != nil {
			return err
		}
	}
	return c.end(v, l.key)
}

// end ends a child that was written, or its replacement.
func (c *converter) end(v *tree.Value, key bool) error {
	c.noteGap(v)
	l := c.top()
	if key {
		return nil
	}
	l.written++
	return c.endFrame()
}

// endFrame writes the length of the frame of a value of the buffer.
func (c *converter) endFrame() error {
	if len(c.levels) > 1 || c.to.Framing == variant.Raw {
		return nil
	}
	length, err := c.to.AppendFrameLength(nil, c.size()-4)
	if err == nil && len(length) > 0 {
		err = c.put32(0, binary.LittleEndian.Uint32(length))
	}
	if err != nil {
		return err
	}
	return c.keepFrames()
}

// keepFrames ends whole frames. They are dropped if the conversion will write nothing.
func (c *converter) keepFrames() error {
	if c.stopped == 0 {
		return c.keep()
	}
	c.truncate(0)
	return nil
}

// noteGap reports bytes without a meaning, which are not converted.
func (c *converter) noteGap(v *tree.Value) {
	if v.HasGap() {
		c.note(v, span.Bytes(v.End-v.Tail)+" without a meaning are left out")
	}
}
