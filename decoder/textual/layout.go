package textual

import (
	"bytes"
	"cmp"
	"errors"
	"strings"

	"varview/decoder/tree"
)

// A layout is what is written between the children of a container.
type layout struct {
	first string // before the first child
	comma string // before any other
	colon string // between key and value
	last  string // after the last child
	unit  string // one level of indentation; "" if all is on one line
}

// A Layout says how the children of a container are separated.
type Layout struct {
	First string // before the first
	Comma string // before any other
	Colon string // between key and value
	Last  string // after the last
	Lines bool   // each child has its own line, which includes a comment after it
}

// isLines reports whether the children of a container have their own lines.
func (e *editing) isLines(in *tree.Value) bool {
	return e.Layout != nil && in.Type != buffer && e.Layout(in).Lines
}

// lineEnd returns the end of the comment after a value on its line.
func (e *editing) lineEnd(at int64) int64 {
	limit := e.r.Tree.Region.End()
	if end := skip(e.w, at, limit, inlineBlank); end < limit && e.w.Byte(end) == e.Comment {
		end = skip(e.w, end, limit, inLine)
		if e.w.Byte(end-1) == '\r' {
			end--
		}
		return end
	}
	return at
}

var inlineBlank = ClassOf(" \t")

// fixedLayout returns the layout of a container without a closing bracket.
func (e *editing) fixedLayout(n *tree.Node) (layout, error) {
	f := e.Layout(&n.Value)
	l := layout{first: f.First, comma: f.Comma, colon: f.Colon}
	first, err := e.r.Child(n, 0)
	if errors.Is(err, tree.ErrNoChild) {
		if next := e.nextLine(n.Body); next == n.Body+2 {
			l.first = strings.ReplaceAll(l.first, "\n", "\r\n")
		}
		return l, nil
	}
	if err != nil {
		return l, err
	}
	x, err := e.extent(first)
	if err != nil {
		return l, err
	}
	if strings.Contains(e.between(n.Start, first.Head), "\r\n") || e.between(x.end, min(x.end+2, n.Limit)) == "\r\n" {
		l.comma = strings.ReplaceAll(l.comma, "\n", "\r\n")
	}
	if s := e.between(first.Start, first.Head); strings.Count(s, "=") == 1 {
		l.colon = s
	}
	return l, nil
}

// compact is the layout of a text that shows none.
var compact = layout{comma: ",", colon: ":"}

// onLine returns a layout on one line with the same spacing.
func (l *layout) onLine() layout {
	comma := ","
	if strings.HasSuffix(l.colon, " ") {
		comma = ", "
	}
	return layout{comma: comma, colon: l.colon}
}

// within returns the layout of a new container among the children.
func (l *layout) within() layout {
	if l.unit == "" {
		return *l
	}
	line := lastLine(l.first)
	return layout{first: line + l.unit, comma: "," + line + l.unit, colon: l.colon, last: line, unit: l.unit}
}

// lastLine returns the last line end in blanks with what follows it; "" if there is none.
func lastLine(s string) string {
	i := strings.LastIndexByte(s, '\n')
	if i > 0 && s[i-1] == '\r' {
		i--
	}
	return s[max(i, 0):][:max(0, len(s)-max(i, 0))*min(1, i+1)]
}

// An extent is the place of an entry or an element: its separators begin at start, its key or the value
// itself at head.
type extent struct {
	start, head, end int64
	value            int64 // start of the value itself
}

// extent returns the extent of a child.
func (e *editing) extent(c *tree.Node) (x extent, err error) {
	c, err = e.r.Finish(c)
	x = extent{c.Start, c.Head, c.End, c.Head}
	if key := e.r.Key(c); key != nil {
		x.start, x.head = c.KeyAt, key.Head
	}
	if e.isLines(&c.Parent.Value) {
		x.start, x.end = e.lineEnd(x.start), e.lineEnd(x.end)
	}
	return x, err
}

// between returns bytes as text.
func (e *editing) between(from, to int64) string {
	return string(bytes.Clone(e.w.View(from, min(to-from, guessed))))
}

