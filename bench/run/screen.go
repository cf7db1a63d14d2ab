package main

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// A screen is the content of a terminal's cells, without colours. It understands the sequences that
// full-screen programs draw with, and ignores all others.
type screen struct {
	cols, rows int
	cells      []string // one grapheme each; "" is blank, and the right half of a wide one
	seen       []string // cells at the last call of changed
	x, y       int      // x is cols after the last column, where the next grapheme wraps
	parser     *ansi.Parser
	rest       []byte // an incomplete sequence that feed could not draw yet
}

func newScreen(cols, rows int) *screen {
	return &screen{
		cols: cols, rows: rows, parser: ansi.NewParser(),
		cells: make([]string, cols*rows), seen: make([]string, cols*rows),
	}
}

// feed draws output. An incomplete sequence or character waits for the next call.
func (s *screen) feed(output []byte) {
	output = append(s.rest, output...)
	s.rest = nil
	for len(output) > 0 {
		seq, width, n, state := ansi.DecodeSequence(output, ansi.NormalState, s.parser)
		switch {
		case state != ansi.NormalState || !utf8.FullRune(output):
			s.rest = output
			return
		case width > 0:
			s.put(string(seq), width)
		case ansi.HasCsiPrefix(seq):
			s.control()
		case len(seq) == 1:
			s.move(seq[0])
		}
		output = output[n:]
	}
}

func (s *screen) put(grapheme string, width int) {
	if s.x+width > s.cols {
		s.x, s.y = 0, min(s.y+1, s.rows-1)
	}
	if grapheme == " " {
		grapheme = ""
	}
	at := s.y*s.cols + s.x
	clear(s.cells[at:min(at+width, len(s.cells))])
	s.cells[at] = grapheme
	s.x += width
}

func (s *screen) move(c byte) {
	switch c {
	case '\r':
		s.x = 0
	case '\b':
		s.x = max(s.x-1, 0)
	case '\n':
		if s.y < s.rows-1 {
			s.y++
			return
		}
		copy(s.cells, s.cells[s.cols:])
		clear(s.cells[len(s.cells)-s.cols:])
	}
}

// control carries out the CSI sequence in the parser.
func (s *screen) control() {
	cmd := ansi.Cmd(s.parser.Command())
	n, _ := s.parser.Param(0, 0)
	at := s.y*s.cols + min(s.x, s.cols-1)
	switch {
	case cmd.Prefix() == '?' && (cmd.Final() == 'h' || cmd.Final() == 'l') && n == 1049: // the alternate screen
		clear(s.cells)
	case cmd.Prefix() != 0:
	case cmd.Final() == 'A':
		s.moveTo(s.x, s.y-max(n, 1))
	case cmd.Final() == 'B':
		s.moveTo(s.x, s.y+max(n, 1))
	case cmd.Final() == 'C':
		s.moveTo(s.x+max(n, 1), s.y)
	case cmd.Final() == 'D':
		s.moveTo(s.x-max(n, 1), s.y)
	case cmd.Final() == 'G':
		s.moveTo(n-1, s.y)
	case cmd.Final() == 'd':
		s.moveTo(s.x, n-1)
	case cmd.Final() == 'H' || cmd.Final() == 'f':
		column, _ := s.parser.Param(1, 1)
		s.moveTo(column-1, n-1)
	case cmd.Final() == 'J':
		s.erase(n, at, 0, len(s.cells))
	case cmd.Final() == 'K':
		s.erase(n, at, s.y*s.cols, (s.y+1)*s.cols)
	}
}

func (s *screen) moveTo(x, y int) {
	s.x, s.y = min(max(x, 0), s.cols-1), min(max(y, 0), s.rows-1)
}

// erase blanks a part of the cells in [low, high): 0 from at, 1 up to at, otherwise all.
func (s *screen) erase(part, at, low, high int) {
	switch part {
	case 0:
		low = at
	case 1:
		high = at + 1
	}
	clear(s.cells[low:high])
}

// changed returns the number of cells that differ from the last call.
func (s *screen) changed() int {
	n := 0
	for i, cell := range s.cells {
		if cell != s.seen[i] {
			n++
		}
	}
	copy(s.seen, s.cells)
	return n
}

// text returns the screen's lines, without trailing blanks.
func (s *screen) text() string {
	var lines []string
	for row := range slices.Chunk(s.cells, s.cols) {
		var line strings.Builder
		for i := 0; i < len(row); i++ {
			if row[i] == "" {
				line.WriteByte(' ')
				continue
			}
			line.WriteString(row[i])
			i += max(ansi.StringWidth(row[i]), 1) - 1
		}
		lines = append(lines, strings.TrimRight(line.String(), " "))
	}
	return strings.Join(lines, "\n")
}

// summary returns the first and the last lines that are not blank, shortened for a message.
func (s *screen) summary() string {
	const ends, length = 3, 100
	var lines []string
	for line := range strings.SplitSeq(s.text(), "\n") {
		if line != "" {
			lines = append(lines, "  "+ansi.Truncate(line, length, "…"))
		}
	}
	if len(lines) > 2*ends {
		lines = slices.Concat(lines[:ends], []string{"  …"}, lines[len(lines)-ends:])
	}
	return strings.Join(lines, "\n")
}
