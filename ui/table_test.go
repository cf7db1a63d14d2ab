package ui

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/muesli/termenv"
)

// openItems opens an array of dictionaries.
func openItems(t *testing.T) *screen {
	t.Helper()
	var rows [][]byte
	for i, name := range []string{"sword", "axe", "bow"} {
		rows = append(rows, dictionary(str("id"), str(name), str("qty"), integer(int32(3*i+1))))
	}
	s := openScreen(t, save(t, array(rows...)), 80, 24, termenv.Ascii)
	s.press("t")
	return s
}

// wantCells checks the rows of a table, without the border and blanks.
func (s *screen) wantCells(want ...string) {
	s.t.Helper()
	var got []string
	for _, line := range strings.Split(s.frame(), "\n")[2:] {
		line = strings.Join(strings.Fields(strings.NewReplacer("│", " ", "›", " ", "[", " ", "]", " ").Replace(line)), " ")
		if line == "" || strings.Contains(line, " rows") || strings.Contains(line, " row ") {
			break
		}
		got = append(got, line)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		s.t.Errorf("rows %q, want %q", got, want)
	}
}

// After an edit rows and sums are read again without another key.
func TestTableAfterEdit(t *testing.T) {
	s := openItems(t)
	s.press("l", "e")
	s.typeText("12") // in place of the 1
	s.press("enter")
	s.wantCells(`0 "sword" 1→12`, `1 "axe" 4`, `2 "bow" 7`)
	s.wantShown("qty: min 4, max 12, sum 23")
}

// A table is sorted and filtered; the file stays as it is.
func TestTable(t *testing.T) {
	s := openItems(t)
	was := s.bytes()
	s.wantCells(`0 "sword" 1`, `1 "axe" 4`, `2 "bow" 7`)
	s.press("s")
	s.wantCells(`1 "axe" 4`, `2 "bow" 7`, `0 "sword" 1`)
	s.press("l", "s", "s")
	s.wantCells(`2 "bow" 7`, `1 "axe" 4`, `0 "sword" 1`)
	s.press("s")
	s.wantCells(`0 "sword" 1`, `1 "axe" 4`, `2 "bow" 7`)
	s.wantShown("qty: min 1, max 7, sum 12, mean 4, 3 values, 3 different")
	s.enter("&", "qty>=4")
	s.wantCells(`1 "axe" 4`, `2 "bow" 7`)
	s.enter("&", "none=4")
	s.wantShown(`there is no column "none"`)
	s.press("-")
	s.wantCells(`1 "axe"`, `2 "bow"`)
	s.wantBytes(was)
	s.press("G", "enter")
	s.wantSelected("id")
	s.press("k", "t") // the record is a row of the table of its list
	s.wantCells(`0 "sword" 1`, `1 "axe" 4`, `2 "bow" 7`)
	s.wantShown("›     2")
}

// A filter that is typed on the last row shows all rows that it leaves; esc first shows the others again.
func TestTableFilteredAtEnd(t *testing.T) {
	var rows [][]byte
	for i := range 40 {
		rows = append(rows, dictionary(str("qty"), integer(int32(i))))
	}
	s := openScreen(t, save(t, array(rows...)), 80, 24, termenv.Ascii)
	s.press("t", "G")
	s.enter("&", "qty>=37")
	s.wantCells("37 37", "38 38", "39 39")
	s.press("esc")
	s.wantShown("40 rows")
	s.press("esc")
	s.wantSelected("▾ $")
}

// A column that only late rows have appears once all rows are read, also after an edit.
func TestTableLateColumn(t *testing.T) {
	var rows [][]byte
	for i := range 600 {
		rows = append(rows, dictionary(str("qty"), integer(int32(i))))
	}
	rows = append(rows, dictionary(str("qty"), integer(600), str("late"), integer(7)))
	s := openScreen(t, save(t, array(rows...)), 80, 24, termenv.Ascii)
	s.press("t", "G")
	s.wantShown("›   600 │[600]")
	s.wantShown("late")
	s.press("l", "l")
	s.wantShown("late: min 7, max 7")
	s.press("e", "7", "5", "enter")
	s.wantShown("75")
	s.wantShown("late")
}

