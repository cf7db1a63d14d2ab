package diff

import (
	"slices"
	"strings"
	"testing"

	"varview/decoder/edit"
	"varview/model"
	"varview/model/compare"
	"varview/model/literals"
	"varview/model/savetest"
)

// edited makes edits of a save: "$[1] = LITERAL" sets a value, "+ $[1] = LITERAL" inserts one, "- $[1]" deletes
// one.
func edited(t *testing.T, x *model.Transaction, edits ...string) {
	t.Helper()
	for _, text := range edits {
		place, literal, _ := strings.Cut(text, " = ")
		what, path := "", place
		if place[0] != '$' {
			what, path = place[:1], place[2:]
		}
		switch what {
		case "+":
			p, err := x.ResolvePlace(path)
			savetest.Must(t, err)
			savetest.Must(t, x.Insert(t.Context(), p.Parent, p.Index, edit.Content{Key: p.Key, Literal: literal}, edit.Options{}))
		case "-":
			n, err := x.Reader().Resolve(path)
			savetest.Must(t, err)
			savetest.Must(t, x.Delete(t.Context(), n, edit.Options{}))
		default:
			n, err := x.Reader().Resolve(path)
			savetest.Must(t, err)
			savetest.Must(t, x.Set(t.Context(), n, edit.Content{Literal: literal}, edit.Options{Retype: true}))
		}
	}
}

// elephant returns a save with the values that edits of an array make.
func elephant(t *testing.T, edits ...string) *model.Transaction {
	t.Helper()
	x := begin(t, openAs(t, savetest.RepoFile("elephant/v1-5-1-array-mixed.bin"), "", ""))
	edited(t, x, edits...)
	return x
}

// TestMergeReferences: a reference leads in the merged file to the value that it was meant to lead to, wherever
// that is, or is a conflict.
func TestMergeReferences(t *testing.T) {
	base := []string{`$ = [["a"], ["b"], 0, 0]`, `$[2] = ref($[0])`}
	for _, c := range []struct {
		about        string
		ours, theirs []string
		merged       string
		conflict     string
	}{
		{"they insert before it", nil, []string{`+ $[0] = ["new"]`}, `[["new"], ["a"], ["b"], ref($[1]), 0]`, ""},
		{"both insert before it", []string{`+ $[1] = 7`}, []string{`+ $[0] = ["new"]`}, `[["new"], ["a"], 7, ["b"], ref($[1]), 0]`, ""},
		{"they set it, we insert", []string{`+ $[0] = 7`}, []string{`$[3] = ref($[1])`}, `[7, ["a"], ["b"], ref($[1]), ref($[2])]`, ""},
		{"they set and insert", nil, []string{`$[3] = ref($[1])`, `+ $[0] = 7`}, `[7, ["a"], ["b"], ref($[1]), ref($[2])]`, ""},
		{"they remove what it led to", []string{`+ $[0] = 8`}, []string{`$[2] = ref($[1])`, `- $[0]`}, `[8, ["b"], ref($[1]), 0]`, ""},
		{"it leads to a value like one that was there", nil, []string{`+ $[0] = ["a"]`}, `[["a"], ["a"], ["b"], ref($[0]), 0]`, "$[2]: it refers to other values, and these may be elsewhere"},
		{"to a new value", nil, []string{`+ $[0] = ["new"]`, `$[4] = ref($[0])`}, `[["new"], ["a"], ["b"], ref($[1]), 0]`, "$[3]: it refers to other values, and these may be elsewhere"},
		{"in a list", []string{`+ $[0] = 7`}, []string{`$[3] = [ref($[0]), 1]`}, `[7, ["a"], ["b"], ref($[1]), [ref($[1]), 1]]`, ""},
	} {
		t.Run(c.about, func(t *testing.T) {
			x, was, there := elephant(t, append(base, c.ours...)...), elephant(t, base...), elephant(t, append(base, c.theirs...)...)
			conflicts, err := MergeTrees(t.Context(), x, was.Reader().Tree, there.Reader().Tree, compare.Options{SameDialect: true}, nil)
			savetest.Must(t, err)
			wantText(t, x, c.merged)
			found := ""
			for _, f := range conflicts {
				found += f.Path + ": " + f.Why
			}
			if found != c.conflict {
				t.Errorf("conflicts %q, want %q", found, c.conflict)
			}
		})
	}
}

// TestTakeReference: a reference that is taken from another file leads to the same value, or is refused.
func TestTakeReference(t *testing.T) {
	there := []string{`$ = [["a"], ["b"], 0]`, `$[2] = ref($[1])`}
	for _, c := range []struct {
		about, is, want string
		more            []string // edits after which the other file has it
		refused         bool
	}{
		{about: "elsewhere", is: `[7, ["a"], ["b"], 0]`, want: `[7, ["a"], ["b"], ref($[2])]`},
		{about: "to what is not here", is: `[["b"], ["b"], 0]`, more: []string{`+ $[1] = ["c"]`, `$[3] = ref($[1])`}, refused: true},
	} {
		t.Run(c.about, func(t *testing.T) {
			x := committed(t, elephant(t, append(there, c.more...)...))
			y := committed(t, elephant(t, "$ = "+c.is))
			d := &Differences{Other: x}
			savetest.Must(t, d.Compare(t.Context(), y))
			i := slices.IndexFunc(d.Changes, func(c *compare.Change) bool { return c.A != nil && c.A.Refers })
			if i < 0 {
				t.Fatalf("%d changes, none of a reference", len(d.Changes))
			}
			take := begin(t, y)
			err := d.Take(t.Context(), take, d.Changes[i])
			if c.refused != (err != nil) || err != nil && err != errElsewhere {
				t.Fatal(err)
			}
			if !c.refused {
				wantText(t, take, c.want)
			}
		})
	}
}

func committed(t *testing.T, x *model.Transaction) *model.Document {
	t.Helper()
	d, err := x.Commit(t.Context(), "edit", model.Cursor{}, model.Cursor{})
	savetest.Must(t, err)
	return d
}

// wantText checks what a transaction makes of an Elephant file, as a literal.
func wantText(t *testing.T, x *model.Transaction, want string) {
	t.Helper()
	n, err := x.Reader().Resolve("$")
	savetest.Must(t, err)
	is, err := literals.Full(t.Context(), x.Reader(), n)
	savetest.Must(t, err)
	if is != want {
		t.Errorf("it is %s, want %s", is, want)
	}
}
