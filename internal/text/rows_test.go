package text

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// randomLines is a text of lines of all lengths, with characters of several bytes, and bytes that are none.
func randomLines(r *rand.Rand) []byte {
	var b bytes.Buffer
	for range 1 + r.IntN(8) {
		n := r.IntN(100)
		switch r.IntN(6) {
		case 0:
			n = 0
		case 1:
			n = r.IntN(longLine)
		}
		for range n {
			b.WriteString([]string{"a", "b", " ", "é", "世", "e\u0301", "\t", "\xff", "👍🏽", "\r"}[max(0, r.IntN(30)-20)])
		}
		if r.IntN(9) > 0 {
			b.WriteByte('\n')
		}
	}
	return b.Bytes()
}

// Wherever one begins to look, a text has the same rows, and they are those of its lines.
func TestRowsOfText(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 5 {
		content := randomLines(r)
		width := 1 + r.IntN(60)
		one := func() *Rows {
			l := NewRows(int64(len(content)), func(dst []byte, from int64) int { return copy(dst, content[from:]) })
			l.Fit(width)
			return l
		}
		l, size := one(), int64(len(content))
		var rows []int64
		for at := int64(0); at < size; {
			start, end := l.Row(at)
			if start != at || end <= at {
				t.Fatalf("the row at %d is %d to %d", at, start, end)
			}
			rows = append(rows, start)
			checkRow(t, content[start:end], width)
			at = end
		}
		for range 10 {
			at := r.Int64N(max(1, size))
			i, isStart := slices.BinarySearch(rows, at)
			if !isStart {
				i--
			}
			if start, _ := one().Row(at); size > 0 && start != rows[i] {
				t.Fatalf("%d: the row begins at %d, not at %d (%d columns)", at, start, rows[i], width)
			}
			by := r.IntN(60) - 30
			if to := max(0, min(i+by, len(rows)-1)); size > 0 && one().Moved(rows[i], by) != rows[to] {
				t.Fatalf("%d rows from %d is %d, not %d", by, rows[i], one().Moved(rows[i], by), rows[to])
			}
			if size == 0 {
				continue
			}
			number, isFirst := l.Number(rows[i])
			before := content[:rows[i]]
			if want := int64(bytes.Count(before, []byte("\n")) + 1); number != want || isFirst != (rows[i] == 0 || before[len(before)-1] == '\n') {
				t.Fatalf("the line at %d is %d (%v), not %d", rows[i], number, isFirst, want)
			}
		}
	}
}

// checkRow checks that a row has one line at most and fits.
func checkRow(t *testing.T, row []byte, width int) {
	t.Helper()
	s := strings.TrimSuffix(string(row), "\n")
	if strings.Contains(s, "\n") {
		t.Fatalf("a row has several lines: %q", s)
	}
	columns := 0
	for i := 0; i < len(s); {
		_, n, w := Next(s[i:])
		if columns += w; columns > width && i > 0 {
			t.Fatalf("a row of %d columns or more in %d: %q", columns, width, s)
		}
		i += n
	}
}
