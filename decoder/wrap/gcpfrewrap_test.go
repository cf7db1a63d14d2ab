package wrap

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"varview/decoder/engine/source"
)

// packedBlocks returns the blocks of a GCPF by its table.
func packedBlocks(t testing.TB, data []byte) (blocks [][]byte, rest []byte) {
	size, plain := binary.LittleEndian.Uint32(data[8:]), binary.LittleEndian.Uint32(data[12:])
	n := int(plain/size) + 1
	rest = data[16+4*n:]
	for i := range n {
		length := int(binary.LittleEndian.Uint32(data[16+4*i:]))
		if length > len(rest) {
			t.Fatalf("block %d is too long", i)
		}
		blocks = append(blocks, rest[:length])
		rest = rest[length:]
	}
	return blocks, rest
}

// checkGCPF checks that the header fits plain with the mode and block size of data, that unchanged blocks
// are copied, and that new ones are as the engine writes them.
func checkGCPF(t testing.TB, got, data, plain []byte, same []Run) {
	if string(got[:12]) != string(data[:12]) || binary.LittleEndian.Uint32(got[12:]) != uint32(len(plain)) {
		t.Fatalf("header %x", got[:16])
	}
	blocks, rest := packedBlocks(t, got)
	if string(rest) != "GCPF" {
		t.Fatalf("the end is %q", rest)
	}
	old, _ := packedBlocks(t, data)
	size, before := int(binary.LittleEndian.Uint32(data[8:])), int(binary.LittleEndian.Uint32(data[12:]))
	kept := int(same[0].Length)
	for i := range min(len(blocks), len(old)) {
		end := min(len(plain), (i+1)*size)
		if end == min(before, (i+1)*size) && end <= kept && !bytes.Equal(blocks[i], old[i]) {
			t.Errorf("block %d has changed", i)
		}
	}
	starts := [5]string{"", "\x78\x9c", "\x28\xb5\x2f\xfd", "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03", ""}
	empty := [5]string{"\x01\x00\x00\xe0\x02\x01\x02\x00\x00\x00", "\x78\x9c\x03\x00\x00\x00\x00\x01", "\x28\xb5\x2f\xfd\x20\x00\x01\x00\x00",
		"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00", ";"}
	mode := data[4]
	for i, b := range blocks {
		if !strings.HasPrefix(string(b), starts[mode]) {
			t.Errorf("block %d begins with %x", i, b[:min(10, len(b))])
		}
	}
	if last := blocks[len(blocks)-1]; len(plain)%size == 0 && string(last) != empty[mode] {
		t.Errorf("the empty block is %x", last)
	}
}

// TestRewrapBlocks: a damaged block stays if nothing in it changes, even if it moves by whole blocks; a
// change in it is refused.
func TestRewrapBlocks(t *testing.T) {
	plain := mixed(1000, 3)
	data := gcpfOf(plain, 256, 4)
	blocks, _ := packedBlocks(t, data)
	at := bytes.Index(data, blocks[1])
	data = put(data, at+2, 0xff, 0xff)
	bad := bytes.Clone(data[at : at+len(blocks[1])])
	l := open(t, GCPF, data, Options{MaxUnpacked: 1 << 20})
	for _, c := range []struct {
		name      string
		plain     source.Source
		same      []Run
		bad, want int
	}{
		{"last block changed", holes256(plain, 256), []Run{run(0, 0, 900)}, 1, 3},
		{"a block before", holes256(append(mixed(256, 1), plain...), 512), []Run{run(256, 0, 1000)}, 2, 4},
		{"two runs that adjoin", holes256(plain, 256), []Run{run(0, 0, 300), run(300, 300, 650)}, 1, 3},
	} {
		var out memory
		if _, err := l.Rewrap(context.Background(), c.plain, c.same, &out, 0, nil); err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		got, _ := packedBlocks(t, out)
		if !bytes.Equal(got[c.bad], bad) || len(got) != c.want+1 {
			t.Errorf("%s: %d blocks, %x", c.name, len(got), got[c.bad])
		}
	}
	for _, same := range [][]Run{nil, {run(0, 0, 300)}, {run(0, 0, 300), run(301, 301, 699)}, {run(0, 1, 999)}} {
		_, err := l.Rewrap(context.Background(), holes256(plain, 256), same, &memory{}, 0, nil)
		if err == nil || !strings.HasPrefix(err.Error(), "block 1 has changed") || !errors.Is(err, errDamaged) {
			t.Errorf("%v: %v", same, err)
		}
	}
}

