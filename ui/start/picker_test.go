package start

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"varview/model/saves"
	"varview/themes"
	"varview/ui/paint"
)

// testdata has files of the repository.
func testdata(name string) string {
	return filepath.Join("..", "..", "testdata", filepath.FromSlash(name))
}

// open returns a picker of files, which have been looked into.
func open(t *testing.T, width, height int, files ...saves.Found) *Picker {
	t.Helper()
	found := make(chan saves.Found, len(files))
	for _, f := range files {
		found <- f
	}
	close(found)
	return openIn(t, t.TempDir(), width, height, found)
}

// openIn returns a picker of files in a folder.
func openIn(t *testing.T, folder string, width, height int, found chan saves.Found) *Picker {
	t.Helper()
	theme, err := themes.Load("dark")
	if err != nil {
		t.Fatal(err)
	}
	p := &Picker{Ctx: t.Context(), Styles: paint.New(theme, termenv.Ascii), Folder: folder, Files: found, Weak: true,
		Now: func() time.Time { return time.Date(2026, 5, 10, 12, 0, 0, 0, time.UTC) }}
	send(p, tea.WindowSizeMsg{Width: width, Height: height})
	send(p, p.Init()())
	return p
}

// send gives the picker a message, and runs the commands that follow from it.
func send(p *Picker, msg tea.Msg) (quit bool) {
	if msg == nil {
		return false
	}
	if batch, ok := msg.(tea.BatchMsg); ok {
		for _, cmd := range batch {
			if cmd != nil && send(p, cmd()) {
				quit = true
			}
		}
		return quit
	}
	if _, ok := msg.(tea.QuitMsg); ok {
		return true
	}
	_, cmd := p.Update(msg)
	return cmd != nil && send(p, cmd())
}

func press(p *Picker, keys string) (quit bool) {
	for _, r := range keys {
		msg := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}}
		switch r {
		case '\r':
			msg = tea.KeyMsg{Type: tea.KeyEnter}
		case '\x1b':
			msg = tea.KeyMsg{Type: tea.KeyEsc}
		case '↓':
			msg = tea.KeyMsg{Type: tea.KeyDown}
		}
		quit = send(p, msg)
	}
	return quit
}

// shows checks the lines of the screen, each as wide as the window.
func shows(t *testing.T, p *Picker, want ...string) {
	t.Helper()
	view := ansi.Strip(p.View())
	for _, w := range want {
		if !strings.Contains(view, w) {
			t.Errorf("%q is not shown:\n%s", w, view)
		}
	}
	for _, line := range strings.Split(view, "\n") {
		if ansi.StringWidth(line) != p.width {
			t.Errorf("a line has %d columns: %s", ansi.StringWidth(line), line)
		}
	}
	if n := strings.Count(view, "\n") + 1; n != p.height {
		t.Errorf("%d lines in a window of %d", n, p.height)
	}
}

func file(name, of string, group saves.Group, days int) saves.Found {
	f, ok := saves.Stat(testdata(name))
	if !ok {
		panic(name)
	}
	f.Of, f.When = of, time.Date(2026, 5, 10-days, 11, 0, 0, 0, time.UTC)
	return saves.Found{File: f, Group: group}
}

func files() []saves.Found {
	return []saves.Found{
		file("godot4/save-inventory.bin", "Dungeon", saves.Game, 3),
		file("damaged/truncated-string.bin", "", saves.Here, 0),
		file("godot4/save-player-stats.bin", "", saves.Recent, 5),
		file("wrapped/godot4-gdec-pass-small.bin", "Vault", saves.Game, 1),
		file("godot3/save-settings.bin", "", saves.Unsaved, 9),
	}
}

// Files have their group, format, size, age and problems, and a preview.
func TestList(t *testing.T) {
	p := open(t, 120, 24, files()...)
	shows(t, p, "open a save · 5 files", "•› save-settings.bin", "unsaved edits", "Godot 3", "9 days", "opened before",
		"in this folder", "1 problem", "encrypted", "Vault", "[0]  (4)", "video  (4)")
	press(p, "↓")
	shows(t, p, "› save-player-stats.bin", `name  "Aria"`)
	for _, size := range [][2]int{{80, 24}, {40, 10}, {60, 16}, {200, 60}} {
		send(p, tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		shows(t, p, "save-player-stats.bin")
	}
}

// Of a long path in the folder, such as that of a game in the user's own folder, the file's name is shown.
func TestLongPath(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, ".local", "share", "godot", "app_userdata", "The Name of a Game", "save.json")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(`{"hp": 1}`), 0o600); err != nil {
		t.Fatal(err)
	}
	f, _ := saves.Stat(path)
	files := make(chan saves.Found, 1)
	files <- saves.Found{File: f, Group: saves.Game}
	close(files)
	p := openIn(t, folder, 80, 24, files)
	shows(t, p, "save.json  JSON")
}

