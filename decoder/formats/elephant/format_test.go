package elephant_test

import (
	"testing"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/elephant"
	"varview/decoder/formats/elephant/internal/block"
)

// TestReadingsOfOneFormat: what one reading has learnt of its block does not affect another.
func TestReadingsOfOneFormat(t *testing.T) {
	rules, _ := block.ByName("1.5.1")
	f := elephant.New(rules, nil)
	for _, name := range []string{"A", "B", "C"} {
		src := source.Bytes(Bytes(t, Head151+"ce feff 0000 '"+name+" 80 0000"+Foot))
		region := span.Between(0, src.Size())
		tr := tree.New(src, f.Open(src, region), region)
		root, err := tr.NewReader().Resolve("$")
		if err != nil {
			t.Fatal(err)
		}
		if got := string(tr.AppendType(nil, source.NewWindow(src), &root.Value)); got != name {
			t.Errorf("%s is read as %s", name, got)
		}
	}
}
