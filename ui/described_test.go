package ui

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/adler32"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"varview/ui/desk"
)

// A file is shown by its description as it is now: what is saved of that is read again, with the cursor at its byte. While
// it is wrong, the tree stays as it was, and what is wrong is below it.
func TestLiveDescription(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const first = "meta: {id: game, endian: le}\nseq:\n  - id: magic\n    contents: SAVE\n"
	write("game.ksy", first)
	s := openScreen(t, write("slot1.sav", "SAVE\x02\x00\x07\x00\x00\x00abcdefgh"), 100, 30, termenv.Ascii)
	s.look()
	s.wantShown("22 % described")
	s.enter(":", "goto 4")

	write("game.ksy", first+"  - id: version\n    type: u2\n")
	s.look()
	s.wantShown("game.ksy was read again")
	s.wantShown("version  2")
	s.wantShown("33 % described")
	s.wantOffset(4)

	write("game.ksy", first+"  - id: version\n    type: u2\n  - id: level\n    tpye: u4\n")
	s.look()
	s.wantShown("game.ksy:8:5")
	s.wantShown(`an attribute has no "tpye"; did you mean type?`)
	s.wantShown("    tpye: u4")
	s.wantShown("version  2")
	s.wantOffset(4)

	write("game.ksy", first+"  - id: version\n    type: u2\n  - id: level\n    type: u4\n")
	s.look()
	s.wantShown("level  7")
	if strings.Contains(s.frame(), "tpye") {
		t.Error("what was wrong is still shown")
	}

	s.enter(":", "ksy none")
	s.wantShown("read without a description")
	s.enter(":", "ksy "+filepath.Join(dir, "missing.ksy"))
	s.wantShown("missing.ksy: no such file")
	s.enter(":", "ksy "+filepath.Join(dir, "game.ksy"))
	s.wantShown("level  7")
	s.enter(":", "ksy")
	s.wantShown("read by ")
}

// A description that has a mistake when the file is opened is followed too, until it can be used.
func TestMistakenDescription(t *testing.T) {
	dir := t.TempDir()
	s := openDescribed(t, dir, 100, map[string]string{"slot1.sav": "SAVE\x02\x00abcd", "slot1.ksy": "meta: {id: slot1, endian: le}\nseq:\n  - id: magic\n    contents: SAVE\n  - id: level\n    type: u2x\n"})
	s.wantShown("├─ slot1.ksy:6:11 ─")
	s.wantShown(`unknown type "u2x"; did you mean u2?`)
	s.wantShown("    type: u2x")
	for _, text := range []string{"    type: u3y\n", "    type: u2\n"} {
		if err := os.WriteFile(filepath.Join(dir, "slot1.ksy"), []byte("meta: {id: slot1, endian: le}\nseq:\n  - id: magic\n    contents: SAVE\n  - id: level\n"+text), 0o600); err != nil {
			t.Fatal(err)
		}
		s.look()
		if text != "    type: u2\n" {
			s.wantShown("    type: u3y")
		}
	}
	s.wantShown("level  2")
	if frame := s.frame(); strings.Contains(frame, "u3y") || strings.Contains(frame, "e edit") { // the whole cannot be set
		t.Errorf("the mistake is still shown, or what is refused:\n%s", frame)
	}
	s.press("j") // nor what is always the same
	if strings.Contains(s.frame(), "e edit") {
		t.Error("fixed content is to be edited")
	}
	s.press("j")
	s.wantShown("e edit")
}

// openDescribed writes files into a folder, among them a description, and opens slot1.sav in 30 rows.
func openDescribed(t *testing.T, dir string, width int, files map[string]string) *screen {
	t.Helper()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := openScreen(t, filepath.Join(dir, "slot1.sav"), width, 30, termenv.Ascii)
	s.look()
	return s
}

// deflated returns a zlib stream.
func deflated(text string) string {
	var packed bytes.Buffer
	w := zlib.NewWriter(&packed)
	w.Write([]byte(text))
	w.Close()
	return packed.String()
}

