package savefile

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"varview/decoder/edit"
	"varview/decoder/engine/tree"
	"varview/model"
	"varview/model/literals"
)

// A setting gives values of a file the content of Go values, and lets them keep their types.
type setting struct {
	*model.Batch
	ctx   context.Context
	bytes []dataAt // bytes for values that hold bytes, which are put in at the end
}

// dataAt are bytes for the value at a path.
type dataAt struct {
	path string
	data []byte
}

// set sets a value in a transaction.
func set(ctx context.Context, t *model.Transaction, at Value, v any) error {
	b, err := t.Batch(ctx, 1)
	if err != nil {
		return err
	}
	s := &setting{Batch: b, ctx: ctx}
	if err := s.value(at, reflect.ValueOf(v), maxDepth); err != nil {
		return err
	}
	if err := b.Finish(ctx); err != nil {
		return err
	}
	for _, x := range s.bytes {
		n, err := t.Reader().Resolve(x.path)
		if err == nil {
			err = t.SetBytes(ctx, n, x.data)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", x.path, err)
		}
	}
	return nil
}

// hasNames reports whether a value is a map with texts as keys or a struct.
func hasNames(v reflect.Value) bool {
	return isStruct(v) || v.Kind() == reflect.Map && v.Type().Key().Kind() == reflect.String
}

// value sets a value, as it was before all edits, and what is in it.
func (s *setting) value(at Value, v reflect.Value, depth int) error {
	v = pointedTo(v)
	if depth == 0 {
		return fmt.Errorf("%w: it nests too deep", ErrType)
	}
	shape := at.shape()
	switch v.Kind() {
	case reflect.Slice, reflect.Array:
		switch {
		case v.Type().ConvertibleTo(bytesType) && at.r.Look(&at.n.Value).Form == tree.FormData:
			s.bytes = append(s.bytes, dataAt{at.Path(), v.Convert(bytesType).Bytes()})
			return nil
		case at.isComposed():
			return s.components(at, v, depth)
		case shape == list:
			return s.list(at, v, depth)
		}
	case reflect.Map, reflect.Struct:
		if hasNames(v) && (shape == keyed || shape == names) {
			return s.entries(at, v, depth)
		}
	}
	literal, err := at.literalLike(v)
	if err == nil {
		err = s.literal(at, literal)
	}
	return err
}

// isComposed reports whether a value has a fixed number of components, as a Vector3 or a Transform2D.
func (v Value) isComposed() bool { return v.n.Layout == tree.Fixed && v.shape() == names }

// literal sets a value to a literal of its type.
func (s *setting) literal(at Value, literal string) error {
	n, err := s.Resolve(s.ctx, at.Path())
	if err == nil {
		err = s.Set(s.ctx, n, edit.Content{Literal: literal}, edit.Options{Retype: at.plain().Kind == tree.Null})
	}
	if other := (*edit.TypeError)(nil); errors.As(err, &other) {
		err = fmt.Errorf("%w: %w", ErrType, err)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", at.Path(), err)
	}
	return nil
}

// components sets the components of a value.
func (s *setting) components(at Value, v reflect.Value, depth int) error {
	if at.Len() != int64(v.Len()) {
		return fmt.Errorf("%s: %w: %s has %d components, not %d", at.Path(), ErrType, at.Type(), at.Len(), v.Len())
	}
	return at.each(func(i int, c Value) error { return s.value(c, v.Index(i), depth-1) })
}

// list sets the elements of a list. New ones are like the last one.
func (s *setting) list(at Value, v reflect.Value, depth int) error {
	var last Value
	var gone []string
	count := 0
	err := at.each(func(i int, c Value) error {
		if last, count = c, i+1; i >= v.Len() {
			gone = append(gone, c.Path())
			return nil
		}
		return s.value(c, v.Index(i), depth-1)
	})
	for i := count; err == nil && i < v.Len(); i++ {
		err = s.insert(at, "", v.Index(i), last)
	}
	return s.delete(gone, err)
}

