package wrap

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/klauspost/compress/zlib"

	"varview/decoder/engine/source"
	"varview/decoder/engine/source/sourcetest"
	"varview/decoder/engine/span"
)

// gcpfOf makes a GCPF of zlib blocks; blocks is their number, and those beyond the plain bytes are empty.
func gcpfOf(plain []byte, blockSize, blocks int) []byte {
	var packed bytes.Buffer
	out := append([]byte("GCPF"), le(1, uint32(blockSize), uint32(len(plain)))...)
	z := zlib.NewWriter(&packed) // one for all: a new one has more than a megabyte to clear
	for i := range blocks {
		start := packed.Len()
		z.Reset(&packed)
		z.Write(plain[min(len(plain), i*blockSize):min(len(plain), (i+1)*blockSize)])
		z.Close()
		out = append(out, le(uint32(packed.Len()-start))...)
	}
	return append(append(out, packed.Bytes()...), "GCPF"...)
}

// le writes little-endian numbers.
func le(numbers ...uint32) (b []byte) {
	for _, n := range numbers {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	return b
}

// put replaces bytes of a copy of data at the given offset.
func put(data []byte, at int, b ...byte) []byte {
	data = bytes.Clone(data)
	copy(data[at:], b)
	return data
}

// TestGCPFDamage: each kind of damage has its code and place, and the rest of the payload can be read. The
// file has three blocks of 256 bytes and one of 32, at 32 + the lengths before.
func TestGCPFDamage(t *testing.T) {
	plain := mixed(800, 3)
	good := gcpfOf(plain, 256, 4)
	length := func(i int) int { return int(binary.LittleEndian.Uint32(good[16+4*i:])) }
	start := func(i int) int {
		at := 32
		for j := range i {
			at += length(j)
		}
		return at
	}
	const none = -1
	for _, c := range []struct {
		name string
		data []byte
		size int // of the payload
		hole string
		want []string
	}{
		{"good", good, 800, "", nil},
		{"four bytes", good[:4], none, "", []string{"error truncated 0+4"}},
		{"cut in the mode", good[:7], none, "", []string{"error truncated 0+7"}},
		{"cut in the sizes", good[:15], none, "", []string{"error truncated 0+15"}},
		{"cut in the lengths", good[:25], none, "", []string{"error truncated 16+9"}},
		{"cut before the blocks", good[:32], 256, "0+256", []string{"error truncated 16+16"}},
		{"cut in block 1", good[:start(1)+3], 512, "256+256", []string{fmt.Sprintf("error truncated %d+3", start(1))}},
		{"cut behind block 2", good[:start(3)], 800, "768+32", []string{"error truncated 28+4"}},
		{"no trailer", good[:len(good)-4], 800, "", []string{fmt.Sprintf("warning missing-trailer %d+0", len(good)-4)}},
		{"half a trailer", good[:len(good)-2], 800, "", []string{fmt.Sprintf("warning missing-trailer %d+2", len(good)-4)}},
		{"bytes behind", append(bytes.Clone(good), 1, 2, 3), 800, "", []string{fmt.Sprintf("warning trailing-bytes %d+3", len(good))}},
		{"other magic", put(good, 0, 'g'), 800, "", []string{"error bad-magic 0+4"}},
		{"no magic", put(good, 0, 'g', 'c'), none, "", []string{fmt.Sprintf("error unrecognized 0+%d", len(good))}},
		{"other trailer", put(good, len(good)-2, 'p'), 800, "", []string{fmt.Sprintf("warning bad-magic %d+4", len(good)-4)}},
		{"unknown mode", put(good, 4, 9), none, "", []string{"error unknown-mode 4+4"}},
		{"block size 0", put(good, 8, 0, 0), none, "", []string{"error block-size 8+4"}},
		{"damaged block", put(good, start(1)+2, 0xff, 0xff), 800, "256+256", []string{fmt.Sprintf("error bad-block %d+%d", start(1), length(1))}},
		{"bad checksum", put(good, start(2)+length(2)-1, good[start(2)+length(2)-1]^1), 800, "", []string{fmt.Sprintf("error checksum %d+%d", start(2), length(2))}},
		{"a block alone that holds too much", put(gcpfOf(plain[:100], 256, 1), 12, 99), 99, "", []string{"error wrong-size 20+77"}},
		{"a block alone that holds too little", put(gcpfOf(plain[:100], 256, 1), 12, 101), 101, "0+101", []string{"error bad-block 20+77"}},
		{"length too long", put(good, 19, 1), 800, "", []string{"error wrong-length 16+4"}},
		{"a block too few", gcpfOf(plain[:512], 256, 2), 512, "", []string{"error block-count 12+4"}},
		{"no block for nothing", gcpfOf(nil, 256, 0), 0, "", []string{"error block-count 12+4"}},
	} {
		l := open(t, GCPF, c.data, Options{MaxUnpacked: 1 << 20})
		if got := problems(t, l, c.data); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, not %v", c.name, got, c.want)
		}
		checkTree(t, c.data, l)
		if c.size == none {
			if l.Payload != nil || l.Missing == nil || l.Missing.Message == "" {
				t.Errorf("%s: has a payload", c.name)
			}
			continue
		}
		if l.Payload == nil || l.Payload.Size() != int64(c.size) {
			t.Errorf("%s: %v", c.name, l.Missing)
			continue
		}
		holes(t, c.name, l.Payload, plain, c.hole)
	}
}