// The cursor stays on a value that is packed in the file, and what was unfolded stays so, when the packed bytes are written
// anew.
func TestEditPacked(t *testing.T) {
	dir := t.TempDir()
	packed := deflated(strings.Repeat("\x07", 9) + "\x2a\x01")
	ksy := "meta: {id: game, endian: le}\nseq:\n  - {id: magic, contents: GAME}\n  - {id: len_body, type: u1}\n  - {id: body, type: body, size: len_body, process: zlib}\n" +
		"types:\n  body:\n    seq:\n      - {id: items, type: u1, repeat: expr, repeat-expr: 9}\n      - {id: gold, type: u1}\n      - {id: hp, type: u1}\n"
	s := openDescribed(t, dir, 80, map[string]string{"game.ksy": ksy, "slot1.sav": "GAME" + string(rune(len(packed))) + packed})
	s.enter(":", "goto $.body.items")
	s.press("l")
	s.enter(":", "goto $.body.gold")
	s.wantShown("unpacked from 0x5–")
	s.typeText("e200")
	s.wantNotShown("(+")
	s.press("enter")
	s.wantSelected("• gold  42 → 200")
	s.wantShown("[8]  7")
	s.press("u")
	s.wantSelected("gold  42")
	s.wantShown("[8]  7")
	if err := os.WriteFile(filepath.Join(dir, "game.ksy"), []byte(strings.Replace(ksy, "{id: hp, type: u1}", "{id: mana, type: u1}", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	s.look()
	s.wantShown("game.ksy was read again")
	s.wantShown("mana  1")
	s.wantSelected("gold  42")
	s.wantShown("[8]  7")
}

// A row that is inserted into a list that is packed in the file is marked, and so is the list.
func TestInsertPacked(t *testing.T) {
	dir := t.TempDir()
	packed := deflated("\x02\x07\x01\x08\x02")
	ksy := "meta: {id: game, endian: le}\nseq:\n  - {id: magic, contents: GAME}\n  - {id: len_body, type: u1}\n  - {id: body, type: body, size: len_body, process: zlib}\n" +
		"types:\n  body:\n    seq:\n      - {id: n, type: u1}\n      - {id: items, type: item, repeat: expr, repeat-expr: n}\n" +
		"  item:\n    seq:\n      - {id: kind, type: u1}\n      - {id: qty, type: u1}\n"
	s := openDescribed(t, dir, 80, map[string]string{"game.ksy": ksy, "slot1.sav": "GAME" + string(rune(len(packed))) + packed})
	s.enter(":", "goto $.body.items")
	s.press("A", "ctrl+s")
	s.wantSelected("▾•items")
	s.wantShown("▸•[2]")
	s.wantShown("▸ [1]")
}

// A format is found out byte by byte: what is selected and named is a field of the description, which begins with the first.
func TestDescribe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "slot1.dat")
	if err := os.WriteFile(path, []byte("MYGM\x02\x00\x9d\x1f\x83\xe7rusty blade\x00\xb1\xf3"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := openScreen(t, path, 100, 30, termenv.Ascii)
	s.look()
	describe := func(from, to, what string) {
		t.Helper()
		s.enter(":", "goto "+from)
		s.m.desk.Selection.Active, s.m.desk.Selection.Anchor = true, s.m.desk.Explorer.Offset()
		s.enter(":", "goto "+to)
		s.enter(":", "describe "+what)
	}
	s.enter(":", "describe all")
	s.wantShown("no bytes are selected")
	describe("0", "3", "magic str")
	s.wantShown(`magic  "MYGM"`)
	s.press("u")
	s.wantNotShown(`magic  "MYGM"`)
	s.press("u")
	s.wantShown("nothing to undo")
	describe("0", "3", "magic str")
	s.wantShown(`magic  "MYGM"`)
	describe("4", "5", "version")
	s.wantShown("version  2")
	s.press("u")
	s.wantShown("version is described no more")
	if text, err := os.ReadFile(strings.TrimSuffix(path, ".dat") + ".ksy"); strings.Contains(string(text), "version") || err != nil {
		t.Errorf("%s\n%v", text, err)
	}
	s.press("R")
	s.wantNotShown("version  2")
	describe("4", "5", "version")
	s.wantShown("version  2")
	describe("10", "21", "name strz")
	s.wantShown(`"rusty blade"`)
	describe("6", "9", "seed u4")
	s.wantShown("3884130205")
	s.enter(":", "goto 22")
	s.enter(":", "describe last u1")
	s.wantShown("last  177")
	s.enter(":", "goto 23")
	s.press("I")
	s.m.desk.SetFocus(desk.OnInspector)
	s.enter(":", "describe byte")
	s.wantShown("path       $.byte")
	s.press("I")
	describe("4", "7", "wrong u4")
	s.wantShown("describes these bytes already")
	describe("10", "10", "seed")
	s.wantShown("seed is there already")
	text, err := os.ReadFile(strings.TrimSuffix(path, ".dat") + ".ksy")
	const want = `meta:
  id: format_slot1
  endian: le
  encoding: UTF-8
instances:
  byte:
    pos: 23
    type: u1
  last:
    pos: 22
    type: u1
  name:
    pos: 10
    type: strz
seq:
  - id: magic
    type: str
    size: 4
  - id: version
    type: u2
  - id: seed
    type: u4
`
	if string(text) != want || err != nil {
		t.Errorf("%s\n%v", text, err)
	}

	// Unknown bytes are divided around what is named in them.
	unknown := filepath.Join(filepath.Dir(path), "unknown.ksy")
	if err := os.WriteFile(unknown, []byte("meta: {id: unknown, endian: be}\nseq:\n  - id: head\n    size: 4\n  # all that follows\n  - id: unknown\n    size-eos: true # to the end\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.enter(":", "ksy "+unknown)
	describe("6", "9", "seed u4le")
	s.wantShown("3884130205")
	s.wantShown("33 % described") // unknown fields are not
	text, err = os.ReadFile(unknown)
	const divided = "meta: {id: unknown, endian: be}\nseq:\n  - id: head\n    size: 4\n  # all that follows\n  - id: unknown\n    size: 2\n  - id: seed\n    type: u4le\n  - id: unknown_2\n    size-eos: true\n"
	if string(text) != divided || err != nil {
		t.Errorf("%s\n%v", text, err)
	}
	describe("12", "15", "name")
	s.wantShown(`name  "sty "`) // letters are no number
	text, err = os.ReadFile(unknown)
	if !strings.Contains(string(text), "  - id: unknown_2\n    size: 2\n  - id: name\n    type: str\n    size: 4\n    encoding: UTF-8\n  - id: unknown_3\n    size-eos: true\n") || err != nil {
		t.Errorf("%s\n%v", text, err)
	}
}

// What a process unpacks is described in a document of its own, whose bytes can be selected.
func TestDescribeUnpacked(t *testing.T) {
	dir := t.TempDir()
	packed := deflated("\x00\x00\x5a\x3a\x42\xb4rest")
	ksy := filepath.Join(dir, "game.ksy")
	s := openDescribed(t, dir, 120, map[string]string{
		"game.ksy":  "meta: {id: game, endian: be}\nseq:\n  - id: magic\n    contents: SAVE\n  - id: body\n    type: body\n    size-eos: true\n    process: zlib\ntypes:\n  body:\n    seq:\n      - id: unknown\n        size-eos: true\n",
		"slot1.sav": "SAVE" + packed,
	})
	s.wantShown("15 % described")
	s.enter(":", "goto $.body.unknown")
	s.press(">")
	s.wantShown("read-only: the bytes of")
	s.wantShown("$.unknown ")
	s.enter(":", "goto 0")
	s.enter(":", "describe gold u4")
	s.wantShown("gold  23098")
	s.enter(":", "goto 4")
	s.enter(":", "describe luck u2")
	s.wantShown("luck  17076")
	s.press("q")
	s.look()
	s.wantShown("gold  23098")
	text, err := os.ReadFile(ksy)
	if err != nil || !strings.HasSuffix(string(text), "      - id: gold\n        type: u4\n      - id: luck\n        type: u2\n      - id: unknown\n        size-eos: true\n") {
		t.Errorf("%s, %v", text, err)
	}
}

// A place that :guess has found is described with the type that the value has there, in a description that keeps the checksum, which
// an edit of bytes alone leaves as it was, and says so.
func TestDescribeGuessed(t *testing.T) {
	body := []byte("\x01\x00\x03\x00\x1c\xcc\x07Mira\x09\x02\x05\x05\x08\xf1\x07")
	path := filepath.Join(t.TempDir(), "slot.sav")
	file := append(binary.BigEndian.AppendUint32([]byte("XNBX\x00\x06"), adler32.Checksum(body)), body...)
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	s := openScreen(t, path, 120, 30, termenv.Ascii)
	s.look()
	s.enter(":", "guess gold=7372")
	s.press("enter", "esc", "r", "0", "1", "esc", "ctrl+s")
	s.wantShown("adler32 of 0xa–0x1b")
	s.wantShown("stayed as it was, and no")
	s.press("esc", "u", "ctrl+s")
	s.enter(":", "guess gold=7372")
	s.press("enter")
	s.enter(":", "describe gold")
	s.wantShown("gold  7372")
	s.enter(":", "set $.gold=513")
	s.press("ctrl+s")
	binary.BigEndian.PutUint16(body[4:], 513)
	want := append(binary.BigEndian.AppendUint32([]byte("XNBX\x00\x06"), adler32.Checksum(body)), body...)
	if is, err := os.ReadFile(path); err != nil || !bytes.Equal(is, want) {
		t.Errorf("% x\nwant % x, %v", is, want, err)
	}
}

// Describing what a stream holds begins the description of the file around it with what is noticed there and has to follow edits.
func TestDescribeStream(t *testing.T) {
	packed := deflated("\x00\x00\x00\x04Mira\x00\x00\x5a\x3a\x42\xb4\x00\x00and then some more text")
	sum := uint32(0)
	for _, c := range []byte(packed) {
		sum += uint32(c)
	}
	head := binary.BigEndian.AppendUint32([]byte("TMFC\x00\x01"), sum)
	path := filepath.Join(t.TempDir(), "slot.sav")
	if err := os.WriteFile(path, append(head, packed...), 0o600); err != nil {
		t.Fatal(err)
	}
	s := openScreen(t, path, 120, 30, termenv.Ascii)
	s.look()
	s.enter(":", "guess gold=23098")
	s.press("enter")
	s.wantShown("read-only: the bytes of")
	s.enter(":", "describe gold")
	s.wantShown("gold  23098")
	s.press("q")
	s.look()
	s.wantShown("gold  23098")
	text, err := os.ReadFile(strings.TrimSuffix(path, ".sav") + ".ksy")
	if err != nil || !strings.Contains(string(text), "process: zlib") || !strings.Contains(string(text), "gold:\n        pos: 8\n        type: u4be\n") {
		t.Errorf("%s, %v", text, err)
	}
}

// TestDescribeSummed: describing bytes that a checksum follows begins the description of the file with it; a number
// before a text is its size.
func TestDescribeSummed(t *testing.T) {
	data := []byte("LUM1\x03\x00\x04Mira\x00\x00\x04\xd8\x42\xaf\x00\x00\x00\x0bshort sword\x00\x0chealing herb\x05\x41\x28\x00\x00")
	path := filepath.Join(t.TempDir(), "slot.sav")
	if err := os.WriteFile(path, binary.BigEndian.AppendUint32(data, crc32.ChecksumIEEE(data)), 0o600); err != nil {
		t.Fatal(err)
	}
	s := openScreen(t, path, 120, 30, termenv.Ascii)
	s.look()
	s.wantShown("CRC-32 fits")
	s.enter(":", "describe name str")
	s.wantShown("no bytes are selected")
	s.press("tab")
	for _, line := range []string{"goto 0xb", "describe gold u4", "goto 5", "describe len_name u2", "goto 7"} {
		s.enter(":", line)
	}
	s.press("v", "l", "l", "l")
	s.enter(":", "describe name str")
	s.wantShown("gold  1240")
	text, err := os.ReadFile(strings.TrimSuffix(path, ".sav") + ".ksy")
	if err != nil || !strings.Contains(string(text), "-varview-value: crc32(protected)") || !strings.Contains(string(text), "  - id: name\n    type: str\n    size: len_name\n  - id: gold\n    type: u4\n") {
		t.Errorf("%s, %v", text, err)
	}
	if err != nil || !strings.Contains(string(text), "contents: [0x4c, 0x55, 0x4d, 0x31]") {
		t.Errorf("%s, %v", text, err)
	}
	s.enter(":", "set $.gold=7")
	s.wantShown("done: set $.gold, kept right: checksum; u undoes it")
	s.press("ctrl+s")
	s.wantShown("slot.sav~, kept right: checksum")
}

// A number that was equal to the number of items is asked about; the answer can be kept in the description.
func TestKeepEqual(t *testing.T) {
	dir := t.TempDir()
	s := openDescribed(t, dir, 120, map[string]string{
		"game.ksy":  "meta: {id: game, endian: le}\nseq:\n  - id: magic\n    contents: SAVE\n  - id: num_items\n    type: u1\n  - id: items\n    type: u1\n    repeat: eos\n",
		"slot1.sav": "SAVE\x03\x14\x15\x16",
	})
	s.enter(":", "goto $.items[0]")
	s.press("d", "d")
	s.wantShown("num_items (game.ksy:5) was 3, as was the number of items, which is now 2")
	s.press("r")
	s.wantShown("num_items  2")
	s.look()
	text, err := os.ReadFile(filepath.Join(dir, "game.ksy"))
	if err != nil || !strings.Contains(string(text), "num_items\n    -varview-value: items.size\n") {
		t.Errorf("%s, %v", text, err)
	}
	s.press("d", "d")
	s.wantShown("num_items  1")
}

// Each number is asked about by itself, and one that is left is not asked about again.
func TestKeepOneEqual(t *testing.T) {
	s := openDescribed(t, t.TempDir(), 120, map[string]string{
		"game.ksy":  "meta: {id: game, endian: le}\nseq:\n  - id: magic\n    contents: SAVE\n  - id: num_items\n    type: u1\n  - id: num_shown\n    type: u1\n  - id: items\n    type: u1\n    repeat: eos\n",
		"slot1.sav": "SAVE\x03\x03\x14\x15\x16",
	})
	s.enter(":", "goto $.items[0]")
	s.press("d", "d")
	s.wantShown("num_items (game.ksy:5) was 3")
	s.press("l")
	s.wantShown("num_shown (game.ksy:7) was 3")
	s.press("k")
	s.wantShown("num_items  3")
	s.wantShown("num_shown  2")
	s.press("d", "d")
	s.wantShown("num_shown (game.ksy:7) was 2")
	s.press("k")
	s.wantShown("num_items  3")
	s.wantShown("num_shown  1")
}
