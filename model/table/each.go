package table

import (
	"cmp"
	"context"
	"errors"
	"os"
	"slices"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tempfile"
	"varview/decoder/engine/tree"
)

// fewRows is the number of rows from which on all rows are passed to find those of a view.
const fewRows = 1 << 10

// Each renders the rows of a view and writes what render returns, in the view's order. A row and the bytes that it returns are
// used before the next call. The rows of a sorted view are rendered as they follow one another in the file: to find each of them
// again would take far longer. So are those of a table whose columns are not complete (CompleteLater); rows that were rendered
// without one are rendered again.
func (t *Table) Each(ctx context.Context, r *tree.Reader, v *View, render func(row *Row) ([]byte, error), write func([]byte) error) error {
	direct := func(row *Row) error {
		b, err := render(row)
		if err == nil {
			err = write(b)
		}
		return err
	}
	switch isSorted := v.later || v.rows != nil && v.Column != NoColumn; {
	case !v.later && v.Len() < min(fewRows, v.All()):
		return t.eachFound(ctx, r, v, direct)
	case !isSorted && !t.late:
		return t.eachInFile(ctx, r, v, direct)
	}
	kept := new(spool)
	defer func() { kept.close() }()
	keep := func(row *Row) error {
		b, err := render(row)
		if err == nil {
			err = kept.add(row.Index, b)
		}
		return err
	}
	err := t.eachInFile(ctx, r, v, keep)
	if errors.Is(err, errColumn) {
		kept.close()
		kept = new(spool)
		if err = t.Complete(ctx); err == nil {
			err = t.eachInFile(ctx, r, v, keep)
		}
	}
	if err == nil {
		err = kept.inOrder(ctx, v, write)
	}
	return err
}

// inOrder writes the rows that were kept in a view's order: of as many as are read at once, the texts are read as they follow one another.
func (s *spool) inOrder(ctx context.Context, v *View, write func([]byte) error) error {
	count := v.Len()
	if v.rows == nil {
		count = int64(len(s.lengths)) // the container may count more
	}
	if s.file != nil {
		if err := s.flush(); err != nil {
			return err
		}
	}
	for first := int64(0); first < count; {
		all, err := s.some(v, first, count)
		for i := 0; i < len(all) && err == nil; i++ {
			err = write(s.memory[all[i].Offset:all[i].End()])
		}
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
		first += int64(len(all))
	}
	return nil
}

// some returns where in memory the texts of the next rows of a view are, from the first to at most the one before count.
func (s *spool) some(v *View, first, count int64) (all []span.Span, err error) {
	const most, least = 1 << 16, 16 << 10 // rows, and bytes of the file, that are read at once
	var inFile []uint64                   // offset of each text, with its number in the lowest bits
	for size := int64(0); first < count && len(all) < most && size < maxSpool/2; first++ {
		text := s.at(v.At(first))
		size += text.Length
		inFile, all = append(inFile, uint64(text.Offset)*most+uint64(len(all))), append(all, text)
	}
	if s.file == nil {
		return all, nil
	}
	slices.Sort(inFile)
	var b []byte // bytes of the file, from an offset on
	from := int64(0)
	s.memory = s.memory[:0]
	for _, x := range inFile {
		text := &all[x%most]
		if text.Offset-from+text.Length > int64(len(b)) {
			from, b = text.Offset, slices.Grow(b[:0], int(max(least, text.Length)))[:min(max(least, text.Length), s.size-text.Offset)]
			s.reads++
			if _, err := s.file.ReadAt(b, from); err != nil {
				return nil, err
			}
		}
		b := b[text.Offset-from:][:text.Length]
		text.Offset, s.memory = int64(len(s.memory)), append(s.memory, b...)
	}
	return all, nil
}

// errColumn says that a row has a column that those before were rendered without.
var errColumn = errors.New("a column that only later rows have")

