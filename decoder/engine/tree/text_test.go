package tree

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// TestVisible: all characters that control a terminal or the writing direction are escaped, and no others.
func TestVisible(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		hidden := r == 0x2800 || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
		text := string(r)
		got := string(AppendEscaped(nil, []byte(text), '"'))
		if escaped := got != text; escaped != (hidden || r == '"' || r == '\\') {
			t.Fatalf("%U: %q", r, got)
		}
		var back string
		if err := json.Unmarshal([]byte(`"`+got+`"`), &back); err != nil || back != text {
			t.Fatalf("%U: %q reads back as %q, %v", r, got, back, err)
		}
	}
}

func TestSteps(t *testing.T) {
	for text, want := range map[string]string{
		"name": ".name", "_a1": "._a1", "": `[""]`, "1a": `["1a"]`, "a b": `["a b"]`, "a\"b": `["a\"b"]`, "é": `["é"]`,
		"a\xffb": `["a\udcffb"]`, "\x1b[0m": `["\u001b[0m"]`, "tab\t": `["tab\t"]`, "\U000e0001": `["\udb40\udc01"]`,
	} {
		if got := string(AppendTextStep(nil, []byte(text))); got != want {
			t.Errorf("%q: %s, not %s", text, got, want)
		}
	}
	if got := string(AppendIndexStep(nil, -3)); got != "[-3]" {
		t.Error(got)
	}
	if got := string(AppendHex(nil, []byte(strings.Repeat("\xab", 70)), 70)); got != strings.Repeat("ab", 64)+"…" {
		t.Error(got)
	}
}

func TestCutStep(t *testing.T) {
	for path, want := range map[string]string{
		".a.b": ".a", ".a[0]": ".a", ".a@key": ".a", ".a#2": ".a", "[3].x": "[3]", `["]"].x`: `["]"]`, `["\"]"]`: `["\"]"]`,
		"[[1, 2]]@key": "[[1, 2]]", "{12}#2": "{12}", "[3": "", "{3": "", "#2": "",
	} {
		if step, rest := splitStep(path); step != want || step+rest != path {
			t.Errorf("%s: %s and %s", path, step, rest)
		}
	}
}

func TestTold(t *testing.T) {
	for text, want := range map[string]string{
		"name": "name", "": "", "é": "é", "a\"b": `a\"b`, "a\xffb\xc8": `a\xffb\xc8`, "\f\xb1h": `\f\xb1h`, "\xf0\x9f": `\xf0\x9f`,
		`\udcff`: `\\udcff`, "\\\xff": `\\\xff`, "\U000e0001\xff": `\udb40\udc01\xff`, "\ufffd": "\ufffd", "\x00": `\u0000`,
	} {
		if got := Prose([]byte(text)); got != want {
			t.Errorf("%q: %s, not %s", text, got, want)
		}
	}
}
