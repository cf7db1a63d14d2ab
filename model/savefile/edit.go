package savefile

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"strings"

	"varview/decoder"
	"varview/decoder/diagnose"
	"varview/decoder/edit"
	"varview/decoder/engine/format"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/model"
	"varview/model/compare"
)

// A Literal is a value in the notation of its format, as Value.Literal returns it: Vector2(1, 2).
type Literal string

// Set sets the value at a path to a Literal or a Value, or to a Go value: nil, a bool, an integer, a float,
// a string, or slices, maps and structs of these. What is there keeps its type, also inside: with a map, the entries
// that have its keys are set, others are deleted, and new ones come last, with sorted keys; with a
// struct, those that its exported fields name, as Decode does, and all others stay; with a slice, elements
// are set by their index, and so are the components of a Vector3. If v does not fit, the error is ErrType,
// and nothing is set. Only null becomes any other type. Nothing is written before Save.
func (f *File) Set(path string, v any) error {
	if err := f.check(); err != nil {
		return err
	}
	return f.edit("set "+path, func(t *model.Transaction) error {
		_, err := t.Within(f.ctx, path, func(in *model.Transaction, rest string) (model.Changed, error) {
			r := in.Buffer().Tree().NewReader()
			n, err := r.Resolve(rest)
			if err != nil {
				return model.Changed{}, notFound(err)
			}
			return model.Changed{}, set(f.ctx, in, Value{r, n}, v)
		})
		return err
	})
}

// edit makes edits of values; none of them if there is an error.
func (f *File) edit(label string, make func(t *model.Transaction) error) error {
	t, err := f.doc.Begin(f.doc.Innermost())
	if err == nil {
		err = make(t)
	}
	if err == nil {
		_, err = t.Follow(f.ctx)
	}
	if err != nil {
		return err
	}
	doc, err := t.Commit(f.ctx, label, model.Cursor{}, model.Cursor{})
	if err == nil {
		f.doc = doc
	}
	return err
}

// Insert inserts a value, given as for Set: before the element at a path such as $[0].items[2], or at the
// end, if the index is the next one or the path ends in a new key. The error is ErrNotFound if nothing is
// around it, or ErrType if the file cannot hold it there.
func (f *File) Insert(path string, v any) error {
	if err := f.check(); err != nil {
		return err
	}
	literal, err := literalOf(reflect.ValueOf(v))
	if err != nil {
		return err
	}
	return f.edit("insert "+path, func(t *model.Transaction) error {
		at, err := t.ResolvePlace(path)
		if err != nil {
			return notFound(err)
		}
		if err := t.Insert(f.ctx, at.Parent, at.Index, edit.Content{Key: at.Key, Literal: literal}, edit.Options{}); err != nil {
			return fmt.Errorf("%s: %w: %w", path, ErrType, err)
		}
		return nil
	})
}

// Delete deletes the value at a path, and its key. A path with wildcards, as for All, deletes all values
// that it finds.
func (f *File) Delete(path string) error {
	if err := f.check(); err != nil {
		return err
	}
	return f.edit("delete "+path, func(t *model.Transaction) error {
		_, err := t.DeleteAll(f.ctx, edit.Options{}, path)
		if at := (*model.AtError)(nil); errors.As(err, &at) {
			return fmt.Errorf("%s: %w: %w", at.Path, ErrType, at.Err)
		}
		return notFound(err)
	})
}

// All returns the values at a path that can stand for many: [*] and .* are any step, .. any number of
// steps, and a condition in brackets a step to a value that meets it, as in ..enemies[hp<=0].name. The
// error is ErrNotFound if there are none.
func (f *File) All(path string) iter.Seq2[Value, error] {
	return func(yield func(Value, error) bool) {
		err := f.check()
		if err == nil {
			r := f.doc.Innermost().Tree().NewReader()
			err = r.EachAt(f.ctx, path, func(n *tree.Node) error {
				if !yield(Value{r, n}, nil) {
					return errEnough
				}
				return nil
			})
		}
		if err != nil && err != errEnough {
			yield(Value{}, notFound(err))
		}
	}
}

// notFound adds ErrNotFound to an error that says so.
func notFound(err error) error {
	if missing := (*tree.PathError)(nil); errors.As(err, &missing) || errors.Is(err, tree.ErrNoMatch) {
		return fmt.Errorf("%w: %w", ErrNotFound, err)
	}
	return err
}