// eachFound calls do for few rows, each of which is found.
func (t *Table) eachFound(ctx context.Context, r *tree.Reader, v *View, do func(*Row) error) error {
	for i := range v.Len() {
		row, err := t.Row(r, v, v.At(i))
		if errors.Is(err, tree.ErrNoChild) { // the container counts more than the bytes hold
			return nil
		}
		if err == nil {
			err = do(&row)
		}
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
	}
	return r.Window().Err()
}

// eachInFile calls do for the rows of a view in the order of the file.
func (t *Table) eachInFile(ctx context.Context, r *tree.Reader, v *View, do func(*Row) error) error {
	isShown := v.shows()
	var row Row
	var err error
	var cells []*tree.Node // memory for those of a row
	var nodes []tree.Node
	end := func() error {
		if err != nil || row.Node == nil {
			return err
		}
		return do(&row)
	}
	var at here
	pass := scanning{
		here: &at,
		add:  t.late,
		row: func(i int64, v *tree.Value) error {
			if err := end(); err != nil {
				return err
			}
			if row.Node = nil; !isShown(i) {
				return nil
			}
			if at.s == nil {
				var n *tree.Node
				if n, err = r.Child(t.Node, i); err == nil {
					row, err = t.rowOf(r, n)
				}
				return nil
			}
			n := at.s.Current(at.ev)
			if hasParts(v) && v.Layout != tree.Fixed {
				if len(cells) < len(t.Columns) {
					cells, nodes = make([]*tree.Node, len(t.Columns)), make([]tree.Node, len(t.Columns))
				}
				clear(cells)
				row = Row{Index: i, Node: n, Key: r.Key(n), Cells: cells}
			} else {
				row, err = t.rowOf(r, n)
			}
			return nil
		},
		cell: func(i int64, column int, _ *source.Window, _ *tree.Value) {
			if column >= len(row.Cells) && row.Node != nil {
				err = errColumn
			} else if at.s != nil && row.Node != nil && (row.Cells[column] == nil || row.Node.Layout == tree.Pairs) { // of several with its key the last
				row.Cells[column] = at.s.CurrentIn(&nodes[column], at.ev)
			}
		},
	}
	if v.later {
		pass.sorter = newSorter(v)
	}
	return t.completing(func() error {
		return cmp.Or(t.scan(ctx, t.tree.NewReader(), pass), end()) // a window that only moves forward
	})
}

// A spool keeps a text for each row: in memory or, if that is too much, in a file.
type spool struct {
	lengths []uint32 // of the text of each row
	begins  []int64  // of those whose index is a multiple of apart
	size    int64
	memory  []byte // the last texts, all if there is no file
	file    *os.File
	reads   int // of the file
}

// maxSpool is the number of bytes that are kept in memory.
const maxSpool = 24 << 20

// add adds the text of a row that follows the last one.
func (s *spool) add(row int64, text []byte) (err error) {
	for int64(len(s.lengths)) <= row {
		if len(s.lengths)%apart == 0 {
			s.begins = append(s.begins, s.size)
		}
		s.lengths = append(s.lengths, 0)
	}
	s.lengths[row] = uint32(len(text))
	if s.memory == nil {
		s.memory = make([]byte, 0, maxSpool) // once: to copy what was kept would take as much again
	}
	if len(s.memory)+len(text) > maxSpool {
		err = s.flush()
	}
	s.size, s.memory = s.size+int64(len(text)), append(s.memory, text...)
	return err
}

// flush moves the texts in memory to the file.
func (s *spool) flush() (err error) {
	if s.file == nil {
		s.file, err = tempfile.Create("")
	}
	if err == nil {
		_, err = s.file.Write(s.memory)
	}
	s.memory = s.memory[:0]
	return err
}

// at returns where the text of a row is; it is empty if none was added.
func (s *spool) at(row int64) (text span.Span) {
	if row >= int64(len(s.lengths)) {
		return text
	}
	text.Offset, text.Length = s.begins[row/apart], int64(s.lengths[row])
	for _, n := range s.lengths[row/apart*apart : row] {
		text.Offset += int64(n)
	}
	return text
}

func (s *spool) close() {
	if s.file != nil {
		s.file.Close()
	}
}
