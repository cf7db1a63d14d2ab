package elephantref

import (
	"encoding/json"
	"reflect"
	"testing"
)

// TestElephantJSON covers cases that the library's files lack: section 12, and
// GameMaker's manual on json_stringify for -infinity.
func TestElephantJSON(t *testing.T) {
	tests := []struct{ name, block, want string }{
		{"numbers without JSON", "50454c45 01050100 cd 0300 09 000000000000f07f 000000000000f0ff 0000000000000080 544e4148",
			`["@@infinity$$","@@-infinity$$",0]`},
		{"int64", "50454c45 01050100 cd 0200 0c fbffffffffffffff 0500000000000000 544e4148",
			`["@i64@fffffffffffffffb$i64$","@i64@5$i64$"]`},
		{"sorted by code units; the last of a repeated name", "50454c45 01050100 ce 0500 " +
			"6100 0a 01 5f00 0a 01 3100 0a 01 4200 0a 01 6100 0a 00 544e4148",
			`{"1":true,"B":true,"_":true,"a":false}`},
		{"the body where the sorted walk reaches it, not where it is stored", "50454c45 01050100 ce 0200 " +
			"7a00 cd 0100 ce 0000 6100 cd ffff 0100 544e4148",
			`{"a":[{}],"z":{"__Elephant_Circular_Ref__":".a"}}`},
		{"a path into it is a path from where it was met", "50454c45 01050100 ce 0300 " +
			"7a00 cd 0100 ce 0000 6100 cd ffff 0100 7a7a00 ce ffff 0200 544e4148",
			`{"a":[{}],"z":{"__Elephant_Circular_Ref__":".a"},"zz":{"__Elephant_Circular_Ref__":".a[0]"}}`},
		{"a reference to nothing", "50454c45 01050100 cd 0200 ce ffff 0900 0000 544e4148", `[null,{}]`},
		{"a name needs no quotes in a path", "50454c45 01050100 ce 0200 6120 6200 cd 0000 7a00 cd ffff 0100 544e4148",
			`{"a b":[],"z":{"__Elephant_Circular_Ref__":".a b"}}`},
		{"a constructor's members follow its name", "50454c45 01050100 ce feff 0000 5800 80 0100 2200 0b 3c00 544e4148",
			`{"__Elephant_Constructor__":"X","__Elephant_Schema_Version__":0,"\"":"<"}`},
	}
	for _, tt := range tests {
		f, err := Decode(fromHex(t, tt.block), nil)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if got := string(f.ElephantJSON()); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// TestUnknownConstructorOf100 makes a plain struct, as the library does.
func TestUnknownConstructorOf100(t *testing.T) {
	f, err := Decode(fromHex(t, "41544d43 00000100 20 5800 00 0000"), Schemas{})
	if err != nil || string(f.ElephantJSON()) != "{}" || f.Root.Struct.Constructor != "X" {
		t.Error(f, err)
	}
}

func TestTypedRoot(t *testing.T) {
	for block, want := range map[string]map[string]any{
		"41544d43 00000100 11":          {"version": "1.0.0", "header": "ATMC", "footer": false, "tags": 14.0},
		"50454c45 00010100 11 544e4148": {"version": "1.1.0", "header": "PELE", "footer": true, "tags": 14.0},
		"50454c45 00040100 11 544e4148": {"version": "1.4.0", "header": "PELE", "footer": true, "tags": 14.0},
		"50454c45 00040100 cf 544e4148": {"version": "1.4.0", "header": "PELE", "footer": true, "tags": 204.0},
	} {
		f, err := Decode(fromHex(t, block), nil)
		if err != nil {
			t.Fatal(block, err)
		}
		typed := map[string]any{"type": "undefined", "value": nil, "elephant": want}
		if got := f.Typed(); !reflect.DeepEqual(got, typed) {
			t.Errorf("%s: %v, want %v", block, got, typed)
		}
	}
}

func TestSchemas(t *testing.T) {
	s := readSchemas(t, "schemas-flags.gml")
	force, loose := s["ForcedOld"], s["LooseDraft"]
	if force.Force == nil || *force.Force != 1 || force.writeVersion() != 1 || len(force.Versions) != 3 {
		t.Errorf("ForcedOld: %+v", force)
	}
	want := []Member{{"notes", Array}, {"x", F64}, {"y", F64}}
	if v2 := loose.Versions[2]; !v2.Verbose || !reflect.DeepEqual(v2.Members, want) || loose.writeVersion() != 2 {
		t.Errorf("LooseDraft v2: %+v", v2)
	}
	if got := s["LeaveOut"].Exclude; !reflect.DeepEqual(got, []string{"startHP", "target", "doesNotExist"}) {
		t.Errorf("LeaveOut leaves out %v", got)
	}
	if !readSchemas(t, "schemas-styles.gml")["Slime"].Inherited {
		t.Error("Slime has its schema from Creature")
	}
	for _, bad := range []string{`[]`, `{"A":{"schema":{"vx":{}}}}`, `{"A":{"schema":{"v1":{"members":[["a","u9"]]}}}}`} {
		if err := json.Unmarshal([]byte(bad), &Schemas{}); err == nil {
			t.Errorf("%s: no error", bad)
		}
	}
}

func TestHalf(t *testing.T) {
	for bits, want := range map[uint16]float64{
		0x3C00: 1, 0xC000: -2, 0x7BFF: 65504, 0x0400: 1.0 / (1 << 14), 0x0001: 1.0 / (1 << 24), 0x03FF: 1023.0 / (1 << 24),
		0x3555: 0.333251953125, 0x0000: 0,
	} {
		if got := half(bits); got != want {
			t.Errorf("half(%#04x) = %v, want %v", bits, got, want)
		}
	}
}
