package own

import (
	"bytes"
	"context"
	"crypto/md5"
	"crypto/sha1"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/wrap/checksum"
	"varview/decoder/wrap/layer"
	"varview/decoder/wrap/part"
	_ "varview/internal/lessgc"
)

const payload = "a payload of some more bytes than sixteen"

func open(t *testing.T, k layer.Wrapper, file string) *layer.Layer {
	t.Helper()
	l, err := layer.Open(context.Background(), k, source.Bytes(file), span.Between(0, int64(len(file))), layer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// rewrap writes a layer around another payload.
func rewrap(t *testing.T, l *layer.Layer, plain string, in layer.Inner) (string, error) {
	t.Helper()
	var out output
	in.Held = slices.Insert(in.Held, 0, source.Source(source.Bytes(plain)))
	l.Inner = in
	_, err := l.Rewrap(context.Background(), source.Bytes(plain), nil, &out, 0, nil)
	return string(out), err
}

func said(l *layer.Layer) (s Said) {
	s.Add(l, 0)
	return s
}

// starts returns the offsets of n values.
func starts(n int64) func() ([]int64, error) {
	return func() ([]int64, error) { return make([]int64, n), nil }
}

// TestFound finds lengths of each width and order in a header, and writes them for another payload; all
// other bytes stay.
func TestFound(t *testing.T) {
	for _, more := range []string{"tail", "\x09\x00\x00\x00hello you", "a line\n\x01\x02\x03\x04\x05\x06"} {
		testFound(t, more)
	}
}

// testFound is TestFound before a trailer.
func testFound(t *testing.T, more string) {
	put := func(big bool, width int, n int) string {
		b := binary.LittleEndian.AppendUint64(nil, uint64(n))[:width]
		if big {
			b = binary.BigEndian.AppendUint64(nil, uint64(n))[8-width:]
		}
		return string(b)
	}
	for _, width := range []int{1, 2, 4, 8} {
		for _, big := range []bool{false, true} {
			for _, c := range []struct {
				name, before, after string
				of                  func(packed, plain, all, values int) int
			}{
				{"packed", "MAGC", "", func(packed, _, _, _ int) int { return packed }},
				{"packed then a number", "MAGC", "\x01\x02\x00\xfe", func(packed, _, _, _ int) int { return packed }},
				{"plain", "v1.2\n", "", func(_, plain, _, _ int) int { return plain }},
				{"file", "", "\x07\xf7", func(_, _, all, _ int) int { return all }},
				{"after", "MAGC", "\xf1\x05", func(_, _, all, _ int) int { return all - 4 - width }},
				{"count", "\xff\x01\xfe", "", func(_, _, _, values int) int { return values }},
			} {
				make := func(body string, plain, values int) string {
					all := len(c.before) + width + len(c.after) + len(body) + len(more)
					return c.before + put(big, width, c.of(len(body), plain, all, values)) + c.after + body + more
				}
				file := make(payload, 3001, 57)
				l := open(t, Around(int64(len(c.before)+width+len(c.after)), int64(len(more))), file)
				Complete(l, layer.Inner{Held: []source.Source{source.Bytes(payload), zeros(3001)}, Starts: starts(57)})
				again, err := rewrap(t, l, payload+"!?", layer.Inner{Held: []source.Source{zeros(2777)}, Starts: starts(58)})
				want := make(payload+"!?", 2777, 58)
				if width == 1 && c.name != "packed" {
					want = file[:len(file)-len(payload)-len(more)] + payload + "!?" + more
				}
				if width == 1 && c.before != "" && err != nil { // the byte may be a letter
					continue
				}
				if name := fmt.Sprintf("%s in %d bytes, big %t", c.name, width, big); err != nil || again != want {
					t.Errorf("%s:\n%q, want\n%q, %v", name, again, want, err)
				}
				if again, err := rewrap(t, open(t, AsOpened(l), file), payload, layer.Inner{Held: []source.Source{zeros(3001)}, Starts: starts(57)}); again != file || err != nil {
					t.Errorf("%s opened again: %q, want %q, %v", c.name, again, file, err)
				}
			}
		}
	}
}

// TestFoundFree finds sizes whose own number of bytes follows them, and writes others that take more bytes or fewer, with a
// size of the file beside them.
func TestFoundFree(t *testing.T) {
	varint := func(n int) string { return string(binary.AppendUvarint(nil, uint64(n))) }
	for name, write := range map[string]func(body string) string{
		"a line":                     func(b string) string { return fmt.Sprintf("%d\n", len(b)) },
		"a named number":             func(b string) string { return fmt.Sprintf("SAVE v3\nsize=%d\n\n", len(b)) },
		"leading zeros":              func(b string) string { return fmt.Sprintf("V2 %08d ", len(b)) },
		"a varint":                   func(b string) string { return varint(len(b)) },
		"beside a number":            func(b string) string { return varint(len(b)) + "\xf7\x99\x42\x8a" },
		"with blanks":                func(b string) string { return fmt.Sprintf("%10d", len(b)) },
		"of itself too":              func(b string) string { return "SAVE" + string(binary.LittleEndian.AppendUint32(nil, uint32(4+len(b)))) },
		"of the rest, behind a line": func(b string) string { return fmt.Sprintf("SAVE\nlen=%04X\nv2\n", 3+len(b)) },
		"hexadecimal":                func(b string) string { return fmt.Sprintf("SAVE %x\n", len(b)) },
		"hexadecimal, with 0x":       func(b string) string { return fmt.Sprintf("v2 size=0x%x\n", len(b)) },
		"beside all bytes": func(b string) string {
			digits := fmt.Sprint(len(b))
			return string(binary.LittleEndian.AppendUint32(nil, uint32(4+len(digits)+1+len(b)))) + digits + ":"
		},
	} {
		bodies := []string{strings.Repeat("some text ", 95), strings.Repeat("more ", 90) + "!", strings.Repeat("and more ", 2000)}
		l := open(t, Around(int64(len(write(bodies[0]))), 0), write(bodies[0])+bodies[0])
		Complete(l, layer.Inner{Held: []source.Source{source.Bytes(bodies[0])}})
		for _, body := range bodies[1:] {
			again, err := rewrap(t, l, body, layer.Inner{Held: []source.Source{source.Bytes(body)}})
			if want := write(body) + body; err != nil || again != want {
				t.Errorf("%s: %.60q, want %.60q, %v", name, again, want, err)
			}
			l = open(t, AsOpened(l), again)
		}
	}
}

// TestByteOrVarint: a size of one byte that is no longer the same as a varint is not written.
func TestByteOrVarint(t *testing.T) {
	l := open(t, Around(1, 0), string(rune(len(payload)))+payload)
	Complete(l, layer.Inner{Held: []source.Source{source.Bytes(payload)}})
	if _, err := rewrap(t, l, strings.Repeat("x", 143), layer.Inner{}); err == nil || !strings.Contains(err.Error(), "may as well be a varint") {
		t.Errorf("%v", err)
	}
	if again, err := rewrap(t, l, payload[:40], layer.Inner{}); again != "\x28"+payload[:40] || err != nil {
		t.Errorf("%q, %v", again, err)
	}
}

// TestEitherOrder: of a size that bytes are in both orders, nothing is written unless it leaves the same bytes in both.
func TestEitherOrder(t *testing.T) {
	body := func(n int) string { return strings.Repeat("x", n) }
	for name, head := range map[string]string{
		"one byte later":        "HERO\x01\x3b\x01",
		"between others":        "HERO\x03\x01\x3b\x01",
		"wide, among others":    "HERO\x02\x00\x00\x00\xc2\x90\x00\x00\x01\x3b\x01\x00\x00\x00",
		"the same in two bytes": "HERO\x02\x02",
	} {
		size, other, same := 0x13b, 0x93, 0x145
		if strings.HasSuffix(head, "\x02\x02") {
			size, other, same = 0x202, 0x203, 0x202
		}
		l := open(t, Around(int64(len(head)), 0), head+body(size))
		Complete(l, layer.Inner{Held: []source.Source{source.Bytes(body(size))}})
		if again, err := rewrap(t, l, body(other), layer.Inner{}); err == nil || !strings.Contains(err.Error(), "other byte order") {
			t.Errorf("%s: %.24q, %v", name, again, err)
		}
		want := strings.ReplaceAll(head, "\x3b", "\x45")
		if again, err := rewrap(t, l, body(same), layer.Inner{}); again != want+body(same) || err != nil {
			t.Errorf("%s: %.24q, %v", name, again, err)
		}
	}
	for name, head := range map[string]string{
		"among numbers in its order": "HERO\x00\x00\x01\x3b\x01\x00\x00\x00",
		"wider than the other":       "HERO\x01\x00\x00\x00\x3b\x01\x00\x00",
		"two sizes":                  "HERO\x3b\x01\x3b\x01",
		"the order of others":        "HERO\x00\x00\x00\x07\x01\x01",
	} {
		size := 0x13b
		if strings.HasSuffix(head, "\x01\x01") {
			size = 0x101
		}
		l := open(t, Around(int64(len(head)), 0), head+body(size))
		Complete(l, layer.Inner{Held: []source.Source{source.Bytes(body(size))}})
		want := strings.NewReplacer("\x01\x3b", "\x00\x93", "\x3b\x01", "\x93\x00", "\x01\x01", "\x00\x93").Replace(head)
		if again, err := rewrap(t, l, body(0x93), layer.Inner{}); again != want+body(0x93) || err != nil {
			t.Errorf("%s: %.24q, %v", name, again, err)
		}
	}
}

// TestSumOfValues finds a checksum of the values, which are packed, and writes it for others.
func TestSumOfValues(t *testing.T) {
	write := func(plain string) string {
		return "MAGC" + string(binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE([]byte(plain))))
	}
	in := func(plain string) layer.Inner {
		return layer.Inner{Held: []source.Source{source.Bytes(payload), source.Bytes(plain)}}
	}
	l := open(t, Around(8, 0), write("the values")+payload)
	Complete(l, in("the values"))
	if sums := said(l).Sums; !slices.Equal(sums, []string{"CRC-32 in the header"}) {
		t.Errorf("found %q", sums)
	}
	if again, err := rewrap(t, l, payload, layer.Inner{Held: in("other values").Held[1:]}); err != nil || again != write("other values")+payload {
		t.Errorf("%q, %v", again, err)
	}
}

// TestSums finds checksums in headers and trailers, of the content or of all that follows, and writes them for another
// payload with the sizes beside them.
func TestSums(t *testing.T) {
	crc := func(b string) string {
		return string(binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE([]byte(b))))
	}
	for name, write := range map[string]func(body string) (head, tail string){
		"before a size": func(b string) (string, string) { return "SAVE" + crc(b) + string(rune(len(b))) + "\x00\x00\x00", "" },
		"of all after":  func(b string) (string, string) { v := "\x07\x00\x00\x00"; return "SAVE" + crc(v+b+"END!") + v, "END!" },
		"on both sides": func(b string) (string, string) { return "V2" + crc(b), fmt.Sprintf("%x", md5.Sum([]byte(b))) },
		"of both kinds": func(b string) (string, string) { return crc(crc(b)+b) + crc(b), "" },
		"of all before": func(b string) (string, string) {
			h := "SAVE\x01\x00\x00\x00" + string(rune(len(b)))
			return h, crc(h+b) + "END!"
		},
		"of all but it": func(b string) (string, string) { h := "SAVE\x01\x00\x00\x00"; return h + crc(h+b), "" },
		"with zeros in its place": func(b string) (string, string) {
			h := "SAVE\x01\x00\x00\x00"
			return h + crc(h+"\x00\x00\x00\x00\x07\x00"+b) + "\x07\x00", ""
		},
		"of filled bytes": func(b string) (string, string) {
			return "SAVE" + crc(b+"\x00\x00\x00\x00\x00"), "\x00\x00\x00\x00\x00"
		},
		"in digits, of all behind": func(b string) (string, string) {
			return fmt.Sprintf("SAVE|%08x|", crc32.ChecksumIEEE([]byte("|"+b))), ""
		},
		"in digits, of all before": func(b string) (string, string) {
			return "SAVE\n", fmt.Sprintf("\n%08x\nEND", crc32.ChecksumIEEE([]byte("SAVE\n"+b+"\n")))
		},
		"behind a size at the end": func(b string) (string, string) {
			size := string(rune(len(b))) + "\x00\x00\x00"
			return "", size + crc(b+size)
		},
		"in eight bytes, of all behind": func(b string) (string, string) {
			v := "\x07\x00\x00\x00"
			return "SAVE" + string(binary.LittleEndian.AppendUint64(nil, uint64(crc32.ChecksumIEEE([]byte(v+b))))) + v, ""
		},
		"in digits, of all behind its line": func(b string) (string, string) {
			return fmt.Sprintf("SAVE\n%08x\n", crc32.ChecksumIEEE([]byte(b+"\nEND"))), "\nEND"
		},
		"in digits, of other fields and all behind": func(b string) (string, string) {
			v := fmt.Sprintf("%d|Mira\n", len(b))
			return fmt.Sprintf("SAVE|%08X|", crc32.ChecksumIEEE([]byte(v+b))) + v, ""
		},
		"in digits, with zeros in its place": func(b string) (string, string) {
			return fmt.Sprintf("SAVE|%08x|Mira\n", crc32.ChecksumIEEE([]byte("SAVE|00000000|Mira\n"+b))), ""
		},
		"in base64, of all behind": func(b string) (string, string) {
			s := md5.Sum([]byte("2|" + b))
			return "SAVE|" + base64.StdEncoding.EncodeToString(s[:]) + "|2|", ""
		},
		"in decimal digits, of all behind": func(b string) (string, string) {
			return fmt.Sprintf("SAVE;%d;v2\n", crc32.ChecksumIEEE([]byte("v2\n"+b))), ""
		},
		"behind a long name": func(b string) (string, string) {
			h := "SAVE" + strings.Repeat("Mira\x00\x00\x00\x00", 6)
			return h + crc("\x01\x00"+b) + "\x01\x00", ""
		},
		"before the end": func(b string) (string, string) { s := sha1.Sum([]byte(b)); return "", string(s[:]) + "END" },
	} {
		make := func(body string) (int64, int64, string) {
			head, tail := write(body)
			return int64(len(head)), int64(len(tail)), head + body + tail
		}
		head, tail, file := make(payload)
		l := open(t, Around(head, tail), file)
		Complete(l, layer.Inner{Held: []source.Source{source.Bytes(payload)}})
		if l = open(t, AsOpened(l), file); len(said(l).Sums) == 0 {
			t.Errorf("%s: no checksum", name)
		}
		body := payload + ", and more"
		_, _, want := make(body)
		if got, err := rewrap(t, l, body, layer.Inner{}); got != want || err != nil {
			t.Errorf("%s: %q, want %q %v", name, got, want, err)
		}
		l.Stays = true
		if got, _ := rewrap(t, l, payload[1:]+"!", layer.Inner{}); got[:head] != file[:head] {
			t.Errorf("%s: %q, want the header of %q", name, got, file)
		}
		bad := open(t, AsOpened(l), strings.Replace(file, "a payload", "A payload", 1))
		if !slices.ContainsFunc(bad.Reading.(*part.Reading).Parts, func(p part.Part) bool { return len(p.Problems) > 0 }) {
			t.Errorf("%s: a checksum that does not fit is not reported", name)
		}
	}
}

