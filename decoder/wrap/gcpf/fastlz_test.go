package gcpf

import (
	"bytes"
	"context"
	"os"
	"testing"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/wrap/fastlz"
	"varview/decoder/wrap/layer"
	"varview/decoder/wrap/wraptest"
)

// TestFastLZReal: packing the content of the blocks of real files gives the engine's bytes.
func TestFastLZReal(t *testing.T) {
	blocks := 0
	for n, data := range wraptest.Files(t, "../testdata/*fastlz*.bin") {
		l, err := layer.Open(context.Background(), Kind, source.Bytes(data), span.Between(0, int64(len(data))), layer.Options{MaxUnpacked: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		f := l.Reading.(*reading)
		for i := range f.Blocks {
			at, _, err := f.packed(i)
			if err != nil {
				t.Fatal(err)
			}
			err = l.Payload.(*payload).use(i, func(u *unpacked) error {
				if got := fastlz.Pack(u.data); !bytes.Equal(got, data[at.Offset:at.End()]) {
					t.Errorf("file %d: block %d is packed as %x", n, i, got)
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			blocks++
		}
	}
	if blocks < 15 {
		t.Errorf("only %d blocks", blocks)
	}
}

// TestKept: only a limited number of unpacked blocks is kept.
func TestKept(t *testing.T) {
	p := newPayload(&file{}, 0)
	for i := range int64(3 * cacheBytes >> 16) {
		p.keep(&unpacked{index: i, data: make([]byte, 1<<16)})
	}
	if p.bytes != cacheBytes || p.order.Len() != len(p.kept) || p.order.Len() != cacheBytes>>16 {
		t.Errorf("%d bytes in %d blocks are kept", p.bytes, p.order.Len())
	}
}

// TestFastLZSmall: fewer than 16 bytes are filled up with zeros and packed as 16. The empty block is the
// last one of gcpf-fastlz-exact-one-block.bin.
func TestFastLZSmall(t *testing.T) {
	data, err := os.ReadFile("../testdata/gcpf-fastlz-exact-one-block.bin")
	if err != nil {
		t.Fatal(err)
	}
	if got := fastlz.Pack(nil); !bytes.Equal(got, data[len(data)-14:len(data)-4]) {
		t.Errorf("%x", got)
	}
	if got := fastlz.Pack([]byte("abc")); !bytes.Equal(got, fastlz.Pack([]byte("abc\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"))) {
		t.Errorf("%x", got)
	}
}
