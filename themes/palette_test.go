package themes

import "testing"

// grounds are usual backgrounds of terminals, by theme.
var grounds = map[string][]Color{
	"dark":  {"#000000", "#1e1e2e"},
	"light": {"#ffffff", "#fdf6e3"},

	"high-contrast":    {"#000000", "#0c0c0c"},
	"catppuccin-mocha": {"#1e1e2e", "#000000"},
	"gruvbox-light":    {"#fbf1c7", "#ffffff"},
}

func builtIns(t *testing.T, check func(t *testing.T, theme Theme)) {
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			theme, err := Load(name)
			if err != nil {
				t.Fatal(err)
			}
			check(t, theme)
		})
	}
}

func TestBuiltInThemesHaveEveryRole(t *testing.T) {
	builtIns(t, func(t *testing.T, theme Theme) {
		if len(theme.styles) != len(Roles()) {
			t.Errorf("%d styles for %d roles", len(theme.styles), len(Roles()))
		}
		for _, role := range Roles() {
			style, has := theme.styles[role]
			if !has {
				t.Errorf("no %s", role)
				continue
			}
			if role.isBackground() && style.Background == "" || !role.isBackground() && style.Foreground == "" {
				t.Errorf("%s has no colour", role)
			}
		}
	})
}

// leastContrast is the WCAG ratio that text with a role must reach: 4.5 is
// level AA for body text, 7 is level AAA.
func leastContrast(theme string, role Role) float64 {
	quiet, border, text := 3.0, 1.8, 4.5
	if theme == "high-contrast" {
		quiet, border, text = 4.5, 3, 7
	}
	switch role {
	case Padding, Dim:
		return quiet
	case Border:
		return border
	}
	return text
}

func TestContrast(t *testing.T) {
	builtIns(t, func(t *testing.T, theme Theme) {
		selection := theme.Style(Selection).Background
		for _, role := range Roles() {
			style := theme.Style(role)
			if role.isBackground() {
				if style.Foreground != "" {
					atLeast(t, string(role), contrast(style.Foreground, style.Background), 4.5)
				}
				continue
			}
			for _, ground := range append(grounds[theme.Name], selection) {
				if ground == "" {
					t.Fatal("no background")
				}
				atLeast(t, string(role)+" on "+string(ground), contrast(style.Foreground, ground), leastContrast(theme.Name, role))
			}
		}
	})
}

func TestNeighboursAreToldApart(t *testing.T) {
	neighbours := []Role{Type, Flags, Length, Value, Text, Padding}
	builtIns(t, func(t *testing.T, theme Theme) {
		checkDistinct(t, theme, neighbours, 20)
		checkDistinct(t, theme, Kinds(), 10)
		for _, role := range []Role{Selection, Cursor, Match} {
			for _, ground := range grounds[theme.Name] {
				atLeast(t, string(role)+" on "+string(ground), difference(theme.Style(role).Background, ground), 8)
			}
		}
	})
}

func checkDistinct(t *testing.T, theme Theme, roles []Role, least float64) {
	t.Helper()
	for i, a := range roles {
		for _, b := range roles[:i] {
			atLeast(t, string(a)+" from "+string(b),
				difference(theme.Style(a).Foreground, theme.Style(b).Foreground), least)
		}
	}
}

// Problems are louder than every kind.
func TestProblemsAreLoudest(t *testing.T) {
	builtIns(t, func(t *testing.T, theme Theme) {
		for _, problem := range []Role{Error, Warning} {
			loud := chroma(theme.Style(problem).Foreground)
			for _, role := range append(Kinds(), Accent, Key, String, Number, Keyword, Note) {
				atLeast(t, string(problem)+" over "+string(role), loud-chroma(theme.Style(role).Foreground), 10)
			}
		}
	})
}

func atLeast(t *testing.T, what string, got, least float64) {
	t.Helper()
	if got < least {
		t.Errorf("%s: %.2f, want at least %.2f", what, got, least)
	}
}
