package model

import "testing"

func TestCutAssignment(t *testing.T) {
	for _, c := range []struct{ arg, path, value string }{
		{`hp=5`, `hp`, `5`},
		{`$[0].hp = 5`, `$[0].hp`, `5`},
		{`=5`, ``, `5`},
		{`note="a=b"`, `note`, `"a=b"`},
		{`["a=b"].c={ "d": 1 }`, `["a=b"].c`, `{ "d": 1 }`},
		{`["say \"=\" ]="].x=1`, `["say \"=\" ]="].x`, `1`},
		{`[[1, "="]]=2`, `[[1, "="]]`, `2`},
		{`[^"a=b"]=2`, `[^"a=b"]`, `2`},
		{`a{12}@key="k=v"`, `a{12}@key`, `"k=v"`},
		{`hp=`, `hp`, ``},
		{`--where key:qty <10 +5`, `--where key:qty <10`, `+5`},
		{` --where name="a b"  "x \"y z" `, `--where name="a b"`, `"x \"y z"`},
		{"text=\"a\nb\"", `text`, "\"a\nb\""},
	} {
		path, value, ok := CutAssignment(c.arg)
		if !ok || path != c.path || value != c.value {
			t.Errorf("%s: %q and %q (%v), want %q and %q", c.arg, path, value, ok, c.path, c.value)
		}
	}
	for _, arg := range []string{``, `hp`, `["a=b"]`, `["a=b`, `["a\"]=1`, `[a=1`, `"a=b"`, `{ "k": "=" }`, `--where a`, `--where a"`, `--where "a=b"`} {
		if path, value, ok := CutAssignment(arg); ok {
			t.Errorf("%s: %q and %q, want nothing", arg, path, value)
		}
	}
}