// TestSumBetween finds a checksum of bytes that are packed once more, as zlib in base64, and writes it for others.
func TestSumBetween(t *testing.T) {
	file := func(text, zlib string) string {
		return fmt.Sprintf("SAVE|%08x|", crc32.ChecksumIEEE([]byte(zlib))) + text
	}
	held := func(all ...string) (in layer.Inner) {
		for _, b := range all {
			in.Held = append(in.Held, source.Bytes(b))
		}
		return in
	}
	l := open(t, Around(14, 0), file(payload, "zlib bytes"))
	Complete(l, held(payload, "zlib bytes", "the values"))
	if again, err := rewrap(t, l, payload, held("other zlib bytes", "other values")); err != nil || again != file(payload, "other zlib bytes") {
		t.Errorf("%q, %v", again, err)
	}
}

// TestExtents finds checksums and numbers of a part of the content: without its line end, or without the length of a frame.
func TestExtents(t *testing.T) {
	u32 := func(n int) string { return string(binary.LittleEndian.AppendUint32(nil, uint32(n))) }
	sum := func(s string) (n int) {
		for i := range len(s) {
			n += int(s[i])
		}
		return n
	}
	text := func(name string) string {
		return `{"name": "` + name + `", "bag": ["rope", "oil"], "gold": 1200, "notes": "none"}`
	}
	frame := func(name string) string { return u32(len(text(name))) + text(name) }
	line := func(name string) string { return text(name) + "\n" }
	for title, c := range map[string]struct {
		content func(name string) string
		head    func(name string) string
	}{
		"an MD5 of a line":            {line, func(name string) string { return fmt.Sprintf("%x\n", md5.Sum([]byte(text(name)))) }},
		"a CRC-32 of a line":          {line, func(name string) string { return fmt.Sprintf("%08x\n", crc32.ChecksumIEEE([]byte(text(name)))) }},
		"characters of a line":        {line, func(name string) string { return fmt.Sprintf("%d\n", utf8.RuneCountInString(text(name))) }},
		"the sum of bytes of a frame": {frame, func(name string) string { return u32(sum(text(name))) }},
		"the CRC-32 of a frame":       {frame, func(name string) string { return "SAVE" + u32(int(crc32.ChecksumIEEE([]byte(text(name))))) }},
		"a size and the MD5 of a line": {line, func(name string) string {
			return fmt.Sprintf("v1 %d %x\n", len(text(name)), md5.Sum([]byte(text(name))))
		}},
	} {
		was, other := "Zo\u00eb", "Morgana \u00c6r\u00f8"
		l := open(t, Around(int64(len(c.head(was))), 0), c.head(was)+c.content(was))
		Complete(l, layer.Inner{Held: []source.Source{source.Bytes(c.content(was))}})
		if again, err := rewrap(t, l, c.content(other), layer.Inner{}); err != nil || again != c.head(other)+c.content(other) {
			t.Errorf("%s: %.60q, want %.60q, %v", title, again, c.head(other), err)
		}
	}
}

