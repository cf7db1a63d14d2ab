package records

import (
	"os"
	"reflect"
	"testing"

	"varview/decoder"
	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
)

// A counter counts the records that are read.
type counter struct {
	format.Lister
	read int
}

func (c *counter) Record(w *source.Window, v *tree.Value) (format.Record, func()) {
	c.read++
	return c.Lister.Record(w, v)
}

// TestSearchGoesOn: when a list has grown, a search looks only at what is new, and finds what one of the whole list finds.
func TestSearchGoesOn(t *testing.T) {
	data, err := os.ReadFile("../../testdata/sessions/godot3-calls.pcapng")
	if err != nil {
		t.Fatal(err)
	}
	list := func(n int) *List {
		d, err := decoder.Open(t.Context(), source.Bytes(data[:n]), decoder.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { d.Close() })
		all := d.Buffers()
		return Of(all[len(all)-1])
	}
	passed := func(int64, int64) {}
	for _, query := range []string{"", "kind:rpc"} {
		s := &Search{Query: query}
		first, err := s.Look(t.Context(), list(len(data)/2), passed)
		if err != nil {
			t.Fatal(err)
		}
		before, rows := first.Stats.Records, first.Len()
		whole := list(len(data))
		c := &counter{Lister: whole.lister}
		whole.lister = c
		v, err := s.Look(t.Context(), whole, passed)
		if err != nil {
			t.Fatal(err)
		}
		if want := int(whole.Count() - first.all); c.read != want || first.all == 0 || want == 0 {
			t.Errorf("%q: %d records were read, not %d", query, c.read, want)
		}
		if first.Stats.Records != before || first.Len() != rows {
			t.Errorf("%q: the first view has changed", query)
		}
		all, err := (&Search{Query: query}).Look(t.Context(), whole, passed)
		if err != nil || v.Len() != all.Len() || !reflect.DeepEqual(v.rows, all.rows) || !reflect.DeepEqual(v.Stats, all.Stats) {
			t.Errorf("%q: %+v, not %+v (%v)", query, v.Stats, all.Stats, err)
		}
	}
}
