package explore

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/model"
	"varview/model/search"
)

func query(t testing.TB, s string) search.Query {
	t.Helper()
	q, err := search.ParseQuery(s)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func TestParseQuery(t *testing.T) {
	for _, bad := range []string{"", "x:", "x:1", "x:zz", "x: 1b 0", "x:1b0"} {
		if _, err := search.ParseQuery(bad); err == nil {
			t.Errorf("%q is no error", bad)
		}
	}
	for _, good := range []string{"x:1b 00", "x:1B00", "x:1 b0 0", "x", `"xy:00"`, "5", "0x1f", "nan"} {
		if q, err := search.ParseQuery(good); err != nil || q.String() != good {
			t.Errorf("%q: %v, %q", good, err, q)
		}
	}
}

// searchTests look for the query again and again from the start on; hits are
// the paths of what owns them, with the offset of the hit within it.
var searchTests = []struct {
	name  string
	data  []byte
	query string
	want  string
}{
	{"key and text", dictionary(text("name"), text("rename me"), text("other"), text("x")), "name", "$.name@key+8 $.name+10"},
	{"any case", array(text("Mira"), text("MIRA"), text("mira")), "mira", "$[0]+8 $[1]+8 $[2]+8"},
	{"this case", array(text("Mira"), text("MIRA"), text("mira")), "Mira", "$[0]+8"},
	{"umlauts in any case", array(text("ÄRGER"), text("Ärger"), text("ärger"), text("arger")), "ärger", "$[0]+8 $[1]+8 $[2]+8"},
	{"greek in any case", array(text("ΣΟΦΌΣ"), text("x")), "σοφό", "$[0]+8"},
	{"chinese", array(text("冒険の書"), text("書")), "書", "$[0]+17 $[1]+8"},
	{"emoji", array(text("Hi 🎮")), "🎮", "$[0]+11"},
	{"twice in one text", array(text("abcabc"), text("c")), "abc", "$[0]+8 $[0]+11"},
	{"overlapping", array(text("aaaa")), "aa", "$[0]+8 $[0]+9 $[0]+10"},
	{"not across texts", packed("ab", "cd"), "bc", ""},
	{"not in padding", array(text("a")), "\x00", ""},
	{"in packed strings", packed("one", "two", "three"), "t", "$[1]+4 $[2]+4"},
	{"integers and floats", array(integer(5), double(5), single(5), long(5), integer(50), double(5.5)), "5",
		"$[0]+4 $[1]+4 $[2]+4 $[3]+4"},
	{"as a float", array(integer(5), double(5), text("5.0")), "5.0", "$[0]+4 $[1]+4 $[2]+8"},
	{"numbers in text too", array(integer(7), text("agent 7")), "7", "$[0]+4 $[1]+14"},
	{"negative", array(integer(-3), double(-3), integer(3)), "-3", "$[0]+4 $[1]+4"},
	{"decimal with a leading zero", array(integer(10), integer(8)), "010", "$[0]+4"},
	{"hexadecimal", array(integer(31), integer(0)), "0x1f", "$[0]+4"},
	{"exponent", array(double(1000), integer(1000)), "1e3", "$[0]+4 $[1]+4"},
	{"elements", array(packedInts(1, 2, 3), packedFloats(2, 9)), "2", "$[0][1]+0 $[1][0]+0"},
	{"components", array(vector2(1, 2), packedVectors(2, 3)), "2", "$[0].y+0 $[1][0].x+0"},
	{"beyond 2⁵³", array(long(9007199254740993), long(9007199254740992)), "9007199254740993", "$[0]+4"},
	{"bool", array(boolean(true), boolean(false), text("true")), "true", "$[0]+4 $[2]+8"},
	{"not a number", array(text("nan"), double(5)), "nan", "$[0]+8"},
	{"counts are no values", array(integer(1), integer(2)), "2", "$[1]+4"},
	{"bytes", cat(integer(1), []byte{0x1b, 0, 0x1b, 0}), "x:1b 00", "$+8 $+10"},
	{"bytes in a header", array(integer(1)), "x:02 00 00 00 01", "$[0]+0"},
	{"bytes overlapping", packedBytes(0, 0, 0, 0, 9), "x:00 00 00", "$+1 $+5 $+6 $+7 $+8 $+9 $+13"},
	{"nowhere", array(text("a")), "zebra", ""},
	{"longer than the file", array(text("a")), "x:" + strings.Repeat("00", 100), ""},
	{"damaged", cat(words(tArray, 3), text("hit"), words(tUnsorted), []byte("hit")), "hit", "$[0]+8 $[1]+4"},
}

func packed(texts ...string) []byte { return packedStrings(texts...) }

func TestSearch(t *testing.T) {
	for _, test := range searchTests {
		t.Run(test.name, func(t *testing.T) {
			doc := open(t, test.data, "raw")
			q := query(t, test.query)
			if got := places(t, doc.Innermost(), spansOf(allMatches(t, doc.Innermost(), q))); got != test.want {
				t.Errorf("%s, all:\n got %s\nwant %s", test.query, got, test.want)
			}
			hits, err := hitsFrom(doc.Innermost(), q, -1, false)
			must(t, err)
			if got := places(t, doc.Innermost(), hits); got != test.want {
				t.Errorf("%s:\n got %s\nwant %s", test.query, got, test.want)
			}
			back, err := hitsFrom(doc.Innermost(), q, doc.Size(), true)
			must(t, err)
			slices.Reverse(back)
			if got := places(t, doc.Innermost(), back); got != test.want {
				t.Errorf("%s backward:\n got %s\nwant %s", test.query, got, test.want)
			}
		})
	}
}

// hitsFrom searches on from hit to hit until the search goes round.
func hitsFrom(d *model.Buffer, q search.Query, from int64, backward bool) (hits []span.Span, err error) {
	for {
		hit, wrapped, err := d.Search(context.Background(), q, search.Spot{Offset: from}, backward, new(model.Progress))
		if err == io.EOF || wrapped {
			return hits, nil
		}
		if err != nil || len(hits) > 10_000 {
			return hits, fmt.Errorf("%d hits: %w", len(hits), err)
		}
		hits = append(hits, hit.Span)
		from = hit.Offset
	}
}

func places(t *testing.T, d *model.Buffer, hits []span.Span) string {
	var all []string
	r := d.Tree().NewReader()
	for _, h := range hits {
		n, err := r.At(h.Offset)
		must(t, err)
		all = append(all, fmt.Sprintf("%s+%d", r.Path(n), h.Offset-n.Start))
	}
	return strings.Join(all, " ")
}

func TestSearchGoesRound(t *testing.T) {
	doc := open(t, array(text("hit"), text("other"), text("hit")), "raw")
	first, second := int64(16), int64(8+12+16+8)
	tests := []struct {
		from     int64
		backward bool
		want     int64
		wrapped  bool
	}{
		{0, false, first, false},
		{first, false, second, false},
		{second, false, first, true},
		{second - 1, false, second, false},
		{doc.Size() - 1, false, first, true},
		{second, true, first, false},
		{first, true, second, true},
		{0, true, second, true},
		{doc.Size(), true, second, false},
		{first + 1, true, first, false},
	}
	for _, test := range tests {
		hit, wrapped, err := doc.Innermost().Search(context.Background(), query(t, "hit"), search.Spot{Offset: test.from}, test.backward, new(model.Progress))
		if err != nil || hit.Span != (span.Span{Offset: test.want, Length: 3}) || wrapped != test.wrapped {
			t.Errorf("from %#x, backward %v: %v, wrapped %v, %v; want %#x, %v", test.from, test.backward, hit, wrapped, err, test.want, test.wrapped)
		}
	}
	// The only hit is found again from where it is.
	only := open(t, array(text("hit")), "raw").Innermost()
	for _, backward := range []bool{false, true} {
		hit, wrapped, err := only.Search(context.Background(), query(t, "hit"), search.Spot{Offset: first}, backward, new(model.Progress))
		if err != nil || hit.Offset != first || !wrapped {
			t.Errorf("the only hit, backward %v: %v, %v, %v", backward, hit, wrapped, err)
		}
	}
}

func TestSearchInNothing(t *testing.T) {
	doc := open(t, nil, "stream")
	for _, s := range []string{"a", "5", "x:00"} {
		for _, backward := range []bool{false, true} {
			if _, _, err := doc.Innermost().Search(context.Background(), query(t, s), search.Spot{}, backward, new(model.Progress)); err != io.EOF {
				t.Errorf("%s: %v", s, err)
			}
		}
	}
}

func TestSearchIsCancelled(t *testing.T) {
	doc := open(t, array(many(20_000)...), "raw")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, s := range []string{"a", "-1", "x:ff ff ff ff ff"} {
		for _, backward := range []bool{false, true} {
			if _, _, err := doc.Innermost().Search(ctx, query(t, s), search.Spot{}, backward, new(model.Progress)); !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %v", s, err)
			}
		}
	}
}