// layoutOf returns the layout of the children of a container, even if it has none yet.
func (e *editing) layoutOf(n *tree.Node) (l layout, err error) {
	if isList(n) {
		return layout{comma: elementMark}, nil
	}
	if e.Layout != nil && n.Parent != nil && e.Layout(&n.Value) != (Layout{}) {
		return e.fixedLayout(n)
	}
	if n.Parent == nil {
		l = compact
		if e.Lines {
			l.comma = "\n"
		}
	}
	first, err := e.r.Child(n, 0)
	if errors.Is(err, tree.ErrNoChild) {
		return e.emptyLayout(n)
	}
	if err != nil {
		return l, err
	}
	x, err := e.extent(first)
	if err != nil {
		return l, err
	}
	if n.Parent != nil {
		l.first = strings.Trim(e.between(x.start, x.head), ",:"+mark)
		if l.colon, err = e.colonOf(n); err != nil {
			return l, err
		}
		done, err := e.r.Finish(n)
		if err != nil {
			return l, err
		}
		if done.HasFoot() {
			l.last = strings.Trim(e.between(done.Foot, e.inside(done)), ",")
		}
		if line := lastLine(l.first); line != "" {
			l.unit = cmp.Or(strings.TrimPrefix(line, lastLine(l.last)), "\t")
			l.comma = "," + line
		} else {
			l.comma = (&layout{colon: l.colon}).onLine().comma
		}
	}
	if second, err := e.r.Next(first); err == nil {
		y, err := e.extent(second)
		if err != nil {
			return l, err
		}
		if s := e.between(y.start, y.head); n.Parent == nil || strings.Count(s, ",") == 1 {
			l.comma = s
		}
	}
	return l, nil
}

// emptyLayout returns the layout for children of an empty container: that of the containers around it, one
// level deeper.
func (e *editing) emptyLayout(n *tree.Node) (layout, error) {
	if n.Parent == nil {
		l := compact
		if e.Lines {
			l.comma = "\n"
		}
		return l, nil
	}
	done, err := e.r.Finish(n)
	if err != nil {
		return layout{}, err
	}
	if e.Fresh != nil {
		return e.fresh(n.Layout), nil
	}
	around, err := e.layoutOf(n.Parent)
	if err != nil {
		return layout{}, err
	}
	if n.Parent.Parent == nil {
		if done.HasFoot() && strings.Contains(e.between(n.Body, done.Tail), "\n") {
			line := lastLine(e.between(n.Body, done.Tail-1))
			return layout{first: line + "\t", comma: "," + line + "\t", colon: ": ", last: line, unit: "\t"}, nil
		}
		return compact, nil
	}
	return around.within(), nil
}

// colonOf returns the text between a key and its value: in a container, in the first container inside it,
// or around it.
func (e *editing) colonOf(n *tree.Node) (string, error) {
	for c := n; ; {
		first, err := e.r.Child(c, 0)
		if errors.Is(err, tree.ErrNoChild) {
			break
		}
		if err != nil {
			return "", err
		}
		if s := e.between(first.Start, first.Head); first.KeyAt != tree.Unknown && strings.Count(s, ":") == 1 {
			return s, nil
		}
		c = first
	}
	switch {
	case e.Fresh != nil:
		return e.fresh(tree.Pairs).colon, nil
	case n.Parent == nil || n.Parent.Parent == nil:
		return compact.colon, nil
	}
	return e.colonOf(n.Parent)
}

// childLayout returns the layout of a new container of some kind among the children of n: that of the first
// one like it, if there is one.
func (e *editing) childLayout(n *tree.Node, kind tree.Layout) (layout, error) {
	l, err := e.layoutOf(n)
	if err != nil {
		return l, err
	}
	if n.Parent == nil {
		l = compact
	}
	c, err := e.r.Child(n, 0)
	for i := 0; i < likeSought && err == nil; i++ {
		if c.Layout == kind && c.Count != 0 {
			like, err := e.layoutOf(c)
			if like.unit == "" {
				return like, err
			}
			in := l.within()
			in.colon = like.colon
			if l.unit == "" {
				in = like
			}
			return in, err
		}
		c, err = e.r.Next(c)
	}
	if err != nil && !errors.Is(err, tree.ErrNoChild) {
		return l, err
	}
	if e.Fresh != nil {
		return e.fresh(kind), nil
	}
	return l.within(), nil
}

// fresh returns the layout of a new container.
func (e *editing) fresh(kind tree.Layout) layout {
	f := e.Fresh(kind)
	return layout{first: f.First, comma: f.Comma, colon: f.Colon, last: f.Last}
}

// likeSought is the number of siblings among which one like a new value is looked for.
const likeSought = 16