// Names have room, whatever stands behind them.
func TestNamesFirst(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a-save-of-the-game.txt")
	if err := os.WriteFile(path, []byte("hp=1\n<<<<<<< HEAD\nhp=7\n=======\nhp=8\n>>>>>>> main\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, _ := saves.Stat(path)
	p := open(t, 120, 24, append(files(), saves.Found{File: f, Group: saves.Unsaved})...)
	shows(t, p, "text with a merge conflict")
	for _, width := range []int{100, 80, 60, 40} {
		send(p, tea.WindowSizeMsg{Width: width, Height: 24})
		shows(t, p, "a-save-of-the-game.txt", "save-player-stats.bin")
	}
}

// Letters filter by name and game; esc shows all again, and then leaves.
func TestFilter(t *testing.T) {
	p := open(t, 100, 24, files()...)
	press(p, "SAVE dung")
	shows(t, p, "1 file", "› save-inventory.bin", "filter save dung")
	press(p, "x")
	shows(t, p, "no file or game has this")
	press(p, "\x1b:tutor")
	shows(t, p, "enter begins the tutorial")
	if press(p, "\x1b") {
		t.Error("esc leaves with a filter")
	}
	shows(t, p, "5 files")
	if !press(p, "\x1b") || p.Chosen.Path != "" {
		t.Errorf("esc does not leave, or has chosen %q", p.Chosen.Path)
	}
}

// Files whose names have what was typed come before those whose format or game has it.
func TestFilterNamesFirst(t *testing.T) {
	p := open(t, 100, 24, file("godot3/save-settings.bin", "Vault", saves.Unsaved, 1), file("wrapped/godot4-gdec-pass-small.bin", "", saves.Here, 9))
	press(p, "godot")
	shows(t, p, "2 files", "› godot4-gdec-pass-small.bin")
}

// Certain saves come first in their group, and doubtful files are listed only if asked for.
func TestWeak(t *testing.T) {
	p := open(t, 100, 24, files()...)
	p.Weak = false
	p.list()
	shows(t, p, "open a save · 4 files")
	press(p, "trunc")
	shows(t, p, "› truncated-string.bin")
	p = open(t, 100, 24, file("damaged/truncated-string.bin", "", saves.Here, 0), file("godot4/save-inventory.bin", "", saves.Here, 3))
	shows(t, p, "› save-inventory.bin")
	p.Weak = true
	p.list()
	shows(t, p, "Godot 4?")
	p = open(t, 100, 24, file("damaged/truncated-string.bin", "", saves.Here, 0), file("json/nodes.jsonl", "", saves.Here, 3))
	shows(t, p, "› nodes.jsonl") // may be a save, the other one less so
	p = open(t, 100, 24)
	p.Update(foundMsg{file("godot4/aabb.bin", "", saves.Here, 0), file("godot4/save-inventory.bin", "", saves.Here, 3)})
	shows(t, p, "› save-inventory.bin") // named as saves are, before the files were looked into
	p = open(t, 100, 24, file("damaged/truncated-string.bin", "", saves.Here, 0))
	p.Weak = false
	p.list()
	shows(t, p, "› truncated-string.bin") // there is nothing else
}

func TestChoose(t *testing.T) {
	p := open(t, 100, 24, files()...)
	if !press(p, "↓↓\r") || filepath.Base(p.Chosen.Path) != "truncated-string.bin" {
		t.Errorf("chosen is %q", p.Chosen.Path)
	}
	p = open(t, 100, 24, files()...)
	click := tea.MouseMsg{X: 5, Y: 2, Action: tea.MouseActionPress, Button: tea.MouseButtonLeft}
	if send(p, click) {
		t.Error("the first click opens")
	}
	if !send(p, click) || filepath.Base(p.Chosen.Path) != "save-player-stats.bin" {
		t.Errorf("chosen is %q", p.Chosen.Path)
	}
}

// The file that was chosen before is selected until the user moves.
func TestChosenBefore(t *testing.T) {
	all := files()
	p := open(t, 100, 24)
	p.Before = Choice{Path: all[2].Path}
	p.Update(foundMsg(all))
	shows(t, p, "› "+filepath.Base(all[2].Path))
	press(p, "↓")
	p.Update(foundMsg{file("godot4/aabb.bin", "", saves.Unsaved, 0)})
	if p.at.Path == all[2].Path {
		t.Error("the one chosen before is selected again")
	}
}

// A file that is not a save comes last, says what it is, and is not listed if only saves are wanted.
func TestNoSave(t *testing.T) {
	folder := t.TempDir()
	var found []saves.Found
	for name, content := range map[string]string{"a.xml": `<?xml version="1.0"?><a/>`, "b.xml": `<?xml version="1.0"?><b/>`} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		f, _ := saves.Stat(path)
		f.Saves = name == "b.xml"
		found = append(found, saves.Found{File: f, Group: saves.Here})
	}
	p := open(t, 100, 24, append(found, file("godot4/save-inventory.bin", "", saves.Here, 3))...)
	shows(t, p, "2 files", "› save-inventory.bin", "a.xml", "XML")
	press(p, "↓")
	shows(t, p, "no save that varview reads: XML")
	empty := open(t, 100, 24)
	shows(t, empty, "no game files here")
	press(empty, "\r")
}

// A file with control characters in its name does nothing to the terminal.
func TestHostileName(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "\x1b[31mred\n")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Skip(err)
	}
	f, _ := saves.Stat(path)
	p := open(t, 80, 24, saves.Found{File: f, Group: saves.Here})
	if strings.Contains(p.View(), "\x1b[31m") {
		t.Errorf("%q", p.View())
	}
	shows(t, p, `\x1b[31mred`, "empty file")
}