// TestTables: the offsets and sizes of values in a header follow, in every width and order; for more values there is no place.
func TestTables(t *testing.T) {
	was, is := []string{"a first value", "another one, which is longer", "and"}, []string{"a first value that is longer", "another", "and the last"}
	for _, number := range numbers {
		if number.width() < 2 {
			continue
		}
		put := func(n int) string {
			b := binary.BigEndian.AppendUint64(nil, uint64(n))[8-number.width():]
			if !number.Big {
				slices.Reverse(b)
			}
			return string(b)
		}
		for title, entry := range map[string]func(at, head, size int) string{
			"offsets in the file":    func(at, head, _ int) string { return put(head + at) },
			"offsets of the content": func(at, _, _ int) string { return put(at) },
			"sizes":                  func(_, _, size int) string { return put(size) },
			"sizes without lengths":  func(_, _, size int) string { return put(size - 4) },
			"names, offsets, sizes":  func(at, head, size int) string { return "name" + put(head+at) + put(size) },
		} {
			write := func(values []string) (head, content string, starts []int64) {
				size := 8 + len(values)*len(entry(0, 0, 0))
				head = "PACK\xff\xfe\xfd\xfc"
				for _, v := range values {
					v += "....."
					head += entry(len(content), size, len(v))
					starts, content = append(starts, int64(len(content))), content+v
				}
				return head, content, starts
			}
			inner := func(content string, starts []int64) layer.Inner {
				return layer.Inner{Held: []source.Source{source.Bytes(content)}, Starts: func() ([]int64, error) { return starts, nil }}
			}
			head, content, starts := write(was)
			l := open(t, Around(int64(len(head)), 0), head+content)
			Complete(l, inner(content, starts))
			head, content, starts = write(is)
			in := inner(content, starts)
			in.Held = nil
			if again, err := rewrap(t, l, content, in); err != nil || again != head+content {
				t.Errorf("%s, %s: %q, want %q, %v", title, number.Type, again, head+content, err)
			}
			_, content, starts = write(append(is, "one more"))
			in.Starts = func() ([]int64, error) { return starts, nil }
			if _, err := rewrap(t, l, content, in); err == nil || !strings.Contains(err.Error(), "one of 3, and there are 4") {
				t.Errorf("%s, %s: %v", title, number.Type, err)
			}
		}
	}
}

