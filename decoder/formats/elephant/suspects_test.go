package elephant_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"varview/decoder/diagnose"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/elephant"
)

// structural are the kinds of fields that say how a block is read, except those of the block itself.
func structural(t testing.TB, tr *tree.Tree) (fields []tree.OwnedField) {
	t.Helper()
	err := tr.EachField(context.Background(), func(f tree.OwnedField) error {
		switch f.Kind {
		case span.Type, span.Length, span.Terminator, span.Ctor, span.Schema, span.Skip:
			fields = append(fields, f)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return fields
}

// suspected reports whether one of the changes that the format suggests for the bytes at or around an
// offset restores the original.
func suspected(t testing.TB, tr *tree.Tree, at int64, data, original []byte) (found bool) {
	t.Helper()
	f, w := tr.Reading.(diagnose.Suspecter), source.NewWindow(tr.Source)
	try := func(s diagnose.Suspect) bool {
		if int64(len(s.New)) != s.Length || s.Was == "" || s.Is == "" || s.Code == "" || s.End() > int64(len(data)) {
			t.Fatalf("% x: %+v", data, s)
		}
		is := slices.Clone(data)
		copy(is[s.Offset:], s.New)
		found = bytes.Equal(is, original)
		return !found
	}
	Each(t, tr, func(n *tree.Node) {
		if found || n.Parent == nil || n.Start > at || n.End != tree.Unknown && n.End < at {
			return
		}
		f.Suspects(w, &n.Parent.Value, n.Slot, &n.Value, try)
		if at+2 > int64(len(original)) || found {
			return
		}
		if s, ok := f.Recount(w, &n.Parent.Value, &n.Value, int64(binary.LittleEndian.Uint16(original[at:]))); ok {
			try(s)
		}
	})
	return found
}

// TestSuspects: after any single byte of a structural field is changed, the field is among the suspects. A
// terminator that became a printable character among others looks like text.
func TestSuspects(t *testing.T) {
	tried := 0
	for _, b := range smallFiles(t, 120) {
		tr := b.Tree(b.Data)
		if !strings.HasPrefix(b.Name, "v1-") {
			continue
		}
		for _, f := range structural(t, tr) {
			for i := range f.Length {
				for _, change := range []byte{1, 0xc0} {
					data := slices.Clone(b.Data)
					data[f.Offset+i] += change
					if f.Kind == span.Terminator && f.Length == 1 && tree.IsPlain(bytes.TrimRight(data[f.Offset:f.Offset+2], "\x00")) {
						continue
					}
					tried++
					if !suspected(t, b.Tree(data), f.Offset, data, b.Data) {
						t.Errorf("%s: the %s at %d changed\n% x\nfrom\n% x", b.Name, f.Label, f.Offset+i, data, b.Data)
					}
				}
			}
		}
	}
	if tried < 1000 {
		t.Error(tried, "changes")
	}
}

// TestCounts: the description of a container's count, whatever is in its place.
func TestCounts(t *testing.T) {
	for _, c := range []struct {
		data, was string
		n         int64
		at        int64 // offset of the count; 0 if there is none
	}{
		{Head151 + "ce 0100 'a 0a 01" + Foot, "a count of 1", 7, 9},
		{Head151 + "cd 0100 0b '" + Foot, "a count of 1", 0xfffe, 9},
		{Head151 + "cd 0100 0b '" + Foot, "", 0xffff, 0},
		{Head151 + "ce 0100 'a 0a 01" + Foot, "", 0xfffe, 0},
		{Head151 + "ce feff 0000 'Q 80 0000" + Foot, "a count of 0", 0xffff, 16},
		{Head151 + "ce ffff 0000" + Foot, "the mark of a reference", 2, 9},
		{Head151 + "ce feff 0000 'Link 09 0000" + Foot, "the mark of a constructor", 2, 9},
		{Head100 + "0f ffff 01", "a count of 65,535", 0xffff, 9},
		{Head100 + "20 'Q 01 00", "", 1, 0},
		{Head151 + "0b 'text" + Foot, "", 1, 0},
	} {
		b := Block{}
		tr := b.Tree(Bytes(t, c.data))
		r := tr.NewReader()
		n, err := r.Child(tr.Base, 0)
		if err != nil {
			t.Fatal(err)
		}
		f := tr.Reading.(diagnose.Suspecter)
		s, ok := f.Recount(r.Window(), &tr.Base.Value, &n.Value, c.n)
		if ok != (c.at > 0) || ok && (s.Offset != c.at || s.Was != c.was || int64(binary.LittleEndian.Uint16(s.New)) != c.n) {
			t.Errorf("%s: %v %+v", c.data, ok, s)
		}
		if _, ok := f.(diagnose.Resizer); ok {
			t.Errorf("%s says where it ends", c.data)
		}
	}
}

// TestOdd: what games store every day is not odd, and what few games do is.
func TestOdd(t *testing.T) {
	for _, c := range []struct {
		data string
		odd  bool
	}{
		{"09 000000000000f83f", false},
		{"09 0000000000000000", false},
		{"09 0100000000000000", true},
		{"09 000000000000f8ff", true},
		{"08 0000c07f", true},
		{"0a 01", false},
		{"0c 0500000000000000", true},
		{"0b 'text", false},
		{"0b 0700", true},
		{"cc 0a 01", true},
		{"01 05", true},
		{"cd 0200 09 000000000000f83f 0100000000000000", true},
		{"cd 0300 cf", true},
		{"cf", true},
		{"ce feff 0000 'Q 80 0000", false},
		{"ce feff 0000 '1Q 80 0000", true},
	} {
		b := Block{}
		tr := b.Tree(Bytes(t, Head151+c.data+Foot))
		r := tr.NewReader()
		n, err := r.Child(tr.Base, 0)
		if err != nil {
			t.Fatal(err)
		}
		odd := tr.Reading.(diagnose.Suspecter).Oddness(r.Window(), &tr.Base.Value, tree.Slot{}, &n.Value)
		if odd > 0 != c.odd {
			t.Errorf("%s: %d", c.data, odd)
		}
	}
}

// TestCodes: each code that only Elephant has is described once, and no problem is worse than its code
// says.
func TestCodes(t *testing.T) {
	worst := map[string]span.Severity{}
	for _, c := range elephant.Codes {
		if _, twice := worst[c.Code]; twice || c.About == "" {
			t.Errorf("%s: twice, or without a word on it", c.Code)
		}
		worst[c.Code] = c.Severity
	}
	shared := map[string]bool{}
	for _, c := range span.Codes {
		shared[c.Code] = true
		if _, ok := worst[c.Code]; ok {
			t.Errorf("%s is no code of Elephant only", c.Code)
		}
	}
	for _, c := range repairCases {
		b := Block{}
		for _, p := range Problems(t, b.Tree(Bytes(t, c.data))) {
			if s, ok := worst[p.Code]; !ok && !shared[p.Code] || ok && p.Severity > s {
				t.Errorf("%s: %s", c.name, Found(&p))
			}
			if p.Message == "" || strings.HasSuffix(p.Message, ".") {
				t.Errorf("%s: %s: %q", c.name, Found(&p), p.Message)
			}
		}
	}
}
