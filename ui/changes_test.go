package ui

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/muesli/termenv"
)

// Changes are listed, and enter goes to one.
func TestChanges(t *testing.T) {
	s := openScreen(t, save(t, stream(array(integer(3), str("x")))), 100, 24, termenv.Ascii)
	s.enter(":", "changes bytes")
	s.wantShown("nothing is changed")
	s.press("c")
	s.wantShown("nothing is changed")
	s.enter(":", "set $[0][0]=37")
	s.enter(":", `set $[0][1]="12345"`)
	s.enter(":", "changes bytes")
	s.wantShown("00000000 1c             → 20            $[0]  frame length")
	s.wantShown("00000010 03             → 25            $[0][0]  value")
	s.wantShown("00000018 01             → 05            $[0][1]  length")
	s.wantShown("0000001c 78             → 31 32 33 34 … $[0][1]  text")
	s.wantShown("4 ranges differ from the file")
	s.press("g", "j", "enter")
	s.wantOffset(0x10)
	s.press("c")
	s.wantOffset(0x18)
	s.press("c", "c")
	s.wantOffset(0)
	s.enter(":", "changes bytes")
	s.press("G", "k", "ctrl+d", "ctrl+u", "ctrl+f", "ctrl+b", "q")
	if s.quit || s.m.desk.Dialogs.Top() != nil {
		t.Error("q leaves the program, or not the list")
	}
	s.enter(":", "changes bytes")
	s.press("x")
	s.wantShown("no action on x")
	s.press("g", "2", "j") // numbers, as in the panes
	s.wantShown("›  00000018")
	s.click(10, 3)
	s.wantShown("›  00000010")
	s.click(10, 3)
	s.wantOffset(0x10)
	s.enter(":", "changes bytes")
	s.press("u")
	s.wantShown("undone: set $[0][1]")
	s.enter(":", "changes")
	s.wantHeading("1 change", "saved")
	s.wantCompared("• [0]  37", "3")
	s.wantNotShown(`"x"`)
	s.press("esc")
	s.wantShown(`[1]  "x"`)
	s.wantNotShown("from saved")
	s.press("z d") // without a comparison
	s.wantNotShown(`"x"`)
	s.press("z d")
	s.enter(":", "changes")
	s.press("ctrl+s") // there are none any more
	s.wantShown("saved save.bin")
	s.wantNotShown("from saved")
	s.press("u")
	s.enter(":", "changes")
	s.wantHeading("1 change", "saved")
	s.enter(":", "diff saved")
	s.press("ctrl+s") // compares with what is saved now
	s.wantHeading("no changes", "saved")
	s.press("z m", "=", "G", "ctrl+r")
	s.wantHeading("1 change", "saved")
}

// A repair that changes no value is listed by its bytes.
func TestChangesOfRepair(t *testing.T) {
	whole := stream(array(integer(3), integer(4)))
	s := openScreen(t, save(t, whole[:len(whole)-8]), 100, 24, termenv.Ascii)
	s.press("!", "r", "esc")
	s.enter(":", "changes")
	s.wantShown("ranges differ from the file")
}

// Changes are written as a patch, which makes them in another file.
func TestPatch(t *testing.T) {
	s := openEdited(t)
	patch := filepath.Join(filepath.Dir(s.path), "p.txt")
	s.enter(":", "patch "+patch)
	s.wantShown("wrote the changes to ")
	if b, err := os.ReadFile(patch); err != nil || !regexp.MustCompile(`^varview patch 1\nsum [0-9a-f]{32}\nset \$\[0\]\n- 3\n\+ 37\nsum [0-9a-f]{32}\n$`).Match(b) {
		t.Errorf("the patch is %q (%v)", b, err)
	}
	s.enter(":", "patch "+patch)
	s.wantShown("exists already; :patch!")
	s.enter(":", "patch! "+patch)
	s.wantShown("wrote the changes to ")

	other := openScreen(t, save(t, array(integer(3), str("y"))), 100, 24, termenv.Ascii)
	other.enter(":", "apply "+patch)
	other.wantBytes(array(integer(37), str("y")))
	other.wantShown("apply a patch; u undoes it")
	other.enter(":", "apply "+patch)
	other.wantShown("set $[0]: $[0] is 37 here, not 3")
	other.enter(":", "apply "+other.path)
	other.wantShown("line 1: a patch has to begin with")
	other.enter(":", "apply /no/such/file")
	other.wantShown("no such file")
	for _, name := range []string{"apply", "patch", "set", "unwrap"} {
		other.enter(":", name)
		other.wantShown(":" + name + " needs")
	}
	other.undoAll(array(integer(3), str("y")))
	other.enter(":", "patch "+patch+"2")
	other.wantShown("there are no changes to write")
}
