package ui

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"varview/decoder"
	"varview/decoder/diagnose"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/model"
)

// padded is a string of two characters with padding that is not zero, which engines
// ignore and never write.
func padded() []byte { return append(words(4, 2), 'M', 'i', 1, 2) }

// flawed is a stream with two flaws of the same kind, 8 bytes of header before and
// after each value.
func flawed() []byte { return stream(padded(), integer(1), padded()) }

// withProblems opens data and lists findings in place of its own problems.
func withProblems(t *testing.T, data []byte, width, height int, list ...diagnose.Diagnosis) *screen {
	t.Helper()
	s := openScreen(t, save(t, data), width, height, termenv.Ascii)
	s.m.problems.Delay = 0
	s.list(list...)
	return s
}

// list makes these the known findings.
func (s *screen) list(list ...diagnose.Diagnosis) {
	f := &model.Listed{Doc: s.m.desk.Doc, Count: s.m.desk.Doc.ProblemCount(span.Note), Whole: true}
	for _, x := range list {
		f.By[x.Severity]++
		f.All = append(f.All, model.BufferProblem{Buffer: s.m.desk.Doc.Innermost(), Diagnosis: x})
	}
	s.m.problems.Listed = f
}

// hasListed reports whether a problem is in the list.
func (s *screen) hasListed() bool {
	_, ok := s.m.problems.Pane().Selected()
	return ok
}

// found is a problem of one byte, whose repair is the byte b.
func found(s span.Severity, at int64, code, message string, b byte) diagnose.Diagnosis {
	return diagnose.Diagnosis{
		Problem: span.Problem{Span: span.Span{Offset: at, Length: 1}, Severity: s, Code: code, Message: message, Engine: "says so", Repair: fmt.Sprintf("make it %d", b)},
		Splices: []source.Splice{source.Put(at, 1, []byte{b})},
	}
}

// openGodot4 opens data as a stream of Godot 4 and reads all of it.
func openGodot4(t *testing.T, data []byte) *screen {
	t.Helper()
	s := openGodot4Unread(t, data)
	s.run(s.m.Init())
	return s
}

func openGodot4Unread(t *testing.T, data []byte) *screen {
	t.Helper()
	s := openWith(t, save(t, data), model.Options{Options: decoder.Options{Dialect: "godot4", Framing: "stream"}}, termenv.Ascii)
	s.m.problems.Delay = 0
	s.resizeTo(80, 24)
	return s
}

// three are an error and a warning at one byte, and a note.
func three() []diagnose.Diagnosis {
	warning := found(span.Warning, 12, "odd", "an odd number", 2)
	warning.Alternatives = []diagnose.Diagnosis{found(span.Warning, 12, "even", "it could be even", 4), found(span.Warning, 12, "gone", "or not be there", 8)}
	warning.Symptoms = 7
	note := found(span.Note, 20, "nice", "worth knowing", 0)
	note.Repair = ""
	return []diagnose.Diagnosis{found(span.Error, 12, "bad", "a bad number", 16), warning, note}
}

// four are values of which each has 8 bytes.
func four() []byte { return array(integer(1), integer(2), integer(3), integer(5)) }

func (s *screen) wantNotShown(what string) {
	s.t.Helper()
	if frame := s.frame(); strings.Contains(frame, what) {
		s.t.Errorf("%q is shown:\n%s", what, frame)
	}
}

// wantListed checks the selected problem of the list.
func (s *screen) wantListed(want string) {
	s.t.Helper()
	f, ok := s.m.problems.Pane().Selected()
	if !ok || f.Code != want {
		s.t.Errorf("listed is %q, want %q", f.Code, want)
	}
	s.wantShown(want)
}

