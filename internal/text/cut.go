package text

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

const ellipsis = "…"

// Width returns the columns that s takes, by grapheme clusters: the measure of
// ansi.StringWidth, with which lipgloss lays out and Bubble Tea cuts lines. For a
// string from Clean it is also the sum of the widths of the code points.
func Width(s string) int {
	if isPlain(s) {
		return len(s)
	}
	return ansi.StringWidth(s)
}

// Cut returns clean text in at most width columns. Where it drops something it
// keeps the beginning, ends in …, and closes right-to-left text again. It splits no
// grapheme cluster. A width of 0 or less gives "".
func Cut(s string, width int) string {
	if width <= 0 {
		return ""
	}
	if len(s) <= width { // no character has more columns than bytes
		return s
	}
	keep, _, whole := fitting(s, width)
	if whole {
		return s
	}
	return s[:keep] + tail(s[:keep])
}

// Fit returns clean text, cut like Cut and followed by blanks, in exactly width
// columns; "" when width is 0 or less.
func Fit(s string, width int) string {
	if width <= 0 {
		return ""
	}
	keep, columns, whole := fitting(s, width)
	if whole {
		return s + blanks(width-columns)
	}
	return s[:keep] + tail(s[:keep]) + blanks(width-columns-1)
}

// CutLeft returns clean text in at most width columns. Where it drops something it
// keeps the end, after a leading …, as suits paths.
func CutLeft(s string, width int) string {
	if width <= 0 {
		return ""
	}
	if len(s) <= width {
		return s
	}
	columns := Width(s)
	if columns <= width {
		return s
	}
	for columns >= width && s != "" {
		n, w := firstCluster(s)
		s, columns = s[n:], columns-w
	}
	return ellipsis + s
}

// bytesPerColumn is an upper bound of the bytes that Clean reads for one column of
// its result: a base, its marks, a selector and joiners that it drops.
const bytesPerColumn = 4*(1+maxMarks) + 28

// Head returns Cut(Clean(s), width) and reads no more of s than that needs.
func Head(s string, width int) string {
	if width <= 0 {
		return ""
	}
	if n := len(s) / bytesPerColumn; n > width {
		s = s[:bytesPerColumn*(width+1)]
	}
	return Cut(Clean(s), width)
}

// fitting reports whether all of s fits into width columns, and its columns; else
// the bytes and columns of the beginning that leaves room for the ellipsis. Width
// is at least 1.
func fitting(s string, width int) (keep, columns int, whole bool) {
	run := plainRun(s[:min(len(s), width+1)])
	if run > width {
		return width - 1, width - 1, false
	}
	end := run
	columns, keep = run, min(run, width-1)
	kept := keep
	for end < len(s) {
		n, w := firstCluster(s[end:])
		if columns+w > width {
			return keep, kept, false
		}
		end, columns = end+n, columns+w
		if columns < width {
			keep, kept = end, columns
		}
	}
	return end, columns, true
}

// tail returns what follows the kept beginning of a cut text.
func tail(kept string) string {
	if endsRightToLeft(kept) {
		return ellipsis + string(lrm)
	}
	return ellipsis
}

// endsRightToLeft reports whether s has right-to-left text that is not closed.
func endsRightToLeft(s string) bool {
	open := false
	for _, r := range s {
		open = r != lrm && (open || isRightToLeft(r))
	}
	return open
}

// firstCluster returns bytes and columns of the grapheme cluster that clean text
// begins with. A mark whose ASCII base was counted before is one of no columns.
func firstCluster(s string) (bytes, columns int) {
	if isPrintable(s[0]) && (len(s) == 1 || s[1] < 0x80) {
		return 1, 1
	}
	cluster, w := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
	return len(cluster), w
}

const manyBlanks = "                                                                                " +
	"                                                                                "

// blanks returns n blanks; "" when n is negative.
func blanks(n int) string {
	if n <= len(manyBlanks) {
		return manyBlanks[:max(n, 0)]
	}
	return strings.Repeat(" ", n)
}

// FitLeft returns clean text in exactly width columns, of which the beginning is cut.
func FitLeft(s string, width int) string {
	s = CutLeft(s, width)
	return s + blanks(width-Width(s))
}

// Fill returns exactly height lines of width columns: the first of those that there are, then blank ones.
func Fill(lines []string, width, height int) []string {
	for len(lines) < height {
		lines = append(lines, blanks(width))
	}
	return lines[:height]
}
