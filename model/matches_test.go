package model

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"varview/decoder/span"
	"varview/decoder/tree"
	"varview/model/search"
)

// allMatches returns all hits of a query. It holds that one worker finds the same as several.
func allMatches(t *testing.T, b *Buffer, q search.Query) (hits []search.Hit) {
	t.Helper()
	var alone []search.Hit
	must(t, b.Matches(context.Background(), q, 3, new(Progress), func(h search.Hit) bool { hits = append(hits, h); return true }))
	must(t, b.Matches(context.Background(), q, 1, new(Progress), func(h search.Hit) bool { alone = append(alone, h); return true }))
	if len(alone) != len(hits) {
		t.Errorf("%s: %d hits, one worker finds %d", q, len(hits), len(alone))
	}
	return hits
}

func spansOf(hits []search.Hit) (spans []span.Span) {
	for _, h := range hits {
		spans = append(spans, h.Span)
	}
	return spans
}

func offsetsOf(hits []search.Hit) (offsets []int64) {
	for _, h := range hits {
		offsets = append(offsets, h.Offset)
	}
	return offsets
}

// valueTests are queries about values; want has the paths of the hits, those of keys with @key.
var valueTests = []struct {
	name, query string
	data        []byte
	want        string
}{
	{"both texts", "iron sword", array(text("iron sword"), text("iron"), text("a sword of Iron")), "$[0] $[2]"},
	{"one in the key", "iron sword", dictionary(text("sword"), text("iron"), text("iron sword"), integer(1)), "$.sword $[\"iron sword\"]@key"},
	{"either", "gold | silver", dictionary(text("gold"), integer(1), text("a"), text("silver")), "$.gold@key $.a"},
	{"not", `-gold`, dictionary(text("gold"), integer(1), text("a"), text("x")), "$ $.a"},
	{"the key only", "key:hp", dictionary(text("hp"), integer(1), text("a"), text("hp")), "$.hp@key"},
	{"the value only", "value:hp", dictionary(text("hp"), integer(1), text("a"), text("hp")), "$.a"},
	{"a number as a key", "key:5", dictionary(integer(5), integer(1), integer(1), integer(5)), "$[5]@key"},
	{"key and type", "key:hp type:int", dictionary(text("hp"), integer(1), text("hpmax"), text("x")), "$.hp"},
	{"type in any case", "type:vector2", array(vector2(1, 2), integer(1)), "$[0]"},
	{"type with a star", "type:Packed*", array(packedInts(1), packedFloats(2), integer(1)), "$[0] $[1]"},
	{"a number inside", "type:Vector2 >1", array(vector2(1, 2), vector2(0, 1)), "$[0]"},
	{"no such number inside", "type:Vector2 -=1", array(vector2(1, 2), vector2(0, 3)), "$[1]"},
	{"elements by themselves", "path:*[1] 2", array(packedInts(1, 2, 3), integer(2)), "$[0][1] $[1]"},
	{"components by themselves", "path:*.y type:*", array(vector2(1, 2)), "$[0].y"},
	{"a path", "path:*.pos.* | path:a", dictionary(text("a"), dictionary(text("pos"), dictionary(text("q"), integer(1)))), "$.a $.a.pos.q"},
	{"a repeated key", "path:$.a", dictionary(text("a"), integer(1), text("a"), integer(2)), "$.a $.a#2"},
	{"a regular expression", `/^slot\d$/`, dictionary(text("slot1"), integer(1), text("a"), text("slot2"), text("b"), text("slot")), "$.slot1@key $.a"},
	{"a sole comparison", ">=2", array(integer(1), double(2.5), vector2(1, 2)), "$[1] $[2].y"},
	{"between", ">=2 <=3", array(integer(1), double(2.5), integer(4)), "$[1]"},
	{"bytes in a value", "type:int x:05 ?? 00", array(integer(5), integer(6), double(5)), "$[0]"},
	{"problems", "has:problem type:bool", array(cat(words(1, 7)), boolean(true), words(1<<8|2, 5)), "$[0]"},
	{"no problems", "-has:problem -type:Array", array(cat(words(1, 7)), boolean(true)), "$[1]"},
	{"a word", "true type:bool", array(boolean(true), boolean(false), text("true")), "$[0]"},
	{"a word in quotes", `"true" type:*`, array(boolean(true), text("true")), "$[1]"},
	{"in parentheses", "(a | b) (c | d)", array(text("a c"), text("b"), text("d b")), "$[0] $[2]"},
}

// TestMatches finds values in files that are made by hand, all at once and one by one.
func TestMatches(t *testing.T) {
	for _, test := range valueTests {
		doc := open(t, test.data, "raw")
		for _, indexed := range []bool{false, true} {
			if indexed {
				buildIndex(t, doc)
			}
			q := query(t, test.query)
			all := allMatches(t, doc.Innermost(), q)
			if got := hitNames(doc.Innermost(), all); got != test.want {
				t.Errorf("%s: %s, indexed %v:\n got %s\nwant %s", test.name, test.query, indexed, got, test.want)
			}
			checkOneByOne(t, doc, test.query, len(all))
		}
	}
}

