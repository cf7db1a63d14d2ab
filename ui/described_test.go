package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/muesli/termenv"
)

// A file is shown by its description as it is now: what is saved of that is read again, with the cursor at its byte. While
// it is wrong, the tree stays as it was, and what is wrong is below it.
func TestLiveDescription(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const first = "meta: {id: game, endian: le}\nseq:\n  - id: magic\n    contents: SAVE\n"
	write("game.ksy", first)
	s := openScreen(t, write("slot1.sav", "SAVE\x02\x00\x07\x00\x00\x00abcdefgh"), 100, 30, termenv.Ascii)
	s.look()
	s.wantShown("22 % described")
	s.enter(":", "goto 4")

	write("game.ksy", first+"  - id: version\n    type: u2\n")
	s.look()
	s.wantShown("game.ksy was read again")
	s.wantShown("version  2")
	s.wantShown("33 % described")
	s.wantOffset(4)

	write("game.ksy", first+"  - id: version\n    type: u2\n  - id: level\n    tpye: u4\n")
	s.look()
	s.wantShown("game.ksy:8:5")
	s.wantShown(`an attribute has no "tpye"; did you mean type?`)
	s.wantShown("    tpye: u4")
	s.wantShown("version  2")
	s.wantOffset(4)

	write("game.ksy", first+"  - id: version\n    type: u2\n  - id: level\n    type: u4\n")
	s.look()
	s.wantShown("level  7")
	if strings.Contains(s.frame(), "tpye") {
		t.Error("what was wrong is still shown")
	}

	s.enter(":", "ksy none")
	s.wantShown("read without a description")
	s.enter(":", "ksy "+filepath.Join(dir, "missing.ksy"))
	s.wantShown("there is no such file")
	s.enter(":", "ksy "+filepath.Join(dir, "game.ksy"))
	s.wantShown("level  7")
	s.enter(":", "ksy")
	s.wantShown("read by ")
}
