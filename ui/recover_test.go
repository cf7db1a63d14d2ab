package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/adrg/xdg"
	"github.com/muesli/termenv"

	"varview/model"
)

// keeping opens a file in the program as it is run, which keeps edits.
func keeping(t *testing.T, path string) *screen {
	t.Helper()
	s := openWith(t, path, model.Options{Guard: true, CopyLimit: 1 << 20}, termenv.Ascii)
	s.m.file.Keeps = true
	s.resizeTo(100, 24)
	s.run(s.m.Init())
	return s
}

// wantNoRecord checks that a file that is opened again has no unsaved edits.
func wantNoRecord(t *testing.T, path string) {
	t.Helper()
	s := keeping(t, path)
	s.wantNotShown("not saved")
	s.enter(":", "recover")
	s.wantShown("there are no unsaved edits of this file")
	s.m.desk.Doc.CloseJournal(false)
}

// kill ends the program as a signal does.
func (s *screen) kill() {
	s.t.Helper()
	if err := s.m.desk.Doc.CloseJournal(true); err != nil {
		s.t.Fatal(err)
	}
	s.m.desk.Doc.Close()
}

// ownState keeps unsaved edits in a folder of the test.
func ownState(t *testing.T) {
	t.Helper()
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	xdg.Reload()
	t.Cleanup(xdg.Reload)
}

func TestRecoverTakes(t *testing.T) {
	ownState(t)
	path := save(t, before)
	s := keeping(t, path)
	s.typeText("je37\r")
	s.typeText("je\by\r")
	s.kill()

	s = keeping(t, path)
	s.wantShown("2 edits of ")
	s.wantShown("not saved: set $[1] was the last  U take or discard")
	s.press("U", "esc")
	s.wantShown(":recover offers the edits again")
	s.wantNotShown("U take or discard")
	s.enter(":", "recover")
	s.press("t")
	s.wantShown("restored; u undoes them one by one")
	s.wantBytes(array(integer(37), str("y")))
	s.press("u", "u")
	s.wantBytes(before)
	s.press("ctrl+r", "ctrl+r")
	s.kill() // and once more

	s = keeping(t, path)
	s.press("U", "t")
	s.wantBytes(array(integer(37), str("y")))
	s.press("ctrl+s")
	s.wantShown("saved save.bin")
	s.kill()

	wantNoRecord(t, path)
}

// sameTime gives all records one time, as a disk does that counts in milliseconds.
func sameTime(t *testing.T) {
	t.Helper()
	records, err := filepath.Glob(filepath.Join(os.Getenv("XDG_STATE_HOME"), "*", "unsaved", "*"))
	if err != nil || len(records) < 2 {
		t.Fatal(records, err)
	}
	now := time.Now()
	for _, name := range records {
		if err := os.Chtimes(name, now, now); err != nil {
			t.Fatal(err)
		}
	}
}

// Records of several runs are counted, and taken one after the other without saving in between.
func TestRecoverSeveral(t *testing.T) {
	ownState(t)
	path := save(t, before)
	s := keeping(t, path)
	s.typeText("je37\r")
	s.kill()
	s = keeping(t, path)
	s.typeText("jje\by\r")
	s.kill()
	sameTime(t)

	s = keeping(t, path)
	s.wantShown("2 records, 2 edits not saved, the last at ")
	s.press("U", "t")
	s.wantShown("restored; u undoes them one by one; there is an older record: U")
	s.wantBytes(array(integer(3), str("y")))
	if err := s.m.desk.Doc.Journal().Flush(); err != nil { // what was taken is no record of its own any more
		t.Fatal(err)
	}
	s.press("U")
	s.wantShown("an edit of ")
	s.press("t")
	s.wantShown("1 edit taken")
	s.wantBytes(array(integer(37), str("y")))
	s.press("ctrl+s")
	s.kill()
	wantNoRecord(t, path)
}

func TestRecoverDiscards(t *testing.T) {
	ownState(t)
	path := save(t, before)
	s := keeping(t, path)
	s.typeText("je37\r")
	s.kill()
	s = keeping(t, path)
	s.wantShown("an edit of ")
	s.press("U", "l")
	s.wantShown("set $[0]")
	s.wantShown("37")
	s.press("esc", "d", "y")
	s.kill()
	s = keeping(t, path)
	s.wantNotShown("not saved")
	s.typeText("je37\r")
	s.press("ctrl+s", "u")
	s.kill() // what was saved is the edit, not its undo
	s = keeping(t, path)
	s.wantShown("was not saved: undo set $[0]")
	s.kill()
}

