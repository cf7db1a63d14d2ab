package decoder

import (
	"context"
	"path/filepath"
	"testing"

	"varview/decoder/diagnose"
	"varview/decoder/edit"
	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/elephant/gml"
	"varview/decoder/formats/godot"
)

// maxFuzzed is the size of the largest inputs that are checked, so that each is quick: bytes that make no
// sense take the longest.
const maxFuzzed = 200

// fuzzedKeys open the encrypted files among the real ones.
var fuzzedKeys = []string{"", "hunter2"}

// checkOptions say how a file is read: the requested dialect and framing, if any, and whether schemas are
// at hand.
func checkOptions(how uint16, libraries []format.Schemas) Options {
	o := Options{Thorough: Through, Passwords: fuzzedKeys, MaxUnpacked: 4096}
	if all := Dialects(); int(how&31) < len(all) {
		o.Dialect = all[how&31].Name
	}
	if o.isFramed() {
		o.Framing = []string{"", "raw", "stream", ""}[how>>5&3]
	}
	if how>>7&1 != 0 {
		o.Schemas = func() []format.Schemas { return libraries }
	}
	return o
}

// bigEndian is the bit of how with which Godot's values are also checked as if the lengths of their frames
// were big-endian.
const bigEndian = 1 << 8

// FuzzCheck: whatever the bytes and the requested reading, the fields tile every buffer, findings lie in
// their buffer, and the repairs that they promise can be made.
func FuzzCheck(f *testing.F) {
	const detected = 31
	i := uint16(0)
	for _, pattern := range []string{"testdata/*.bin", "../testdata/damaged/*.bin", "../testdata/handmade/*.bin", "../testdata/elephant/*.bin",
		"../testdata/elephant/*.txt", "../testdata/elephant/corrupt/*.bin", "../testdata/wrapped/*.b*"} {
		names, err := filepath.Glob(pattern)
		if err != nil || len(names) == 0 {
			f.Fatal("no files: ", pattern, err)
		}
		for _, name := range names {
			data := readFile(f, name)
			if i++; len(data) > maxFuzzed || i%3 == 0 {
				continue
			}
			f.Add(data, detected|i&2<<6)
			if i%16 == 1 {
				f.Add(data, i/16|bigEndian)
			}
		}
	}
	for _, m := range manglings {
		f.Add(m.do(readFile(f, "../testdata/godot4/packet-chat.bin")), uint16(detected))
		f.Add(m.do(readFile(f, "../testdata/wrapped/godot4-gcpf-zstd-small.bin")), uint16(detected))
	}
	library, err := gml.Load([]string{elephantFiles})
	if err != nil {
		f.Fatal(err)
	}
	libraries := []format.Schemas{library}
	f.Fuzz(func(t *testing.T, data []byte, how uint16) {
		if len(data) > maxFuzzed {
			return
		}
		d, err := Open(context.Background(), source.Bytes(data), checkOptions(how, libraries))
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		checkAll(t, d, how&bigEndian != 0)
	})
}

// checkAll checks every buffer of a document, and Godot's values perhaps as a big-endian stream too.
func checkAll(t *testing.T, d *Document, swapped bool) {
	known := map[string]bool{}
	for _, c := range Codes() {
		known[c.Code] = true
	}
	for _, b := range d.Buffers() {
		fieldsOf(t, b)
	}
	for _, l := range d.Layers {
		if err := l.Verify(context.Background(), nil); err != nil {
			t.Fatal(err)
		}
		err := l.Tree.Check(context.Background(), tree.CheckOptions{}, func(p span.Problem, _ *tree.Node) {
			checkFinding(t, l.Tree, &diagnose.Diagnosis{Problem: p}, known, true)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if d.Missing != nil {
		return
	}
	checkValues(t, d, d.Tree, known)
	if f, ok := d.Tree.Reading.(*godot.Format); ok && swapped {
		other := *f.Settings
		other.Framing, other.BigEndian = godot.Stream, true
		tr := tree.New(d.Tree.Source, godot.New(other), d.Tree.Region)
		fieldsOf(t, tr)
		checkValues(t, d, tr, known)
	}
}

// checkValues checks the problems that a reading reports. Those after a cause are found as if it were
// repaired, so that their own repairs have to wait.
func checkValues(t *testing.T, d *Document, tr *tree.Tree, known map[string]bool) {
	first := true
	err := d.Diagnose(context.Background(), tr, diagnose.Options{}, func(f diagnose.Diagnosis) bool {
		if f.Path == "" {
			t.Fatalf("no path: %+v", f.Problem)
		}
		checkFinding(t, tr, &f, known, first)
		for i := range f.Alternatives {
			checkFinding(t, tr, &f.Alternatives[i], known, first)
		}
		first = first && f.Splices == nil
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
}

// checkFinding checks a finding and, if nothing has to be repaired before it, its repair.
func checkFinding(t *testing.T, tr *tree.Tree, f *diagnose.Diagnosis, known map[string]bool, first bool) {
	size := tr.Source.Size()
	if f.Offset < 0 || f.Length < 0 || f.End() > size || f.Message == "" || !known[f.Code] {
		t.Fatalf("%s at %v of %d bytes: %q", f.Code, f.Span, size, f.Message)
	}
	for _, text := range []string{f.Message, f.Engine, f.Repair, f.Loss} {
		harmless(t, []byte(text))
	}
	if !first {
		return
	}
	repair, err := diagnose.Repair(context.Background(), tr.NewReader(), f)
	if (err == nil) != (f.Repair != "") {
		t.Fatalf("%s at %v: repair %q: %v", f.Code, f.Span, f.Repair, err)
	}
	if err != nil {
		return
	}
	checkSplices(t, tr, f, repair)
}

// checkSplices makes a repair: it changes bytes, and the result can be read. A wrapper would be opened
// again.
func checkSplices(t *testing.T, tr *tree.Tree, f *diagnose.Diagnosis, repair edit.Repair) {
	at := int64(0)
	for _, s := range repair.Splices {
		if s.Offset < at || s.Length < 0 || s.End() > tr.Source.Size() {
			t.Fatalf("%s at %v: splices %v of %d bytes", f.Code, f.Span, repair.Splices, tr.Source.Size())
		}
		at = s.End()
	}
	content := source.Whole(tr.Source)
	least, err := content.Minimal(repair.Splices)
	if err != nil || len(least) == 0 {
		t.Fatalf("%s at %v: %s: %v changes nothing: %v", f.Code, f.Span, f.Repair, repair.Splices, err)
	}
	if _, ok := tr.Reading.(edit.Editor); !ok {
		return
	}
	fieldsOf(t, tr.Reopen(content.Splice(repair.Splices), repair.Splices))
}

// isFramed reports whether a stream may be requested.
func (o *Options) isFramed() bool {
	_, d := families().ByDialect(o.Dialect)
	return d == nil || d.Framed
}
