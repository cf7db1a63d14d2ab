package themes

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func writeTheme(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "mine.json")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestLoadFile(t *testing.T) {
	theme, err := Load(writeTheme(t, `{
		"base": "light",
		"roles": {
			"type": "#ABCDEF",
			"selection": "#010203",
			"cursor": {"reverse": true},
			"gap": {"foreground": "#040506", "background": "#070809", "bold": true, "dim": true, "underline": true}
		}
	}`))
	if err != nil {
		t.Fatal(err)
	}
	light, err := Load("light")
	if err != nil {
		t.Fatal(err)
	}
	if theme.Name != "mine" {
		t.Errorf("name %q, want the file's", theme.Name)
	}
	want := map[Role]Style{
		Type:      {Foreground: "#abcdef"},
		Selection: {Background: "#010203"},
		Cursor:    {Reverse: true},
		Gap:       {Foreground: "#040506", Background: "#070809", Bold: true, Dim: true, Underline: true},
		Text:      light.Style(Text),
		Title:     light.Style(Title),
	}
	for role, style := range want {
		if got := theme.Style(role); got != style {
			t.Errorf("%s: %+v, want %+v", role, got, style)
		}
	}
}

func TestLoadFileBaseIsDark(t *testing.T) {
	theme, err := Load(writeTheme(t, `{"name": "empty"}`))
	if err != nil {
		t.Fatal(err)
	}
	dark, err := Load("dark")
	if err != nil {
		t.Fatal(err)
	}
	for _, role := range Roles() {
		if theme.Style(role) != dark.Style(role) {
			t.Errorf("%s is not the dark theme's", role)
		}
	}
	if theme.Name != "empty" {
		t.Errorf("name %q", theme.Name)
	}
}

func TestLoadErrors(t *testing.T) {
	tests := []struct{ name, content, want string }{
		{"unknown role", `{"roles": {"lenght": "#000000"}}`, `role "lenght": there is no such role`},
		{"short colour", `{"roles": {"type": "#fff"}}`, `role "type": "#fff" is not a colour #rrggbb`},
		{"no number", `{"roles": {"type": "#12345g"}}`, `role "type": "#12345g" is not a colour`},
		{"name of a colour", `{"roles": {"type": "red"}}`, `role "type": "red" is not a colour`},
		{"empty colour", `{"roles": {"type": ""}}`, `role "type": "" is not a colour`},
		{"bad background", `{"roles": {"type": {"background": "#zzzzzz"}}}`, `role "type": "#zzzzzz" is not a colour`},
		{"unknown attribute", `{"roles": {"type": {"blink": true}}}`, `role "type": json: unknown field "blink"`},
		{"attribute's type", `{"roles": {"type": {"bold": 1}}}`, `role "type": json: cannot unmarshal number`},
		{"null", `{"roles": {"type": null}}`, `role "type": neither a colour nor an object`},
		{"unknown base", `{"base": "sepia"}`, `base "sepia" is not one of dark, light, high-contrast`},
		{"unknown field", `{"colors": {}}`, `unknown field "colors"`},
		{"syntax", "{\n\"roles\": {\n\"type\" \"#000000\"}}", `line 3: invalid character`},
		{"empty", ``, `line 1: unexpected end of JSON input`},
		{"trailing", `{} {}`, `line 1: invalid character`},
		{"no object", `[]`, `cannot unmarshal array`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			path := writeTheme(t, test.content)
			_, err := Load(path)
			if err == nil {
				t.Fatal("no error")
			}
			if !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v\nwant the file's path and: %s", err, test.want)
			}
		})
	}
}

func TestLoadWhatIsNotThere(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing.json")
	for name, want := range map[string]string{
		"solarized": `theme "solarized": neither dark, light, high-contrast, catppuccin-mocha, gruvbox-light nor a file`,
		missing:     missing,
	} {
		if _, err := Load(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Load(%q): %v, want %s", name, err, want)
		}
	}
}