// TestUnpadded names a hash in base64 without its padding as one that is not made anew.
func TestUnpadded(t *testing.T) {
	sum := md5.Sum([]byte(payload))
	l := open(t, Around(0, 22), payload+base64.RawStdEncoding.EncodeToString(sum[:]))
	Complete(l, layer.Inner{Held: []source.Source{source.Bytes(payload)}})
	if s := said(l); len(s.Sums) > 0 || !slices.Equal(s.Unknown, []string{"MD5"}) {
		t.Errorf("%q, %q", s.Sums, s.Unknown)
	}
}

// TestLikeSums names numbers that are like a checksum, which stay, but no times and small ones, and none beside one that is known.
func TestLikeSums(t *testing.T) {
	for head, want := range map[string]string{
		"SAVE\x8b\xf1\x32\x9c": "[2620584331 at 0x4, which is like a checksum]",
		"SAVE\x8b\xf1\x32\x6a": "[]",
		"SAVE\x02\x00\x01\x00": "[]",
		"AB01":                 "[]",
		"NS\xd0\xc2":           "[49872 at 0x2, which is like a checksum]",
		"\xde\x01V\x00" + string(binary.LittleEndian.AppendUint32(nil, uint32(len(payload)))) + "\x9b\x2d":      "[11675 at 0x8, which is like a checksum]",
		"\xde\x01V\x00" + string(binary.LittleEndian.AppendUint32(nil, uint32(len(payload)))) + "\xe8\x07":      "[]",
		"\x8b\xf1\x32\x9c" + string(binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE([]byte(payload)))): "[]",
	} {
		l := open(t, Around(int64(len(head)), 0), head+payload)
		Complete(l, layer.Inner{Held: []source.Source{source.Bytes(payload)}})
		if _, err := rewrap(t, l, payload+"!", layer.Inner{}); err != nil || fmt.Sprint(said(l).Stale) != want {
			t.Errorf("%q: %q, want %q, %v", head, said(l).Stale, want, err)
		}
	}
}