// The search for bytes reads pieces of 1 MiB; hits lie across their borders.
func TestSearchBytesAcrossPieces(t *testing.T) {
	const piece = 1 << 20
	data := make([]byte, 2*piece+100)
	for i := range data {
		data[i] = byte(i%251) | 1
	}
	needle := []byte{0, 2, 4, 6, 8}
	at := []int64{0, 700, piece - 5, piece + 1, 2*piece - 2, int64(len(data) - 5)}
	for _, off := range at {
		copy(data[off:], needle)
	}
	doc := open(t, data, "raw")
	q := query(t, "x:00 02 04 06 08")
	for _, start := range []int64{-1, 0, 350} {
		var want, got []int64
		for _, off := range at {
			if off > start {
				want = append(want, off)
			}
		}
		hits, err := hitsFrom(doc.Innermost(), q, start, false)
		must(t, err)
		for _, h := range hits {
			got = append(got, h.Offset)
		}
		if !slices.Equal(got, want) {
			t.Errorf("from %d: %v, want %v", start, got, want)
		}
	}
	hits, err := hitsFrom(doc.Innermost(), q, doc.Size()-3, true)
	must(t, err)
	for i, h := range hits {
		if want := at[len(at)-1-i]; h.Offset != want {
			t.Errorf("backward: %#x, want %#x", h.Offset, want)
		}
	}
	if len(hits) != len(at) {
		t.Errorf("backward: %d hits, want %d", len(hits), len(at))
	}
}