// The list shows every problem, also several at one byte, with its details and its
// repair before any key is pressed.
func TestProblemsPane(t *testing.T) {
	s := withProblems(t, four(), 80, 24, three()...)
	s.press("!")
	s.wantListed("bad")
	s.wantShown("›✗ 0000000c r $[0]")
	s.wantShown("a bad number")
	s.wantShown("! 0000000c r $[0]")
	s.wantShown("· 00000014   $[1]")
	s.wantShown("✗ error bad  0xc · 1 byte")
	s.wantShown("the engine: says so")
	s.wantShown("repair: make it 16")
	s.wantShown("0000000c  01 → 10  value  $[0]")
	s.wantShown("1 of 3")
	s.wantShown("r repair  R repair all  enter go there")
	s.press("j")
	s.wantListed("odd")
	s.wantShown("not counted: 7 more problems caused by it")
	s.press("j")
	s.wantListed("nice")
	s.wantNotShown("repair: ")
	s.wantNotShown("r repair ")
	s.press("r")
	s.wantShown("no repair is known; enter goes there")
	s.press("j", "j", "G")
	s.wantListed("nice")
	s.press("g")
	s.wantListed("bad")
	s.press("ctrl+d", "ctrl+d")
	s.wantListed("nice")
	s.press("ctrl+u", "ctrl+f", "ctrl+b")
	s.wantListed("bad")
	for _, key := range []string{"esc", "!", "q"} {
		s.press(key)
		if s.m.problems.Pane() != nil || s.quit {
			t.Errorf("%s does not close the list, or more than it", key)
		}
		s.wantShown("tab bytes")
		s.press("!")
	}
}

// Other causes are shown and can be chosen.
func TestProblemCauses(t *testing.T) {
	s := withProblems(t, four(), 80, 24, three()...)
	s.press("!", "l")
	s.wantShown("no other cause with")
	s.resizeTo(80, 14)
	s.press("j")
	s.wantShown("possible cause 1 of 3; h and l show the others")
	s.resizeTo(80, 24)
	s.press("k")
	s.press("j")
	s.wantShown("│ cause 1 of 3, h and l choose ")
	s.wantShown("│ › make it 2 ")
	s.wantShown("│   make it 4 ")
	s.wantShown("│   make it 8 ")
	s.press("l")
	s.wantShown("│ cause 2 of 3, h and l choose ")
	s.wantShown("│ › make it 4 ")
	s.wantShown("warning even  0xc")
	s.wantShown("0000000c  01 → 04  value")
	s.press("h", "h")
	s.wantShown("cause 3 of 3")
	s.wantShown("0000000c  01 → 08  value")
	s.press("r")
	want := four()
	want[12] = 8
	s.wantBytes(want)
	s.wantShown("repair: make it 8; u undoes it")
	s.wantShown("modified")
	s.press("u")
	s.wantBytes(four())
	if s.m.problems.Pane() == nil {
		t.Error("undo closes the list")
	}
	s.press("ctrl+r")
	s.wantBytes(want)
}

// Enter goes to the problem, esc returns to where the cursor was.
func TestProblemsGoThere(t *testing.T) {
	for _, height := range []int{24, 34} {
		s := withProblems(t, four(), 80, height, three()...)
		s.press("j")
		s.wantSelected("[0]")
		s.press("!", "G")
		if docked := height == 34; docked {
			s.wantShown("│ ›    [1]  2 ")
		}
		s.press("esc")
		s.wantSelected("[0]")
		s.wantOffset(8)
		s.press("!", "G", "enter")
		s.wantSelected("[1]")
		s.wantOffset(20)
		s.wantShown("note: worth knowing (nice)")
		s.press("!")
		s.wantListed("nice")
	}
}

// The heading names hidden severities; hidden problems are not repaired.
func TestProblemFilter(t *testing.T) {
	s := withProblems(t, four(), 80, 24, three()...)
	s.press("!", "j", "e")
	s.wantListed("odd")
	s.wantShown("✗ 1 error hidden  ! 1 warning  · 1 note ")
	s.wantNotShown("a bad number")
	s.wantShown("1 of 2")
	s.press("w", "n")
	s.wantShown("All problems are hidden: e, w and n show")
	s.press("r", "R", "enter", "l", "j")
	if s.m.problems.Pane() == nil || s.hasListed() {
		t.Error("something is still listed, or the list is closed")
	}
	s.press("e")
	s.wantListed("bad")
	s.press("e", "w", "n")
	s.wantListed("odd")
	s.press("e", "G")
	s.wantListed("nice")
}

// A repair that loses something that can be read is asked about.
func TestRepairAsks(t *testing.T) {
	lossy := found(span.Error, 12, "bad", "a bad number", 16)
	lossy.Loss = "the first of two entries \"\x1b[31mhp\""
	s := withProblems(t, four(), 80, 24, lossy)
	s.press("!")
	s.wantShown(`this loses the first of two entries "\x1b[31mhp"`)
	s.press("r")
	s.wantShown(`repair it, and lose the first of two entries "\x1b[31mhp"?`)
	s.press("esc")
	s.wantShown("nothing was changed")
	s.wantBytes(four())
	s.press("r", "y")
	want := four()
	want[12] = 16
	s.wantBytes(want)
}

