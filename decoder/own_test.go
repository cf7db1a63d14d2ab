package decoder

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"context"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/klauspost/compress/zstd"

	"varview/decoder/detect"
	"varview/decoder/diagnose"
	"varview/decoder/engine/source"
	"varview/decoder/engine/source/sourcetest"
	"varview/decoder/engine/span"
	"varview/decoder/score"
	"varview/decoder/wrap/own"
	_ "varview/internal/lessgc"
)

// A saved is the content of a game's file, and how it is read.
type saved struct {
	name, dialect, framing string
	bytes                  []byte
}

// soundSaves are files of each family that engines or their documents have, large enough to be known behind
// a header.
func soundSaves(t *testing.T) (all []saved) {
	all = append(all, saved{"two of MessagePack", "msgpack", "sequence", []byte("\x82\xa4gold\xcd\x04\xb0\xa4name\xa4Mira\x93\xa5sword\xa4rope\x2a\x82\xa2hp\x53\xa5level\xcd\x01\x07\xc3")})
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

// packings are how games pack their saves. Those that need a recipe behind a header may be called unknown.
var packings = []struct {
	name      string
	times     int // how often, among the others
	hasRecipe bool
	pack      func(r *rand.Rand, b []byte) []byte
}{
	{"", 8, false, func(_ *rand.Rand, b []byte) []byte { return b }},
	{"zlib", 4, false, func(_ *rand.Rand, b []byte) []byte {
		return written(func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) }, b)
	}},
	{"gzip", 4, false, func(_ *rand.Rand, b []byte) []byte {
		return written(func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }, b)
	}},
	{"base64", 2, false, func(_ *rand.Rand, b []byte) []byte { return []byte(base64.StdEncoding.EncodeToString(b)) }},
	{"zstd", 2, false, func(_ *rand.Rand, b []byte) []byte {
		w, _ := zstd.NewWriter(nil)
		return w.EncodeAll(b, nil)
	}},
	{"tar", 1, true, func(_ *rand.Rand, b []byte) []byte {
		return written(func(w io.Writer) io.WriteCloser { return member{tar: tar.NewWriter(w), size: len(b)} }, b)
	}},
	{"zip", 1, true, func(_ *rand.Rand, b []byte) []byte {
		return written(func(w io.Writer) io.WriteCloser { return member{zip: zip.NewWriter(w)} }, b)
	}},
	{"xor", 1, true, func(r *rand.Rand, b []byte) []byte {
		return keyed(b, "swordfish"[r.IntN(8):], func(c, k byte) byte { return c ^ k })
	}},
	{"add", 1, true, func(r *rand.Rand, b []byte) []byte {
		return keyed(b, string(rune(1+r.IntN(100))), func(c, k byte) byte { return c + k })
	}},
	{"utf16", 1, true, func(_ *rand.Rand, b []byte) []byte {
		out := []byte{}
		for _, u := range utf16.Encode([]rune(string(b))) {
			out = binary.LittleEndian.AppendUint16(out, u)
		}
		return out
	}},
	{"secure save", 1, true, func(r *rand.Rand, _ []byte) []byte {
		return []byte(base64.StdEncoding.EncodeToString(fmt.Appendf(nil, "%060d{ \"gold\": %d.000000, \"name\": \"Mira\" }\x00", r.Uint32(), r.IntN(9999))))
	}},
}

// A member is the only one of an archive.
type member struct {
	tar  *tar.Writer
	zip  *zip.Writer
	size int
}

func (m member) Write(b []byte) (int, error) {
	if m.tar != nil {
		m.tar.WriteHeader(&tar.Header{Name: "save.dat", Size: int64(m.size), Mode: 0o644})
		return m.tar.Write(b)
	}
	w, err := m.zip.Create("save.dat")
	if err != nil {
		return 0, err
	}
	return w.Write(b)
}

func (m member) Close() error {
	if m.tar != nil {
		return m.tar.Close()
	}
	return m.zip.Close()
}

func written(to func(io.Writer) io.WriteCloser, b []byte) []byte {
	var out bytes.Buffer
	w := to(&out)
	w.Write(b)
	w.Close()
	return out.Bytes()
}

func keyed(b []byte, key string, with func(c, k byte) byte) []byte {
	b = bytes.Clone(b)
	for i := range b {
		b[i] = with(b[i], key[i%len(key)])
	}
	return b
}

// around packs content, and puts a trailer or a checksum behind it.
func around(r *rand.Rand, b []byte) (name string, hasRecipe bool, packed []byte) {
	n := r.IntN(26)
	for _, p := range packings {
		if n -= p.times; n < 0 {
			name, hasRecipe, b = p.name, p.hasRecipe, p.pack(r, b)
			break
		}
	}
	switch r.IntN(5) {
	case 2:
		sum := sha1.Sum(b)
		return name + " sha1 in bytes", hasRecipe, append(bytes.Clone(b), sum[:]...)
	case 0:
		return name + " crc32", hasRecipe, binary.LittleEndian.AppendUint32(bytes.Clone(b), crc32.ChecksumIEEE(b))
	case 1:
		return name + " md5", hasRecipe, fmt.Appendf(bytes.Clone(b), "%x", md5.Sum(b))
	}
	return name, hasRecipe, b
}

