package textbox

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"varview/internal/text"
)

// keys are the keys that the letters of a test press.
var keys = map[rune]tea.KeyMsg{
	'<': {Type: tea.KeyLeft}, '>': {Type: tea.KeyRight}, '^': {Type: tea.KeyUp}, 'v': {Type: tea.KeyDown}, '(': {Type: tea.KeyHome}, ')': {Type: tea.KeyEnd},
	'B': {Type: tea.KeyBackspace}, 'D': {Type: tea.KeyDelete}, 'W': {Type: tea.KeyCtrlW}, 'K': {Type: tea.KeyCtrlK}, 'U': {Type: tea.KeyCtrlU},
	'N': {Type: tea.KeyEnter}, '[': {Type: tea.KeyCtrlLeft}, ']': {Type: tea.KeyCtrlRight}, '_': {Type: tea.KeySpace, Runes: []rune{' '}},
}

func press(b *Box, names string) {
	for _, r := range names {
		if msg, ok := keys[r]; ok {
			b.Press(msg)
		} else {
			b.Press(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
		}
	}
}

// shownAt is the text with "|" before the cursor.
func shownAt(b *Box) string { return b.text[:b.at] + "|" + b.text[b.at:] }

func TestKeys(t *testing.T) {
	for _, test := range []struct{ text, keys, want string }{
		{"", "ab_c", "ab c|"},
		{"abc", "<<x", "ax|bc"},
		{"abc", "<<<<<x", "x|abc"},
		{"abc", "(>)>y", "abcy|"},
		{"abc", "B<D", "a|"},
		{"abc", "(B)D", "abc|"},
		{"one two_3", "[", "one |two_3"},
		{"one two_3", "[[", "|one two_3"},
		{"one two", "(]", "one| two"},
		{"one two", "WW", "|"},
		{"one two", "<<<<KU", "|"},
		{"e\u0301x", "<<", "|e\u0301x"}, // a mark is not a character of its own
		{"e\u0301", "B", "|"},
		{"冒険", "<B", "|険"},
		{"🇩🇪x", "<<y", "y|🇩🇪x"},
	} {
		b := New(test.text, true)
		press(&b, test.keys)
		if got := shownAt(&b); got != test.want {
			t.Errorf("%q, keys %s: %q, want %q", test.text, test.keys, got, test.want)
		}
	}
}

// TestSelectAll checks that what is typed or deleted replaces a text that is selected, and that a key that
// moves the cursor keeps it.
func TestSelectAll(t *testing.T) {
	for _, test := range []struct{ text, keys, want string }{
		{"83", "120", "120|"},
		{"83", "B", "|"},
		{"83", "D1", "1|"},
		{"83", "W1", "1|"},
		{"83", "<1", "81|3"},
		{"83", ")1", "831|"},
		{"83", "(1", "1|83"},
		{"", "1", "1|"},
	} {
		b := New(test.text, true)
		b.SelectAll()
		press(&b, test.keys)
		if got := shownAt(&b); got != test.want {
			t.Errorf("%q, keys %s: %q, want %q", test.text, test.keys, got, test.want)
		}
	}
	b := New("83", true)
	b.SelectAll()
	if got := b.Line(10); len(got) != 2 || got[0] != (Part{Text: "83", Role: Marked}) || got[1].Role != Cursor {
		t.Errorf("drawn as %v", got)
	}
}

func TestLines(t *testing.T) {
	for _, test := range []struct{ text, keys, want string }{
		{"one\ntwo", "^", "one|\ntwo"},
		{"one\ntwo", "^^", "one|\ntwo"},
		{"one\ntwo", "(^v", "one\n|two"},
		{"one\n\nthree", "^^v", "one\n|\nthree"},
		{"one\n\nthree", "<^^", "one|\n\nthree"},
		{"one\n\nthree", "<^v", "one\n\nthre|e"}, // the column is kept
		{"one", "N2", "one\n2|"},
		{"one\ntwo", "(B", "one|two"},
		{"one\ntwo", "^D", "one|two"},
		{"aaaa bbbb cccc", "^", "aaaa| bbbb cccc"}, // rows of 10 columns
		{"aaaa bbbb cccc", "^vv", "aaaa bbbb cccc|"},
		{"", "^v", "|"},
	} {
		b := New(test.text, false)
		b.Rows(10, 4)
		press(&b, test.keys)
		if got := shownAt(&b); got != test.want {
			t.Errorf("%q, keys %s: %q, want %q", test.text, test.keys, got, test.want)
		}
	}
}

// What is typed is cleaned, what is drawn is harmless.
func TestClean(t *testing.T) {
	b := New("a\x1b[2Jb\r\nc\rd\te\xff", false)
	if want := "a[2Jb\nc\nd\te\ufffd"; b.Text() != want {
		t.Errorf("%q, want %q", b.Text(), want)
	}
	b = New("a\nb\r\nc", true)
	if want := "a b c"; b.Text() != want {
		t.Errorf("%q, want %q", b.Text(), want)
	}
	b = New("x\u202ey\t", true)
	if got, want := drawn(b.Line(20)), `x\u202ey⇥ `; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func drawn(parts []Part) string {
	var s strings.Builder
	for _, p := range parts {
		s.WriteString(p.Text)
	}
	return s.String()
}

// The cursor and the error are drawn; a long line is scrolled to the cursor.
func TestDraw(t *testing.T) {
	b := New("0123456789", true)
	if got := drawn(b.Line(5)); got != "…789 " {
		t.Errorf("end: %q", got)
	}
	press(&b, "(")
	if got := drawn(b.Line(5)); got != "01234" {
		t.Errorf("beginning: %q", got)
	}
	b.Fault = 2
	want := []Part{{Text: "0", Role: Cursor}, {Text: "1", Role: Plain}, {Text: "2", Role: Fault}, {Text: "34", Role: Plain}}
	got := b.Line(5)
	if len(got) != len(want) {
		t.Fatalf("%v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("part %d: %v, want %v", i, got[i], want[i])
		}
	}
	rows := New("aaaa bbbb cccc\nd", false)
	var lines []string
	for _, parts := range rows.Rows(10, 9) {
		lines = append(lines, drawn(parts))
	}
	if got, want := strings.Join(lines, "|"), "aaaa bbbb |cccc|d "; got != want {
		t.Errorf("rows %q, want %q", got, want)
	}
}

// Whatever is typed, no row is wider than it may be, and the cursor is in view.
func FuzzBox(f *testing.F) {
	f.Add("one two\n冒険の書 🇩🇪 e\u0301\u0301\u0301", "<<^v(xN_[]WKUBD", 10, 3)
	f.Add(strings.Repeat("\u0301", 300)+"क्षि", "<<<>>^^v", 4, 1)
	f.Add(strings.Repeat("\u0301", 12), "<<<>>^^v", 22, 38) // one character that is wider than the box
	f.Fuzz(func(t *testing.T, typed, names string, width, height int) {
		if width < 8 || width > 300 || height < 1 || height > 100 || len(typed) > 4000 || len(names) > 200 {
			t.Skip()
		}
		for _, single := range []bool{true, false} {
			b := New(typed, single)
			for _, r := range names {
				press(&b, string(r))
				rows := [][]Part{b.Line(width)}
				if !single {
					rows = b.Rows(width, height)
				}
				check(t, &b, rows, width, height)
			}
		}
	})
}

func check(t *testing.T, b *Box, rows [][]Part, width, height int) {
	t.Helper()
	if b.at < 0 || b.at > len(b.text) || len(rows) > height && !b.Single {
		t.Fatalf("cursor at %d of %d, %d rows", b.at, len(b.text), len(rows))
	}
	cursor := false
	for _, parts := range rows {
		if w := text.Width(drawn(parts)); w > width {
			t.Errorf("%d columns in %d: %q", w, width, drawn(parts))
		}
		for _, p := range parts {
			cursor = cursor || p.Role == Cursor
		}
	}
	if !cursor {
		t.Errorf("no cursor in %q, at %d of %q", rows, b.at, b.text)
	}
}
