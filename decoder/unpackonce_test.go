package decoder

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"sync/atomic"
	"testing"

	"varview/decoder/engine/source"
)

// wholeReads counts how often all of a source is read at once.
type wholeReads struct {
	source.Source
	n atomic.Int64
}

func (w *wholeReads) ReadAt(b []byte, off int64) (int, error) {
	if off == 0 && int64(len(b)) == w.Size() {
		w.n.Add(1)
	}
	return w.Source.ReadAt(b, off)
}

// TestUnpackedOnce: what a recipe gives when it is tried is not unpacked again for the document.
func TestUnpackedOnce(t *testing.T) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	w.Write([]byte(`[1`))
	for i := range 60_000 { // so that its beginning, which is looked at for other reasons, is not all
		fmt.Fprintf(w, `,{"id":%d}`, i*i*7919%1_000_003)
	}
	w.Write([]byte(`]`))
	w.Close()
	src := &wholeReads{Source: source.Bytes(packed.String())}
	r, err := FindRecipe(t.Context(), src, "save.json.gz", nil, true)
	if err != nil || r == nil {
		t.Fatal(r, err)
	}
	d, err := Open(t.Context(), src, Options{Recipe: r})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if d.Dialect != "json" || src.n.Load() != 1 {
		t.Errorf("%s, read %d times", d.Dialect, src.n.Load())
	}
	again, err := Open(t.Context(), src, Options{Recipe: r})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if again.Layers[0].Layer == d.Layers[0].Layer {
		t.Error("two documents have one layer, which each closes")
	}
}
