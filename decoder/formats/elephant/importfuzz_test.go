package elephant_test

import (
	"bytes"
	"context"
	"testing"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/formats/elephant"
)

// FuzzImport imports anything. If that succeeds, the block has the same typed form.
func FuzzImport(f *testing.F) {
	for _, b := range RealBlocks(f) {
		f.Add(typed(f, &b))
	}
	f.Fuzz(func(t *testing.T, form []byte) {
		var out bytes.Buffer
		if elephant.Import(context.Background(), bytes.NewReader(form), &out, nil, nil) != nil {
			return
		}
		b := Block{Data: out.Bytes()}
		h, _ := elephant.Sniff(source.Bytes(b.Data), span.Between(0, int64(out.Len())))
		if h.Footed != h.AtEnd { // a footer that does not fit the header is damage
			return
		}
		again := typed(t, &b)
		if bytes.Contains(again, []byte(`"damaged"`)) { // it cannot be read without its schemas, or the form says so
			return
		}
		var second bytes.Buffer
		if err := elephant.Import(context.Background(), bytes.NewReader(again), &second, nil, nil); err != nil || !bytes.Equal(second.Bytes(), b.Data) {
			t.Fatalf("%s\n%x is read as\n%s\n%x %v", form, b.Data, again, second.Bytes(), err)
		}
	})
}