// hitNames are the paths of hits; of a hit in a key that of the key.
func hitNames(b *Buffer, hits []search.Hit) string {
	var names []string
	r := b.Tree().NewReader()
	for _, h := range hits {
		name := r.Path(h.Node)
		if !h.IsValue && h.Offset < h.Node.Start {
			name += "@key"
		}
		names = append(names, name)
	}
	return strings.Join(names, " ")
}

// checkOneByOne holds that going from hit to hit, in both directions, visits as many as there
// are.
func checkOneByOne(t *testing.T, doc *Document, typed string, want int) {
	t.Helper()
	x := Explore(doc.Innermost())
	for _, backward := range []bool{false, true} {
		if got := hitPaths(t, x, typed, backward); len(got) != want {
			t.Errorf("%s, backward %v: %d hits, want %d: %v", typed, backward, len(got), want, got)
		}
	}
}

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

// fitting lists those of the values, and of the elements of those that do not fit, that fit.
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
	for seed := range uint64(200) {
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
	if found < 1000 {
		t.Errorf("%d hits in all show nothing", found)
	}
}

func isDamaged(t *testing.T, doc *Document) (damaged bool) {
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

// TestMatchesInSegments finds the same in a buffer of several segments as in its parts, also
// where there are more hits than are kept, and where a segment ends between a key and its
// value.
func TestMatchesInSegments(t *testing.T) {
	var entries, frames [][]byte
	for i := range 60_000 {
		entries = append(entries, text(fmt.Sprintf("key%d", i)), text(strings.Repeat("v", i%50)+"7"))
		if i%1000 == 0 {
			frames = append(frames, array(text("needle in hay"), integer(int32(i))))
		}
	}
	entries = append(entries, text("end"), array(text(strings.Repeat("a", 3000)), packedInts(make([]uint32, 3000)...)))
	doc := open(t, array(dictionary(entries...), array(frames...)), "raw")
	for _, test := range []struct {
		query string
		want  int
	}{
		{"key:key value:7", 60_000},
		{"key:key7 type:String", 1_111},
		{"key:key59999 type:String", 1},
		{"needle hay", 60},
		{"type:int 7000", 1},
		{"path:*.key1?", 10},
		{"key59", 1_111},
		{"aa", 2_999},
		{"=0", 3_001},
		{"-type:String -type:int -type:Array", 2}, // the dictionary, the packed array
		{"x:76 37", 60_000 - 1_200},
	} {
		hits := allMatches(t, doc.Innermost(), query(t, test.query))
		if len(hits) != test.want {
			t.Errorf("%s: %d hits, want %d", test.query, len(hits), test.want)
		}
		if !slices.IsSorted(offsetsOf(hits)) {
			t.Errorf("%s: not in their order", test.query)
		}
		seen := 0
		must(t, doc.Innermost().Matches(context.Background(), query(t, test.query), 2, new(Progress), func(search.Hit) bool { seen++; return seen < 2_000 }))
		if seen != min(test.want, 2_000) {
			t.Errorf("%s: ended after %d", test.query, seen)
		}
	}
}

func TestMatchesIsCancelled(t *testing.T) {
	doc := open(t, array(many(20_000)...), "raw")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, s := range []string{"a", "-1", "x:ff ff", "type:x", "has:problem"} {
		if err := doc.Innermost().Matches(ctx, query(t, s), 2, new(Progress), func(search.Hit) bool { return true }); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", s, err)
		}
	}
}

// TestBestMatch: a key that is all of the text is the best, then a value that is, then a part
// of a key.
func TestBestMatch(t *testing.T) {
	entries := [][]byte{text("a"), text("some gold"), text("goldmine"), integer(1), text("b"), text("gold"), text("Gold"), integer(2)}
	ranks := []search.Rank{search.Other, search.PartOfKey, search.ExactValue, search.ExactKey}
	places := []string{"$.a", "$.goldmine@key", "$.b", "$.Gold@key"}
	for n := range ranks {
		b := open(t, dictionary(entries[:2*n+2]...), "raw").Innermost()
		hit, err := b.BestMatch(context.Background(), query(t, "gold"), 2, new(Progress))
		must(t, err)
		best := slices.Min(ranks[:n+1])
		want := places[slices.Index(ranks, best)]
		if got := b.Tree().NewReader().Path(hit.Node); hit.Rank != best || got != want {
			t.Errorf("of %d entries %s with rank %d, want %s", n+1, got, hit.Rank, want)
		}
		values := allMatches(t, b, query(t, "gold type:*"))
		if values[n].Rank != ranks[n] {
			t.Errorf("%s type:* has rank %d, want %d", places[n], values[n].Rank, ranks[n])
		}
	}
	b := open(t, bytes.Clone(array(text("x"))), "raw").Innermost()
	if _, err := b.BestMatch(context.Background(), query(t, "gold"), 2, new(Progress)); err != io.EOF {
		t.Error(err)
	}
}
