package edit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
)

// EachChild calls f for the children of a value in order.
func EachChild(ctx context.Context, r *tree.Reader, parent *tree.Node, f func(c *tree.Node) error) error {
	c, err := r.Child(parent, 0)
	for ; err == nil; c, err = r.Next(c) {
		if err := cmp.Or(ctx.Err(), f(c)); err != nil {
			return err
		}
	}
	if errors.Is(err, tree.ErrNoChild) {
		return nil
	}
	return err
}

// Children returns the children of a value by the literals of their keys, or by their numbers. The error
// is ErrTooLong if a literal has more than limit bytes.
func Children(ctx context.Context, r *tree.Reader, parent *tree.Node, limit int) (map[string]*tree.Node, error) {
	all := map[string]*tree.Node{}
	return all, EachChild(ctx, r, parent, func(c *tree.Node) error {
		c, err := r.Finish(c)
		if err != nil {
			return err
		}
		name := strconv.FormatInt(c.Slot.Index, 10)
		if key := r.Key(c); key != nil {
			if name, err = LiteralOf(ctx, r, &key.Value, limit); err != nil {
				return err
			}
		}
		all[name] = c
		return nil
	})
}

// CheckFreeKey returns an error if an entry of parent, other than entry number except, has the key with
// the literal name. t may be nil.
func CheckFreeKey(ctx context.Context, r *tree.Reader, t *Together, parent *tree.Node, except int64, name string, limit int) error {
	identity := func(name string) string { // a StringName equals a String with the same text
		if strings.HasPrefix(name, `&"`) {
			return name[1:]
		}
		return name
	}
	free, err := t.TakeKey(parent, identity(name), except, func(use func(string, int64)) error {
		return EachChild(ctx, r, parent, func(c *tree.Node) error {
			other, err := LiteralOf(ctx, r, &r.Key(c).Value, limit)
			use(identity(other), c.Slot.Index)
			return err
		})
	})
	if err == nil && !free {
		err = fmt.Errorf("this %s already has the key %s; its value can be set", r.Tree.Reading.TypeName(&parent.Value), name[:min(len(name), 80)])
	}
	return err
}

// EachAtom calls f for the values of a buffer that have no children and can be read.
func EachAtom(ctx context.Context, r *tree.Reader, f func(s *tree.Scanner, v *tree.Value)) error {
	for s, i := r.Scan(r.Tree.Base), 0; ; i++ {
		switch ev := s.Next(); {
		case ev == tree.Done:
			return s.Window().Err()
		case ev == tree.Atom && s.Value().Damage == nil:
			v := *s.Value()
			f(s, &v)
		}
		if i%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

// NullReferences returns splices that put null in the place of all references to gone, which is deleted, or the error that
// there are some. It does not look into gone.
func NullReferences(ctx context.Context, r *tree.Reader, gone *tree.Node, o Options, refers func(w *source.Window, v *tree.Value) bool, null []byte) (splices []source.Splice, err error) {
	first := ""
	err = EachAtom(ctx, r, func(s *tree.Scanner, v *tree.Value) {
		if gone.Span().Contains(v.Start) || !refers(s.Window(), v) {
			return
		}
		if first == "" {
			first = r.Path(s.Current(tree.Atom))
		}
		splices = append(splices, source.Put(v.Head, v.Tail-v.Head, null))
	})
	if err == nil && len(splices) > 0 && o.Orphans != Undefined {
		err = &OrphanError{References: len(splices), Target: r.Path(gone), First: first, OnlyNull: true}
	}
	return splices, err
}
