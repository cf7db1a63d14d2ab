package own

import (
	"context"
	"crypto/md5"
	"encoding/binary"
	"fmt"
	"hash/adler32"
	"hash/crc32"
	"math"
	"slices"
	"strings"
	"testing"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/wrap/layer"
)

func little(n uint32) string    { return string(binary.LittleEndian.AppendUint32(nil, n)) }
func crcOf(b string) string     { return little(crc32.ChecksumIEEE([]byte(b))) }
func jamOf(b string) string     { return little(^crc32.ChecksumIEEE([]byte(b))) }
func sizeOfAll(b string) string { return little(uint32(len(b))) }

// TestEndings: sizes and checksums follow, whatever they take in of the line ends and zeros behind a text, which are the content's or
// before a trailer, and whether these fill a buffer of a fixed size.
func TestEndings(t *testing.T) {
	heads := map[string]func(b string) string{
		"size":              sizeOfAll,
		"magic, size":       func(b string) string { return "GMSV" + sizeOfAll(b) },
		"big-endian size":   func(b string) string { return "GMSV" + string(binary.BigEndian.AppendUint32(nil, uint32(len(b)))) },
		"version, size":     func(b string) string { return "\x02\x00" + sizeOfAll(b) },
		"size, CRC-32":      func(b string) string { return sizeOfAll(b) + crcOf(b) },
		"CRC-32, size":      func(b string) string { return crcOf(b) + sizeOfAll(b) },
		"CRC-32":            func(b string) string { return "GMSV" + crcOf(b) },
		"size, GameMaker's": func(b string) string { return "GMSV" + sizeOfAll(b) + jamOf(b) },
		"size, Adler-32":    func(b string) string { return sizeOfAll(b) + little(adler32.Checksum([]byte(b))) },
		"MD5":               func(b string) string { sum := md5.Sum([]byte(b)); return "SV01" + string(sum[:]) },
	}
	tails := map[string]func(b string) string{
		"none": func(string) string { return "" },
		"word": func(string) string { return "END." },
		"CRC":  func(b string) string { return crcOf(b) },
	}
	for ending, taken := range map[string][]string{
		"\x00": {"", "\x00"}, "\n": {"", "\n"}, "\r\n\x00": {"", "\r\n", "\r\n\x00"}, strings.Repeat("\x00", 700): {"", "\x00"},
		"\n" + strings.Repeat("\x00", 700): {"", "\n", "\n\x00"},
	} {
		for _, in := range taken {
			for headTitle, head := range heads {
				for tailTitle, tail := range tails {
					title := fmt.Sprintf("%.5q, of it %q, head %s, tail %s", ending, in, headTitle, tailTitle)
					testEnding(t, title, ending, in, head, tail)
				}
			}
		}
	}
}

// testEnding is TestEndings of one ending, of which a header and a trailer take a part in.
func testEnding(t *testing.T, title, ending, in string, head, tail func(b string) string) {
	t.Helper()
	parts := func(name string) (before, content, after string) {
		text := fmt.Sprintf(`{"name": %q, "gold": 1234, "bag": ["rope", "oil"], "notes": ["none", "yet"]}`, name)
		behind := ending
		if len(ending) > 600 { // all is as large as before
			behind = ending[:len(ending)-len(text)]
		}
		if after = tail(text + in); after != "" {
			return head(text + in), text, behind + after
		}
		return head(text + in), text + behind, ""
	}
	before, content, after := parts("Mira")
	if len(after) > 64 {
		return // zeros before a trailer are none of a buffer
	}
	l := open(t, Around(int64(len(before)), int64(len(after))), before+content+after)
	Complete(l, layer.Inner{Held: []source.Source{source.Bytes(content)}})
	before, content, after = parts("Mirabel the Great")
	again, err := rewrap(t, l, content, layer.Inner{})
	if want := before + content + after; err != nil || again != want {
		t.Errorf("%s:\n%.99q, want\n%.99q, %v", title, again, want, err)
	}
}

