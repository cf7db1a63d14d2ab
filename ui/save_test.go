package ui

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/muesli/termenv"

	"varview/model"
)

// wantFile checks the content of a file in the folder of the open one; nil is for
// no file.
func (s *screen) wantFile(name string, want []byte) {
	s.t.Helper()
	got, err := os.ReadFile(filepath.Join(filepath.Dir(s.path), name))
	if want == nil {
		if err == nil {
			s.t.Errorf("%s is there", name)
		}
		return
	}
	if err != nil || !bytes.Equal(got, want) {
		s.t.Errorf("%s holds % x (%v), want % x", name, got, err, want)
	}
}

var (
	before = array(integer(3), str("x"))
	after  = array(integer(37), str("x"))
)

// openEdited opens a file and sets its first number to 37.
func openEdited(t *testing.T) *screen {
	t.Helper()
	s := openScreen(t, save(t, before), 100, 24, termenv.Ascii)
	s.typeText("je37\r")
	s.wantShown("modified")
	return s
}

// In the editor of a row, the key that saves sets the value and saves it; a type that changes is asked about first.
func TestSaveFromEditor(t *testing.T) {
	s := openScreen(t, save(t, before), 100, 24, termenv.Ascii)
	s.typeText("je37")
	s.press("ctrl+s")
	s.wantShown("saved save.bin")
	s.wantNotShown("modified")
	s.wantFile("save.bin", after)
	s.typeText("e7.25")
	s.press("ctrl+s")
	s.wantShown("changes the type")
	s.press("ctrl+s") // answers no question
	s.wantShown("changes the type")
	s.wantFile("save.bin", after)
	s.press("enter", "ctrl+s")
	s.wantShown("saved save.bin")
	s.wantFile("save.bin", array(float(7.25), str("x")))
}

// The key that saves does the same where a key is asked for; a key that is there already says how its value is replaced.
func TestSavePasted(t *testing.T) {
	s := openScreen(t, save(t, dictionary(str("hp"), integer(3))), 80, 24, termenv.Ascii)
	s.press("j", "y", "p")
	s.wantShown("another key, or esc and e to set that value")
	s.typeText("2")
	s.press("ctrl+s")
	s.wantShown("saved save.bin")
	s.wantFile("save.bin", dictionary(str("hp"), integer(3), str("hp2"), integer(3)))
}

func TestSave(t *testing.T) {
	s := openEdited(t)
	s.press("ctrl+s")
	s.wantShown("saved save.bin (28 B), the old file is save.bin~")
	s.wantFile("save.bin", after)
	s.wantFile("save.bin~", before)
	if strings.Contains(s.frame(), "modified") {
		t.Error("still modified")
	}
	s.press("ctrl+s")
	s.wantShown("nothing to save")

	s.press("u")
	s.wantShown("modified")
	s.enter(":", "w")
	s.wantShown("saved save.bin (28 B) ")
	s.wantFile("save.bin", before)
	s.wantFile("save.bin~", before) // as it was when it was opened

	s.press("ctrl+r")
	copied := filepath.Join(filepath.Dir(s.path), "copy.bin")
	s.enter(":", "w "+copied)
	s.wantShown("saved copy.bin")
	s.wantShown("modified")
	s.wantFile("copy.bin", after)
	s.wantFile("save.bin", before)
	s.press("u", "e")
	s.typeText("38\r")
	s.enter(":", "w "+copied)
	s.wantShown("exists already")
	s.wantFile("copy.bin", after)
	s.enter(":", "w! "+copied)
	s.wantFile("copy.bin", array(integer(38), str("x")))
	s.press("j")
	s.enter(":", "wq")
	if !s.quit {
		t.Error(":wq does not leave")
	}
	s.wantFile("save.bin", array(integer(38), str("x")))
}

