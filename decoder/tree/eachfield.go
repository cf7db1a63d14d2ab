package tree

import (
	"context"

	"varview/decoder/span"
)

// An OwnedField is a field with its place in the tree and its meaning. Path and
// Value are valid until the next field.
type OwnedField struct {
	span.Field
	Depth int    // of the value that owns the field; 0 for the buffer itself
	Path  []byte // of that value
	Value []byte // the decoded meaning, as text

	Damage *span.Problem // of a gap: why its value could not be read on, if it was damaged
}

// EachField calls each for all fields of the buffer in order, until that
// returns an error.
func (t *Tree) EachField(ctx context.Context, each func(OwnedField) error) error {
	s := t.Scanner()
	s.Elements = true
	w := s.Window()
	p := NewPather(t, s)
	var fields []span.Field
	var text []byte
	var err error
	emit := func(v *Value, depth int, path []byte) bool {
		for _, f := range fields {
			text = t.Reading.AppendField(text[:0], w, v, f)
			if w.TakeHole() != nil {
				f.Kind, f.Label, text = span.Gap, "gap", append(text[:0], "unreadable"...)
			}
			owned := OwnedField{Field: f, Depth: depth, Path: path, Value: text}
			if f.Kind == span.Gap {
				owned.Damage = v.Damage
			}
			if err = each(owned); err != nil {
				return false
			}
		}
		return true
	}
	fields = t.Reading.Fields(w, nil, &t.Base.Value, fields[:0])
	if !emit(&t.Base.Value, 0, p.Open(0)) {
		return err
	}
	runErr := s.Run(ctx, func(ev Event) bool {
		p.Step(ev)
		fields = s.AppendFields(fields[:0], ev)
		return emit(s.Value(), s.eventDepth(ev), p.Path(ev))
	})
	if err != nil {
		return err
	}
	return runErr
}