// entries sets the entries of a dictionary, or the members of a struct. Those that a map does not have are
// deleted; those that a Go struct does not have stay.
func (s *setting) entries(at Value, v reflect.Value, depth int) error {
	keys, fresh := entriesOf(v)
	var gone []string
	err := at.each(func(_ int, c Value) error {
		name, isText := c.named()
		if isStruct(v) {
			name, _ = fieldFor(v, name)
		}
		x, has := fresh[name]
		switch {
		case isText && has:
			delete(fresh, name)
			return s.value(c, x, depth-1)
		case !isStruct(v):
			gone = append(gone, c.Path())
		}
		return nil
	})
	for _, key := range keys {
		if x, isNew := fresh[key]; isNew && err == nil {
			err = s.insert(at, literals.Quote("", key), x, Value{})
		}
	}
	return s.delete(gone, err)
}

// insert adds a value at the end of a container, like another one if that is given.
func (s *setting) insert(in Value, key string, v reflect.Value, like Value) error {
	literal, err := like.literalLike(v)
	if err != nil {
		return fmt.Errorf("%s: %w", in.Path(), err)
	}
	n, err := s.Resolve(s.ctx, in.Path())
	if err != nil {
		return err
	}
	count, err := s.Count(n)
	if err == nil {
		err = s.Insert(s.ctx, n, count, edit.Content{Key: key, Literal: literal}, edit.Options{})
	}
	if err != nil {
		return fmt.Errorf("%s: %w: %w", in.Path(), ErrType, err)
	}
	return nil
}

// delete deletes the values at some paths, unless there was an error.
func (s *setting) delete(paths []string, err error) error {
	for _, path := range slices.Backward(paths) {
		if err != nil {
			break
		}
		var n *tree.Node
		if n, err = s.Resolve(s.ctx, path); err == nil {
			err = s.Delete(s.ctx, n, edit.Options{})
		}
		if err != nil {
			err = fmt.Errorf("%s: %w: %w", path, ErrType, err)
		}
	}
	return err
}

// literalLike returns the literal of a Go value in the notation of the value whose place it takes: a text of the
// same kind, a number of the same datatype, a vector from a slice. The zero Value is like anything.
func (v Value) literalLike(x reflect.Value) (string, error) {
	for x.Kind() == reflect.Interface || x.Kind() == reflect.Pointer {
		x = x.Elem()
	}
	literal, err := literalOf(x)
	if err != nil || v.n == nil || !x.IsValid() || x.Type() == literalType || x.Type() == valueType {
		return literal, err
	}
	var is strings.Builder
	if v.n.Layout < tree.Sequence {
		if err := v.writeWhole(&is); err != nil {
			return "", err
		}
	}
	mark, _, isText := literals.Unquote(is.String())
	if x.Kind() == reflect.String && isText {
		return mark + literal, nil
	}
	if before, _, isCall := strings.Cut(is.String(), "("); isCall && x.Kind() != reflect.Bool {
		return v.callLike(x, before, literal)
	}
	return literal, nil
}

// callLike returns the literal of a Go value in place of one that is written as a call of a name.
func (v Value) callLike(x reflect.Value, name, literal string) (string, error) {
	isNumber, isList := x.CanInt() || x.CanUint() || x.CanFloat(), x.Kind() == reflect.Slice || x.Kind() == reflect.Array
	switch {
	case isNumber && v.plain().Kind != tree.Bytes, x.Kind() == reflect.String && v.plain().Kind == tree.Text:
		return name + "(" + literal + ")", nil
	case !v.isComposed():
		return literal, nil
	case isList && v.isFlat() && int64(x.Len()) == v.Len():
		return name + "(" + literal[1:len(literal)-1] + ")", nil
	}
	return "", fmt.Errorf("%w: only a Literal can be put beside a %s", ErrType, v.Type())
}

// isFlat reports whether all components are numbers.
func (v Value) isFlat() bool {
	return v.each(func(_ int, c Value) error {
		if c.n.Layout != tree.Leaf {
			return ErrType
		}
		return nil
	}) == nil
}
