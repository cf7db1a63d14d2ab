package ui

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"varview/ui/dialog"
)

// fuzzKeys are the keys that bytes of the fuzzer press.
var fuzzKeys = []string{
	"j", "k", "h", "l", "g", "G", "n", "N", "!", "]", "[", "-", "?", "tab", "enter", " ", "esc", "/", ":", "down", "up", "left", "right",
	"ctrl+d", "ctrl+u", "ctrl+f", "ctrl+b", "backspace", "a", "0", "$", "x:00", "goto 9", "theme light", "as godot3", "冒", "\x1b", "R",
	"<", ">", "ctrl+o", "buffer 0", "as elephant-1.5.1", "unpack", "password", "key",
	"e", "r", "i", "A", "d", "D", "J", "K", "y", "x", "p", "P", "u", "ctrl+r", "ctrl+s", "ctrl+t", "ctrl+u", "c", "delete", "1", "41 4", "ff",
	`"t"`, "[1, 2]", "true", "undefined", "set 5", "type String", "changes", "w", "undo", "x!",
	"I", "o", "v", "V", "F", "shift+tab", "fill 00", "entropy", "export-bytes f",
}

// roomKeys are keys of tables, lists and comparisons. What begins with a colon is a command, typed where one can be.
var roomKeys = []string{
	"t", "s", "f", "F", "&", "=", "V", "T", "c", "C", "d o", "d p", "z d", "X", "L", "m a", "' a", "Z", "_", "*", "{", "}", "ctrl+g", "@", "ctrl+p", "Y", "b", "o", "H",
	":watch", ":unwatch", ":diff other.bin", ":diff saved", ":diff ~", ":merge base.bin other.bin", ":guess", ":find 1", ":changes bytes", ":info", ":e other.bin", "ctrl+^", ":restore", ":sort", ":set ..*=*2",
}

// inRoom turns one byte into a key of a room, a resize, or a save of another program.
func (s *screen) inRoom(b, arg byte, saves [][]byte) {
	s.t.Helper()
	switch i := int(b); {
	case i < len(roomKeys):
		command, isCommand := strings.CutPrefix(roomKeys[i], ":")
		if !isCommand {
			s.press(roomKeys[i])
			return
		}
		s.press("esc", "esc", "esc")
		s.enter(":", command)
	case b < 200:
		s.resizeTo([]int{40, 60, 80, 120, 170, 220}[arg%6], []int{10, 16, 24, 36, 60}[arg%5])
	default:
		s.savedElsewhere(saves[int(arg)%len(saves)])
	}
}

// savedElsewhere lets another program save the file, and looks at it. While something is edited, typed or asked, the document stays as
// it is; otherwise, if the file is watched, it is what was saved.
func (s *screen) savedElsewhere(data []byte) {
	s.t.Helper()
	d := s.m.desk
	if d.Doc.Path() != s.path || len(d.Doc.Buffers) > 1 {
		return
	}
	was, stays := s.bytes(), d.Doc.IsModified() || d.AwaitsInput()
	replaceFile(s.t.(*testing.T), s.path, data)
	s.look()
	for range 2 {
		s.run(s.m.differ.LookAtSaves())
	}
	if got := s.bytes(); stays && string(got) != string(was) {
		s.t.Errorf("what is edited or typed is about\n% x, the document is\n% x", was, got)
	} else if string(got) != string(was) {
		s.spoilt = true
	}
}

// do turns one byte into a key, a click, a turn of the wheel or a resize.
func (s *screen) do(b, arg byte) {
	s.t.Helper()
	switch {
	case int(b) < len(fuzzKeys):
		s.press(fuzzKeys[b])
	case b < 92:
		s.click(int(arg)%max(1, s.m.desk.Width), int(b)%max(1, s.m.desk.Height))
	case b < 107:
		s.wheel(int(arg)%max(1, s.m.desk.Width), int(b)%max(1, s.m.desk.Height), tea.MouseButtonWheelDown-tea.MouseButton(arg&1))
	case b < 115:
		s.send(tea.WindowSizeMsg{Width: int(arg), Height: int(arg)/3 + int(b-107)*4})
	case b < 122:
		s.send(tea.WindowSizeMsg{Width: minWidth + int(arg), Height: minHeight + int(b-115)*3})
	case b < 127:
		s.send(tickMsg{})
	case b < 132:
		s.send(backgroundMsg{dark: arg&1 == 0})
	case b < 134:
		s.spoilt = true
		if err := os.Truncate(s.path, int64(arg)); err == nil {
			s.look()
		}
	}
}