// TestWeakSums names a weak sum once, also one whose bytes are letters, or that is small, where it is beside a magic word or the content,
// and with its offset in the old file.
func TestWeakSums(t *testing.T) {
	number := func(kind, text string) string {
		b := make([]byte, 2)
		binary.LittleEndian.PutUint16(b, uint16(checksum.Number(kind, []byte(text))))
		return string(b)
	}
	find := func(kind string, isWanted func(sum string) bool) string {
		for n := 0; ; n++ {
			if text := fmt.Sprintf("%s %d", payload, n); isWanted(number(kind, text)) {
				return text
			}
		}
	}
	areLetters := func(sum string) bool { return isNameByte(sum[0]) && isNameByte(sum[1]) }
	lettered, small := find("crc16-modbus", areLetters), find(checksum.ByteSum, func(sum string) bool { return sum[0] > 0 && sum[0] < 9 })
	other := find("crc16-xmodem", func(sum string) bool {
		return sum[0] > 0x80 && sum[1] > 0x80
	})
	for name, c := range map[string]struct{ head, content, tail, want string }{
		"letters behind a magic word":      {"SAVE" + number("crc16-modbus", lettered), lettered, "", "at 0x4, as the CRC-16 (crc16-modbus) was"},
		"letters behind it and a letter":   {"HERO\x02\x00\x00\x00e" + number("crc16-modbus", lettered), lettered, "", "at 0x9, as the CRC-16 (crc16-modbus) was"},
		"a small sum behind a version":     {"SAVE\x01\x00\x00\x00" + number(checksum.ByteSum, small)[:1], small, "", "at 0x8, as the byte sum was"},
		"letters before a magic word":      {"", lettered, number("crc16-modbus", lettered) + "END!", fmt.Sprintf("at %#x, as the CRC-16 (crc16-modbus) was", len(lettered))},
		"a small sum behind a magic word":  {"SAVE" + number(checksum.ByteSum, small)[:1], small, "", "at 0x4, as the byte sum was"},
		"at the end, in more than one way": {"", other, number("crc16-xmodem", other), fmt.Sprintf("at %#x, as the CRC-16 (crc16-xmodem) was", len(other))},
	} {
		l := open(t, Around(int64(len(c.head)), int64(len(c.tail))), c.head+c.content+c.tail)
		Complete(l, layer.Inner{Held: []source.Source{source.Bytes(c.content)}})
		again, err := rewrap(t, l, payload+"a longer text than before", layer.Inner{})
		if all := said(l).Stale; err != nil || len(all) != 1 || !strings.HasSuffix(all[0], c.want) {
			t.Errorf("%s: %q, want %q; %q, %v", name, all, c.want, again, err)
		}
	}
}

// TestSmallSize follows a size below 256 behind other numbers with nothing but zeros or a checksum behind it, and names one that is left,
// also beside a trailer of one byte.
func TestSmallSize(t *testing.T) {
	content := payload + payload[:60-len(payload)]
	write := func(content, after string) string {
		return "MYGAME\x00\x00\x02\x00\x00\x00" + string(binary.LittleEndian.AppendUint32(nil, uint32(len(content)))) + after + content + "\x7f"
	}
	for after, follows := range map[string]bool{"": true, strings.Repeat("\x00", 16): true, "\x07\x01\x09\x01": false} {
		file := write(content, after)
		l := open(t, Around(int64(len(file)-len(content)-1), 1), file)
		Complete(l, layer.Inner{Held: []source.Source{source.Bytes(content)}})
		again, err := rewrap(t, l, content+"!", layer.Inner{})
		isNamed := strings.Contains(fmt.Sprint(said(l).Stale), "60 at 0xc, as the packed size was")
		if want := write(content+"!", after); err != nil || (again == want) != follows || isNamed == follows {
			t.Errorf("%x: %q, want %q, %q, %v", after, again, want, said(l).Stale, err)
		}
	}
}

// TestZeroSum names a lone zero that all bytes give, combined by exclusive or: it may be a version.
func TestZeroSum(t *testing.T) {
	l := open(t, Around(1, 0), "\x00"+payload+payload)
	Complete(l, layer.Inner{Held: []source.Source{source.Bytes(payload + payload)}})
	if _, err := rewrap(t, l, payload, layer.Inner{}); err != nil || fmt.Sprint(said(l).Stale) != "[0 at 0x0, as the byte xor was]" {
		t.Errorf("%q, %v", said(l).Stale, err)
	}
}

// TestSizeNotXor: digits under a name that says size are the size in hexadecimal, though they are all bytes combined in decimal by chance.
func TestSizeNotXor(t *testing.T) {
	content := ""
	for n := 0; content == "" || fmt.Sprintf("%x", len(content)) != fmt.Sprint(byteOf(content, func(n, c byte) byte { return n ^ c })); n++ {
		content = payload + strings.Repeat("x", n/26) + string(rune('a'+n%26))
	}
	head := fmt.Sprintf("MyGame|size=%x|", len(content))
	l := open(t, Around(int64(len(head)), 0), head+content)
	Complete(l, layer.Inner{Held: []source.Source{source.Bytes(content)}})
	if again, err := rewrap(t, l, content+"!!!", layer.Inner{}); err != nil || again != fmt.Sprintf("MyGame|size=%x|%s!!!", len(content)+3, content) {
		t.Errorf("%q, %v", again, err)
	}
}

