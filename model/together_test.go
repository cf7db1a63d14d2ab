package model

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"varview/decoder"
	"varview/decoder/diagnose"
	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// What is behind a cause that is not repaired waits, and so does what is behind the
// last one, but for the other frames of a stream.
func TestTogether(t *testing.T) {
	cause := []source.Splice{source.Put(0, 1, []byte{1})}
	found := func(path string, splices []source.Splice) diagnose.Diagnosis {
		return diagnose.Diagnosis{Problem: span.Problem{Repair: "make it right"}, Path: path, Splices: splices}
	}
	list := []diagnose.Diagnosis{
		found("$[0].a", nil),
		found("$[0].b", cause),
		found("$[0].c", nil),
		found("$[1]", nil),
		found("$[2][0]", nil),
		found("$[2][1]", cause),
		found("$[2][2]", nil),
		found("$[20]", nil),
		{Path: "$[21]"}, // nothing puts it right
	}
	many := slices.Repeat([]diagnose.Diagnosis{found("$[0]", cause)}, manyCauses)
	many = append(many, found("$[1]", nil))
	for _, test := range []struct {
		framing string
		list    []diagnose.Diagnosis
		not     string
		want    []string
	}{
		{"stream", list, "", []string{"$[0].a", "$[0].b", "$[0].c", "$[1]", "$[2][0]", "$[2][1]", "$[20]"}},
		{"stream", list, "$[0].b", []string{"$[0].a", "$[1]", "$[2][0]", "$[2][1]", "$[20]"}},
		{"raw", list, "", []string{"$[0].a", "$[0].b", "$[0].c", "$[1]", "$[2][0]", "$[2][1]"}},
		{"raw", list, "$[0].b", []string{"$[0].a"}},
		{"stream", many, "", slices.Repeat([]string{"$[0]"}, manyCauses)},
	} {
		b := open(t, nil, test.framing).Innermost()
		var got []string
		for _, f := range b.Together(test.list, func(f *diagnose.Diagnosis) bool { return f.Path != test.not }) {
			got = append(got, f.Path)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s but %q: %q, want %q", test.framing, test.not, got, test.want)
		}
	}
}

