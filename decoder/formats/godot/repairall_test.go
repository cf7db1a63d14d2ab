package godot_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot"
)

// A found is a problem with the value that it was reported for.
type found struct {
	span.Problem
	at *tree.Node
}

// findAll returns all problems of a tree.
func findAll(t testing.TB, tr *tree.Tree) []found {
	var all []found
	s := tr.Scanner()
	s.Report = func(p span.Problem) { all = append(all, found{p, s.Subject()}) }
	if err := s.Run(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	return all
}

func countCodes(all []found) map[string]int {
	codes := map[string]int{}
	for i := range all {
		codes[all[i].Code]++
	}
	return codes
}

// bytesAfter returns the bytes after an edit, whose splices must be in order.
func bytesAfter(t testing.TB, data []byte, splices []source.Splice) []byte {
	t.Helper()
	at := int64(0)
	for _, s := range splices {
		if s.Offset < at || s.Length < 0 || s.End() > int64(len(data)) {
			t.Fatalf("% x: splices overlap or leave the buffer: %v", data, splices)
		}
		at = s.End()
	}
	whole := source.Whole(source.Bytes(data)).Splice(splices)
	b := make([]byte, whole.Size())
	if _, err := whole.ReadAt(b, 0); err != nil && len(b) > 0 {
		t.Fatal(err)
	}
	return b
}

// tiles reports whether the fields cover the bytes.
func tiles(t testing.TB, tr *tree.Tree) bool {
	at, ok := int64(0), true
	err := tr.EachField(context.Background(), func(f tree.OwnedField) error {
		ok = ok && f.Offset == at && f.Length > 0
		at = f.End()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return ok && at == tr.Source.Size()
}

// repairAll makes every repair of every problem of a buffer. A problem describes its repair if and only if
// the repair can be made, and then fewer such problems remain.
func repairAll(t testing.TB, f *godot.Format, data []byte) {
	t.Helper()
	tr := TreeOf(f, data)
	all := findAll(t, tr)
	codes := countCodes(all)
	for i := range all[:min(len(all), 40)] {
		p := &all[i]
		r := tr.NewReader()
		owner, err := r.At(p.Offset)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []*tree.Node{p.at, owner} {
			if n == p.at && n.Depth > 0 && n.Tail == tree.Unknown {
				n, _ = r.Finish(n)
			}
			repair, err := f.Repair(context.Background(), r, n, &p.Problem)
			switch {
			case p.Repair == "" && err == nil:
				t.Errorf("%s %s of % x: repaired without saying so: %v", f.Dialect.Name, f.Framing, data, p.Problem)
				continue
			case p.Repair == "":
				continue
			case err != nil || len(repair.Splices) == 0:
				t.Errorf("%s %s of % x: %s %v: %v %v", f.Dialect.Name, f.Framing, data, p.Code, p.Problem, repair.Splices, err)
				continue
			}
			after := bytesAfter(t, data, repair.Splices)
			mended := TreeOf(f, after)
			if n := countCodes(findAll(t, mended))[p.Code]; n >= codes[p.Code] {
				t.Errorf("%s %s of % x: %v: % x has %d such problems, not less than %d", f.Dialect.Name, f.Framing, data, p.Problem, after, n, codes[p.Code])
			}
			if !tiles(t, mended) {
				t.Errorf("%s %s of % x: %v: the fields of % x do not cover it", f.Dialect.Name, f.Framing, data, p.Problem, after)
			}
		}
	}
}

// TestRepairAll: every problem of the damaged files, and of small sound files that
// are damaged here.
func TestRepairAll(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, file := range Files(t) {
		if len(file.Data) > 3000 {
			continue
		}
		repairAll(t, file.Format, file.Data)
		for range min(12, len(file.Data)) {
			repairAll(t, file.Format, Mutated(r, file.Data))
		}
		if t.Failed() {
			t.Fatal(file.Name)
		}
	}
}

// FuzzRepair: in any bytes every repair that is described can be made.
func FuzzRepair(f *testing.F) { fuzzFiles(f, repairAll) }
