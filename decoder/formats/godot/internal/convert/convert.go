// Package convert writes the values of a buffer in another dialect.
package convert

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tempfile"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/encode"
	"varview/decoder/formats/godot/internal/numeric"
	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/formats/godot/internal/variant"
)

// Convert writes the values that r reads in the dialect and framing of to. It holds at most one frame, in
// memory or in a temporary file. A value without a counterpart is reported and becomes what q says; for
// format.Stops, all such values are reported, and the error is a *format.LossError.
func Convert(ctx context.Context, r *tree.Reader, from, to *variant.Format, q *format.ConvertRequest, out io.Writer) error {
	c := newConverter(ctx, r, from, to, q, out)
	defer c.End()
	if err := c.all(); err != nil {
		return err
	}
	if c.stops.Count > 0 {
		return &c.stops
	}
	return c.Keep()
}

func newConverter(ctx context.Context, r *tree.Reader, from, to *variant.Format, q *format.ConvertRequest, out io.Writer) *converter {
	c := &converter{losses: losses{q: q}, from: from, to: to, ctx: ctx, w: r.Window(), paths: r.Tree.NewReader(), scan: r.Scan(r.Tree.Base),
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
	losses
	from, to *variant.Format
	ctx      context.Context
	scan     *tree.Scanner
	w        *source.Window
	paths    *tree.Reader      // reader for the paths of lost values
	targets  [types.Raw]target // by type
	levels   []level           // open values, the buffer first
	hidden   int               // number of open values that are not written
	event    tree.Event
}

// losses reports the values that a conversion changes or loses.
type losses struct {
	q     *format.ConvertRequest
	stops format.LossError // of the values that stop the conversion
}

// report reports a value and returns its outcome.
func (l *losses) report(x format.Loss) format.Outcome {
	if l.q.Report != nil {
		l.q.Report(x)
	}
	if x.Outcome == format.Stops {
		if l.stops.Count++; l.stops.Count == 1 {
			l.stops.First = x
		}
	}
	return x.Outcome
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
		l.began, l.omits, l.script = c.Size(), false, false
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
		if c.to.Framing == variant.Raw && l.written == 0 && c.stops.Count == 0 {
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
	length, err := c.to.AppendFrameLength(nil, c.Size()-4)
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
	if c.stops.Count == 0 {
		return c.Keep()
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

// note reports a value that is written as something that means nearly the same.
func (c *converter) note(v *tree.Value, reason string) {
	if c.q.Report == nil {
		return
	}
	l := format.Loss{Type: c.from.TypeName(v), Reason: reason, Outcome: format.Changed}
	if c.q.Paths {
		l.Path = c.path()
	}
	c.report(l)
}

// lose writes a replacement for a value without a counterpart. Nothing of the value itself
// has been written.
func (c *converter) lose(v *tree.Value, reason string) error {
	l, key := c.top(), c.scan.Slot().Key
	switch c.report(format.Loss{Path: c.path(), Type: c.from.TypeName(v), Reason: reason, Outcome: c.outcome(l, v, key)}) {
	case format.Dropped:
		c.truncate(l.began)
		l.omits = key
		c.skip()
		return nil
	case format.Described:
		if c.event == tree.Enter {
			return c.describeObject(v)
		}
		if err := c.describe(v); err != nil {
			return err
		}
	case format.Texted:
		c.Header(types.String, 0)
		c.PutString(c.paths.AppendLiteral(nil, v, maxKeyText))
	case format.Nulled:
		c.Header(types.Nil, 0)
	}
	c.skip()
	return c.end(v, key)
}

// maxKeyText is the length in bytes of the longest key that becomes its text.
const maxKeyText = 4096

// outcome returns what happens to a value without a counterpart: what was requested, if the value around it
// allows that.
func (c *converter) outcome(l *level, v *tree.Value, key bool) format.Outcome {
	o := c.q.Lost
	inPath := types.Of(l.typ).Shape == types.ShapePath
	switch {
	case o == format.Dropped && !inPath:
		return o
	case o == format.Stops, o == format.Dropped:
		return format.Stops
	case key && l.typ == types.Dictionary && l.keys.Allows(types.String):
		return format.Texted
	case key:
		return format.Stops
	case o == format.Nulled && l.accepts.Allows(types.Nil):
		return o
	case o == format.Described && l.accepts.Allows(types.Dictionary) && c.isDescribable(v):
		return o
	}
	return format.Stops
}

// isDescribable reports whether a Dictionary can describe a value: an object, or a value
// that contains no others.
func (c *converter) isDescribable(v *tree.Value) bool {
	return c.event == tree.Atom || v.Type == types.Object && !c.isTooDeep(1)
}

// describe writes a Dictionary with the members of the JSON form of a value.
func (c *converter) describe(v *tree.Value) error {
	t := types.Of(v.Type)
	members := map[types.Shape]uint32{types.ShapeSignal: 3, types.ShapeText: 2, types.ShapeFixed: 2, types.ShapePacked: 2}
	c.Header(types.Dictionary, 0)
	c.U32(max(1, members[t.Shape]))
	c.putText("type")
	c.putText(t.Name)
	switch t.Shape {
	case types.ShapeSignal:
		c.putText("name")
		if err := c.putString(v.Head + 4); err != nil {
			return err
		}
		c.putText("object_id")
		c.PutInt(int64(c.w.U64(v.Tail - 8)))
	case types.ShapeText:
		c.putText("bytes")
		bytes, _ := c.to.Dialect.TypeNamed("PackedByteArray")
		c.Header(bytes, 0)
		return c.payload(v)
	case types.ShapeFixed, types.ShapePacked:
		c.putText("args")
		return c.describeNumbers(v, t)
	}
	return nil
}

// putString writes the string at an offset as a String.
func (c *converter) putString(at int64) error {
	n := int64(c.w.U32(at))
	c.Header(types.String, 0)
	return c.copy(c.w, at, 4+n+types.Pad(n))
}

func (c *converter) putText(text string) {
	c.Header(types.String, 0)
	c.PutString([]byte(text))
}

// describeNumbers writes the components of a value as an Array.
func (c *converter) describeNumbers(v *tree.Value, t *types.Type) error {
	comp, n := types.ID(v.Sub), v.Count
	if t.Shape == types.ShapePacked {
		n *= int64(t.Each())
	}
	c.Header(types.Array, 0)
	c.U32(uint32(n))
	for i := range n {
		bits := numeric.BitsAt(c.w, comp, v.Body+i*types.Width(comp))
		if comp == types.Float32 || comp == types.Float64 {
			c.PutFloat(toFloat(comp, bits))
		} else {
			c.PutInt(toInt(comp, bits))
		}
		if err := c.room(); err != nil {
			return err
		}
	}
	return nil
}

// describeObject begins a Dictionary with the class of an object, and its properties as another Dictionary.
func (c *converter) describeObject(v *tree.Value) error {
	c.Header(types.Dictionary, 0)
	c.U32(2)
	c.putText("type")
	if err := c.putString(v.Head + 4); err != nil {
		return err
	}
	c.putText("props")
	c.Header(types.Dictionary, 0)
	c.open(v, level{names: true, accepts: types.Constraint{Any: true}})
	return nil
}

// open writes the count of a value with children, which follow.
func (c *converter) open(v *tree.Value, l level) {
	l.typ, l.count, l.key = v.Type, v.Count, c.scan.Slot().Key
	if types.HasSharedBit(v.Type) {
		l.shared = c.w.U32(v.Body-4) & types.SharedBit
	}
	l.countAt = c.Size()
	c.U32(uint32(l.count) | l.shared)
	c.levels = append(c.levels, l)
}

// four reports whether a dialect is one of Godot 4.
func four(f *variant.Format) bool { return f.Dialect.Has(types.PackedInt64Array) }

// spillAt is the number of bytes that are held in memory.
const spillAt = 256 << 10

// A sink takes the bytes of the output. If holds is set, the bytes since the last keep can be dropped
// again, and counts in them changed: what does not fit into memory goes to a temporary file.
type sink struct {
	encode.Encoder // its Out has the last bytes
	out            io.Writer
	holds          bool
	file           *os.File // held bytes before Out; nil until there are any
	spilled        int64    // number of them
}

// Size returns the number of bytes since the last keep.
func (s *sink) Size() int64 { return s.spilled + int64(len(s.Out)) }

// room makes room for more bytes.
func (s *sink) room() error {
	switch {
	case len(s.Out) < spillAt:
		return nil
	case !s.holds:
		return s.Keep()
	}
	return s.spill()
}

func (s *sink) spill() error {
	if s.file == nil {
		f, err := tempfile.Create("")
		if err != nil {
			return fmt.Errorf("no temporary file: %w", err)
		}
		s.file = f
	}
	if _, err := s.file.WriteAt(s.Out, s.spilled); err != nil {
		return fmt.Errorf("writing a temporary file: %w", err)
	}
	s.spilled, s.Out = s.Size(), s.Out[:0]
	return nil
}

// truncate drops all bytes from at on.
func (s *sink) truncate(at int64) {
	if at >= s.spilled {
		s.Out = s.Out[:at-s.spilled]
		return
	}
	s.spilled, s.Out = at, s.Out[:0]
}

// put32 overwrites the number at an offset.
func (s *sink) put32(at int64, n uint32) error {
	b := s.Format.AppendBinary(nil, types.Int32, uint64(n))
	if at >= s.spilled {
		copy(s.Out[at-s.spilled:], b)
		return nil
	}
	if at+4 > s.spilled {
		if err := s.spill(); err != nil {
			return err
		}
	}
	if _, err := s.file.WriteAt(b, at); err != nil {
		return fmt.Errorf("writing a temporary file: %w", err)
	}
	return nil
}

// Keep writes all bytes, which then can no longer be changed.
func (s *sink) Keep() error {
	if s.spilled > 0 {
		if _, err := io.Copy(s.out, io.NewSectionReader(s.file, 0, s.spilled)); err != nil {
			return err
		}
		s.spilled = 0
	}
	_, err := s.out.Write(s.Out)
	s.Out = s.Out[:0]
	return err
}

// copy writes n bytes of a source as they are.
func (s *sink) copy(w *source.Window, off, n int64) error {
	for _, b := range w.Pieces(span.Span{Offset: off, Length: n}) {
		s.Out = append(s.Out, b...)
		if err := s.room(); err != nil {
			return err
		}
	}
	return w.Err()
}

// End removes the temporary file.
func (s *sink) End() {
	if s.file != nil {
		s.file.Close()
	}
}
