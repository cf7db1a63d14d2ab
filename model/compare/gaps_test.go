package compare

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"varview/decoder"
	"varview/decoder/edit/textual"
	"varview/decoder/engine/source"
	"varview/decoder/engine/source/sourcetest"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// TestManyGaps: a changed child is not passed again for each run of equal bytes in it, nor the rest of a list for each gap.
func TestManyGaps(t *testing.T) {
	word := func(n int) string { return string([]byte{0, byte(n >> 16), byte(n >> 8), byte(n)}) }
	for name, form := range map[string]struct {
		head, between, tail string
		record              func(id, x int) string
	}{
		"json": {`{"version":1,"bag":{"items":[`, ",", `]}}`, func(id, x int) string { return fmt.Sprintf(`{"id":%d,"x":%d,"tags":["a","b"]}`, id, x) }},
		"godot4-text": {"[gd_resource type=\"Resource\" format=3]\n\n[resource]\nitems = [[", ", ", "]]\n", func(id, x int) string {
			return fmt.Sprintf("{\n\"id\": %d,\n\"x\": %d,\n\"tags\": [\"a\", \"b\"]\n}", id, x)
		}},
		"msgpack": {"\x91\x82\xa7version\x01\xa5items\xdd", "", "", func(id, x int) string {
			return "\x83\xa2id\xd2" + word(id) + "\xa1x\xd2" + word(x) + "\xa4tags\x92\xa1a\xa1b"
		}},
	} {
		content := func(n, every, other int) *decoder.Document {
			var records []string
			for k := range n {
				x := 100_000 + k
				if k%every == 7 {
					x += other
				}
				records = append(records, form.record(k, x))
			}
			head := form.head
			if name == "msgpack" {
				head += word(n)
			}
			text := head + strings.Join(records, form.between) + form.tail
			d, err := decoder.Open(t.Context(), source.Bytes(text), decoder.Options{Dialect: name})
			if err != nil {
				t.Fatal(name, err)
			}
			return d
		}
		const n, changed = 10_000, 500
		a, b := content(n, 20, 0), content(n, 20, 7)
		counted := &sourcetest.Counted{Source: a.Tree.Source}
		a.Tree.Source = counted
		changes, err := All(t.Context(), a.Tree, b.Tree, Options{Alike: true})
		if err != nil || len(changes) != changed {
			t.Fatalf("%s: %d changes, not %d (%v)", name, len(changes), changed, err)
		}
		if counted.Reads > 8*changed {
			t.Errorf("%s: %d reads for %d changes", name, counted.Reads, changed)
		}
		before := counted.Reads
		err = Unclaimed(t.Context(), a.Tree, b.Tree, func(was, is span.Span) error { return fmt.Errorf("bytes of no value differ: %v, %v", was, is) })
		if read := counted.Reads - before; err != nil || read > 0 {
			t.Errorf("%s: after comparing, %d reads for bytes of no value (%v)", name, read, err)
		}

		// For a merge, of the children of the base those are read that show that each change is far from the next; where they are
		// near, all, but once. Of the others those are read whose bytes differ.
		for every, most := range map[int][3]int64{80: {25_000, 25_000, 12_000}, 10: {150_000, 80_000, 180_000}} { // of 90,000 values
			a, b := content(n, every, 0), content(n, every, 7)
			var ofA, ofB atomic.Int64
			a.Tree.Reading, b.Tree.Reading = counting{a.Tree.Reading, &ofA}, counting{b.Tree.Reading, &ofB}
			options := Options{Alike: true, Known: NewKnown(a.Tree.NewReader()), Unclear: func(*Unclear) {}}
			var read [3]int64
			for i := range 2 {
				if again, err := All(t.Context(), a.Tree, b.Tree, options); err != nil || len(again) != n/every {
					t.Fatalf("%s: %d changes, not %d (%v)", name, len(again), n/every, err)
				}
				read[i] = ofA.Swap(0)
			}
			if read[2] = ofB.Load(); read[0] > most[0] || read[1] > most[1] || read[2] > most[2] {
				t.Errorf("%s: %d values of the base were read, and then %d, and of the other in both %d; most %d", name, read[0], read[1], read[2], most)
			}
		}
	}
}

// A passed reading counts how often it looks for a child.
type passed struct {
	textual.Editor
	looks *atomic.Int64
}

func (p passed) HasChild(w *source.Window, v *tree.Value, slot tree.Slot, off int64) bool {
	p.looks.Add(1)
	return p.Editor.HasChild(w, v, slot, off)
}

// TestAllChanged: where every small child of a list has changed, each is read for its sum, once more for what has changed in it, and as
// far as that for its path; it is not passed before, only to learn how large it is.
func TestAllChanged(t *testing.T) {
	const n = 2000
	open := func(other int) *tree.Tree {
		records := make([]string, n)
		for k := range records {
			records[k] = fmt.Sprintf(`{"id":%d,"x":%d,"tags":["a","b","c"]}`, k, other+k)
		}
		d, err := decoder.Open(t.Context(), source.Bytes(`{"items":[`+strings.Join(records, ",")+`]}`), decoder.Options{Dialect: "json"})
		if err != nil {
			t.Fatal(err)
		}
		return d.Tree
	}
	a, b := open(100_000), open(200_000)
	var looks atomic.Int64
	a = tree.New(a.Source, passed{a.Reading.(textual.Editor), &looks}, a.Region)
	changes, err := All(t.Context(), a, b, Options{Alike: true})
	if err != nil || len(changes) != n {
		t.Fatalf("%d changes, not %d (%v)", len(changes), n, err)
	}
	if most := int64(28 * n); looks.Load() > most {
		t.Errorf("%d looks for a child, more than %d", looks.Load(), most)
	}
}

// TestManyChangedSections: each value of an INI file is read a few times, whatever the number of changes, and the paths in the
// second comparison take no further pass over the keys of the base.
func TestManyChangedSections(t *testing.T) {
	const sections, changed = 4000, 200
	open := func(other int) *decoder.Document {
		var text strings.Builder
		for k := range sections {
			x := 100_000 + k
			if k%(sections/changed) == 7 {
				x += other
			}
			fmt.Fprintf(&text, "[section_%d]\nname=\"a\"\nlevel=%d\n\n", k, x)
		}
		d, err := decoder.Open(t.Context(), source.Bytes(text.String()), decoder.Options{Dialect: "ini"})
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	a, b := open(0), open(7)
	var reads atomic.Int64
	a.Tree.Reading = counting{a.Tree.Reading, &reads}
	options := Options{Alike: true, Known: NewKnown(a.Tree.NewReader())}
	for i, most := range []int64{6 * sections, 3 * sections} {
		changes, err := All(t.Context(), a.Tree, b.Tree, options)
		if err != nil || len(changes) != changed {
			t.Fatalf("%d changes, not %d (%v)", len(changes), changed, err)
		}
		if n := reads.Swap(0); n > most {
			t.Errorf("comparison %d: %d values of the base were read, more than %d", i+1, n, most)
		}
	}
}