// In a file opened to be read only nothing is repaired, and a message says why.
func TestProblemsReadOnly(t *testing.T) {
	s := withProblems(t, four(), 80, 24)
	s.reopenReadOnly()
	s.m.problems.Delay = 0
	s.list(three()[0])
	s.press("!")
	s.wantShown("repair: make it 16")
	s.wantShown("not possible: opened with --read-only")
	s.wantNotShown("r repair")
	s.press("r")
	s.wantShown("nothing can be changed: opened with --read-only")
}

// The keys for the next and the previous problem reach every error and warning,
// also several at one byte, and wrap around.
func TestNextProblem(t *testing.T) {
	sound := withProblems(t, four(), 80, 24, three()[2])
	sound.press("]")
	sound.wantShown("no problems found")

	s := openScreen(t, save(t, damaged()), 80, 24, termenv.Ascii)
	var list []diagnose.Diagnosis
	for i, at := range []int64{4, 4, 4, 40, 262} {
		list = append(list, found(span.Warning, at, fmt.Sprint("code", i), fmt.Sprint("message ", i), 0))
	}
	list[1].Severity = span.Note
	s.list(list...)
	for i, want := range []int{0, 2, 3, 4, 0, 2} {
		s.press("]")
		if s.wantShown(fmt.Sprintf("(code%d)", want)); t.Failed() {
			t.Fatalf("step %d", i)
		}
	}
	for i, want := range []int{0, 4, 3, 2, 0} {
		s.press("[")
		if s.wantShown(fmt.Sprintf("(code%d)", want)); t.Failed() {
			t.Fatalf("step %d back", i)
		}
	}
	s.press("tab", "l", "]")
	s.wantShown("(code3)")
	s.press("h", "[")
	s.wantShown("(code2)")
}

// Bytes that a problem covers are marked, also without colours, and so is the place
// of missing bytes.
func TestProblemMarks(t *testing.T) {
	s := openGodot4(t, stream(array(padded(), integer(1))))
	s.wantShown(`"4d 69✗01–02 `)
	s.press("h")
	s.wantShown("!›▸ [0]  (2)") // also where it is folded
	cut := openScreen(t, save(t, array(integer(1))[:12]), 100, 24, termenv.Ascii)
	if !strings.ContainsAny(cut.frame(), "✗–") {
		t.Errorf("nothing is marked:\n%s", cut.frame())
	}
}

// A key neither rebuilds a very long list nor walks over it.
func TestManyProblems(t *testing.T) {
	const n = 100_000
	s := withProblems(t, array(slices.Repeat([][]byte{integer(1)}, n/8)...), 80, 24)
	var list []diagnose.Diagnosis
	for i := range n {
		list = append(list, found(span.Severity(i%3), int64(i), fmt.Sprint("code", i), "message", 1))
	}
	s.list(list...)
	s.m.problems.Listed.More = 20_000
	s.press("!")
	s.wantShown("✗ 33,333 errors  ! 33,333 warnings  · 33,334 notes              1 of 100,000")
	s.resizeTo(120, 24)
	s.wantShown("20,000 more are not listed · 1 of 100,000")
	s.press("G")
	s.wantListed("code99999")
	s.press("k", "ctrl+b", "ctrl+f", "n")
	s.wantShown(" of 66,666 ")
	s.press("g")
	s.wantListed("code2") // errors come first
	before := s.m.problems.Listed
	s.press("esc", "]")
	s.wantShown("(code1)")
	s.press("[")
	s.wantShown("(code99998)")
	s.press("!", "j", "w", "w", "esc")
	if s.m.problems.Listed != before {
		t.Error("the list was rebuilt though nothing has changed")
	}
}

