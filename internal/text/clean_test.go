package text

import (
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
)

// cleanTests are results of Clean and their columns.
var cleanTests = []struct {
	name, in, want string
	width          int
}{
	{"empty", "", "", 0},
	{"ascii", `say "hello" and 'bye' \ back`, `say "hello" and 'bye' \ back`, 28},

	// strings of saves that engines wrote
	{"godot3 string-control", "tab\tbell\acr\r", `tab\tbell\x07cr\r`, 17},
	{"godot3 string-newline", "line one\nline two\n", `line one\nline two\n`, 20},
	{"godot3 string-two-byte", "Ünïcødé", "Ünïcødé", 7},
	{"godot3 string-cjk", "日本語テキスト", "日本語テキスト", 14},
	{"godot3 string-emoji", "🎮", "🎮", 2},
	{"godot3 string-emoji-mixed", "hi 👋🏽 there", "hi 👋\u200b🏽 there", 13},
	{"godot4 string-bom-first", "\ufeffbom", `\ufeffbom`, 9},
	{"godot4 string-emoji", "Hi 👋🏽 🎮", "Hi 👋\u200b🏽 🎮", 10},
	{"godot4 string-cjk", "冒険の書", "冒険の書", 8},
	{"elephant string-utf8", "naïve — ελληνικά 日本語 🐘", "naïve — ελληνικά 日本語 🐘", 26},

	{"escape sequence", "\x1b[31mred\x1b]0;x\a", `\x1b[31mred\x1b]0;x\x07`, 23},
	{"nul and del", "a\x00b\x7f", `a\x00b\x7f`, 10},
	{"c1", "\u0085\u009b1m", `\u0085\u009b1m`, 14},
	{"invalid bytes", "a\xff\xc3", `a\xff\xc3`, 9},
	{"surrogates", "\xed\xa0\x80", `\xed\xa0\x80`, 12},
	{"real U+FFFD", "a\ufffd", "a\ufffd", 2},
	{"bidi controls", "a\u202eb\u2066\u061c\u200f", `a\u202eb\u2066\u061c\u200f`, 26},
	{"line separators", "\u2028\u2029", `\u2028\u2029`, 12},
	{"soft hyphen, joiners", "a\u00adb\u2060c\u200bd\u200ce\u200df", `a\u00adb\u2060c\u200bd\u200ce\u200df`, 36},
	{"annotation, tags", "\ufff9\U000e0041", `\ufff9\U000e0041`, 16},
	{"private use, noncharacter, unassigned", "\ue000\uffff\u0378", `\ue000\uffff\u0378`, 18},
	{"hangul filler, braille blank", "\u3164\u2800", `\u3164\u2800`, 12},

	{"accents", "e\u0301 né", "e\u0301 né", 4},
	{"mark first", "\u0301x", "◌\u0301x", 2},
	{"mark after an escape", "\n\u0301x", "\\n◌\u0301x", 4},
	{"mark on a blank", " \u0301x", " \u0301x", 2},
	{"eight marks", "x" + strings.Repeat("\u0301", 8), "x" + strings.Repeat("\u0301", 8), 1},
	{"ten marks", "x" + strings.Repeat("\u0301", 10) + "y", "x" + strings.Repeat("\u0301", 8) + `\u0301\u0301y`, 14},

	{"selector on an emoji", "❤\ufe0f🎮\ufe0f☎\ufe0e", "❤🎮☎", 4},
	{"selectors in a row", "😀\ufe0f\ufe0f\U000e0101", `😀\ufe0f\U000e0101`, 18},
	{"lone selector", "\ufe0fa\ufe0f", `\ufe0fa\ufe0f`, 13},
	{"ideographic variant", "葛\U000e0100城", "葛\U000e0100城", 4},
	{"family", "👨\u200d👩\u200d👧", "👨👩👧", 6},
	{"health worker", "👩🏽\u200d⚕\ufe0f", "👩\u200b🏽⚕", 5},
	{"joiner at the end", "👨\u200d", `👨\u200d`, 8},
	{"flag", "🇩🇪 🇫", "ⒹⒺ Ⓕ", 4},
	{"keycap", "1\ufe0f\u20e3 2\ufe0f", "1\u20e3 2\\ufe0f", 9},
	{"hexagram", "☰䷀", `\u2630\u4dc0`, 12},
	{"newer than Unicode 14", "🫨", `\U0001fae8`, 10},

	{"hindi", "नमस्ते दुनिया", "नमस्\u200bते दुन\u200bिय\u200bा", 10},
	{"tamil mark first", "\u0bbe", "◌\u200bா", 2},
	{"sinhala", "ශ්\u200dරී", "ශ්රී", 2},
	{"thai", "ก\u0e33 น้ำ", "ก\u0e4d\u0e32 น้\u0e4d\u0e32", 5},
	{"decomposed hangul", "\u1112\u1161\u11ab\u1100\u1173\u11af", "한글", 4},
	{"lone hangul vowel", "\u1161", `\u1161`, 6},
	{"halfwidth voicing", "ｶﾞ", "ｶ\u200bﾞ", 2},
	{"persian", "می\u200cخواهم", "می\u200cخواهم\u200e", 7},

	{"hebrew", "שלום", "שלום\u200e", 4},
	{"hebrew, a mark of our own", "שלום\u200e", "שלום\u200e", 4},
	{"hebrew, marks within", "ש\u200eל\u200e", "ש\\u200eל\u200e", 8},
	{"mark without hebrew", "abc\u200e", `abc\u200e`, 9},
	{"arabic digits", "٣", "٣\u200e", 1},
}

