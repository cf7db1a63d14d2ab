package tree

import (
	"context"
	"io"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
)

// capabilities are the optional interfaces of a reading, looked up once for each tree; nil if the reading
// does not implement one.
type capabilities struct {
	Traits

	inspector Inspector
	passer    Passer
	describer Describer
	texter    Texter
	parter    Parter
	looker    Looker
	meaner    Meaner
	bounder   Bounder
	stepper   Stepper
	shortcuts Shortcutter
	literals  LiteralWriter
	lines     LineWriter
	json      JSONWriter
	members   Membered
	types     TypeWriter
	footer    Footer
	marker    Marker
	remedier  Remedier
	keyed     Keyed
	resyncer  Resyncer
	learner   Learner
}

func capabilitiesOf(f Reading) *capabilities {
	c := new(capabilities)
	c.lookUp(f)
	return c
}

// lookUp sets the capabilities to those of f.
func (c *capabilities) lookUp(f Reading) {
	c.inspector, _ = f.(Inspector)
	c.passer, _ = f.(Passer)
	c.describer, _ = f.(Describer)
	c.texter, _ = f.(Texter)
	c.parter, _ = f.(Parter)
	c.looker, _ = f.(Looker)
	c.meaner, _ = f.(Meaner)
	c.bounder, _ = f.(Bounder)
	c.stepper, _ = f.(Stepper)
	c.shortcuts, _ = f.(Shortcutter)
	c.literals, _ = f.(LiteralWriter)
	c.lines, _ = f.(LineWriter)
	c.json, _ = f.(JSONWriter)
	c.members, _ = f.(Membered)
	c.types, _ = f.(TypeWriter)
	c.footer, _ = f.(Footer)
	c.marker, _ = f.(Marker)
	c.remedier, _ = f.(Remedier)
	c.keyed, _ = f.(Keyed)
	c.resyncer, _ = f.(Resyncer)
	c.learner, _ = f.(Learner)
	c.Traits = Traits{}
	if t, ok := f.(Traited); ok {
		c.Traits = t.Traits()
	}
}

// AppendStep appends the path step from parent to its child slot. key is the child's key if
// parent has Pairs, otherwise nil.
func (r *Reader) AppendStep(dst []byte, parent *Value, slot Slot, key *Value) []byte {
	if s := r.Tree.can.stepper; s != nil {
		return s.AppendStep(dst, r, parent, slot, key)
	}
	return r.appendPlainStep(dst, parent, slot, key)
}

// AppendLiteral appends a value in the notation that users type. Content that exceeds
// limit bytes or is nested too deeply is replaced by "…".
func (r *Reader) AppendLiteral(dst []byte, v *Value, limit int) []byte {
	if l := r.Tree.can.literals; l != nil {
		return l.AppendLiteral(dst, r, v, limit)
	}
	return r.appendPlainLiteral(dst, v, limit)
}

// WriteText writes a whole value in the notation that users type.
func (r *Reader) WriteText(ctx context.Context, out io.Writer, v *Value) error {
	if l := r.Tree.can.literals; l != nil {
		return l.WriteText(ctx, out, r, v)
	}
	return r.writePlainText(ctx, out, v, false)
}

// WriteExact writes a value as WriteText does, but a number that the file has as a text as that text, so that it is
// stored in the same way where the literal is put in.
func (r *Reader) WriteExact(ctx context.Context, out io.Writer, v *Value) error {
	if r.Tree.can.literals != nil {
		return r.WriteText(ctx, out, v)
	}
	return r.writePlainText(ctx, out, v, true)
}

// WriteLines writes all values of the buffer in the notation that users type, each on its own line if there
// can be several.
func (r *Reader) WriteLines(ctx context.Context, out io.Writer) error {
	if l := r.Tree.can.lines; l != nil {
		return l.WriteLines(ctx, out, r)
	}
	return r.WriteText(ctx, out, &r.Tree.Base.Value)
}

// WriteJSON writes a value in the JSON form of its format.
func (r *Reader) WriteJSON(ctx context.Context, out io.Writer, v *Value) error {
	if j := r.Tree.can.json; j != nil {
		return j.WriteJSON(ctx, out, r, v)
	}
	return r.writePlainJSON(ctx, out, v)
}

// AppendType appends the type of a value as users write it, with a container's element
// types: "Array[int]".
func (t *Tree) AppendType(dst []byte, w *source.Window, v *Value) []byte {
	if x := t.can.types; x != nil {
		return x.AppendType(dst, w, v)
	}
	return append(dst, t.Reading.TypeName(v)...)
}

// inspect reports the problems of a value other than its damage.
func (c *capabilities) inspect(w *source.Window, parent *Value, slot Slot, v *Value, report func(span.Problem)) {
	if c.inspector != nil {
		c.inspector.Inspect(w, parent, slot, v, report)
	}
}

// Inspect reports the problems of a value other than its damage.
func (t *Tree) Inspect(w *source.Window, parent *Value, slot Slot, v *Value, report func(span.Problem)) {
	t.can.inspect(w, parent, slot, v, report)
}