// The mouse selects, scrolls and goes to a problem.
func TestProblemsMouse(t *testing.T) {
	for _, height := range []int{24, 34} {
		var list []diagnose.Diagnosis
		for i := range 40 {
			list = append(list, found(span.Warning, int64(i%40), fmt.Sprint("code", i), "message", 1))
		}
		s := withProblems(t, four(), 80, height, list...)
		s.press("!")
		l := s.m.problems.Pane()
		first := height - 1 - len(l.View()) + 1 // the line of the first problem
		s.click(20, first+2)
		s.wantListed("code2")
		s.wheel(20, first, tea.MouseButtonWheelDown)
		s.wantListed("code5")
		s.wheel(20, first, tea.MouseButtonWheelUp)
		s.wheel(20, first, tea.MouseButtonWheelUp)
		for range 40 {
			s.wheel(20, first, tea.MouseButtonWheelDown)
		}
		s.wantListed("code39")
		s.frame()
		s.click(20, first-1) // the heading
		s.click(20, height-3)
		s.wheel(2, 2, tea.MouseButtonWheelDown)
		s.press("g")
		s.frame()
		s.click(20, first)
		if s.m.problems.Pane() != nil {
			t.Error("a click on the selected problem does not go there")
		}
		s.wantOffset(0)
	}
}

// The list fits every window, and follows its size.
func TestProblemsSizes(t *testing.T) {
	long := found(span.Error, 12, "bad", strings.Repeat("a very long message ", 40), 16)
	long.Engine, long.Loss = strings.Repeat("engine ", 60), strings.Repeat("lost ", 50)
	s := withProblems(t, four(), 80, 24, append(three(), long)...)
	s.press("!")
	for _, size := range []struct{ width, height int }{{40, 12}, {60, 16}, {60, 40}, {80, 24}, {120, 34}, {139, 31}, {140, 32}, {200, 60}, {300, 100}, {41, 13}, {39, 12}, {40, 11}, {1, 1}, {80, 24}} {
		s.resizeTo(size.width, size.height)
		for range 4 {
			s.frame()
			s.press("j", "l")
		}
		s.press("g")
		if size.width >= 40 && size.height >= 12 {
			s.wantShown("bad")
			s.wantShown("›✗ 0")
		}
		s.press("r", "esc", "g")
		s.undo()
		s.relistAs(append(three(), long)...)
	}
}

// undo undoes all edits, if there are any.
func (s *screen) undo() {
	for s.m.desk.Doc.Steps() > 0 {
		s.run(s.m.edits.Undo())
	}
}

// relistAs opens the list again over these findings.
func (s *screen) relistAs(list ...diagnose.Diagnosis) {
	s.list(list...)
	if s.m.problems.Pane() == nil {
		s.press("!")
	}
	s.m.problems.Relist()
}

// Real findings are repaired, one and all, and undone.
func TestRepairFlaws(t *testing.T) {
	data := flawed()
	whole := bytes.ReplaceAll(data, []byte{'M', 'i', 1, 2}, []byte("Mi\x00\x00"))
	first := bytes.Replace(data, []byte{'M', 'i', 1, 2}, []byte("Mi\x00\x00"), 1)
	s := openGodot4(t, data)
	s.wantShown("2 problems")
	s.wantShown("! problems")
	s.press("!")
	s.wantListed("non-zero-padding")
	s.wantShown("0000000e  01 02 → 00 00  padding  $[0]")
	s.press("r")
	s.wantBytes(first)
	s.wantShown("1 problem ")
	s.wantListed("non-zero-padding")
	s.press("u")
	s.wantBytes(data)
	s.wantShown("2 problems")
	s.press("R")
	s.wantShown("repair all 2? Nothing that can be read is lost.")
	s.press("esc")
	s.wantBytes(data)
	s.press("R", "y")
	s.wantBytes(whole)
	s.wantShown("Every byte is as the engine expects it.")
	s.press("ctrl+s")
	s.wantShown("saved save.bin")
	s.press("esc")
	s.wantNotShown("problem")
}

// The list follows a file that is opened in place of another.
func TestProblemsOfAnotherDocument(t *testing.T) {
	s := openGodot4(t, flawed())
	s.press("!")
	s.run(s.m.file.Reload())
	s.wantShown("reloaded")
	s.wantListed("non-zero-padding")
	if s.m.problems.Listed.Doc != s.m.desk.Doc {
		t.Error("the list is of the old document")
	}
	s.press("enter")
	s.wantOffset(0xe)
}

// For a locked file the list explains why it is empty.
func TestProblemsOfLocked(t *testing.T) {
	s := openRepo(t, "wrapped/godot4-gdec-pass-small.bin", 80, 24)
	s.press("esc", "!")
	s.wantShown("in the part that could be read. The file is encrypted")
	s.press("esc")
}

