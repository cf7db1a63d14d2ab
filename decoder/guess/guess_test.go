package guess

import (
	"bytes"
	"compress/flate"
	"compress/zlib"
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"varview/decoder/wrap/checksum"
	_ "varview/internal/lessgc"
)

// A made is a made-up save: what precedes the values differs in length, and the rest is not random but for some bytes.
func made(r *rand.Rand, put func(b []byte, v int) []byte, v int, isPacked bool) (data []byte, at int64) {
	var b []byte
	for range 2 + r.IntN(3) {
		word := []string{"sword", "rope", "potion", "bread"}[r.IntN(4)]
		b = append(binary.LittleEndian.AppendUint16(b, uint16(len(word))), word...)
		b = append(b, byte(r.IntN(9)), 0, 0, 0)
	}
	at = int64(len(b))
	b = put(b, v)
	b = append(b, "\x04\x00Mira"...)
	for range 20 {
		b = append(b, byte(r.IntN(256)), 0, 0)
	}
	if !isPacked {
		return append([]byte("GAME\x01\x00"), b...), at + 6
	}
	return append([]byte("GAME\x01\x00"), zlibOf(b)...), at
}

// TestPlaces: a value of three bytes or more is found first wherever it stands, in all forms.
func TestPlaces(t *testing.T) {
	for name, put := range map[string]func(b []byte, v int) []byte{
		"u4le":           func(b []byte, v int) []byte { return binary.LittleEndian.AppendUint32(b, uint32(v)) },
		"b24le":          func(b []byte, v int) []byte { return append(b, byte(v), byte(v>>8), byte(v>>16), 200) },
		"u8be":           func(b []byte, v int) []byte { return binary.BigEndian.AppendUint64(b, uint64(v)) },
		"f4be":           func(b []byte, v int) []byte { return binary.BigEndian.AppendUint32(b, math.Float32bits(float32(v))) },
		"f8le":           func(b []byte, v int) []byte { return binary.LittleEndian.AppendUint64(b, math.Float64bits(float64(v))) },
		"u4be times 100": func(b []byte, v int) []byte { return binary.BigEndian.AppendUint32(b, uint32(100*v)) },
	} {
		r := rand.New(rand.NewPCG(1, uint64(len(name))))
		for i := range 40 {
			var files []File
			l := Label{Name: "gold"}
			var want []int64
			for range 3 {
				v := 70000 + r.IntN(1<<23)
				data, at := made(r, put, v, i%2 == 0)
				files, want, l.Values = append(files, Open(data)), append(want, at), append(l.Values, float64(v))
			}
			all := Places(files, []Label{l}, 5)
			if len(all) == 0 || !slices.Equal(all[0].Offsets, want) || all[0].Type != strings.TrimSuffix(name, " times 100") || (all[0].Factor == 100) != strings.HasSuffix(name, "100") || all[0].Likelihood < 0.9 {
				t.Fatalf("%s: %+v, want %v", name, all, want)
			}
		}
	}
}

// TestNowhere: values that are not there are not likely to be.
func TestNowhere(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 3))
	put := func(b []byte, v int) []byte { return binary.LittleEndian.AppendUint32(b, uint32(v)) }
	for range 100 {
		var files []File
		l := Label{Name: "gold"}
		for range 2 {
			data, _ := made(r, put, 90000+r.IntN(1<<22), false)
			files, l.Values = append(files, Open(data)), append(l.Values, float64(300+r.IntN(60000)))
		}
		for _, c := range Places(files, []Label{l}, 5) {
			if c.Likelihood > 0.9 {
				t.Errorf("%v is %+v", l.Values, c)
			}
		}
	}
}

// TestOnce: a place that is also found beside another label is listed once, wherever it lies.
func TestOnce(t *testing.T) {
	for at := range 70 {
		b := append(bytes.Repeat([]byte{0x9d, 0x31, 0xe7, 0x58, 0xb1}, 40)[:at], 0, 0, 0, 0, 0, 0, 0, 0)
		binary.BigEndian.PutUint64(b[at:], math.Float64bits(59210))
		b = binary.BigEndian.AppendUint32(b, math.Float32bits(95))
		b = append(b, bytes.Repeat([]byte{0x31, 0x9d, 0x58}, 20)...)
		seen := map[string]bool{}
		for _, c := range Places([]File{Open(b)}, []Label{{"gold", []float64{59210}, nil}, {"hp", []float64{95}, nil}}, 10) {
			key := fmt.Sprint(c.Label, c.Type, c.Offsets)
			if seen[key] {
				t.Errorf("twice: %+v", c)
			}
			seen[key] = true
		}
	}
}

// TestNotices: what a made-up save has is noticed, with the lines that describe it.
func TestNotices(t *testing.T) {
	packed := zlibOf([]byte("\x00\x05sword\x00\x00\x00\x06potion\x01the end of it all\x00"))
	b := binary.BigEndian.AppendUint32([]byte("SAVE\x00\x03"), uint32(len(packed)))
	b = append(b, packed...)
	sum := crc32.ChecksumIEEE(b)
	data := binary.BigEndian.AppendUint32(b, sum)
	got := map[string]Notice{}
	for _, n := range Notices(Open(data)) {
		got[n.What] = n
	}
	for what, want := range map[string]struct {
		at   int
		line string
	}{
		"magic":                          {0, "contents: [0x53, 0x41, 0x56, 0x45]"},
		"zlib stream":                    {10, "process: zlib"},
		"size of the zlib at 0xa (u4be)": {6, "type: u4be"},
		"text after its length (u2be)":   {2, "size: len_text"},
		"text up to a zero byte":         {18, "type: strz"},
	} {
		n, ok := got[what]
		if !ok || n.Offset != int64(want.at) || !slices.Contains(n.Ksy, want.line) || n.Likelihood < 0.8 {
			t.Errorf("%s: %+v", what, n)
		}
	}
	isSum := false
	for what, n := range got {
		isSum = isSum || strings.HasPrefix(what, "crc32 of 0x0") && n.Offset == int64(len(b))
	}
	if !isSum {
		t.Errorf("no checksum: %v", got)
	}
	if all := Notices(Open([]byte{1, 2, 3})); len(all) > 0 {
		t.Errorf("three bytes are %v", all)
	}
}

// TestFloats: floats with few digits are noticed where they stand, in either order, and the number of texts before them.
func TestFloats(t *testing.T) {
	for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
		e := map[binary.AppendByteOrder]string{binary.LittleEndian: "le", binary.BigEndian: "be"}[order]
		b := order.AppendUint16([]byte("MYGM"), 4)
		for _, name := range []string{"sword", "potion of life", "torch", "golden key"} {
			b = append(order.AppendUint16(b, uint16(len(name))), name...)
		}
		want := []string{"4: number of texts that follow (u2" + e + ") 4"}
		for _, f := range []float32{0.75, -12.3, 1024.5} {
			want = append(want, fmt.Sprintf("%d: float (f4%s) %v", len(b), e, f))
			b = order.AppendUint32(b, math.Float32bits(f))
		}
		b = order.AppendUint32(b, 17)
		for _, f := range []float64{0.1, 83.25} {
			want = append(want, fmt.Sprintf("%d: float (f8%s) %v", len(b), e, f))
			b = order.AppendUint64(b, math.Float64bits(f))
		}
		var got []string
		for _, n := range Notices(Open(b)) {
			if n.name == "float" || n.name == "count" {
				got = append(got, fmt.Sprintf("%d: %s %s", n.Offset, n.What, n.Value))
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, not %q", e, got, want)
		}
	}
}

