package ui

import (
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"varview/internal/termtest"
	"varview/themes"
	"varview/ui/desk"
	"varview/ui/paint"
)

// bytesShown is the pane of the bytes, with their colours.
func (s *screen) bytesShown() string { return strings.Join(s.m.hex.View(), "\n") }

// A container is shown by its ends and a bar beside its rows, a value without others in it by a
// background: that of the focus, or a grey one.
func TestQuietSelection(t *testing.T) {
	s := openScreen(t, "testdata/saves/save-player-stats.bin", 120, 40, termenv.TrueColor)
	focused, grey := string(s.m.desk.Styles.Ground(true)), string(s.m.desk.Styles.Ground(false))
	want := func(shown string, inFocus, outOfFocus bool) {
		t.Helper()
		if strings.Contains(shown, focused) != inFocus || strings.Contains(shown, grey) != outOfFocus {
			t.Errorf("the focus' background is shown: %v, the grey one: %v; want %v, %v\n%q", !inFocus, !outOfFocus, inFocus, outOfFocus, shown)
		}
	}
	tree := func() string { return strings.Join(s.m.tree.View(), "\n") }
	want(s.bytesShown(), false, false)
	want(tree(), true, false)
	s.wantShown("0000╭[c8 02")
	s.wantShown("0010│")
	s.press("j", "j")
	want(s.bytesShown(), false, true)
	s.press("tab")
	want(s.bytesShown(), true, false)
	want(tree(), false, true)
	s.press("g", "v", "j", "j")
	want(s.bytesShown(), true, false) // selected bytes, whatever they are
}

// Zeros and what frames values are dim, but for those of the selected value.
func TestBytesStepBack(t *testing.T) {
	s := openScreen(t, save(t, array(integer(0x0300), integer(5))), 120, 40, termenv.TrueColor)
	styles := &s.m.desk.Styles
	want := func(parts ...string) {
		t.Helper()
		got := strings.ReplaceAll(s.bytesShown(), "\x1b[0m", "")
		for _, part := range parts {
			if !strings.Contains(got, part) {
				t.Errorf("%q is not in %q", part, got)
			}
		}
	}
	dim, value, kind, ground := string(styles.Role(themes.Dim)), string(styles.Role(themes.Value)), string(styles.Role(themes.Type)), string(styles.Ground(false))
	want(kind+"00", dim+"02", value+"03 ", value+"05 ") // the array's own type, and the numbers
	s.press("j")
	want(dim+"1c", kind+ground+"00", value+"05 ")
}

// The frame and the name of the pane with the focus have the accent's colour.
func TestFocusIsSeen(t *testing.T) {
	s := openScreen(t, "testdata/saves/save-player-stats.bin", 200, 60, termenv.TrueColor)
	in := s.m.desk.Styles.In
	for _, c := range []struct {
		focus desk.Focus
		names map[string]bool
	}{
		{desk.OnTree, map[string]bool{"bytes": false, "inspector": false}},
		{desk.OnBytes, map[string]bool{"bytes": true, "inspector": false}},
		{desk.OnInspector, map[string]bool{"bytes": false, "inspector": true}},
	} {
		s.m.desk.SetFocus(c.focus)
		top, _, _ := strings.Cut(s.m.View(), "\n")
		for name, focused := range c.names {
			if got := strings.Contains(top, in(themes.Accent, " "+name+" ")); got != focused {
				t.Errorf("focus %d: the name of %s shows the focus: %v", c.focus, name, got)
			}
		}
	}
}

// The free part of the inspector draws the selected value: a curve, an image, a colour.
func TestLiveDrawing(t *testing.T) {
	s := openScreen(t, save(t, drawable()), 200, 60, termenv.TrueColor)
	s.enter(":", "goto $.wave")
	s.wantShown("⣠⠞")
	s.enter(":", "goto $.shot")
	s.wantShown("▀▀▀▀")
	s.enter(":", "goto $.tint")
	if swatch := string(s.m.desk.Styles.Swatch([3]byte{0x33, 0x66, 0xff})); strings.Count(s.m.View(), swatch) < 4 {
		t.Error("the colour is not drawn")
	}
	s.enter(":", "goto $.saved")
	s.wantNotShown("⣠⠞")
}

