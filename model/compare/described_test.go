package compare

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"varview/decoder"
	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
)

// TestDescribedAlike: elements that depend on nothing but their own bytes need not be read where these are equal; others may
// mean something else there.
func TestDescribedAlike(t *testing.T) {
	const head, n, changed = "meta: {id: bag, endian: le}\nseq:\n  - {id: kind, type: u4}\n", 4096, 41
	for name, c := range map[string]struct {
		items   string
		kind    byte // of the second file
		changes int
		isAlike bool
	}{
		"closed":  {"  - {id: items, type: item, repeat: eos}\ntypes:\n  item:\n    seq: [{id: a, type: u2}, {id: b, type: u2}]\n", 1, changed, true},
		"by root": {"  - {id: items, type: item, repeat: eos}\ntypes:\n  item:\n    seq: [{id: a, type: u4, if: _root.kind < 3}]\n", 1, changed, false},
		"by kind": {"  - id: items\n    repeat: eos\n    type: {switch-on: kind, cases: {1: u4, 2: f4}}\n", 2, 1 + n, false},
	} {
		ksy := filepath.Join(t.TempDir(), "bag.ksy")
		if err := os.WriteFile(ksy, []byte(head+c.items), 0o600); err != nil {
			t.Fatal(err)
		}
		by, err := decoder.ReadDescription(ksy, nil)
		if err != nil {
			t.Fatal(name, err)
		}
		content := func(kind byte, more uint32) *tree.Tree {
			b := []byte{kind, 0, 0, 0}
			for k := range uint32(n) {
				b = binary.LittleEndian.AppendUint32(b, k+1+more*(1-min(k%100, 1)))
			}
			d, err := decoder.Open(t.Context(), source.Bytes(b), decoder.Options{Described: by})
			if err != nil {
				t.Fatal(name, err)
			}
			return d.Tree
		}
		a, b := content(1, 0), content(c.kind, 1<<15*uint32(2-c.kind))
		twin, _ := a.Reading.(tree.Twin)
		if twin == nil || !twin.ReadsAs(b.Reading) {
			t.Fatal(name, "the readings are no twins")
		}
		var x, y tree.Value
		for v, in := range map[*tree.Value]*tree.Tree{&x: a, &y: b} {
			r := in.NewReader()
			whole, _ := r.Child(in.Base, 0)
			items, err := r.Child(whole, 1)
			if err != nil {
				t.Fatal(name, err)
			}
			*v = items.Value
		}
		if is := a.Reading.(tree.Dependent).AreAlike(&x, &y); is != c.isAlike {
			t.Errorf("%s: the elements are alike: %v", name, is)
		}
		var all [2][]string
		for i, alike := range []bool{true, false} {
			o := Options{Alike: alike, SameDialect: true}
			if alike { // as a merge compares
				o.Unclear = func(*Unclear) {}
			}
			counted := &countingDescribed{Reading: b.Reading, Dependent: b.Reading.(tree.Dependent), MemberNamer: b.Reading.(format.MemberNamer)}
			was := b.Reading
			b.Reading = counted
			changes, err := All(t.Context(), a, b, o)
			if b.Reading = was; alike && c.isAlike && counted.reads > 25*changed {
				t.Errorf("%s: %d values were read to find %d changes", name, counted.reads, changed)
			}
			if err != nil {
				t.Fatal(name, err)
			}
			for _, x := range changes {
				all[i] = append(all[i], fmt.Sprint(x.Kind, " ", x.Path))
			}
		}
		if len(all[0]) != c.changes || fmt.Sprint(all[0]) != fmt.Sprint(all[1]) {
			t.Errorf("%s: %d changes, %d if all is read, not %d", name, len(all[0]), len(all[1]), c.changes)
		}
	}
}

// A countingDescribed counts the values that are read.
type countingDescribed struct {
	tree.Reading
	tree.Dependent
	format.MemberNamer
	reads int
}

func (c *countingDescribed) Read(w *source.Window, parent *tree.Value, slot tree.Slot, off int64, v *tree.Value) {
	c.reads++
	c.Reading.Read(w, parent, slot, off, v)
}
