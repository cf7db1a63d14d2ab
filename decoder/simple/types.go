package simple

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"varview/decoder/edit"
	"varview/decoder/notation"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// literal returns the literal of a value, given its bytes and place.
func (e *editing) literal(b *source.Pieces, at Place) string {
	r := newReading(e.family)
	r.root = at
	t := tree.New(b, r, span.Between(0, b.Size()))
	text, err := edit.LiteralOf(e.ctx, t.NewReader(), &t.Base.Value, notation.MaxText)
	if err != nil {
		return err.Error() // any text that is not a literal
	}
	return text
}

// typeOf returns the name of the type of a value, given its bytes and place.
func (e *editing) typeOf(b *source.Pieces, at Place) string {
	v, _, _ := e.look(source.NewWindow(b), 0, b.Size(), at)
	return e.TypeName(&v)
}

// samples are literals of new values, one of which has the type that is asked for.
var samples = []string{"null", "false", "0", "0.0", `""`, "[]", "{}"}

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
	is, err := edit.LiteralOf(ctx, r, &n.Value, maxRetyped)
	if err != nil && !errors.Is(err, edit.ErrTooLong) {
		return "", err
	}
	if text, ok := notation.Convert(is, func(text string) bool { return s.isOf(text, name, place(&n.Value)) }); ok {
		return text, nil
	}
	if text := s.sample(name, place(&n.Value)); text != "" {
		return text, nil
	}
	return "", fmt.Errorf("%s has no type %s", e.Title, name)
}

// maxRetyped is the length of the longest literal that is converted to another type; a longer one becomes
// an empty value.
const maxRetyped = 1 << 20

// sample returns the literal of a value of the named type, or of any type if the name is empty; "" if there
// is none.
func (e *editing) sample(name string, at Place) string {
	for _, text := range slices.Concat(samples, []string{name + "()"}) {
		if e.isOf(text, name, at) {
			return text
		}
	}
	return ""
}

// isOf reports whether text is the literal of a value of the named type.
func (e *editing) isOf(text, name string, at Place) bool {
	v, err := notation.Parse(text)
	if err != nil {
		return false
	}
	b, err := e.value(&v, at, nil)
	return err == nil && (name == "" || e.typeOf(source.Memory(b), at) == name)
}
