// Package paths finds paths of values from what is typed of them.
package paths

import (
	"context"
	"errors"
	"strings"

	"varview/decoder/engine/tree"
	"varview/decoder/value/condition"
	"varview/model"
)

// A Path is a path that was found, and what is there.
type Path struct {
	Path, Type, Value string
	IsLeaf            bool // the value has no parts
}

// Limits of Continuing.
const (
	maxContinued = 5000 // children that are looked at
	valueInList  = 60   // bytes of a value
	pathBegins   = ".["
)

// matching returns the children of a value whose steps begin with a part of one, or else those that contain it.
func matching(ctx context.Context, read *tree.Reader, parent *tree.Node, part string, most int) []Path {
	var begin, contain []Path
	n, err := read.Child(parent, 0)
	for i := 0; err == nil && i < maxContinued && len(begin) < most && ctx.Err() == nil; i++ {
		switch step := read.Step(n); {
		case beginsAs(step, part):
			begin = append(begin, describe(read, n))
		case len(part) > 1 && len(contain) < most && strings.Contains(strings.ToLower(step), strings.ToLower(part[1:])):
			contain = append(contain, describe(read, n))
		}
		n, err = read.Next(n)
		for err == nil && n.Slot.Key {
			n, err = read.Next(n)
		}
	}
	if len(begin) == 0 {
		return contain
	}
	return begin
}

// continued returns the value whose children are offered behind a path and what is typed of the next step.
func continued(read *tree.Reader, around, part string) (*tree.Node, error) {
	parent, err := read.Resolve(around)
	pattern := (*tree.AmbiguousError)(nil)
	if errors.As(err, &pattern) {
		parent, err = read.Resolve(pattern.First)
	}
	if err != nil || around != "$" || parent.Depth > 0 || strings.HasPrefix(part, "[") {
		return parent, err
	}
	if only, err := read.Child(read.Tree.Base, 0); err == nil {
		if _, err := read.Child(parent, 1); err != nil { // the only value of a stream may be left out
			return only, nil
		}
	}
	return parent, nil
}

// Continuing returns up to most paths that begin with the typed text, ignoring case. If no name begins
// with what was typed last, names that contain it are found. Where a pattern stands for several values,
// the first counts.
func Continuing(ctx context.Context, b *model.Buffer, typed string, most int) []Path {
	done, err := b.Document().Use()
	if err != nil {
		return nil
	}
	defer done()
	read := b.Tree().NewReader()
	read.Budget = tree.IndexedBudget
	around, part := lastStep(typed)
	parent, err := continued(read, around, part)
	if err != nil {
		return nil
	}
	begin := matching(ctx, read, parent, part, most)
	if inner := read.Path(parent); tree.IsPattern(around) {
		for i := range begin {
			begin[i].Path = around + strings.TrimPrefix(begin[i].Path, inner)
		}
	}
	return begin
}

// describe returns the path of a value and what is there.
func describe(read *tree.Reader, n *tree.Node) Path {
	defer read.Window().TakeHole() // of a value that is partly lost
	return Path{
		Path:  read.Path(n),
		Type:  string(read.Tree.AppendType(nil, read.Window(), &n.Value)),
		Value: string(read.AppendLiteral(nil, &n.Value, valueInList)),

		IsLeaf: n.Layout == tree.Leaf,
	}
}

// beginsAs reports whether a step of a path begins with what was typed of one: .na also matches ["name of
// it"].
func beginsAs(step, part string) bool {
	step, part = strings.ToLower(step), strings.ToLower(part)
	if strings.HasPrefix(step, part) {
		return true
	}
	name, isName := strings.CutPrefix(part, ".")
	return isName && strings.HasPrefix(strings.TrimLeft(step, `[&^"`), name)
}

// lastStep splits a path that is being typed into its last step, which may be incomplete, and what is
// before it.
func lastStep(typed string) (around, part string) {
	if typed != "" && !strings.ContainsRune("$.[", rune(typed[0])) {
		typed = "." + typed
	}
	last, depth := len(typed), 0
	for i, c := range condition.Unquoted(typed) {
		switch {
		case c == ']':
			if depth--; depth == 0 {
				last = len(typed)
			}
		case strings.IndexByte(pathBegins, c) >= 0 && depth == 0:
			last = i
			if c == '[' {
				depth++
			}
		case c == '[':
			depth++
		}
	}
	around = typed[:last]
	if !strings.HasPrefix(around, "$") {
		around = "$" + around
	}
	return around, typed[last:]
}