// holes256 is plain without 256 bytes at some offset.
func holes256(plain []byte, at int64) source.Source {
	h := holey{Bytes: plain}
	h.hole.Offset, h.hole.Length = at, 256
	return h
}

// TestRewrapIrregular: what engines do not write is written as they write it, except for bytes in the place
// of the magic.
func TestRewrapIrregular(t *testing.T) {
	plain := mixed(512, 3)
	regular := gcpfOf(plain, 256, 3)
	for name, c := range map[string]struct {
		data []byte
		end  string
	}{
		"a block too few": {gcpfOf(plain, 256, 2), "GCPF"},
		"no trailer":      {regular[:len(regular)-4], "GCPF"},
		"half a trailer":  {regular[:len(regular)-2], "GC"},
		"bytes behind":    {append(bytes.Clone(regular), 1, 2), "GCPF\x01\x02"},
	} {
		l := open(t, GCPF, c.data, Options{MaxUnpacked: 1 << 20})
		after, same := change{300, 1, []byte{1}}.apply(plain)
		got := rewrap(t, l, after, same, Options{MaxUnpacked: 1 << 20})
		blocks, rest := packedBlocks(t, got)
		if string(rest) != c.end || len(blocks) != 3 || string(blocks[2]) != "\x78\x9c\x03\x00\x00\x00\x00\x01" {
			t.Errorf("%s: %d blocks, %q", name, len(blocks), rest)
		}
	}
}

// TestRewrapCutBlock: the bytes of a cut block are copied.
func TestRewrapCutBlock(t *testing.T) {
	plain := mixed(800, 3)
	data := gcpfOf(plain, 256, 4)
	blocks, _ := packedBlocks(t, data)
	cut := bytes.Index(data, blocks[1]) + 3
	l := open(t, GCPF, data[:cut], Options{MaxUnpacked: 1 << 20})
	after, _ := change{5, 1, []byte{1}}.apply(plain[:512])
	var out memory
	if _, err := l.Rewrap(context.Background(), holes256(after, 256), []Run{run(0, 0, 5), run(6, 6, 506)}, &out, 0, nil); err != nil {
		t.Fatal(err)
	}
	got, rest := packedBlocks(t, out)
	if len(got) != 3 || !bytes.Equal(got[1], blocks[1][:3]) || string(rest) != "GCPF" {
		t.Errorf("%d blocks, %x", len(got), got[1])
	}
}

// sized is a source of zeros.
type sized int64

func (s sized) Size() int64 { return int64(s) }

func (s sized) ReadAt(p []byte, off int64) (int, error) {
	clear(p)
	return len(p), nil
}

// TestRewrapTooLarge: sizes that a GCPF cannot have.
func TestRewrapTooLarge(t *testing.T) {
	for _, c := range []struct {
		blockSize uint32
		size      int64
		want      string
	}{
		{4096, math.MaxUint32 + 1, "GCPF holds less than 4 GiB"},
		{64<<20 + 1, 64<<20 + 1, "blocks of more than 67,108,864 bytes are not packed"},
	} {
		data := put(gcpfOf([]byte("GC"), 4096, 1), 8, le(c.blockSize)...)
		l := open(t, GCPF, data, Options{MaxUnpacked: 1 << 20})
		_, err := l.Rewrap(context.Background(), sized(c.size), nil, &memory{}, 0, nil)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%d: %v", c.size, err)
		}
	}
}

// TestRewrapBlockSizes: blocks of any size, even of one byte, and more than fit one batch.
func TestRewrapBlockSizes(t *testing.T) {
	plain := mixed(3000, 4)
	for _, size := range []int{1, 2, 7, 15, 16, 17, 100, 1500, 3000, 3001, 1 << 20} {
		for mode := range byte(5) {
			if mode == 4 && size < 7 {
				continue // slow
			}
			t.Run(fmt.Sprintf("mode %d of %d", mode, size), func(t *testing.T) {
				data := put(gcpfOf(nil, size, 1), 4, mode)
				o := Options{MaxUnpacked: 1 << 20}
				l := open(t, GCPF, data, o)
				got := rewrap(t, l, plain, nil, o)
				if found := problems(t, open(t, GCPF, got, o), got); len(found) > 0 {
					t.Error(found)
				}
			})
		}
	}
}
