package settings

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// load reads a configuration with the given content.
func load(t *testing.T, content string) *Settings {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return Load(path)
}

func TestLoad(t *testing.T) {
	s := load(t, `
theme = "light"
bytes-per-row = 16
backup = false
dialects = ["godot3", "pandemonium4"]
[keys]
search = "f"
undo = ["u", "z u"]
`)
	if len(s.Mistakes) > 0 {
		t.Fatal(s.Mistakes)
	}
	if s.Text("theme") != "light" || s.Number("bytes-per-row") != 16 || s.Is("backup") || !s.Is("state") || strings.Join(s.List("dialects"), " ") != "godot3 pandemonium4" {
		t.Errorf("%+v", s.values)
	}
	if got := s.Actions.Entry("undo").Keys; !reflect.DeepEqual(got, []string{"u", "z u"}) {
		t.Error(got)
	}
	if got := s.Actions.Entry("search").Keys; !reflect.DeepEqual(got, []string{"f"}) {
		t.Error(got)
	}
}

// A mistake is named with its line and key, and costs only its own setting.
func TestMistakes(t *testing.T) {
	for line, want := range map[string]string{
		`tehme = "dark"`:                          `line 2, tehme: there is no such setting; did you mean theme?`,
		`colour = "dark"`:                         `line 2, colour: there is no such setting; "varview config" lists all`,
		`backup = "yes"`:                          `line 2, backup: the value must be true or false`,
		`bytes-per-row = 17`:                      `line 2, bytes-per-row: 17 is not one of 0, 8, 16, 32`,
		`bytes-per-row = "8"`:                     `line 2, bytes-per-row: the value must be a whole number`,
		`max-unpacked = "much"`:                   `line 2, max-unpacked: not a size like 500000, 64M or 2G`,
		`dialects = ["godot5"]`:                   `line 2, dialects: there is no dialect "godot5"; "varview formats" lists them`,
		`dialects = "godot3"`:                     `line 2, dialects: the value must be a list of texts, as in ["a", "b"]`,
		`keys.serch = ["f"]`:                      `line 2, keys.serch: there is no such action; did you mean search?`,
		`keys.search = ["ctrl+ä"]`:                `line 2, keys.search: no key is called "ctrl+ä"; names are as in "x", "X", "ctrl+x", "alt+x", "f5", "pgup", "space"`,
		`keys = { search = ["f"] }`:               `line 2, keys: the value must be a text in quotes, a whole number, true or false, or a list of texts`,
		"[keys]\nundo = \"f\"\nredo = \"f\"\n[x]": `line 4, keys.redo: "f" would be undo and redo`,
	} {
		s := load(t, "copy-limit = \"1M\"\n"+line+"\n[keys]\nquit = \"Q\"")
		if len(s.Mistakes) != 1 || !strings.HasSuffix(s.Mistakes[0].Error(), want) || !strings.HasPrefix(s.Mistakes[0].Error(), s.File) {
			t.Errorf("%s\n%v\nwant %s", line, s.Mistakes, want)
		}
		if s.Text("copy-limit") != "1M" || s.Actions.Entry("quit").Keys[0] != "Q" {
			t.Errorf("%s: the other settings are lost", line)
		}
	}
	if s := Load(filepath.Join(t.TempDir(), "none")); !s.Missing || len(s.Mistakes) > 0 {
		t.Errorf("a missing file: %+v", s)
	}
	if s := Load(t.TempDir()); len(s.Mistakes) != 1 {
		t.Errorf("a folder: %v", s.Mistakes)
	}
}

// The output is a configuration with the same settings.
func TestPrint(t *testing.T) {
	s := load(t, "theme = \"light\"\ncopy-limit = \"2M\"\ndialects = [\"godot3\"]\n[keys]\nsearch = [\"f\", \"space\", \"'\", \"\\\\\"]")
	var printed strings.Builder
	if err := s.Print(&printed); err != nil {
		t.Fatal(err)
	}
	again := load(t, printed.String())
	if len(s.Mistakes)+len(again.Mistakes) > 0 {
		t.Fatal(s.Mistakes, again.Mistakes)
	}
	for _, x := range list() {
		if !reflect.DeepEqual(s.values[x.name].is, again.values[x.name].is) {
			t.Errorf("%s is %v, printed and read again %v", x.name, s.values[x.name].is, again.values[x.name].is)
		}
	}
	for i, e := range s.Actions {
		if other := again.Actions[i].Keys; strings.Join(e.Keys, ",") != strings.Join(other, ",") {
			t.Errorf("%s has %q, printed and read again %q", e.Action, e.Keys, other)
		}
	}
	for _, want := range []string{"theme = 'light' # line 1\n", "backup = true\n", "# line 5\n"} {
		if !strings.Contains(printed.String(), want) {
			t.Errorf("no %q in\n%s", want, printed.String())
		}
	}
}