// TestCounts: a number of records is noticed, whatever they have besides their texts.
func TestCounts(t *testing.T) {
	for _, more := range []int{0, 2} {
		b := []byte("MYGM\x01\x00\x00\x00\x2c\x01\x05")
		for i, name := range []string{"sword", "potion", "lantern", "map", "golden key"} {
			b = append(append(append(b, []byte{9, byte(30 + i)}[:more]...), byte(len(name))), name...)
			b = append(b, byte(40+7*i), 1)
		}
		isNoticed := func(n Notice) bool {
			return n.Offset == 10 && n.What == "number of texts that follow (u1)" && n.Value == "5" && n.Likelihood > 0.5
		}
		if all := Notices(Open(append(b, 99))); !slices.ContainsFunc(all, isNoticed) {
			t.Errorf("with %d bytes before each: %+v", more, all)
		}
	}
}

// TestNarrowCount: the zero that ends a text is no part of the number behind it.
func TestNarrowCount(t *testing.T) {
	b := []byte("MYGM\x01\x02Mira\x00\x05")
	for i, name := range []string{"sword", "potion", "lantern", "map", "golden key"} {
		b = append(binary.BigEndian.AppendUint16(b, uint16(len(name))), name...)
		b = append(b, 3, byte(40+7*i))
	}
	for _, n := range Notices(Open(b)) {
		if n.name == "count" && (n.Offset != 11 || n.Length != 1) {
			t.Errorf("%+v", n)
		}
	}
}

// TestCutText: a number before a text that goes on behind so many characters is not its length, but that of one that ends there is.
func TestCutText(t *testing.T) {
	for data, want := range map[string]string{
		"GAME\x01\x02\x00\x03pickaxe in the mine\x00\x04\x00\x0c": "text up to a zero byte \"pickaxe in the mine\"",
		"GAME\x01\x02\x00\x07pickaxe\x00\x04\x00\x05torch":        "text after its length (u2be) \"pickaxe\"",
	} {
		got := ""
		for _, n := range Notices(Open([]byte(data))) {
			if n.Offset == 8 {
				got = n.What + " " + n.Value
			}
		}
		if got != want {
			t.Errorf("%q: %s, not %s", data, got, want)
		}
	}
}

// TestOrder: numbers have one byte order in a file. The high bytes of a number are no start of the next, the sum at a
// stream's end is its own, and the size of a stream is directly before it.
func TestOrder(t *testing.T) {
	for _, order := range []struct {
		binary.AppendByteOrder
		name, other string
	}{{binary.LittleEndian, "le", "be"}, {binary.BigEndian, "be", "le"}} {
		packed := zlibOf([]byte("\x10\x02\x80\x07 a few words of the body, which are packed, and again a few words of the body \x01\x02\x03"))
		rest := append([]byte("\x07Mirelle"), "\x11\x22\x33\x44\x03\x0fThe Quiet Abbey\x05\x00\x00\x00"...)
		if order.name == "le" {
			rest = append(rest, 9, 0, 0)
		}
		sizeAt := 18 + len(rest)
		rest = order.AppendUint32(rest, uint32(len(packed)))
		body := append(append(order.AppendUint32(nil, uint32(sizeAt)), rest...), packed...)
		data := order.AppendUint16([]byte("LORE"), 3)
		data = order.AppendUint32(data, uint32(14+len(body)))
		data = append(order.AppendUint32(data, crc32.ChecksumIEEE(body)), body...)
		f := Open(data)
		got := map[int64]string{}
		for _, n := range Notices(f) {
			if got[n.Offset] = n.What; strings.HasSuffix(n.Ksy[0], order.other) {
				t.Errorf("%s: %+v", order.name, n)
			}
		}
		for at, want := range map[int]string{6: "size of the file (u4" + order.name + ")", 18: lengthOfText, 19: "text after its length (u1)", sizeAt: "size of the zlib at " + fmt.Sprintf("%#x (u4%s)", sizeAt+4, order.name)} {
			if got[int64(at)] != want {
				t.Errorf("%s: %#x is %q, not %q\n%x", order.name, at, got[int64(at)], want, data)
			}
		}
		if text := Describe(f, "lore"); !strings.Contains(text, "endian: "+order.name) {
			t.Error(text)
		}
	}
}

// TestHonest: what is noticed as likely is not noticed in random bytes, in random numbers, or in saves of formats that
// have no such thing, but in 2 of 100.
func TestHonest(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var noise, numbers, saves [][]byte
	for range 100 {
		var b, n []byte
		for range 40 + r.IntN(3000) {
			b = append(b, byte(r.IntN(256)))
		}
		for range 20 + r.IntN(200) {
			n = append(binary.LittleEndian.AppendUint32(n, uint32(r.IntN(100_000))), make([]byte, r.IntN(4))...)
			n = append(binary.LittleEndian.AppendUint16(n, uint16(r.IntN(2000))), byte(r.IntN(256)))
		}
		noise, numbers = append(noise, b), append(numbers, n)
	}
	for _, of := range []string{"godot3", "godot4", "elephant", "pandemonium", "resource"} {
		names, _ := filepath.Glob("../../testdata/" + of + "/*.*")
		for _, name := range names {
			if b, err := os.ReadFile(name); err == nil && len(b) < 1<<16 {
				saves = append(saves, b)
			}
		}
	}
	if len(saves) < 100 {
		t.Fatalf("%d saves", len(saves))
	}
	for name, c := range map[string]struct {
		files [][]byte
		kinds string // that none of the files has; "" for all
	}{"noise": {noise, ""}, "numbers": {numbers, ""}, "saves": {saves, "time checksum"}} {
		wrong := map[string]int{}
		for _, b := range c.files {
			seen := map[string]bool{}
			for _, n := range Notices(Open(b)) {
				if n.IsSure() && !seen[n.name] && (c.kinds == "" || strings.Contains(c.kinds, n.name)) {
					seen[n.name] = true
					wrong[n.name]++
				}
			}
		}
		for kind, n := range wrong {
			if most := max(2, len(c.files)/50); n > most {
				t.Errorf("%s: %s is noticed in %d of %d files", name, kind, n, len(c.files))
			}
		}
	}
}