// TestRandomHeaders puts random headers before saves, packed or not, with or without a checksum: what is in
// them is found, or the file is called unknown, and nothing of it would be deleted or overwritten. HEADERS="2000 8000" tries 2000
// from the 8000th on.
func TestRandomHeaders(t *testing.T) {
	saves, n, from := soundSaves(t), 60, 0
	if s := os.Getenv("HEADERS"); s != "" {
		fmt.Sscan(s, &n, &from)
	}
	found, hidden := 0, 0
	for seed := from; seed < from+n; seed++ {
		r := rand.New(rand.NewPCG(uint64(seed), 46))
		s := saves[r.IntN(len(saves))]
		head := randomHead(r)
		how, hasRecipe, body := around(r, s.bytes)
		d := openBytes(t, append(bytes.Clone(head), body...))
		name := fmt.Sprintf("%d: %q before %s, %s", seed, head, s.name, how)
		if d.Dialect == s.dialect && d.Tree.Region.Length == int64(len(s.bytes)) {
			found++
			if bad, err := score.HasProblem(context.Background(), d.Layers[0].Tree, true, func(p *span.Problem) bool { return p.Severity > span.Note }); (bad || err != nil) && own.Is(d.Layers[0].Kind) {
				t.Errorf("%s: the fields of the header do not cover the file, %v", name, err)
			}
			continue
		}
		if hasRecipe {
			hidden++
		} else {
			t.Logf("%s: not found: %s", name, d.Title)
		}
		if d.Missing != nil || d.IsForeign() || strings.Contains(how, "secure") && d.Dialect == "json" {
			continue
		}
		if d.Fits() && d.Rival != int64(len(head)) { // both are named
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
	t.Logf("found %d of %d, %d more need a recipe", found, n-hidden, hidden)
	if found < (n-hidden)*97/100 {
		t.Errorf("only %d of %d are found", found, n-hidden)
	}
}

// TestSumBeforeFilled: a checksum before a value that zeros follow is no damaged length of a frame.
func TestSumBeforeFilled(t *testing.T) {
	var value []byte
	for _, word := range []uint32{27, 2, 4, 4, 'M' | 'i'<<8 | 'r'<<16 | 'a'<<24, 2, 1234, 4, 4, 'g' | 'o'<<8 | 'l'<<16 | 'd'<<24, 2, 98765} {
		value = binary.LittleEndian.AppendUint32(value, word)
	}
	sum := binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE(value))
	for _, zeros := range []int{16, 20, 100, 136, 276, 1000, 4000} {
		d := openBytes(t, slices.Concat(sum, value, make([]byte, zeros)))
		if len(d.Layers) != 1 || d.Layers[0].Payload.Size() != int64(len(value)) || d.Dialect != "godot4" {
			t.Errorf("%d zeros: %s, %d layers", zeros, d.Title, len(d.Layers))
		}
	}
}

// TestNumberBeforeText: a header may end with bytes like the beginning of a text.
func TestNumberBeforeText(t *testing.T) {
	text := []byte(`{"name": "Mira", "gold": 1234, "bag": [{"id": "rope", "n": 1}, {"id": "oil", "n": 12}]}`)
	for last := 0; last < 256; last++ {
		for _, next := range []string{"", "\"", "{", "["} {
			if next != "" && last%32 != '{'%32 && last%32 != '"'%32 {
				continue
			}
			head := append(binary.LittleEndian.AppendUint32([]byte("SAVE"), uint32(len(text))), 0x9c, byte(last))
			d := openBytes(t, slices.Concat(head, []byte(next), text))
			if n := len(head) + len(next); d.Dialect != "json" || d.Tree.Region.Length != int64(len(text)) || own.Before(d.Layers[0].Layer) != int64(n) {
				t.Errorf("%x%s: %s of %d bytes", last, next, d.Title, d.Tree.Region.Length)
			}
		}
	}
}

// TestHeaderOrFrame: four bytes before a raw value that are no version, word or time are a header or the damaged length of the value:
// both are named, and no repair writes anything.
func TestHeaderOrFrame(t *testing.T) {
	value := variantOf(t, 400)
	for name, c := range map[string]struct {
		word    uint32
		isDoubt bool
	}{
		"a version": {3, false}, "a word": {binary.LittleEndian.Uint32([]byte("SAVE")), false}, "a time": {1_712_345_678, false},
		"the low byte of the length": {uint32(len(value)) & 0xff, true}, "a small number": {178, true}, "-1": {math.MaxUint32, true}, "any number": {0x91827364, true},
	} {
		d := openBytes(t, append(binary.LittleEndian.AppendUint32(nil, c.word), value...))
		if d.Framing != "raw" || (d.Alternative != nil) != c.isDoubt || (d.Confidence == detect.Certain) == c.isDoubt {
			t.Errorf("%s: %s, %v, %v", name, d.Framing, d.Confidence, d.Alternative)
		}
		told := 0
		err := d.Diagnose(context.Background(), d.Tree, diagnose.Options{}, func(f diagnose.Diagnosis) bool {
			told += 1 + len(f.Alternatives)
			if f.Severity > span.Note || f.Repair+f.Alternatives[0].Repair != "" {
				t.Errorf("%s: %+v", name, f)
			}
			return true
		})
		if want := map[bool]int{true: 2}[c.isDoubt]; told != want || err != nil {
			t.Errorf("%s: %d told, want %d, %v", name, told, want, err)
		}
	}
}

// TestFrameOrTrailer: where a number before values is the size of all that follows, or of the values, bytes behind them are left over in a
// frame, or a trailer behind a header: both are named unless one is likelier, and no repair writes anything.
func TestFrameOrTrailer(t *testing.T) {
	value, more := variantOf(t, 40), variantOf(t, 8)
	for _, values := range [][]byte{value, append(bytes.Clone(value), more...)} {
		for _, tail := range []string{"END!", "\x01\x00\x00\x00\x02\x00\x00\x00", "\x00\x00\x00\x00\x00\x00\x00\x00", "\xff", "ABCDEFGHIJK"} {
			for _, head := range []string{"", "SAVE"} {
				for _, size := range []int{len(values), len(values) + len(tail)} {
					for _, number := range [][]byte{binary.LittleEndian.AppendUint32(nil, uint32(size)), binary.BigEndian.AppendUint32(nil, uint32(size))} {
						d := openBytes(t, slices.Concat([]byte(head), number, values, []byte(tail)))
						err := d.Diagnose(context.Background(), d.Tree, diagnose.Options{}, func(f diagnose.Diagnosis) bool {
							if f.Severity > span.Note && f.Repair != "" && !f.Guess {
								t.Errorf("%q %x before %d bytes and %q: as %s %s: %s", head, number, len(values), tail, d.Dialect, d.Framing, f.Message)
							}
							return true
						})
						if err != nil {
							t.Error(err)
						}
					}
				}
			}
		}
	}
}

// variantOf returns a dictionary of Godot 4 with a text of some characters.
func variantOf(t *testing.T, n int) []byte {
	b := fromHex(t, "1b000000 02000000 04000000 02000000 68700000 02000000 53000000 04000000 04000000 6e616d65 04000000")
	return append(binary.LittleEndian.AppendUint32(b, uint32(n)), strings.Repeat("word", n/4)...)
}

// TestHashLikeFrame: a hash of the values behind them is no further value whose end is missing, whatever its bytes are.
func TestHashLikeFrame(t *testing.T) {
	for n := range 60 {
		value := variantOf(t, 4*n+4)
		frame := append(binary.LittleEndian.AppendUint32(nil, uint32(len(value))), value...)
		sum := md5.Sum(frame)
		d := openBytes(t, slices.Concat([]byte("RPGSAV01"), frame, sum[:], []byte("END!")))
		if d.Framing != "stream" || d.Tree.Region.Length != int64(len(frame)) {
			t.Errorf("%d: %s %s of %d bytes, want %d", n, d.Dialect, d.Framing, d.Tree.Region.Length, len(frame))
		}
	}
}

// TestManyBytes: bytes of which nearly all are zeros, as those of an archive, are no sequence of MessagePack, though each zero is a value
// of it; maps behind one another are.
func TestManyBytes(t *testing.T) {
	save := "\x82\xa4gold\x07\xa4name\xa4Mira"
	zeros := strings.Repeat("\x00", 1500)
	for file, want := range map[string]string{"\x93SV\x01\xff" + save + save + zeros + save: "", save + save + zeros + save: "", strings.Repeat(save, 40): "msgpack"} {
		if d := openBytes(t, []byte(file)); d.Dialect != want {
			t.Errorf("%d bytes are %q, want %q", len(file), d.Dialect, want)
		}
	}
}

// TestBehindDigits: words, sizes and checksums behind a text of digits are a trailer, also where they begin with digits: an edit would
// write them again as a part of the text, or leave them out.
func TestBehindDigits(t *testing.T) {
	save := `{"gold":12,"name":"Mira","party":[{"hp":83},{"hp":12}],"items":["sword","rope"],"seen":[true,false]}`
	var z bytes.Buffer
	w := zlib.NewWriter(&z)
	w.Write([]byte(save))
	w.Close()
	packed := base64.StdEncoding.EncodeToString(z.Bytes())
	for len(packed)%4 > 0 || strings.HasSuffix(packed, "=") {
		z.Reset()
		save = strings.Replace(save, "Mira", "Mira ", 1)
		w.Reset(&z)
		w.Write([]byte(save))
		w.Close()
		packed = base64.StdEncoding.EncodeToString(z.Bytes())
	}
	for _, text := range []string{fmt.Sprintf("%x", save), fmt.Sprintf("%X", save), packed} {
		tails := []string{"\ntrue", "\ndc3853cc\n2026-11-27 10:24", "\nMira\n1.0.3"}
		if text != packed {
			tails = append(tails, "vale yarrow\x00", "vale yarrow\x00\x02\x02\x00\x00", "zyrrow vzlz\x00\x02\x02\x00\x00")
		}
		for _, tail := range tails {
			for _, head := range []string{"", "SAVE\n260\n"} {
				d := openBytes(t, []byte(head+text+tail))
				if n := d.Layers[0].Payload; d.Dialect != "json" || n == nil || n.Size() != int64(len(text)) {
					t.Errorf("%q behind %q and %d digits: %d layers, read as %s", tail, head, len(text), len(d.Layers), d.Title)
				}
			}
		}
	}
}

// TestBeforeUnpadded: base64 without its padding begins behind letters of a header too, where what it holds is sound.
func TestBeforeUnpadded(t *testing.T) {
	save := `{"gold":12,"name":"Mira","party":[{"hp":83},{"hp":12}],"items":["sword","rope"]}`
	for _, head := range []string{"S", "SV", "SAV", "SAVE1", "v1.2", "MYGAME", "key:"} {
		for n := range 3 {
			d := openBytes(t, []byte(head+base64.RawStdEncoding.EncodeToString([]byte(save[:len(save)-1]+strings.Repeat(" ", n)+"}"))))
			if got := d.Tree.Region.Length; d.Dialect != "json" || got != int64(len(save)+n) {
				t.Errorf("%q before %d blanks: %s of %d bytes", head, n, d.Title, got)
			}
		}
	}
}

// TestNumberBesideLines: bytes behind lines of numbers, and one behind a magic word, are no letters of another encoding, so that no repair
// writes them in UTF-8; a word in a text is. A byte behind a value that no text has is not deleted.
func TestNumberBesideLines(t *testing.T) {
	lines := "Kit\r\n71\r\n99999\r\n18\r\n12\r\n21\r\n1\r\n12\r\n10\r\n2\r\n6\r\n2\r\n10\r\n"
	for file, isRepaired := range map[string]bool{
		lines + "3\xd7": false, lines + "\xd73": false, lines + "\xf6\xe5": false, "GSV1\xf8" + lines: false,
		lines + "Zo\xeb": true, lines + "\xc5sa": true, lines + "Ren\xe9\r\n": true, string(variantOf(t, 40)) + "\x1c": false,
	} {
		d, said := openBytes(t, []byte(file)), false
		for _, b := range d.Buffers() {
			err := d.Diagnose(context.Background(), b, diagnose.Options{}, func(f diagnose.Diagnosis) bool {
				said = said || f.Repair != "" && !f.Guess
				return true
			})
			if err != nil {
				t.Error(err)
			}
		}
		if said != isRepaired {
			t.Errorf("%.12q … %q: %s, repaired: %t", file, file[len(file)-6:], d.Title, said)
		}
	}
}

// TestDigestsBeforeBase64: lines with digests before a text in base64 are a header, and not what identifies a device, which has no line ends.
func TestDigestsBeforeBase64(t *testing.T) {
	save := `{"gold": 12, "name": "Mira", "items": ["sword", "rope"], "note": "` + strings.Repeat("x", 440) + `"}`
	body := base64.StdEncoding.EncodeToString([]byte(save))
	digest := fmt.Sprintf("%x\n", md5.Sum([]byte(save)))
	head := "#save\n" + digest + fmt.Sprintln(crc32.ChecksumIEEE([]byte(body))) + digest
	d := openBytes(t, []byte(head+body))
	if d.Dialect != "json" || !own.Is(d.Layers[0].Kind) || own.Ends(d.Layers[0].Layer)[0].Span.Length != int64(len(head)) {
		t.Errorf("%s, %s", d.Layers[0].Title, d.Title)
	}
}

// TestSizeOfRest: a number before a value and a trailer that is the size of both is no frame with bytes left over, where a checksum fits
// the value.
func TestSizeOfRest(t *testing.T) {
	value, tail := variantOf(t, 40), []byte("My Game\x00")
	rest := binary.LittleEndian.AppendUint32(nil, uint32(len(value)+len(tail)))
	sum := md5.Sum(value)
	d := openBytes(t, slices.Concat([]byte("\x06\x00\x00\x00"), sum[:], rest, value, tail))
	if d.Framing != "raw" || d.Tree.Region.Length != int64(len(value)) {
		t.Errorf("%s of %d bytes, want %d", d.Framing, d.Tree.Region.Length, len(value))
	}
}

// TestSoundOtherwise: where what follows a block is sound as several values, but is read as one that is damaged, no repair writes anything.
func TestSoundOtherwise(t *testing.T) {
	value := fromHex(t, "12000000 03000000 04000000 04000000 6e6f7465 04000000 3c000000")
	value = append(value, strings.Repeat("word", 15)...)
	value = append(value, fromHex(t, "04000000 03000000 706f7300 13000000 02000000 03000100 000000000000f83f 03000100 0000000000000240 04000000 02000000 6f6b0000 01000000 01000000")...)
	frame := append(binary.LittleEndian.AppendUint32(nil, uint32(len(value))), value...)
	sum := sha1.Sum(frame)
	d := openBytes(t, slices.Concat([]byte("MYGAME\x00\x00\x02\x00\x00\x00"), binary.LittleEndian.AppendUint32(nil, uint32(len(frame))), make([]byte, 48), sum[:], frame, []byte("\nEND\n")))
	err := d.Diagnose(context.Background(), d.Tree, diagnose.Options{}, func(f diagnose.Diagnosis) bool {
		if f.Severity > span.Note && f.Repair != "" && !f.Guess {
			t.Errorf("%s %s: %s: %s", d.Dialect, d.Framing, f.Message, f.Repair)
		}
		return true
	})
	if err != nil || d.Confidence == detect.Certain {
		t.Error(d.Confidence, err)
	}
}

// TestMeasuredBlank: a single byte before or behind JSON that measures it is a header or trailer, though it may be a blank; others are not.
func TestMeasuredBlank(t *testing.T) {
	for _, n := range []int{9, 13, 32, 5} {
		text := `{"hp":83,"name":"`
		text += strings.Repeat("x", 256+n-len(text)-2) + `"}`
		for file, layers := range map[string]int{string(rune(n)) + text: 1, text + string(rune(n)): 1, text + " ": 0} {
			if n == 32 && layers == 0 {
				continue
			}
			if d := openBytes(t, []byte(file)); d.Dialect != "json" || len(d.Layers) != layers {
				t.Errorf("%d: %s behind %d layers, want %d", n, d.Dialect, len(d.Layers), layers)
			}
		}
	}
}

// TestDamagedSnap: a structure of SNAP that begins with a name is read as such though a byte is changed, lost or added, or
// the end is missing. Most of its bytes are values of MessagePack too.
func TestDamagedSnap(t *testing.T) {
	for _, name := range []string{"snap-7-0-3-save", "snap-4-2-0-save"} {
		b, err := os.ReadFile("../testdata/gamemaker/" + name + ".bin")
		if err != nil {
			t.Fatal(err)
		}
		const n = 10
		known := 0
		for seed := range uint64(n) {
			r := rand.New(rand.NewPCG(seed, 7))
			at := 20 + r.IntN(len(b)-20)
			damaged := [][]byte{b[:at], slices.Concat(b[:at], b[at+1:]), slices.Concat(b[:at], []byte{byte(seed)}, b[at:]), slices.Concat(b[:at], []byte{byte(seed)}, b[at+1:])}[r.IntN(4)]
			if d := openBytes(t, damaged); strings.HasPrefix(d.Dialect, "snap") {
				known++
			} else if d.Dialect != "" {
				t.Errorf("%s: %d: read as %s", name, seed, d.Dialect)
			}
		}
		if known < n*8/10 {
			t.Errorf("%s: only %d of %d are known", name, known, n)
		}
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

// TestAround reads what random files showed to be misread: nothing of a sound file is repaired unless it is asked for.
func TestAround(t *testing.T) {
	value, more := "1b000000 02000000 04000000 02000000 68700000 02000000 53000000 04000000 04000000 6e616d65 04000000 04000000 4d697261", "1b000000 01000000 04000000 05000000 6c6576656c000000 02000000 07000000"
	list := "9301000002000000010000000400000067 6F6C64000000000000000000307A40010000000400000068 65726F01000000040000004D697261"
	sha := sha256.Sum256([]byte("another"))
	digits, frame := base64.StdEncoding.EncodeToString(fromHex(t, value)), base64.StdEncoding.EncodeToString(fromHex(t, "34000000"+value))
	packed := written(func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }, []byte(`{"hp":83,"name":"Mira","gold":1200}`))
	for _, c := range []struct {
		name, file, dialect, framing string
		size                         int64 // of what is read; 0 for any
	}{
		{"a magic before a raw value", "SAVE" + string(fromHex(t, value)), "godot4", "raw", 52},
		{"a large number before a raw value", "\x38\xc5\x07\x91" + string(fromHex(t, value)), "godot4", "raw", 52},
		{"a size before two values", "\x54\x00\x00\x00" + string(fromHex(t, value+more)), "godot4", "sequence", 84},
		{"NULs behind two values", "\x07" + string(fromHex(t, value+more)) + "\x00\x00\x00\x00", "godot4", "sequence", 84},
		{"a word before the digits of a structure", "MYGM" + strings.ReplaceAll(list, " ", ""), "gamemaker-ds", "raw", 0},
		{"a header that ends in a digit of base64", "8\x00\x00\x00\xcc\x00\x00\x00M\x8c\xa4q" + strings.ReplaceAll(list, " ", ""), "gamemaker-ds", "raw", 0},
		{"control characters in JSON", `{"a":"` + "\x01\x1f\x7f\x07" + `","b":"\b\f\v","name":"a few words more, and again a few"}`, "json", "raw", 0},
		{"a size behind a raw value", string(fromHex(t, value+"34000000")), "godot4", "raw", 52},
		{"a word on a line behind JSON", `{"hp":83,"name":"Mira","gold":1200}` + "\nend\n", "json", "raw", 35},
		{"four bytes behind JSON", `{"hp":83,"name":"Mira","gold":1200}` + "\x9e\x01\xfe\x42", "json", "raw", 35},
		{"a size before a value that ends in zeros", "\x34\x00" + string(fromHex(t, "1b000000 02000000 04000000 04000000 6e616d65 04000000 04000000 4d697261 04000000 02000000 68700000 02000000 39300000")), "godot4", "raw", 52},
		{"base64 before a word", base64.StdEncoding.EncodeToString([]byte(`{"hp":83,"name":"Miras","gold":12}`)) + ".0f343b0931126a20f133d67c2b018a3b", "json", "raw", 0},
		{"a word behind gzip", string(packed) + "END!", "json", "raw", 35},
		{"the end of a longer save behind gzip", string(packed) + strings.Repeat("\x9b\x01\xe4k\xf0", 120), "json", "raw", 35},
		{"base64 between lines, of which a part is like a secure save", "1\r\n" + base64.StdEncoding.EncodeToString([]byte(`{"player":{"name":"Bo","hp":76,"xp":64324,"bag":["glade","bolt"],"ok":false,"speed":11.25},"world":{"coins":11339,"lang":"de","quests":[{"id":"bolt0","done":true},{"id":"bolt1","done":true},{"id":"ember2","done":false}],"day":95},"version":3}`)) + "\r\n", "json", "raw", 242},
		{"base64 between lines of digits", "00000048\r\n" + digits + "\r\n1872223738", "godot4", "raw", 52},
		{"base64 behind a hash, before a number", fmt.Sprintf("// save\n%x\n%s\nab287e8f", md5.Sum([]byte("another")), digits), "godot4", "raw", 52},
		{"base64 of a frame behind zeros", strings.Repeat("\x00", 12) + frame, "godot4", "stream", 56},
		{"a number that JSON makes a comment", `29;{"hp":83,"name":"Mira","gold":1200}`, "json", "raw", 35},
		{"an entry that base64 makes a comment", "version=4;" + digits, "godot4", "raw", 52},
		{"sizes before a line of JSON and a number", `-- save --;00000036;36;{"hp":83,"name":"Mira","gold":1200}` + "\n\n00000024", "json", "raw", 36},
		{"sizes before JSON and one digit on a line", `SAVE;35;35;{"hp":83,"name":"Mira","gold":1200}` + "\r\n2\n", "json", "raw", 35},
		{"a netstring", `35:{"hp":83,"name":"Mira","gold":1200},`, "json", "raw", 35},
		{"a size behind a zlib stream", string(written(func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) }, []byte(`{"hp":83,"name":"Mira","gold":1200}`))) + "\x23\x00\x00\x00", "json", "raw", 35},
		{"a hash behind JSON", "\x82" + `{"hp":83,"name":"Mira","gold":1200}` + string(sha[:]), "json", "raw", 35},
		{"a checksum behind gzip", string(packed) + string(binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE(packed))), "json", "raw", 35},
		{"a zlib stream behind 68 bytes", strings.Repeat("\x81\x00\xf3\x07", 17) + string(written(func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) }, []byte(`{"hp":83,"name":"Mira","gold":1200}`))), "json", "raw", 35},
		{"base64 behind 69 characters", "SAVE|" + fmt.Sprintf("%x", sha[:]) + "|" + base64.StdEncoding.EncodeToString([]byte(`{"hp":83,"name":"Mira","gold":1200}`)), "json", "raw", 35},
		{"gzip in base64 behind a line", "v2\n" + base64.StdEncoding.EncodeToString(packed), "json", "raw", 35},
		{"a word that begins like a colour", `#save;1.0;{"hp":83,"name":"Mira","gold":1200}`, "json", "raw", 35},
		{"names of four letters before frames", "META\x34\x00\x00\x00" + string(fromHex(t, value)) + "DATA\x20\x00\x00\x00" + string(fromHex(t, more)), "godot4", "stream", 92},
		{"a count and names before frames", "\x02\x04\x00\x00\x00hero\x34\x00\x00\x00" + string(fromHex(t, value)) + "\x05\x00\x00\x00level\x20\x00\x00\x00" + string(fromHex(t, more)), "godot4", "stream", 92},
		{"the size of the file, which ends like a key, before JSON", "\x00\x00\x00=" + `{"hp":83,"name":"Mira","gold":1200}`, "json", "raw", 35},
		{"a size of eight bytes before a frame", "\x38\x00\x00\x00\x00\x00\x00\x00\x34\x00\x00\x00" + string(fromHex(t, value)), "godot4", "stream", 56},
		{"a NUL behind MessagePack", "\x83\xa2hp\x53\xa4gold\xcd\x04\xb0\xa4name\xabMira Morgan\x00", "msgpack", "raw", 30},
	} {
		d := openBytes(t, []byte(c.file))
		if d.Dialect != c.dialect || d.Framing != c.framing || c.size > 0 && d.Tree.Region.Length != c.size {
			t.Errorf("%s: %s %s of %d bytes", c.name, d.Dialect, d.Framing, d.Tree.Region.Length)
		}
		for _, b := range d.Buffers() {
			if bad, err := score.HasProblem(context.Background(), b, true, func(p *span.Problem) bool { return p.Severity > span.Note }); bad || err != nil {
				t.Errorf("%s: has a problem, %v", c.name, err)
			}
		}
	}
}

