package diagnose

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// A conflict is a place in a text where git could not merge two sides, and has written both.
type conflict struct {
	lines  [3]span.Span // <<<<<<<, ======= and >>>>>>> with what follows them
	base   int64        // start of what both sides come from, |||||||; else of =======
	first  int64        // line of the first mark, from 1
	last   int64
	ours   string // names of the sides
	theirs string
}

// sides returns the edits that leave one of the sides.
func (c *conflict) sides() (ours, theirs []source.Splice) {
	cut := func(from, to int64) source.Splice { return source.Splice{Span: span.Between(from, to)} }
	start, middle, end := c.lines[0], c.lines[1], c.lines[2]
	return []source.Splice{cut(start.Offset, start.End()), cut(c.base, end.End())}, []source.Splice{cut(start.Offset, middle.End()), cut(end.Offset, end.End())}
}

// diagnosis returns the diagnosis of a conflict: both sides are as likely.
func (c *conflict) diagnosis(path string) Diagnosis {
	ours, theirs := c.sides()
	problem := span.Problem{Span: span.Between(c.lines[0].Offset, c.lines[2].End()), Severity: span.Error, Code: span.MergeConflict, Engine: "the text is not read"}
	f, other := Diagnosis{Problem: problem, Path: path, Splices: ours, Unsure: true}, Diagnosis{Problem: problem, Path: path, Splices: theirs}
	f.Message = fmt.Sprintf("git has left both sides of a merge from line %d to line %d: %s and %s", c.first, c.last, c.ours, c.theirs)
	f.Repair, other.Repair = "keep "+c.ours, "keep "+c.theirs
	other.Message = "the other side, " + c.theirs
	f.Alternatives = []Diagnosis{other}
	return f
}

// mergeConflicts reports the conflicts of a text, and goes on with what git calls ours in each. more is false if no further
// problem is wanted.
func (r *run) mergeConflicts() (more bool) {
	if _, ok := r.tree.Reading.(Text); !ok || r.o.NoSearch {
		return true
	}
	var all []source.Splice
	read := r.tree.NewReader()
	for _, c := range conflictsIn(r.tree.Source, r.tree.Region) {
		n, err := read.At(c.lines[0].Offset)
		if err != nil || n.Layout == tree.Leaf && n.Head < c.lines[0].Offset && c.lines[0].Offset < n.Tail {
			continue // it is a part of a value
		}
		if !r.report(c.diagnosis(read.Path(n))) {
			return false
		}
		ours, _ := c.sides()
		all = append(all, ours...)
	}
	if len(all) > 0 {
		r.apply(&hypothesis{repair: all})
	}
	return true
}

// conflictsIn returns the conflicts in a text.
func conflictsIn(src source.Source, region span.Span) (all []conflict) {
	var c conflict
	open := 0 // number of marks of c that were read
	in := bufio.NewReaderSize(io.NewSectionReader(src, region.Offset, region.Length), 64<<10)
	at, number, isStart := region.Offset, int64(1), true
	for {
		line, err := in.ReadSlice('\n')
		mark, name := conflictMark(line)
		is := span.Span{Offset: at, Length: int64(len(line))}
		switch {
		case !isStart:
		case mark == '<':
			c, open = conflict{lines: [3]span.Span{is}, first: number, ours: name}, 1
		case mark == '|' && open == 1:
			c.base = at
		case mark == '=' && open == 1:
			c.lines[1], open = is, 2
			if c.base == 0 {
				c.base = at
			}
		case mark == '>' && open == 2:
			c.lines[2], c.last, c.theirs, open = is, number, name, 0
			all = append(all, c)
		}
		at += int64(len(line))
		if isStart = err == nil; isStart {
			number++
		} else if err != bufio.ErrBufferFull {
			return all
		}
	}
}

// InConflict reports whether a line of a text begins a conflict: its lines are those of two files.
func InConflict(text []byte) bool {
	const mark = "<<<<<<< "
	return bytes.HasPrefix(text, []byte(mark)) || bytes.Contains(text, []byte("\n"+mark))
}

// conflictMark returns the character of which a line has seven at its start, with a name behind them; 0 if it has none.
func conflictMark(line []byte) (mark byte, name string) {
	line = bytes.TrimRight(line, "\r\n")
	if len(line) < 7 || !bytes.ContainsRune([]byte("<|=>"), rune(line[0])) || bytes.Count(line[:7], line[:1]) < 7 || len(line) > 7 && line[7] != ' ' {
		return 0, ""
	}
	return line[0], shown(bytes.TrimSpace(line[7:]))
}
