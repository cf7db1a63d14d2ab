package ui

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"varview/decoder"
	"varview/model"
	"varview/ui/jobs"
)

// repoFile returns the path of a file in the repository's testdata.
func repoFile(name string) string { return filepath.Join("..", "testdata", filepath.FromSlash(name)) }

func openRepo(t testing.TB, name string, width, height int) *screen {
	t.Helper()
	return openScreen(t, repoFile(name), width, height, termenv.Ascii)
}

const exported = "elephant/v1-5-1-export-savegame.txt"

// Buffers are switched by keys, clicks and commands, and each is shown again as it
// was left.
func TestBuffers(t *testing.T) {
	for _, size := range []struct{ width, height int }{{100, 24}, {60, 16}} {
		s := openRepo(t, exported, size.width, size.height)
		shows := func(n int) {
			t.Helper()
			if got := s.m.desk.Explorer.Buffer.Number; got != n {
				t.Errorf("%v: buffer %d, want %d", size, got, n)
			}
			s.frame()
		}
		shows(2)
		s.press("j", "j", "j")
		s.wantSelected("gold  67119")
		s.press(">")
		s.wantShown("this is the innermost buffer")
		s.press("<", "j")
		shows(1)
		s.press("<")
		shows(0)
		s.press("<")
		s.wantShown("this is the file itself")
		s.enter(":", "buffer 2")
		shows(2)
		s.wantSelected("gold  67119")
		for typed, want := range map[string]string{"buffer 3": ":buffer needs a number from 0, the file itself, to 2", "b x": ":buffer needs a number", "buffer -1": ":buffer needs a number"} {
			s.enter(":", typed)
			s.wantShown(want)
		}
		s.click(5, 1)
		if size.height > 16 {
			shows(0)
			s.click(5, 2)
			shows(1)
			s.click(5, 4) // the rule
			shows(1)
		} else {
			shows(1)
			s.click(50, 1)
			shows(2)
		}
		s.click(8, 1+s.m.layout.treeHeight-s.m.tree.Layout.Height)
		if got := s.m.desk.Explorer.Offset(); got != []int64{0, 0, 8}[s.m.desk.Explorer.Buffer.Number] {
			t.Errorf("%v: a click on the first row goes to %#x", size, got)
		}
	}
	s := openStats(t)
	s.enter(":", "buffer 1")
	s.wantShown(":buffer needs a number from 0, the file itself, to 0")
}

// The focus is kept from one buffer to the other.
func TestBuffersKeepTheFocus(t *testing.T) {
	s := openRepo(t, exported, 80, 24)
	s.press("tab", "l")
	s.wantOffset(9)
	s.press("<", "l")
	s.wantOffset(1)
	s.press("tab", ">", "j")
	s.wantSelected("alive")
	s.press("<")
	s.enter(":", "goto $.name")
	s.wantShown("a wrapper has no paths")
	s.enter(":", "goto 293")
	s.wantShown("after the last byte, 0x124")
	s.enter(":", "goto 0x124")
	s.wantOffset(0x124)
}

