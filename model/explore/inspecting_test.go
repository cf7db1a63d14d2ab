package explore

import (
	"context"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"varview/decoder/engine/tree"
	"varview/model"
	"varview/model/inspect"
)

// The number that a value is read as has the value's own bytes, and reads like its
// literal.
func TestNumbersAreThoseOfTheBytes(t *testing.T) {
	files, _ := filepath.Glob(repoFile("*/*"))
	numbers := 0
	for i, name := range files {
		if i%8 > 0 || strings.Contains(name, "truth") || strings.Contains(name, "gdec") || strings.Contains(name, "encrypted") {
			continue
		}
		d, err := model.Open(context.Background(), name, model.Options{})
		if err != nil || d.Missing != nil {
			continue
		}
		x := New(d.Innermost())
		s := x.read.Scan(x.Base())
		s.Elements = true
		for ev := s.Next(); ev != tree.Done; ev = s.Next() {
			l := x.read.Look(s.Value())
			if ev != tree.Atom || l.Form != tree.FormNumber {
				continue
			}
			k, n := inspect.OfNumber(l.Number), l.Number
			if n.At.Offset < s.Value().Start || n.At.End() > s.Value().End {
				t.Fatalf("%s: %v is not in %v", name, n.At, s.Value().Span())
			}
			if k == nil || k.Name == "bool" && n.At.Length > 1 {
				continue
			}
			b := make([]byte, n.At.Length)
			x.Buffer.Tree().Source.ReadAt(b, n.At.Offset)
			literal := string(x.read.AppendLiteral(nil, s.Value(), 100))
			if _, inner, ok := strings.Cut(strings.TrimSuffix(literal, ")"), "("); ok { // u8(7)
				literal = inner
			}
			want, err := strconv.ParseFloat(literal, 64)
			got, _ := strconv.ParseFloat(k.Text(b, n.Big), 64)
			isSame := got == want || got != got && want != want || n.IsFloat() && float32(got) == float32(want)
			if err == nil && (!isSame || n.Float() != want && want == want && float32(n.Float()) != float32(want)) {
				t.Errorf("%s at %#x: % x is %s as %s, but the value is %s (%v)", name, n.At.Offset, b, k.Text(b, n.Big), k.Name, literal, n.Float())
			}
			numbers++
		}
		d.Close()
	}
	if numbers < 1000 {
		t.Errorf("%d numbers found", numbers)
	}
}