// TestZeroBeforeSum finds GameMaker's checksum where it stands, though it is that of the content without its last zero a byte earlier.
func TestZeroBeforeSum(t *testing.T) {
	n := 0
	for i := range 4000 {
		content := fmt.Sprintf(`{"name": "Mira", "gold": %d}`, i) + "\x00"
		if sum := jamOf(content); sum[3] != 0 {
			continue
		}
		n++
		file := func(content string) string { return "GMSV" + sizeOfAll(content) + jamOf(content) + content }
		l := open(t, Around(12, 0), file(content))
		Complete(l, layer.Inner{Held: []source.Source{source.Bytes(content)}})
		other := `{"name": "Mirabel", "gold": 3}` + "\x00"
		if again, err := rewrap(t, l, other, layer.Inner{}); err != nil || again != file(other) {
			t.Errorf("%q, want %q, %v", again, file(other), err)
		}
	}
	if n < 5 {
		t.Errorf("only %d of them", n)
	}
}

// TestFloatBehind leaves a float behind the values that has the size of the file in it, in the other byte order.
func TestFloatBehind(t *testing.T) {
	double := string(binary.LittleEndian.AppendUint64(nil, math.Float64bits(1.5))) // ends with 00 00 F8 3F
	for _, zero := range []string{"", "\x00", "\x00\x00"} {
		for size := 225; size < 256; size++ {
			content := strings.Repeat("a", size) + "}"
			file := func(content string) string { return "GMSV" + sizeOfAll(content) + content + zero + double }
			l := open(t, Around(8, int64(len(zero+double))), file(content))
			Complete(l, layer.Inner{Held: []source.Source{source.Bytes(content)}})
			if again, err := rewrap(t, l, content+content, layer.Inner{}); err != nil || again != file(content+content) {
				t.Errorf("size %d: % x, want % x, %v", size, again[len(again)-12:], double, err)
			}
		}
	}
}

// TestTableInItsPlace: sizes and offsets that are numbers in the other byte order a byte earlier, too, are found where games write them.
func TestTableInItsPlace(t *testing.T) {
	for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
		file := func(sizes ...int) (head, content string, starts []int64) {
			at := 8 + 8*len(sizes)
			b := order.AppendUint32([]byte("PACK"), uint32(len(sizes)))
			for _, size := range sizes {
				starts = append(starts, int64(len(content)))
				b = order.AppendUint32(order.AppendUint32(b, uint32(at+len(content))), uint32(size))
				content += strings.Repeat("v", size)
			}
			return string(b), content, starts
		}
		inner := func(content string, starts []int64) layer.Inner {
			return layer.Inner{Held: []source.Source{source.Bytes(content)}, Starts: func() ([]int64, error) { return starts, nil }}
		}
		head, content, starts := file(232, 116)
		l := open(t, Around(int64(len(head)), 0), head+content)
		Complete(l, inner(content, starts))
		head, content, starts = file(256, 116)
		in := inner(content, starts)
		in.Held = nil
		if again, err := rewrap(t, l, content, in); err != nil || again != head+content {
			t.Errorf("%s: % x, want % x, %v", order, again[:len(head)], head, err)
		}
	}
}

// TestSumOfHeader: checksums of the header, of a checksum in it, and of all before a trailer but the magic word, follow.
func TestSumOfHeader(t *testing.T) {
	for title, write := range map[string]func(b string) (head, tail string){
		"of the header": func(b string) (string, string) {
			head := "SAV1" + sizeOfAll(b) + crcOf(b)
			return head + crcOf(head), ""
		},
		"of the checksum": func(b string) (string, string) { return "SAVE" + crcOf(b) + crcOf(crcOf(b)), "" },
		"without the magic word": func(b string) (string, string) {
			return "GMSV\x01\x00", crcOf("\x01\x00" + b)
		},
	} {
		head, tail := write(payload)
		l := open(t, Around(int64(len(head)), int64(len(tail))), head+payload+tail)
		Complete(l, layer.Inner{Held: []source.Source{source.Bytes(payload)}})
		other := strings.ToUpper(payload) + "!"
		head, tail = write(other)
		if again, err := rewrap(t, l, other, layer.Inner{}); err != nil || again != head+other+tail {
			t.Errorf("%s: %q, want %q, %v", title, again, head+other+tail, err)
		}
	}
}