// A file that another program has changed is not overwritten.
func TestSaveChanged(t *testing.T) {
	s := openEdited(t)
	other := array(integer(4), str("other"))
	replaceFile(t, s.path, other)
	s.look()
	s.wantShown("the file was changed by another program: R asks")
	for _, key := range []string{"ctrl+s", "R"} {
		s.press(key)
		s.wantShown(`$[0] 3 → 4, $[1] "x" → "other"`)
		s.wantFile("save.bin", other)
		s.press("l")
		s.wantShown("this file  │ saved ") // by values
		s.wantShown("$[0]")
		s.wantShown("this file  02 00 00 00 25 00 00 00 ")
		s.wantShown("saved  02 00 00 00 04 00 00 00 ")
		s.wantShown("esc keep mine, take theirs or both")
		s.press("esc")
		s.wantShown("m keep mine")
		s.press("k") // meant to move
		s.wantFile("save.bin", other)
		s.press(key)
		s.press("esc")
		s.wantShown("nothing was saved")
		s.wantShown("modified")
		s.wantBytes(after)
	}
	s.enter(":", "w!")
	s.wantFile("save.bin", after)
	s.press("j")
	if strings.Contains(s.frame(), "R asks") {
		t.Error("the notice stays")
	}
	s.wantFile("save.bin~", other)
	s.typeText("gje1\r")
	s.press("R", "y")
	s.wantShown("reloaded")
	s.wantBytes(after)
	if s.m.desk.Doc.CanUndo() {
		t.Error("what was lost can be undone")
	}
}

// replaceFile puts another file in place of one, as careful programs do.
func replaceFile(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path+".new", data, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		t.Skipf("an open file cannot be replaced here: %v", err)
	}
}

// What another program writes into the file takes away the bytes that were not edited,
// where there is no copy of them. The edits are left.
func TestSaveOverwritten(t *testing.T) {
	s := openWith(t, save(t, before), model.Options{Guard: true}, termenv.Ascii)
	s.run(s.m.Init())
	s.resizeTo(100, 24)
	s.typeText("je37\r")
	other := array(integer(3), str("z"))
	writeLater(t, s.path, other)
	s.look()
	s.wantShown("R asks")
	s.press("ctrl+s", "m")
	s.wantShown("; :patch NAME keeps the edits")
	copied := filepath.Join(filepath.Dir(s.path), "copy.bin")
	for _, save := range []string{"w!", "w " + copied} {
		s.enter(":", save)
		s.wantShown("; :patch NAME keeps the edits")
		s.wantFile("save.bin", other)
		s.wantFile("copy.bin", nil)
	}
	patch := filepath.Join(filepath.Dir(s.path), "p.txt")
	s.enter(":", "patch "+patch)
	s.enter(":", "q!")
	again := openScreen(t, s.path, 100, 24, termenv.Ascii)
	again.enter(":", "apply "+patch)
	again.wantBytes(array(integer(37), str("z")))
}

// writeLater writes into a file, some time after it was opened.
func writeLater(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	later := time.Now().Add(time.Minute)
	if err := os.Chtimes(path, later, later); err != nil {
		t.Fatal(err)
	}
}

// A private copy keeps the bytes that another program writes over.
func TestSaveCopied(t *testing.T) {
	s := openEdited(t)
	writeLater(t, s.path, []byte("nothing like it"))
	copied := filepath.Join(filepath.Dir(s.path), "copy.bin")
	s.enter(":", "w "+copied)
	s.wantFile("copy.bin", after)
	s.enter(":", "w!")
	s.wantFile("save.bin", after)
	s.wantFile("save.bin~", []byte("nothing like it"))
}

// A file that was only touched is saved as if nothing had happened.
func TestSaveTouched(t *testing.T) {
	s := openEdited(t)
	writeLater(t, s.path, before)
	s.look()
	if strings.Contains(s.frame(), "another program") {
		t.Error(s.frame())
	}
	s.press("ctrl+s")
	s.wantShown("saved save.bin")
	s.wantFile("save.bin", after)
}

// Saving without edits says that the file has changed.
func TestSaveNothingChanged(t *testing.T) {
	s := openScreen(t, save(t, before), 100, 24, termenv.Ascii)
	writeLater(t, s.path, after)
	s.look()
	s.press("ctrl+s")
	s.wantShown("changed by another program: $[0] 3 → ")
	s.wantShown("$[0] 3 → ")
	s.press("t")
	s.wantShown("reloaded")
	s.wantBytes(after)
}

// If a file cannot be written a message says so, and everything stays.
func TestSaveFails(t *testing.T) {
	s := openEdited(t)
	s.enter(":", "w "+filepath.Join(filepath.Dir(s.path), "no-such-folder", "x"))
	s.wantShown("not saved: ")
	s.wantShown("modified")
	s.wantBytes(after)
	s.wantFile("save.bin", before)
	s.enter(":", "unwrap x")
	s.wantShown("the file is not wrapped in anything")
}

