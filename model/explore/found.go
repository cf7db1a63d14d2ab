package explore

import (
	"fmt"
	"maps"
	"regexp"
	"strings"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/model"
	"varview/model/search"
)

// GoToHit moves the cursor to a hit. What is unfolded for it is folded again by the next one.
func (x *Explorer) GoToHit(h search.Hit) error {
	clear(x.outline.sought)
	clear(x.outline.shown)
	if !h.IsValue {
		x.offset, x.inBytes, x.gone = h.Offset, true, nil
		x.owner, x.field = nil, span.Field{}
		return x.do(func() error { return x.revealIn(x.outline.sought) })
	}
	return x.do(func() error {
		x.outline.unfoldAround(h.Node, x.outline.sought, maxUnfolded)
		err := x.selectRow(x.outline.rowOf(h.Node))
		x.outline.leaveBelow(x.row)
		return err
	})
}

// SearchLike shows the hits of what another explorer searches for, and filters by what it filters by, and reports
// whether there is either. They are yet to be found.
func (x *Explorer) SearchLike(other *Explorer) bool {
	h, filters := other.Hits, other.outline.filter != nil && !other.OnlyDiffering()
	if filters {
		h = other.Filter()
	}
	if h == nil {
		return false
	}
	x.Hits = h.In(x.Buffer)
	if filters {
		x.SetFilter(x.Hits)
	}
	return true
}

// KeepSought keeps unfolded what a search has unfolded.
func (x *Explorer) KeepSought() {
	maps.Copy(x.outline.open, x.outline.sought)
	clear(x.outline.sought)
}

// Hit returns the i-th of the kept hits.
func (x *Explorer) Hit(h *Hits, i int) (search.Hit, error) {
	k, c := h.at(i)
	n, err := c.Find(x.read)
	if k.isValue || err != nil {
		return search.Hit{Span: k.Span, Node: n, IsValue: true}, err
	}
	return search.Hit{Span: k.Span, Node: n}, nil
}

// A HitLine describes a hit in a list of hits.
type HitLine struct{ Path, Type, Value string }

// HitLine describes the i-th of the kept hits. Values are cut to about limit bytes.
func (x *Explorer) HitLine(h *Hits, i, limit int) (HitLine, error) {
	k, c := h.at(i)
	n, err := c.Find(x.read)
	if err != nil {
		return HitLine{}, err
	}
	if n.Depth == 0 { // of no value
		return HitLine{fmt.Sprintf("%#x", k.Offset), "bytes", x.textAround(k.Offset)}, nil
	}
	r := x.newRow(n, limit)
	line := HitLine{x.Path(n), r.Type, r.Value}
	if x.Buffer.IsPart(&n.Value) {
		line.Path = r.Label
	}
	return line, nil
}

// textAround returns the bytes around an offset as text, with a dot for each that is no printable ASCII.
func (x *Explorer) textAround(at int64) string {
	var data [64]byte
	k, _ := source.ReadAround(x.read.Tree.Source, data[:], max(0, at-int64(len(data)/4)))
	for i, c := range data[:k] {
		if c < ' ' || c > '~' {
			data[i] = '.'
		}
	}
	return string(data[:k])
}

// SameQuery returns a query for values with the selected value's key or name or, if it has none, for the
// same value. It is "" if there is nothing to look for.
func (x *Explorer) SameQuery() string {
	n := x.Subject()
	if n == nil || n.Depth == 0 {
		return ""
	}
	if name, named := label(x.read.Step(n)); named {
		return "key:" + wholly(strings.Trim(name, `"`))
	}
	literal := x.literal(n, maxSame+1)
	switch {
	case len(literal) > maxSame:
	case isText(literal):
		return "value:" + wholly(strings.Trim(strings.TrimLeft(literal, "&^"), `"`))
	case kindOf(literal) == RowNumber && literal[0] != '(':
		return "value:=" + literal
	}
	return ""
}

// maxSame is the length in bytes of the longest value that is looked for.
const maxSame = 200

// wholly returns a regular expression that matches all of a text, in query syntax.
func wholly(text string) string {
	return "/^" + strings.ReplaceAll(regexp.QuoteMeta(text), "/", `\/`) + "$/"
}

// A View is where the cursor and the rows in view are, and what a search has unfolded.
type View struct {
	cursor model.Cursor
	offset int64
	top    *tree.Node
	sought map[tree.ID]bool
}

// Cursor returns where the cursor was.
func (v View) Cursor() model.Cursor { return v.cursor }

// View returns the current view of the buffer.
func (x *Explorer) View() View {
	v := View{cursor: x.Cursor(), offset: x.offset, sought: maps.Clone(x.outline.sought)}
	if len(x.outline.rows) > 0 {
		v.top = x.outline.rows[0]
	}
	return v
}

// ReturnTo restores a view, if the buffer has not been edited since.
func (x *Explorer) ReturnTo(v View) error {
	x.outline.sought = maps.Clone(v.sought)
	clear(x.outline.shown)
	if v.top != nil {
		x.outline.setTop(v.top)
	}
	err := x.GoToCursor(v.cursor)
	if x.later == nil && x.offset != v.offset { // another byte of the selected value
		x.offset = v.offset
		x.locate()
	}
	return err
}

// SetFilter reduces the tree to the rows with hits and those around them; nil shows all rows again. After
// an edit the rows stay until all hits have been found again.
func (x *Explorer) SetFilter(h *Hits) {
	o := x.outline
	switch {
	case h == nil && o.filter == nil:
		return
	case h != nil && o.filter != nil && o.filter.stale:
		o.filter.hits = h
		o.filter.takeOver()
		o.refill()
		return
	case h != nil:
		o.filter = newFilter(h)
		o.filter.takeOver()
		o.rows = o.rows[:0]
		o.fill()
		return
	}
	o.filter, o.rows = nil, o.rows[:0]
	o.fill()
	if n := x.row; n != nil && n.Depth > 0 {
		o.unfoldAround(n, o.sought, maxUnfolded)
		x.do(func() error {
			row, err := o.rowOf(n)
			if err == nil {
				x.row = row
				o.show(row)
			}
			return err
		})
	}
}

// Filter returns the hits to which the tree is reduced; nil if all rows are shown.
func (x *Explorer) Filter() *Hits {
	if x.outline.filter == nil {
		return nil
	}
	return x.outline.filter.hits
}