// TestUnknownBehindZero names what is like a checksum behind the zero of a text.
func TestUnknownBehindZero(t *testing.T) {
	const tail = "\x00\x1f\x6e\x15\x35"
	l := open(t, Around(4, int64(len(tail))), "GMSV"+payload+tail)
	Complete(l, layer.Inner{Held: []source.Source{source.Bytes(payload)}})
	if _, err := rewrap(t, l, payload+"!", layer.Inner{}); err != nil || !slices.ContainsFunc(said(l).Stale, func(s string) bool { return strings.Contains(s, "like a checksum") }) {
		t.Errorf("%q, %v", said(l).Stale, err)
	}
}

// follows reports whether what write returns around one payload becomes what it returns around another, of values that start at some
// offsets; and the error and what is said to have stayed.
func follows(t *testing.T, write func(b string) (head, tail string), was, is string, values ...int64) (bool, string) {
	t.Helper()
	head, tail := write(was)
	l := open(t, Around(int64(len(head)), int64(len(tail))), head+was+tail)
	Complete(l, layer.Inner{Held: []source.Source{source.Bytes(was)}, Starts: starts(values[0])})
	again, err := rewrap(t, l, is, layer.Inner{Starts: starts(values[1])})
	head, tail = write(is)
	return again == head+is+tail, fmt.Sprint(err, said(l).Stale)
}

// TestOtherMeasures: a size with its bits inverted or negative, in eight digits behind a magic word that ends with one, and a line with
// the number of values follow; a number that may as well be one byte of seven bits behind another number is refused, and a part of a hash is named.
func TestOtherMeasures(t *testing.T) {
	text := func(n int) string { return `{"text": "` + strings.Repeat("t", n) + `"}` }
	for _, c := range []struct {
		title    string
		write    func(b string) string
		was, is  string
		isRight  bool
		says     string
		old, new int64
	}{
		{"inverted", func(b string) string { return "SAVE" + sizeOfAll(b) + little(^uint32(len(b))) }, text(90), text(200), true, "", 1, 1},
		{"negative", func(b string) string { return "SAVE" + little(-uint32(len(b))) }, text(90), text(300), true, "", 1, 1},
		{"digits behind E", func(b string) string { return fmt.Sprintf("SAVE%08X", len(b)) }, text(90), text(300), true, "", 1, 1},
		{"a count in a line", func(b string) string { return fmt.Sprintf("%d\n", strings.Count(b, "\n")) }, strings.Repeat("{}\n", 12), strings.Repeat("{}\n", 13), true, "", 12, 13},
		{"a version in a line", func(string) string { return "2\n" }, "{\"a\":1}\n{\"b\":2}\n", "{\"a\":1}\n{\"b\":2}\n{}\n", true, "", 2, 3},
		{"seven bits behind a number", func(b string) string { return "\x07\x00\x00\x00" + string(binary.AppendUvarint(nil, uint64(len(b)))) }, text(90), text(200), false, "a varint", 1, 1},
		{"seven bits, as few", func(b string) string { return "\x07\x00\x00\x00" + string(binary.AppendUvarint(nil, uint64(len(b)))) }, text(90), text(100), true, "", 1, 1},
		{"a part of a hash in a line", func(b string) string { return fmt.Sprintf("%.8x\n", md5.Sum([]byte(b)))[:8] + "\n" }, text(91), text(200), false, "like a checksum", 1, 1},
		{"a hash with a secret", func(b string) string { return "SAVE" + sizeOfAll(b) + crcOf(b+"a secret") }, text(90), text(200), false, "like a checksum", 1, 1},
	} {
		write := func(b string) (string, string) { return c.write(b), "" }
		isRight, says := follows(t, write, c.was, c.is, c.old, c.new)
		if isRight != c.isRight || !strings.Contains(says, c.says) || isRight && strings.Contains(says, "checksum") {
			t.Errorf("%s: right is %t, %s, want %q", c.title, isRight, says, c.says)
		}
	}
}

// TestLineEndIsNoSum names no line end of a text before values as a sum of these.
func TestLineEndIsNoSum(t *testing.T) {
	for i := range 300 {
		content := fmt.Sprintf("{\"id\":%d}\n{\"n\":%d}\n", i, 7*i)
		write := func(string) (string, string) { return "v1.0\n", "" }
		if isRight, says := follows(t, write, content, content+"{}\n", 2, 3); !isRight || strings.Contains(says, "as the byte") {
			t.Fatalf("%q: %t, %s", content, isRight, says)
		}
	}
}

