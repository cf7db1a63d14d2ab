package ui

import (
	"bytes"
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"varview/themes"
)

// A container is edited with one element a line, and set again from that.
func TestEditContainer(t *testing.T) {
	one := dictionary(str("id"), str("potion"), str("qty"), integer(3))
	data := array(one, dictionary(str("id"), str("a much longer name of something"), str("notes"), array(str("one of them"), str("two of them"))))
	s := openScreen(t, save(t, data), 60, 24, termenv.Ascii)
	s.press("g", "e")
	s.wantShown(`│   { "id": "potion", "qty": 3 },  `)
	s.wantShown(`│     "id": "a much longer name of something",  `)
	s.wantShown(`│   }  `)
	s.press("ctrl+s")
	s.wantShown("nothing changes")
	s.press("g", "e", "down", "end")
	s.typeText(" %")
	s.wantShown("✗ line 2, column 33")
	s.press("backspace", "backspace", "left", "left", "left", "9", "ctrl+s")
	s.wantBytes(bytes.Replace(data, integer(3), integer(39), 1))
}

// The bracket that belongs to the one at the cursor is marked.
func TestBracketsAreMatched(t *testing.T) {
	s := openScreen(t, save(t, array(str("the first of them"), str("the second of them"))), 60, 24, termenv.TrueColor)
	s.press("g", "e")
	if want := s.m.desk.Styles.Role(themes.Match).On("]"); !strings.Contains(s.m.View(), want) {
		t.Errorf("%q is not in %q", want, s.m.View())
	}
}

// A new value in a list of containers begins with the keys of the last one.
func TestAddOfTheSameShape(t *testing.T) {
	data := array(dictionary(str("id"), str("potion"), str("qty"), integer(3)))
	s := openScreen(t, save(t, data), 100, 24, termenv.Ascii)
	s.press("g", "A")
	s.wantShown(`│   "id": "",  `)
	s.wantShown(`│   "qty": 0  `)
	s.press("ctrl+s")
	s.wantBytes(array(dictionary(str("id"), str("potion"), str("qty"), integer(3)), dictionary(str("id"), str(""), str("qty"), integer(0))))
	s.undoAll(data)

	s = openScreen(t, save(t, array(integer(7))), 100, 24, termenv.Ascii)
	s.press("g", "A")
	s.typeText("8\r")
	s.wantBytes(array(integer(7), integer(8)))
}
