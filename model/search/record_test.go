package search

import (
	"strings"
	"testing"

	"varview/decoder/engine/format"
)

// A note is a record in tests.
type note map[string]string

func (n note) Texts(name string) (texts []string) {
	for key, text := range n {
		if key == name || name == "" {
			texts = append(texts, strings.Split(text, ",")...)
		}
	}
	return texts
}

func (n note) Content() []byte  { return []byte(n["path"]) }
func (n note) HasProblem() bool { return n["problem"] != "" }

func TestRecordQuery(t *testing.T) {
	names := []format.TextName{{Name: "method"}, {Name: "from", Shape: format.Number, Also: "all"}, {Name: "size", Shape: format.Number}, {Name: "path"},
		{Name: "kind", Words: []string{"rpc", "relay", "bytes"}}, {Name: "src", Shape: format.Address}, {Name: "arg", List: true}}
	move := note{"[hp]": "83,12", "[]": "83,12,770", "arg[0]": "120", "arg[1]": "gold", "arg[2].hp": "38", `arg[2]["max hp"][0]`: "9", "method": "move", "from": "1", "size": "120", "path": "Game/Player", "": "4,\"iron sword\""}
	broken := note{"method": "removed", "from": "12", "size": "8", "problem": "yes"}
	for _, test := range []struct {
		query        string
		move, broken bool
	}{
		{"method:move", true, false}, // all of the text
		{"arg[0]>100", true, false},
		{"arg[2].hp>37", true, false},
		{"arg[2].hp>38", false, false},
		{`arg[2]["max hp"][0]=9`, true, false},
		{"arg[0]>120 | arg[2]>0", false, false},
		{`arg[1]="gold" arg[0]<=120`, true, false},
		{"hp>82 hp<13", true, false}, // of two values
		{"hp>83 | mp!=1", false, false},
		{">=700 -(>770)", true, false},
		{"method:*move*", true, true},
		{"method:Move", false, false},
		{"from:1", true, false},
		{"from:1*", true, true},
		{"from:all", false, false},
		{"size:>100", true, false},
		{"size:<=8", false, true},
		{`size>100 && method=move && from!=12`, true, false},
		{`method=="removed" || !(size >= 9)`, false, true},
		{`kind!=rpc method~"^re"`, false, true},
		{"method:/^re/", false, true},
		{"has:problem", false, true},
		{"-has:problem", true, false},
		{"move", true, true}, // a part of any text
		{`"iron sword"`, true, false},
		{"game/", true, false},
		{"x:47 61", true, false},
		{"method:move | from:12", true, true},
		{"method:move from:12", false, false},
		{"=4", true, false},
		{`"key:4"`, false, false}, // a text: records have no keys
		{"kind:r*", false, false},
		{"src:10.0.0.* | src:[::1]:7000 | src:*:7000 | src:fe80::1%eth0 | src:fe80::?%lo* | src:::1", false, false},
		{"from:-1 | from:/^-/ | from:*", true, true},
	} {
		q, err := ParseRecordQuery(test.query, names)
		if err != nil {
			t.Errorf("%s: %v", test.query, err)
			continue
		}
		if q.Holds(move) != test.move || q.Holds(broken) != test.broken {
			t.Errorf("%s holds: %v, %v", test.query, q.Holds(move), q.Holds(broken))
		}
		if again, err := ParseRecordQuery(q.String(), names); err != nil || again.String() != q.String() {
			t.Errorf("%s is written as %s (%v)", test.query, q, err)
		}
	}
	for typed, want := range map[string]string{
		"":                 "nothing to look for",
		"method:":          "at character 1: method: needs a text, with * and ?, or a comparison, as in method:>100",
		"size:>x":          "at character 6: > needs a number, as in >100; to look for it as text, write it in quotes",
		"key:4":            `at character 1: key: is not a prefix here; there are method:, from:, size:, path:, kind:, src:, arg:, x:, has:; to look for it as text, write it in quotes: "key:4"`,
		"metod:move":       `at character 1: metod: is not a prefix here; did you mean method:? to look for it as text, write it in quotes: "metod:move"`,
		"move -(foo:1)":    `at character 8: foo: is not a prefix here; there are method:, from:, size:, path:, kind:, src:, arg:, x:, has:; to look for it as text, write it in quotes: "foo:1"`,
		"from:x":           "at character 1: from: cannot be x; it is a number, as in from:1 or from:>1",
		"size:12-14":       "at character 1: size: cannot be 12-14; it is a number, as in size:1 or size:>1",
		"size:1k":          "at character 1: size: cannot be 1k; it is a number, as in size:1 or size:>1",
		"move kind:rcp":    "at character 6: kind: cannot be rcp; did you mean kind:rpc?",
		"kind:call":        "at character 1: kind: cannot be call; it is one of rpc, relay, bytes",
		"kind:>5":          "at character 1: kind: cannot be >5; it is one of rpc, relay, bytes",
		"kind:x*":          "at character 1: kind: cannot be x*; it is one of rpc, relay, bytes",
		"kind:/^x/":        "at character 1: kind: cannot be /^x/; it is one of rpc, relay, bytes",
		"src:localhost":    "at character 1: src: cannot be localhost; it is an address, with its port or without, as in src:10.0.0.7 or src:*:7000",
		"src::7000":        "at character 1: src: cannot be :7000; it is an address, with its port or without, as in src:10.0.0.7 or src:*:7000",
		"src:local*":       "at character 1: src: cannot be local*; it is an address, with its port or without, as in src:10.0.0.7 or src:*:7000",
		"src:>10":          "at character 1: src: cannot be >10; it is an address, with its port or without, as in src:10.0.0.7 or src:*:7000",
		`foo:"iron sword"`: "at character 1: foo: is not a prefix here; there are method:, from:, size:, path:, kind:, src:, arg:, x:, has:; to look for it as text, write it in quotes",
	} {
		if _, err := ParseRecordQuery(typed, names); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", typed, err, want)
		}
	}
}