// Create returns a new file of a dialect that holds a value, given as for Set; with Framing("stream"), the
// elements of a slice. The command varview formats lists the dialects; Elephant's cannot be created. The file
// is written with SaveAs or WriteTo.
func Create(dialect string, v any, options ...Option) (*File, error) {
	o := with(append([]Option{As(dialect)}, options...))
	values := []reflect.Value{reflect.ValueOf(v)}
	if o.Framing == "stream" || o.Framing == "sequence" {
		list := values[0]
		if list.Kind() != reflect.Slice {
			return nil, fmt.Errorf("%w: a %s holds the elements of a slice, not a %T", ErrType, o.Framing, v)
		}
		values = nil
		for i := range list.Len() {
			values = append(values, list.Index(i))
		}
	}
	var text strings.Builder
	for _, x := range values {
		if err := writeLiteral(&text, x, maxDepth); err != nil {
			return nil, err
		}
		text.WriteByte('\n')
	}
	var file bytes.Buffer
	err := decoder.Import(o.ctx, strings.NewReader(text.String()), &file,
		decoder.ImportOptions{Dialect: o.Dialect, Framing: o.Framing, Double: o.Double, Form: format.Literals})
	if err != nil {
		return nil, err
	}
	return Read(&file, append(options, As(dialect))...)
}

// Repair repairs what has one likely cause and a repair that drops nothing readable, until there is no more
// of it, and returns what it has repaired. Wrappers come first: after a repair of one, save the file and open
// it again to repair what it holds. Nothing is written before Save.
func (f *File) Repair() (repaired []Problem, err error) {
	for _, b := range f.doc.Buffers {
		if repaired, err = f.repair(b.Number); err != nil || len(repaired) > 0 {
			break
		}
	}
	return repaired, err
}

// repair makes the repairs in a buffer.
func (f *File) repair(buffer int) (made []Problem, err error) {
	t, err := f.doc.Begin(f.doc.Buffers[buffer])
	if err != nil {
		return nil, err
	}
	isClear := func(p *diagnose.Diagnosis) bool { return !p.Guess && !p.Unsure }
	n, _, err := t.RepairInRounds(f.ctx, nil, isClear, func(p *diagnose.Diagnosis, r edit.Repair, err error) bool {
		if err != nil || r.Loss != "" {
			return false
		}
		made = append(made, problemOf(p))
		return true
	})
	if err != nil || n == 0 {
		return nil, err
	}
	made = made[len(made)-n:] // without what was taken back
	doc, err := t.Commit(f.ctx, "repair", model.Cursor{}, model.Cursor{})
	if err == nil {
		f.doc = doc
	}
	return made, err
}

// A Change is a difference between two files.
type Change struct {
	Kind        string // "added", "removed", "changed", "moved", "renamed" or "retyped"
	Path        string // path in the first file; of what was added, in the second
	NewPath     string // path in the second file if that is another one; otherwise ""
	Old, New    Value  // the zero Value where there is none
	SameMeaning bool   // the values mean the same, and are only stored in another way
}

// Diff returns what differs from f to other, by the meaning of values, whatever the dialects and wrappers
// are. It ends with the first error. Both files must stay open.
func (f *File) Diff(other *File) iter.Seq2[Change, error] {
	return func(yield func(Change, error) bool) {
		err := errors.Join(f.check(), other.check())
		if err == nil {
			a, b := f.doc.Innermost().Tree().NewReader(), other.doc.Innermost().Tree().NewReader()
			o := compare.Options{Alike: f.doc.ReadsAs(other.doc.Document), SameDialect: f.Dialect() == other.Dialect(), Damaged: func(*tree.Tree, *span.Problem) {}}
			err = compare.Trees(f.ctx, a.Tree, b.Tree, o, func(c *compare.Change) error {
				is := Change{Kind: c.Kind.String(), Path: c.Path, NewPath: c.NewPath, SameMeaning: c.Note}
				if c.A != nil {
					is.Old = Value{a, c.A}
				}
				if c.B != nil {
					is.New = Value{b, c.B}
				}
				if !yield(is, nil) {
					return errEnough
				}
				return nil
			})
		}
		if err != nil && err != errEnough {
			yield(Change{}, err)
		}
	}
}
