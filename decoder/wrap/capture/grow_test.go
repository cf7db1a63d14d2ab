package capture

import (
	"bytes"
	"context"
	"io"
	"os"
	"testing"
	"time"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/wrap/layer"
)

// TestGrowing: a capture that is opened again and again while it grows, cut anywhere, has the same messages as one that is
// opened as a whole, and what was opened before stays as it was.
func TestGrowing(t *testing.T) {
	data, err := os.ReadFile("../../../testdata/sessions/godot3-calls.pcapng")
	if err != nil {
		t.Fatal(err)
	}
	payload := func(n int, o layer.Options) []byte {
		src := source.Bytes(data[:n])
		o.MaxUnpacked = 1 << 30
		l, err := layer.Open(context.Background(), Kind, src, span.Between(0, src.Size()), o)
		if err != nil {
			t.Fatalf("%d bytes: %v", n, err)
		}
		defer l.Close()
		b, err := io.ReadAll(io.NewSectionReader(l.Payload, 0, l.Payload.Size()))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	o := layer.Options{Growing: &layer.Growing{}}
	defer o.Growing.Close()
	for n := 60; n < len(data); n += 601 {
		payload(n, o)
	}
	payload(len(data), o)
	time.Sleep(mostHeld) // until it is decided what the flow carries
	if got, want := payload(len(data), o), payload(len(data), layer.Options{}); !bytes.Equal(got, want) {
		t.Errorf("%d bytes of messages, not %d", len(got), len(want))
	}
}