// An edit in a table is an edit like any other.
func TestTableEdits(t *testing.T) {
	s := openItems(t)
	s.press("l", "e", "1", "5")
	s.wantShown("[15 ")
	s.wantShown("$[0].qty")
	s.press("enter")
	s.wantCells(`0 "sword" 1→15`, `1 "axe" 4`, `2 "bow" 7`)
	s.press("f", "y")
	s.wantCells(`0 "sword" 1→15`, `1 "axe" 4→15`, `2 "bow" 7→15`)
	s.press("u")
	s.wantCells(`0 "sword" 1→15`, `1 "axe" 4`, `2 "bow" 7`)
	s.press("e", "x", "enter") // what was typed stays, with what is wrong with it
	s.wantShown("[x ")
	s.wantShown("not a number: x is neither a type, true, false nor null")
	s.press("esc")
	s.wantCells(`0 "sword" 1→15`, `1 "axe" 4`, `2 "bow" 7`)
	s.press("h", "e")
	s.typeText("long sword") // without quotes, over the next cell
	s.wantShown("[long sword ]")
	s.press("enter")
	s.wantCells(`0 "sword"→"long sword" 1→15`, `1 "axe" 4`, `2 "bow" 7`)
	s.press("u", "l")
	s.press("j", "d d")
	s.wantCells(`0 "sword" 1→15`, `1 "bow" 7`)
	s.press("D")
	s.wantCells(`0 "sword" 1→15`, `1 "bow" 7`, `2 "bow" 7`)
	s.press("u", "u", "u")
	s.wantCells(`0 "sword" 1`, `1 "axe" 4`, `2 "bow" 7`)
}

// A value that a row lacks is typed in its cell, and a row with a key under that key; both say where they will be.
func TestTableAddCell(t *testing.T) {
	s := openScreen(t, save(t, dictionary(str("a"), dictionary(str("hp"), integer(1)), str("b"), dictionary(), str("c"), dictionary(str("hp"), integer(3)))), 80, 24, termenv.Ascii)
	s.press("t", "j", "l", "e", "7")
	s.wantShown(`$.b["hp"]`)
	s.press("enter")
	s.wantCells(`"a" 1`, `"b" 7`, `"c" 3`)
	s.press("A")
	s.wantShown("+  new key")
	s.typeText("d")
	s.press("enter")
	s.wantShown(`$["d"]`)
	s.press("ctrl+s")
	s.wantCells(`"a" 1`, `"b" 7`, `"c" 3`, `"d" 0`)
	s = openScreen(t, save(t, array(dictionary(str("id"), str("sword")), dictionary())), 80, 24, termenv.Ascii)
	s.press("t", "j", "l", "e")
	s.typeText("axe")
	s.press("enter")
	s.wantCells(`0 "sword"`, `1 "axe"`)
	s = openScreen(t, save(t, array(dictionary(str("wear"), float(0.5)), dictionary())), 80, 24, termenv.Ascii)
	s.press("t", "j", "l", "e")
	s.typeText("5")
	s.press("enter")
	s.wantCells(`0 0.5`, `1 5.0`)
}

// A row that is added has the keys of the last one, and is selected; so is a duplicate.
func TestTableAdd(t *testing.T) {
	s := openItems(t)
	s.press("A")
	s.wantShown(`"id": "",`)
	s.press("ctrl+s")
	s.wantCells(`0 "sword" 1`, `1 "axe" 4`, `2 "bow" 7`, `3 "" 0`)
	s.wantShown("›     3")
	s.press("g", "D")
	s.wantCells(`0 "sword" 1`, `1 "sword" 1`, `2 "axe" 4`, `3 "bow" 7`, `4 "" 0`)
	s.wantShown("›     1")
	s.press("u", "u")
	s.wantCells(`0 "sword" 1`, `1 "axe" 4`, `2 "bow" 7`)
}

// The editor of a container and of a new row is shown in a window of any size, and the table saves.
func TestTableEditorShown(t *testing.T) {
	for _, width := range []int{80, 120, 160} {
		path := save(t, array(dictionary(str("tags"), array(integer(1), integer(2)))))
		s := openScreen(t, path, width, 36, termenv.Ascii)
		for _, open := range []string{"A", "e"} {
			s.press("t", open)
			s.typeText("typed")
			s.wantShown("typed")
			s.press("esc", "esc")
		}
		s.press("t", "D", "ctrl+s")
		s.wantShown("saved")
		s.wantShown("›     1")
	}
}

