package textual

import (
	"bytes"
	"unicode/utf8"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// A format of lines has no brackets, quotes or separators: each line is a value, without the line end, which is a field
// of the next one. Zeros at the end of the file belong to no line.

// lineEnd returns the length of the line end at an offset; 0 if there is none.
func lineEnd(w *source.Window, at int64) int64 {
	switch b := w.View(at, 2); {
	case len(b) > 0 && b[0] == '\n':
		return 1
	case string(b) == "\r\n":
		return 2
	}
	return 0
}

// readLine reads the line that begins at v.Head.
func (r *Reading) readLine(w *source.Window, v *tree.Value) {
	at := v.Head
	for at < v.Limit {
		b := w.View(at, v.Limit-at)
		n := bytes.IndexByte(b, '\n')
		isLast := n >= 0 || len(b) == 0
		if n < 0 {
			n = len(b)
		}
		for _, c := range b[:n] {
			v.Flags |= flagOf(c) & Foreign
		}
		if at += int64(n); isLast {
			break
		}
	}
	if at < v.Limit {
		if at > v.Head && w.Byte(at-1) == '\r' {
			at--
		}
	} else {
		for at > v.Head && w.Byte(at-1) == 0 {
			at--
		}
	}
	isText := true
	if v.Type, isText = r.Line(w.View(v.Head, at-v.Head)); isText {
		v.Flags |= Quoted | Bare
	}
	v.Close(at)
}

// passLine passes the line end at p.At and the line behind it, which must not be the last: zeros may be all that follows.
func (r *Reading) passLine(p *Passer) int {
	rest := bytes.TrimPrefix(p.B[p.At:], []byte("\r"))
	n := bytes.IndexByte(rest[min(1, len(rest)):], '\n')
	if p.S.Next.Index == 0 || len(rest) == 0 || rest[0] != '\n' || n < 0 {
		return -1
	}
	line := bytes.TrimSuffix(rest[1:1+n], []byte("\r"))
	for _, c := range line {
		if c == 0 || c >= utf8.RuneSelf {
			return -1
		}
	}
	from := len(p.B) - len(rest) + 1
	end := from + len(line)
	p.Compare(from, end)
	if p.S.LeastContent > 0 {
		if _, isText := r.Line(line); isText {
			p.Content(from, end)
		}
	}
	return end
}

// like returns the line before a new one, or the one after it; nil if there is none.
func (e *editing) like(in *tree.Node, index int64) []byte {
	c, err := e.Reader.Child(in, max(0, index-1))
	if e.Line == nil || err != nil {
		return nil
	}
	return e.Window.All(span.Between(c.Head, c.Tail))
}
