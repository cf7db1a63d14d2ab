package savegame

import (
	"bytes"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// Unpacks by the specification: header, lengths, blocks, magic.
func TestGCPFHoldsTheMixed(t *testing.T) {
	z, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int64{0, 1 << 10, 3 << 20} {
		b := bytesOf(t, Plan{GCPF, Godot4, size, 7})
		want := bytesOf(t, Plan{Mixed, Godot4, size, 7})
		if head := string(b[:12]); head != "GCPF\x02\x00\x00\x00\x00\x10\x00\x00" || int(uint32At(b, 12)) != len(want) {
			t.Fatalf("%d: header %x", size, b[:16])
		}
		blocks := len(want)/4096 + 1
		var plain []byte
		at := 16 + 4*blocks
		for i := range blocks {
			n := int(uint32At(b, 16+4*i))
			before := len(plain)
			if plain, err = z.DecodeAll(b[at:at+n], plain); err != nil {
				t.Fatalf("%d: block %d: %v", size, i, err)
			}
			if got := len(plain) - before; got != 4096 && i < blocks-1 {
				t.Errorf("%d: block %d holds %d bytes", size, i, got)
			}
			at += n
		}
		if !bytes.Equal(plain, want) {
			t.Errorf("%d: the blocks hold another stream", size)
		}
		if got := string(b[at:]); got != "GCPF" {
			t.Errorf("%d: %q after the blocks", size, got)
		}
	}
}

// The engines' own files have in common: no checksum, the size at the start, and an
// empty last block.
func TestFramesAreAsGodotsAre(t *testing.T) {
	var out buffer
	p, err := newPacker(&out)
	if err != nil {
		t.Fatal(err)
	}
	p.out = make([]byte, gcpfHeader+8)
	if _, err := p.Write(make([]byte, gcpfBlock)); err != nil {
		t.Fatal(err)
	}
	if len(p.lengths) != 4 || len(p.plain) != 0 {
		t.Fatalf("%d lengths, %d bytes left of one full block", len(p.lengths)/4, len(p.plain))
	}
	// Magic, then a descriptor with a single segment, a size in 2 bytes, and no checksum.
	if head := p.out[gcpfHeader+8:][:5]; !bytes.Equal(head, []byte{0x28, 0xb5, 0x2f, 0xfd, 0x60}) {
		t.Errorf("a frame begins with %x", head)
	}
	if err := p.finish(); err != nil {
		t.Fatal(err)
	}
	if tail := out.b[len(out.b)-13:]; string(tail) != "\x28\xb5\x2f\xfd\x20\x00\x01\x00\x00GCPF" {
		t.Errorf("the file ends in %x", tail)
	}
}

// A buffer is a target in memory.
type buffer struct{ b []byte }

func (b *buffer) Write(p []byte) (int, error) {
	b.b = append(b.b, p...)
	return len(p), nil
}

func (b *buffer) WriteAt(p []byte, off int64) (int, error) {
	return copy(b.b[off:], p), nil
}
