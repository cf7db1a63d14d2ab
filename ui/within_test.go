package ui

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/muesli/termenv"

	"varview/model"
)

func gzipped(data []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(data)
	w.Close()
	return b.Bytes()
}

// inmost returns what a save holds, packed or not.
func inmost(t *testing.T, b []byte) []byte {
	d, err := model.Open(t.Context(), save(t, b), model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	src := d.Innermost().Tree().Source
	got := make([]byte, src.Size())
	if _, err := src.ReadAt(got, 0); err != nil {
		t.Fatal(err)
	}
	return got
}

// A save in the bytes of a value is opened, edited and saved into the document around it, where
// that is one edit.
func TestSaveWithin(t *testing.T) {
	inner := func(gold, deep int32) []byte {
		return dictionary(str("gold"), integer(gold), str("again"), packedBytes(dictionary(str("deep"), integer(deep))))
	}
	for name, pack := range map[string]func([]byte) []byte{"plain": func(b []byte) []byte { return b }, "gzip": gzipped, "zlib": zlibbed, "zstd": zstded} {
		t.Run(name, func(t *testing.T) {
			outer := func(hp, gold, deep int32) []byte {
				return dictionary(str("hp"), integer(hp), str("blob"), packedBytes(pack(inner(gold, deep))))
			}
			s := openScreen(t, save(t, outer(7, 5, 1)), 120, 30, termenv.Ascii)
			s.enter(":", "set $.hp=8")
			s.enter(":", "goto $.blob")
			s.press("o")
			s.wantShown("save.bin: $.blob")
			s.wantShown("the bytes of $.blob: ctrl+s puts them back into save.bin, q goes back there")
			s.enter(":", "set $.gold=6")
			s.wantShown("modified")
			s.wantNotShown("read-only:")
			s.press("ctrl+s")
			s.wantShown("saved into $.blob of save.bin")
			s.wantNotShown("modified")
			s.enter(":", "goto $.again")
			s.press("o")
			s.wantShown("save.bin: $.blob: $.again")
			s.enter(":", "set $.deep=2")
			s.press("q")
			s.wantShown("save the bytes into $.again")
			s.press("esc", "q", "y")
			s.wantSelected("▸•again")
			s.wantShown("modified")
			s.press("ctrl+s", "q")
			s.wantSelected("▸•blob")
			s.wantShown("modified")
			head := len(dictionary(str("hp"), integer(8), str("blob"), packedBytes(nil)))
			for _, want := range [][]byte{inner(6, 2), inner(6, 1), inner(5, 1)} {
				b := s.bytes()[head:]
				if got := inmost(t, b[:binary.LittleEndian.Uint32(s.bytes()[head-4:])]); !bytes.Equal(got, want) {
					t.Errorf("put back % x, want % x", got, want)
				}
				s.press("u")
			}
			s.wantBytes(outer(7, 5, 1))
			s.press("o")
			s.enter(":", "set $.gold=9")
			s.press("q", "n")
			s.wantBytes(outer(7, 5, 1))
			s.press("q")
			if !s.quit {
				t.Error("q does not quit any more")
			}
		})
	}
}

// A save in base64, plain or packed, is opened and put back too; a text of JSON holds no other.
func TestSaveInBase64(t *testing.T) {
	for name, pack := range map[string]func([]byte) []byte{"plain": bytes.Clone, "gzip": gzipped, "zlib": zlibbed} {
		digits := base64.StdEncoding.EncodeToString(pack([]byte(`{"gold": 5, "items": ["sword", "shield"]}`)))
		s := openScreen(t, save(t, fmt.Appendf(nil, `{"name": "HealthPotionOfTheGreatBear", "blob": "%s"}`, digits)), 120, 30, termenv.Ascii)
		s.enter(":", "goto $.blob")
		s.press("o")
		s.wantShown("save.bin: $.blob")
		s.enter(":", "set $.gold=6")
		s.press("ctrl+s")
		s.wantShown("saved into $.blob of save.bin")
		s.press("q")
		var values struct{ Blob []byte } // of base64
		if err := json.Unmarshal(s.bytes(), &values); err != nil {
			t.Fatal(err)
		}
		if got, want := inmost(t, values.Blob), `{"gold": 6, "items": ["sword", "shield"]}`; string(got) != want {
			t.Errorf("%s: put back %s, want %s", name, got, want)
		}
		s.enter(":", "goto $.name")
		s.press("o")
		s.wantShown("there is nothing to draw here")
	}
}

// A jump out of bytes with changes would lose them, and is refused; without changes it goes back.
func TestJumpOutOfBytes(t *testing.T) {
	s := openScreen(t, save(t, dictionary(str("blob"), packedBytes(dictionary(str("gold"), integer(5))))), 120, 30, termenv.Ascii)
	s.press("j", "o")
	s.enter(":", "set $.gold=6")
	s.press("ctrl+o", "ctrl+o", "ctrl+o")
	s.wantShown("save.bin: $.blob")
	s.wantShown("these bytes have changes: ctrl+s puts them back, q asks about them")
	s.press("u", "ctrl+o", "ctrl+o")
	s.wantSelected("▸ blob")
}

// What differs from the bytes of a value is given to the other file, and not to the value.
func TestGiveFromBytes(t *testing.T) {
	s := openScreen(t, save(t, dictionary(str("blob"), packedBytes(dictionary(str("gold"), integer(5))))), 120, 30, termenv.Ascii)
	other := filepath.Join(t.TempDir(), "other.bin")
	if err := os.WriteFile(other, dictionary(str("gold"), integer(7)), 0o600); err != nil {
		t.Fatal(err)
	}
	s.press("j", "o")
	s.enter(":", "diff "+other)
	s.press("d", "p", "y")
	s.wantShown("saved other.bin")
	if got, _ := os.ReadFile(other); !bytes.Equal(got, dictionary(str("gold"), integer(5))) {
		t.Errorf("the other file holds % x", got)
	}
}

// Bytes that cannot be put back are only read.
func TestReadWithin(t *testing.T) {
	inner := dictionary(str("gold"), integer(5))
	s := openScreen(t, save(t, dictionary(str("blob"), packedBytes(inner))), 180, 30, termenv.Ascii)
	s.reopenReadOnly()
	s.press("j", "o")
	s.wantShown("read-only:")
	s.press("j", "e")
	s.wantShown("nothing can be changed: the bytes of save.bin: $.blob cannot be put back: opened with --read-only")
}

func zlibbed(data []byte) []byte {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	w.Write(data)
	w.Close()
	return b.Bytes()
}

func zstded(data []byte) []byte {
	w, _ := zstd.NewWriter(nil)
	return w.EncodeAll(data, nil)
}

// Bytes that are not a save are not opened; packed bytes are, whatever they contain.
func TestNoSaveWithin(t *testing.T) {
	s := openScreen(t, save(t, dictionary(str("a"), packedBytes([]byte{1, 2, 3, 200, 9, 9}), str("b"), packedBytes(gzipped([]byte("hello, hello, hello"))),
		str("c"), packedBytes(gzipped([]byte("broken"))[:20]))), 120, 30, termenv.Ascii)
	s.press("j", "o")
	s.wantShown("these bytes are not a save, image or text that varview knows")
	s.press("j", "o")
	s.wantShown("text file · 19 B")
	s.press("q", "j", "o")
	s.wantShown("unexpected EOF")
}

// A copy can be saved under a name.
func TestSaveTheCopy(t *testing.T) {
	inner := dictionary(str("gold"), integer(5))
	s := openScreen(t, save(t, dictionary(str("blob"), packedBytes(inner))), 120, 30, termenv.Ascii)
	s.press("j", "o")
	to := s.path + ".inner"
	s.enter(":", "w "+to)
	if got, _ := os.ReadFile(to); !bytes.Equal(got, inner) {
		t.Errorf("saved % x", got)
	}
	s.press("q")
	s.wantSelected("▸ blob")
	s.wantBytes(dictionary(str("blob"), packedBytes(inner)))
}

// A save in a text is opened as well, in any notation that a family reads, and put back with the escapes that the text
// around it needs.
func TestSaveWithinText(t *testing.T) {
	for _, c := range []struct{ text, set, is string }{
		{`{"gold":5,"name":"a \"b\""}`, "gold=6", `{"gold":6,"name":"a \"b\""}`},
		{"{\n\"gold\": 5,\n\"pos\": Vector2(1, 2)\n}", "pos=Vector2(3, 4)", "{\n\"gold\": 5,\n\"pos\": Vector2(3, 4)\n}"},
		{"[gd_resource type=\"Resource\" format=3]\n\n[resource]\ngold = 5\n", "properties.gold=6", "[gd_resource type=\"Resource\" format=3]\n\n[resource]\ngold = 6\n"},
		{"[player]\n\ngold=5\npos=Vector2( 1, 2 )\n", "sections[0].properties.gold=6", "[player]\n\ngold=6\npos=Vector2( 1, 2 )\n"},
	} {
		inJSON := func(text string) []byte {
			b, _ := json.Marshal(map[string]string{"held": text})
			return b
		}
		for _, around := range []func(text string) []byte{
			inJSON,
			func(text string) []byte { return dictionary(str("held"), str(text)) },
			func(text string) []byte { return dictionary(str("held"), packedBytes([]byte(text))) },
		} {
			s := openScreen(t, save(t, around(c.text)), 120, 30, termenv.Ascii)
			s.press("j", "o")
			s.wantShown("the bytes of $.held: ctrl+s puts them back")
			s.enter(":", "set $."+c.set)
			s.wantShown("modified")
			s.press("ctrl+s", "q")
			s.wantBytes(around(c.is))
		}
	}
}

// What a text holds is found from outside: a search and :goto go to the text and name the path, with which :set edits it.
func TestFindWithin(t *testing.T) {
	const inner = `{"gold":5,"pos":[1,2]}`
	s := openScreen(t, save(t, dictionary(str("name"), str("Mira"), str("held"), str(inner))), 120, 30, termenv.Ascii)
	for _, line := range []string{"/key:gold", ":goto $.held.gold", "/key:gold"} {
		s.press("g")
		s.enter(line[:1], line[1:])
		s.wantShown("$.held.gold is in what this text holds: o opens it")
		s.wantSelected("held")
	}
	s.enter(":", "set $.held.gold=7")
	s.wantShown("done: set $.held.gold; u undoes it")
	s.press("ctrl+s")
	s.wantBytes(dictionary(str("name"), str("Mira"), str("held"), str(strings.Replace(inner, "5", "7", 1))))
	s.enter(":", "goto $.held.silver")
	s.wantShown("$.held has no .silver")
	s.enter("/", "silver")
	s.wantShown("not found: silver")
}
