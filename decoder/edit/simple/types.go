package simple

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/value/notation"
)

// literal returns the literal of a value, given its bytes and place.
func (e *editing) literal(b *source.Pieces, at Place) string {
	r := newReading(e.family)
	r.root = at
	t := tree.New(b, r, span.Between(0, b.Size()))
	text, err := edit.LiteralOf(e.Ctx, t.NewReader(), &t.Base.Value, notation.MaxText)
	if err == nil {
		return text
	}
	if !errors.Is(err, edit.ErrTooLong) {
		e.Keep(err)
	}
	return err.Error() // any text that is not a literal
}

// typeOf returns the name of the type of a value, given its bytes and place.
func (e *editing) typeOf(b *source.Pieces, at Place) string {
	v, _, err := e.lookIn(b, at)
	e.Keep(err)
	return e.TypeName(&v)
}

// Types implements edit.Editor.
func (e editor) Types(r *tree.Reader, n *tree.Node) []string {
	if n.Parent == nil {
		return nil
	}
	var names []string
	for _, name := range e.reading.Types {
		if e.begin(context.Background(), r, edit.Options{}).sample(name, place(&n.Value)) != "" {
			names = append(names, name)
		}
	}
	return names
}

// Retyped implements edit.Editor. It converts numbers, bools and texts to one another.
func (e editor) Retyped(ctx context.Context, r *tree.Reader, n *tree.Node, name string) (string, error) {
	s := e.begin(ctx, r, edit.Options{})
	text, ok, err := notation.Retype(ctx, r, &n.Value, samples(name), func(text string) bool { return s.isOf(text, name, place(&n.Value)) })
	if err == nil && !ok {
		err = fmt.Errorf("%s has no type %s", e.Title, name)
	}
	return text, err
}

// samples are literals of new values, one of which may have the named type.
func samples(name string) []string { return slices.Concat(notation.Samples, []string{name + "()"}) }

// sample returns the literal of a value of the named type, or of any type if the name is empty; "" if there
// is none.
func (e *editing) sample(name string, at Place) string {
	all := samples(name)
	if i := slices.IndexFunc(all, func(text string) bool { return e.isOf(text, name, at) }); i >= 0 {
		return all[i]
	}
	return ""
}

// isOf reports whether text is the literal of a value of the named type.
func (e *editing) isOf(text, name string, at Place) bool {
	v, err := notation.Parse(text)
	if err != nil {
		return false
	}
	e.Err = nil
	b := e.value(&v, at, nil)
	return e.Err == nil && (name == "" || e.typeOf(source.Memory(b), at) == name)
}
