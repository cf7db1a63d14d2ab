package table

import (
	"context"
	"fmt"
	"maps"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/engine/tree"
	"varview/internal/text"
	"varview/model"
	"varview/model/table"
	"varview/themes"
)

// drawn is a row as it is drawn.
type drawn struct {
	key   string
	cells []string
	roles []themes.Role
	edits []bool // cells that differ from the file
}

// load reads the rows in view for which a frame has no time.
func (s *sheet) load() tea.Cmd {
	height := int64(s.height())
	top := max(s.at-height+1, min(s.top, s.at), 0)
	var missing []int64
	for i := top; i < min(top+height, s.view.Len()); i++ {
		if _, known := s.rows[s.view.At(i)]; !known {
			missing = append(missing, s.view.At(i))
		}
	}
	if len(missing) == 0 || s.failed != nil {
		return nil
	}
	t, v, b := s.table, s.view, s.Explorer.Buffer
	return s.Start(&s.loading, "reading the rows", func(ctx context.Context, _ *model.Progress) func() tea.Cmd {
		r, before, found := t.NewReader(), model.NewBefore(b), map[int64]drawn{}
		for _, row := range missing {
			if d, ok := readRow(r, before, t, v, row); ok && ctx.Err() == nil {
				found[row] = d
			}
		}
		return func() tea.Cmd {
			if s.table == t {
				maps.Copy(s.rows, found)
			}
			return nil
		}
	})
}

// readRow reads a row of a view. ok is false if it could not be read.
func readRow(r *tree.Reader, before *model.Before, t *table.Table, v *table.View, at int64) (d drawn, ok bool) {
	row, err := t.Row(r, v, at)
	if row.Node == nil {
		return d, false
	}
	return draw(r, before, &row), err == nil
}

// draw returns a row as it is drawn.
func draw(r *tree.Reader, before *model.Before, row *table.Row) drawn {
	n := len(row.Cells)
	d := drawn{key: fmt.Sprint(row.Index), cells: make([]string, n), roles: make([]themes.Role, n), edits: make([]bool, n)}
	if row.Key != nil {
		d.key = text.Head(text.Clean(string(r.AppendLiteral(nil, &row.Key.Value, 4*keyWidth))), keyWidth)
	}
	for i, c := range row.Cells {
		if c == nil {
			continue
		}
		d.cells[i] = text.Head(text.Clean(string(r.AppendLiteral(nil, &c.Value, 4*cellWidth))), cellWidth)
		if was := before.Of(c, cellWidth); was != "" {
			d.cells[i], d.edits[i] = text.Head(text.Clean(was)+"→"+d.cells[i], cellWidth), true
		}
		d.roles[i] = themes.Keyword
		switch r.Plain(&c.Value).Kind {
		case tree.Int, tree.Uint, tree.Float64:
			d.roles[i] = themes.Number
		case tree.Text:
			d.roles[i] = themes.String
		}
		if c.Layout != tree.Leaf {
			d.roles[i] = themes.Dim
		}
	}
	return d
}
