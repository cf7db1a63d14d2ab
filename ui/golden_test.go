package ui

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"varview/ui/desk"
	"varview/ui/hex"
)

// hostile are strings that would break a layout, or a terminal.
func hostile() []byte {
	return array(
		str("\x1b[31mred\x1b[0m \x1b]0;title\a\r\n\t\x00\x7f"), str("\u009b2J\u202egnp.exe\u2066"), str("冒険の書 日本語テキスト"),
		str("e\u0301\u0301 o\u0308 \u0301"), str("🎮 👨‍👩‍👧 👋🏽 🇩🇪 ❤️"), str("שלום עולם"), str("مرحبا بالعالم"), str("\xff\xfe bad"),
		str(strings.Repeat("長い", 200)), dictionary(str("\x1b[2J"), str("key")), dictionary(str("キー"), str("נכון")),
		str("⠀ㅤ️x"), str("नमस्ते ก\u0e33"),
	)
}

// damaged is a stream with a value of an unknown type, a value followed by surplus
// bytes, and an end that is no frame.
func damaged() []byte {
	good := dictionary(str("name"), str("Mira"), str("level"), integer(7), str("items"), array(str("rope"), str("lamp")))
	return append(stream(good, append(words(77), "what"...), good, append(integer(3), "surplus"...), str("last")), "end"...)
}

// longList is a list that no window holds, with values after it.
func longList() []byte {
	var b strings.Builder
	b.WriteString(`{"name": "Aria", "quests": [`)
	for i := range 400 {
		fmt.Fprintf(&b, `{"id": %d, "done": %t, "name": "quest %d"}, `, i, i%3 == 0, i)
	}
	return []byte(strings.TrimSuffix(b.String(), ", ") + `], "gold": 5, "bag": [{"id": "rope", "n": 1}, {"id": "lamp", "n": 2}]}`)
}