// TestFooter: numbers at the end of a long file, which say where that begins or how long the file is, are noticed, in one or in several.
func TestFooter(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 9))
	for what, size := range map[string]func(all, before int) int{
		"size of what precedes (u4le)": func(_, before int) int { return before },
		"size of the file (u4le)":      func(all, _ int) int { return all },
	} {
		var files []File
		for range 3 {
			b := []byte("GAME\x01\x00")
			for range 300 + r.IntN(500) {
				b = append(b, byte(r.IntN(256)*r.IntN(2)))
			}
			files = append(files, Open(append(binary.LittleEndian.AppendUint32(b, uint32(size(len(b)+8, len(b)))), "END!"...)))
		}
		for _, others := range [][]File{nil, files[1:]} {
			all := Notices(files[0], others...)
			if i := slices.IndexFunc(all, func(n Notice) bool { return n.What == what && int(n.Offset) == len(files[0][0].Data)-8 && n.IsSure() }); i < 0 {
				t.Errorf("%s, with %d others: %+v", what, len(others), all)
			}
		}
	}
}

// TestAligned: of two readings of the same bytes the aligned one is first, and it is always there.
func TestAligned(t *testing.T) {
	data := append([]byte("SAVE\x01\x00\x00\x00\x78\x00\x00\x00\x63\x00\x00\x00"), bytes.Repeat([]byte{7, 1, 0, 0}, 10)...)
	all := Places([]File{Open(data)}, []Label{{"gold", []float64{120}, nil}}, 10)
	if len(all) == 0 || all[0].Type != "u4le" || all[0].Offsets[0] != 8 {
		t.Errorf("%+v", all)
	}
}

// TestHunks: what differs in two buffers leads from one to the other, in order, and is no more than was changed.
func TestHunks(t *testing.T) {
	r := rand.New(rand.NewPCG(49, 3))
	for range 300 {
		a := make([]byte, r.IntN(400))
		for i := range a {
			a[i] = byte(r.IntN(256) * r.IntN(2))
		}
		b, changed := bytes.Clone(a), 0
		for range r.IntN(4) {
			at, n := r.IntN(len(b)+1), r.IntN(9)
			end := min(len(b), at+r.IntN(2)*n)
			changed += n
			b = slices.Concat(b[:at], []byte("ABCDEFGHI")[:n], b[end:])
		}
		known := texts{}
		for range r.IntN(4) * r.IntN(2) {
			if from := 1 + r.IntN(len(a)+1); from < len(a) {
				known.add(&Notice{Offset: int64(from), Length: int64(r.IntN(min(9, len(a)-from))), form: "u1"})
			}
		}
		var got []byte
		at, size := 0, 0
		for _, h := range hunksOf(a, b, known, nil) {
			if h.from < at || h.otherFrom != len(got)+h.from-at {
				t.Fatalf("%+v after %d", h, at)
			}
			got = slices.Concat(got, a[at:h.from], b[h.otherFrom:h.otherTo])
			at, size = h.to, size+max(h.to-h.from, h.otherTo-h.otherFrom)
		}
		if got = append(got, a[at:]...); !bytes.Equal(got, b) || changed == 0 && size > 0 {
			t.Fatalf("%x, not %x, of %x", got, b, a)
		}
	}
}

// TestFields: neighbours that differ are rows of their own, in the byte order of the file, also behind what was inserted.
func TestFields(t *testing.T) {
	var files []File
	for i, v := range []struct {
		gold     uint32
		hp       float32
		inserted string
	}{{23098, 90, ""}, {42509, 108, ""}, {54576, 124, "\x01\x00\x04helm"}} {
		b := binary.BigEndian.AppendUint32([]byte("LORE"), uint32(47+len(v.inserted))) // which is the size of the file
		b = append(b, "the same, and long enough"...)
		b = append(b, v.inserted...)
		b = binary.BigEndian.AppendUint32(b, v.gold)
		b = binary.BigEndian.AppendUint32(b, math.Float32bits(v.hp))
		b = append(b, byte(7), byte(i), 9)
		b = append(b, "end"...)
		files = append(files, Open(b))
	}
	got := shownRows(Beside(files, false))
	want := `0x0004 u4be [47 47 54]
0x0021 bytes [- - bytes(01000468656c6d)]
0x0021 u4be [23098 42509 54576]
0x0025 f4be [90 108 124]
0x002a u1 [0 1 2]
`
	if got != want {
		t.Errorf("%s, not\n%s", got, want)
	}
	var same []string
	for _, r := range Beside(files, true) {
		same = append(same, r.Name()+" "+*r.Values[2])
	}
	if want := []string{`0x0000 text "LORE"`, `0x0008 text "the same, and long enough"`, "0x002b bytes bytes(09656e64)"}; !slices.Equal(same, want) {
		t.Errorf("%q, not %q", same, want)
	}
}

// questSave returns a save with a text of any length before numbers, and a list of texts at its end.
func questSave(gold uint32, hp uint16, name string, time float32, items ...string) []byte {
	b := binary.LittleEndian.AppendUint32(nil, gold)
	b = binary.LittleEndian.AppendUint16(b, hp)
	b = append(binary.LittleEndian.AppendUint16(b, uint16(len(name))), name...)
	b = binary.LittleEndian.AppendUint32(b, math.Float32bits(time))
	b = binary.LittleEndian.AppendUint16(b, uint16(len(items)))
	for _, i := range items {
		b = append(append(binary.LittleEndian.AppendUint16(b, uint16(len(i))), i...), 1)
	}
	head := binary.LittleEndian.AppendUint32([]byte("PLN1"), uint32(len(b)+12))
	return append(binary.LittleEndian.AppendUint32(head, crc32.ChecksumIEEE(b)), b...)
}

// TestSeveral: behind texts of other lengths the numbers of several files are beside each other, and a description of the first has them, up to
// where the files are too unlike.
func TestSeveral(t *testing.T) {
	files := []File{
		Open(questSave(1234, 87, "Mira", 12.5, "sword", "rope")),
		Open(questSave(5521, 91, "Theodora", 99.25, "sword", "rope", "lantern")),
		Open(questSave(880, 64, "Bo", 1000.5, "rope")),
	}
	want := `0x000c u4le [1234 5521 880]
0x0010 u2le [87 91 64]
0x0012 u2le [4 8 2]
0x0014 text ["Mira" "Theodora" "Bo"]
0x0018 f4le [12.5 99.25 1000.5]
0x001c u2le [2 3 1]
`
	if got := shownRows(Beside(files, false)); !strings.Contains(got, want) {
		t.Errorf("%s, not\n%s", got, want)
	}
	text := Describe(files[0], "quest", files[1:]...)
	for _, part := range []string{
		"  - id: value # 1234, 5521, 880\n    type: u4le\n  - id: value_2 # 87, 91, 64\n    type: u2le\n  - id: len_text",
		"    encoding: UTF-8\n  - id: value_3 # 12.5, 99.25, 1000.5\n    type: f4le\n  - id: value_4 # 2, 3, 1\n    type: u2le\n",
		"  - id: unknown\n    size-eos: true\n",
	} {
		if !strings.Contains(text, part) {
			t.Errorf("%s\nis not in\n%s", part, text)
		}
	}
	if strings.Contains(text, "text_3") {
		t.Errorf("one of the files has no second item:\n%s", text)
	}
}

