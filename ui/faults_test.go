package ui

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"varview/ui/paint"
)

const resource = `[gd_resource type="Resource" load_steps=3 format=3]

[sub_resource type="Resource" id="Resource_1"]
name = "axe ; no comment"
count = 3

[sub_resource type="Resource" id="Resource_2"]
name = "bow"
count = 4

[resource]
hp = 120.0
tint = Color(1, 0.5, 0, 1)
items = [SubResource("Resource_1")]
`

// The word with which a value of a text begins is found, resources are columns, and a float stays one.
func TestResource(t *testing.T) {
	s := openText(t, "a.tres", resource, 120, 36)
	s.wantShown("name                count  hp")
	s.wantShown(`"axe ; no comment"      3`)
	s.typeText("/SubResource\r")
	s.wantShown(`[0]  → #0 "axe ; no comment"`)
	s.enter(":", "goto $.resources[2].properties.hp")
	s.press("e")
	s.typeText("600")
	s.wantShown("hp = 600") // also in the source
	s.press("enter")
	s.wantShown("hp  120.0 → 600.0")
}

// A resource that is followed or unfolded shows what is in it.
func TestUnfoldResource(t *testing.T) {
	s := openText(t, "a.tres", resource, 120, 36)
	s.typeText("/SubResource\r")
	s.press("enter")
	s.wantSelected("▾ [0]")
	s.wantShown(`name  "axe ; no comment"`)
	s.press("h", "l")
	s.wantShown(`name  "axe ; no comment"`)
}

// A copy of a resource gets an id of its own, so that nothing refers to it.
func TestDuplicateResource(t *testing.T) {
	s := openText(t, "a.tres", resource, 120, 36)
	s.enter(":", "goto $.resources[0]")
	s.press("D")
	s.wantShown(`[sub_resource type="Resource" id="Resource_`)
	s.press("d", "d")
	s.wantBytes([]byte(resource))
}

// A colour is edited with sliders. Parts that were not moved keep their digits.
func TestSliders(t *testing.T) {
	s := openText(t, "a.tres", resource, 120, 36)
	s.enter(":", "goto $.resources[2].properties.tint")
	s.wantShown("o draw")
	s.press("o")
	s.wantShown("red        255")
	s.wantShown("hue        30")
	s.press("j", "H", "j", "l", "enter")
	s.wantShown("tint = Color(1, 0.4608, 0.0039, 1)")
	s.wantShown("#ff8000 →    #ff7601 (1, 0")
	s.press("o", "j", "j", "j", "j", "L", "esc")
	s.wantShown("tint = Color(1, 0.4608, 0.0039, 1)")
	s.enter(":", "set Color(0.24705882, 0.654902, 0.8392157, 1)")
	s.press("o", "l", "j", "l", "h", "enter")
	s.wantShown("tint = Color(0.251, 0.654902, 0.8392157, 1)")
	s.press("o", "j", "j", "j", "j", "j", "j", "H", "L", "enter")
	s.wantShown("tint = Color(0.251, 0.654902, 0.8392157, 1)")
	s.enter(":", "set Color(2.55, 2, 0, 1)")
	s.press("o", "l", "h", "h", "j", "j", "l", "enter") // brighter than a screen shows
	s.wantShown("tint = Color(2.5461, 2, 0.0039, 1)")
	s.press("o", "j", "j", "j", "j", "j", "j", "h", "enter")
	s.wantShown("tint = Color(2.5361, 1.9921, 0.0039, 1)")
	s.press("o", "L", "enter")
	s.wantShown("tint = Color(2.5753, 1.9921, 0.0039, 1)")
}

// What differs is not hidden by the table in which :diff was typed, and a filter keeps the row of a difference that
// was taken.
func TestDiffInTable(t *testing.T) {
	s := openText(t, "a.json", inventory, 120, 36)
	s.enter(":", "set $.slots[0].qty=15")
	s.enter(":", "goto $.slots")
	s.press("t")
	s.enter(":", "diff saved")
	s.wantShown("1 change")
	s.wantSelected("• qty  15 ")
	s.press("z", "d", "d", "o")
	s.wantSelected("qty  5")
}

// Lists and the editor of a container are below the panes of a high window.
func TestLow(t *testing.T) {
	s := openText(t, "a.json", inventory, 100, 40)
	s.typeText("/slot\r")
	s.press("ctrl+g")
	s.wantShown("─ text")
	s.wantShown("4 hits for slot")
	s.press("esc")
	s.enter(":", "goto $.slots[0]")
	s.press("e")
	s.wantShown("─ text")
	s.wantShown(`"id": "sword"`)
	s.press("esc")
	s.wantShown("t table  a add")
}

