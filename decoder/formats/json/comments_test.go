package json_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
)

// A commented is an element of a list, with its comment if it has one.
type commented struct {
	value   string
	comment string
}

// A commenting is how people write a list with comments.
type commenting struct {
	open       string // up to the first line
	before     string // a line before an element with a comment; %s is its text
	indent     string
	inside     string // the same between an element and its comma
	behind     string // and behind that
	commaAtEnd bool   // the last element has a comma too
}

var commentings = map[string]commenting{
	"on its line": {open: "[ // all\n", indent: "  ", behind: " // %s"},
	"on its line, with a comma after the last": {open: "[\n", indent: "\t", behind: " /* %s */", commaAtEnd: true},
	"above it":         {open: "[ // all\n", before: "  // %s\n", indent: "  "},
	"before its comma": {open: "[\n", indent: "  ", inside: " /* %s */"},
}

// write writes a list, each element on a line.
func (c commenting) write(list []commented) string {
	var b strings.Builder
	b.WriteString(c.open)
	for i, x := range list {
		comment := func(form string) {
			if x.comment != "" {
				b.WriteString(strings.ReplaceAll(form, "%s", x.comment))
			}
		}
		comment(c.before)
		b.WriteString(c.indent + x.value)
		comment(c.inside)
		if c.commaAtEnd || i < len(list)-1 {
			b.WriteString(",")
		}
		comment(c.behind)
		b.WriteString("\n")
	}
	return b.String() + "]\n"
}

// TestCommentsInLine: a comment behind a comma, on the line of the next value, belongs to that one.
func TestCommentsInLine(t *testing.T) {
	const text = `[1, /* two */ 2, /* three */ 3]`
	rd := open(text).NewReader()
	in, err := rd.Child(rd.Tree.Base, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{`[/* two */ 2, /* three */ 3]`, `[1, /* three */ 3]`, `[1, /* two */ 2]`} {
		c, err := rd.Child(in, int64(i))
		if err != nil {
			t.Fatal(err)
		}
		splices, err := rd.Tree.Reading.(edit.Editor).Delete(background, rd, c, edit.Options{})
		if is := spliced(t, text, splices); err != nil || is != want {
			t.Errorf("without %d: %s, %v, want %s", i, is, err, want)
		}
	}
	for i, want := range []string{`[9, 1, /* two */ 2, /* three */ 3]`, `[1, 9, /* two */ 2, /* three */ 3]`, `[1, /* two */ 2, 9, /* three */ 3]`, `[1, /* two */ 2, /* three */ 3, 9]`} {
		splices, err := rd.Tree.Reading.(edit.Editor).Insert(background, rd, in, int64(i), edit.Content{Literal: "9"}, edit.Options{})
		if is := spliced(t, text, splices); err != nil || is != want {
			t.Errorf("put in at %d: %s, %v, want %s", i, is, err, want)
		}
	}
}

// TestComments: a comment stays with its value, wherever others are put in or deleted, and goes with it.
func TestComments(t *testing.T) {
	for name, c := range commentings {
		for mask := range 16 { // which elements have comments
			for n := 2; n <= 4; n++ {
				var list []commented
				for i := range n {
					x := commented{value: fmt.Sprint(i + 1)}
					if mask>>i&1 == 1 {
						x.comment = "about " + x.value
					}
					list = append(list, x)
				}
				text := c.write(list)
				try := func(what string, after []commented, do func(edit.Editor) ([]source.Splice, error)) {
					splices, err := do(open(text).Reading.(edit.Editor))
					if err != nil {
						t.Fatalf("%s, %s: %q: %v", name, what, text, err)
					}
					if is := spliced(t, text, splices); is != c.write(after) {
						t.Errorf("%s, %s:\n%s became\n%s want\n%s", name, what, text, is, c.write(after))
					}
				}
				rd := open(text).NewReader()
				in, err := rd.Child(rd.Tree.Base, 0)
				if err != nil {
					t.Fatal(err)
				}
				for i := range n + 1 {
					after := slices.Insert(slices.Clone(list), i, commented{value: "9"})
					try(fmt.Sprint("put in at ", i), after, func(ed edit.Editor) ([]source.Splice, error) {
						return ed.Insert(background, rd, in, int64(i), edit.Content{Literal: "9"}, edit.Options{})
					})
				}
				for i := range n {
					child, err := rd.Child(in, int64(i))
					if err != nil {
						t.Fatal(err)
					}
					try(fmt.Sprint("without ", i), slices.Delete(slices.Clone(list), i, i+1), func(ed edit.Editor) ([]source.Splice, error) {
						return ed.Delete(background, rd, child, edit.Options{})
					})
				}
			}
		}
	}
}