// TestStored: a value with decimals is found as the whole number that it is a hundred times, and in a short stream of deflate that its size
// precedes.
func TestStored(t *testing.T) {
	var cents, packed []File
	for i, v := range []float64{12.34, 55.21, 8.8} {
		b := binary.BigEndian.AppendUint32([]byte("CENT\x07\x09\x01"), uint32(math.Round(v*100)))
		cents = append(cents, Open(append(b, byte(i), 9, 9)))
		var z bytes.Buffer
		w, _ := flate.NewWriter(&z, 6)
		w.Write(questSave(uint32(math.Round(v*100)), 5, "Mira", 1, "rope")[12:])
		w.Close()
		packed = append(packed, Open(append(binary.BigEndian.AppendUint32([]byte("DFL1"), uint32(z.Len())), z.Bytes()...)))
	}
	if c := Places(cents, []Label{{Name: "gold", Values: []float64{12.34, 55.21, 8.8}}}, 1); len(c) != 1 || c[0].Factor != 100 || c[0].Offsets[0] != 7 {
		t.Errorf("%v", c)
	}
	if c := Places(packed, []Label{{Name: "gold", Values: []float64{1234, 5521, 880}}}, 1); len(c) != 1 || c[0].Buffer != "deflate at 0x8" || c[0].Offsets[0] != 0 {
		t.Errorf("%v", c)
	}
}

// shownRows returns rows as lines.
func shownRows(rows []*Row) (all string) {
	for _, r := range rows {
		all += r.Name() + " ["
		for i, v := range r.Values {
			if v == nil {
				v = new(string)
				*v = "-"
			}
			all += strings.Repeat(" ", min(i, 1)) + *v
		}
		all += "]\n"
	}
	return all
}

// TestPairs: two numbers that change together may be one that is twice as wide. Both are shown, the aligned one first.
func TestPairs(t *testing.T) {
	for before, want := range map[string]string{
		"SAVE\x01\x00":         "0x0006 u2le [7372 37381 28428]\n0x0008 u2le [103 177 130]\n0x0006 u4le [6757580 11637253 8548108]\n",
		"SAVE\x01\x00\x02\x00": "0x0008 u4le [6757580 11637253 8548108]\n0x0008 u2le [7372 37381 28428]\n0x000a u2le [103 177 130]\n",
	} {
		var files []File
		for i, hp := range []uint16{103, 177, 130} {
			b := binary.LittleEndian.AppendUint16([]byte(before), []uint16{7372, 37381, 28428}[i])
			files = append(files, Open(append(binary.LittleEndian.AppendUint16(b, hp), "a name or other"...)))
		}
		if got := shownRows(Beside(files, false)); got != want {
			t.Errorf("%s, not\n%s", got, want)
		}
	}
}

// TestTaken: the zeros of a float are not the upper half of the number before it.
func TestTaken(t *testing.T) {
	var files []File
	for i, hp := range []uint16{103, 177, 130} {
		b := binary.LittleEndian.AppendUint32([]byte("QS\x01\x00"), []uint32{7372, 37381, 28428}[i])
		b = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint16(b, hp), math.Float32bits(float32(hp)/2))
		files = append(files, Open(append(b, "a name or other"...)))
	}
	hp, _ := parseLabel("hp=103,177,130")
	half, _ := parseLabel("half=51.5,88.5,65")
	all := Places(files, []Label{hp, half}, 5)
	if len(all) == 0 || all[0].Type != "u2le" || all[0].Offsets[0] != 8 {
		t.Errorf("%+v", all)
	}
}

// TestOneOrder: a small number behind a number whose upper half is zeros is not these zeros and itself in the other byte order.
func TestOneOrder(t *testing.T) {
	for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
		var files []File
		for i, gold := range []uint32{1003154, 207391, 37999} {
			b := order.AppendUint32([]byte("QS\x01\x00name\x00\x00\x00"), gold)
			b = append(b, 0, []byte{162, 189, 50}[i], 0)
			files = append(files, Open(append(b, "a name or other"...)))
		}
		gold, _ := parseLabel("gold=1003154,207391,37999")
		hp, _ := parseLabel("hp=162,189,50")
		all := Places(files, []Label{gold, hp}, 5)
		i := slices.IndexFunc(all, func(c Candidate) bool { return c.Label == "hp" })
		if i < 0 || all[0].Offsets[0] != 11 || order == binary.LittleEndian && strings.HasSuffix(all[i].Type, "be") || order == binary.BigEndian && strings.HasSuffix(all[i].Type, "le") {
			t.Errorf("%v: %+v", order, all)
		}
	}
}

// TestTexts: a text is found as it is written in all files.
func TestTexts(t *testing.T) {
	l, err := parseLabel("name=Mira,Bob")
	a, b := []byte("S\x01\x00\x00\x04\x00M\x00i\x00r\x00a\x00tail"), []byte("S\x01\x00\x00\x03\x00B\x00o\x00b\x00tail")
	if all := Places([]File{Open(a), Open(b)}, []Label{l}, 5); err != nil || len(all) == 0 || all[0].Type != "utf-16le" || all[0].Offsets[1] != 6 {
		t.Errorf("%+v, %v", all, err)
	}
}

// TestCovered: a number is the size of what a checksum is of.
func TestCovered(t *testing.T) {
	body := []byte("\x00\x04Ilva\x00\x00\x1c\x8e\x00\x58\x41\x48\x00\x00\x02\x00\x04rope\x02\x00\x04lamp\x01")
	data := binary.BigEndian.AppendUint32([]byte("MOOR\x02"), uint32(len(body)))
	data = append(binary.BigEndian.AppendUint32(data, crc32.ChecksumIEEE(body)), body...)
	if text := Describe(Open(data), "a"); !strings.Contains(text, "-varview-value: _io.size - 13\n") || !strings.Contains(text, "crc32(protected)") {
		t.Error(text)
	}
}

// TestDescribe: the size of a text is the attribute that says it, or a number where something else has its bytes.
func TestDescribe(t *testing.T) {
	for data, want := range map[string]string{
		"OSGQ" + strings.Repeat("\x09", 8) + strings.Repeat("\x00", 31) + "\x03INFO\xc8\xc9\xca\xcb\xcc\xcd\xce\xcf": "size: 3",
		"OSGQ\x05\x00\x00\x00\x0a\x00Mira Stone\xc8\xc9\xca\xcb\xcc\xcd\xce\xcf":                                     "size: len_text",
	} {
		text := Describe(Open([]byte(data)), "a")
		if !strings.Contains(text, want) || strings.Contains(text, "size: len_text") != strings.Contains(text, "id: len_text") {
			t.Errorf("%q: %s", data, text)
		}
	}
}

