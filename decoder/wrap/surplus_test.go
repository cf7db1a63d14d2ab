package wrap

import (
	"bytes"
	"runtime"
	"slices"
	"strings"
	"testing"

	"varview/decoder/source"
	"varview/decoder/span"
)

func insert(b []byte, at int, put ...byte) []byte {
	return append(append(bytes.Clone(b[:at]), put...), b[at:]...)
}

// TestSurplus: where and how bytes too many are reported. GCPF has its magic in 0–3, then mode,
// block size and plain size of 4 bytes each, then the lengths; GDEC of generation 4 its
// MD5 at 4, the plain size at 20, the start value at 28 and the cipher text at 44, of
// generation 3 the cipher text at 32.
func TestSurplus(t *testing.T) {
	zstd := load(t, "gcpf-zstd-multi-block.bin")
	three, four := gdecOf(t, 3, mixed(50, 8)), gdecOf(t, 4, mixed(50, 8))
	lines := []byte("QUJD\nREVG\n")
	stream := load(t, "elephant-export-savegame.txt")
	bare := []byte("QUJDREVG")
	checkDamage(t, []damage{
		{"byte in the block size", GCPF, zstd, insert(zstd, 9, 7), "extra-bytes 9+1", "1 byte too many in the header", "delete 1 byte at 0x9", nil},
		{"bytes in the table", GCPF, zstd, insert(zstd, 21, 9, 8, 7), "extra-bytes 21+3", "3 bytes too many in the table of block lengths", "delete 3 bytes at 0x15", nil},
		{"byte in the MD5", GDEC, four, insert(four, 9, four[9]+1), "extra-bytes 9+1", "1 byte too many in the MD5", "delete 1 byte at 0x9", nil},
		{"byte in the cipher text", GDEC, four, insert(four, 70, four[70]+1), "extra-bytes 70+1", "1 byte too many in the cipher text", "delete 1 byte at 0x46", nil},
		{"byte in the cipher text, 3", GDEC, three, insert(three, 70, three[70]+1), "extra-bytes 70+1", "1 byte too many in the cipher text", "delete 1 byte at 0x46", nil},
		{"digit in a zlib stream", Base64, stream, insert(stream, 105, '+'), "extra-bytes 105+1", "1 byte too many in the digits: without it the checksum of the zlib stream matches", "delete 1 byte at 0x69", nil},
		{"digit like its neighbour", Base64, stream, insert(stream, 105, stream[105]), "extra-bytes 105+2", "1 byte too many in the digits", "delete 1 byte at 0x69", nil},
		{"digit in what proves nothing", Base64, bare, insert(bare, 3, 'x'), "bad-digit 0+9", "9 base64 digits do not make whole bytes: one is lost or one is too many", "", nil},
		{"blank in a line", Base64, lines, insert(lines, 7, ' '), "bad-digit 7+1", "a blank between digits of a line", "delete the blanks between digits", nil},
	}, password("x"))
}

// TestCutMagic: a file of some first bytes of a signature.
func TestCutMagic(t *testing.T) {
	for _, magic := range []string{"G", "GC", "GCP", "GD", "GDE"} {
		kinds := Sniff(source.Bytes(magic), span.Between(0, int64(len(magic))), "")
		want := GCPF
		if strings.HasPrefix(magic, "GD") {
			want = GDEC
		}
		if len(kinds) != 1 || kinds[0] != want {
			t.Errorf("%s: %v", magic, kinds)
			continue
		}
		if p := examine(t, want, []byte(magic), password("x"), nil); len(p.found) != 1 || p.found[0].Code != span.Truncated {
			t.Errorf("%s: %q", magic, p.told())
		}
	}
}

// TestSurplusWork: the search for surplus bytes in an encrypted file that is noise ends
// after a fixed amount of work.
func TestSurplusWork(t *testing.T) {
	for _, generation := range []int{3, 4} {
		data := gdecOf(t, generation, mixed(100_000, 5))
		data = append(put(data, len(data)/2, 1, 2, 3), 4, 5, 6) // 3 bytes too many, and damage
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		l := open(t, GDEC, data, password("x"))
		runtime.ReadMemStats(&after)
		if is := problems(t, l, data); !slices.ContainsFunc(is, func(p string) bool { return strings.HasPrefix(p, "note "+span.Unsearched) }) {
			t.Errorf("generation %d: it does not say that the search has ended: %v", generation, is)
		}
		if n := after.TotalAlloc - before.TotalAlloc; n > 256<<20 {
			t.Errorf("generation %d: %d bytes were allocated", generation, n)
		}
	}
}

// TestLostFromHeader: bytes that are lost from a header are put back, since the rest of the
// file determines them.
func TestLostFromHeader(t *testing.T) {
	three, four := gdecOf(t, 3, mixed(50, 8)), gdecOf(t, 4, mixed(50, 8))
	for _, c := range []struct {
		name string
		kind Kind
		data []byte
		head int // its size
	}{
		{"GCPF", GCPF, load(t, "gcpf-zstd-multi-block.bin"), 16},
		{"GDEC of Godot 3", GDEC, three, 32},
		{"GDEC of Godot 4", GDEC, four, 28}, // the start value after it is random
	} {
		for n := 1; n <= 4; n *= 2 {
			for at := 0; at+n <= c.head; at++ {
				p := examine(t, c.kind, without(c.data, at, n), password("x"), nil)
				i := slices.IndexFunc(p.found, func(f span.Problem) bool { return f.Repair != "" })
				if i < 0 {
					t.Errorf("%s without %d bytes at %d: %q", c.name, n, at, p.told())
					continue
				}
				if is, _, err := p.repair(t, &p.found[i]); err != nil || !bytes.Equal(is, c.data) {
					t.Errorf("%s without %d bytes at %d: %q, %v", c.name, n, at, p.told(), err)
				}
			}
		}
	}
}