// Repairs that do not touch one another are one edit. Of causes that do, the second
// waits; what was found as if the first were repaired is repaired where it is then.
func TestRepairAll(t *testing.T) {
	// An array of three bools, the last two of them 2. The one before begins with 4
	// bytes that do not belong there.
	data := []byte("\x1c\x00\x00\x00\x03\x00\x00\x00" + "\x01\x00\x00\x00\x01\x00\x00\x00" +
		"\xff\xff\xff\xff" + "\x01\x00\x00\x00\x02\x00\x00\x00" + "\x01\x00\x00\x00\x02\x00\x00\x00")
	want := []byte("\x1c\x00\x00\x00\x03\x00\x00\x00" + "\x01\x00\x00\x00\x01\x00\x00\x00" +
		"\x01\x00\x00\x00\x01\x00\x00\x00" + "\x01\x00\x00\x00\x01\x00\x00\x00")
	isBool := func(at int64) *diagnose.Diagnosis {
		return &diagnose.Diagnosis{Path: "$", Problem: span.Problem{Code: span.BoolValue, Severity: span.Warning, Repair: "make it 1", Span: span.Between(at, at+4)}}
	}
	list := []*diagnose.Diagnosis{
		{Path: "$", Problem: span.Problem{Span: span.Between(16, 20), Repair: "take it out"}, Splices: []source.Splice{source.Put(16, 4, nil)}},
		isBool(24),
		isBool(32),
		{Path: "$", Problem: span.Problem{Span: span.Between(18, 20), Repair: "take it out"}, Splices: []source.Splice{source.Put(18, 2, nil)}},
		isBool(28),
	}
	d := open(t, data, "raw")
	tr, err := d.Begin(d.Innermost())
	if err != nil {
		t.Fatal(err)
	}
	var taken []int64
	err = tr.RepairAll(t.Context(), list, func(f *diagnose.Diagnosis, _ edit.Repair, err error) bool {
		if err != nil {
			t.Errorf("%#x: %v", f.Offset, err)
		}
		taken = append(taken, f.Offset)
		return err == nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := []int64{16, 32, 24}; !slices.Equal(taken, want) {
		t.Errorf("repaired at %d, want %d", taken, want)
	}
	if len(tr.Splices()) != 2 {
		t.Errorf("%d edits, want 2", len(tr.Splices()))
	}
	if got, err := readAll(tr.now.content); err != nil || !bytes.Equal(got, want) {
		t.Errorf("% x, want % x (%v)", got, want, err)
	}
}

// A counting reading counts the values that are read.
type counting struct {
	tree.Reading
	edit.Repairer
	read *int
}

func (c counting) Read(w *source.Window, parent *tree.Value, slot tree.Slot, off int64, v *tree.Value) {
	*c.read++
	c.Reading.Read(w, parent, slot, off, v)
}

// TestRepairAllDeep: repairs and paths in values that are nested twice as deep take twice as many values.
func TestRepairAllDeep(t *testing.T) {
	var reads, ofPaths []int
	key := "\x04\x00\x00\x00\x00\x01\x00\x00" + strings.Repeat("k", 256)
	one := []byte("\x1b\x00\x00\x00\x02\x00\x00\x00" + key + "\x00\x00\x00\x00" + key) // {"kk…": null, "kk…": …}
	for _, deep := range []int{300, 600} {
		d := open(t, append(bytes.Repeat(one, deep), 0, 0, 0, 0), "raw")
		b := d.Innermost()
		buildIndex(t, d)
		tr, err := d.Begin(b)
		if err != nil {
			t.Fatal(err)
		}
		var list []*diagnose.Diagnosis
		var nodes []*tree.Node
		err = tr.read.Tree.Check(t.Context(), tree.CheckOptions{}, func(p span.Problem, n *tree.Node) {
			if p.Code == span.RepeatedKey {
				list, nodes = append(list, &diagnose.Diagnosis{Problem: p}), append(nodes, n)
			}
		})
		if err != nil || len(list) != deep {
			t.Fatalf("%d problems, not %d (%v)", len(list), deep, err)
		}
		of, read := tr.read.Tree, 0
		of.Reading = counting{of.Reading, of.Reading.(edit.Repairer), &read}
		for paths, i := of.NewReader(), 0; i < deep; i++ {
			path := paths.NextPath(nodes[i])
			before := read
			if i%100 == 99 && path != tree.CutPath(of.NewReader().Path(nodes[i])) {
				t.Errorf("the path of %#x is %q", nodes[i].Start, path)
			}
			read = before
		}
		ofPaths = append(ofPaths, read)
		read = 0
		asked := 0
		err = tr.RepairAll(t.Context(), list, func(f *diagnose.Diagnosis, r edit.Repair, err error) bool {
			if err != nil || len(r.Splices) == 0 {
				t.Errorf("%#x: %v (%v)", f.Offset, r.Splices, err)
			}
			asked++
			return false
		})
		if err != nil || asked != deep {
			t.Errorf("asked about %d repairs of %d (%v)", asked, deep, err)
		}
		reads = append(reads, read)
	}
	if ofPaths[0] == 0 || float64(ofPaths[1]) > 2.6*float64(ofPaths[0]) {
		t.Errorf("%d values read for paths", ofPaths)
	}
	if reads[0] == 0 || float64(reads[1]) > 2.6*float64(reads[0]) {
		t.Errorf("%d values read", reads)
	}
}

// TestRepairRows: all offsets of a dump are repaired in one edit, however many they are.
func TestRepairRows(t *testing.T) {
	const rows = 600
	var damaged, right []byte
	for i := range rows {
		offset := 16 * i
		right = fmt.Appendf(right, "%08x: 0400 0000 0500 0000 6865 6c6c 6f00 0000  ........hello...\n", offset)
		damaged = fmt.Appendf(damaged, "%08x: 0400 0000 0500 0000 6865 6c6c 6f00 0000  ........hello...\n", 0)
	}
	d := openFile(t, write(t, damaged), decoder.Options{Thorough: decoder.Through})
	tr, err := d.Begin(d.Buffers[0])
	if err != nil {
		t.Fatal(err)
	}
	var list []*diagnose.Diagnosis
	err = tr.Problems(t.Context(), new(Progress), func(f diagnose.Diagnosis) bool {
		list = append(list, &f)
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	taken := 0
	err = tr.RepairAll(t.Context(), list, func(f *diagnose.Diagnosis, _ edit.Repair, err error) bool {
		taken++
		return err == nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if taken != rows-1 || len(tr.Splices()) != 1 {
		t.Errorf("%d rows repaired in %d edits, want %d in one", taken, len(tr.Splices()), rows-1)
	}
	if got, err := readAll(tr.now.content); err != nil || !bytes.Equal(got, right) {
		t.Errorf("%.200q, want %.200q (%v)", got, right, err)
	}
}