// TestByteLeft names a byte that stands alone, and is too small to be followed, if it measures the content modulo 256.
func TestByteLeft(t *testing.T) {
	for what, measure := range map[string]func(b string) byte{
		"packed size": func(b string) byte { return byte(len(b)) },
		"byte sum":    func(b string) byte { return byteOf(b, func(n, c byte) byte { return n + c }) },
		"byte xor":    func(b string) byte { return byteOf(b, func(n, c byte) byte { return n ^ c }) },
		"minus":       func(b string) byte { return -byteOf(b, func(n, c byte) byte { return n + c }) },
	} {
		content := ""
		for n := 300; content == "" || measure(content) >= leastByte; n++ {
			content = payload + strings.Repeat("x", n) + fmt.Sprint(n)
		}
		for _, head := range []bool{true, false} {
			l := open(t, Around(0, 1), content+string(measure(content)))
			if head {
				l = open(t, Around(1, 0), string(measure(content))+content)
			}
			Complete(l, layer.Inner{Held: []source.Source{source.Bytes(content)}})
			_, err := rewrap(t, l, content+"!", layer.Inner{})
			if isNamed := len(said(l).Stale) > 0; !isNamed && len(said(l).Changes) == 0 || err != nil {
				t.Errorf("%s of %d bytes, in a header %v: %v", what, len(content), head, err)
			}
		}
	}
}

func byteOf(b string, with func(n, c byte) byte) (n byte) {
	for i := range len(b) {
		n = with(n, b[i])
	}
	return n
}

// TestHashAmongOthers names a hash of bytes with a secret between other fields, though it has letters in a row or ends in zero.
func TestHashAmongOthers(t *testing.T) {
	letters := "|l\x09#:\x93\xf9J6JI\x00d\xd1y*\xdeAui\xe3\xa7\xf3\xe1\xcf\xdaBe>G`\xde"
	zero := "\x0e\x89\xb9\xf2d+O\x8a\xa8\xc1V$\x8a\xf0\x99T5\xf7Fp\x091+\xa1&\xfe\x01\xfe\xca2;\x00"
	sum := md5.Sum([]byte(payload))
	for head, want := range map[string]string{
		"SAVE\x09\x00\x00\x00" + letters + string(sum[:]):                                    "[SHA-256]",
		string(sum[:]) + zero:                                                                "[SHA-256]",
		"SAVE\x02\x00\x00\x00" + string(sum[:]):                                              "[]",
		"SAVE\x06\x00\x00\x00slot_1\x40\x00\x80\x3f\x00\x00\x00\x00\x00\x10\x40\x01\x02\x03": "[]",
	} {
		l := open(t, Around(int64(len(head)), 0), head+payload)
		Complete(l, layer.Inner{Held: []source.Source{source.Bytes(payload)}})
		if got := fmt.Sprint(said(l).Unknown); got != want {
			t.Errorf("%q: %s, want %s", head, got, want)
		}
	}
}

// TestCapitals says that hexadecimal digits do not show whether the game writes capitals, where they have no letters.
func TestCapitals(t *testing.T) {
	for head, want := range map[string]string{"SAVE|0402|": "SAVE|040a|"} {
		body, other := strings.Repeat("x", 1026), strings.Repeat("x", 1034)
		l := open(t, Around(int64(len(head)), 0), head+body)
		Complete(l, layer.Inner{Held: []source.Source{source.Bytes(body)}})
		again, err := rewrap(t, l, other, layer.Inner{})
		all := said(l)
		if !strings.HasPrefix(again, want) || err != nil || !strings.Contains(strings.Join(all.Resized(), " "), "capitals") {
			t.Errorf("%.20q, want %q, %v: %q", again, want, err, all.Resized())
		}
	}
}

// TestTooSmall refuses a length that its bytes cannot hold.
func TestTooSmall(t *testing.T) {
	l := open(t, At([]Field{{Type: "u8", Is: packedSize}}, nil), "\x02ab")
	if _, err := rewrap(t, l, strings.Repeat("x", 256), layer.Inner{}); err == nil || !strings.Contains(err.Error(), "cannot be 256") {
		t.Error(err)
	}
}

// TestFilled keeps the size of bytes that zeros fill up to a block, as long as the trailer keeps some; other zeros stay.
func TestFilled(t *testing.T) {
	for _, c := range []struct{ size, by, want int }{{512, 5, 512}, {512, -5, 512}, {512, 500, 555}, {500, 5, 505}, {500, -5, 495}} {
		const end = "END\x00\x03"
		file := payload + end + strings.Repeat("\x00", c.size-len(payload+end))
		plain := (payload + strings.Repeat("x", 500))[:len(payload)+c.by]
		l := open(t, Around(0, int64(c.size-len(payload))), file)
		got, err := rewrap(t, l, plain, layer.Inner{})
		if want := plain + end + strings.Repeat("\x00", max(0, c.want-len(plain+end))); got != want || err != nil {
			t.Errorf("%d bytes by %d: %d bytes, want %d %v", c.size, c.by, len(got), len(want), err)
		}
	}
}

// TestSaid opens a header and a trailer whose fields are said, and reports a length that is wrong.
func TestSaid(t *testing.T) {
	head := []Field{{Type: "line"}, {Type: "text16"}, {Type: "bytes", Size: 2}, {Type: "u32", Big: true, Is: packedSize}}
	file := "v1\n\x02\x00hi\xfe\xff\x00\x00\x00\x2a" + payload + "END"
	l := open(t, At(head, []Field{{Type: "text", Size: 3}}), file)
	if n := l.Payload.Size(); n != int64(len(payload)) {
		t.Fatal(n)
	}
	Complete(l, layer.Inner{Held: []source.Source{source.Bytes(payload)}})
	d := l.Reading.(*part.Reading)
	all := ""
	for _, p := range d.Parts {
		all += fmt.Sprintf("%s %s; ", p.Name, p.Text)
		for _, x := range p.Problems {
			all += x.Message + ", " + x.Repair + "; "
		}
	}
	const want = `line "v1\n"; text "hi"; bytes feff; packed size 42; the packed size in the game's own bytes is 42, but it should be 41, set it to 41; content 41 bytes; text "END"; `
	if all != want {
		t.Errorf("%s\nwant %s", all, want)
	}
	if again, err := rewrap(t, l, payload, layer.Inner{}); err != nil || again != strings.Replace(file, "\x2a", "\x29", 1) {
		t.Errorf("%q %v", again, err)
	}
	lineEnd := []Field{{Type: hex, Is: packedSize}, {Type: "bytes", Size: 2, Text: "\r\n"}, {Type: "line", Text: "SAVE"}}
	if l := open(t, At(lineEnd, nil), "0029\r\nSAVE\r\n"+payload); l.Payload == nil || l.Payload.Size() != int64(len(payload)) {
		t.Error("a line end that is said is not found")
	}
}

