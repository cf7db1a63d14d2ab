package edit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"

	"varview/decoder/tree"
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
	free, err := t.TakeKey(parent, name, except, func(use func(string, int64)) error {
		return EachChild(ctx, r, parent, func(c *tree.Node) error {
			other, err := LiteralOf(ctx, r, &r.Key(c).Value, limit)
			use(other, c.Slot.Index)
			return err
		})
	})
	if err == nil && !free {
		err = fmt.Errorf("this %s already has the key %s", r.Tree.Reading.TypeName(&parent.Value), name[:min(len(name), 80)])
	}
	return err
}
