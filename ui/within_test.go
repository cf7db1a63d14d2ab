package ui

import (
	"bytes"
	"compress/gzip"
	"os"
	"testing"

	"github.com/muesli/termenv"
)

func gzipped(data []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(data)
	w.Close()
	return b.Bytes()
}

// A save in the bytes of a value is opened, read and left; the document around it is as it
// was, with its edits.
func TestSaveWithin(t *testing.T) {
	inner := dictionary(str("gold"), integer(5), str("again"), packedBytes(dictionary(str("deep"), integer(1))))
	for name, data := range map[string][]byte{"plain": inner, "packed": gzipped(inner)} {
		t.Run(name, func(t *testing.T) {
			outer := func(hp int32) []byte {
				return dictionary(str("hp"), integer(hp), str("blob"), packedBytes(data))
			}
			s := openScreen(t, save(t, outer(7)), 120, 30, termenv.Ascii)
			s.enter(":", "set $.hp=8")
			s.enter(":", "goto $.blob")
			s.press("o")
			s.wantShown("save.bin: $.blob")
			s.wantShown("a copy of the bytes, only to be read; q goes back to save.bin")
			s.press("j")
			s.wantSelected("gold  5")
			s.press("e")
			s.wantShown("nothing can be changed: this is a copy of the bytes of save.bin: $.blob")
			s.press("ctrl+s")
			s.press("j", "o")
			s.wantShown("save.bin: $.blob: $.again")
			s.wantShown("deep  1")
			s.press("q")
			s.wantSelected("▸ again")
			s.press("ctrl+c")
			s.wantSelected("▸ blob")
			s.wantShown("modified")
			s.wantBytes(outer(8))
			s.press("u")
			s.wantBytes(outer(7))
			s.press("q")
			if !s.quit {
				t.Error("q does not quit any more")
			}
		})
	}
}

// What is no save is not opened; what is packed is, whatever it is.
func TestNoSaveWithin(t *testing.T) {
	s := openScreen(t, save(t, dictionary(str("a"), packedBytes([]byte{1, 2, 3, 200, 9, 9}), str("b"), packedBytes(gzipped([]byte("hello, hello, hello"))),
		str("c"), packedBytes(gzipped([]byte("broken"))[:20]))), 120, 30, termenv.Ascii)
	s.press("j", "o")
	s.wantShown("these bytes are no save, image or text that is known")
	s.press("j", "o")
	s.wantShown("text file · 19 B")
	s.press("q", "j", "o")
	s.wantShown("unexpected EOF")
	s.wantSelected("▸ c")
}

// A copy can be saved under a name.
func TestSaveTheCopy(t *testing.T) {
	inner := dictionary(str("gold"), integer(5))
	s := openScreen(t, save(t, dictionary(str("blob"), packedBytes(inner))), 120, 30, termenv.Ascii)
	s.press("j", "o")
	s.enter(":", "w")
	to := s.path + ".inner"
	s.enter(":", "w "+to)
	if got, _ := os.ReadFile(to); !bytes.Equal(got, inner) {
		t.Errorf("saved % x", got)
	}
	s.press("q")
	s.wantSelected("▸ blob")
	s.wantBytes(dictionary(str("blob"), packedBytes(inner)))
}
