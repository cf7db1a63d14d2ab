package gamemaker_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"varview/decoder/edit/simple/simpletest"
	"varview/decoder/engine/format"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/gamemaker"
)

// families are the families by their names.
var families = map[string]format.Family{"gamemaker-ds": gamemaker.DS, "snap": gamemaker.Snap, "snap4": gamemaker.OldSnap, "ini": gamemaker.Ini}

// open reads bytes as a family.
func open(t testing.TB, name string, b []byte) *tree.Tree {
	return simpletest.Open(t, families[name], b)
}

const (
	one  = "000000000000f03f" // 1.0
	two  = "0000000000000040"
	none = "0000000000000000"
)

// values are files byte by byte, written from the formats' descriptions.
var values = []struct{ family, hex, literal, json, fields string }{
	{"gamemaker-ds", "2f010000 00000000", "[]", `{"type":"ds_list","id":303,"value":[]}`, "magic id=ds_list 303; length count=0"},
	{"gamemaker-ds", "67000000 02000000 00000000" + one + "01000000 02000000 6162", `[1, "ab"]`, `{"type":"ds_stack","id":103,"value":[1.0,"ab"]}`,
		"magic id=ds_stack 103; length count=2; type type=real; value value=1; type type=string; length length=2; text text=ab"},
	{"gamemaker-ds", "cb000000 02000000 01000000 03000000 05000000 0d000000" + one + "0d000000" + none, "[null, true, false]",
		`{"type":"ds_queue","id":203,"last":2,"first":1,"value":[null,true,false]}`,
		"magic id=ds_queue 203; length last=2; length first=1; length slots=3; type type=undefined; type type=bool; value value=true; type type=bool; value value=false"},
	{"gamemaker-ds", "93010000 02000000 01000000 01000000 61 07000000 feffffff 00000000" + two + "0a000000 0000000001000000", `{"a": int32(-2), 2: int64(4294967296)}`,
		`{"type":"ds_map","id":403,"value":[["a",{"type":"int32","value":-2}],[2.0,{"type":"int64","value":4294967296}]]}`,
		"magic id=ds_map 403; length count=2; type type=string; length length=1; text text=a; type type=int32; value value=-2; type type=real; value value=2; type type=int64; value value=4294967296"},
	{"gamemaker-ds", "2f010000 02000000 02000000 01000000 02000000 00000000 03000000 0500000000000000", "[[[]], ptr(5)]",
		`{"type":"ds_list","id":303,"value":[[[]],{"type":"ptr","value":5}]}`,
		"magic id=ds_list 303; length count=2; type type=array; length count=1; type type=array; length count=0; type type=ptr; value value=5"},
	{"gamemaker-ds", "2e010000 01000000 02000000 02000000 01000000 00000000" + one + "00000000", "[[[1], []]]",
		`{"type":"ds_list","id":302,"value":[[[1.0],[]]]}`,
		"magic id=ds_list 302; length count=1; type type=array; length rows=2; length count=1; type type=real; value value=1; length count=0"},
	{"gamemaker-ds", "5b020000 02000000 01000000 00000000" + one + "05000000", "[[1], [null]]",
		`{"type":"ds_grid","id":603,"width":2,"height":1,"value":[[1.0],[null]]}`,
		"magic id=ds_grid 603; length width=2; length height=1; type type=real; value value=1; type type=undefined"},
	{"gamemaker-ds", "f7010000 02000000 00000000" + one + "00000000" + two + "01000000 00000000 05000000", `[[1, 2], ["", null]]`,
		`{"type":"ds_priority","id":503,"value":[[1.0,""],[2.0,null]]}`,
		"magic id=ds_priority 503; length count=2; type type=real; value value=1; type type=real; value value=2; type type=string; length length=0; type type=undefined"},
	{"gamemaker-ds", "f7010000 00000000", "[[], []]", `{"type":"ds_priority","id":503,"value":[]}`, "magic id=ds_priority 503; length count=0"},
	{"gamemaker-ds", "91010000 01000000 01000000" + none + "01000000 61 00000000" + one + "00000000", `[["a"], [1]]`,
		`{"type":"ds_map","id":401,"value":[["a",1.0]]}`,
		"magic id=ds_map 401; length count=1; type type=string; padding padding=0; length length=1; text text=a; type type=real; value value=1; padding padding=0"},
	{"gamemaker-ds", "2f010000 01000000 01000000 06000000 eda0bdedb880", `["😀"]`,
		`{"type":"ds_list","id":303,"value":[{"type":"string","hex":"eda0bdedb880","text":"😀"}]}`,
		"magic id=ds_list 303; length count=1; type type=string; length length=6; text text=😀"},
	{"snap", "01 0200000000000000 6100 02 0100000000000000 08ffffffff 6200 07 0000", `{"a": [int32(-1)], "b": null}`, `{"a":[{"type":"int32","value":-1}],"b":null}`,
		"type type=struct; length count=2; text text=a; terminator end=0; type type=array; length count=1; type type=int32; value value=-1; text text=b; terminator end=0; type type=undefined; padding unused=0000"},
	{"snap", "03 616200", `"ab"`, `"ab"`, "type type=string; text text=ab; terminator end=0"},
	{"snap", "01 0100000000000000 00 0b0500000000000000", `{"": ref(5)}`, `{"":{"type":"ref","value":5}}`,
		"type type=struct; length count=1; terminator end=0; type type=ref; value value=5"},
	{"snap4", "01 036100 02 05 06 0300 00 036200 04" + one + "00", `{"a": [false, true, ""], "b": 1}`, `{"a":[false,true,""],"b":1.0}`,
		"type type=struct; type type=string; text text=a; terminator end=0; type type=array; type type=false; type type=true; type type=string; terminator end=0; terminator end=0; " +
			"type type=string; text text=b; terminator end=0; type type=real; value value=1; terminator end=0"},
	{"snap4", "02 00", "[]", "[]", "type type=array; terminator end=0"},
}

