package explore

import (
	"path/filepath"
	"strings"
	"testing"

	"varview/decoder"
)

// TestIgnored shows the slots of a queue that the game does not read as such: its file says that it has three values.
func TestIgnored(t *testing.T) {
	doc := openFile(t, filepath.Join("..", "..", "testdata", "gamemaker", "native-queue-203-capacity.txt"), decoder.Options{})
	x := New(doc.Innermost())
	x.SetHeight(40)
	rows, _ := x.Rows(80)
	ignored := ""
	for _, r := range rows {
		mark := "."
		if r.Kind == RowAside && r.Preview == "ignored" {
			mark = "i"
		}
		ignored += mark
	}
	if want := "...." + strings.Repeat("i", 13); ignored != want { // the queue, three values, 13 slots
		t.Errorf("%s, want %s: %+v", ignored, want, rows)
	}
}