// holes reads a payload around its holes, the first of which must be the given one.
func holes(t *testing.T, name string, p source.Source, plain []byte, first string) {
	found := ""
	for at := int64(0); at < p.Size(); {
		b := bytes.Repeat([]byte{0xee}, int(p.Size()-at))
		n, err := p.ReadAt(b, at)
		if !bytes.Equal(b[:n], plain[at:at+int64(n)]) {
			t.Errorf("%s: wrong bytes from %d on", name, at)
		}
		at += int64(n)
		var hole *source.HoleError
		if err == nil {
			continue
		}
		if !errors.As(err, &hole) || hole.Offset > at || hole.End() <= at || hole.Err == nil {
			t.Fatalf("%s: %v at %d", name, err, at)
		}
		for i := range b[n:] {
			if int64(i) < hole.End()-at && b[n+i] != 0 {
				t.Fatalf("%s: the hole is not zero", name)
			}
		}
		if found == "" {
			found = fmt.Sprintf("%d+%d", hole.Offset, hole.Length)
		}
		at = hole.End()
	}
	if found != first {
		t.Errorf("%s: hole %q, not %q", name, found, first)
	}
}

// TestGCPFGapKind: a block that does not unpack is a gap, others are data.
func TestGCPFGapKind(t *testing.T) {
	data := load(t, "gcpf-deflate-multi-block.bin")
	first := 16 + 4*10
	second := first + int(binary.LittleEndian.Uint32(data[16:]))
	data = put(data, second, 0, 0)
	l := open(t, GCPF, data, Options{MaxUnpacked: 1 << 20})
	kinds := map[int]span.Kind{}
	for _, f := range fieldsOf(t, l, data) {
		kinds[int(f.Offset)] = f.Kind
	}
	for at, want := range map[int]span.Kind{0: span.Magic, 4: span.Flags, 8: span.Length, 12: span.Length, 16: span.Length,
		first: span.Data, second: span.Gap, len(data) - 4: span.Magic} {
		if kinds[at] != want {
			t.Errorf("at %d: %v, not %v", at, kinds[at], want)
		}
	}
}

func TestGCPFMaxUnpacked(t *testing.T) {
	plain := mixed(800, 3)
	data := gcpfOf(plain, 256, 4)
	l := open(t, GCPF, data, Options{MaxUnpacked: 300})
	if got := payload(t, l); !bytes.Equal(got, plain[:300]) {
		t.Errorf("%d bytes", len(got))
	}
	if got := problems(t, l, data); !slices.Equal(got, []string{"warning too-large 12+4"}) {
		t.Error(got)
	}
}

