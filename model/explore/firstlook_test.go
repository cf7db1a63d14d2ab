package explore

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"varview/decoder"
)

// The first screen of a roomy pane unfolds level by level, and nothing that does not fit.
func TestFirstLook(t *testing.T) {
	item := func(id string) []byte {
		return dictionary(text("id"), text(id), text("at"), array(integer(1), array(array(integer(2)))))
	}
	long := array(many(100)...)
	save := stream(dictionary(text("items"), array(item("rope"), item("lamp")), text("long"), long), array(integer(1), long))
	for height, want := range map[int][]string{
		9:  {"[0] 1", "items 2", "long 2", "[1] 1"},
		3:  {"[0] 1", "[1] 1"},                                                          // there is no room for both keys
		14: {"[0] 1", "items 2", "[0] 3", "[1] 3", "long 2", "[1] 1", "[0] 2", "[1] 2"}, // records have columns
	} {
		x := New(openFile(t, write(t, save), decoder.Options{}).Innermost())
		x.SetHeight(height)
		var got []string
		rows, pending := x.Rows(40)
		for _, r := range rows {
			got = append(got, fmt.Sprint(r.Label, " ", r.Indent+1))
		}
		if fmt.Sprint(got) != fmt.Sprint(want) || pending {
			t.Errorf("%d rows: %q, want %q", height, got, want)
		}
		if x.Selected(); !rows[0].Selected {
			t.Error("the cursor is not on the first value")
		}
		x.SetHeight(height + 30) // is no first look
		if again, _ := x.Rows(40); len(again) != len(rows) {
			t.Errorf("%d rows in a window that was made higher, want %d", len(again), len(rows))
		}
	}
}

// The sections of a ConfigFile are shown by their names.
func TestSections(t *testing.T) {
	x := New(openFile(t, write(t, []byte("[player]\n\nhp=5\n\n[a b]\n\nk=1\n")), decoder.Options{Dialect: "configfile"}).Innermost())
	x.SetHeight(40)
	rows, _ := x.Rows(60)
	var labels []string
	for _, r := range rows {
		labels = append(labels, r.Label)
	}
	if got := strings.Join(labels, " "); !strings.Contains(got, "$ player ") || !strings.Contains(got, ` "a b"`) {
		t.Errorf("the rows are %s", got)
	}
}

// A list whose elements have keys shows these, and its own part is what comes before the elements.
func TestKeysInside(t *testing.T) {
	item := dictionary(text("slot"), integer(1), text("id"), text("rope"))
	wide := dictionary(text(strings.Repeat("a", 30)), integer(1), text(strings.Repeat("b", 30)), integer(2))
	for _, c := range []struct {
		value       []byte
		want        string
		header, all int64
	}{
		{array(dictionary(), item, item), "3 × {slot, id}", 8, 120},
		{array(wide), "1 × {" + strings.Repeat("a", 30) + ", …}", 8, 112},
		{array(item, integer(1)), "(2) [{ \"slot\": 1, \"id\": \"rope\" }, 1]", 8, 68},
		{array(dictionary()), "(1) [{}]", 8, 16},
		{array(integer(1)), "(1) [1]", 8, 16},
		{text("rope"), "\"rope\"", 12, 12},
	} {
		x := New(openFile(t, write(t, c.value), decoder.Options{}).Innermost())
		x.SetHeight(5)
		x.Toggle()
		rows, _ := x.Rows(200)
		if got := strings.TrimRight(rows[0].Value+" "+rows[0].Preview, " "); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
		if from, to := x.Selected(); x.Own().Length != c.header || to-from != c.all {
			t.Errorf("%s: %d of %d bytes are its own, want %d of %d", c.want, x.Own().Length, to-from, c.header, c.all)
		}
	}
	x := New(openFile(t, filepath.Join("..", "..", "testdata", "godot4", "save-inventory.bin"), decoder.Options{}).Innermost())
	x.SetHeight(10)
	rows, _ := x.Rows(30) // the type of a list takes nothing from what is shown of it
	if got := rows[4].Preview; !strings.HasPrefix(got, `{ &"gold": 1520, &"silver": 88`) {
		t.Errorf("%s has %q", rows[4].Label, got)
	}
}

// A reference to a resource says where that is.
func TestLinkRow(t *testing.T) {
	x := New(openFile(t, filepath.Join("..", "..", "testdata", "godot-text", "ramp.tres"), decoder.Options{}).Innermost())
	x.SetHeight(40)
	if err := x.UnfoldTo(9); err != nil {
		t.Fatal(err)
	}
	rows, _ := x.Rows(80)
	for _, r := range rows {
		if r.Label == "gradient" {
			if want := "→ #0 (id 1) resources"; r.Value+" "+r.Preview != want || r.Kind != RowReference {
				t.Errorf("%q %q, want %q", r.Value, r.Preview, want)
			}
			return
		}
	}
	t.Error("there is no row of the gradient")
}
