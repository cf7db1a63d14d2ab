package random

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"varview/model"
	"varview/ui/action"
)

// elsewhere are the keys that would start other programs or end this one.
var elsewhere = []action.Action{action.EditOutside, action.TypeOutside, action.Quit, action.Suspend}

// keys are all that have a meaning anywhere in the program.
var keys = func() (all []tea.KeyMsg) {
	types := map[string]tea.KeyType{}
	for t := tea.KeyType(-100); t < 128; t++ {
		if name := (tea.Key{Type: t}).String(); name != "" && t != tea.KeyRunes {
			types[name] = t
		}
	}
	for _, e := range action.Default() {
		if slices.Contains(elsewhere, e.Action) {
			continue
		}
		for _, key := range e.Keys {
			for _, name := range strings.Fields(key) {
				if t, special := types[name]; special {
					all = append(all, tea.KeyMsg{Type: t})
				} else {
					all = append(all, written(name))
				}
			}
		}
	}
	return append(all, tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}}, written("0"), written("3"), written("y"), written("n"))
}()

// lines are typed into prompts, and elsewhere by mistake.
var lines = []string{
	"set 5", "set $[0]=1", "set [*]=7", "set ..x=*2", "set &=1", `set "text"`, "set null", "type int", "type String", "type Dictionary", "as godot3", "as godot4 raw",
	"as godot4 stream", "as elephant-1.5.1", "as pandemonium", "goto 9", "goto $[0]", "7", "mark home", "goto 'home", "marks", "diff saved", "diff ~", "diff other",
	"changes", "problems", "info", "find 1", "find type:int", "sort desc", "fill 00", "entropy", "export-bytes f!", "export o.json", "patch p", "apply p", "buffer 0", "buffer 1",
	"unpack", "undo", "redo", "w", "w other", "e other", "recover", "reload", "theme light", "convert godot3", "convert 1.5.1", "merge other other", "unmark home",
	"help goto", "import-csv other", "schema .", "unwrap u", "no-such", "", "setx", "merge",
}

// words are names of keys, and values, as they arrive in one write.
var words = []string{"home", "end", "up", "down", "left", "right", "delete", "enter", "tab", "esc", "ctrl+z", "ctrl+c", "pgup", "jjjj", "dd", "hp", "1", "-1", "4142", `"x"`, "[1, 2]",
	`{ "a": 1 }`, "true", "冒e\u0301", "Vector2(1, 2)", "nan", "u8(7)", "x:00", "method:move", "has:problem", "\u202e", "yes", "no"}

// step does one thing.
func (s *session) step() {
	pick := s.r.IntN(100)
	switch {
	case len(s.waiting) > 0 && pick < 30, len(s.waiting) > 50:
		s.note("work")
		s.work()
	case pick < 36:
		s.note("rest")
		for range min(len(s.waiting), 20) {
			s.work()
		}
	case pick < 68:
		key := keys[s.r.IntN(len(keys))]
		s.note(key.String())
		s.press(key)
	case pick < 80:
		line := lines[s.r.IntN(len(lines))]
		prompt := []string{":", ":", ":", ":", "/", "&", "@"}[s.r.IntN(7)]
		s.note(prompt + line + "⏎")
		s.press(written(prompt))
		s.press(written(line))
		s.press(tea.KeyMsg{Type: tea.KeyEnter})
	case pick < 86:
		word := words[s.r.IntN(len(words))]
		s.note("text " + word)
		s.press(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(word), Paste: s.r.IntN(4) == 0})
	case pick < 95:
		s.mouse()
	default:
		width, height := s.r.IntN(160), s.r.IntN(60)
		if s.r.IntN(3) > 0 {
			width, height = 80+s.r.IntN(120), 24+s.r.IntN(40)
		}
		s.note(fmt.Sprintf("%d×%d", max(1, width), max(1, height)))
		s.resize(max(1, width), max(1, height))
	}
}

func (s *session) note(step string) { s.steps = append(s.steps, step) }

// mouse clicks, drags, or turns the wheel.
func (s *session) mouse() {
	msg := tea.MouseMsg{X: s.r.IntN(s.width), Y: s.r.IntN(s.height), Action: tea.MouseActionPress, Button: tea.MouseButtonLeft}
	switch s.r.IntN(4) {
	case 0:
		msg.Button = tea.MouseButtonWheelUp + tea.MouseButton(s.r.IntN(2))
	case 1:
		msg.Action = tea.MouseAction(s.r.IntN(3))
	}
	s.note(msg.String() + fmt.Sprint(" ", msg.X, " ", msg.Y))
	s.send(msg)
}

// options returns the options for opening a file, with the password and key from the file that describes
// it.
func options(file string) model.Options {
	o := model.Options{Guard: true, CopyLimit: 1 << 20}
	var truth struct{ Password, Key *string }
	if b, err := os.ReadFile(strings.TrimSuffix(file, filepath.Ext(file)) + ".truth.json"); err == nil {
		json.Unmarshal(b, &truth)
	}
	if truth.Password != nil {
		o.Passwords = []string{*truth.Password}
	}
	if truth.Key != nil {
		if key, err := hex.DecodeString(*truth.Key); err == nil {
			o.Keys = [][]byte{key}
		}
	}
	return o
}