func TestPassword(t *testing.T) {
	s := openRepo(t, "wrapped/godot4-gdec-pass-small.bin", 80, 24)
	typed := func(text string) {
		for _, r := range text {
			s.press(string(r))
		}
		for _, part := range []string{"hun", "ter", text} {
			if strings.Contains(s.frame(), part) {
				t.Errorf("the password shows:\n%s", s.frame())
			}
		}
	}
	s.wantShown("GDEC · encrypted · 108 B")
	s.wantShown("password: ")
	s.press("enter") // an empty password is a password too, here a wrong one
	s.wantShown("wrong, try again; password: ")
	s.wantShown("Wrong key or password")
	s.press("backspace", "esc")
	s.wantShown(":password asks again")
	s.press("j")
	s.wantSelected("cipher text")
	s.enter(":", "as godot3")
	s.wantShown("there are no values to read yet")
	s.enter(":", "password hunter2")
	s.wantShown("do not type it here")
	s.enter(":", "key")
	s.wantShown("key, 64 hex digits: ")
	typed("00ff")
	s.press("enter")
	s.wantShown("not 64 hex digits; key: ")
	s.press("esc")
	s.enter(":", "password")
	typed("hunter2")
	s.press("enter")
	s.wantShown("GDEC → Godot 4 · stream of 1 · 108 B")
	s.wantShown("name  \"Ann\"")
	s.press("R")
	s.wantShown("reloaded")
	s.wantShown("name  \"Ann\"")
	s.enter(":", "as godot4 stream")
	s.wantShown("name  \"Ann\"")

	k := openRepo(t, "wrapped/godot4-gdec-key-small.bin", 80, 24)
	k.press("esc")
	k.enter(":", "key")
	k.send(tea.KeyMsg{Type: tea.KeyRunes, Paste: true, Runes: []rune("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f")})
	k.press("enter")
	k.wantShown("name  \"Ann\"")
	plain := openStats(t)
	plain.enter(":", "password")
	plain.wantShown("nothing here is encrypted")
}

// While a file is being unpacked its wrapper is shown.
func TestUnpacking(t *testing.T) {
	open := func() *screen {
		s := openWith(t, repoFile(exported), model.Options{Options: decoder.Options{Defer: 100}}, termenv.Ascii)
		s.send(tea.WindowSizeMsg{Width: 80, Height: 24})
		s.wantShown("base64 · packed · 392 B")
		s.wantShown("packed bytes")
		return s
	}
	s := open()
	unpacking := s.m.file.Settle()
	s.wantShown(" unpacking ·")
	s.wantShown("esc stop")
	s.run(unpacking)
	s.wantShown("base64 → zlib → Elephant 1.5.1 · 392 B")
	s.enter(":", "unpack")
	s.wantShown("nothing left to unpack")

	s = open()
	unpacking = s.m.file.Settle()
	s.press("esc")
	s.wantShown(":unpack starts it again")
	s.run(unpacking) // too late
	s.wantShown("base64 · packed · 392 B")
	s.enter(":", "unpack")
	s.wantShown("base64 → zlib → Elephant 1.5.1 · 392 B")
}

// A search does not stop the unpacking, and a late result is dropped.
func TestOpeningAndSearching(t *testing.T) {
	s := openRepo(t, exported, 80, 24)
	first, second := s.m.file.ReadAs("godot4"), s.m.file.Reload()
	s.enter("/", "rope")
	s.run(first)
	s.wantShown("Elephant 1.5.1 · 392 B")
	s.run(second)
	s.wantShown("reloaded")
	s.wantShown("rope")
}

func TestReferences(t *testing.T) {
	s := openRepo(t, "elephant/v1-5-1-ref-parent-child.bin", 80, 24)
	s.wantShown("$  (2)  #0")
	s.wantShown("number 0, referred to by 2: $.kids[0].parent, $.kids[1].parent")
	s.wantShown("* references")
	s.press("*")
	s.wantSelected("parent  → $")
	s.wantShown("enter jumps to $")
	s.wantShown("reference 1 of 2")
	first := s.m.desk.Explorer.Offset()
	s.press("*")
	s.wantShown("reference 2 of 2")
	if s.m.desk.Explorer.Offset() <= first {
		t.Error("the second reference is not after the first")
	}
	s.press("j", "k")
	s.wantShown("* references")
	s.press("*")
	s.wantOffset(first)
	s.press("ctrl+o")
	s.wantSelected("▾ $  (2)  #0")
	s.enter(":", "goto $.kids[1].siblings")
	s.wantSelected("siblings  → $.kids  ar")
	s.wantShown("enter jumps to $.kids")
	s.wantShown("enter follow")
	s.press("enter")
	s.wantSelected("▾ kids")
	s.wantShown("ctrl+o back")
	s.press("backspace")
	s.wantSelected("siblings  → $.kids  ar")
	s.press("ctrl+n")
	s.wantSelected("▾ kids")
	plain := openStats(t)
	plain.press("*")
	plain.wantShown("nothing refers to this")
	s = openRepo(t, "elephant/corrupt/ref-out-of-range.bin", 80, 24)
	s.press("enter")
	s.wantShown("leads nowhere")
}

