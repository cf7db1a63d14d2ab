package textual

import (
	"bytes"
	"cmp"
	"errors"
	"strings"

	"varview/decoder/engine/tree"
)

// A Layout is what is written between the children of a container.
type Layout struct {
	First string // before the first
	Comma string // before any other
	Colon string // between key and value
	Last  string // after the last
	Empty string // where there are none
	Lines bool   // each child has its own line, a comment after it included

	unit string // one level of indentation, "" where all is on one line
}

// isLines reports whether the children of a container have their own lines.
func (e *editing) isLines(in *tree.Value) bool {
	s := e.separators(in)
	return s != nil && s.Layout.Lines
}

// lineEnd returns the end of the comment after a value on its line.
func (e *editing) lineEnd(at int64) int64 {
	limit := e.Reader.Tree.Region.End()
	from := skip(e.Window, at, limit, inlineBlank)
	if from == limit {
		return at
	}
	end := e.commentEnd(e.Window, from, limit)
	switch {
	case end == from:
		return at
	case e.Window.Byte(end-1) == '\r':
		end--
	}
	return end
}

var inlineBlank = ClassOf(" \t")

// fixedLayout returns the layout of a part of a file without brackets; l is that of a new one.
func (e *editing) fixedLayout(n *tree.Node, l Layout) Layout {
	first, err := e.Reader.Child(n, 0)
	if errors.Is(err, tree.ErrNoChild) {
		if next := e.nextLine(n.Body); next == n.Body+2 {
			l.First = strings.ReplaceAll(l.First, "\n", "\r\n")
		}
		return l
	}
	if !e.Keep(err) {
		return l
	}
	x := e.extent(first)
	if strings.Contains(e.between(n.Start, first.Head), "\r\n") || e.between(x.end, min(x.end+2, n.Limit)) == "\r\n" {
		l.Comma = strings.ReplaceAll(l.Comma, "\n", "\r\n")
	}
	if s := e.between(first.Start, first.Head); strings.Count(s, "=") == 1 {
		l.Colon = s
	}
	return l
}

// compact is the layout of a text that shows none.
var compact = Layout{Comma: ",", Colon: ":"}

// onLine returns a layout on one line with the same spacing.
func (l *Layout) onLine() Layout {
	comma := ","
	if strings.HasSuffix(l.Colon, " ") {
		comma = ", "
	}
	return Layout{Comma: comma, Colon: l.Colon}
}

// within returns the layout of a new container among the children.
func (l *Layout) within() Layout {
	if l.unit == "" {
		return *l
	}
	line := lastLine(l.First)
	return Layout{First: line + l.unit, Comma: "," + line + l.unit, Colon: l.Colon, Last: line, unit: l.unit}
}