func TestReadOnly(t *testing.T) {
	s := openWith(t, save(t, before), model.Options{ReadOnly: true}, termenv.Ascii)
	s.run(s.m.Init())
	s.resizeTo(80, 24)
	s.wantShown("read-only")
	for _, keys := range []string{"je", "dd", "a", "J", "\ti", "r", "x"} {
		s.typeText(keys)
		s.wantShown("nothing can be changed: opened with --read-only")
	}
	s.enter(":", "w "+filepath.Join(filepath.Dir(s.path), "copy.bin"))
	s.wantFile("copy.bin", before)
	s.press("q")
	if !s.quit {
		t.Error("still there")
	}
}

// Quitting asks if something would be lost.
func TestQuitAsks(t *testing.T) {
	for _, leave := range []string{"q", "ctrl+c", ":q"} {
		for _, test := range []struct {
			answer string
			quit   bool
			want   []byte
		}{{"y", true, after}, {"n", true, before}, {"esc", false, before}, {"x", false, before}, {"ctrl+c", false, before}} {
			t.Run(leave+"/"+test.answer, func(t *testing.T) {
				s := openEdited(t)
				if leave == ":q" {
					s.enter(":", "q")
				} else {
					s.press(leave)
				}
				s.wantShown("save before quitting?  y save  n discard  esc stay")
				if s.quit {
					t.Fatal("left without asking")
				}
				s.press(test.answer)
				if s.quit != test.quit {
					t.Errorf("left: %v", s.quit)
				}
				s.wantFile("save.bin", test.want)
			})
		}
	}
	s := openEdited(t)
	s.enter(":", "q!")
	if !s.quit {
		t.Error(":q! does not leave")
	}
	s = openEdited(t)
	s.press("u", "q")
	if !s.quit {
		t.Error("asks though nothing would be lost")
	}
}

// A save that was stopped leaves the old file.
func TestSaveStopped(t *testing.T) {
	s := openEdited(t)
	cmd := s.m.file.Save(model.SaveOptions{}, false)
	s.wantShown("· saving ─")
	s.press("d d")
	s.wantShown("saving: wait until it ends, or press esc to stop it")
	s.press("q")
	s.wantShown("still saving; esc stops it")
	s.press("esc")
	s.run(cmd)
	s.wantShown("not saved: it was stopped; the file is as it was")
	s.wantFile("save.bin", before)
	s.press("ctrl+s")
	s.wantFile("save.bin", after)
}

// A wrapped file is saved wrapped again, or without its wrappers.
func TestSaveWrapped(t *testing.T) {
	for _, name := range []string{"wrapped/godot4-gcpf-zstd-small.bin", "wrapped/godot4-base64-dictionary.b64"} {
		t.Run(name, func(t *testing.T) {
			data := alone(name)
			s := openScreen(t, save(t, data), 100, 24, termenv.Ascii)
			plain := s.bytes()
			s.press("G", "d d")
			edited := s.bytes()
			if bytes.Equal(edited, plain) {
				t.Fatal("nothing was taken away")
			}
			s.press("<", "ctrl+s")
			s.wantShown("saved save.bin")
			s.frame()
			saved, err := os.ReadFile(s.path)
			if err != nil {
				t.Fatal(err)
			}
			s.wantBytes(saved)
			again := openScreen(t, s.path, 100, 24, termenv.Ascii)
			again.wantBytes(edited)

			s.press(">", "u")
			s.wantBytes(plain)
			s.enter(":", "unwrap "+filepath.Join(filepath.Dir(s.path), "plain.bin"))
			s.wantShown("saved plain.bin")
			s.wantFile("plain.bin", plain)
			s.press("ctrl+s")
			openScreen(t, s.path, 100, 24, termenv.Ascii).wantBytes(plain)
		})
	}
}