// suite is what a family is tested with.
func suite(name string) *simpletest.Suite {
	s := simpletest.Suite{Family: families[name], OneForm: true, Random: random[name]}
	for _, c := range values {
		if c.family == name {
			x := simpletest.Sample{Hex: c.hex, Literal: c.literal, JSON: c.json, Fields: c.fields}
			if strings.Contains(c.fields, "unused") {
				x.Unused = 2
			}
			s.Samples = append(s.Samples, x)
		}
	}
	for _, c := range damaged {
		if c.family == name {
			s.Samples = append(s.Samples, simpletest.Sample{Hex: c.hex, Literal: c.literal, Problems: c.problems})
		}
	}
	for _, c := range edits() {
		if c.family == name {
			s.Edits = append(s.Edits, simpletest.Edit{c.before, c.op, c.path, c.value, c.after})
		}
	}
	return &s
}

// random makes files of the families.
var random = map[string]func(*rand.Rand) simpletest.Sample{
	"gamemaker-ds": randomStructure,
	"snap":         func(r *rand.Rand) simpletest.Sample { return randomSnap(r, true) },
	"snap4":        func(r *rand.Rand) simpletest.Sample { return randomSnap(r, false) },
}

func TestSuites(t *testing.T) {
	for name := range random {
		t.Run(name, suite(name).Run)
	}
}

func FuzzDS(f *testing.F)   { suite("gamemaker-ds").Fuzz(f) }
func FuzzSnap(f *testing.F) { suite("snap").Fuzz(f) }

