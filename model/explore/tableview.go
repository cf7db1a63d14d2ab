package explore

import (
	"bytes"
	"context"
	"errors"
	"strings"

	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/model"
	"varview/model/search"
	"varview/model/sorting"
	"varview/model/table"
)

// A TablePlace is the path of a table's container as child indexes, which edits do not invalidate.
type TablePlace []int64

// Table returns the table of the container n, or if it is none, of the one around it, and its place. It may run in the
// background.
func (x *Explorer) Table(ctx context.Context, n *tree.Node) (*table.Table, TablePlace, error) {
	t, err := table.New(ctx, x.Buffer.Tree(), n)
	if errors.Is(err, table.ErrNoTable) && n.Depth > 1 {
		return x.Table(ctx, n.Parent)
	}
	if err == nil && t.Count(t.NewReader()) == 0 {
		err = errors.New("the container is empty: there are no rows")
	}
	return t, n.Indexes(), err
}

// FilterOfRows returns the filter of the tree as one of the rows of a table, "" for none. It reports whether it can be:
// text, or a comparison with what is in a column.
func (x *Explorer) FilterOfRows() (filter string, ok bool) {
	h := x.Filter()
	if h == nil {
		return "", true
	}
	filter = h.Query.String()
	if key, condition, isColumn := strings.Cut(strings.TrimPrefix(filter, "key:"), " "); isColumn && strings.ContainsAny(condition[:1], "<>=") {
		filter = key + condition
	}
	return filter, h.Within == "" && filter != "" && !strings.ContainsAny(filter, ` :|/"`) && filter[0] != '-'
}

// TableNow returns a table of the current buffer.
func (x *Explorer) TableNow(t *table.Table, place TablePlace) (*table.Table, error) {
	r := x.LookReader()
	n, err := r.AtIndexes(place)
	if err != nil {
		return nil, err
	}
	return t.Like(r.Tree, n), nil
}

// LookReader returns a reader for what is drawn: it reads no more than takes a moment.
func (x *Explorer) LookReader() *tree.Reader {
	r := x.Buffer.Tree().NewReader()
	r.Budget = tree.LookUpBudget
	return r
}

// SetAll sets all values that a path stands for.
func (x *Explorer) SetAll(path, value string) model.Intention {
	return x.staying("set "+path, func(ctx context.Context, t *model.Transaction) error {
		t.Options.Infer = true
		_, err := t.SetAll(ctx, path, value, t.Options)
		return err
	})
}

// SetFound sets all values in which a query finds something.
func (x *Explorer) SetFound(q search.Query, value string) model.Intention {
	return x.staying("set all hits of "+q.String(), func(ctx context.Context, t *model.Transaction) error {
		t.Options.Infer = true
		_, err := t.SetFound(ctx, q, value, t.Options)
		return err
	})
}

// ImportCSV puts the values of a CSV file into the container n.
func (x *Explorer) ImportCSV(n *tree.Node, csv []byte) model.Intention {
	return x.staying("import CSV into "+x.shortPath(n), func(ctx context.Context, t *model.Transaction) error {
		_, err := t.ImportCSV(ctx, n, bytes.NewReader(csv), t.Options)
		return err
	})
}

// Sort puts the children of the container n in order.
func (x *Explorer) Sort(n *tree.Node, s sorting.Order) model.Intention {
	return x.staying("sort "+x.shortPath(n), func(ctx context.Context, t *model.Transaction) error {
		_, _, err := sorting.Sort(ctx, t, n, s, t.Options)
		return err
	})
}

// SetThese sets values, which are in file order, to a literal or to what an expression makes of the old
// value.
func (x *Explorer) SetThese(all []*tree.Node, value string) model.Intention {
	label := "set " + span.Counted(int64(len(all)), "value")
	if len(all) == 1 {
		label = "set " + x.shortPath(all[0])
	}
	return x.staying(label, func(ctx context.Context, t *model.Transaction) error {
		t.Options.Infer = true
		return t.SetThese(ctx, all, value, t.Options)
	})
}
