package search

import (
	"strings"
	"testing"
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
	names := []string{"method", "from", "size", "path"}
	move := note{"method": "move", "from": "1", "size": "120", "path": "Game/Player", "": "4,\"iron sword\""}
	broken := note{"method": "removed", "from": "12", "size": "8", "problem": "yes"}
	for _, test := range []struct {
		query        string
		move, broken bool
	}{
		{"method:move", true, false}, // all of the text
		{"method:*move*", true, true},
		{"method:Move", false, false},
		{"from:1", true, false},
		{"from:1*", true, true},
		{"size:>100", true, false},
		{"size:<=8", false, true},
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
		{"key:4", false, false}, // a text: records have no keys
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
		"":        "nothing to look for",
		"method:": "at character 1: method: needs a text, with * and ?, or a comparison, as in method:>100",
		"size:>x": "at character 6: > needs a number, as in >100; to look for it as text, write it in quotes",
	} {
		if _, err := ParseRecordQuery(typed, names); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", typed, err, want)
		}
	}
}
