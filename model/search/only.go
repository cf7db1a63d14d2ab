package search

import (
	"context"
	"errors"
	"fmt"

	"varview/decoder/engine/tree"
)

// Only is a set of values given by a path that stands for one or many, in one or more trees.
type Only struct {
	values  map[string]bool // paths of the values
	around  map[string]bool // paths of the values around them
	longest int             // length of the longest path in values, in bytes
}

// NewOnly returns the values that a path stands for in any of the trees; the error is tree.ErrNoMatch if
// there are none.
func NewOnly(ctx context.Context, path string, trees ...*tree.Tree) (*Only, error) {
	p, err := tree.ParsePattern(path)
	if err != nil {
		return nil, err
	}
	o := &Only{values: map[string]bool{}, around: map[string]bool{}}
	for _, t := range trees {
		r := t.NewReader()
		err := p.Each(ctx, t.NewReader(), func(n *tree.Node) error {
			o.add(r.Path(n))
			return nil
		})
		if missing := (*tree.PathError)(nil); err != nil && !errors.As(err, &missing) {
			return nil, err
		}
	}
	if len(o.values) == 0 {
		return nil, fmt.Errorf("%w: %s", tree.ErrNoMatch, path)
	}
	return o, nil
}

func (o *Only) add(path string) {
	o.values[path] = true
	o.longest = max(o.longest, len(path))
	for prefix := range tree.Prefixes(path) {
		if prefix != path {
			o.around[prefix] = true
		}
	}
}

// Has reports whether a path is that of one of the values, or of something inside one.
func (o *Only) Has(path string) bool {
	for prefix := range tree.Prefixes(path) {
		if len(prefix) > o.longest {
			break
		}
		if o.values[prefix] {
			return true
		}
	}
	return false
}

// IsAround reports whether a path is that of something that contains one of the values.
func (o *Only) IsAround(path string) bool { return o.around[path] }
