package explore

import (
	"context"
	"errors"
	"math/rand/v2"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/model"
	"varview/model/search"
)

// A naiveTerm says whether a value fits, and is typed into a query.
type naiveTerm struct {
	typed string
	holds func(v *naiveValue) bool
}

// A naiveValue is what a query can be about.
type naiveValue struct {
	n                *tree.Node
	path, typeName   string
	keys, texts      []string // of its key, of itself
	keyNums, numbers []string // the same for numbers; of the elements too
	parts            []*naiveValue
}

func hasText(texts []string, s string) bool {
	return slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(strings.ToLower(text), s) })
}

func hasNumber(numbers []string, is func(float64) bool) bool {
	return slices.ContainsFunc(numbers, func(s string) bool {
		v, err := strconv.ParseFloat(s, 64)
		return err == nil && is(v)
	})
}

var naiveTerms = []naiveTerm{
	{"player", func(v *naiveValue) bool { return hasText(v.keys, "player") || hasText(v.texts, "player") }},
	{"key:a", func(v *naiveValue) bool { return hasText(v.keys, "a") }},
	{"value:a", func(v *naiveValue) bool { return hasText(v.texts, "a") }},
	{`/^[a-l]/`, func(v *naiveValue) bool {
		return slices.ContainsFunc(append(slices.Clone(v.keys), v.texts...), regexp.MustCompile(`^[a-l]`).MatchString)
	}},
	{">0", func(v *naiveValue) bool {
		positive := func(f float64) bool { return f > 0 }
		return hasNumber(v.numbers, positive) || hasNumber(v.keyNums, positive)
	}},
	{"value:<=1", func(v *naiveValue) bool { return hasNumber(v.numbers, func(f float64) bool { return f <= 1 }) }},
	{"type:int", func(v *naiveValue) bool { return v.typeName == "int" }},
	{"type:*a*", func(v *naiveValue) bool { return strings.Contains(strings.ToLower(v.typeName), "a") }},
	{"path:*1*", func(v *naiveValue) bool { return strings.Contains(v.path, "1") }},
	{"path:*.?", func(v *naiveValue) bool {
		ok, _ := path.Match("*.?", strings.NewReplacer("[", "(", "/", "|").Replace(v.path))
		return ok
	}},
}

// naiveValues lists all values by asking for child after child, in their order. Those of an
// array of bytes are no values of their own.
func naiveValues(t *testing.T, r *tree.Reader, n *tree.Node) (values []*naiveValue) {
	if n.Opaque {
		return nil
	}
	for i := int64(0); ; i++ {
		c, err := r.Child(n, i)
		if errors.Is(err, tree.ErrNoChild) {
			return values
		}
		must(t, err)
		var keyParts []*naiveValue
		v := &naiveValue{n: c, typeName: r.Tree.Reading.TypeName(&c.Value), path: unnumbered(r.Path(c))}
		if k := r.Key(c); k != nil {
			keyParts = naiveValues(t, r, k)
			if k.Layout < tree.Sequence {
				v.keys, v.keyNums = contentsOf(r, k, keyParts)
			}
		}
		v.parts = naiveValues(t, r, c)
		v.texts, v.numbers = contentsOf(r, c, v.parts)
		values = append(append(values, keyParts...), v)
		if c.Layout != tree.Fixed {
			values = append(values, v.parts...)
		}
	}
}

// contentsOf lists the texts and numbers of a value; parts are those in it.
func contentsOf(r *tree.Reader, n *tree.Node, parts []*naiveValue) (texts, numbers []string) {
	for _, f := range r.Tree.Reading.Fields(r.Window(), &n.Parent.Value, &n.Value, nil) {
		content := string(r.Tree.Reading.AppendField(nil, r.Window(), &n.Value, f))
		switch f.Kind {
		case span.Text:
			texts = append(texts, content)
		case span.Value, span.ID:
			numbers = append(numbers, content)
		}
	}
	if n.Layout == tree.Fixed {
		for _, part := range parts {
			numbers = append(numbers, part.numbers...)
		}
	}
	return texts, numbers
}

var repeat = regexp.MustCompile(`#\d+`)

func unnumbered(path string) string { return repeat.ReplaceAllString(path, "") }

// fitting returns the values that match, and the matching elements of values that do not.
func fitting(values []*naiveValue, fits func(*naiveValue) bool) (nodes []*tree.Node) {
	for _, v := range values {
		switch {
		case fits(v):
			nodes = append(nodes, v.n)
		case v.n.Layout == tree.Fixed:
			nodes = append(nodes, fitting(v.parts, fits)...)
		}
	}
	return nodes
}

// randomNaive makes a query of several terms, and what it means.
func randomNaive(r *rand.Rand) (typed string, fits func(*naiveValue) bool) {
	a, b, c := naiveTerms[r.IntN(len(naiveTerms))], naiveTerms[r.IntN(len(naiveTerms))], naiveTerms[r.IntN(len(naiveTerms))]
	switch r.IntN(4) {
	case 0:
		return a.typed + " " + b.typed, func(v *naiveValue) bool { return a.holds(v) && b.holds(v) }
	case 1:
		return a.typed + " | " + b.typed + " -" + c.typed, func(v *naiveValue) bool { return a.holds(v) || b.holds(v) && !c.holds(v) }
	case 2:
		return "(" + a.typed + "|" + b.typed + ") " + c.typed, func(v *naiveValue) bool { return (a.holds(v) || b.holds(v)) && c.holds(v) }
	}
	return "-" + a.typed + " -" + b.typed, func(v *naiveValue) bool { return !a.holds(v) && !b.holds(v) }
}

// TestMatchesAgainstNaive compares random queries in random files with a walk over all values.
func TestMatchesAgainstNaive(t *testing.T) {
	found := 0
	for seed := range rounds(80) {
		r := rand.New(rand.NewPCG(seed, 11))
		data, framing := randomFile(r)
		doc := open(t, data, framing)
		if isDamaged(t, doc) { // there the naive walk finds less than the scanner
			continue
		}
		if seed%2 == 0 {
			buildIndex(t, doc)
		}
		reader := doc.Tree.NewReader()
		values := naiveValues(t, reader, doc.Tree.Base)
		for range 12 {
			typed, fits := randomNaive(r)
			want := fitting(values, fits)
			got := allMatches(t, doc.Innermost(), query(t, typed))
			found += len(got)
			if !slices.EqualFunc(got, want, func(h search.Hit, n *tree.Node) bool { return h.Node.Same(n) }) {
				t.Errorf("seed %d: %s\n got %s\nwant %s", seed, typed, nodePaths(reader, nodesOf(got)), nodePaths(reader, want))
			}
		}
		if t.Failed() {
			t.Fatalf("%s %x", framing, data)
		}
	}
	if found < 400 && !testing.Short() {
		t.Errorf("%d hits in all show nothing", found)
	}
}

func isDamaged(t *testing.T, doc *model.Document) (damaged bool) {
	t.Helper()
	must(t, doc.Tree.Check(context.Background(), tree.CheckOptions{Workers: 1}, func(p span.Problem, _ *tree.Node) {
		damaged = damaged || p.Severity == span.Error
	}))
	return damaged
}

func nodesOf(hits []search.Hit) (nodes []*tree.Node) {
	for _, h := range hits {
		nodes = append(nodes, h.Node)
	}
	return nodes
}

func nodePaths(r *tree.Reader, nodes []*tree.Node) (paths []string) {
	for _, n := range nodes {
		paths = append(paths, r.Path(n))
	}
	return paths
}