// An inspector that has no room for all its rows says so.
func TestInspectorMore(t *testing.T) {
	s := openScreen(t, save(t, array(integer(7), str("ab"))), 100, 20, termenv.Ascii)
	s.press("I")
	s.wantShown("more rows")
	s.press("shift+tab", "G")
	s.wantNotShown("more row")
}

// d deletes rows that are selected at once, and is not said to take differences where no file is compared.
func TestDeleteSelected(t *testing.T) {
	s := openText(t, "a.json", inventory, 100, 30)
	s.enter(":", "goto $.slots[0]")
	s.press("d")
	s.wantNotShown("o take")
	s.press("d")
	s.wantShown("slots  3 ×")
	s.press("V", "j", "d")
	s.wantShown("slots  1 ×")
	if got, want := s.literalOf("$.slots"), `[{"slot": 300, "qty": -12, "id": "cup"}]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	s.press("u", "V", "j", "D")
	s.wantShown("slots  5 ×")
	s.press("u", "u")
	s.wantShown("slots  4 ×")
}

// With a filter only values that it shows are selected.
func TestSelectFiltered(t *testing.T) {
	s := openText(t, "a.json", `{"a": [{"q": 1}, {"q": 9}, {"q": 2}, {"q": 8}, {"q": 3}]}`, 100, 30)
	s.enter("&", "q <5")
	s.enter(":", "goto $.a[0]")
	s.press("V", "j")
	s.wantShown("e set 2 values")
	s.press("J")
	s.wantShown("the filter hides values between")
	s.press("d")
	if got, want := s.literalOf("$.a"), `[{"q": 9}, {"q": 8}, {"q": 3}]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	s.press("u")
	s.enter(":", "goto $.a[0].q")
	s.press("V", "j", "k")
	s.wantSelected("q  1")
	s.enter(":", "goto $.a[1].q")
	s.press("e")
	s.wantShown("the cursor has left it")
}

// Numbers among texts in a column of a table stand where these do, and a text takes the columns that are left.
func TestMixedColumn(t *testing.T) {
	s := openText(t, "a.json", `{"a": 5, "b": "`+strings.Repeat("x", 60)+`", "c": null}`, 100, 20)
	s.press("t")
	s.wantShown("│[5  ")
	s.wantShown(strings.Repeat("x", 60))
}

// The text of a line shows what is typed without the end of the line.
func TestTypedLine(t *testing.T) {
	s := openText(t, "a.ini", "[a]\r\nx=\"1\"\r\n", 100, 20)
	s.enter(":", "goto $.a.x")
	s.press("e")
	s.typeText("7")
	s.wantShown(`x="7"`)
	s.wantNotShown(`\r\n`)
}

// A new type into which not all of a value fits is asked for.
func TestLosingType(t *testing.T) {
	data := array(str("axe"), integer(3))
	s := openScreen(t, save(t, data), 100, 24, termenv.Ascii)
	s.press("j")
	s.enter(":", "type int")
	s.wantShown(`"axe" would become 0: not all of what is in $[0] fits`)
	s.wantBytes(data)
	s.press("y")
	s.wantBytes(array(integer(0), integer(3)))
	s.press("j")
	s.enter(":", "type float")
	s.enter(":", "type String")
	s.wantBytes(array(integer(0), str("3.0")))
}

// In the text of a file enter begins a line, as the file ends its own, and a problem that typing causes is the one that
// is named.
func TestTypedText(t *testing.T) {
	s := openText(t, "a.json", "{\r\n\"a\": 33,\r\n\"b\": 5.0\r\n}\r\n", 100, 20)
	s.enter(":", "goto $.a")
	s.press("tab", "l", "l", "l", "i", "x")
	s.wantShown("a new problem: ")
	s.wantShown("3x3")
	s.press("backspace", "enter")
	s.wantBytes([]byte("{\r\n\"a\": 3\r\n3,\r\n\"b\": 5.0\r\n}\r\n"))
}

// A file that nobody may write is called so before anything is done.
func TestProtected(t *testing.T) {
	s := openText(t, "a.json", inventory, 100, 20)
	if err := os.Chmod(s.m.desk.Doc.Path(), 0o444); err != nil {
		t.Fatal(err)
	}
	s.run(s.m.file.Look())
	s.wantShown("read-only file")
}