// A string longer than the pieces in which it is searched.
func TestSearchInLongText(t *testing.T) {
	const piece = 32 << 10
	long := bytes.Repeat([]byte("abcdefg "), 20_000)
	at := []int{0, 100, piece - 3, piece + 5, 2*piece - 7, 4*piece + 1, len(long) - 6}
	for _, i := range at {
		copy(long[i:], "NEEDLE")
	}
	doc := open(t, array(text(string(long)), text("x")), "raw")
	for _, s := range []string{"NEEDLE", "needle"} {
		for _, backward := range []bool{false, true} {
			from := int64(-1)
			if backward {
				from = doc.Size()
			}
			hits, err := hitsFrom(doc.Innermost(), query(t, s), from, backward)
			must(t, err)
			if backward {
				slices.Reverse(hits)
			}
			var got []int
			for _, h := range hits {
				got = append(got, int(h.Offset)-16)
			}
			if !slices.Equal(got, at) {
				t.Errorf("%s, backward %v: %v, want %v", s, backward, got, at)
			}
		}
	}
}

// naiveHits finds all hits by reading every field.
func naiveHits(t *testing.T, d *model.Document, s string) []int64 {
	t.Helper()
	var hits []int64
	data := make([]byte, d.Size())
	d.Tree.Source.ReadAt(data, 0)
	if digits, ok := strings.CutPrefix(s, "x:"); ok {
		var want []byte
		for f := range strings.FieldsSeq(digits) {
			b, err := strconv.ParseUint(f, 16, 8)
			must(t, err)
			want = append(want, byte(b))
		}
		for i := range data {
			if bytes.HasPrefix(data[i:], want) {
				hits = append(hits, int64(i))
			}
		}
		return hits
	}
	number, numberErr := strconv.ParseFloat(s, 64)
	fold := s == strings.ToLower(s)
	err := d.Tree.EachField(context.Background(), func(f tree.OwnedField) error {
		switch f.Kind {
		case span.Gap:
			for i := f.Offset; i < f.End(); i++ {
				if rest := data[i:f.End()]; beginsText(rest, s, fold) || numberErr == nil && beginsNumber(rest, number) {
					hits = append(hits, i)
				}
			}
		case span.Text:
			for i := f.Offset; i+int64(len(s)) <= f.End(); i++ {
				at := data[i : i+int64(len(s))]
				if string(at) == s || fold && bytes.EqualFold(at, []byte(s)) {
					hits = append(hits, i)
				}
			}
		case span.Value, span.ID:
			if v, err := strconv.ParseFloat(string(f.Value), 64); numberErr == nil && err == nil && v == number {
				hits = append(hits, f.Offset)
			}
		}
		return nil
	})
	must(t, err)
	return hits
}