// TestSumBehindEach: a checksum behind each of several values follows that value, with what is before it or without.
func TestSumBehindEach(t *testing.T) {
	for title, of := range map[string]func(head, b string) string{
		"of the value":    func(_, b string) string { return crcOf(b) },
		"with its length": func(head, b string) string { return crcOf(head + b) },
		"big-endian": func(_, b string) string {
			return string(binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE([]byte(b))))
		},
		"an MD5": func(_, b string) string { sum := md5.Sum([]byte(b)); return string(sum[:]) },
		"none of the last": func(_, b string) string {
			return strings.TrimSuffix(crcOf(b), crcOf("the third value, which is the last"))
		},
	} {
		size := len(of("", ""))
		file := func(values ...string) (all string, heads []int64) {
			for _, b := range values {
				all += sizeOfAll(b) + b + of(sizeOfAll(b), b)
			}
			return all, nil
		}
		was := []string{"the first value", "the second one", "the third value, which is the last"}
		is := []string{"the first value, which is longer", "2nd", "the third value, changed"}
		if title == "none of the last" {
			is[2] = was[2]
		}
		find := func(context.Context, source.Source, span.Span) (all []Piece) {
			for i, b := range was {
				head := 4
				if i > 0 {
					head += size
				}
				all = append(all, Piece{Head: int64(head), Content: int64(len(b))})
			}
			return all
		}
		before, _ := file(was...)
		l := open(t, Pieces(find), before)
		at := func(values []string) func() ([]int64, error) {
			return func() (all []int64, err error) {
				n := int64(0)
				for _, b := range values {
					all, n = append(all, n), n+int64(len(b))
				}
				return all, nil
			}
		}
		Complete(l, layer.Inner{Starts: at(was)})
		again, err := rewrap(t, l, strings.Join(is, ""), layer.Inner{Starts: at(is)})
		if want, _ := file(is...); err != nil || again != want {
			t.Errorf("%s: %q, want %q, %v", title, again, want, err)
		}
	}
}

// TestOtherOrderBehind: a trailer that is a size in another byte order than that in the header follows.
func TestOtherOrderBehind(t *testing.T) {
	text := func(n int) string { return `{"text": "` + strings.Repeat("t", n) + `"}` }
	for n := range 300 {
		write := func(b string) (string, string) {
			return "GMSV" + string(binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(len(b))), crc32.ChecksumIEEE([]byte(b)))), sizeOfAll(b)
		}
		if isRight, says := follows(t, write, text(n), text(n+20), 1, 1); !isRight && !strings.Contains(says, "a recipe says which") {
			t.Errorf("%d: %s", n, says)
		}
	}
}

// TestInBuffer: what is said of bytes that are in no file names their buffer.
func TestInBuffer(t *testing.T) {
	head := "SAVE" + sizeOfAll(payload) + "\x07" + little(12345)[:2]
	for buffer, of := range []string{"", " of buffer 1", " of buffer 2"} {
		const tail = "\x00\x1f\x6e\x15\x35" // like a checksum
		l := open(t, Around(int64(len(head)), int64(len(tail))), head+payload+tail)
		Complete(l, layer.Inner{Held: []source.Source{source.Bytes(payload)}})
		if _, err := rewrap(t, l, payload+"!?", layer.Inner{}); err != nil {
			t.Fatal(err)
		}
		var s Said
		s.Add(l, buffer)
		if got, want := s.Resized(), fmt.Sprintf("packed size at 0x4%s, 41 → 43", of); !slices.Equal(got, []string{want}) {
			t.Errorf("%q, want %q", got, want)
		}
		for _, x := range s.Stale {
			if strings.Contains(x, " at 0x") && !strings.Contains(x, of+", ") {
				t.Errorf("%q, want %q in it", x, of)
			}
		}
		if len(s.Stale) == 0 {
			t.Errorf("nothing is left in buffer %d", buffer)
		}
	}
}