// What follows a value that was deleted is not marked as changed.
func TestAfterDeleted(t *testing.T) {
	s := openScreen(t, save(t, dictionary(str("a"), integer(1), str("b"), integer(2), str("c"), integer(3))), 100, 20, termenv.Ascii)
	s.enter(":", "goto $.b")
	s.press("d", "d")
	s.wantNotShown("• c")
	s.press("e")
	s.typeText("100-(4*24)\r")
	s.wantShown("• c  3 → 4")
	s = openScreen(t, save(t, words(9, 0x3f800000, 0x40000000, 0x40400000)), 60, 20, termenv.Ascii)
	s.enter(":", "set (1, 2, 5)")
	s.wantShown("(1, 2, 3) → (1, 2, 5)")
}

// The table of a value in a record is that of the list, and a filter holds after its rows are deleted.
func TestTableOfRecord(t *testing.T) {
	s := openText(t, "a.json", `{"a": [{"k": 1, "q": 1}, {"k": 2, "q": 9}, {"k": 3, "q": 2}, {"k": 4, "q": 8}]}`, 100, 20)
	s.enter(":", "goto $.a[1].q")
	s.press("t")
	s.wantShown("[9]")
	s.press("f")
	s.wantShown("fill q of 2 rows below with 9?")
	s.press("esc", "g")
	s.enter("&", "q>5")
	s.wantShown("2 of 4 rows")
	s.press("d", "d")
	s.wantShown("1 of 3 rows")
	s.wantShown("[8]")
}

// When another program has saved the file, the edits are made in what it saved, unless both have changed the same.
func TestTakeBoth(t *testing.T) {
	for _, c := range []struct{ name, theirs, want, said string }{
		{"apart", `{"gold": 1520, "sort": "x"}`, `{"gold": 7, "sort": "x"}`, "ctrl+s saves both"},
		{"same", `{"gold": 9, "sort": "y"}`, `{"gold": 7, "sort": "y"}`, "both have changed the same"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := openText(t, "a.json", `{"gold": 1520, "sort": "y"}`, 80, 24)
			s.enter(":", "set $.gold=7")
			replaceFile(t, s.path, []byte(c.theirs))
			s.look()
			s.press("ctrl+s")
			s.wantShown("b both")
			s.press("b")
			s.wantShown(c.said)
			s.wantBytes([]byte(c.want))
			if c.name == "apart" {
				s.press("ctrl+s")
				s.wantFile("a.json", []byte(c.want))
			} else {
				s.wantShown("m keep mine")
				s.press("t")
				s.wantBytes([]byte(c.theirs))
			}
		})
	}
}

// Bytes that were typed are not put where the other program has something else.
func TestTakeBothBytes(t *testing.T) {
	s := openText(t, "a.json", `{"gold": 5, "sort": "y"}`, 160, 24)
	s.press("x", "tab", "g")
	s.typeText("9lr7")
	s.press("esc")
	replaceFile(t, s.path, []byte(`{"x": 1, "gold": 5, "sort": "y"}`))
	s.look()
	s.press("ctrl+s", "b")
	s.wantShown("both have changed the same bytes, or the other program has moved them: the bytes at 0x9 are")
}

// What looks like a checksum and cannot be computed is named when the file is saved.
func TestLeftChecksum(t *testing.T) {
	s := openText(t, "a.sav", `{"name": "Mira", "gold": 1520, "items": ["axe", "bow", "cup"]}`+"\n0123456789abcdef0123456789abcdee\n", 80, 24)
	s.enter(":", "set $.gold=7")
	s.press("ctrl+s")
	s.wantShown("what looks like its MD5")
}

// In a sorted and filtered table the cursor is on the row below one that was deleted, and undoing keeps the order.
func TestDeleteInSortedTable(t *testing.T) {
	s := openText(t, "a.json", `{"l": [{"k": 5}, {"k": 1}, {"k": 4}, {"k": 2}, {"k": 3}]}`, 80, 24)
	s.enter(":", "goto $.l")
	s.press("t", "s", "s")
	s.enter("&", "k>1")
	s.press("j", "d", "d")
	s.wantBytes([]byte(`{"l": [{"k": 5}, {"k": 1}, {"k": 2}, {"k": 3}]}`))
	s.wantShown("k ▼")
	s.press("d", "d")
	s.wantBytes([]byte(`{"l": [{"k": 5}, {"k": 1}, {"k": 2}]}`))
	s.press("u")
	s.wantShown("k ▼")
	s.wantShown("3 of 4 rows")
	s.press("g", "V", "j", "d")
	s.wantBytes([]byte(`{"l": [{"k": 1}, {"k": 2}]}`))
	s.wantShown("delete 2 values")
}

// A number before + is added as it was typed.
func TestLongCount(t *testing.T) {
	s := openText(t, "a.json", `{"gold": 1520}`, 80, 24)
	s.typeText("j20000+")
	s.wantBytes([]byte(`{"gold": 21520}`))
	s.typeText("99999999999999999+")
	s.wantShown("too large")
}