// TestSums: a checksum is noticed with the bytes that it is of, behind a header of any length, and so is their size. A sum of bytes
// is a small number, which may be chance.
func TestSums(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for i := range 200 {
		order := []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian}[i%2]
		content := make([]byte, 40+r.IntN(400))
		for i := range content {
			content[i] = byte(r.IntN(256))
		}
		head := []byte("GAME")
		for range r.IntN(30) {
			head = append(head, byte(r.IntN(256)))
		}
		sizeAt := len(head)
		head = order.AppendUint32(head, uint32(len(content)))
		kind := checksum.Usual[i%3]
		sumAt, from := len(head)+len(content), len(head)
		data := order.AppendUint32(append(bytes.Clone(head), content...), binary.BigEndian.Uint32(checksum.Sum(kind, content)))
		if i%3 == 0 { // before what it is of
			sumAt, from = len(head), len(head)+4
			data = append(order.AppendUint32(bytes.Clone(head), binary.BigEndian.Uint32(checksum.Sum(kind, content))), content...)
		}
		var sum, size bool
		for _, x := range Notices(Open(data)) {
			sum = sum || x.Offset == int64(sumAt) && x.name == "checksum" && x.from == int64(from) && x.to == int64(from+len(content)) && x.IsSure()
			size = size || x.Offset == int64(sizeAt) && x.name == "size" && x.Likelihood > 0.5
		}
		if isSmall := kind == "sum32"; !isSmall && (!sum || !size) {
			t.Errorf("%s at %#x of what begins at %#x: noticed %v, its size at %#x %v", kind, sumAt, from, sum, sizeAt, size)
		}
	}
}

// TestShorterFile: files of any length can be beside a longer one.
func TestShorterFile(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	random := func(n int) File {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.IntN(256))
		}
		return Open(b)
	}
	for n := range 100 {
		Notices(random(100), random(n))
	}
}

// zlibOf returns bytes as zlib packs them.
func zlibOf(data []byte) []byte {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	w.Write(data)
	w.Close()
	return b.Bytes()
}

// isTold reports whether two files are the same but for places of the first and the second, in order, and for what is unpacked.
func isTold(rows []*Row, a, b []byte) bool {
	if slices.ContainsFunc(rows, func(r *Row) bool { return r.Buffer != "" }) {
		return true
	}
	atA, atB := int64(0), int64(0)
	for _, r := range Apart(rows, "") {
		was, _ := r.In(0)
		is, _ := r.In(1)
		if is.Offset < atB || !bytes.Equal(a[atA:was.Offset], b[atB:is.Offset]) {
			return false
		}
		atA, atB = was.End(), is.End()
	}
	return bytes.Equal(a[atA:], b[atB:])
}

// TestUnlikeFiles: files that have nothing in common can be beside each other, what is said of a place is there, and nothing that
// differs is left out.
func TestUnlikeFiles(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	some := func() File {
		b := make([]byte, []int{0, 1, 3, 4, 12, 16, 60}[r.IntN(7)])
		kind := r.IntN(5)
		for i := range b {
			switch kind {
			case 1:
				b[i] = byte(r.IntN(256))
			case 2:
				b[i] = "hero\x00\x05\x00\x00\x00"[i%9]
			case 3:
				b[i] = byte(r.IntN(4))
			case 4:
				b[i] = "abcd"[i*i%7%4]
			}
		}
		if kind == 4 {
			b = append(zlibOf(b), b[:len(b)/4]...)
			b[r.IntN(len(b))] ^= byte(r.IntN(2))
		}
		return Open(b)
	}
	for range 1000 {
		a, b := some(), some()
		files := [][]File{{a, b}, {a, b, a}, {a, some(), b}}[r.IntN(3)]
		Describe(files[0], "x", files[1:]...)
		for _, isSame := range []bool{false, true} {
			rows := Beside(files, isSame)
			if !isSame && len(files) == 2 && !isTold(rows, a[0].Data, files[1][0].Data) {
				t.Fatalf("% x\n% x:\n%s", a[0].Data, files[1][0].Data, shownRows(rows))
			}
			for _, row := range rows {
				for i := range files {
					if at, data := row.In(i); at.Offset < 0 || at.Length < 0 || at.End() > int64(len(data)) {
						t.Fatalf("%s is at %v of %d bytes", row.Name(), at, len(data))
					}
				}
			}
		}
	}
}

// TestSameAgain: a byte that is a sum by chance is none because it is one in a second file of the same bytes too.
func TestSameAgain(t *testing.T) {
	const save = "RPGS\x03\x00%s\x0e\x00\x00\x33\x00\x04\x00Mira\x02\x00\x05\x00sword\x01\x00\x00\x00\x00\x00\x00\x3f\x05\x00bread\x0c\x00\x00\x00\x00\x00\x80\x3f\x81\x82\x83\x84"
	for _, n := range Notices(Open(fmt.Appendf(nil, save, "d")), Open(fmt.Appendf(nil, save, "_"))) {
		if n.name == "checksum" && n.IsSure() {
			t.Errorf("%+v", n)
		}
	}
}

// TestSumsOfSeveral: every kind of checksum is noticed in several files, also of one byte: before what it is of, behind it, and of all
// with itself as zeros; a size is surely one. What is equal by chance in one file is not there.
func TestSumsOfSeveral(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for _, kind := range checksum.Usual {
		for _, where := range []string{"before", "behind", "zeroed"} {
			var files []File
			var at, from int
			for range 3 {
				content := make([]byte, 40+r.IntN(100))
				for i := range content {
					content[i] = byte(r.IntN(256))
				}
				content[20] = byte(len(content) + 21) // what follows it, perhaps, in one file or another
				sum := checksum.Sum(kind, content)
				data := binary.BigEndian.AppendUint16([]byte("GAME"), uint16(len(content)))
				switch at, from = 6, 6+len(sum); where {
				case "before":
					binary.BigEndian.PutUint16(data[4:], uint16(2+len(sum)+len(content))) // of all but the magic
					data = slices.Concat(data, sum, content)
				case "behind":
					at, from, data = 6+len(content), 6, slices.Concat(data, content, sum)
				default:
					data = slices.Concat(data, make([]byte, len(sum)), content)
					copy(data[6:], checksum.Sum(kind, data))
				}
				files = append(files, Open(data))
			}
			var sum, size bool
			all := Notices(files[2], files[:2]...)
			for _, x := range all {
				isSum := strings.HasPrefix(x.What, kind+" of ") && (x.from == int64(from) || x.isZeroed && where == "zeroed")
				sum = sum || x.Offset == int64(at) && isSum && (x.IsSure() || kind == "xor8")
				size = size || x.Offset == 4 && x.name == "size" && x.IsSure()
				if x.Offset == int64(from)+20 && x.name == "size" {
					t.Errorf("%s: %v", kind, x)
				}
			}
			if !sum || !size {
				t.Errorf("%s, %s: %v, size %v: %+v", kind, where, sum, size, all)
			}
		}
	}
}