// TestShort refuses a file that ends within what is said.
func TestShort(t *testing.T) {
	for _, f := range []Field{{Type: "bytes", Size: 9}, {Type: "line"}, {Type: "text"}, {Type: "u64"}, {Type: "bytes", Text: "SAVE"}} {
		for _, k := range []layer.Wrapper{At([]Field{f}, nil), At(nil, []Field{f})} {
			if l := open(t, k, "\xff\xff\xff\x7f\x00"); l.Missing == nil {
				t.Errorf("%s: %s", k, f.Type)
			}
		}
	}
}

// TestTiles: whatever the bytes are, the fields of a header that is found cover it.
func TestTiles(t *testing.T) {
	for seed := range 130 {
		head := bytes.Repeat([]byte{byte(seed), 'a', 0, byte(seed >> 3), 3}, 1+seed%13)[seed%5:]
		file := string(head) + payload
		l := open(t, Around(int64(len(head)), 0), file)
		Complete(l, layer.Inner{Held: []source.Source{source.Bytes(payload)}, Starts: starts(1)})
		at := int64(0)
		for _, p := range l.Reading.(*part.Reading).Parts {
			if p.Offset != at {
				t.Fatalf("%q: %s begins at %d, want %d", head, p.Name, p.Offset, at)
			}
			at = p.End()
		}
		if at != int64(len(file)) {
			t.Fatalf("%q: the parts end at %d of %d", head, at, len(file))
		}
	}
}

// TestCheck checks what is reported about wrong fields.
func TestCheck(t *testing.T) {
	for want, f := range map[string]Field{
		"no field of type \"u24\"": {Type: "u24"},
		"cannot be \"size\"":       {Type: "u32", Is: "size"},
		"line is no number":        {Type: "line", Is: Count},
		"bytes need a size":        {Type: "bytes"},
		"of u8 follows":            {Type: "u8", Size: 1},
		"u8 is a number":           {Type: "u8", Text: "v1"},
		"<nil>":                    {Type: "u32", Is: Count},
	} {
		if err := f.Check(); !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%+v: %v, want %s", f, err, want)
		}
	}
}

// TestRewrapSummed writes other content with a new checksum, or the old one; everything around it stays.
func TestRewrapSummed(t *testing.T) {
	const held, digest = "123456789", "25f9e794323b453885f5181f1b624d0b" // md5sum of it
	for _, form := range []string{"%s\n" + digest + "\r\n", digest + "\x00%s"} {
		src := source.Bytes(strings.Replace(form, "%s", held, 1))
		region := span.Between(0, src.Size())
		l, err := layer.Open(context.Background(), Summed(&checksum.Place{}), src, region, layer.Options{MaxUnpacked: 1 << 20})
		if err != nil || l.Checksum() != layer.Matches {
			t.Fatal(err, l)
		}
		const other = "12345678"
		for _, stays := range []bool{false, true} {
			l.Stays = stays
			sum := "25d55ad283aa400af464c76d713c07ad" // md5sum of it
			if stays {
				sum = digest
			}
			var got output
			n, err := l.Rewrap(context.Background(), source.Bytes(other), nil, &got, 0, nil)
			want := strings.Replace(strings.Replace(form, "%s", other, 1), digest, sum, 1)
			if err != nil || string(got) != want || n != int64(len(want)) {
				t.Errorf("%q, want %q: %v", got, want, err)
			}
			again, err := layer.Open(context.Background(), AsOpened(l), source.Memory(got), span.Between(0, n), layer.Options{MaxUnpacked: 1 << 20})
			if state := again.Checksum(); err != nil || (state == layer.Differs) != stays || !bytes.Contains(got, []byte(other)) {
				t.Errorf("stays %t: state %d, %v", stays, state, err)
			}
		}
	}
}

