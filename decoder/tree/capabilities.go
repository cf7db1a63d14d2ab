package tree

import (
	"context"
	"io"

	"varview/decoder/source"
	"varview/decoder/span"
)

// capabilities are what a reading can do besides what every one can, found out once
// for each tree. What it cannot do is nil.
type capabilities struct {
	inspector Inspector
	passer    Passer
	describer Describer
	stepper   Stepper
	literals  LiteralWriter
	json      JSONWriter
	types     TypeWriter
	footer    Footer
	remedier  Remedier
	keyed     Keyed
	resyncer  Resyncer
	learner   Learner

	nesting  int    // levels that the engine follows, 0 for any number
	tooDeep  string // what it does then
	shortage string // what it does where bytes are missing
}

func capabilitiesOf(f Reading) *capabilities {
	c := new(capabilities)
	c.inspector, _ = f.(Inspector)
	c.passer, _ = f.(Passer)
	c.describer, _ = f.(Describer)
	c.stepper, _ = f.(Stepper)
	c.literals, _ = f.(LiteralWriter)
	c.json, _ = f.(JSONWriter)
	c.types, _ = f.(TypeWriter)
	c.footer, _ = f.(Footer)
	c.remedier, _ = f.(Remedier)
	c.keyed, _ = f.(Keyed)
	c.resyncer, _ = f.(Resyncer)
	c.learner, _ = f.(Learner)
	if e, ok := f.(EngineModel); ok {
		c.nesting, c.tooDeep = e.Nesting()
		c.shortage = e.Shortage()
	}
	return c
}

// AppendStep appends the step of a path from parent to its child slot. key is the
// child's key where parent has Pairs, else nil.
func (r *Reader) AppendStep(dst []byte, parent *Value, slot Slot, key *Value) []byte {
	if s := r.Tree.can.stepper; s != nil {
		return s.AppendStep(dst, r, parent, slot, key)
	}
	return r.appendPlainStep(dst, parent, slot, key)
}

// AppendLiteral appends a value as text that can be typed in. What would make it
// longer than limit bytes, or what is nested too deep to be of use, is replaced by
// "…".
func (r *Reader) AppendLiteral(dst []byte, v *Value, limit int) []byte {
	if l := r.Tree.can.literals; l != nil {
		return l.AppendLiteral(dst, r, v, limit)
	}
	return r.appendPlainLiteral(dst, v, limit)
}

// WriteText writes a value as text that can be typed in, however long.
func (r *Reader) WriteText(ctx context.Context, out io.Writer, v *Value) error {
	if l := r.Tree.can.literals; l != nil {
		return l.WriteText(ctx, out, r, v)
	}
	return r.writePlainText(ctx, out, v)
}

// WriteJSON writes a value in the JSON form of its format.
func (r *Reader) WriteJSON(ctx context.Context, out io.Writer, v *Value) error {
	if j := r.Tree.can.json; j != nil {
		return j.WriteJSON(ctx, out, r, v)
	}
	return r.writePlainJSON(ctx, out, v)
}

// AppendType appends the type of a value as people write it, with what a container
// holds: "Array[int]".
func (t *Tree) AppendType(dst []byte, w *source.Window, v *Value) []byte {
	if x := t.can.types; x != nil {
		return x.AppendType(dst, w, v)
	}
	return append(dst, t.Reading.TypeName(v)...)
}

// inspect reports what is unusual about a value by the rules of a reading.
func (c *capabilities) inspect(w *source.Window, parent *Value, slot Slot, v *Value, report func(span.Problem)) {
	if c.inspector != nil {
		c.inspector.Inspect(w, parent, slot, v, report)
	}
}

// Inspect reports what is unusual about a value, apart from its damage.
func (t *Tree) Inspect(w *source.Window, parent *Value, slot Slot, v *Value, report func(span.Problem)) {
	t.can.inspect(w, parent, slot, v, report)
}