// What is deleted, discarded, imported or put back.
func TestSmallFaults(t *testing.T) {
	t.Run("the last section", func(t *testing.T) {
		s := openText(t, "c.cfg", "[a]\nx=Vector2( 1, 2 )\n", 80, 24)
		s.press("z", "m", "l", "j", "d", "d")
		s.wantBytes([]byte("\n"))
	})
	t.Run("restore", func(t *testing.T) {
		s := openText(t, "a.json", `{"gold": 1520}`, 80, 24)
		s.enter(":", "restore")
		s.wantShown("there is no a.json~")
		s.enter(":", "set $.gold=7")
		s.press("ctrl+s")
		s.enter(":", "restore")
		s.wantShown("u undoes it, ctrl+s saves it")
		s.wantBytes([]byte(`{"gold": 1520}`))
	})
	t.Run("the row of a value", func(t *testing.T) {
		s := openText(t, "a.json", `{"gold": 1520, "hp": 3}`, 80, 24)
		s.press("j", "j", "t")
		s.wantShown("[    3]")
	})
	t.Run("import into a table", func(t *testing.T) {
		s := openText(t, "a.json", `{"l": [{"k": 5}, {"k": 1}]}`, 80, 24)
		if err := os.WriteFile(s.path+".csv", []byte("index,k\n0,6\n1,2\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		s.enter(":", "goto $.l")
		s.press("t")
		s.enter(":", "import-csv "+s.path+".csv")
		s.wantBytes([]byte(`{"l": [{"k": 6}, {"k": 2}]}`))
	})
	t.Run("a key in all records", func(t *testing.T) {
		for answer, want := range map[string]string{"y": `{"l": [{"n": 5}, {"j": 2}, {"n": 1}]}`, "n": `{"l": [{"n": 5}, {"j": 2}, {"k": 1}]}`} {
			s := openText(t, "a.json", `{"l": [{"k": 5}, {"j": 2}, {"k": 1}]}`, 80, 24)
			s.enter(":", "goto $.l[0].k")
			s.press("r")
			s.typeText("n")
			s.press("enter")
			s.wantShown("rename it in all 2 records?")
			s.press(answer)
			s.wantBytes([]byte(want))
		}
		s := openText(t, "a.json", `{"k": {"l": 3}}`, 80, 24)
		s.enter(":", "goto $.k.l")
		s.press("r")
		s.typeText("n")
		s.press("enter")
		s.wantBytes([]byte(`{"k": {"n": 3}}`))
	})
	t.Run("the filter of the tree in a table", func(t *testing.T) {
		for filter, want := range map[string]string{"k>2": "1 of 3 rows", "ax": "1 of 3 rows", "type:number": "these are all rows"} {
			s := openText(t, "a.json", `{"l": [{"k": 5, "n": "ax"}, {"k": 1, "n": "bow"}, {"k": 2, "n": "cup"}]}`, 80, 24)
			s.enter("&", filter)
			s.enter(":", "goto $.l")
			s.press("t")
			s.wantShown(want)
		}
	})
	t.Run("columns beside another file", func(t *testing.T) {
		s := openText(t, "a.json", `{"l": [{"k": 5, "n": "ax"}, {"k": 1, "n": "bow"}]}`, 120, 40)
		other := s.path + ".other"
		if err := os.WriteFile(other, []byte(`{"l": [{"k": 7, "n": "ax"}, {"k": 1, "n": "bow"}]}`), 0o600); err != nil {
			t.Fatal(err)
		}
		s.enter(":", "diff "+other)
		s.press("h", "h")
		s.wantShown(`5  "ax"                                     │ k 7`)
		s.send(tea.WindowSizeMsg{Width: 60, Height: 40})
		s.wantShown(`5  "ax"                   │ k 7`)
	})
	t.Run("a new value at the end of its list", func(t *testing.T) {
		s := openText(t, "a.json", `{"l": [5, 1], "n": "ax"}`, 80, 24)
		s.enter(":", "goto $.l")
		s.press("A")
		s.typeText("77")
		lines := strings.Split(s.frame(), "\n")
		at := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, "77") })
		if at < 1 || !strings.Contains(lines[at-1], "[1]  1") {
			t.Errorf("the new value is below %q", lines[max(0, at-1)])
		}
	})
	t.Run("saves of unknown bytes", func(t *testing.T) {
		s := openText(t, "a.dat", "RPGS\x03\x00d\x0e\x00\x00\x33\x00\x04\x00Mira\x02\x00\x05\x00sword\x01\x81\x82\x83\x84", 80, 24)
		s.enter("&", "was:100 95")
		s.wantShown(":guess gold=120")
		s = openText(t, "b.dat", "RPGS\x03\x00\xe8\x03\x00\x00\x33\x00\x04\x00Mira\x02\x00\x05\x00sword\xe8\x03\x00\x00\x81\x82\x83\x84", 80, 24)
		s.enter("&", "1000")
		s.wantShown("all bytes stay, n goes on; :guess NAME=1000 lists the places")
		s.wantNotShown("only 1000")
		s.wantOffset(6)
		replaceFile(t, s.path, []byte("RPGS\x03\x00\xe7\x03\x00\x00\x33\x00\x04\x00Mira\x02\x00\x05\x00sword\xe8\x03\x00\x00\x81\x82\x83\x84"))
		s.press("R")
		s.wantOffset(27)
	})
	t.Run("the cursor on what was taken", func(t *testing.T) {
		s := openText(t, "a.json", `{"l": [{"k": 5}, {"k": 1}, {"k": 3}], "gold": 1520}`, 80, 24)
		other := s.path + ".other"
		if err := os.WriteFile(other, []byte(`{"l": [{"k": 5}, {"k": 9}, {"k": 1}, {"k": 3}], "gold": 1521}`), 0o600); err != nil {
			t.Fatal(err)
		}
		s.enter(":", "diff "+other)
		s.wantSelected("- [1]")
		s.press("d", "o")
		s.wantSelected("▸ [1]   9")
		s.wantBytes([]byte(`{"l": [{"k": 5}, {"k": 9}, {"k": 1}, {"k": 3}], "gold": 1520}`))
		s.press("c")
		s.wantSelected("• gold  1520")
	})
	t.Run("bytes that are no values", func(t *testing.T) {
		const unknown = "RPGS\x03\x00%s\x0e\x00\x00\x33\x00\x04\x00Mira\x02\x00\x05\x00sword\x01\x00\x00\x00\x00\x00\x00\x3f\x05\x00bread\x0c\x00\x00\x00\x00\x00\x80\x3f\x81\x82\x83\x84"
		s := openText(t, "a.sav", fmt.Sprintf(unknown, "d"), 80, 24)
		other := s.path + ".other"
		if err := os.WriteFile(other, []byte(fmt.Sprintf(unknown, "_")), 0o600); err != nil {
			t.Fatal(err)
		}
		s.enter(":", "diff "+other)
		s.wantShown("0x0006 ")
		s.press("enter")
		s.wantShown("selected 0x6–0x9")
	})
	t.Run("set where", func(t *testing.T) {
		s := openText(t, "a.json", `{"items": [{"id": "a b", "qty": 3}, {"id": "c", "qty": 30}, {"id": "d", "qty": 4}]}`, 80, 24)
		s.enter(":", "set --where key:qty <10 *2")
		s.wantShown("change 2 values?")
		s.press("y")
		s.enter(":", `set --where "a b" "x y"`)
		s.enter(":", "w")
		if saved, err := os.ReadFile(s.path); err != nil || string(saved) != `{"items": [{"id": "x y", "qty": 6}, {"id": "c", "qty": 30}, {"id": "d", "qty": 8}]}` {
			t.Errorf("%s, %v", saved, err)
		}
		s.enter(":", "set --where <<5 1")
		s.wantShown("--where: ")
	})
	t.Run("a text that spells a number", func(t *testing.T) {
		s := openText(t, "a.ini", "[s]\r\ngold=\"8.500000\"\r\n", 80, 24)
		s.enter(":", "goto $.s.gold")
		s.press("e")
		s.typeText("*2\r")
		s.wantBytes([]byte("[s]\r\ngold=\"17.000000\"\r\n"))
		s.typeText("3+")
		s.wantBytes([]byte("[s]\r\ngold=\"20.000000\"\r\n"))
	})
	t.Run("a word for a command", func(t *testing.T) {
		s := openText(t, "a.json", `{"gold": 1520}`, 80, 24)
		s.press("ctrl+p")
		s.typeText("compare")
		s.wantShown(":diff")
	})
}