// TestGCPFClaims: sizes that the file cannot have cost nothing.
func TestGCPFClaims(t *testing.T) {
	for _, c := range []struct {
		name string
		data []byte
		want []string
	}{
		{"4 GiB in blocks of 1", append([]byte("GCPF"), le(1, 1, 0xffffffff, 0, 0)...), []string{"error truncated 16+8"}},
		{"one block of 4 GiB", append([]byte("GCPF"), le(1, 0xffffffff, 0xfffffffe, 8, 0, 0)...),
			[]string{"warning block-size 8+4", "warning missing-trailer 28+0"}},
		{"block of 4 GiB of packed bytes", append([]byte("GCPF"), le(1, 4096, 4, 0xffffffff, 0, 0)...), []string{"error truncated 20+8"}},
	} {
		l := open(t, GCPF, c.data, Options{MaxUnpacked: 1 << 40})
		if got := problems(t, l, c.data); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, not %v", c.name, got, c.want)
		}
		checkTree(t, c.data, l)
	}
}

// TestGCPFOver: surplus bytes of the last block are reported, and not read, as engines do not read them.
func TestGCPFOver(t *testing.T) {
	plain := mixed(300, 4)
	data := gcpfOf(plain, 256, 2)
	data = put(data, 12, le(290)...)
	l := open(t, GCPF, data, Options{MaxUnpacked: 1 << 20})
	if got := payload(t, l); !bytes.Equal(got, plain[:290]) {
		t.Errorf("%d bytes", len(got))
	}
	if got := problems(t, l, data); !slices.Equal(got, []string{"warning wrong-size 36+57"}) {
		t.Error(got)
	}
}

// TestGCPFAnyOrder: many goroutines read a payload of more blocks than are kept.
func TestGCPFAnyOrder(t *testing.T) {
	const size = 6 << 20
	plain := bytes.Repeat(mixed(1<<20, 5), 6)
	data := gcpfOf(plain, 64<<10, size>>16+1)
	l := open(t, GCPF, data, Options{MaxUnpacked: 1 << 30})
	var wait sync.WaitGroup
	for g := range 4 {
		wait.Go(func() {
			b := make([]byte, 100_000)
			for i := range 60 {
				at := (i*7919*(g+1) + g*65_536) * 31 % size
				n, err := l.Payload.ReadAt(b, int64(at))
				if want := min(len(b), size-at); n != want || !bytes.Equal(b[:n], plain[at:at+n]) || (err == io.EOF) != (n < len(b)) {
					t.Errorf("at %d: %d bytes, %v", at, n, err)
				}
			}
		})
	}
	wait.Wait()
}

// TestGCPFTinyBlocks: a file of many tiny blocks is read in few pieces, and unpacked blocks are not
// unpacked again for every access.
func TestGCPFTinyBlocks(t *testing.T) {
	plain := mixed(20_000, 3)
	data := gcpfOf(plain, 1, len(plain)+1)
	src := &sourcetest.Counted{Source: source.Bytes(data)}
	l, err := Open(t.Context(), GCPF, src, span.Between(0, int64(len(data))), Options{MaxUnpacked: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	b := make([]byte, 1000)
	for i := range 200 {
		at := i % 20 * 1000
		if n, err := l.Payload.ReadAt(b, int64(at)); err != nil || !bytes.Equal(b[:n], plain[at:at+1000]) {
			t.Fatal(n, err)
		}
	}
	if src.Reads > 200 {
		t.Errorf("the file of %d bytes was read %d times", len(data), src.Reads)
	}
}

// TestGCPFLargeBlocks: only one large block is in memory, and those after the limit are not unpacked.
func TestGCPFLargeBlocks(t *testing.T) {
	const size, limit = 8 << 20, 3 << 23
	plain := make([]byte, 5*size)
	data := gcpfOf(plain, size, 6)
	data[len(data)-5] ^= 1 // the checksum of the last block
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	l := open(t, GCPF, data, Options{MaxUnpacked: limit})
	w := source.NewWindow(l.Payload)
	for at := int64(0); at < limit; at += source.MaxView {
		w.View(at, source.MaxView)
	}
	is := problems(t, l, data)
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 2*size {
		t.Errorf("%d bytes were allocated to read blocks of %d", n, size)
	}
	if !slices.Equal(is, []string{"warning too-large 12+4"}) {
		t.Error(is)
	}
}