// TestCutBehindHeader: the beginning of a further value is no trailer of the game's own, and a cut map is not read from
// one of its values on.
func TestCutBehindHeader(t *testing.T) {
	frame := "30000000 1b000000 02000000 04000000 02000000 68700000 02000000 53000000 04000000 04000000 6e616d65 02000000 07000000"
	pack := "84 a4676f6c64 cb40934a3d70a3d70a a4686f6c64 93 83 a26964 a4726f7065 a16e 02 a171 cd03e8 82 a26964 a36f696c a16e 07 05 a4"
	for _, c := range []struct{ name, file string }{
		{"a value without its text", frame + frame + "14000000 04000000 09000000"},
		{"a value within its text", frame + frame + "14000000 04000000 09000000 656e64206f"},
		{"a list without its last value", frame + frame + "18000000 1c000000 02000000 02000000 05000000"},
		{"a map of MessagePack", pack},
	} {
		d := openBytes(t, append([]byte("KRNL"), fromHex(t, c.file)...))
		isDamaged := false
		for _, b := range d.Buffers() {
			bad, err := score.HasProblem(context.Background(), b, true, func(p *span.Problem) bool { return p.Severity == span.Error })
			if isDamaged = isDamaged || bad; err != nil {
				t.Error(err)
			}
		}
		if !isDamaged && !d.IsForeign() {
			t.Errorf("%s: read as %s %s of %d bytes without a problem", c.name, d.Dialect, d.Framing, d.Tree.Region.Length)
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

// TestFollowingBefore names the numbers before an offset that measure what follows, which an edit leaves stale.
func TestFollowingBefore(t *testing.T) {
	content := []byte(`{"hp": 42, "gold": 1200, "name": "Mira"}`)
	file := append(binary.LittleEndian.AppendUint32([]byte("SAVE"), uint32(len(content))), content...)
	d, err := Open(context.Background(), source.Bytes(file), Options{Offset: 8})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if all := fmt.Sprint(d.FollowingBefore(context.Background())); all != "[{packed size at 0x4 false true}]" {
		t.Error(all)
	}
}

// TestCut: of a file that is cut, behind any header, no part is read as if it were all of it.
func TestCut(t *testing.T) {
	one := `{"hero":"Ann","gold":1375,"bag":[{"id":"rope","n":2},{"id":"oil","n":7}],"hp":5}`
	more := `{"hero": "Ann", "flags": {"king": true, "door": false, "wet": null}, "bag": [{"id": "rope", "n": 2}, {"id": "oil", "n": 7}, {"id": "lamp", "n": 1}], "pos": [1.5, 2.5]}`
	packed := "\x85\xa4hero\xa8Brannoch\xa4gold\xcd\x05\x5f\xa3bag\x93\x82\xa2id\xa4rope\xa1n\x02\x82\xa2id\xa3oil\xa1n\x07\x82\xa2id\xa4lamp\xa1n\x01\xa5flags\x82\xa8met_king\xc3\xa4door\xc2\xa3pos\x92\x05\xcd\x01\x00"
	for _, content := range []string{one, more, packed} {
		size := binary.LittleEndian.AppendUint32(nil, uint32(len(content)))
		for _, head := range []string{"", string(size), "SG\x07" + string(binary.BigEndian.AppendUint32(nil, uint32(len(content)))), "\x05\x00\x00\x001.2.3"} {
			for _, n := range []int{3, 25} {
				d := openBytes(t, []byte(head+content[:len(content)-n]))
				bad, err := score.HasProblem(context.Background(), d.Tree, true, func(p *span.Problem) bool { return p.Severity == span.Error })
				if err != nil || d.Fits() && !bad {
					t.Errorf("%q before %.12q without its last %d bytes: %s of %d bytes, no problem, %v", head, content, n, d.Dialect, d.Tree.Region.Length, err)
				}
			}
		}
	}
}

// TestTrailerIsKept: what looks like a trailer behind a text is not repaired unless that is asked for; what is damaged is.
func TestTrailerIsKept(t *testing.T) {
	text := `{"hero": "Ann", "gold": 1375, "bag": [{"id": "rope", "n": 2}], "hp": 5}`
	for tail, isKept := range map[string]bool{
		"\nend\n": true, "\nEOF": true, "\n#crc 5232aa1b": true, "|3904355907": true, " END": true, "\n9a421c38b91ce790bda4d0c97bc7fdbf": true,
		"\nnul": false, "\n{\"a\": nope}": false, "}": false,
	} {
		for _, mark := range []string{"", "\xef\xbb\xbf"} {
			d := openBytes(t, []byte(mark+text+tail))
			err := d.Diagnose(context.Background(), d.Tree, diagnose.Options{}, func(f diagnose.Diagnosis) bool {
				if f.Severity == span.Error && f.Repair != "" && f.Guess != isKept {
					t.Errorf("%q %q: %s: %s", mark, tail, f.Message, f.Repair)
				}
				return false
			})
			if err != nil {
				t.Error(err)
			}
		}
	}
}

// TestValueLines: a text with a value in digits on each line is read by its lines; one that is only broken, as one value.
func TestValueLines(t *testing.T) {
	const player, other, last = `{"hero": "Ann", "gold": 1375, "bag": [{"id": "rope", "n": 2}], "hp": 20}`, `{"slot": 2}`, `[1, 2, 3]`
	godot := strings.Repeat("\x02\x00\x00\x00\x07\x00\x00\x00", 4)
	values := []string{player, other, last}
	for _, c := range []struct {
		name, end string
		values    []string
		encode    func([]byte) string
	}{
		{"JSON in base64", "\n", values, base64.StdEncoding.EncodeToString},
		{"JSON in base64 without padding", "\r\n", values, base64.RawStdEncoding.EncodeToString},
		{"records of one size", "\n", []string{player, player, player}, base64.StdEncoding.EncodeToString},
		{"JSON in hex", "\r\n", values, hex.EncodeToString},
		{"a word of base64", "\r\n", []string{"12", "amber", "0", "Mira Morgan"}, base64.StdEncoding.EncodeToString},
		{"Godot in hex", "\n", []string{"\x1c\x00\x00\x00\x04\x00\x00\x00" + godot, godot[:8]}, hex.EncodeToString},
	} {
		text := ""
		for _, v := range c.values {
			text += c.encode([]byte(v)) + c.end
		}
		for _, text := range []string{text, strings.TrimSuffix(text, c.end)} {
			d := openBytes(t, []byte(text))
			if starts, err := ValueStarts(context.Background(), d.Tree); d.Dialect != "lines" || len(d.Layers) > 0 || len(starts) != len(c.values) || err != nil {
				t.Errorf("%s: %s of %d values in %d layers %v", c.name, d.Dialect, len(starts), len(d.Layers), err)
			}
		}
		broken := ""
		for i, r := range c.encode([]byte(`[` + strings.Join([]string{player, player, player}, ",") + `]`)) {
			if broken += string(r); i%76 == 75 {
				broken += c.end
			}
		}
		if d := openBytes(t, []byte(broken)); d.Dialect != "json" || len(d.Layers) != 1 {
			t.Errorf("%s, broken: %s in %d layers", c.name, d.Dialect, len(d.Layers))
		}
	}
	padded := base64.StdEncoding.EncodeToString([]byte(other)) + "\n" + base64.StdEncoding.EncodeToString([]byte(player)) + "\n"
	d, err := Open(context.Background(), source.Bytes(padded), Options{Input: "base64"})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if err := d.Layers[0].CanRewrap(); err == nil || !strings.Contains(err.Error(), "texts of their own") {
		t.Errorf("lines of base64 become one text: %v", err)
	}
}

// TestDigitsOfNoise: a long text of digits is not decoded as a whole for each place where what it holds may begin.
func TestDigitsOfNoise(t *testing.T) {
	noise := make([]byte, 400<<10)
	rand.NewChaCha8([32]byte{1}).Read(noise)
	for name, text := range map[string]string{"hexadecimal": hex.EncodeToString(noise), "base64": base64.StdEncoding.EncodeToString(noise)} {
		src := &sourcetest.Counted{Source: source.Bytes(text)}
		if _, err := Open(context.Background(), src, Options{}); err != nil {
			t.Fatal(err)
		}
		if most := 250 * int64(len(text)); src.Bytes > most {
			t.Errorf("%s: %d bytes are read, more than %d", name, src.Bytes, most)
		}
	}
}

// Bytes in which nothing is read have no header of the game's own: two bytes of a save were damaged.
func TestNoHeaderOfUnknown(t *testing.T) {
	save, err := os.ReadFile(filepath.FromSlash("../testdata/godot4/save-inventory.bin"))
	if err != nil {
		t.Fatal(err)
	}
	save[17], save[56] = 200, 123
	d := openBytes(t, save)
	if !d.IsUnexplained() || len(d.Layers) != 0 {
		t.Errorf("%q within %d layers", d.Title, len(d.Layers))
	}
}

// TestBehindFirstLine finds texts and packed bytes behind a line of JSON, which is not the whole save; lines that are all JSON stay values.
func TestBehindFirstLine(t *testing.T) {
	const line = `{"version":7,"size":112}` + "\n"
	packed := base64.StdEncoding.EncodeToString(written(func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) }, []byte(`{"gold":12,"name":"Mira","items":[1,2,3,4]}`)))
	for body, dialect := range map[string]string{
		"[Save]\r\nplayer=\"Ana\"\r\ngold=\"255.000000\"\r\nhp=\"71.000000\"\r\n": "ini",
		"[save]\n\nplayer=\"Ana\"\ngold=250\npos=Vector2(1.5, -2.25)\n":           "configfile",
		packed: "json",
	} {
		if d := openBytes(t, []byte(line+body)); d.Dialect != dialect || !own.Is(d.Layers[0].Kind) || own.Ends(d.Layers[0].Layer)[0].Span.Length != int64(len(line)) {
			t.Errorf("%q: %s, %d layers", body, d.Dialect, len(d.Layers))
		}
	}
	config := "[save]\n\nplayer=\"Ana\"\ngold=250\npos=Vector2(1.5, -2.25)\n"
	if d := openBytes(t, []byte("Name=Quest\nSize=55\n\n"+config)); d.Dialect != "configfile" || len(d.Layers) != 1 {
		t.Errorf("keys before an empty line: %s, %d layers", d.Dialect, len(d.Layers))
	}
	if d := openBytes(t, []byte("name=\"Ana\nhp=\n\n"+config)); len(d.Layers) > 0 {
		t.Errorf("damage before an empty line: %s, %d layers", d.Dialect, len(d.Layers))
	}
	for _, text := range []string{"gold=120\nname=Mira\n[opts]\nvol=0.5", "; settings\nlang=de\n\n[video]\nwidth=800\n", "v=1.0\r\nlast=Player One\r\n[Save1]\r\nhp=\"20.000000\"\r\n"} {
		if d := openBytes(t, []byte(text)); d.Dialect != "ini" || len(d.Layers) > 0 {
			t.Errorf("keys before the first section: %s, %d layers", d.Dialect, len(d.Layers))
		}
	}
	if d := openBytes(t, []byte(line+line+"[1, 2]\n")); len(d.Layers) > 0 || d.Dialect != "jsonl" {
		t.Errorf("JSON lines: %s, %d layers", d.Dialect, len(d.Layers))
	}
}

// TestSizeBeforeTail finds the end of values by the size before them, where nothing else tells the bytes behind from damage, and the file is
// filled up with zeros.
func TestSizeBeforeTail(t *testing.T) {
	text := []byte("[save]\n\nplayer=\"Ana\"\ngold=250\npos=Vector2(1.5, -2.25)\n\n[flags]\n\nintro=true\n")
	stream := written(func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) }, text)
	for _, content := range [][]byte{text, stream} {
		file := append(binary.LittleEndian.AppendUint32([]byte("RPG1\x04\x00\x00\x00"), uint32(len(content))), content...)
		file = append(file, "\x91\x3e"...)
		file = append(file, make([]byte, 512-len(file))...)
		d := openBytes(t, file)
		if d.Dialect != "configfile" {
			t.Errorf("%q: %s", file, d.Title)
			continue
		}
		if ends := own.Ends(d.Layers[0].Layer); ends[0].Span.Length != 12 || ends[1].Span.Offset != int64(12+len(content)) {
			t.Errorf("%q: %v", file, ends)
		}
	}
}