// A member of a schema is found by its name, also one without bytes, whichever pane
// has the focus.
func TestSearchForMember(t *testing.T) {
	s := openRepo(t, "elephant/v1-5-1-diffs-nested.bin", 80, 24)
	s.press("tab")
	s.enter("/", "fieldbool")
	s.wantSelected("fieldBool  (default: not s")
	s.press("n")
	s.wantShown("wrapped around")
	s.enter("/", "fieldstring")
	s.wantSelected("fieldString")
}

// More can be unpacked after the limit was reached, and the hint says so.
func TestUnpackMore(t *testing.T) {
	path := repoFile("wrapped/godot4-gcpf-brotli-multi-block.bin")
	s := openWith(t, path, model.Options{Options: decoder.Options{MaxUnpacked: 4096}}, termenv.Ascii)
	s.run(s.m.Init())
	s.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	s.wantShown(":unpack SIZE more")
	s.enter(":", "unpack")
	s.wantShown(":unpack 2G unpacks up to 2 GiB")
	s.enter(":", "unpack much")
	s.wantShown("not a size like 500000, 64M or 2G")
	s.enter(":", "unpack 1M")
	s.wantShown("unpacked up to 1.0 MiB")
	s.press("j")
	if strings.Contains(s.frame(), ":unpack") {
		t.Errorf("still cut:\n%s", s.frame())
	}
}

// A message that is too long for the bottom line takes more lines until the next key; where these
// are not enough, a key shows all of it.
func TestLongMessage(t *testing.T) {
	long := strings.Repeat("so many words in a row ", 10) + "and its point."
	for _, size := range []struct{ width, height int }{{80, 24}, {120, 40}, {200, 60}, {60, 16}, {40, 10}} {
		s := openScreen(t, save(t, damaged()), size.width, size.height, termenv.Ascii)
		isWhole := func() bool {
			var words []string
			for line := range strings.Lines(s.frame()) {
				words = append(words, strings.Fields(strings.Trim(line, "│╰╯─ \n"))...)
			}
			return strings.Contains(strings.Join(words, " "), long)
		}
		s.m.desk.Say(long)
		if size.width < 80 {
			s.wantShown("M shows all")
			s.press("M")
		}
		if !isWhole() {
			t.Errorf("%v: not whole:\n%s", size, s.frame())
		}
		s.press("esc", "j")
		if strings.Contains(s.frame(), "so many") {
			t.Errorf("%v: it stays:\n%s", size, s.frame())
		}
	}
}

// A long message in a list is opened with the same key.
func TestLongMessageInList(t *testing.T) {
	s := openScreen(t, save(t, damaged()), 40, 12, termenv.Ascii)
	s.press("!")
	s.m.desk.Say(strings.Repeat("many words ", 20) + "and a point.")
	s.wantShown("M shows all")
	s.press("M")
	s.wantShown("and a point.")
	s.press("esc")
	s.wantShown("1 of 3")
}

// The error of one file of schemas is not repeated for the next.
func TestSchemaAfterABadOne(t *testing.T) {
	s := openScreen(t, save(t, alone("elephant/v1-5-1-ctor-three-versions.bin")), 80, 24, termenv.Ascii)
	for name, text := range map[string]string{"bad.gml": "function Monster( {", "partly.gml": "function Other() constructor { ELEPHANT_SCHEMA { v1 : { a : buffer_u8 } } }\n}"} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		s.enter(":", "schema "+path)
		s.wantShown(name + ":")
	}
	s.enter(":", "schema "+repoFile("elephant"))
	s.wantShown("are used")
	s.wantShown("name  \"Grük\"")
}