// A row of a dictionary is asked for its key first.
func TestTableAddKeyed(t *testing.T) {
	row := func(n int32) []byte { return dictionary(str("hp"), integer(n)) }
	s := openScreen(t, save(t, dictionary(str("mira"), row(5), str("tom"), row(7))), 80, 24, termenv.Ascii)
	s.press("t", "A")
	s.wantShown("new key")
	for _, key := range []string{"ctrl+s", "enter"} { // who means to save, or typed nothing, names no entry ""
		s.press(key)
		s.wantShown("a key is expected")
	}
	s.press("a", "enter")
	s.wantShown(`"hp": 0`)
	s.press("ctrl+s")
	s.wantCells(`"mira" 5`, `"tom" 7`, `"a" 0`)
}

// Many values are set at once, after a question.
func TestSetMany(t *testing.T) {
	s := openItems(t)
	s.press("esc")
	s.enter(":", "set ..qty=*2")
	s.wantShown("change 3 values?")
	s.press("y", "t")
	s.wantCells(`0 "sword" 1→2`, `1 "axe" 4→8`, `2 "bow" 7→14`)
	s.press("esc")
	s.enter(":", "set ..none=1")
	s.wantShown("no value has such a path")
}

func TestSortAndImportCommands(t *testing.T) {
	s := openItems(t)
	s.press("esc")
	s.enter(":", "sort qty desc")
	s.press("t")
	s.wantCells(`0 "bow" 7`, `1 "axe" 4`, `2 "sword" 1`)
	s.press("esc")
	name := filepath.Join(t.TempDir(), "items.csv")
	if err := os.WriteFile(name, []byte("index,qty\n1,40\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.enter(":", "import-csv "+name)
	s.press("t")
	s.wantCells(`0 "bow" 7`, `1 "axe" 40`, `2 "sword" 1`)
	s.press("esc")
	s.enter(":", "import-csv "+name+"x")
	s.wantShown("no such file")
	s.enter(":", "import-csv")
	s.wantShown(":import-csv needs a FILE")
}

// Drawing a table beside the tree reads its selected row once, not once a line of the window.
func TestTableBesideTreeReadsOnce(t *testing.T) {
	const most = 4 << 20 // bytes of memory for a frame; reading a row takes some 100 KiB
	var rows [][]byte
	for i := range 10_000 {
		rows = append(rows, dictionary(str("id"), str("sword"), str("qty"), integer(int32(i))))
	}
	s := openScreen(t, save(t, array(rows...)), 200, 60, termenv.Ascii)
	s.press("t")
	s.wantShown("›      id")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	s.m.desk.Unchanged = false
	s.m.View()
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > most {
		t.Errorf("a frame takes %d bytes of memory, more than %d", got, most)
	}
}

// A new row that the filter would hide ends the filter, and is selected; the order of the rows stays.
func TestAddUnderFilter(t *testing.T) {
	s := openScreen(t, save(t, slots()), 100, 24, termenv.Ascii)
	s.typeText("/slots\rt&qty>=2\r")
	s.wantShown("3 of 5 rows")
	s.press("A", "ctrl+s")
	s.wantShown("the new row does not fit the filter, which has ended")
	s.wantShown("6 rows · ")
	s.wantShown("$[0].slots[5]")
	s.press("u")
	s.wantShown("5 rows · ")
}

// TestTableOfLines: lines of JSON that begin alike are the rows of a table; single values of other kinds are not.
func TestTableOfLines(t *testing.T) {
	s := openScreen(t, save(t, []byte(`{"id":3,"name":"c"}`+"\n"+`{"id":1,"name":"a","hp":7}`+"\n"+`{"id":2,"name":"b"}`+"\n")), 80, 24, termenv.Ascii)
	s.press("t")
	s.wantShown("3 rows")
	s.press("d", "d")
	s.wantBytes([]byte(`{"id":1,"name":"a","hp":7}` + "\n" + `{"id":2,"name":"b"}` + "\n"))
	s = openScreen(t, save(t, []byte(`{"version":3}`+"\n"+`{"name":"a","hp":7}`+"\n")), 80, 24, termenv.Ascii)
	s.press("t")
	s.wantShown("1 row")
}

// What :set changes in a table is the cell.
func TestSetCell(t *testing.T) {
	s := openText(t, "a.json", `{"items": [{"id": "axe", "n": 2}, {"id": "bow", "n": 3}]}`, 120, 36)
	s.enter(":", "goto $.items")
	s.press("t", "l", "l")
	s.enter(":", "set *2")
	s.wantBytes([]byte(`{"items": [{"id": "axe", "n": 4}, {"id": "bow", "n": 3}]}`))
}