// TestNumbersThatChance writes headers and trailers around content of every ninth small size, and of some sizes that other numbers in
// them are like: whatever happens to equal the size stays, and what is the size follows, or nothing is written, or what was left is named.
func TestNumbersThatChance(t *testing.T) {
	put := func(order binary.AppendByteOrder, all ...int) (b string) {
		for _, n := range all {
			b += string(order.AppendUint32(nil, uint32(n)))
		}
		return b
	}
	little, big := binary.LittleEndian, binary.BigEndian
	name := func(s string) string { return "SAVE\x01" + s + strings.Repeat("\x00", 16-len(s)) }
	fixed := func(head, tail string) func(n, was int) (string, string) {
		return func(n, was int) (string, string) { return head, tail }
	}
	head := func(of func(n int) string) func(n, was int) (string, string) {
		return func(n, was int) (string, string) { return of(n), "" }
	}
	refused := 0
	for title, around := range map[string]func(n, was int) (head, tail string){
		"little":               head(func(n int) string { return "SAVE" + put(little, 1, n, 7) }),
		"big":                  head(func(n int) string { return "SAVE" + put(big, 1, n, 7) }),
		"version of two bytes": head(func(n int) string { return "\x01\x00" + put(little, n) }),
		"version and a sum": head(func(n int) string {
			return "\x03\x00" + put(little, n) + "\x81\x9a\xf3\x07\x11\xb5\x1c\xd9\xee\x02\x5a\x90\x40\xfe\x93\x62"
		}),
		"a slot and a version":         fixed("SAVE\x0c\x00\x00\x00\x01\x00\x00\x00", ""),
		"a version of two bytes alone": fixed("SAVE\x01\x00", ""),
		"a size of the header":         fixed("\x0c\x00\x01\x00\x00\x00", ""),
		"zero and one":                 fixed("SAVE\x00\x00\x00\x00\x01\x00\x00\x00", ""),
		"an odd place":                 head(func(n int) string { return "SV" + put(little, n) + "\x03" }),
		"eight bytes":                  head(func(n int) string { return put(little, 1, n, 0) }),
		"version and two numbers":      head(func(n int) string { return "SAVE" + put(little, 3, n) + "\x03\x02\x00\x00\x02\x00" }),
		"Slot One":                     fixed(name("Slot One"), ""),
		"Mira":                         fixed(name("Mira"), ""),
		"Autosave":                     fixed(name("Autosave"), ""),
		"Jo":                           fixed(name("Jo"), ""),
		"stats behind a name":          fixed("MYGM\x03\x00\x01\x00\x07\x00Aveline"+put(little, 100, 85)+"\x8d\xa3\xf2\x41", ""),
		"a varint with a zero":         fixed("MYGM\x03\x00\x01\x00\x07\x00Aveline\xf2\x00\x00\x00\x8d\xa3\xf2\x41", ""),
		"a text with its length":       head(func(n int) string { return put(little, 4) + "Mira" + put(little, n) }),
		"two bytes behind a time": func(n, _ int) (string, string) {
			return "SAVE", "\xcf\x7fSg\x00\x00\x00\x00" + string(little.AppendUint16(nil, uint16(n)))
		},
		"two parts": func(n, was int) (string, string) {
			return "SAVE" + put(little, n), put(little, was) + strings.Repeat("~", was)
		},
		"second part": func(n, was int) (string, string) {
			return put(little, was) + strings.Repeat("~", was) + put(little, n), ""
		},
		"a mark":                      func(n, was int) (string, string) { return "SAVE" + put(little, n), put(little, 3) + "END" },
		"date":                        fixed("2026-11-29 10:20:45\n", ""),
		"version":                     fixed("MyGame 1.100\n", ""),
		"level":                       fixed("Lv.100 Mira|", ""),
		"names":                       fixed("level=100;hp=250\n", ""),
		"money":                       fixed("$100.00\n", ""),
		"thousands":                   fixed("gold 2,100\n", ""),
		"id":                          fixed("id-00000100\n", ""),
		"a number in the other order": fixed("SAVE\x00\x65\x64\x45v1\x00\x00\x00\x00\x00\x00\x06\x00\x00\x00slot_1", ""),
		"a size, and zeros before a number": func(n, was int) (string, string) {
			return string(big.AppendUint64(nil, uint64(n))) + "\x00\x00\x00\x00" + string([]byte{byte(was)}) + "\x11\x00\x00Mira\x00\x00\x00\x00", ""
		},
		"named":              head(func(n int) string { return fmt.Sprintf("v3 size=%d\n", n) }),
		"named with a colon": head(func(n int) string { return fmt.Sprintf("length: %d;", n) }),
		"zeros before it":    head(func(n int) string { return fmt.Sprintf("SAVE%08d", n) }),
		"behind a version":   head(func(n int) string { return fmt.Sprintf("v3 %d\n", n) }),
	} {
		for i, was := range append(slices.Collect(sizes()), 253, 254, 255, 512, 768, 1024, 1280, 2026, 4096, 65532) {
			if every := len(title) % 9; was <= 130 && i%9 != every || i%3 != every%3 {
				continue // other sizes for other kinds
			}
			content, more := strings.Repeat("!", was), strings.Repeat("!", was+3)
			before, behind := around(was, was)
			l := open(t, Around(int64(len(before)), int64(len(behind))), before+content+behind)
			Complete(l, layer.Inner{Held: []source.Source{source.Bytes(content)}})
			is, err := rewrap(t, l, more, layer.Inner{})
			if err != nil {
				refused++
				continue
			}
			if before, behind = around(was+3, was); is != before+more+behind && len(said(l).Stale) == 0 {
				t.Errorf("%s, %d bytes:\n%q %q, want\n%q %q", title, was, is[:len(before)], is[len(before)+len(more):], before, behind)
			}
		}
	}
	if refused > 3 {
		t.Errorf("%d are refused", refused)
	}
}

// TestLastLetter: the last letter of a magic word, or of a text with its length, and the byte behind it are no size, though they equal one.
func TestLastLetter(t *testing.T) {
	for head, size := range map[string]int{"SAVE\x01\x00\x00\x00": 'E' + 1<<8, "RPGSAV01\x01\x00\x00\x00\x07": '1' + 1<<8, "SAVE\x04\x00\x00\x00Mirk\x01": 'k' + 1<<8} {
		content := strings.Repeat("!", size)
		l := open(t, Around(int64(len(head)), 0), head+content)
		Complete(l, layer.Inner{Held: []source.Source{source.Bytes(content)}})
		if is, err := rewrap(t, l, content+"!!", layer.Inner{}); err != nil || is != head+content+"!!" || len(said(l).Stale) == 0 {
			t.Errorf("%q becomes %q, %v, %q", head, is[:len(head)], err, said(l).Stale)
		}
	}
}

// sizes yields the sizes from 33 to 130.
func sizes() func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for n := 33; n <= 130 && yield(n); n++ {
		}
	}
}

// zeros returns a source of some bytes.
func zeros(n int) source.Source { return source.Bytes(make([]byte, n)) }