// TestPartSums: the checksum of a part is noticed: of a header, of chunks with their sizes, of sections in a table; and in a description.
func TestPartSums(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	some := func(n int) (b []byte) {
		for range n {
			b = append(b, byte(r.IntN(256)))
		}
		return b
	}
	u4, sum := binary.BigEndian.AppendUint32, func(b []byte) []byte { return binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(b)) }
	for name, save := range map[string]func() (data []byte, at, from, size int){
		"header": func() ([]byte, int, int, int) {
			head := slices.Concat([]byte("GAME"), some(20))
			return slices.Concat(head, sum(head), some(90)), 24, 0, 24
		},
		"chunk": func() ([]byte, int, int, int) {
			body := slices.Concat([]byte("HEAD"), some(30+r.IntN(9)))
			return slices.Concat([]byte("GAME\x0d\x0a\x1a\x0a"), u4(nil, uint32(len(body)-4)), body, sum(body), some(70)), 12 + len(body), 12, len(body)
		},
		"section": func() ([]byte, int, int, int) {
			body := some(50 + r.IntN(9))
			return slices.Concat([]byte("GAME"), u4(u4([]byte("PLAY"), 60), uint32(len(body))), sum(body), some(40), body, some(30)), 16, 60, len(body)
		},
	} {
		for _, n := range []int{1, 3} {
			var files []File
			var at, from, size int
			for range n {
				var data []byte
				data, at, from, size = save()
				files = append(files, Open(data))
			}
			last := files[n-1]
			all := Notices(last, files[:n-1]...)
			i := slices.IndexFunc(all, func(x Notice) bool { return x.Offset == int64(at) && x.name == "checksum" })
			if i < 0 || !all[i].IsSure() || (all[i].part != part{from, from + size, at}) {
				t.Errorf("%s of %d files: %+v", name, n, all)
				continue
			}
			if text := Describe(last, "x"); n == 1 && !strings.Contains(text, fmt.Sprintf("pos: %d\n    size: %d\n", from, size)) {
				t.Errorf("%s: %s", name, text)
			}
		}
	}
}

// TestManyTexts: short texts in a large file are noticed if there are more of them than by chance.
func TestManyTexts(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	var data []byte
	names := []string{"Oskar", "Bo the Old", "Mira", "Yrsa"}
	for len(data) < 3<<20 {
		name := names[r.IntN(len(names))]
		data = append(append(data, byte(len(name)), 0), name...)
		for range 24 {
			data = append(data, byte(r.IntN(256)))
		}
	}
	right, all := 0, 0
	for _, n := range Notices(Open(data)) {
		if n.name == "text" && n.Likelihood > likely {
			all++
			if text, err := strconv.Unquote(n.Value); err == nil && slices.Contains(names, text) && n.form == "u2le" {
				right++
			}
		}
	}
	if all < 500 || right < all*99/100 {
		t.Errorf("of %d texts %d are", all, right)
	}
}

// TestWideTexts notices texts in UTF-16 with their lengths, in characters or bytes.
func TestWideTexts(t *testing.T) {
	words := []string{"amber of dune", "bolt", "crown of iron and of a few more words than one has", "ember of kelp"}
	for name, c := range map[string]struct {
		order  binary.AppendByteOrder
		length func(b []byte, n int) []byte
		what   string
	}{
		"characters":      {binary.LittleEndian, func(b []byte, n int) []byte { return binary.LittleEndian.AppendUint16(b, uint16(n)) }, "UTF-16LE text after its length (u2le)"},
		"bytes":           {binary.LittleEndian, func(b []byte, n int) []byte { return binary.LittleEndian.AppendUint32(b, uint32(2*n)) }, "UTF-16LE text after its length (u4le)"},
		"the other order": {binary.BigEndian, func(b []byte, n int) []byte { return binary.BigEndian.AppendUint32(b, uint32(n)) }, "UTF-16BE text after its length (u4be)"},
	} {
		data := []byte{9, 1, 0xee, 0x80, 3, 0x99}
		for _, w := range words {
			data = c.length(data, len(w))
			for _, r := range w {
				data = c.order.AppendUint16(data, uint16(r))
			}
			data = append(data, 0xc3, 0x41, 0x99)
		}
		found := 0
		for _, n := range Notices(Open(data)) {
			if n.What == c.what && slices.Contains(words, strings.Trim(n.Value, `"`)) {
				found++
			}
		}
		if found < len(words) {
			t.Errorf("%s: only %d of %d texts are noticed", name, found, len(words))
		}
	}
}

// TestBegins notices what a file begins with as PNG does, and texts in UTF-16 with letters that are not of ASCII.
func TestBegins(t *testing.T) {
	data := []byte("\x89HRO\r\n\x1a\n\x09\x00\x00\x01\x0f\x00")
	for _, r := range "Höhle des Bären" {
		data = binary.LittleEndian.AppendUint16(data, uint16(r))
	}
	values := ""
	for _, n := range Notices(Open(append(data, "\x81\x90\xfe\x01\x00\x02\x90"...))) {
		values += n.name + " " + n.Value + "\n"
	}
	for _, want := range []string{`magic "\x89HRO\r\n\x1a\n"`, `text "Höhle des Bären"`} {
		if !strings.Contains(values, want) {
			t.Errorf("%s is not among\n%s", want, values)
		}
	}
}

// TestRecords notices records of equal length, of numbers of several kinds.
func TestRecords(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 12))
		data := []byte("RC\x03\x00\x00"[:1+r.IntN(5)])
		for i := range 12 + r.IntN(60) {
			data = binary.LittleEndian.AppendUint32(data, uint32(1000+i))
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(r.Float32()*100))
			data = binary.LittleEndian.AppendUint16(data, uint16(r.IntN(300)))
			data = append(data, byte(r.IntN(3)), 0)
		}
		is := ""
		for _, n := range Notices(Open(data)) {
			if n.name == "records" && n.IsSure() {
				is = n.Value
			}
		}
		if is != "12 bytes each" {
			t.Errorf("%d: %q of %d bytes", seed, is, len(data))
		}
	}
}

// TestUnpackedInOne: what differs in a stream, which the other file has not or is damaged there, is left out nowhere.
func TestUnpackedInOne(t *testing.T) {
	a := append([]byte("SAVE\x01\x00\x00\x00"), zlibOf([]byte("gold 120, hp 20, and a sword of the north"))...)
	a = append(a, "end of it all"...)
	b := slices.Clone(a)
	b[14] ^= 0x40
	if rows := Beside([]File{Open(a), Open(b)}, false); len(rows) == 0 || !isTold(rows, a, b) {
		t.Errorf("%q", shownRows(rows))
	}
}

// TestNewOfSeveral: what is described is in all files: texts that others have not end it, of two streams each has its own size, and a
// checksum at the end is found from there.
func TestNewOfSeveral(t *testing.T) {
	var files []File
	for i, text := range []string{"a title", "some other title", "x of many more words than the others have"} {
		one, two := zlibOf([]byte(text+" is told")), zlibOf([]byte(strings.Repeat(text, 3+i)))
		data := binary.LittleEndian.AppendUint32([]byte("KEEP"), uint32(len(one)))
		data = binary.LittleEndian.AppendUint32(data, uint32(len(two)))
		data = binary.LittleEndian.AppendUint32(data, uint32(len(text)*(3+i)))
		data = append(append(append(data, one...), two...), "\x07\x00\x00"...)
		if i == 1 {
			data = append(data, "\xee\xdd\xcc"...)
		} else {
			data = append(data, "\x09\x00a long sword\x00"[:11+i]...)
		}
		files = append(files, Open(binary.LittleEndian.AppendUint32(data, crc32.ChecksumIEEE(data))))
	}
	text := Describe(files[0], "a", files[1:]...)
	for _, want := range []string{"size: size\n    process: zlib", "size: size_2\n    process: zlib", "-varview-value: zlib_2._sizeof", "pos: _io.size - 4\n    type: u4le\n    -varview-value: crc32(protected)", "size-eos: true"} {
		if !strings.Contains(text, want) || strings.Contains(text, "sword") {
			t.Errorf("%s is not in\n%s", want, text)
		}
	}
}

