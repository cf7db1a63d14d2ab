package textual

import (
	"bytes"
	"strings"

	"varview/decoder/engine/tree"
)

// ownComments returns the end of the comments that belong to a value of JSON which ends at an offset, since they follow it on its line
// or before its comma, and where on that line the comma is; Unknown if it is not there. Without such comments it ends where the value
// does.
func (e *editing) ownComments(end, limit int64) (tail, comma int64) {
	tail, comma = end, tree.Unknown
	if !e.JSON {
		return tail, comma
	}
	last := end // of the comments on the line
	for at := skip(e.Window, end, limit, inlineBlank); at < limit; at = skip(e.Window, at, limit, inlineBlank) {
		switch c := e.Window.Byte(at); {
		case c == ',' && comma == tree.Unknown:
			comma = at
			at++
		case c == '/' || c == '#':
			next := e.commentEnd(e.Window, at, limit)
			if next == at {
				return tail, comma
			}
			if at, last = next, next; comma == tree.Unknown {
				tail = next
			}
		case isLineEnd[c] || isClosing(c):
			return last, comma
		default: // the comments behind the comma belong to what comes next
			return tail, comma
		}
	}
	return last, comma
}

// besideFirst returns where a child is inserted before the first one of a container, whose extent is x: behind a comment on the line
// of the bracket, and before those above the value.
func (e *editing) besideFirst(in *tree.Node, x extent) int64 {
	if !e.JSON || in.Parent == nil {
		return x.head
	}
	if tail, _ := e.ownComments(x.start, in.Tail); tail < x.head && isLineEnd[e.Window.Byte(tail)] {
		x.start = tail
	}
	return skip(e.Window, x.start, x.head, isBlank)
}

// insertBehind puts text behind a child with comments of its own, which ends at end: they stay on its line.
func (e *editing) insertBehind(end, tail, comma int64, text string, l *Layout) {
	e.BeAlone()
	line := strings.TrimPrefix(l.Comma, ",")
	if isLineEnd[e.Window.Byte(tail)] && !strings.Contains(line, "\n") {
		line = "\n"
	}
	switch {
	case comma == tree.Unknown && e.between(tail-2, tail) == "*/":
		e.put(tail, tail, ",", line, text)
	case comma == tree.Unknown:
		e.put(end, end, ",")
		e.put(tail, tail, line, text)
	case comma < tail:
		e.put(tail, tail, line, text, ",")
	default:
		e.put(tail, tail, l.Comma, text)
	}
}

// deleteWithComments deletes a child and the comments of its own, and leaves those of the child before it.
func (e *editing) deleteWithComments(before, x extent, limit int64) {
	from, commaBefore := e.ownComments(before.end, limit)
	to, comma := e.ownComments(x.end, limit)
	if from == before.end && to == x.end {
		e.put(x.start, x.end)
		return
	}
	e.BeAlone()
	switch {
	case comma == tree.Unknown && commaBefore != tree.Unknown && commaBefore < from:
		e.put(commaBefore, commaBefore+1)
		e.put(from, to)
	case comma == tree.Unknown:
		e.put(from, to)
	case commaBefore == tree.Unknown:
		e.put(from, max(to, comma+1), ",")
	default:
		e.put(max(from, commaBefore+1), max(to, comma+1))
	}
}

// withoutComments returns what is between two offsets without comments, the blanks before them, and the lines that have only these.
func (e *editing) withoutComments(from, to int64) string {
	s := e.between(from, to)
	if !e.JSON || !strings.ContainsAny(s, "/#") {
		return s
	}
	var kept []byte
	for at := from; at < to; {
		end := e.commentEnd(e.Window, at, to)
		if end > at {
			kept, at = bytes.TrimRight(kept, " \t"), end
			continue
		}
		kept = append(kept, e.Window.Byte(at))
		at++
	}
	s = string(kept)
	if line := lastLine(s); line != "" {
		s = s[:strings.IndexAny(s, "\r\n")] + line
	}
	return s
}
