package decoder

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// TestContents: values that are passed many at a time yield the same texts and bytes as those that are read
// one by one.
func TestContents(t *testing.T) {
	const least = 12
	files, err := filepath.Glob("../testdata/*/*.bin")
	if err != nil {
		t.Fatal(err)
	}
	texts, err := filepath.Glob("../testdata/json/*")
	if err != nil || len(texts) == 0 {
		t.Fatal(err)
	}
	passed := map[string]int{}
	for _, name := range append(files, texts...) {
		if strings.Contains(name, "elephant") {
			continue // whose values are not passed
		}
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		dialects := []string{"godot3", "godot4", "pandemonium4"}
		if filepath.Ext(name) != ".bin" {
			dialects = []string{"json", "jsonl"}
		}
		for _, dialect := range dialects {
			for _, framing := range []string{"raw", "stream"} {
				d, err := Open(context.Background(), source.Bytes(b), Options{Dialect: dialect, Framing: framing, Input: "binary"})
				if err != nil || d.Tree == nil {
					continue
				}
				many, one := contentsOf(t, d.Tree, least), contentsOf(t, d.Tree, 0)
				if !maps.Equal(many.all, one.all) {
					t.Errorf("%s as %s, %s: %d texts and lists of bytes if values are passed, %d if not", name, dialect, framing, len(many.all), len(one.all))
				}
				passed[filepath.Ext(name)] += many.passed
			}
		}
	}
	if passed[".bin"] < 100 || passed[".jsonl"] < 6 {
		t.Errorf("only %v texts were passed", passed)
	}
}

// contents are texts and bytes of values.
type contents struct {
	least  int64
	values *tree.Reader
	all    map[content]bool
	passed int // of them
	fields []span.Field
}

// A content is a text or bytes with the value that has it.
type content struct {
	value tree.ID
	span  span.Span
}

func (c *contents) add(x tree.Content) {
	n, err := c.values.At(x.At)
	if err != nil {
		n = c.values.Tree.Base
	}
	c.all[content{n.ID(), x.Span}] = true
}

func contentsOf(t *testing.T, of *tree.Tree, least int64) *contents {
	t.Helper()
	c := &contents{least: 12, values: of.NewReader(), all: map[content]bool{}}
	o := tree.CheckOptions{Workers: 1, LeastContent: least, NewCounter: func() tree.Counter { return c }}
	if err := of.Check(context.Background(), o, func(span.Problem, *tree.Node) {}); err != nil {
		t.Fatal(err)
	}
	return c
}

// Tally implements tree.Counter.
func (c *contents) Tally() *tree.Tally { return nil }

// Count implements tree.Counter.
func (c *contents) Count(s *tree.Scanner, ev tree.Event) {
	if ev == tree.Passed {
		for _, x := range s.Contents() {
			c.add(x)
			c.passed++
		}
		return
	}
	c.fields = s.AppendFields(c.fields[:0], ev)
	for _, f := range c.fields {
		if f.Length >= c.least && (f.Kind == span.Text || f.Kind == span.Data) {
			n := s.Current(ev)
			at := n.Start
			if n.Depth == 1 && n.Head > n.Start { // after the length of its frame
				at = n.Head
			}
			c.add(tree.Content{At: at, Span: f.Span})
		}
	}
}