// edits are the bytes that an edit leaves.
func edits() []struct{ family, before, op, path, value, after string } {
	queue := "cb000000 02000000 01000000 03000000 05000000 05000000 05000000"
	grid := "5b020000 02000000 02000000" + strings.Repeat("05000000", 4)
	zero := "00000000" + none
	return []struct{ family, before, op, path, value, after string }{
		{"gamemaker-ds", "2f010000 01000000 00000000" + one, "set", "$[0]", "2", "2f010000 01000000 00000000" + two},
		{"gamemaker-ds", "2f010000 01000000 07000000 01000000", "set", "$[0]", "2", "2f010000 01000000 07000000 02000000"},
		{"gamemaker-ds", "2f010000 01000000 07000000 01000000", "retype", "$[0]", "int64(2)", "2f010000 01000000 0a000000 0200000000000000"},
		{"gamemaker-ds", "2f010000 01000000 05000000", "retype", "$[0]", "[true]", "2f010000 01000000 02000000 01000000 0d000000" + one},
		{"gamemaker-ds", "2e010000 01000000 05000000", "retype", "$[0]", `[["ä"]]`, "2e010000 01000000 02000000 01000000 01000000 01000000 02000000 c3a4"},
		{"gamemaker-ds", "2f010000 01000000 01000000 06000000 eda0bdedb880", "set", "$[0]", `"x😁"`, "2f010000 01000000 01000000 07000000 78 eda0bdedb881"},
		{"gamemaker-ds", "2d010000 00000000", "insert", "$[0]", "2", "2d010000 01000000 00000000" + two + "00000000"},
		{"gamemaker-ds", "2d010000 00000000", "insert", "$[0]", `"a"`, "2d010000 01000000 01000000" + none + "01000000 61"},
		{"gamemaker-ds", "93010000 00000000", "insert", "$.a", "1", "93010000 01000000 01000000 01000000 61 00000000" + one},
		{"gamemaker-ds", queue, "insert", "$[0]", "null", "cb000000 03000000 02000000 04000000" + strings.Repeat("05000000", 4)},
		{"gamemaker-ds", queue, "insert", "$[1]", "null", "cb000000 03000000 01000000 04000000" + strings.Repeat("05000000", 4)},
		{"gamemaker-ds", queue, "insert", "$[2]", "null", "cb000000 03000000 01000000 04000000" + strings.Repeat("05000000", 4)},
		{"gamemaker-ds", queue, "insert", "$[3]", "null", "cb000000 02000000 01000000 04000000" + strings.Repeat("05000000", 4)},
		{"gamemaker-ds", queue, "delete", "$[0]", "", "cb000000 01000000 00000000 02000000" + strings.Repeat("05000000", 2)},
		{"gamemaker-ds", queue, "delete", "$[2]", "", "cb000000 02000000 01000000 02000000" + strings.Repeat("05000000", 2)},
		{"gamemaker-ds", grid, "insert", "$[0][2]", "1", "5b020000 02000000 03000000 05000000 05000000 00000000" + one + "05000000 05000000" + zero},
		{"gamemaker-ds", grid, "delete", "$[1][0]", "", "5b020000 02000000 01000000 05000000 05000000"},
		{"gamemaker-ds", grid, "insert", "$[1]", "[1, 2]", "5b020000 03000000 02000000 05000000 05000000 00000000" + one + "00000000" + two + "05000000 05000000"},
		{"gamemaker-ds", grid, "delete", "$[1]", "", "5b020000 01000000 02000000 05000000 05000000"},
		{"gamemaker-ds", grid, "set", "$[1]", "[1, null]", "5b020000 02000000 02000000 05000000 05000000 00000000" + one + "05000000"},
		{"gamemaker-ds", grid, "set", "$", "[[1], [null], [null]]", "5b020000 03000000 01000000 00000000" + one + "05000000 05000000"},
		{"gamemaker-ds", grid, "set", "$[1]", "[1]", "a column must be a list of 2 here, like all others"},
		{"gamemaker-ds", "f7010000 00000000", "insert", "$[1][0]", `""`, "f7010000 01000000" + zero + "01000000 00000000"},
		{"gamemaker-ds", "f7010000 01000000" + zero + "05000000", "insert", "$[0][1]", "1", "f7010000 02000000" + zero + "00000000" + one + "05000000" + zero},
		{"gamemaker-ds", "f7010000 01000000" + zero + "05000000", "delete", "$[1][0]", "", "f7010000 00000000"},
		{"gamemaker-ds", "f7010000 01000000" + zero + "05000000", "insert", "$[2]", "[1]", "ds_priority cannot have this number of columns"},
		{"snap", "01 0000000000000000 00000000", "insert", "$.a", "int32(1)", "01 0100000000000000 6100 08 01000000 00000000"},
		{"snap", "02 0100000000000000 03 6100", "set", "$[0]", `"bcd"`, "02 0100000000000000 03 62636400"},
		{"snap", "02 0100000000000000 03 6100", "set", "$[0]", `"b\u0000d"`, "SNAP 5 and later has no value for this"},
		{"snap", "01 0100000000000000 6100 07", "set", "$.a@key", `"bc"`, "01 0100000000000000 626300 07"},
		{"snap", "01 0100000000000000 6100 07", "retype", "$", "[[], {}, 1.5]", "02 0300000000000000 02 0000000000000000 01 0000000000000000 04 000000000000f83f"},
		{"snap4", "01 00", "insert", "$.a", "[true]", "01 036100 02 06 00 00"},
		{"snap4", "01 036100 07 036200 07 00", "delete", "$.b", "", "01 036100 07 00"},
		{"snap4", "02 07 00", "insert", "$[1]", "{}", "02 07 01 00 00"},
		{"snap4", "02 07 00", "retype", "$", `{"a": {"b": null}}`, "01 036100 01 036200 07 00 00"},
	}
}