// lastLine returns the last line end in blanks with what follows it; "" if there is none.
func lastLine(s string) string {
	i := strings.LastIndexAny(s, "\r\n")
	if i > 0 && s[i-1:i+1] == "\r\n" {
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
func (e *editing) extent(c *tree.Node) extent {
	c = e.Finish(c)
	x := extent{c.Start, c.Head, c.End, c.Head}
	if key := e.Reader.Key(c); key != nil {
		x.start, x.head = c.KeyAt, key.Head
	}
	if e.isLines(&c.Parent.Value) {
		x.start, x.end = e.lineEnd(x.start), e.lineEnd(x.end)
	}
	return x
}

// between returns bytes as text.
func (e *editing) between(from, to int64) string {
	return string(bytes.Clone(e.Window.View(from, min(to-from, guessed))))
}

// layoutIn returns the layout of the children of a container, as far as the first one shows it.
func (e *editing) layoutIn(n *tree.Node, first extent) (l Layout) {
	l.First = strings.Trim(e.withoutComments(first.start, first.head), ",:"+mark)
	l.Colon = e.colonOf(n)
	if done := e.Finish(n); done.HasFoot() {
		foot := e.withoutComments(done.Foot, e.inside(done))
		l.Last = strings.Trim(strings.TrimPrefix(foot, ", "), ",") // the blank belongs to a comma that follows the last child
	}
	if line := lastLine(l.First); line != "" {
		l.unit = cmp.Or(strings.TrimPrefix(line, lastLine(l.Last)), "\t")
		l.Comma = "," + line
	} else {
		l.Comma = (&Layout{Colon: l.Colon}).onLine().Comma
	}
	return l
}

// layoutOf returns the layout of the children of a container, or of those that it would have.
func (e *editing) layoutOf(n *tree.Node) (l Layout) {
	if isList(n) {
		return Layout{Comma: elementMark}
	}
	if s := e.separators(&n.Value); s != nil && s.Layout != (Layout{}) {
		return e.fixedLayout(n, s.Layout)
	}
	first, err := e.Reader.Child(n, 0)
	switch {
	case n.Parent == nil:
		l = compact
		if e.Lines {
			l.Comma = "\n"
		}
		if errors.Is(err, tree.ErrNoChild) {
			return l
		}
	case errors.Is(err, tree.ErrNoChild):
		return e.emptyLayout(n)
	}
	if !e.Keep(err) {
		return l
	}
	x := e.extent(first)
	if n.Parent != nil {
		l = e.layoutIn(n, x)
	}
	if e.Line != nil {
		l.Comma = cmp.Or(e.between(x.end, e.nextLine(x.end)), l.Comma)
	} else {
		l.Comma = e.commaBehind(first, l.Comma)
	}
	return l
}

// commaBehind returns what separates a child from the next, or comma if there is none, or more than one between them.
func (e *editing) commaBehind(first *tree.Node, comma string) string {
	second, err := e.Reader.Next(first)
	if err != nil {
		return comma
	}
	y := e.extent(second)
	if s := e.withoutComments(y.start, y.head); first.Parent.Parent == nil || strings.Count(s, ",") == 1 {
		return s
	}
	return comma
}

// emptyLayout returns the layout of the children that an empty container would have: that of the ones
// around it, one level deeper.
func (e *editing) emptyLayout(n *tree.Node) Layout {
	done := e.Finish(n)
	if e.Fresh != nil {
		return e.Fresh(n.Layout)
	}
	around := e.layoutOf(n.Parent)
	switch {
	case n.Parent.Parent != nil:
		return around.within()
	case done.HasFoot() && strings.Contains(e.between(n.Body, done.Tail), "\n"):
		line := lastLine(e.between(n.Body, done.Tail-1))
		return Layout{First: line + "\t", Comma: "," + line + "\t", Colon: ": ", Last: line, unit: "\t"}
	}
	return compact
}

// colonOf returns the text between a key and its value: in a container, in the first container inside it,
// or around it.
func (e *editing) colonOf(n *tree.Node) string {
	for c := n; ; {
		first, err := e.Reader.Child(c, 0)
		if errors.Is(err, tree.ErrNoChild) || !e.Keep(err) {
			break
		}
		if s := e.between(first.Start, first.Head); first.KeyAt != tree.Unknown && strings.Count(s, ":") == 1 {
			return s
		}
		c = first
	}
	switch {
	case e.Fresh != nil:
		return e.Fresh(tree.Pairs).Colon
	case n.Parent == nil || n.Parent.Parent == nil:
		return compact.Colon
	}
	return e.colonOf(n.Parent)
}

// childLayout returns the layout of a new container of some kind among the children of n: that of the first
// like it, if there is one.
func (e *editing) childLayout(n *tree.Node, kind tree.Layout) Layout {
	l := e.layoutOf(n)
	if n.Parent == nil {
		l = compact
	}
	c, err := e.Reader.Child(n, 0)
	for i := 0; i < likeSought && err == nil; i++ {
		if c.Layout == kind && c.Count != 0 {
			like := e.layoutOf(c)
			if like.unit == "" || l.unit == "" {
				return like
			}
			in := l.within()
			in.Colon = like.Colon
			return in
		}
		c, err = e.Reader.Next(c)
	}
	if !errors.Is(err, tree.ErrNoChild) {
		e.Keep(err)
	}
	if e.Fresh != nil {
		return e.Fresh(kind)
	}
	return l.within()
}

// likeSought is the number of siblings among which one like a new value is looked for.
const likeSought = 16