// TestKeptTails: bytes behind a text that are no text, and a word among lines of JSON, are not taken away or written anew unasked.
func TestKeptTails(t *testing.T) {
	lines := "{\"version\":5,\"size\":74}\nZo\u00eb\n71\n30000\n17\n20\n3\n16\n12\n8\n26\n17\n22\n4\n20\n"
	for _, file := range []string{`{"gold": 12, "name": "Mira"}` + "\x8e\x28", lines} {
		d := openBytes(t, []byte(file))
		err := d.Diagnose(context.Background(), d.Tree, diagnose.Options{}, func(f diagnose.Diagnosis) bool {
			if f.Severity > span.Note && f.Repair != "" && !f.Guess {
				t.Errorf("%q: %s", file, f.Message)
			}
			return true
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// TestOlderBehind: what is left of an older, longer file that is packed is named as that, and no part of it as a checksum.
func TestOlderBehind(t *testing.T) {
	pack := func(b []byte) []byte {
		return written(func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }, b)
	}
	words := strings.Fields("iron sword of the old king lantern potion key map rope and torch")
	text, random := `{"bag":["`, rand.New(rand.NewPCG(7, 0))
	for range 900 {
		text += words[random.IntN(len(words))] + " "
	}
	old := pack([]byte(text + `"]}`))
	file := append(pack([]byte(`{"hp":83,"name":"Mira","gold":1200}`)), old[len(old)-500:]...)
	d := openBytes(t, file)
	if d.Dialect != "json" {
		t.Fatal(d.Title)
	}
	if codes := problemsOf(t, d.Layers[0].Tree, span.Note); !slices.Equal(codes, []string{span.TrailingBytes}) {
		t.Errorf("%q", codes)
	}
}

// TestFollowingLines names the numbers in the first lines and the last one of a text that measure the rest of it, and what looks like a hash.
func TestFollowingLines(t *testing.T) {
	body := "Wren of Hollow\n71\n128\n" + strings.Repeat("13\n", 20)
	for file, want := range map[string]string{
		fmt.Sprintf("%d\n%s", len(body), body):                                    "[{packed size at 0x0 false true}]",
		fmt.Sprintf("SAVE 4\nCRC %d\n%s", crc32.ChecksumIEEE([]byte(body)), body): "[{CRC-32 at 0xb true true}]",
		fmt.Sprintf("%s%08x\n", body, crc32.ChecksumIEEE([]byte(body))):           "[]", // it is found, and follows
		"8\n" + body: "[]",
	} {
		d := openBytes(t, []byte(file))
		if all := fmt.Sprint(d.FollowingBefore(context.Background())); all != want || d.LeftSum() != "" {
			t.Errorf("%q: %s, %s", file, all, d.LeftSum())
		}
	}
	for _, file := range []string{"5|a6b084dbb6e702d2118510de36ef815a|" + body, body + "a6b084dbb6e702d2118510de36ef815a\n"} {
		if d := openBytes(t, []byte(file)); d.LeftSum() != "MD5" || d.Dialect != "lines" {
			t.Errorf("%q: %s, %q", file, d.Dialect, d.LeftSum())
		}
	}
}
