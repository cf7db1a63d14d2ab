package ui

import (
	"testing"

	"github.com/muesli/termenv"
)

// The last edit is made again where the cursor is; each is one step.
func TestRepeat(t *testing.T) {
	list := func(values ...[]byte) []byte { return array(values...) }
	for _, test := range []struct {
		name     string
		was      []byte
		do, want string // keys: of the edit, and what the value is after it and a repeat at the next one
	}{
		{"typed", list(integer(1), integer(2), integer(3)), "je19\rj.", "[19, 19, 3]"},
		{"with another type", list(integer(1), str("b"), integer(3)), "j:set 5\rj.y", "[5, 5, 3]"},
		{"calculated", list(integer(1), integer(2), integer(3)), "j:set *4\rj.j.", "[4, 8, 12]"},
		{"switched", list(boolean(1), boolean(0), boolean(1)), "j j.", "[false, true, true]"},
		{"deleted", list(integer(1), integer(2), integer(3), integer(4)), "jddj.", "[2, 4]"},
		{"moved", list(integer(1), integer(2), integer(3), integer(4)), "jJ..", "[2, 3, 4, 1]"},
		{"doubled", list(integer(1), integer(2)), "jDj.", "[1, 1, 2, 2]"},
		{"added", list(integer(1), integer(2)), "ja7\r.", "[1, 7, 7, 2]"},
		{"pasted", list(integer(1), integer(2)), "jyjp.", "[1, 2, 1, 1]"},
		{"a type", list(integer(1), integer(2)), "j:type float\rj.", "[1.0, 2.0]"},
		{"a key", array(dictionary(str("a"), integer(1)), dictionary(str("b"), integer(2))), "=jjrax\rjj.", `[{ "ax": 1 }, { "ax": 2 }]`},
		{"nothing", list(integer(1), integer(2)), "j.", "[1, 2]"},
		{"one with a key", array(dictionary(str("a"), integer(1)), dictionary(str("b"), integer(2))), "jAk\r5\rjj.", `[{ "a": 1, "k": 5 }, { "b": 2 }]`},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := openScreen(t, save(t, test.was), 120, 24, termenv.Ascii)
			s.typeText(test.do)
			if got := s.literalOf("$"); got != test.want {
				t.Errorf("%s, want %s\n%s", got, test.want, s.frame())
			}
			s.undoAll(test.was)
		})
	}
}

// What a filter leaves is set at once, after a question that says how many values that are.
func TestSetFiltered(t *testing.T) {
	was := array(dictionary(str("qty"), integer(1)), dictionary(str("qty"), integer(20)), dictionary(str("qty"), integer(30)))
	s := openScreen(t, save(t, was), 120, 24, termenv.Ascii)
	s.enter(":", "set &=*2")
	s.wantShown(":set &= sets the values that a filter leaves")
	s.enter("&", "key:qty >10")
	s.enter(":", "set &=*2")
	s.wantShown("change 2 values?")
	s.press("y")
	s.wantShown("set 2 values of the filter; u undoes it")
	if got := s.literalOf("$"); got != `[{ "qty": 1 }, { "qty": 40 }, { "qty": 60 }]` {
		t.Error(got)
	}
	s.press(".", "y")
	if got := s.literalOf("$"); got != `[{ "qty": 1 }, { "qty": 80 }, { "qty": 120 }]` {
		t.Error(got)
	}
	s.undoAll(was)
}

// A filter stays on a row that is a hit, also if another one is a better hit.
func TestFilterStays(t *testing.T) {
	s := openScreen(t, save(t, dictionary(str("hp"), integer(1), str("max_hp"), integer(2), str("mp"), integer(3))), 120, 24, termenv.Ascii)
	s.press("j", "j")
	s.enter("&", "hp")
	s.wantSelected("max_hp")
	s.press("esc", "j")
	s.wantSelected("mp")
	s.enter("&", "hp")
	s.wantSelected("hp")
}

// literalOf is the literal of the value at a path.
func (s *screen) literalOf(path string) string {
	s.t.Helper()
	n, err := s.m.desk.Explorer.Buffer.Resolve(path)
	if err != nil {
		s.t.Fatal(err)
	}
	literal, err := s.m.desk.Explorer.Literal(s.m.desk.Ctx, n)
	if err != nil {
		s.t.Fatal(err)
	}
	return literal
}
