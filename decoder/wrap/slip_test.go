package wrap

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"varview/decoder/source"
	"varview/decoder/span"
)

// TestSlips: each byte of the signatures, the header, and the table of every real GCPF
// and GDEC is lost, and other bytes are put before it. All are recognised; 95 in 100 are
// named as a loss or as bytes too many, and 95 in 100 are put right. What cannot be is the
// start value of a file that holds nothing.
func TestSlips(t *testing.T) {
	if testing.Short() {
		t.Skip("opens some thousand damaged files")
	}
	var sum tally
	for _, c := range realFiles {
		if c.kind != GCPF && c.kind != GDEC {
			continue
		}
		m := &mutant{tally: &sum, name: c.name, kind: c.kind, good: load(t, c.name), o: options(t, c.key, c.password)}
		m.plain = payload(t, open(t, m.kind, m.good, m.o))
		for _, f := range m.structure(t) {
			for at := int(f.Offset); at < int(f.End()); at++ {
				if at%3 != 0 && f.Length > 4 {
					continue
				}
				if at < len(m.good)-1 {
					m.slip(t, without(m.good, at, 1), at, span.MissingBytes)
				}
				m.slip(t, insert(m.good, at, 0), at, span.ExtraBytes)
				m.slip(t, insert(m.good, at, 'A'), at, span.ExtraBytes)
				if at%4 == 1 {
					m.slip(t, insert(m.good, at, 0xfe, 0x81, 3), at, span.ExtraBytes)
				}
			}
		}
	}
	t.Logf("%d slips, %d named (%.1f %%), %d put right (%.1f %%)", sum.all, sum.first, share(sum.first, sum.all), sum.restored, share(sum.restored, sum.all))
	for _, missed := range sum.missedOut[:min(len(sum.missedOut), 40)] {
		t.Log(missed)
	}
	if share(sum.reported, sum.all) < 100 || share(sum.first, sum.all) < 95 || share(sum.restored, sum.all) < 95 || sum.all < 500 {
		t.Error("too few")
	}
}

func insert(b []byte, at int, put ...byte) []byte {
	return append(append(bytes.Clone(b[:at]), put...), b[at:]...)
}

func (m *mutant) slip(t *testing.T, bad []byte, at int, code string) {
	m.all++
	src := source.Bytes(bad)
	if kinds := Sniff(src, span.Between(0, src.Size()), ""); len(kinds) == 0 || kinds[0] != m.kind {
		m.missed("%s: slip at %d is not recognised", m.name, at)
		return
	}
	m.reported++
	p := examine(t, m.kind, bad, m.o, m.plain)
	if len(p.found) == 1 && p.found[0].Code == code {
		m.first++
	}
	if m.restores(t, p, m.good) {
		m.restored++
	} else {
		m.missed("%s: slip of %d at %d: %q", m.name, len(bad)-len(m.good), at, p.told())
	}
}

