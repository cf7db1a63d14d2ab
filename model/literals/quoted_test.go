package literals

import "testing"

func TestPlainText(t *testing.T) {
	for _, test := range []struct {
		literal, mark, text string
		ok                  bool
	}{
		{`"abc"`, "", "abc", true},
		{`""`, "", "", true},
		{`&"name"`, "&", "name", true},
		{`^"a/b"`, "^", "a/b", true},
		{`"a\"b\\c\nd\te"`, "", "a\"b\\c\nd\te", true},
		{`"冒"`, "", "冒", true},
		{`"\u202e"`, "", "", false}, // would not be seen
		{`"\udcff"`, "", "", false}, // no character
		{`"\r"`, "", "", false},
		{`"a`, "", "", false},
		{`"`, "", "", false},
		{`"a\"`, "", "", false},
		{`"a" + "b"`, "", "", false},
		{`&&"a"`, "", "", false},
		{`42`, "", "", false},
		{``, "", "", false},
		{`["a"]`, "", "", false},
	} {
		mark, text, ok := Unquote(test.literal)
		if mark != test.mark || text != test.text || ok != test.ok {
			t.Errorf("%s: %q %q %v, want %q %q %v", test.literal, mark, text, ok, test.mark, test.text, test.ok)
		}
		if ok && Quote(mark, text) != test.literal {
			t.Errorf("%s becomes %s", test.literal, Quote(mark, text))
		}
	}
}