// What still applies to a file that has changed is made, the rest is listed and stays.
func TestRecoverInChangedFile(t *testing.T) {
	ownState(t)
	path := save(t, array(integer(3), str("x"), integer(1)))
	s := keeping(t, path)
	s.typeText("je37\r")
	s.typeText("je\by\r")
	s.typeText("je\b2\r")
	s.kill()
	writeLater(t, path, array(integer(3), str("y"), integer(4), integer(5)))

	s = keeping(t, path)
	s.press("U")
	s.wantShown("the file has changed since")
	s.press("t")
	s.wantShown("Edits that no longer apply")
	s.wantShown("set $[2]: $[2] is 4 here, not 1")
	s.wantShown("1 edit taken, 1 in the file already")
	s.press("esc")
	s.wantBytes(array(integer(37), str("y"), integer(4), integer(5)))
	s.press("u")
	s.wantBytes(array(integer(3), str("y"), integer(4), integer(5)))
	s.enter(":", "recover")
	s.press("d d")
	s.kill()
}

// The offer stays until it is answered or the file is edited, whatever else is done, and no key that
// does something else answers it.
func TestRecoverOfferStays(t *testing.T) {
	ownState(t)
	path := save(t, before)
	s := keeping(t, path)
	s.typeText("je37\r")
	s.kill()

	s = keeping(t, path)
	offer := "not saved: set $[0]  U take or discard"
	s.wantShown(offer)
	for _, keys := range []string{"j", "k", "\t\t", "v\x1b", ":\x1b", "/x\r", ":goto 4\r", "?\x1b", "Uj", "U:\x1b", "Ul\x1bj", "y\x1b"} {
		s.typeText(keys)
		s.wantShown(offer)
	}
	s.resizeTo(40, 10)
	s.wantShown("U take or discard")
	s.resizeTo(100, 24)
	s.enter(":", "diff "+path)
	s.wantBytes(before)
	s.press("esc")
	s.wantShown(offer)
	s.wantBytes(before)
	s.typeText("ge\x15[true]\r")
	s.wantNotShown(offer)
	s.press("u")
	s.wantShown(offer)
	s.press("U", "d")
	s.wantNotShown(offer)
	s.kill()
}

// Another program on the same file is named in the title.
func TestOpenTwice(t *testing.T) {
	ownState(t)
	path := save(t, before)
	first, second := keeping(t, path), keeping(t, path)
	for _, s := range []*screen{first, second} {
		s.look()
		s.wantShown("open in process ")
	}
	first.kill()
	second.look()
	if strings.Contains(second.frame(), "open in process") {
		t.Error(second.frame())
	}
	second.kill()
}

// Where edits cannot be kept the title says so, as long as that is so.
func TestEditsNotKept(t *testing.T) {
	state := t.TempDir()
	t.Setenv("XDG_STATE_HOME", state)
	xdg.Reload()
	t.Cleanup(xdg.Reload)
	if err := os.MkdirAll(filepath.Join(state, "varview"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(state, "varview", "unsaved"), nil, 0o600); err != nil { // no folder can be there
		t.Fatal(err)
	}
	s := keeping(t, save(t, before))
	s.wantShown("unsaved edits cannot be kept")
	s.typeText("je37\r")
	s.wantShown("modified · edits are not kept")
}

// A look at the disk at which nothing has changed draws no frame.
func TestLookDrawsNothing(t *testing.T) {
	ownState(t)
	path := save(t, before)
	s := keeping(t, path)
	s.send(tickMsg{s.m.ticking}) // the file has been read
	frame := s.frame()
	s.run(s.m.file.Look())
	if !s.m.desk.Unchanged || s.frame() != frame {
		t.Error("a frame is drawn, though nothing has changed")
	}
	if err := os.WriteFile(path, array(integer(4), str("other")), 0o600); err != nil {
		t.Fatal(err)
	}
	s.run(s.m.file.Look())
	s.wantShown("changed by another program")
	s.run(s.m.file.Look())
	s.press("j")
	if s.m.desk.Unchanged || s.frame() == frame {
		t.Error("no frame is drawn after a key")
	}
}
