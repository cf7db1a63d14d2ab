package table

import (
	"context"
	"errors"

	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
)

// errEnough ends a scan early.
var errEnough = errors.New("enough")

// A scanning says what is done with the rows that are passed. Unset functions are not called.
type scanning struct {
	add    bool                                                          // columns are added
	places *places                                                       // where rows begin is noted here; nil for nowhere
	row    func(i int64, row *tree.Value) error                          // a row begins
	key    func(i int64, w *source.Window, key *tree.Value)              // its key
	cell   func(i int64, column int, w *source.Window, cell *tree.Value) // a value in it
	last   func(i int64, column int, w *source.Window, cell *tree.Value) // the last value of a column in it, once it has been passed
	sorter *sorter                                                       // is given what rows are sorted by; nil for nothing
	here   *here                                                         // is set to where the pass is; nil if that is not wanted
}

// here is where a pass is.
type here struct {
	s  *tree.Scanner // nil in rows of fixed size
	ev tree.Event
}

// A pass is a scan of all rows, in file order. It allocates no nodes.
type pass struct {
	scanning
	t      *Table
	r      *tree.Reader
	w      *source.Window
	part   tree.Value // a part of a row of fixed size; shared, to save allocations
	at     int64      // index of the current row
	keyAt  int64      // where its key begins; Unknown for none
	step   []byte     // step from the row to the value whose key was passed last
	within []record   // what the current value is a part of: the row, and records in it whose values are columns
	wanted []int      // columns of which the row has a value that is wanted
	held   []held     // by column, the last such value
}

// held is a value of a column.
type held struct {
	tree.Value
	isOf int64 // 1 + the index of its row
}

// A record is a row, or a value in it that has columns of its own.
type record struct {
	tree.Value
	named int // bytes of step that lead to it
}

// mostNested is the largest number of records in one another whose values are columns.
const mostNested = 8

// scan passes over all rows.
func (t *Table) scan(ctx context.Context, r *tree.Reader, do scanning) error {
	p := &pass{scanning: do, t: t, r: r, w: r.Window(), at: -1, keyAt: tree.Unknown}
	if p.sorter != nil {
		p.sorter.r = r
	}
	var err error
	if t.Node.Layout == tree.Fixed {
		err = p.fixed(ctx)
	} else {
		err = p.run(ctx)
	}
	if errors.Is(err, errEnough) {
		err = nil
	}
	if err == nil {
		err = p.w.Err()
	}
	if err == nil {
		p.settle()
	}
	if err == nil && p.sorter != nil {
		p.sorter.sort(p.at + 1)
	}
	return err
}

// run passes over the rows of a container whose children are stored one after another.
func (p *pass) run(ctx context.Context) error {
	s := p.r.ScanRows(p.t.Node, func(v *tree.Value) bool { return isRecord(p.r, v) })
	if p.here == nil {
		p.here = new(here)
	}
	p.here.s = s
	depth := 0 // below the container
	for i := 1; ; i++ {
		if i%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		ev := s.Next()
		v := s.Value()
		p.here.ev = ev
		switch ev {
		case tree.Done:
			return nil
		case tree.Passed:
			continue
		case tree.Leave:
			if depth--; depth < 0 {
				return nil
			}
			continue
		case tree.Enter:
			depth++
		}
		level := depth // of the value: 1 for a row
		if ev == tree.Atom {
			level++
		}
		var err error
		switch {
		case level == 1 && s.Slot().Key:
			p.passKey(s.Slot().Index, v)
		case level == 1:
			if p.places != nil {
				p.places.add(s.Slot().Index, v, p.keyAt)
			}
			err = p.begin(s.Slot().Index, v)
		case level <= len(p.within)+1:
			p.within = p.within[:level-1]
			p.inRow(s.Slot(), v)
		}
		if err != nil {
			return err
		}
	}
}

// passKey passes the key of a row.
func (p *pass) passKey(row int64, v *tree.Value) {
	p.keyAt = v.Start
	if p.sorts(KeyColumn) {
		p.sorter.found(row, p.w, v)
	}
	if p.scanning.key != nil {
		p.scanning.key(row, p.w, v)
	}
}