func TestClean(t *testing.T) {
	for _, test := range cleanTests {
		t.Run(test.name, func(t *testing.T) {
			got := Clean(test.in)
			if got != test.want {
				t.Errorf("Clean(%+q)\n got %+q\nwant %+q", test.in, got, test.want)
			}
			if w := Width(got); w != test.width {
				t.Errorf("Width(%+q) = %d, want %d", got, w, test.width)
			}
			if got := Append([]byte("x"), test.in); string(got) != "x"+test.want {
				t.Errorf("Append: %+q", got)
			}
			checkClean(t, test.in)
		})
	}
}

// codePoints calls f for each code point, except most ideographs and syllables and
// the planes without characters.
func codePoints(f func(r rune)) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		sparse := unicode.In(r, unicode.Han, unicode.Hangul, unicode.Tangut, unicode.Co) || r > 0x20000
		if !sparse || r%97 == 0 || r>>12 == 0xE0 {
			f(r)
		}
	}
}

// TestCodePoints cleans code points alone and after a letter.
func TestCodePoints(t *testing.T) {
	codePoints(func(r rune) {
		checkClean(t, string(r))
		checkClean(t, "x"+string(r))
		if t.Failed() {
			t.Fatalf("U+%04X", r)
		}
	})
}

// checkClean checks what holds for every input of Clean.
func checkClean(t *testing.T, in string) {
	t.Helper()
	out := Clean(in)
	checkSafe(t, out)
	if again := Clean(out); again != out {
		t.Errorf("Clean(Clean(%+q))\n got %+q\nfrom %+q", in, again, out)
	}
	sum := 0
	for _, r := range out {
		sum += ansi.StringWidth(string(r))
	}
	if w := Width(out); w != sum || w != ansi.StringWidth(out) || w != lipgloss.Width(out) {
		t.Errorf("Clean(%+q): Width %d, ansi %d, lipgloss %d, code points %d",
			in, w, ansi.StringWidth(out), lipgloss.Width(out), sum)
	}
	if quoted := Width(`"` + out + `"`); quoted != sum+2 {
		t.Errorf("Clean(%+q) in quotes takes %d, without %d", in, quoted, sum)
	}
}

// checkSafe checks that a terminal prints s and does nothing else. It allows the
// format characters that this package writes itself.
func checkSafe(t *testing.T, s string) {
	t.Helper()
	var before rune
	for i, r := range s {
		switch {
		case r == unicode.ReplacementChar && !strings.HasPrefix(s[i:], "\ufffd"):
			t.Errorf("%+q: invalid UTF-8 at %d", s, i)
		case unicode.IsGraphic(r), r == zwsp, r == zwnj && unicode.In(before, joiningScripts...):
		case r == zwnj && unicode.Is(unicode.M, before):
		case r == lrm && (endsRightToLeft(s[:i]) || strings.Trim(s[i:], "\u200e ") == ""):
		default:
			t.Errorf("%+q: U+%04X at %d", s, r, i)
		}
		before = r
	}
}

// TestUnicodeVersion fails when the table disputed has to be measured again: a newer
// Go knows characters that it does not.
func TestUnicodeVersion(t *testing.T) {
	if unicode.Version != "15.0.0" {
		t.Errorf("package unicode is of version %s, the table disputed of 15.0.0", unicode.Version)
	}
}