// TestSlipPlaces: where and how slips are told. GCPF has its magic in 0–3, then mode,
// block size and plain size of 4 bytes each, then the lengths; GDEC of generation 4 its
// MD5 at 4, the plain size at 20, the start value at 28 and the cipher text at 44, of
// generation 3 the cipher text at 32.
func TestSlipPlaces(t *testing.T) {
	zstd := load(t, "gcpf-zstd-multi-block.bin")
	end := len(zstd) - 4
	three, four := gdecOf(t, 3, mixed(50, 8)), gdecOf(t, 4, mixed(50, 8))
	stream := zlibOf(mixed(90, 3))
	export := load(t, "elephant-export-savegame.txt")
	lines := []byte("QUJD\nREVG\n")
	long := bytes.Repeat([]byte("QUJDREVG"), 3)
	checkDamage(t, []damage{
		{"byte before the magic", GCPF, zstd, insert(zstd, 0, 'x'), "extra-bytes 0+1", "1 byte too many in the magic", "take out the 1 byte at 0x0", nil},
		{"two bytes lost from the magic", GCPF, zstd, without(zstd, 1, 2), "missing-bytes 1+0", "2 bytes are lost in the magic", "put 4350 in at 0x1", nil},
		{"byte in the block size", GCPF, zstd, insert(zstd, 9, 7), "extra-bytes 9+1", "1 byte too many in the header", "take out the 1 byte at 0x9", nil},
		{"byte lost from the block size", GCPF, zstd, without(zstd, 9, 1), "missing-bytes 9+0", "1 byte is lost in the header", "put 10 in at 0x9", nil},
		{"bytes in the table", GCPF, zstd, insert(zstd, 21, 9, 8, 7), "extra-bytes 21+3", "3 bytes too many in the table of block lengths", "take out the 3 bytes at 0x15", nil},
		{"byte in the trailer", GCPF, zstd, insert(zstd, end+2, 7), fmt.Sprintf("extra-bytes %d+1", end+2), "in the magic at the end", fmt.Sprintf("take out the 1 byte at %#x", end+2), nil},
		{"byte lost from the trailer", GCPF, zstd, without(zstd, end+1, 1), fmt.Sprintf("missing-bytes %d+3", end), "the magic at the end has lost C", fmt.Sprintf("put C in at %#x", end+1), nil},
		{"byte in the MD5", GDEC, four, insert(four, 9, four[9]+1), "extra-bytes 9+1", "1 byte too many in the MD5", "take out the 1 byte at 0x9", nil},
		{"byte lost from the MD5", GDEC, three, without(three, 12, 1), "missing-bytes 12+0", "1 byte is lost from the MD5", fmt.Sprintf("put %02x in at 0xc", three[12]), nil},
		{"byte lost from the mode", GDEC, three, without(three, 4, 1), "missing-bytes 4+0", "1 byte is lost from the mode", "put 01 in at 0x4", nil},
		{"byte lost from the start value", GDEC, four, without(four, 33, 1), "missing-bytes 33+0", "1 byte is lost from the start value", fmt.Sprintf("put %02x in at 0x21", four[33]), nil},
		{"byte in the cipher text", GDEC, four, insert(four, 70, four[70]+1), "extra-bytes 70+1", "1 byte too many in the cipher text", "take out the 1 byte at 0x46", nil},
		{"byte in the cipher text, 3", GDEC, three, insert(three, 70, three[70]+1), "extra-bytes 70+1", "1 byte too many in the cipher text", "take out the 1 byte at 0x46", nil},
		{"byte lost from the cipher text", GDEC, four, without(four, 70, 1), "missing-bytes 70+0", "1 byte is lost from the cipher text", fmt.Sprintf("put %02x in at 0x46", four[70]), nil},
		{"byte lost from the cipher text, 3", GDEC, three, without(three, 70, 1), "missing-bytes 70+0", "1 byte is lost from the cipher text", fmt.Sprintf("put %02x in at 0x46", three[70]), nil},
		{"byte in the stream", Zlib, stream, insert(stream, 30, stream[30]+1, stream[29]+1), "extra-bytes 30+2", "2 bytes too many in the stream", "take out the 2 bytes at 0x1e", nil},
		{"byte lost from the stream", Zlib, stream, without(stream, 30, 1), "missing-bytes 30+0", "1 byte is lost from the stream", fmt.Sprintf("put %02x in at 0x1e", stream[30]), nil},
		{"byte before the stream", Zlib, stream, insert(stream, 0, 0), "extra-bytes 0+1", "1 byte too many in the stream", "take out the 1 byte at 0x0", nil},
		{"digit too many", Base64, export, insert(export, 41, '7'), "extra-bytes 41+1", "a base64 digit too many", "take out the 1 byte at 0x29", nil},
		{"digit lost", Base64, export, without(export, 41, 1), "missing-bytes 41+0", "a base64 digit is lost", fmt.Sprintf("put %02x in at 0x29", export[41]), nil},
		{"NUL behind", Base64, long, insert(long, len(long), 0), fmt.Sprintf("trailing-bytes %d+1", len(long)), "1 byte behind the end of the text", "take out the 1 byte behind the end", nil},
		{"blank in a line", Base64, lines, insert(lines, 7, ' '), "bad-digit 7+1", "a blank between digits of a line", "take out the blanks between digits", nil},
	}, password("x"))
}

// TestSlipCutMagic: a file of some first bytes of a signature.
func TestSlipCutMagic(t *testing.T) {
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

// TestSlipReads: what has no checksum is judged by whoever reads it.
func TestSlipReads(t *testing.T) {
	plain := mixed(60, 5)
	good := []byte(base64.StdEncoding.EncodeToString(plain))
	bad := insert(good, 33, good[33]^1)
	o := password("x")
	p := examine(t, Base64, bad, o, nil)
	if len(p.found) != 1 || p.found[0].Code != BadDigit || p.found[0].Span != span.Between(0, int64(len(bad))) || p.found[0].Repair != "" {
		t.Errorf("without: %q", p.told())
	}
	o.Reads = readsAs(plain)
	p = examine(t, Base64, bad, o, nil)
	if len(p.found) != 1 || p.found[0].Code != span.ExtraBytes || p.found[0].Offset != 33 {
		t.Fatalf("with: %q", p.told())
	}
	if data, _, err := p.repair(t, &p.found[0]); err != nil || !bytes.Equal(data, good) {
		t.Errorf("%s %v", data, err)
	}
}

// readsAs takes nothing but some bytes for right.
func readsAs(plain []byte) func(context.Context, source.Source) bool {
	return func(_ context.Context, payload source.Source) bool {
		b := make([]byte, payload.Size())
		return readAt(payload, b, 0) == nil && bytes.Equal(b, plain)
	}
}
