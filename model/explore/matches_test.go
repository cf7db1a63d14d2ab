package explore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"varview/decoder/engine/span"
	"varview/model"
	"varview/model/search"
)

// allMatches returns all hits of a query. It holds that one worker finds the same as several.
func allMatches(t *testing.T, b *model.Buffer, q search.Query) (hits []search.Hit) {
	t.Helper()
	var alone []search.Hit
	must(t, b.Matches(context.Background(), q, 3, new(model.Progress), func(h search.Hit) bool { hits = append(hits, h); return true }))
	must(t, b.Matches(context.Background(), q, 1, new(model.Progress), func(h search.Hit) bool { alone = append(alone, h); return true }))
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

// hitNames returns the paths of hits; for a hit in a key, the path of the key.
func hitNames(b *model.Buffer, hits []search.Hit) string {
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
func checkOneByOne(t *testing.T, doc *model.Document, typed string, want int) {
	t.Helper()
	x := New(doc.Innermost())
	for _, backward := range []bool{false, true} {
		if got := hitPaths(t, x, typed, backward); len(got) != want {
			t.Errorf("%s, backward %v: %d hits, want %d: %v", typed, backward, len(got), want, got)
		}
	}
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
		must(t, doc.Innermost().Matches(context.Background(), query(t, test.query), 2, new(model.Progress), func(search.Hit) bool { seen++; return seen < 2_000 }))
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
		if err := doc.Innermost().Matches(ctx, query(t, s), 2, new(model.Progress), func(search.Hit) bool { return true }); !errors.Is(err, context.Canceled) {
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
		hit, wrapped, err := b.Seek(context.Background(), query(t, "gold"), search.Spot{Offset: -1}, new(model.Progress))
		must(t, err)
		if wrapped {
			t.Errorf("of %d entries the hit is before the buffer", n+1)
		}
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
	if _, _, err := b.Seek(context.Background(), query(t, "gold"), search.Spot{}, new(model.Progress)); err != io.EOF {
		t.Error(err)
	}
}

// TestBestWithin: where not all is searched for the best hit, it is the best one near after the cursor,
// or else the next.
func TestBestWithin(t *testing.T) {
	entry := dictionary(text("max_hp"), integer(1), text("hp"), integer(2))
	b := open(t, array(entry, array(text("far")), dictionary(text("hp"), integer(3))), "raw").Innermost()
	part := int64(8 + 8 + 8 + 4) // headers, max_hp up to the text
	exact := int64(8 + 8 + 16 + 8 + 8)
	far := 8 + int64(len(entry)) + int64(len(array(text("far")))) + 8 + 8
	for _, test := range []struct {
		from, reach, want int64
		wrapped           bool
	}{
		{0, 1000, exact, false}, {0, 30, part, false}, {0, exact, exact, false}, {0, 5, part, false},
		{part, 1000, exact, false}, {exact, 1000, far, false}, {exact, 1, far, false}, {far, 1000, part, true},
	} {
		hit, wrapped, err := search.BestWithin(context.Background(), b.Tree(), query(t, "hp"), search.Spot{Offset: test.from}, test.reach, func(int64, int64) {})
		must(t, err)
		if hit.Offset != test.want || wrapped != test.wrapped {
			t.Errorf("from %d within %d: %d, wrapped %v, want %d", test.from, test.reach, hit.Offset, wrapped, test.want)
		}
	}
	if hit, _, err := search.BestWithin(context.Background(), b.Tree(), query(t, "x:6870"), search.Spot{}, 1000, func(int64, int64) {}); err != nil || hit.Offset != part {
		t.Errorf("bytes: %d, %v", hit.Offset, err)
	}
	many := open(t, array(text(strings.Repeat("hp ", 20_000)), entry), "raw").Innermost()
	if hit, _, err := search.BestWithin(context.Background(), many.Tree(), query(t, "hp"), search.Spot{}, 1<<20, func(int64, int64) {}); err != nil || hit.Offset != 16 {
		t.Errorf("of very many: %d, %v", hit.Offset, err)
	}
	if _, _, err := search.BestWithin(context.Background(), b.Tree(), query(t, "gold"), search.Spot{}, 1000, func(int64, int64) {}); err != io.EOF {
		t.Error(err)
	}
}

// TestBestMatchAfter: of hits that are as good, the first after the cursor is the best.
func TestBestMatchAfter(t *testing.T) {
	entry := dictionary(text("max_hp"), integer(1), text("hp"), integer(2))
	b := open(t, array(entry, entry), "raw").Innermost()
	first := int64(8 + 8 + 16 + 8 + 8) // headers, max_hp, its value, the header of hp
	second := first + int64(len(entry))
	for _, test := range []struct {
		from, want int64
		wrapped    bool
	}{{0, first, false}, {first, second, false}, {second, first, true}} {
		hit, wrapped, err := b.Seek(context.Background(), query(t, "hp"), search.Spot{Offset: test.from}, new(model.Progress))
		must(t, err)
		if hit.Offset != test.want || wrapped != test.wrapped {
			t.Errorf("from %d: %d, wrapped %v", test.from, hit.Offset, wrapped)
		}
	}
}
