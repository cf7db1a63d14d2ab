package dialog

import tea "github.com/charmbracelet/bubbletea"

// Rows is the position in a list: the selected row and the first one in view.
type Rows struct{ At, Top int }

// Move moves the selection by some rows, within count.
func (r *Rows) Move(by, count int) { r.At = max(0, min(r.At+by, count-1)) }

// Seek selects the next row for which is returns true, or if by is -1 the previous one. It reports
// whether there is one.
func (r *Rows) Seek(by, count int, is func(row int) bool) bool {
	for i := r.At + by; i >= 0 && i < count; i += by {
		if is(i) {
			r.At = i
			return true
		}
	}
	return false
}

// Fit scrolls so that the selected row is in view, with height of count rows visible.
func (r *Rows) Fit(height, count int) {
	r.Move(0, count)
	r.Top = max(r.At-height+1, min(r.Top, r.At), 0)
}

// Pick moves the selection by a turn of the wheel, or to a clicked line among the rows in view. It
// reports whether the row that was already selected was clicked.
func (r *Rows) Pick(msg tea.MouseMsg, by, line, height, count int) (again bool) {
	row := r.Top + line
	switch {
	case by != 0:
		r.Move(by, count)
	case msg.Button != tea.MouseButtonLeft || line < 0 || row >= min(r.Top+height, count):
	case row == r.At:
		return true
	default:
		r.At = row
	}
	return false
}
