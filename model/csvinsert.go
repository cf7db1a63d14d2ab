package model

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"varview/decoder/edit"
	"varview/decoder/tree"
)

// insert puts in the rows and values that were not there, after all others are set.
func (c *csvImport) insert(ctx context.Context) (inserted int, err error) {
	for _, x := range c.inserts {
		if ctx.Err() != nil {
			return inserted, ctx.Err()
		}
		if x.row < 0 {
			err = c.insertRow(ctx, x)
			inserted++
		} else {
			err = c.insertCells(ctx, x)
			inserted += len(x.cells)
		}
		if err != nil {
			return inserted, inCSVLine(x.line, err)
		}
	}
	return inserted, nil
}

// insertCells puts values into a row.
func (c *csvImport) insertCells(ctx context.Context, x csvInsert) error {
	for _, cell := range x.cells {
		row, err := c.t.read.AtIndexes(append(c.place[:len(c.place):len(c.place)], x.row))
		if err != nil {
			return err
		}
		if row.Layout != tree.Pairs {
			return fmt.Errorf("%s has no value for %s", c.t.read.Path(row), cell.key)
		}
		if err := c.t.Insert(ctx, row, row.Count, edit.Content{Key: cell.key, Literal: cell.literal}, c.o); err != nil {
			return &AtError{c.t.read.Path(row), err}
		}
	}
	return nil
}

// insertRow puts a new row after all others.
func (c *csvImport) insertRow(ctx context.Context, x csvInsert) error {
	n, err := c.t.read.AtIndexes(c.place)
	if err != nil {
		return err
	}
	like, err := c.t.read.Child(n, 0)
	if err != nil {
		return err
	}
	literal, err := c.rowLiteral(like, x.cells)
	if err != nil {
		return err
	}
	count, err := c.t.ChildCount(n)
	if err != nil {
		return err
	}
	if err := c.t.Insert(ctx, n, count, edit.Content{Key: x.key, Literal: literal}, c.o); err != nil {
		return &AtError{c.t.read.Path(n), err}
	}
	return nil
}

// rowLiteral is the literal of a new row, of the same form as another one.
func (c *csvImport) rowLiteral(like *tree.Node, cells []csvCell) (string, error) {
	var parts []string
	for _, cell := range cells {
		if like.Layout == tree.Pairs {
			cell.literal = cell.key + ": " + cell.literal
		}
		parts = append(parts, cell.literal)
	}
	all := strings.Join(parts, ", ")
	switch {
	case like.Layout == tree.Pairs:
		return "{ " + all + " }", nil
	case like.Layout == tree.Sequence:
		return "[" + all + "]", nil
	case like.Layout == tree.Fixed:
		return c.t.now.tree.Reading.TypeName(&like.Value) + "(" + all + ")", nil
	case len(parts) == 1:
		return parts[0], nil
	}
	return "", errors.New("a new row has one value")
}