// damaged are damaged files: what is there is read, and what is wrong is said.
var damaged = []struct {
	family, hex, literal string
	problems             []string
}{
	{"gamemaker-ds", "30010000 00000000", "<unknown-type>", []string{"error unknown-type 0+4 $: no structure has the id 304"}},
	{"gamemaker-ds", "2f010000 02000000 05000000", "[null]", []string{"error truncated 4+4 $: ds_list counts 2, the bytes end after 1"}},
	{"gamemaker-ds", "2f010000 ffffffff 05000000", "[null]", []string{"error length-overrun 4+4 $: ds_list counts 4,294,967,295, but 4 bytes are left"}},
	{"gamemaker-ds", "2f010000 01000000 00000000 0000", "[<truncated>]", []string{"error truncated 12+2 $[0]: real is cut: value needs 8 bytes, but 2 bytes are left"}},
	{"gamemaker-ds", "2f010000 01000000 01000000 05000000 6161", "[<length-overrun>]", []string{"error length-overrun 12+4 $[0]: string of 5 bytes, but 2 bytes are left"}},
	{"gamemaker-ds", "2f010000 01000000 63000000", "[<unknown-type>]", []string{"error unknown-type 8+4 $[0]: type 99 does not exist"}},
	{"gamemaker-ds", "2f010000 01000000 06000000", "[null]", []string{"warning engine-cannot-read 8+4 $[0]: GameMaker could not write this value, of its type 6"}},
	{"gamemaker-ds", "2f010000 01000000 00000080", "[null]", []string{"warning engine-cannot-read 8+4 $[0]: a marked list or map: GameMaker writes only its type"}},
	{"gamemaker-ds", "2f010000 01000000 0d000000" + two, "[true]", []string{"warning bool-value 12+8 $[0]: the bool is the number 2"}},
	{"gamemaker-ds", "2f010000 00000000 00", "[]", []string{"warning trailing-bytes 8+1 $: 1 byte left over after the last value"}},
	{"gamemaker-ds", "cb000000 04000000 00000000 01000000 05000000", "[null]", []string{"warning engine-cannot-read 12+4 $: the values of the queue are the slots 0 to 4 of 1"}},
	{"gamemaker-ds", "5b020000 02000000 02000000 05000000 05000000 05000000", "[[null, null], [null]]",
		[]string{"error truncated 20+0 $[1]: column counts 2, the bytes end after 1"}},
	{"gamemaker-ds", "93010000 02000000 05000000 05000000 05000000 05000000", "{null: null, null: null}",
		[]string{"warning repeated-key 16+4 $[null]#2@key: an earlier entry has the same key"}},
	{"snap", "02 0100000000000000 0c", "[<unknown-type>]", []string{"error unknown-type 9+1 $[0]: SNAP has no tag 12"}},
	{"snap", "03 6162", "<truncated>", []string{"error truncated 1+2 $: string is cut: the byte 0 at its end is missing"}},
	{"snap", "02 0000000000000000 0001", "[]", []string{"warning trailing-bytes 9+2 $: 2 bytes left over after the last value"}},
	{"snap4", "02 07", "[null]", []string{"error truncated 2+0 $: array is cut: end needs 1 byte, but 0 bytes are left"}},
	{"snap4", "01 04", "{<unknown-type>: <missing-value-of-key>}", []string{"error unknown-type 1+1 ${0}@key: a name has the tag 3, not 4"}},
}