// TestEncrypted notices bytes that AES left, with and without the mark of OpenSSL, and names the recipe that goes on; texts, numbers and
// a header before them are none.
func TestEncrypted(t *testing.T) {
	plain := []byte(strings.Repeat(`{"gold":120,"name":"Mira"}`, 24))[:608]
	block, _ := aes.NewCipher([]byte("0123456789abcdef"))
	sealed := make([]byte, len(plain))
	cipher.NewCBCEncrypter(block, make([]byte, 16)).CryptBlocks(sealed, plain)
	for data, want := range map[string]string{
		string(sealed): "key", "Salted__saltsalt" + string(sealed): "password", string(sealed[1:]): "", string(plain): "",
		strings.Repeat("\x01\x00\x00\x00\x22\x00\x00\x00", 40): "", "SAVEGAME\x01\x00\x00\x00\x60\x02\x00\x00" + string(sealed) + strings.Repeat("\x00", 64): "",
	} {
		got := ""
		for _, n := range Notices(Open([]byte(data))) {
			if _, setting, ok := strings.Cut(n.Command("a.sav"), `"aes-cbc", `); ok && n.IsSure() {
				got, _, _ = strings.Cut(setting, " ")
			}
		}
		if got != want {
			t.Errorf("%.12q: %q, want %q", data, got, want)
		}
	}
}

// TestByteOrderOfText: a text in UTF-16 behind a number is not taken for one of the other byte order that begins in the number.
func TestByteOrderOfText(t *testing.T) {
	text := "\x03\x00"
	for _, c := range "Bartholomew" {
		text += string([]byte{byte(c), 0})
	}
	for _, n := range Notices(Open([]byte(text + "\x00\x00\x5f\x00\x00\x00"))) {
		if strings.Contains(n.What, "UTF-16BE") {
			t.Errorf("%s at %d", n.What, n.Offset)
		}
	}
}

// TestLastLength: the length of the last text of a file is that, although it is the size of what follows as well.
func TestLastLength(t *testing.T) {
	var saves []File
	for _, digits := range []string{
		"5250475302004f0000007522e0a6100e0000044d6972610000af420000c842e2040000000000000100030007000100ffffffffffffffffffffffffffffffffffffffffffffffff03000400746f776e0400636176650600636173746c65",
		"5250475302004f000000e81d20d00e100000044d697261000071420000c8428205000000000000010002000700010009000400ffffffffffffffffffffffffffffffffffffffff03000400746f776e0400636176650600636173746c65",
	} {
		data, err := hex.DecodeString(digits)
		if err != nil {
			t.Fatal(err)
		}
		saves = append(saves, Open(data))
	}
	for _, n := range Notices(saves[0], saves[1]) {
		if n.Offset == 0x55 && n.name != "len_text" {
			t.Errorf("%s, %v", n.What, n.Ksy)
		}
	}
}

// A pack is bytes that numbers and texts are put behind.
type pack struct {
	binary.AppendByteOrder
	b []byte
}

func (p *pack) u2(v int) *pack       { p.b = p.AppendUint16(p.b, uint16(v)); return p }
func (p *pack) u4(v int) *pack       { p.b = p.AppendUint32(p.b, uint32(v)); return p }
func (p *pack) raw(s string) *pack   { p.b = append(p.b, s...); return p }
func (p *pack) short(s string) *pack { return p.raw(string(rune(len(s)))).raw(s) }
func (p *pack) wide(s string) *pack {
	p.u2(len(s))
	for _, c := range s {
		p.b = binary.LittleEndian.AppendUint16(p.b, uint16(c))
	}
	return p
}

// heroes, things and golds are values of saves.
var (
	heroes = []string{"Ada", "Bartholomew", "Chloe Winter"}
	things = []string{"iron sword", "lantern", "healing potion", "rope", "old map", "silver key", "bread", "wooden shield"}
	golds  = []int{40711, 61153, 30062}
)

// TestMadeFormats: in saves of formats that are unlike one another what is there is noticed, in the right place and form, and nothing is
// likely that is not there.
func TestMadeFormats(t *testing.T) {
	le, be := binary.LittleEndian, binary.BigEndian
	deflated := func(b []byte) string {
		var to bytes.Buffer
		w, _ := flate.NewWriter(&to, 9)
		w.Write(b)
		w.Close()
		return to.String()
	}
	for name, c := range map[string]struct {
		make func(i int) []byte
		want []string // "0x0c what" in the first file
		not  []string // what is not said as likely
	}{
		"a directory": {func(i int) []byte {
			hero := (&pack{le, nil}).short(heroes[i]).u4(golds[i]).u2(90 + 7*i).b
			bag := (&pack{le, nil}).u2(4 + i)
			for k := range 4 + i {
				bag.short(things[(k+2*i)%8])
			}
			p := (&pack{le, nil}).raw("DIRS").u4(2)
			at := 32
			for k, s := range [][]byte{hero, bag.b} {
				p.raw([]string{"HERO", "BAGS"}[k]).u4(at).u4(len(s))
				at += len(s)
			}
			return append(append(p.b, hero...), bag.b...)
		}, []string{"0x20 length of a text", "0x21 text after its length (u1)", "0x2d text after its length (u1)"}, []string{"HER", "u4be", "u2be"}},
		"UTF-16 behind a number": {func(i int) []byte {
			p := (&pack{le, nil}).raw("U16S").u4(1).wide(heroes[i]).u4(golds[i])
			for k := range 5 {
				p.wide(things[(k+i)%8]).u4(100 + golds[i]*k)
			}
			return p.b
		}, []string{"0x0a UTF-16LE text after its length (u2le)", "0x16 UTF-16LE text after its length (u2le)"}, []string{"UTF-16BE"}},
		"a checksum of what unpacks, behind it": {func(i int) []byte {
			plain := (&pack{le, nil}).u4(golds[i])
			for k := range 6 + i {
				plain.short(things[(k+i)%8])
			}
			z := zlibOf(plain.b)
			return (&pack{le, nil}).raw("ZSV\x02").u4(len(plain.b)).u4(len(z)).raw(string(z)).u4(int(crc32.ChecksumIEEE(plain.b))).b
		}, []string{"0x04 size of what unpacks from the zlib at 0xc (u4le)", "0x08 size of the zlib at 0xc (u4le)", "0x%x crc32 of what unpacks from zlib at 0xc (u4le)"}, nil},
		"deflate apart from its size": {func(i int) []byte {
			plain := (&pack{be, nil}).u4(len(heroes[i])).raw(heroes[i]).u4(golds[i])
			for k := range 6 {
				plain.u4(len(things[k+i])).raw(things[k+i]).u4(3 + k)
			}
			return (&pack{le, nil}).raw("DEFL").u4(len(plain.b)).u4(1_700_000_000 + 100_000*i).raw(deflated(plain.b)).b
		}, []string{"0x0c deflate stream", "0x04 size of what unpacks from the deflate at 0xc (u4le)", "0x00 length of a text", "0x04 text after its length (u4be)"}, []string{"all but"}},
		"a checksum of 2 bytes in the header": {func(i int) []byte {
			p := (&pack{le, nil}).raw(heroes[i]).raw("\x00").u4(golds[i])
			for k := range 6 {
				p.raw(things[(k+i)%8]).raw("\x00")
			}
			sum := int(be.Uint16(checksum.Sum("crc16_ccitt", p.b)))
			return (&pack{le, nil}).raw("BP\x01\x00").u2(sum).raw(string(p.b)).b
		}, []string{"0x04 crc16_ccitt of 0x6–0x47 (u2le)"}, nil},
	} {
		var files []File
		for i := range 3 {
			files = append(files, Open(c.make(i)))
		}
		said := ""
		for _, n := range Notices(files[0], files[1:]...) {
			if n.Likelihood > 0.6 {
				said += fmt.Sprintf("%#02x %s %s %s\n", n.Offset, n.What, n.Value, n.Ksy[0])
			}
		}
		for _, want := range c.want {
			if strings.Contains(want, "%x") {
				want = fmt.Sprintf(want, len(files[0][0].Data)-4)
			}
			if !strings.Contains(said, want) {
				t.Errorf("%s: %q is not in\n%s", name, want, said)
			}
		}
		for _, not := range c.not {
			if strings.Contains(said, not) {
				t.Errorf("%s: %q is in\n%s", name, not, said)
			}
		}
	}
}

