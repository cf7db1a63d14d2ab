package themes

import (
	"fmt"
	"github.com/muesli/termenv"
	"math"
	"testing"
)

// grounds are the backgrounds that text of a theme has: its own, and for the themes that the terminal
// chooses those that are usual.
func grounds(theme Theme) []Color {
	own := []Color{theme.Style(Background).Background}
	switch theme.Name {
	case "dark":
		return append(own, "#000000", "#1e1e2e")
	case "light":
		return append(own, "#ffffff", "#fdf6e3")
	}
	return own
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

// leastContrast is the WCAG ratio that a role must reach: 4.5 is level AA for body text, 7 is level
// AAA.
func leastContrast(theme string, role Role) float64 {
	if theme == "high-contrast" && role != Padding && role != Dim && role != Border {
		return 7
	}
	return 4.5
}

// Every role can be read on every background that it can have, also by the colour-blind.
func TestContrast(t *testing.T) {
	builtIns(t, func(t *testing.T, theme Theme) {
		for _, role := range Roles() {
			style := theme.Style(role)
			if style.Dim {
				t.Errorf("%s is dimmed by the terminal, by how much is not known", role)
			}
			if role.isBackground() {
				if role == Selection || role == Unfocused { // the roles on them are below
					continue
				}
				for name, sight := range sights {
					atLeast(t, string(role)+", "+name, contrast(seen(sight, style.Foreground), seen(sight, style.Background)), 4.5)
				}
				continue
			}
			all := grounds(theme)
			if role != Border { // nothing is selected there
				all = append(all, theme.Style(Selection).Background, theme.Style(Unfocused).Background)
			}
			for _, ground := range all {
				for name, sight := range sights {
					least := 4.5
					if name == byMost {
						least = leastContrast(theme.Name, role)
					}
					atLeast(t, fmt.Sprintf("%s on %s, %s", role, ground, name), contrast(seen(sight, style.Foreground), seen(sight, ground)), least)
				}
			}
		}
	})
}

func TestNeighboursAreToldApart(t *testing.T) {
	neighbours := []Role{Type, Flags, Length, Value, Text, Padding}
	builtIns(t, func(t *testing.T, theme Theme) {
		checkDistinct(t, theme, neighbours, 20)
		checkDistinct(t, theme, kinds(), 10)
		checkDistinct(t, theme, []Role{Added, Removed, Changed}, 20)
		for role, least := range map[Role]float64{Selection: 8, Unfocused: 6, Cursor: 8, Match: 8} {
			for _, ground := range grounds(theme) {
				atLeast(t, string(role)+" on "+string(ground), difference(theme.Style(role).Background, ground), least)
			}
		}
		atLeast(t, "selection from unfocused", difference(theme.Style(Selection).Background, theme.Style(Unfocused).Background), 6)
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
			for _, role := range append(kinds(), Accent, Key, String, Number, Keyword, Note) {
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

// A theme knows what terminals it is for.
func TestIsDark(t *testing.T) {
	for name, want := range map[string]bool{"dark": true, "light": false, "high-contrast": true, "catppuccin-mocha": true, "gruvbox-light": false} {
		theme, err := Load(name)
		if err != nil || theme.IsDark() != want {
			t.Errorf("%s: dark %v (%v)", name, theme.IsDark(), err)
		}
	}
}

// In a terminal of 256 colours every role can be read in selected rows too; with 16, red is for what is wrong, and no
// role has the colour of a selected row but padding, which has another there.
func TestFewColorsRead(t *testing.T) {
	builtIns(t, func(t *testing.T, theme Theme) {
		seen := func(c Color) Color { return Color(termenv.ConvertToRGB(termenv.ANSI256.Color(string(c))).Hex()) }
		_, _, bar := theme.In16(Selection, func(Color) int { return 4 })
		for _, role := range Roles() {
			if role.isBackground() || role == Border {
				continue
			}
			for _, ground := range []Role{Selection, Unfocused} {
				atLeast(t, fmt.Sprintf("%s on %s", role, ground), contrast(theme.Readable(role, seen).Foreground, theme.Readable(ground, seen).Background), 4.5)
			}
			_, foreground, _ := theme.In16(role, func(c Color) int { return int(termenv.ANSI.Color(string(c)).(termenv.ANSIColor)) })
			if foreground == bar && role != Padding && role != Terminator || foreground%8 == 1 && role != Error && role != Removed {
				t.Errorf("%s has colour %d of 16", role, foreground)
			}
			if (role == Title || role == Key) && theme.isInk(role) && foreground%15 != 0 {
				t.Errorf("%s, which is hardly a colour, has %d of 16", role, foreground)
			}
		}
	})
}

// TestFewColors: in a terminal of 256 or 16 colours every role is as light or dark as its theme wants it.
func TestFewColors(t *testing.T) {
	builtIns(t, func(t *testing.T, theme Theme) {
		for _, role := range Roles() {
			style := theme.Style(role)
			for profile, most := range map[termenv.Profile]float64{termenv.ANSI256: 35, termenv.ANSI: 65} { // no terminal has the blue of the sixteen as dark as it is defined
				for _, c := range []Color{style.Foreground, style.Background} {
					if c == "" {
						continue
					}
					shown := Color(termenv.ConvertToRGB(profile.Color(string(c))).Hex())
					if l := lab(shown)[0] - lab(c)[0]; math.Abs(l) > most {
						t.Errorf("%s: %s is shown as %s", role, c, shown)
					}
				}
			}
		}
	})
}

// In a terminal of 256 colours greys stay greys, and what stands side by side differs.
func TestFewColorsDiffer(t *testing.T) {
	seen := func(c Color) Color { return Color(termenv.ConvertToRGB(termenv.ANSI256.Color(string(c))).Hex()) }
	for _, name := range []string{"dark", "light"} {
		theme, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		is := map[Color]Role{}
		for _, role := range []Role{Key, String, Number, Keyword, Dim, Selection, Unfocused} {
			own, shown := theme.Style(role), theme.Readable(role, seen)
			c := shown.Foreground + shown.Background
			if other, also := is[c]; also {
				t.Errorf("%s: %s and %s are %s", name, role, other, c)
			}
			is[c] = role
			if role == Dim {
				atLeast(t, name+": dim", 12, difference(own.Foreground, c))
			}
		}
	}
}