// Schemas found near a file that this one is compared or merged with serve for this one too.
func TestSchemasBesideOther(t *testing.T) {
	data, err := os.ReadFile(repoFile("elephant/v1-5-1-ctor-three-versions.bin"))
	if err != nil {
		t.Fatal(err)
	}
	other := repoFile("elephant/v1-5-1-ctor-three-versions.bin") // with schemas beside it
	for _, command := range []string{"diff " + other, "merge " + other + " " + other} {
		s := openScreen(t, save(t, data), 100, 24, termenv.Ascii)
		s.wantSelected("$  Monster v3: no schema — :")
		s.enter(":", command)
		if strings.HasPrefix(command, "diff") {
			s.wantShown("no changes")
			s.press("esc")
		}
		s.wantSelected("▾ $  (6)  #0")
		s.wantShown("name  \"Grük\"")
	}
	s := openScreen(t, save(t, data), 80, 24, termenv.Ascii)
	s.enter(":", "diff "+save(t, data))
	s.press("esc")
	s.wantSelected("$  Monster v3: no schema — :")
}

// With a schema a struct can be read that could not be, and the cursor stays.
func TestSchemaCommand(t *testing.T) {
	data, err := os.ReadFile(repoFile("elephant/v1-5-1-ctor-three-versions.bin"))
	if err != nil {
		t.Fatal(err)
	}
	s := openScreen(t, save(t, data), 80, 24, termenv.Ascii)
	s.wantSelected("$  Monster v3: no schema — :")
	s.wantShown("! Monster v3: no schema — :schema FILE.gml loads it")
	s.wantShown(":schema PATH load")
	s.enter(":", "schema")
	s.wantShown(":schema needs")
	s.enter(":", "schema no-such.gml")
	s.wantShown("no-such.gml: no such file")
	bad := filepath.Join(t.TempDir(), "bad.gml")
	if err := os.WriteFile(bad, []byte("function Monster( {"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.enter(":", "schema "+bad)
	s.wantShown("bad.gml:1:")
	s.enter(":", "schema "+repoFile("elephant"))
	s.wantShown("are used")
	s.wantShown("name  \"Grük\"")
	s.enter(":", "goto $.loot")
	s.press("R")
	s.wantSelected("▾ loot")
	s.enter(":", "as elephant-1.5.0")
	s.wantSelected("▾ loot")
	g := openStats(t)
	g.enter(":", "schema x")
	g.wantShown("schemas are for Elephant's files")
}

// A struct whose members are partly left out of the file: those have rows and no
// bytes.
func TestMembersWithoutBytes(t *testing.T) {
	s := openRepo(t, "elephant/v1-5-1-diffs-nested.bin", 80, 24)
	s.press("j", "j", "j")
	s.wantSelected("fieldBool  (default: not s")
	s.wantShown("no bytes at 0x73")
	s.wantShown("|00  00^54")
	s.press("R")
	s.wantSelected("fieldBool  (default: not s")
	s.press("tab")
	s.wantShown("fieldStruct")
	s.press("tab", "G")
	s.wantShown("|54 4e 41")
}

// The next problem is found in the buffer where it is.
func TestProblemsOfAllBuffers(t *testing.T) {
	s := openScreen(t, save(t, holed()), 80, 24, termenv.Ascii)
	s.wantShown("3 problems")
	for _, want := range []int{1, 1, 0, 1} {
		s.press("]")
		if got := s.m.desk.Explorer.Buffer.Number; got != want {
			t.Errorf("in buffer %d, want %d", got, want)
		}
	}
}

// Documents that are replaced are closed, and those that come too late.
func TestReplacedDocumentsAreClosed(t *testing.T) {
	s := openRepo(t, "wrapped/godot4-gcpf-brotli-small.bin", 80, 24)
	old := s.m.desk.Doc
	late := s.m.file.Reload()().(jobs.Result)
	s.press("R")
	if _, err := old.Innermost().Resolve("$"); err == nil {
		t.Error("the old document is still open")
	}
	if late.Take() == nil {
		t.Error("nothing closes the late document")
	}
	if _, err := s.m.desk.Doc.Reopen(context.Background(), nil); err != nil {
		t.Error(err)
	}
}
