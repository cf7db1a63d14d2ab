package compare

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"varview/decoder"
	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
)

// TestLearntAlike: values of a reading that learns names need not be read where their bytes are equal, if both have learnt the same and
// nothing refers to values by their numbers.
func TestLearntAlike(t *testing.T) {
	const n = 4000
	open := func(refers bool, added, changed int) *tree.Tree {
		var records []string
		for k := range n {
			x := k
			if k == changed {
				x = -1
			}
			record := fmt.Sprintf(`{"type":"struct","id":%d,"constructor":null,"schema_version":null,"verbose":true,"value":[["x",{"type":"s32","value":%d}],["name",{"type":"string","value":"an item"}]]}`, k+1, x)
			if records = append(records, record); k == added {
				records = append(records, strings.Replace(record, "an item", "another", 1))
			}
		}
		if refers {
			records = append(records, `{"type":"ref","kind":"struct","ref":3}`)
		}
		text := `{"type":"array","elephant":{"version":"1.5.1","header":"PELE","footer":true,"tags":204},"id":0,"elem":"any","value":[` + strings.Join(records, ",") + "]}"
		var b bytes.Buffer
		if err := decoder.Import(t.Context(), strings.NewReader(text), &b, decoder.ImportOptions{}); err != nil {
			t.Fatal(err)
		}
		d, err := decoder.Open(t.Context(), source.Bytes(b.Bytes()), decoder.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Tree.BuildIndexAndGaps(t.Context()); err != nil {
			t.Fatal(err)
		}
		return d.Tree
	}
	for _, refers := range []bool{false, true} {
		a, b := open(refers, -1, -1), open(refers, 700, 2000)
		counted := &countingLearner{Learner: a.Reading.(tree.Learner)}
		a.Reading = counted
		var all [2][]string
		var reads [2]int
		for i, alike := range []bool{true, false} {
			counted.reads = 0
			changes, err := All(t.Context(), a, b, Options{Alike: alike, SameDialect: true})
			if err != nil {
				t.Fatal(err)
			}
			reads[i] = counted.reads
			for _, x := range changes {
				all[i] = append(all[i], fmt.Sprint(x.Kind, " ", x.Path))
			}
		}
		if len(all[0]) != 2 || fmt.Sprint(all[0]) != fmt.Sprint(all[1]) {
			t.Errorf("changes %s, and %s if all is read", all[0], all[1])
		}
		if !refers && reads[0] > reads[1]/4 {
			t.Errorf("%d values of %d were read to find 2 changes", reads[0], reads[1])
		}
	}
}

// A countingLearner counts the values that are read.
type countingLearner struct {
	tree.Learner
	reads int
}

func (c *countingLearner) Read(w *source.Window, parent *tree.Value, slot tree.Slot, off int64, v *tree.Value) {
	c.reads++
	c.Learner.Read(w, parent, slot, off, v)
}