// A file that was deleted is written again once that is asked for, without a backup; a failed save is
// reported once, with what else can be done.
func TestSaveGone(t *testing.T) {
	s := openEdited(t)
	remove(t, s.path)
	s.press("ctrl+s") // before the program has noticed
	s.wantShown("the file is gone")
	s.wantFile("save.bin", nil)
	s.press("esc")
	s.wantShown("nothing was saved")
	s.look()
	s.wantShown("the file is gone: :w! writes it again")
	s.press("ctrl+s")
	s.wantNotShown("theirs") // there is nothing to take
	s.press("w")
	s.wantShown("saved save.bin (28 B) ─")
	s.wantFile("save.bin", after)
	s.wantFile("save.bin~", nil)

	remove(t, s.path)
	s.look()
	s.enter(":", "w!")
	s.wantFile("save.bin", after)

	s.press("u")
	if err := os.Chmod(s.path, 0o400); err != nil {
		t.Fatal(err)
	}
	s.press("ctrl+s")
	s.wantShown("not saved: the file is read-only; :w NAME saves elsewhere")
	if strings.Contains(s.frame(), "not saved: not saved") {
		t.Error("it says so twice")
	}
	s.wantFile("save.bin", after)
}

// What another program has saved is not forgotten once the file is gone, whether it is watched or not: before the file is
// written again it is said what is lost.
func TestSaveGoneNewer(t *testing.T) {
	for _, watch := range []bool{false, true} {
		s := openEdited(t)
		if watch {
			s.enter(":", "watch")
		}
		if err := os.WriteFile(s.path, array(integer(9), str("x")), 0o600); err != nil {
			t.Fatal(err)
		}
		s.look()
		s.wantShown("changed by another program")
		if watch {
			s.run(s.m.differ.LookAtSaves()) // the first look waits for the next
			s.run(s.m.differ.LookAtSaves())
			s.wantShown("watching, 1 save")
		}
		remove(t, s.path)
		s.look()
		s.wantShown("the file is gone, with a newer save: :w! writes it again")
		s.resizeTo(80, 24)
		s.wantShown("the file is gone, with a newer save: :w!")
		s.press("ctrl+s")
		s.wantShown("$[0] 3 → 9")
		s.wantFile("save.bin", nil)
		s.press("esc")
		s.wantShown("nothing was saved")
		s.press("R")
		s.wantShown("and lose the changes?")
		s.press("esc", "ctrl+s", "w")
		s.wantFile("save.bin", after)

		remove(t, s.path) // what was seen before the last save is no longer said
		s.look()
		s.wantShown("the file is gone: :w! writes it again")
	}
}

// remove deletes an open file, which Windows does not do.
func remove(t *testing.T, path string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("an open file cannot be removed")
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}

// A watched file that is deleted is missed in the title, as any other.
func TestWatchGone(t *testing.T) {
	s := openScreen(t, save(t, before), 100, 24, termenv.Ascii)
	s.enter(":", "watch")
	remove(t, s.path)
	s.look()
	s.wantShown("the file is gone: :w! writes it again")
	s.wantShown("watching")
	if err := os.WriteFile(s.path, before, 0o600); err != nil {
		t.Fatal(err)
	}
	s.look()
	s.wantNotShown("gone")
}

// However narrow the window, the top line ends with the frame's corner.
func TestChangedNotice(t *testing.T) {
	s := openEdited(t)
	s.m.file.Changed = "the file was changed by another program"
	for _, width := range []int{60, 80, 100} {
		s.resizeTo(width, 24)
		top, _, _ := strings.Cut(s.frame(), "\n")
		if !strings.HasPrefix(top, "╭ save") || !strings.HasSuffix(top, "─╮") || !strings.Contains(top, "the file was changed by another") {
			t.Errorf("%d columns: %s", width, top)
		}
	}
	s.wantShown("modified · the file was changed by another program: R asks")
}

// Of two programs that save together one says so, and the other is told what has changed.
func TestSaveTogether(t *testing.T) {
	path := save(t, before)
	var screens [2]*screen
	var together sync.WaitGroup
	for i := range screens {
		s := openScreen(t, path, 100, 24, termenv.Ascii)
		s.typeText("je3" + fmt.Sprint(i) + "\r")
		cmd := s.m.file.Save(model.SaveOptions{}, false)
		together.Go(func() { s.run(cmd) })
		screens[i] = s
	}
	together.Wait()
	winner := 0
	if !strings.Contains(screens[0].frame(), "saved save.bin (28 B)") {
		winner = 1
	}
	screens[winner].wantShown("saved save.bin (28 B)")
	screens[winner].wantFile("save.bin", array(integer(int32(30+winner)), str("x")))
	other := screens[1-winner]
	other.wantShown(fmt.Sprintf("changed by another program: $[0] 3 → %d", 30+winner))
	other.press("l")
	other.wantHeading("1 change", "saved")
}
