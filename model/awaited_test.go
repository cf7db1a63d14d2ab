package model

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"varview/decoder/diagnose"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/model/problems"
)

// What was found stays in view, where its bytes have moved to, until the diagnosis
// after an edit is through. What the edit has put right is gone at once, and what it
// has done wrong is there.
func TestAwaited(t *testing.T) {
	// An array of a string, a bool, a string whose length is 4 too small, and 20 dictionaries.
	data := []byte("\x1c\x00\x00\x00\x17\x00\x00\x00" +
		"\x04\x00\x00\x00\x04\x00\x00\x00Mira" +
		"\x01\x00\x00\x00\x02\x00\x00\x00" +
		"\x04\x00\x00\x00\x04\x00\x00\x00deepwood" +
		strings.Repeat("\x1b\x00\x00\x00\x01\x00\x00\x00\x04\x00\x00\x00\x02\x00\x00\x00hp\x00\x00\x02\x00\x00\x00\x07\x00\x00\x00", 20))
	d := open(t, data, "raw")
	b := d.Innermost()
	must(t, b.Index(context.Background()))
	found := func(findings ...diagnose.Diagnosis) { // as Diagnose does
		var x problems.List
		for _, f := range findings {
			x.AddDiagnosis(f)
		}
		b.now.Load().found.Store(&x)
	}
	edit := func(do func(*Transaction) error) {
		t.Helper()
		tr, err := d.Begin(b)
		must(t, err)
		must(t, do(tr))
		_, err = tr.Commit(context.Background(), "edit", Cursor{}, Cursor{})
		must(t, err)
		must(t, b.Index(context.Background()))
	}
	check := func(when string, awaits bool, want ...string) {
		t.Helper()
		list, _ := b.Problems()
		var got []string
		for _, f := range list {
			got = append(got, fmt.Sprintf("%d %s", f.Offset, f.Code))
		}
		if !slices.Equal(got, want) || b.awaitsDiagnosis() != awaits {
			t.Errorf("%s: %q, awaits %v, want %q, %v", when, got, b.awaitsDiagnosis(), want, awaits)
		}
	}
	isBool := span.Problem{Span: span.Between(24, 28), Code: span.BoolValue}
	isLength := span.Problem{Span: span.Between(32, 36), Code: span.WrongLength}
	found(diagnose.Diagnosis{Problem: isBool, Path: "$[1]"}, diagnose.Diagnosis{Problem: isLength, Path: "$[2]", Splices: []source.Splice{source.Put(32, 1, []byte{8})}})
	check("at first", false, "24 bool-value", "32 wrong-length")
	edit(func(tr *Transaction) error { return tr.Bytes(12, 8, []byte("\x08\x00\x00\x00MiraMira")) })
	check("moved", true, "28 bool-value", "36 wrong-length")
	edit(func(tr *Transaction) error { return tr.Bytes(28, 1, []byte{1}) })
	check("repaired by hand", true, "36 wrong-length")
	edit(func(tr *Transaction) error { return tr.Bytes(28, 1, []byte{7}) })
	check("broken", true, "28 bool-value", "36 wrong-length")
	list, _ := b.Problems()
	edit(func(tr *Transaction) error {
		_, err := tr.Repair(context.Background(), list[1])
		return err
	})
	check("the cause repaired", true, "28 bool-value")
	edit(func(tr *Transaction) error { return tr.Bytes(20, 0, []byte{7}) })
	list, _ = b.Problems()
	for _, f := range list { // what follows is read as other values
		if f.Offset == 29 && f.Code == span.BoolValue {
			t.Errorf("after a byte was inserted before it, %s is still listed at %d", f.Code, f.Offset)
		}
	}
	if !b.awaitsDiagnosis() {
		t.Error("after a byte was inserted: nothing is awaited")
	}
}