// fixed passes over rows of equal size.
func (p *pass) fixed(ctx context.Context) error {
	n := p.t.Node
	var v tree.Value // shared by all rows, to save allocations
	for i := range n.Count {
		if i%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		v = tree.Value{}
		p.r.Tree.Reading.Read(p.w, &n.Value, tree.Slot{Index: i}, n.Body+i*int64(n.Stride), &v)
		if err := p.begin(i, &v); err != nil {
			return err
		}
	}
	return nil
}

// begin begins a row.
func (p *pass) begin(i int64, v *tree.Value) error {
	p.settle()
	p.at, p.within = i, p.within[:0]
	if p.scanning.row != nil {
		if err := p.scanning.row(i, v); err != nil {
			return err
		}
	}
	if i%4096 == 0 && p.t.Passed != nil {
		p.t.Passed(i, p.t.Count(p.r))
	}
	switch {
	case !hasParts(v):
		p.found(nil, v)
	case v.Layout == tree.Fixed:
		for k := range v.Count {
			p.part = tree.Value{}
			slot := tree.Slot{Index: k}
			p.r.Tree.Reading.Read(p.w, v, slot, v.Body+k*int64(v.Stride), &p.part)
			p.step = p.r.AppendStep(p.step[:0], v, slot, nil)
			p.found(p.step, &p.part)
		}
	default:
		p.within = append(p.within, record{Value: *v})
	}
	return nil
}

// inRow passes a value in a row, or its key.
func (p *pass) inRow(slot tree.Slot, v *tree.Value) {
	in := &p.within[len(p.within)-1]
	switch {
	case slot.Key:
		p.step = p.r.AppendStep(p.step[:0], &in.Value, slot, v)
		if len(p.step) > tree.MaxKey {
			p.step = p.step[:0]
		}
	case in.Layout == tree.Pairs:
		if len(p.step) > 0 {
			p.found(p.step, v)
		}
	default:
		if p.step = p.r.AppendStep(p.step[:in.named], &in.Value, slot, nil); len(p.within) <= mostNested && isRecord(p.r, v) {
			p.within = append(p.within, record{*v, len(p.step)})
		} else {
			p.found(p.step, v)
		}
	}
}

// isRecord reports whether a value has fields with names that its type gives, which are columns of the row that it is in. One
// with a title is shown by that.
func isRecord(r *tree.Reader, v *tree.Value) bool {
	if t, ok := r.Tree.Reading.(tree.Titler); ok && t.HasTitle(v) {
		return false
	}
	return v.Layout == tree.Sequence && !v.Opaque && v.Damage == nil && v.Count > 0 && v.Count <= maxColumns && r.AppendStep(nil, v, tree.Slot{}, nil)[0] == '.'
}

// found passes a value of a column.
func (p *pass) found(step []byte, v *tree.Value) {
	known := len(p.t.Columns)
	i := p.t.column(step, p.add)
	if i < 0 {
		return
	}
	if i == known {
		p.t.Columns[i].Text = p.r.Plain(v).Kind == tree.Text
	}
	if p.cell != nil {
		p.cell(p.at, i, p.w, v)
	}
	if p.last != nil || p.sorts(i) {
		p.hold(i, v)
	}
}

// sorts reports whether rows are sorted by a column.
func (p *pass) sorts(column int) bool { return p.sorter != nil && p.sorter.view.Column == column }

// hold keeps a value of a column, in place of an earlier one with the same key.
func (p *pass) hold(column int, v *tree.Value) {
	if missing := len(p.t.Columns) - len(p.held); missing > 0 {
		p.held = append(p.held, make([]held, missing)...)
	}
	if p.held[column].isOf != p.at+1 {
		p.wanted = append(p.wanted, column)
	}
	p.held[column] = held{*v, p.at + 1}
}

// settle passes the values of a row on, once all of it has been passed.
func (p *pass) settle() {
	for _, column := range p.wanted {
		v := &p.held[column].Value
		if p.last != nil {
			p.last(p.at, column, p.w, v)
		}
		if p.sorts(column) {
			p.sorter.found(p.at, p.w, v)
		}
	}
	p.wanted = p.wanted[:0]
}