// TestTimes: a number of 4 bytes is a time where all saves have one, each a later one, near their start; others are not, nor are floats,
// and of one save none. In the rows and descriptions of several it is one number.
func TestTimes(t *testing.T) {
	saves := func(values ...uint32) (files []File) {
		for i, v := range values {
			b := binary.LittleEndian.AppendUint32([]byte("GAME\x03\x00\x00\x00"), v)
			b = append(binary.LittleEndian.AppendUint16(b, uint16(golds[i%3])), "\x04\x00Mira\x00\x00"...)
			files = append(files, Open(b))
		}
		return files
	}
	const a, b, c = 1_722_945_678, 1_723_111_222, 1_724_999_111
	for name, test := range map[string]struct {
		files []File
		want  bool
	}{
		"rising":  {saves(a, b, c), true},
		"falling": {saves(c, b, a), false},
		"one":     {saves(a), false},
		"early":   {saves(900_000_000, 900_100_000, 900_200_000), false},
		"floats":  {saves(math.Float32bits(100.25), math.Float32bits(220.5), math.Float32bits(340.75)), false},
		"later":   {saves(3_900_000_001, 3_900_100_002, 3_900_200_003), false},
	} {
		is := slices.ContainsFunc(Notices(test.files[0], test.files[1:]...), func(n Notice) bool { return n.What == "time in seconds (u4le)" && n.Offset == 8 && n.Likelihood > 0.5 })
		if is != test.want {
			t.Errorf("%s: noticed %v", name, is)
		}
	}
	if text := Describe(saves(a, b, c)[0], "a", saves(a, b, c)[1:]...); !strings.Contains(text, "1722945678, 1723111222, 1724999111\n    type: u4le") {
		t.Error(text)
	}
}

// TestDescribeHalves: of the number of 4 bytes that two numbers of 2 bytes may be as well, only the first is described, before the
// count that is noticed: value, value_2 and count, as the page on descriptions names them.
func TestDescribeHalves(t *testing.T) {
	var files []File
	for i := range 3 {
		b, err := os.ReadFile(fmt.Sprintf("../../testdata/kaitai/quest/slot%d.sav", i+1))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, Open(b))
	}
	text := Describe(files[0], "a", files[1:]...)
	for _, want := range []string{"id: value # 7372, 37381, 28428\n    type: u4le", "id: value_2 # 103, 177, 130\n    type: u2le\n  - id: count #", "id: len_text_2 "} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

// TestFixedTexts: a text in a fixed number of bytes is one where other saves have a shorter or longer one in as many, and what is behind
// it stays where it is; the numbers around tell the byte order.
func TestFixedTexts(t *testing.T) {
	var files []File
	for i := range 3 {
		p := (&pack{binary.BigEndian, nil}).raw("MGS1").u4(20 + 5*i).raw(heroes[i] + strings.Repeat("\x00", 24-len(heroes[i]))).u4(golds[i]).u2(100 + i).raw("\x81\x00")
		for k := range 12 + i {
			p.raw(things[(k+i)%8] + strings.Repeat("\x00", 16-len(things[(k+i)%8]))).u4(3 + 91*k + 17*i).u2(k + 2*i).u2(i)
		}
		files = append(files, Open(p.b))
	}
	text := Describe(files[0], "a", files[1:]...)
	for _, want := range []string{"endian: be", "20, 25, 30\n    type: u4be\n  - id: text #", "\"Ada\"", "size: 24\n    terminator: 0", "40711, 61153, 30062\n    type: u4be", "size: 16\n    terminator: 0", "size-eos: true"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if rows := shownRows(Beside(files, false)); !strings.Contains(rows, `"Bartholomew"`) {
		t.Errorf("%q", rows)
	}
}

// TestEndedTexts: texts up to a zero byte are rows, and attributes, of files in which they differ in length, and numbers behind them are
// beside each other.
func TestEndedTexts(t *testing.T) {
	var files []File
	for i := range 3 {
		p := (&pack{binary.LittleEndian, nil}).raw("ENDS").u2(7).raw(heroes[i] + "\x00").raw(things[i] + "\x00").u4(golds[i]).u2(100 + i)
		files = append(files, Open(p.raw("\xff\xfe\xfd\xfc\x00\x01").b))
	}
	rows := shownRows(Beside(files, false))
	for _, want := range []string{`text ["Ada" "Bartholomew" "Chloe Winter"]`, `text ["iron sword" "lantern" "healing potion"]`, "[40711 61153 30062]", "u2le [100 101 102]"} {
		if !strings.Contains(rows, want) {
			t.Errorf("%s is not in\n%s", want, rows)
		}
	}
	if text := Describe(files[0], "a", files[1:]...); strings.Count(text, "type: strz") != 2 || !strings.Contains(text, "40711, 61153, 30062\n    type: u4le") {
		t.Error(text)
	}
}

// TestDescribePacked: of files that are packed as a whole what unpacks from them is described, which a description reads as well.
func TestDescribePacked(t *testing.T) {
	var files []File
	for i := range 3 {
		p := (&pack{binary.LittleEndian, nil}).raw("PACK").u2(len(heroes[i])).raw(heroes[i]).u4(golds[i])
		files = append(files, Open(zlibOf(p.b)))
	}
	if text := Describe(files[0], "a", files[1:]...); !strings.Contains(text, "contents: [0x50, 0x41, 0x43, 0x4b]") || !strings.Contains(text, "40711, 61153, 30062\n    type: u4le") {
		t.Error(text)
	}
}
