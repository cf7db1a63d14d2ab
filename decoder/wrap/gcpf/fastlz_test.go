package gcpf

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/wrap/layer"
	"varview/decoder/wrap/wraptest"
)

// fastLZFiles are real files with blocks of FastLZ.
func fastLZFiles(t testing.TB) (files [][]byte) {
	names, err := filepath.Glob("../testdata/*fastlz*.bin")
	if err != nil || len(names) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, data)
	}
	return files
}

// TestFastLZReal: packing what the blocks of real files hold gives the same
// bytes as the engine.
func TestFastLZReal(t *testing.T) {
	blocks := 0
	for n, data := range fastLZFiles(t) {
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
				if got := packFastLZ(u.data); !bytes.Equal(got, data[at.Offset:at.End()]) {
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

// TestKept: no more than some unpacked blocks are kept.
func TestKept(t *testing.T) {
	p := newPayload(&file{}, 0)
	for i := range int64(3 * cacheBytes >> 16) {
		p.keep(&unpacked{index: i, data: make([]byte, 1<<16)})
	}
	if p.bytes != cacheBytes || p.order.Len() != len(p.kept) || p.order.Len() != cacheBytes>>16 {
		t.Errorf("%d bytes in %d blocks are kept", p.bytes, p.order.Len())
	}
}

// TestFastLZInstructions: each instruction of both levels, by the description of
// the format.
func TestFastLZInstructions(t *testing.T) {
	zeros := 9 + 32*255 + 20
	far := []byte{0x20 | 3, 'a', 'b', 'c', 0}
	far = append(append(append(far, 7<<5), bytes.Repeat([]byte{255}, 32)...), 20, 0) // zeros, from 1 byte back
	far = append(far, 1<<5|31, 255, 0, 1)                                            // 3 bytes from 8191+1+1 back
	wide := append([]byte("abc"), make([]byte, 1+zeros)...)
	wide = append(wide, wide[len(wide)-8193:][:3]...)
	for _, c := range []struct {
		name   string
		packed []byte
		want   []byte
		room   int
		err    error
	}{
		{"literal", []byte{2, 'a', 'b', 'c'}, []byte("abc"), 3, nil},
		{"short match", []byte{2, 'a', 'b', 'c', 1 << 5, 2}, []byte("abcabc"), 6, nil},
		{"run", []byte{0, 'a', 5 << 5, 0}, []byte("aaaaaaaa"), 8, nil},
		{"long match", []byte{0, 'a', 7 << 5, 3, 0}, []byte("aaaaaaaaaaaaa"), 13, nil},
		{"level 2", far, wide, len(wide), nil},
		{"a byte alone at the end", []byte{0, 'a', 1 << 5, 0, 7}, []byte("aaaa"), 4, nil},
		{"nothing", nil, nil, 10, layer.ErrEarly},
		{"level 3", []byte{2 << 5, 'a'}, nil, 10, layer.ErrDamaged},
		{"cut literal", []byte{5, 'a'}, nil, 10, layer.ErrEarly},
		{"cut match", []byte{0, 'a', 7 << 5, 1}, []byte("a"), 99, layer.ErrEarly},
		{"too far back", []byte{0, 'a', 1 << 5, 1}, []byte("a"), 99, layer.ErrDamaged},
		{"too many literals", []byte{2, 'a', 'b', 'c'}, nil, 2, layer.ErrTooMuch},
		{"too long a match", []byte{0, 'a', 1 << 5, 0}, []byte("a"), 3, layer.ErrTooMuch},
	} {
		got, err := unpackFastLZ(make([]byte, 0, c.room), c.packed)
		if !bytes.Equal(got, c.want) || !errors.Is(err, c.err) {
			t.Errorf("%s: %q, %v", c.name, got[:min(len(got), 20)], err)
		}
	}
}

func TestFastLZRoundTrip(t *testing.T) {
	for i, n := range []int{16, 17, 18, 29, 30, 31, 32, 33, 64, 300, 4095, 4096, 65535, 65536, 65537, 300_000} {
		for _, plain := range [][]byte{make([]byte, n), wraptest.Mixed(n, uint64(i)), bytes.Repeat([]byte("ab"), (n+1)/2)[:n]} {
			packed := packFastLZ(plain)
			if level := packed[0]>>5 + 1; (level == 2) != (n >= 65536) {
				t.Errorf("%d bytes: level %d", n, level)
			}
			if got, err := unpackFastLZ(make([]byte, 0, n), packed); err != nil || !bytes.Equal(got, plain) {
				t.Errorf("%d bytes come back as %d: %v", n, len(got), err)
			}
		}
	}
}

// TestFastLZSmall: fewer than 16 bytes are packed as 16, filled up with zeros.
// The empty block is the last one of gcpf-fastlz-exact-one-block.bin.
func TestFastLZSmall(t *testing.T) {
	data, err := os.ReadFile("../testdata/gcpf-fastlz-exact-one-block.bin")
	if err != nil {
		t.Fatal(err)
	}
	if got := packFastLZ(nil); !bytes.Equal(got, data[len(data)-14:len(data)-4]) {
		t.Errorf("%x", got)
	}
	if got := packFastLZ([]byte("abc")); !bytes.Equal(got, packFastLZ([]byte("abc\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"))) {
		t.Errorf("%x", got)
	}
}

// FuzzFastLZ: any bytes unpack to no more than there is room for, and packed
// bytes unpack to what they were.
func FuzzFastLZ(f *testing.F) {
	for _, data := range fastLZFiles(f) {
		f.Add(data[24:], uint16(4096))
		f.Add(data, uint16(16))
	}
	f.Add(append([]byte{0x20}, wraptest.Mixed(70_000, 7)...), uint16(60_000))
	f.Fuzz(func(t *testing.T, data []byte, room uint16) {
		dst := append(make([]byte, 0, int(room)+3), "abc"...)
		got, _ := unpackFastLZ(dst, data)
		if len(got) > cap(dst) || !bytes.HasPrefix(got, []byte("abc")) {
			t.Fatalf("%d bytes in room for %d", len(got), room)
		}
		if len(data) < fastLZLeast {
			return
		}
		back, err := unpackFastLZ(make([]byte, 0, len(data)), packFastLZ(data))
		if err != nil || !bytes.Equal(back, data) {
			t.Fatalf("%d bytes come back as %d: %v", len(data), len(back), err)
		}
	})
}
