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

// commentings write lists as people do, with a comment for each element.
var commentings = map[string]func(list []commented) string{
	"on its line": func(list []commented) string {
		var b strings.Builder
		b.WriteString("[ // all\n")
		for i, x := range list {
			b.WriteString("  " + x.value + commaUnlessLast(i, list))
			if x.comment != "" {
				b.WriteString(" // " + x.comment)
			}
			b.WriteString("\n")
		}
		return b.String() + "]\n"
	},
	"on its line, with a comma after the last": func(list []commented) string {
		var b strings.Builder
		b.WriteString("[\n")
		for _, x := range list {
			b.WriteString("\t" + x.value + ",")
			if x.comment != "" {
				b.WriteString(" /* " + x.comment + " */")
			}
			b.WriteString("\n")
		}
		return b.String() + "]\n"
	},
	"above it": func(list []commented) string {
		var b strings.Builder
		b.WriteString("[ // all\n")
		for i, x := range list {
			if x.comment != "" {
				b.WriteString("  // " + x.comment + "\n")
			}
			b.WriteString("  " + x.value + commaUnlessLast(i, list) + "\n")
		}
		return b.String() + "]\n"
	},
	"before its comma": func(list []commented) string {
		var b strings.Builder
		b.WriteString("[\n")
		for i, x := range list {
			b.WriteString("  " + x.value)
			if x.comment != "" {
				b.WriteString(" /* " + x.comment + " */")
			}
			b.WriteString(commaUnlessLast(i, list) + "\n")
		}
		return b.String() + "]\n"
	},
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

func commaUnlessLast(i int, list []commented) string {
	if i == len(list)-1 {
		return ""
	}
	return ","
}

// TestComments: a comment stays with its value, wherever others are put in or deleted, and goes with it.
func TestComments(t *testing.T) {
	for name, write := range commentings {
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
				text := write(list)
				try := func(what string, after []commented, do func(edit.Editor) ([]source.Splice, error)) {
					splices, err := do(open(text).Reading.(edit.Editor))
					if err != nil {
						t.Fatalf("%s, %s: %q: %v", name, what, text, err)
					}
					if is := spliced(t, text, splices); is != write(after) {
						t.Errorf("%s, %s:\n%s became\n%s want\n%s", name, what, text, is, write(after))
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
					c, err := rd.Child(in, int64(i))
					if err != nil {
						t.Fatal(err)
					}
					try(fmt.Sprint("without ", i), slices.Delete(slices.Clone(list), i, i+1), func(ed edit.Editor) ([]source.Splice, error) {
						return ed.Delete(background, rd, c, edit.Options{})
					})
				}
			}
		}
	}
}
