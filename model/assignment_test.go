package model

import "testing"

func TestCutAssignment(t *testing.T) {
	for _, c := range []struct{ text, path, value string }{
		{`hp=5`, `hp`, `5`},
		{`$[0].hp = 5`, `$[0].hp`, `5`},
		{`note="a=b"`, `note`, `"a=b"`},
		{`["a=b"].c={ "d": 1 }`, `["a=b"].c`, `{ "d": 1 }`},
		{`["say \"=\" ]="].x=1`, `["say \"=\" ]="].x`, `1`},
		{`a{12}@key="k=v"`, `a{12}@key`, `"k=v"`},
		{`hp=`, `hp`, ``},
	} {
		path, value, ok := CutAssignment(c.text)
		if !ok || path != c.path || value != c.value {
			t.Errorf("%s: %q and %q (%v), want %q and %q", c.text, path, value, ok, c.path, c.value)
		}
	}
	for _, text := range []string{``, `"a=b"`, `["a=b"]`, `["a=b`, `{ "k": "=" }`} {
		if path, value, ok := CutAssignment(text); ok {
			t.Errorf("%s: %q and %q, want nothing", text, path, value)
		}
	}
}
