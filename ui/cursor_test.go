package ui

import (
	"fmt"
	"os"
	"testing"

	"github.com/muesli/termenv"
)

// After R the cursor is on the value with the same path, or if that is gone on the nearest one around it.
func TestReloadKeepsPath(t *testing.T) {
	for _, test := range []struct {
		name, was, is string
		key, at       string
		want          string
	}{
		{"save.bin", string(slotsOf(1, 2, 3)), string(slotsOf(1, 3)), ":", "goto gold", "gold  1"},
		{"save.bin", string(slotsOf(1, 2, 3)), string(slotsOf(1, 3)), ":", "goto slots[2].id", "▾ slots  2 ×"},
		{"save.bin", inventoryOf(4), inventoryOf(3), "/", "key:gold", "gold  7"},
		{"save.json", `{"slots":[{"id":1},{"id":2}],"gold":5}`, `{"slots":[{"id":2}],"gold":5}`, ":", "goto gold", "gold  5"},
	} {
		path := t.TempDir() + "/" + test.name
		write := func(text string) {
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		write(test.was)
		s := openScreen(t, path, 100, 24, termenv.Ascii)
		s.enter(test.key, test.at)
		write(test.is)
		s.spoilt = true
		s.press("R")
		s.wantSelected(test.want)
	}
}

// inventoryOf is a stream of two values: a save with so many slots, and an array.
func inventoryOf(slots int32) string {
	var all [][]byte
	for i := range slots {
		all = append(all, dictionary(str("slot"), integer(i), str("id"), str("item"), str("qty"), integer(i)))
	}
	return string(stream(dictionary(str("slots"), array(all...), str("gold"), integer(7)), array(integer(1), integer(2))))
}

// Under a filter the cursor goes from a deleted value to the next hit, and from the last to the one before: what is hidden is
// not deleted.
func TestDeletesOnlyHits(t *testing.T) {
	path := save(t, []byte(inventoryOf(6)))
	s := openScreen(t, path, 100, 24, termenv.Ascii)
	s.enter("&", "key:qty >1")
	s.press("g", "j", "j", "j")
	for _, want := range []string{"qty  2", "qty  3", "qty  4", "qty  5"} {
		s.wantSelected(want)
		s.press("d d")
	}
	s.press("esc")
	for _, kept := range []int{0, 1, 2, 3, 4, 5} {
		for _, step := range []string{".slot", ".id"} {
			s.enter(":", fmt.Sprintf("goto [0].slots[%d]%s", kept, step))
			s.wantSelected(step[1:])
		}
	}
}