// A file is diagnosed after it was read; an edit starts the diagnosis again.
func TestChecking(t *testing.T) {
	s := openGodot4Unread(t, damaged())
	s.wantShown(" reading ─")
	msg := s.m.desk.ReadOn()()
	_, next := s.m.Update(msg)
	s.wantShown(" checking ·")
	s.press("!")
	if s.m.problems.Listed.Whole {
		t.Error("the list is taken for complete while the file is checked")
	}
	s.wantNotShown("r repair")
	s.press("r")
	s.wantShown("still checking")
	s.press("R")
	s.wantShown("still checking")
	s.run(next)
	s.press("g")
	s.wantNotShown("checking")
	s.wantShown("r repair")
	s.press("esc")

	s = openGodot4Unread(t, damaged())
	_, late := s.m.Update(s.m.desk.ReadOn()())
	s.wantShown("checking")
	s.enter(":", "set $[2].level=8")
	s.wantShown("modified")
	s.wantNotShown("checking")
	known := s.m.problems.Known()
	s.run(late)
	if s.m.desk.Reading.Buffer != nil || s.m.problems.Known() != known {
		t.Error("what was found in other bytes is taken over")
	}
}

// Leaving the list leaves everything folded as it was.
func TestProblemsUnfoldNothing(t *testing.T) {
	s := withProblems(t, stream(four(), four()), 80, 40, found(span.Warning, 12, "odd", "an odd number", 2), found(span.Warning, 64, "even", "an even number", 2))
	s.press("j")
	before := s.frame()
	s.press("!", "j")
	s.wantShown("▾ [1]  (4)")
	s.press("esc")
	if after := s.frame(); after != before {
		t.Errorf("it was\n%s\nand is\n%s", before, after)
	}
}

// A finding of an empty file, or after the last byte, is shown, and enter goes to
// it.
func TestProblemsAfterTheLastByte(t *testing.T) {
	for _, data := range [][]byte{{}, integer(1), stream(integer(1), integer(2))[:16]} {
		for _, height := range []int{24, 34} {
			end := found(span.Error, int64(len(data)), "missing", "something is missing", 0)
			end.Length, end.Repair = 0, ""
			s := withProblems(t, data, 100, height, end, end)
			s.press("!", "j")
			s.wantListed("missing")
			s.wantShown(fmt.Sprintf("before %#x", len(data)))
			s.press("enter", "]", "]", "!", "esc")
			s.frame()
		}
	}
}

// What happened to the connections of a capture is listed and counted with what is wrong with its messages.
func TestProblemsOfCaptures(t *testing.T) {
	for _, test := range []struct {
		name string
		want []string
	}{
		{"sessions/ws-closed.pcap", []string{" 1 problem ", "closed-with-error", "closes the WebSocket with 1003", "$.packets[9]"}},
		{"sessions/udp-two.pcap", []string{" 19 problems ", "$.messages[0]  ×19 2 values in one packet", "1 of 1 "}},
		{"captures/udp.pcap", []string{"no problems found", "Nothing is wrong with what was sent"}},
	} {
		s := openRepo(t, test.name, 120, 40)
		s.press("!")
		for _, want := range test.want {
			s.wantShown(want)
		}
	}
}

// An error of a packet hides none of those of the messages in the others.
func TestProblemsOfCutCapture(t *testing.T) {
	data, err := os.ReadFile(repoFile("sessions/udp-two.pcap"))
	if err != nil {
		t.Fatal(err)
	}
	s := openScreen(t, save(t, data[:len(data)-20]), 120, 40, termenv.Ascii)
	s.press("!")
	s.wantShown("✗ 1 error  ! 18 warnings")
}

// The list of problems leaves the cursor at the same bytes as before, also in another buffer than its problems.
func TestProblemsLeaveTheBytes(t *testing.T) {
	s := openScreen(t, "../testdata/sessions/node-missing.pcap", 80, 24, termenv.Ascii)
	s.look()
	before := s.m.desk.Explorer.Offset()
	s.press("!", "esc")
	if at := s.m.desk.Explorer.Offset(); at != before || before == 0 {
		t.Errorf("the cursor is at %#x, want %#x", at, before)
	}
}