// states are the subjects of the golden views: a file and what is done with it.
var states = []struct {
	name string
	file string // in testdata/saves
	repo string // or its path in the repository, with the files next to it
	data []byte // or built from this
	do   func(*screen)
}{
	{name: "fresh", file: "save-player-stats.bin"},
	{name: "stream", file: "store-several-types.bin"},
	{name: "keys", file: "dictionary-nonstring-keys.bin", do: func(s *screen) { s.press("j", "l", "j", "j") }},
	{name: "unfolded", file: "save-settings.bin", do: func(s *screen) { s.press("j", "l", "j", "j", "j", "l", "j", "G", "l", "G") }},
	{name: "bytes", file: "save-player-stats.bin", do: func(s *screen) { s.press("tab", "j", "j", "l", "l", "l") }},
	{name: "help", file: "save-player-stats.bin", do: func(s *screen) { s.press("?") }},
	{name: "help-end", file: "save-player-stats.bin", do: func(s *screen) { s.press("?", "G") }},
	{name: "search-prompt", file: "save-player-stats.bin", do: func(s *screen) { s.press("/", "p", "o", "s", " ", "x") }},
	{name: "command-prompt", file: "save-player-stats.bin", do: func(s *screen) { s.press(":") }},
	{name: "completion", file: "save-player-stats.bin", do: func(s *screen) { s.typeText(":set $[0].m\t") }},
	{name: "palette", file: "save-player-stats.bin", do: func(s *screen) { s.press("ctrl+p"); s.typeText("next") }},
	{name: "found", file: "save-settings.bin", do: func(s *screen) { s.enter("/", "master") }},
	{name: "filter", file: "save-player-stats.bin", do: func(s *screen) { s.enter("&", "hp | type:Vector3 | buffs | poison"); s.press("j") }},
	{name: "hits", file: "save-player-stats.bin", do: func(s *screen) { s.enter(":", "find 0 | a"); s.press("j", "j") }},
	{name: "long-list", data: longList()},
	{name: "resources", repo: "godot-text/save.tres"},
	{name: "not-found", file: "save-settings.bin", do: func(s *screen) { s.enter("/", "zebra") }},
	{name: "problem", data: damaged(), do: func(s *screen) { s.press("]", "]") }},
	{name: "overrun", data: append(words(28, 1000), integer(5)...), do: func(s *screen) { s.press("]") }},
	{name: "problems", data: damaged(), do: func(s *screen) { s.press("!", "j") }},
	{name: "problems-causes", repo: "damaged/truncated-string.bin", do: func(s *screen) { s.press("!", "l") }},
	{name: "problems-asks", repo: "damaged/bool-of-7.bin", do: func(s *screen) { s.press("!", "r", "u", "R") }},
	{name: "problems-none", file: "save-player-stats.bin", do: func(s *screen) { s.press("!") }},
	{name: "problems-notes", repo: "godot4/store-objects-full.bin", do: func(s *screen) { s.press("!") }},
	{name: "problems-locked", repo: "wrapped/godot4-gdec-pass-small.bin", do: func(s *screen) { s.press("esc", "!") }},
	{name: "empty", data: []byte{}},
	{name: "noise", data: []byte("This is no save file, but a note about one.\n")},
	{name: "changed", file: "save-player-stats.bin", do: func(s *screen) {
		if err := os.Truncate(s.path, 100); err != nil {
			s.t.Fatal(err)
		}
		s.press("j")
		s.look()
	}},
	{name: "layers", repo: "elephant/v1-5-1-export-savegame.txt", do: func(s *screen) { s.press("j", "j", "j", "j", "l", "j") }},
	{name: "outer", repo: "elephant/v1-5-1-export-savegame.txt", do: func(s *screen) { s.press("<") }},
	{name: "blocks", repo: "wrapped/godot4-gcpf-brotli-multi-block.bin", do: func(s *screen) { s.press("<", "j", "j", "l", "j") }},
	{name: "references", repo: "elephant/v1-5-1-ref-graph.bin", do: func(s *screen) { s.press("j", "j", "enter") }},
	{name: "left-out", repo: "elephant/v1-5-1-diffs-nested.bin", do: func(s *screen) { s.press("j", "j", "j") }},
	{name: "no-schema", data: alone("elephant/v1-5-1-ctor-linked.bin")},
	{name: "locked", repo: "wrapped/godot4-gdec-pass-small.bin"},
	{name: "wrong-password", repo: "wrapped/godot4-gdec-pass-small.bin", do: func(s *screen) { s.press("x", "enter", "n", "o", "t") }},
	{name: "still-locked", repo: "wrapped/godot4-gdec-pass-small.bin", do: func(s *screen) { s.press("esc") }},
	{name: "hole", data: holed(), do: func(s *screen) { s.enter(":", "goto 0x1010") }},
	{name: "editing", file: "save-player-stats.bin", do: func(s *screen) { s.typeText("jje of the Wood") }},
	{name: "editing-wrong", file: "save-player-stats.bin", do: func(s *screen) { s.typeText("je.5.6") }},
	{name: "editing-type", file: "save-player-stats.bin", do: func(s *screen) { s.typeText("je.5\r") }},
	{name: "editing-all", file: "save-player-stats.bin", do: func(s *screen) { s.typeText("ge") }},
	{name: "editing-strange", data: hostile(), do: func(s *screen) { s.typeText("jjje") }},
	{name: "new-key", file: "save-player-stats.bin", do: func(s *screen) { s.typeText("jjaguild") }},
	{name: "new-value", file: "save-player-stats.bin", do: func(s *screen) { s.typeText("jjaguild\r42") }},
	{name: "edited", file: "save-player-stats.bin", do: func(s *screen) { s.typeText("je37\rje\x05 of the Wood\rj") }},
	{name: "typing", file: "save-player-stats.bin", do: func(s *screen) { s.typeText("jj\tlli41 4") }},
	{name: "typing-text", file: "save-player-stats.bin", do: func(s *screen) { s.typeText("jj\tr\tXY") }},
	{name: "changes", file: "save-player-stats.bin", do: func(s *screen) { s.typeText("je37\rje\x05 of the Wood\rjdd:changes bytes\r") }},
	{name: "differences", file: "save-player-stats.bin", do: func(s *screen) { s.typeText("je37\rje\x05 of the Wood\rjdd:diff saved\rj") }},
	{name: "differences-only", file: "save-player-stats.bin", do: func(s *screen) { s.typeText("je37\rje\x05 of the Wood\rjdd:diff saved\rzd") }},
	{name: "conflicts", file: "save-player-stats.bin", do: func(s *screen) { s.typeText(":set $[0].hp=5\r:merge saved testdata/saves/save-settings.bin\r") }},
	{name: "table", data: slots(), do: func(s *screen) { s.typeText("jtll&qty>1\rVj") }},
	{name: "differences-strange", data: hostile(), do: func(s *screen) {
		s.typeText("dd")
		s.enter(":", `set $[0]="\u009b2J"`)
		s.enter(":", "diff saved")
	}},
	{name: "quit-asks", file: "save-player-stats.bin", do: func(s *screen) { s.typeText("je37\rq") }},
	{name: "orphans", repo: "elephant/v1-5-1-ref-graph.bin", do: func(s *screen) { s.typeText("jdd") }},
	{name: "read-only", data: integer(5), do: func(s *screen) { s.reopenReadOnly(); s.press("e") }},
	{name: "msgpack", repo: "msgpack/save.msgpack", do: func(s *screen) { s.enter("/", "bridge"); s.press("tab") }},
	{name: "msgpack-editing", repo: "msgpack/save.msgpack", do: func(s *screen) { s.press("j", "l", "j", "e") }},
	{name: "messages", repo: "captures/mp-enet-norelay.pcap", do: func(s *screen) { s.typeText("20gjj") }},
	{name: "messages-tree", repo: "captures/mp-enet-norelay.pcap", do: func(s *screen) { s.typeText("20g\rjj") }},
	{name: "messages-only", repo: "captures/client_spawn.pcap", do: func(s *screen) { s.typeText("24gfnfp"); s.enter("&", "kind:spawn | has:problem") }},
	{name: "messages-sums", repo: "captures/client_spawn.pcap", do: func(s *screen) { s.press("s", "j", "j") }},
	{name: "messages-addresses", repo: "captures/udp.pcap"},
	{name: "drawn", data: drawable(), do: func(s *screen) { s.enter(":", "goto $.place") }},
	{name: "drawn-points", repo: "godot4/packed-vector2.bin", do: func(s *screen) { s.press("o") }},
	{name: "inspector", file: "save-player-stats.bin", do: func(s *screen) {
		s.press("j")
		if !s.m.desk.Inspecting {
			s.press("I")
		}
		if s.m.desk.Focus != desk.OnInspector {
			s.press("shift+tab")
		}
		s.press("j")
	}},
	{name: "selection", file: "save-player-stats.bin", do: func(s *screen) { s.press("tab", "j", "v", "l", "j") }},
	{name: "strange", data: hostile(), do: func(s *screen) { s.press("j", "j") }},
	{name: "strange-bytes", data: hostile(), do: func(s *screen) { s.press("tab"); s.enter(":", "goto 0x40") }},
}