// A text that is no save says how its lines are read.
func TestOtherText(t *testing.T) {
	s := openText(t, "readme.txt", "name=Mira\ngold=1520\nhello world\n", 80, 24)
	s.wantShown(":as lines        reads each line as a value")
	s.wantShown("    1  name=Mira")
	s.enter(":", "as lines")
	s.wantShown(`"gold=1520"`)
}

// A selected row that leaves the filter, because the file was saved again, stays until the cursor leaves it: no hidden value
// is edited.
func TestFilterLeavesSelected(t *testing.T) {
	s := openText(t, "a.json", `{"a": [{"q": 1}, {"q": 24}, {"q": 2}]}`, 100, 30)
	s.enter("&", "24")
	s.wantAt(0, "$.a[1].q")
	if err := os.WriteFile(s.m.desk.Doc.Path(), []byte(`{"a": [{"q": 1}, {"q": 25}, {"q": 2}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	s.press("R")
	s.wantAt(0, "$.a[1].q")
	if got := s.selected(); !strings.Contains(got, "25") {
		t.Errorf("selected is %q:\n%s", got, s.frame())
	}
	s.wantNotShown("q  1")
}

// The beginning of true or false stands for it, and a number with a comma is named as what it is.
func TestTypedShort(t *testing.T) {
	s := openText(t, "a.json", `{"won": false, "hp": 1.5}`, 100, 24)
	s.enter(":", "goto $.won")
	s.press("e", "t", "enter")
	s.wantBytes([]byte(`{"won": true, "hp": 1.5}`))
	s.press("e", "F", "enter")
	s.wantBytes([]byte(`{"won": false, "hp": 1.5}`))
	s = openText(t, "a.tres", resource, 100, 24)
	s.enter(":", "goto $.resources[2].properties.hp")
	s.press("e", "0", ",", "5")
	s.wantShown("✗ numbers are written with a point: tab makes it 0.5")
	s.press("tab", "enter")
	if got := s.literalOf("$.resources[2].properties.hp"); got != "0.5" {
		t.Errorf("hp is %s", got)
	}
}

// While values are selected, moving goes to those beside them, also past one that is unfolded.
func TestSelectUnfolded(t *testing.T) {
	s := openText(t, "a.json", `{"a": [1, 2], "b": [3], "c": 4}`, 100, 24)
	s.enter(":", "goto $.a")
	s.press("V", "j")
	s.wantSelected("▾ b")
	s.wantShown("e set 2 values")
	s.press("j", "k")
	s.wantShown("e set 2 values")
}

// The field of a new value stands where that will be: after all that is in the selected one.
func TestFieldOfNew(t *testing.T) {
	s := openText(t, "a.json", `{"l": {"a": 1, "b": 2}, "c": 3}`, 100, 24)
	s.enter(":", "goto $.l")
	s.press("a")
	lines := strings.Split(s.frame(), "\n")
	at := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, "│ + ") })
	if at < 0 || !strings.Contains(lines[at-1], "b  2") {
		t.Errorf("the field is in line %d of\n%s", at, s.frame())
	}
}

// In a text too the references to a resource are found, one after the other.
func TestNextLink(t *testing.T) {
	s := openText(t, "a.tres", strings.Replace(resource, `items = [`, `own = SubResource("Resource_1")`+"\nitems = [", 1), 120, 36)
	s.enter(":", "goto $.resources[0]")
	s.press("*")
	s.wantSelected("own  → #0")
	s.press("*")
	s.wantSelected("[0]  → #0")
	s.press("*")
	s.wantSelected("own  → #0")
	s.press("ctrl+o", "ctrl+o", "ctrl+o")
	s.wantSelected("▸ [0]  ")
	s.enter(":", "goto $.resources[1]")
	s.press("*")
	s.wantShown("nothing refers to this")
}

// What is copied can be chosen by keys that come together, and there is nothing to fill below the last row.
func TestKeysAhead(t *testing.T) {
	s := openText(t, "a.json", `{"l": [{"q": 1}, {"q": 2}]}`, 100, 24)
	s.enter(":", "goto $.l[1].q")
	s.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("Yl")})
	s.wantShown("copied the literal")
	s.press("t")
	s.press("f")
	s.wantShown("there is no row below to be filled")
}

// What is wrong in a text is underlined there.
func TestProblemUnderlined(t *testing.T) {
	for content, want := range map[string]bool{"[a]\nb=1\n": false, "[a]\nb=\"1\",2\n": true} {
		s := openText(t, "a.ini", content, 100, 24)
		s = openScreen(t, s.path, 100, 24, termenv.TrueColor)
		if got := strings.Contains(s.m.View(), paint.Underline); got != want {
			t.Errorf("%q: %v", content, got)
		}
	}
}

// A new key is typed where it will be: behind the others, if a key of the dictionary is selected.
func TestAddBeside(t *testing.T) {
	s := openText(t, "a.json", `{"player":{"name":"Aria","hp":83},"gold":5}`, 100, 24)
	s.enter(":", "goto $.player.name")
	s.press("A")
	s.typeText("mp")
	wantOrder := func(all ...string) {
		t.Helper()
		frame := s.frame()
		for _, want := range all {
			_, rest, ok := strings.Cut(frame, want)
			if !ok {
				t.Fatalf("%q is not shown, or not there:\n%s", want, s.frame())
			}
			frame = rest
		}
	}
	wantOrder("hp  83", "new key  mp", "gold  5")
	s.press("enter")
	s.typeText("7\r")
	wantOrder("hp  83", "mp  7", "gold  5")
}

// A vector takes no more parts, and says what else can be done.
func TestAddInVector(t *testing.T) {
	s := openText(t, "a.tres", resource, 120, 36)
	s.enter(":", "goto $.resources[2].properties.tint")
	s.press("A")
	s.wantShown("e edits it, a adds a value beside it")
}

// In a list of texts a text is typed without quotes; where a literal is expected, a key makes a text of what is typed.
func TestAddLine(t *testing.T) {
	s := openText(t, "tags.lines", "hello\n12\nworld\n", 100, 24)
	s.press("a")
	s.typeText("two words\r")
	s.wantBytes([]byte("hello\ntwo words\n12\nworld\n"))
	s.press("j", "a")
	s.typeText("three")
	s.wantShown("ctrl+t as text")
	s.press("ctrl+t", "enter")
	s.wantBytes([]byte("hello\ntwo words\n12\nthree\nworld\n"))
}

// What was sorted is marked, without a number of changes that does not tell how many rows have moved.
func TestSortedIsMarked(t *testing.T) {
	s := openText(t, "a.json", `{"items":[{"id":35},{"id":12},{"id":7},{"id":29},{"id":1}]}`, 100, 24)
	s.enter(":", "goto $.items")
	s.enter(":", "sort id")
	s.press("h")
	s.wantShown("▸•items  5 ×")
	s.press("u")
	s.enter(":", "set $.items[1].id=13")
	s.enter(":", "set $.items[3].id=4")
	s.enter(":", "goto $.items")
	s.press("h")
	s.wantShown("▸•items •2  5 ×")
}

// The last line leads into what a text holds, and to the sliders of a colour.
func TestTextsThatOpen(t *testing.T) {
	s := openText(t, "a.json", `{"tint":"#ff8800","inner":"{\"a\":1}","plain":"axe"}`, 100, 24)
	for name, hint := range map[string]string{"tint": "o draw", "inner": "o open"} {
		s.enter(":", "goto $."+name)
		s.press("left", "esc")
		s.enter(":", "goto $."+name)
		s.press("esc")
		s.wantShown(hint)
	}
	s.enter(":", "goto $.plain")
	s.press("esc")
	s.wantNotShown("o open")
}

// A value of which several bytes are hits is listed once.
func TestListedOnce(t *testing.T) {
	s := openText(t, "a.json", `{"flag_2_2":2,"axe":"axe axe axe"}`, 100, 24)
	s.enter(":", "find axe")
	s.wantShown("4 hits in 1 value for axe")
}

// q leaves the tutorial, whatever was done in it, and not the program.
func TestLeaveTutorial(t *testing.T) {
	s := openText(t, "a.json", `{"gold":5}`, 100, 30)
	s.enter(":", "tutor")
	if !strings.Contains(s.m.View(), "step 1 of 12") {
		t.Error("the tutorial does not begin")
	}
	s.m.tutor.Follow()
	s.press(":")
	s.typeText("set $.gold=7\r")
	s.press("q")
	s.wantShown("a.json")
	s.wantNotShown("step 1 of 12")
	if s.quit {
		t.Error("the program has ended")
	}
	s.press("q")
	if !s.quit {
		t.Error("q does not end the program any more")
	}
}

// With a record selected, its list is sorted, also where that is the lines of a file.
func TestSortFromRecord(t *testing.T) {
	s := openText(t, "a.jsonl", "{\"id\":3}\n{\"id\":1}\n", 100, 24)
	s.enter(":", "sort id")
	s.wantBytes([]byte("{\"id\":1}\n{\"id\":3}\n"))
	s = openText(t, "a.json", `{"name":"Mira","items":[{"id":3},{"id":1}]}`, 100, 24)
	s.enter(":", "sort items id") // from anywhere
	s.wantBytes([]byte(`{"name":"Mira","items":[{"id":1},{"id":3}]}`))
}

// The last lines show both values of a text that differs, from where they differ on.
func TestDifferingTexts(t *testing.T) {
	long := strings.Repeat("night and rain ", 12)
	s := openText(t, "a.json", `{"text":"`+long+`a violent gust"}`, 100, 24)
	other := filepath.Join(filepath.Dir(s.m.desk.Doc.Path()), "b.json")
	if err := os.WriteFile(other, []byte(`{"text":"`+long+`a gentle breeze"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	s.enter(":", "diff "+other)
	s.enter(":", "goto $.text")
	s.wantShown(`a violent gust"`)
	s.wantShown(`a gentle breeze"`)
}

// A key that was searched for is marked in its row, also where blanks are between it and its value.
func TestKeyIsMarked(t *testing.T) {
	s := openText(t, "a.json", `{"hp": 3, "gold" : 5}`, 100, 24)
	s.typeText("/gold\r")
	rows, _ := s.m.desk.Explorer.Rows(80)
	for _, r := range rows {
		if want := r.Label == "gold"; r.KeyHit != want || r.ValueHit {
			t.Errorf("%s: %v", r.Label, r.KeyHit)
		}
	}
}

// What was deleted can be pasted, and a value of a type that another file lacks is pasted as a list; one that cannot be pasted
// asks for nothing.
func TestPastePlainly(t *testing.T) {
	s := openText(t, "a.json", `{"a": 1, "b": 2, "c": 3}`, 80, 24)
	s.press("j", "d d", "j", "p")
	s.wantBytes([]byte(`{"b": 2, "c": 3, "a": 1}`))
	json := s.path
	s = openScreen(t, "testdata/saves/save-player-stats.bin", 80, 24, termenv.Ascii)
	s.enter(":", "goto $[0].position")
	s.press("y")
	s.enter(":", "e "+json)
	s.press("j", "p")
	s.wantShown("pasted as [128.25, 4, -63.5]")
	s.wantBytes([]byte(`{"a": 1, "position": [128.25, 4, -63.5], "b": 2, "c": 3}`))
}

// What is unfolded on the last row scrolls, so that some of its children are seen.
func TestUnfoldAtTheEnd(t *testing.T) {
	s := openText(t, "a.json", `{"list": [`+strings.Repeat(`{"deep": {"a": [1, 2, 3]}}, `, 30)+`{}]}`, 80, 24)
	s.enter(":", "goto $.list")
	s.press("l", "1", "1", "j", "z", "b", "l")
	s.wantShown("▸ deep")
	s.press("j", "z", "b", "l", "j", "z", "b", "l")
	s.wantShown("[0]  1")
	s.wantShown("[2]  3")
}

// What is added inside a resource is one of its properties, and the last line says that it can be.
func TestAddProperty(t *testing.T) {
	s := openText(t, "a.tres", resource, 120, 36)
	s.enter(":", "goto $.resources[0]")
	s.wantShown("A add")
	s.press("A")
	s.typeText("speed\r5\r")
	s.wantShown("done: insert into $.resources[0].properties")
	s.wantShown("speed = 5")
}

// TestPromptKeys: each key that edits a line does so wherever the cursor is.
func TestPromptKeys(t *testing.T) {
	s := openText(t, "a.json", "[3]", 100, 24)
	for _, line := range []string{"", "a", "a b", " ", "é  ", "set $[0]=5 "} {
		for _, k := range []string{"alt+d", "alt+f", "alt+b", "alt+backspace", "ctrl+w", "ctrl+k", "ctrl+u", "ctrl+d", "delete", "ctrl+e", "ctrl+a"} {
			for lefts := range len(line) + 1 {
				s.press(":")
				s.typeText(line)
				for range lefts {
					s.press("left")
				}
				s.press(k, "esc")
			}
		}
	}
	s.press(":")
	s.typeText("set 5")
	s.press("left", "alt+d")
	s.wantShown(":set ")
	s.wantNotShown("set 5")
}

// Conditions on several values of a record, which no single value meets, are shown how they are written.
func TestTwoConditions(t *testing.T) {
	s := openText(t, "a.json", `[{"count":99,"quality":"rare"},{"count":3,"quality":"rare"}]`, 120, 24)
	s.enter("/", `count>95 quality="rare"`)
	s.wantShown(`several values of one record: [count>95 && quality="rare"]`)
	s.enter("/", `[count>95 && quality="rare"]`)
	s.wantSelected("▸ [0]      99  \"rare\"")
}

// In the list of hits a record stands with its values.
func TestHitsAreRecords(t *testing.T) {
	s := openText(t, "a.json", `{"items":[{"id":"axe","n":3},{"id":"bow","n":97},{"id":"rope","n":98}]}`, 100, 36)
	s.enter("/", "[n>95]")
	s.press("ctrl+g")
	s.wantShown(`$.items[1]  object  {"id": "bow", "n": 97}`)
	s.wantShown(`$.items[2]  object  {"id": "rope", "n": 98}`)
}