// A theme that was asked for paints the background of every cell, and says so where the terminal's own
// is of the other kind. Without colours, or where the terminal chooses the theme, nothing is painted.
func TestThemePaintsBackground(t *testing.T) {
	s := openScreen(t, "testdata/saves/save-player-stats.bin", 80, 24, termenv.TrueColor)
	painted := func() bool {
		t.Helper()
		ground := string(s.m.desk.Styles.Role(themes.Background))
		for line := range strings.Lines(s.m.View()) {
			line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), paint.Reset)
			if !strings.HasPrefix(line, ground) || strings.Contains(strings.ReplaceAll(line, paint.Reset+ground, ""), paint.Reset) {
				return false
			}
		}
		return true
	}
	if painted() {
		t.Error("the background of the terminal's theme is painted")
	}
	s.send(backgroundMsg{dark: true})
	s.wantNotShown("terminals")
	s.enter(":", "theme gruvbox-light")
	s.wantShown("this theme is for light terminals, so varview paints its background")
	if !painted() {
		t.Errorf("the background is not painted: %q", s.m.View())
	}
	s.resizeTo(20, 5)
	if !painted() {
		t.Error("the background of a small window is not painted")
	}
	s.resizeTo(80, 24)
	s.enter(":", "theme catppuccin-mocha")
	s.wantNotShown("terminals")
	s.m.profile = termenv.Ascii
	s.enter(":", "theme light")
	if strings.Contains(s.m.View(), "48;2") {
		t.Error("there are colours")
	}
}

// Few bytes go over a line: for the first frame, and for a step down in the tree (the median).
func TestBytesOverALine(t *testing.T) {
	for _, c := range []struct{ width, height, first, step int }{{80, 24, 12 << 10, 2 << 10}, {120, 40, 20 << 10, 2 << 10}, {200, 60, 30 << 10, 4 << 10}} {
		s := openScreen(t, "testdata/saves/save-player-stats.bin", c.width, c.height, termenv.TrueColor)
		line := termtest.New(c.width, c.height)
		if n := line.Show(s.m.View()); n > c.first {
			t.Errorf("%d×%d: %d bytes for the first frame, want at most %d", c.width, c.height, n, c.first)
		}
		var steps []int
		for range 15 {
			s.press("j")
			steps = append(steps, line.Show(s.m.View()))
		}
		if err := line.Check(s.m.View()); err != nil {
			t.Error(err)
		}
		slices.Sort(steps)
		if n := steps[len(steps)/2]; n > c.step || n == 0 {
			t.Errorf("%d×%d: %d bytes for a step, want at most %d", c.width, c.height, n, c.step)
		}
	}
}

// A type is whole, or left out where its value needs the room.
func TestTypesAreWhole(t *testing.T) {
	s := openScreen(t, "testdata/saves/save-player-stats.bin", 120, 30, termenv.Ascii)
	for _, cut := range []string{"Dict…", "Stri…", "flo…"} {
		s.wantNotShown(cut)
	}
	s.wantShown("Dictionary ")
	s.wantShown("float ")
}

// On a channel of a colour + and - change hundredths, and stay from 0 to 1.
func TestChannel(t *testing.T) {
	s := openScreen(t, "testdata/saves/save-player-stats.bin", 120, 40, termenv.Ascii)
	s.typeText("/color\rll")
	s.wantSelected("r  0.24705882")
	s.press("+")
	s.wantSelected("• r  0.25705883")
	s.typeText("99-")
	s.wantSelected("• r  0.0")
	s.press("j", "j", "j")
	s.typeText("+")
	s.wantSelected("a  1.0")
	s.typeText("5-")
	s.wantSelected("• a  0.95")
}

// Pasted text is not taken for keys.
func TestPastedOverPanes(t *testing.T) {
	s := openScreen(t, "testdata/saves/save-player-stats.bin", 100, 30, termenv.Ascii)
	s.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("dd\ntwo"), Paste: true})
	s.wantShown("pasted text is not taken for keys; e edits a value")
	s.wantNotShown("modified")
}