// holed is a GCPF of two blocks of which the second does not unpack.
func holed() []byte {
	data := alone("wrapped/godot4-gcpf-brotli-multi-block.bin")
	second := 16 + 2*4 + int(binary.LittleEndian.Uint32(data[16:])) // after the header, the lengths and the first block
	for i := second + 20; i < second+60; i++ {
		data[i] ^= 0xff
	}
	return data
}

// alone is a file of the repository without the files next to it.
func alone(name string) []byte {
	data, err := os.ReadFile(repoFile(name))
	if err != nil {
		panic(err)
	}
	return data
}

var sizes = []struct{ width, height int }{{40, 10}, {60, 16}, {80, 24}, {120, 40}, {200, 60}}

func openState(t *testing.T, i, width, height int, profile termenv.Profile) *screen {
	t.Helper()
	state := states[i]
	data := state.data
	if state.file != "" {
		var err error
		if data, err = os.ReadFile(filepath.Join("testdata", "saves", state.file)); err != nil {
			t.Fatal(err)
		}
	}
	path := repoFile(state.repo)
	if state.repo == "" {
		path = save(t, data)
	}
	s := openScreen(t, path, width, height, profile)
	if state.do != nil {
		state.do(s)
	}
	return s
}

// TestGoldenViews compares frames without colours, which have none.
func TestGoldenViews(t *testing.T) {
	for i, state := range states {
		for _, size := range sizes {
			name := fmt.Sprintf("%s-%dx%d", state.name, size.width, size.height)
			t.Run(name, func(t *testing.T) {
				s := openState(t, i, size.width, size.height, termenv.Ascii)
				compareGolden(t, name+".txt", s.frame()+"\n")
				for _, code := range sgr.FindAllString(s.m.View(), -1) {
					if strings.ContainsAny(code, "38") && !strings.HasPrefix(code, "\x1b[0") {
						t.Errorf("%q is a colour", code)
					}
				}
			})
		}
	}
}

// TestGoldenColours compares the colours and attributes of one state.
func TestGoldenColours(t *testing.T) {
	for name, profile := range map[string]termenv.Profile{"no-color": termenv.Ascii, "16": termenv.ANSI, "256": termenv.ANSI256, "true": termenv.TrueColor} {
		t.Run(name, func(t *testing.T) {
			s := openState(t, 0, 80, 24, profile)
			s.press("j", "j")
			s.frame()
			compareGolden(t, "colours-"+name+".txt", strings.ReplaceAll(s.m.View(), "\x1b", "␛")+"\n")
		})
	}
}

// TestColoursChangeNoText: with colours a frame has the text of the one without.
func TestColoursChangeNoText(t *testing.T) {
	for i, state := range states {
		t.Run(state.name, func(t *testing.T) {
			plain, err := os.ReadFile(filepath.Join("testdata", "golden", state.name+"-80x24.txt"))
			if err != nil {
				t.Fatal(err)
			}
			coloured := openState(t, i, 80, 24, termenv.TrueColor)
			coloured.m.hex.Marks = hex.MarksOn // as without colours
			if coloured.frame()+"\n" != string(plain) {
				t.Error("the text differs")
			}
			if !strings.Contains(coloured.m.View(), "38;2;") {
				t.Error("no colours")
			}
		})
	}
}

func compareGolden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", "golden", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != strings.ReplaceAll(string(want), "\r\n", "\n") {
		t.Errorf("%s differs; got\n%s\nwant\n%s", name, got, want)
	}
}

// slots is a save with a list of dictionaries.
func slots() []byte {
	var all [][]byte
	for i, id := range []string{"sword", "bow", "potion", "key", "map"} {
		all = append(all, dictionary(str("id"), str(id), str("qty"), integer(int32(i))))
	}
	return stream(dictionary(str("slots"), array(all...)))
}