// beginsText reports whether bytes begin with a text, in any case if fold is set.
func beginsText(b []byte, s string, fold bool) bool {
	return len(b) >= len(s) && (string(b[:len(s)]) == s || fold && bytes.EqualFold(b[:len(s)], []byte(s)))
}

// beginsNumber reports whether bytes begin with a small number other than 0, as a float or an int of 4 or 8 bytes.
func beginsNumber(b []byte, n float64) bool {
	if n == 0 {
		return false
	}
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		if len(b) >= 8 && (math.Float64frombits(order.Uint64(b)) == n || float64(int64(order.Uint64(b))) == n) ||
			len(b) >= 4 && (float64(math.Float32frombits(order.Uint32(b))) == n || float64(int32(order.Uint32(b))) == n) || len(b) >= 2 && n < 0 && float64(int16(order.Uint16(b))) == n {
			return true
		}
	}
	return false
}

func TestSearchAgainstNaive(t *testing.T) {
	queries := []string{"a", "player", "ärger", "PLAYER", "longlong", "0", "1", "2", "0.5", "-3", "x:00", "x:04 00 00 00", "x:00 00"}
	for seed := range uint64(20) {
		data, framing := randomFile(rand.New(rand.NewPCG(seed, 3)))
		doc := open(t, data, framing)
		for _, indexed := range []bool{false, true} {
			if indexed {
				buildIndex(t, doc)
			}
			for _, s := range queries {
				checkHits(t, doc, s, fmt.Sprintf("seed %d, indexed %v", seed, indexed))
			}
		}
		if t.Failed() {
			t.Fatalf("%s %x", framing, data)
		}
	}
}

// A file with many remembered places, from which searches set out.
func TestSearchAgainstNaiveInLargeFile(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	var frames [][]byte
	for range 400 {
		frames = append(frames, dictionary(text("name"), text(strings.Repeat("filler ", r.IntN(200))), text("inner"), randomValue(r, 3),
			text("n"), integer(int32(r.IntN(100)))))
	}
	for name, data := range map[string]string{"stream": string(stream(frames...)), "raw": string(array(frames...))} {
		doc := open(t, []byte(data), name)
		buildIndex(t, doc)
		if len(data) < 3*64<<10 {
			t.Fatalf("%d bytes are not enough for an index", len(data))
		}
		for _, s := range []string{"player", "42", "x:70 6c 61 79"} {
			checkHits(t, doc, s, name)
		}
	}
}

func checkHits(t *testing.T, doc *model.Document, s, where string) {
	t.Helper()
	want := naiveHits(t, doc, s)
	for _, backward := range []bool{false, true} {
		from := int64(-1)
		if backward {
			from = doc.Size()
		}
		hits, err := hitsFrom(doc.Innermost(), query(t, s), from, backward)
		must(t, err)
		if backward {
			slices.Reverse(hits)
		}
		var got []int64
		for _, h := range hits {
			got = append(got, h.Offset)
		}
		all := offsetsOf(allMatches(t, doc.Innermost(), query(t, s)))
		if !backward && !slices.Equal(all, want) {
			t.Errorf("%s: %s, all:\n got %v\nwant %v", where, s, all, want)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %s, backward %v:\n got %v\nwant %v", where, s, backward, got, want)
			return
		}
	}
}