// wantFresh checks that the frame is what is drawn when nothing of an earlier one is kept.
func (s *screen) wantFresh() {
	s.t.Helper()
	if _, isTable := s.m.desk.Dialogs.Over().(dialog.Leading); !s.m.desk.Unchanged && (isTable || s.m.records.Pane() != nil) {
		return // what there was no time to read for one frame is in the next
	}
	shown := s.m.View()
	if s.m.desk.Unchanged = false; s.m.View() != shown {
		s.t.Errorf("shown is\n%s\ndrawn anew it is\n%s", shown, s.m.View())
	}
}

// play opens data, which a description reads unless that is nil, and takes the steps. It checks the frame after each step; at the
// end it undoes all edits and checks that the bytes are those that were opened.
func play(t testing.TB, data, description, steps []byte, profile termenv.Profile, unread bool) {
	t.Helper()
	path := save(t, data)
	if description != nil {
		if err := os.WriteFile(strings.TrimSuffix(path, filepath.Ext(path))+".ksy", description, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := openUnread(t, path, 80, 24, profile)
	t.Chdir(filepath.Dir(s.path)) // where files are saved
	s.frame()
	if !unread {
		s.run(s.m.Init())
	}
	for i := range steps {
		arg := byte(i)
		if i+1 < len(steps) {
			arg = steps[i+1]
		}
		before, history := s.m.desk.Doc, s.m.desk.Doc.CanUndo() || s.m.desk.Doc.CanRedo()
		s.do(steps[i], arg)
		s.frame()
		s.wantFresh()
		if s.m.desk.Doc != before && history && !s.m.desk.Doc.CanUndo() && !s.m.desk.Doc.CanRedo() {
			s.spoilt = true // reloaded, with the saved bytes
		}
		if at := s.m.hex.Cursor(); s.m.hex.Typing() && (at < 0 || at > s.m.desk.Explorer.Buffer.Size()) {
			t.Errorf("bytes are typed at %#x of %#x", at, s.m.desk.Explorer.Buffer.Size())
		}
		if t.Failed() {
			t.Fatalf("after %d of the steps %q in %q", i+1, steps, data)
		}
	}
	if unread {
		s.run(s.m.Init())
		s.frame()
	}
	for strings.Contains(s.m.desk.Doc.Name, ": $") { // a copy of the bytes of a value
		s.run(s.m.file.Leave())
	}
	if s.spoilt || len(s.m.desk.Doc.Buffers) > 1 {
		return
	}
	s.press("esc", "esc", "esc")
	for n := s.m.desk.Doc.Steps(); n > 0; n-- {
		s.run(s.m.edits.Undo())
		s.frame()
	}
	if got := s.bytes(); string(got) != string(data) {
		t.Fatalf("after undo % x, want % x; steps %q", got, data, steps)
	}
}

// wrappedAndElephant are some of the repository's files.
func wrappedAndElephant() (files [][]byte) {
	for _, name := range []string{exported, "elephant/v1-5-1-ref-graph.bin", "elephant/v1-5-1-diffs-nested.bin", "elephant/v1-0-0-style-all.bin",
		"wrapped/godot4-gcpf-zstd-small.bin", "wrapped/godot4-gdec-pass-small.bin", "wrapped/godot4-base64-dictionary.b64"} {
		files = append(files, alone(name))
	}
	return append(files, holed())
}

// TestRandomKeys presses random keys over small files of each family. Set KEYS to a number to try more.
func TestRandomKeys(t *testing.T) {
	r, times := rand.New(rand.NewPCG(42, 8)), 1
	if n, err := strconv.Atoi(os.Getenv("KEYS")); err == nil {
		times = n
	}
	const steps, most = 25, 4 << 10
	for _, pattern := range []string{"godot4/s*.bin", "godot3/s*.bin", "pandemonium/*.bin", "elephant/v1-5-1-s*.bin", "godot-text/*", "resource/*.*res", "json/*", "gamemaker/*", "msgpack/*", "wrapped/*", "kaitai/*.[sn][ab][vt]"} {
		all, _ := filepath.Glob(filepath.Join("../testdata", pattern))
		names := slices.DeleteFunc(all, func(name string) bool {
			info, err := os.Stat(name)
			return err != nil || info.IsDir() || info.Size() > most || strings.HasSuffix(name, ".truth.json")
		})
		if len(names) == 0 {
			t.Errorf("there are no files %s", pattern)
			continue
		}
		for range times {
			name, pressed := names[r.IntN(len(names))], make([]byte, steps)
			for i := range pressed {
				pressed[i] = byte(r.IntN(len(fuzzKeys)))
			}
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			description, _ := os.ReadFile(strings.TrimSuffix(name, filepath.Ext(name)) + ".ksy") // nil for most
			t.Run(filepath.Base(name), func(t *testing.T) { play(t, data, description, pressed, termenv.Ascii, false) })
		}
	}
}

// TestRandomRooms presses random keys in tables, lists and comparisons over small files of each family, resizes the window, and lets
// another program save the file meanwhile. Set KEYS to a number to try more.
func TestRandomRooms(t *testing.T) {
	times := 1
	if n, err := strconv.Atoi(os.Getenv("KEYS")); err == nil {
		times = n
	}
	for round := range times {
		for i, pattern := range []string{"godot4/s*.bin", "godot3/s*.bin", "elephant/v1-5-1-s*.bin", "godot-text/*", "resource/*.*res", "json/*", "gamemaker/*", "msgpack/*", "kaitai/*.[sn][ab][vt]", "captures/*.pcap*", "damaged/*"} {
			r := rand.New(rand.NewPCG(uint64(round), uint64(i)))
			names, _ := filepath.Glob(filepath.Join("../testdata", pattern))
			names = slices.DeleteFunc(names, func(name string) bool {
				info, err := os.Stat(name)
				return err != nil || info.IsDir() || info.Size() > 20<<10 || strings.HasSuffix(name, ".json") && !strings.HasPrefix(pattern, "json")
			})
			name, other := names[r.IntN(len(names))], names[r.IntN(len(names))]
			t.Run(fmt.Sprint(round, "/", filepath.Base(name)), func(t *testing.T) { playRooms(t, r, name, other) })
		}
	}
}

// playRooms opens a file beside another one, and takes random steps. It checks each frame against one that is drawn anew.
func playRooms(t *testing.T, r *rand.Rand, name, other string) {
	data, err := os.ReadFile(name)
	must(t, err)
	theirs, err := os.ReadFile(other)
	must(t, err)
	path := save(t, data)
	t.Chdir(filepath.Dir(path))
	must(t, os.WriteFile("other.bin", theirs, 0o600))
	must(t, os.WriteFile("base.bin", data, 0o600))
	if description, err := os.ReadFile(strings.TrimSuffix(name, filepath.Ext(name)) + ".ksy"); err == nil {
		must(t, os.WriteFile("save.ksy", description, 0o600))
	}
	changed := slices.Clone(data)
	changed[r.IntN(len(changed))]++
	saves := [][]byte{data, changed, append(slices.Clone(data[:len(data)/2]), data...), theirs}
	s := openScreen(t, path, 120, 36, termenv.Ascii)
	s.run(s.m.Init())
	var steps []string
	for range 60 {
		b, arg := byte(r.IntN(256)), byte(r.IntN(256))
		if steps = append(steps, fmt.Sprint(b, " ", arg)); b&1 == 0 {
			steps[len(steps)-1] = fuzzKeys[int(arg)%len(fuzzKeys)]
			s.press(fuzzKeys[int(arg)%len(fuzzKeys)])
		} else if s.inRoom(b, arg, saves); int(b) < len(roomKeys) {
			steps[len(steps)-1] = roomKeys[b]
		}
		if s.quit {
			return
		}
		s.frame()
		s.wantFresh()
		if t.Failed() {
			t.Fatalf("after the steps %q in %s beside %s", steps, name, other)
		}
	}
}

func FuzzView(f *testing.F) {
	f.Add(hostile(), []byte("\x00\x00\x02\x03\x69\x50\x10\x40\x0b\x00"), true)
	f.Add(drawable(), []byte{0, 78, 83, 0, 79, 16, 83, 0, 13, 80, 0, 85, 81, 46, 79, 5, 13, 82}, false)
	f.Add([]byte{}, []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, false)
	f.Add(stream(integer(1), dictionary(str("a"), array(str("b")))), []byte{0, 3, 0, 3, 0, 11, 0, 105, 60, 101, 20, 5, 131, 40, 35}, false)
	for _, data := range wrappedAndElephant() {
		f.Add(data, []byte{0, 3, 0, 12, 36, 0, 37, 5, 8, 36, 36, 8}, false)
	}
	f.Fuzz(func(t *testing.T, data, steps []byte, unread bool) {
		if len(data) > 4<<10 || len(steps) > 40 {
			t.Skip()
		}
		play(t, data, nil, steps, termenv.TrueColor, unread)
	})
}
