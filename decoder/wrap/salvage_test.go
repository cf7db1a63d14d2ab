package wrap

import (
	"bytes"
	"encoding/binary"
	"testing"
)

// TestSalvageGCPF: if a length is wrong, or bytes are lost or added, the other blocks are still found, and
// wrapping again gives a good file.
func TestSalvageGCPF(t *testing.T) {
	for _, name := range []string{"gcpf-deflate-multi-block.bin", "gcpf-fastlz-multi-block.bin", "gcpf-zstd-multi-block.bin"} {
		good := load(t, name)
		o := Options{MaxUnpacked: 1 << 30}
		plain := payload(t, open(t, GCPF, good, o))
		start := func(i int) int {
			at := 56
			for j := range i {
				at += int(binary.LittleEndian.Uint32(good[16+4*j:]))
			}
			return at
		}
		for _, c := range []struct {
			name, hole string
			bad        []byte
		}{
			{"first length", "", put(good, 16, good[16]+1)},
			{"length past the end", "", put(good, 16+4*6+3, 0x70)},
			{"short length", "", put(good, 16+4*6, good[16+4*6]-1)},
			{"last length", "", put(good, 16+4*9, good[16+4*9]-1)},
			{"bytes before the first block", "0+4096", with(good, start(0), 9, 9)},
			{"bytes between blocks", "20480+4096", with(good, start(5), 9, 9)},
			{"bytes lost", "16384+4096", without(good, start(4)+9, 2)},
			{"bytes lost in the last block", "36864+3148", without(good, start(9)+9, 2)},
		} {
			if c.name == "bytes lost in the last block" && name == "gcpf-fastlz-multi-block.bin" {
				continue // it can still be unpacked, and FastLZ has no checksum
			}
			l := open(t, GCPF, c.bad, o)
			if l.Payload == nil || l.Payload.Size() != int64(len(plain)) {
				t.Errorf("%s, %s: %+v", name, c.name, l.Missing)
				continue
			}
			holes(t, name+", "+c.name, l.Payload, plain, c.hole)
			if c.hole != "" {
				continue
			}
			after, same := change{500, 3, []byte("changed")}.apply(plain)
			again := rewrap(t, l, after, same, o)
			if got := payload(t, open(t, GCPF, again, o)); !bytes.Equal(got, after) || len(problems(t, open(t, GCPF, again, o), again)) > 0 {
				t.Errorf("%s, %s: not wrapped again", name, c.name)
			}
		}
	}
}

// TestAmbiguousFastLZ: a byte added to a FastLZ block, which has no checksum, can often be removed in
// several ways; then nothing is removed.
func TestAmbiguousFastLZ(t *testing.T) {
	good := load(t, "gcpf-fastlz-multi-block.bin")
	at := 56 + 30
	p := examine(t, GCPF, with(good, at, 0x41), Options{MaxUnpacked: 1 << 30}, nil)
	if len(p.found) != 1 || p.found[0].Offset > int64(at) || p.found[0].End() <= int64(at) {
		t.Fatal(p.told())
	}
	checkRepairs(t, p)
	if data, _, err := p.repair(t, &p.found[0]); err != nil || !bytes.Equal(data, good) && data[16] == good[16] {
		t.Errorf("%q: neither the file nor its length is put right: %v", p.told(), err)
	}
}

// TestDropsAreNamed: a repair says what it loses.
func TestDropsAreNamed(t *testing.T) {
	good := load(t, "gcpf-deflate-multi-block.bin")
	for _, c := range []struct {
		bad  []byte
		want string
	}{
		{good[:2000], "the first 332 bytes of block 3"},
		{append(bytes.Clone(good), "more"...), "the 4 bytes after the end"},
		{good[:len(good)-2], ""},
	} {
		p := examine(t, GCPF, c.bad, Options{MaxUnpacked: 1 << 30}, nil)
		_, drops, err := p.repair(t, &p.found[0])
		if err != nil || drops != c.want {
			t.Errorf("%q, not %q: %v", drops, c.want, err)
		}
	}
}
