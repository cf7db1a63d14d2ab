package model

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"hash/fnv"
	"io"
	"os"
	"strings"
	"testing"

	"varview/decoder"
	"varview/decoder/diagnose"
	"varview/decoder/edit"
	"varview/decoder/engine/span"
)

func u32(n int) string { return string(binary.LittleEndian.AppendUint32(nil, uint32(n))) }

// variant returns a Dictionary of Godot 4 with a name and a level.
func variant(name string) string {
	text := func(s string) string { return u32(4) + u32(len(s)) + s + strings.Repeat("\x00", -len(s)&3) }
	return u32(27) + u32(2) + text("name") + text(name) + text("level") + u32(2) + u32(7)
}

func frame(name string) string { v := variant(name); return u32(len(v)) + v }

func jsonOf(name string) string { return fmt.Sprintf(`{"name":"%s","level":7,"bag":[1,2,3]}`, name) }

func sized(s string) string { return u32(len(s)) + s }

func zlibOf(plain string) string {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	io.WriteString(w, plain)
	w.Close()
	return b.String()
}

// unzlibbed returns a file in which each zlib stream is the plain bytes, and its size two words before it a word, if it is right.
func unzlibbed(file string) (all string) {
	for i := 0; i < len(file); i++ {
		in := strings.NewReader(file[i:])
		if z, err := zlib.NewReader(in); err == nil {
			if plain, err := io.ReadAll(z); err == nil {
				size := len(file) - i - in.Len()
				if before := max(0, len(all)-8); strings.HasPrefix(all[before:], u32(size)) {
					all = all[:before] + "size" + all[before+4:]
				}
				all, i = all+string(plain), i+size-1
				continue
			}
		}
		all += file[i : i+1]
	}
	return all
}

// byteSum combines all bytes in one.
func byteSum(s string, xor bool) string {
	var sum, x byte
	for _, c := range []byte(s) {
		sum, x = sum+c, x^c
	}
	if xor {
		return string([]byte{x})
	}
	return string([]byte{sum})
}

// asGamesWrite are files of two values as public code of games writes them.
var asGamesWrite = []struct {
	name, first, second string // paths of the names
	write               func(a, b string) string
}{
	{"numbers between store_var", "$[0].name", "$[1].name", func(a, b string) string { return u32(5) + frame(a) + u32(4711) + u32(12) + frame(b) }},
	{"names before store_var", "$[0].name", "$[1].name", func(a, b string) string { return sized("hero") + frame(a) + sized("companion") + frame(b) }},
	{"names of four letters, a count", "$[0].name", "$[1].name", func(a, b string) string { return u32(2) + "HERO" + frame(a) + "PETS" + frame(b) }},
	{"a name behind a length of two bytes", "$[0].name", "$[1].name", func(a, b string) string { return "\x04\x00hero" + frame(a) + "\x03\x00pet" + frame(b) + "END!" }},
	{"names and JSON behind their sizes", "$[0].name", "$[1].name", func(a, b string) string {
		return sized("hero") + sized(jsonOf(a)) + sized("pet") + sized(jsonOf(b))
	}},
	{"JSON between NULs", "$[0].name", "$[1].name", func(a, b string) string { return jsonOf(a) + "\x00" + jsonOf(b) + "\x00" }},
	{"netstrings", "$[0].name", "$[1].name", func(a, b string) string {
		return fmt.Sprintf("%d:%s,%d:%s,", len(jsonOf(a)), jsonOf(a), len(jsonOf(b)), jsonOf(b))
	}},
	{"packed sections with both sizes and a CRC", "$[0].name", "$[1].name", func(a, b string) (all string) {
		for i, plain := range []string{variant(a), variant(b)} {
			all += string(rune(i+1)) + "\x01" + u32(len(plain)) + u32(len(zlibOf(plain))) + u32(int(crc32.ChecksumIEEE([]byte(plain)))) + zlibOf(plain)
		}
		return all
	}},
	{"exclusive or behind JSON", "$.name", "", func(a, _ string) string { return jsonOf(a) + byteSum(jsonOf(a), true) }},
	{"a sum of a byte behind JSON", "$.name", "", func(a, _ string) string { return jsonOf(a) + byteSum(jsonOf(a), false) }},
	{"a sum of a byte behind a frame", "$[0].name", "", func(a, _ string) string { return frame(a) + byteSum(frame(a), false) }},
	{"FNV-1a behind a frame", "$[0].name", "", func(a, _ string) string {
		h := fnv.New32a()
		io.WriteString(h, frame(a))
		return frame(a) + u32(int(h.Sum32()))
	}},
}

// TestAsGamesWrite: what games write around and between values is sound, and follows edits; nothing is written that does not fit.
func TestAsGamesWrite(t *testing.T) {
	for _, c := range asGamesWrite {
		for _, names := range [][2]string{{"Maximilian the Unending", "Bo"}, {"A", "B"}, {"Zoë", "a name that is somewhat longer"}} {
			file := c.write("Kael", "Mira")
			path := write(t, []byte(file))
			d := openFile(t, path, decoder.Options{})
			for _, b := range d.Buffers {
				err := d.Diagnose(context.Background(), b.Tree(), diagnose.Options{}, func(f diagnose.Diagnosis) bool {
					if f.Severity > span.Note {
						t.Errorf("%s: %s", c.name, f.Message)
					}
					return true
				})
				must(t, err)
			}
			x, err := d.Begin(d.Innermost())
			must(t, err)
			for i, at := range []string{c.first, c.second} {
				if at != "" {
					if _, err := x.SetWithin(context.Background(), at, `"`+names[i]+`"`, edit.Options{}); err != nil {
						t.Errorf("%s: %s: %v", c.name, d.Title, err)
					}
				}
			}
			_, err = x.Commit(context.Background(), "", Cursor{}, Cursor{})
			must(t, err)
			s, err := d.Save(SaveOptions{})
			must(t, err)
			if err := s.Write(context.Background(), new(Progress)); err != nil {
				t.Errorf("%s: %v", c.name, err)
				continue
			}
			is, err := os.ReadFile(path)
			must(t, err)
			if got, want := string(is), c.write(names[0], names[1]); unzlibbed(got) != unzlibbed(want) && got != want {
				t.Errorf("%s becomes\n%q, want\n%q", c.name, got, want)
			}
		}
	}
}
