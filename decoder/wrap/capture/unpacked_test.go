package capture

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/wrap/layer"
)

// TestUnpackLimit: no more is unpacked to a temporary file than is allowed.
func TestUnpackLimit(t *testing.T) {
	var zipped, zstandard bytes.Buffer
	g := gzip.NewWriter(&zipped)
	z, err := zstd.NewWriter(&zstandard)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range []io.WriteCloser{g, z} {
		if _, err := w.Write(make([]byte, 20<<20)); err != nil || w.Close() != nil {
			t.Fatal(err)
		}
	}
	for name, b := range map[string][]byte{"gzip": zipped.Bytes(), "zstd": zstandard.Bytes()} {
		for limit, want := range map[int64]error{20<<20 - 1: errTooMuch, 20 << 20: nil} {
			w := &layer.Rewrapping{Ctx: context.Background(), Source: source.Bytes(b), Region: span.Span{Length: int64(len(b))}}
			f := &rewriter{w: w, out: io.Discard}
			end, err := f.unpack(limit)
			if !errors.Is(err, want) {
				t.Errorf("%s up to %d: %v", name, limit, err)
			}
			if err == nil {
				end()
			}
		}
	}
}
