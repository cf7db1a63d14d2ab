package decoder

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"context"
	"crypto/md5"
	"crypto/sha1"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"varview/decoder/diagnose"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/score"
	"varview/decoder/wrap"
)

// A saved is the content of a game's file, and how it is read.
type saved struct {
	name, dialect, framing string
	bytes                  []byte
}

// soundSaves are files of each family that engines or their documents have, large enough to be known behind
// a header.
func soundSaves(t *testing.T) (all []saved) {
	for _, pattern := range []string{"godot4/save-*.bin", "godot3/*dict*.bin", "elephant/v1-5-1*.bin", "json/*.json", "msgpack/*.msgpack"} {
		files, _ := filepath.Glob("../testdata/" + pattern)
		for _, f := range files {
			b, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			d := openBytes(t, b)
			if len(b) >= 48 && len(b) < 8<<10 && d.Missing == nil && !d.IsForeign() && d.Fits() && len(d.Layers) == 0 && d.Confidence != Weak {
				all = append(all, saved{filepath.Base(f), d.Dialect, d.Framing, b})
			}
		}
	}
	if len(all) < 12 {
		t.Fatalf("only %d files", len(all))
	}
	return all
}

func openBytes(t *testing.T, b []byte) *Document {
	t.Helper()
	d, err := Open(context.Background(), source.Bytes(b), Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

// randomHead returns a header as games write one: bytes, a text, numbers, a line.
func randomHead(r *rand.Rand) []byte {
	switch r.IntN(5) {
	case 0:
		b := make([]byte, 1+r.IntN(64))
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return b
	case 1:
		return []byte("SAVEGAME RPGDATA v2.1 player"[:1+r.IntN(24)])
	case 2:
		b := binary.LittleEndian.AppendUint32(nil, 1+r.Uint32N(400))
		if r.IntN(2) == 0 {
			b = append([]byte("RPGS"), b...)
		}
		return b
	case 3:
		return fmt.Appendf(nil, "v%d.%d%s", r.IntN(9), r.IntN(30), []string{"\n", "\r\n"}[r.IntN(2)])
	}
	text := fmt.Sprintf("%d.%d.%d", r.IntN(9), r.IntN(9), r.IntN(9))
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(text))), text...)
}

// around packs content, and puts a trailer or a checksum behind it.
func around(r *rand.Rand, b []byte) (name string, packed []byte) {
	switch r.IntN(6) {
	case 0:
		var out bytes.Buffer
		w := zlib.NewWriter(&out)
		w.Write(b)
		w.Close()
		name, b = "zlib", out.Bytes()
	case 1:
		var out bytes.Buffer
		w := gzip.NewWriter(&out)
		w.Write(b)
		w.Close()
		name, b = "gzip", out.Bytes()
	case 2:
		if r.IntN(3) == 0 {
			name, b = "base64", []byte(base64.StdEncoding.EncodeToString(b))
		}
	case 3:
		w, _ := zstd.NewWriter(nil)
		if r.IntN(3) == 0 {
			name, b = "zstd", w.EncodeAll(b, nil)
		}
	}
	switch r.IntN(5) {
	case 2:
		sum := sha1.Sum(b)
		return name + " sha1 in bytes", append(bytes.Clone(b), sum[:]...)
	case 0:
		return name + " crc32", binary.LittleEndian.AppendUint32(bytes.Clone(b), crc32.ChecksumIEEE(b))
	case 1:
		return name + " md5", fmt.Appendf(bytes.Clone(b), "%x", md5.Sum(b))
	}
	return name, b
}

// TestRandomHeaders puts random headers before saves, packed or not, with or without a checksum: what is in
// them is found, or the file is called unknown, and nothing of it would be deleted or overwritten. HEADERS=10000 tries
// that many.
func TestRandomHeaders(t *testing.T) {
	saves, n := soundSaves(t), 300
	if s := os.Getenv("HEADERS"); s != "" {
		fmt.Sscan(s, &n)
	}
	found, chance := 0, 0
	for seed := range n {
		r := rand.New(rand.NewPCG(uint64(seed), 46))
		s := saves[r.IntN(len(saves))]
		head := randomHead(r)
		how, body := around(r, s.bytes)
		d := openBytes(t, append(bytes.Clone(head), body...))
		name := fmt.Sprintf("%d: %q before %s, %s", seed, head, s.name, how)
		if d.Dialect == s.dialect && d.Tree.Region.Length == int64(len(s.bytes)) {
			found++
			if bad, err := score.HasProblem(context.Background(), d.Layers[0].Tree, true, func(p *span.Problem) bool { return p.Severity > span.Note }); (bad || err != nil) && wrap.IsOwn(d.Layers[0].Kind) {
				t.Errorf("%s: the fields of the header do not cover the file, %v", name, err)
			}
			continue
		}
		t.Logf("%s: not found: %s", name, d.Title)
		if d.Missing != nil || d.IsForeign() {
			continue
		}
		if d.Fits() && d.Dialect == s.dialect && chance < n/2000 {
			chance++ // a few bytes before MessagePack are values, too
			continue
		}
		if d.Fits() {
			t.Errorf("%s, %s of %d bytes: read as %s of %d bytes", name, s.dialect, len(s.bytes), d.Dialect, d.Tree.Region.Length)
			continue
		}
		err := d.Diagnose(context.Background(), d.Tree, diagnose.Options{}, func(f diagnose.Diagnosis) bool {
			if f.Severity > span.Note && f.Repair != "" && !f.Guess {
				t.Errorf("%s: as %s %s: %s", name, d.Dialect, d.Framing, f.Message)
			}
			return false
		})
		if err != nil {
			t.Error(err)
		}
	}
	t.Logf("found %d of %d", found, n)
	if found < n*99/100 {
		t.Errorf("only %d of %d are found", found, n)
	}
}

// TestSoundWithoutHeader: sound files of each family are not read behind a header that they do not have.
func TestSoundWithoutHeader(t *testing.T) {
	for _, s := range soundSaves(t) {
		if d := openBytes(t, s.bytes); strings.Contains(fmt.Sprint(d.Buffers()[0].Reading.TypeName(&d.Buffers()[0].Base.Value)), "own") {
			t.Errorf("%s: %s", s.name, d.Layers[0].Title)
		}
	}
}

// TestRivalHeader: where a header of one zero byte does as well as the longer one that is found, both are named.
func TestRivalHeader(t *testing.T) {
	d, err := Open(context.Background(), fromHex(t, "00 1c000000 01000000 1c000000 03000000 02000000 02000000 02000000 02000000 02000000 03000000"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if len(d.Layers) != 1 || d.Rival != 1 {
		t.Errorf("%d layers, rival %d", len(d.Layers), d.Rival)
	}
}

// TestLengthsBefore names the numbers before an offset that measure what follows, which an edit leaves stale.
func TestLengthsBefore(t *testing.T) {
	content := []byte(`{"hp": 42, "gold": 1200, "name": "Mira"}`)
	file := append(binary.LittleEndian.AppendUint32([]byte("SAVE"), uint32(len(content))), content...)
	d, err := Open(context.Background(), source.Bytes(file), Options{Offset: 8})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if all := fmt.Sprint(d.LengthsBefore()); all != "[packed size at 0x4]" {
		t.Error(all)
	}
}
