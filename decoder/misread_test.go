package decoder

import (
	"context"
	"strings"
	"testing"

	"varview/decoder/diagnose"
	"varview/decoder/engine/span"
)

// TestMisread: if the values read without a problem in another way than requested, only that is reported.
func TestMisread(t *testing.T) {
	const (
		plain  = elephantFiles + "v1-5-1-struct-plain.bin"
		critic = elephantFiles + "v1-5-1-ctor-array-of-one.bin"
		old    = elephantFiles + "v1-2-0-savegame-player.bin"
		godot  = "../testdata/godot4/save-settings.bin"
		godot3 = "../testdata/godot3/save-settings.bin"
		packet = "../testdata/godot4/packet-chat.bin"
	)
	for _, c := range []struct {
		file, as, framing string
		is                string // the flags that say how to read it; "" if the request is right
	}{
		{plain, "godot4", "", "--as elephant-1.5.1"},
		{plain, "godot3", "raw", "--as elephant-1.5.1"},
		{plain, "", "stream", "--as elephant-1.5.1"},
		{critic, "godot4", "", "--as elephant-1.5.1"},
		{critic, "elephant-1.4.0", "", "--as elephant-1.5.1"},
		{critic, "elephant-1.2.0", "", "--as elephant-1.5.1"},
		{old, "elephant-1.5.1", "", "--as elephant-1.2.0"},
		{godot, "elephant-1.5.1", "", "--as godot4 --framing stream"},
		{godot, "elephant-1.0.0", "", "--as godot4 --framing stream"},
		{godot3, "elephant-1.5.1", "", "--as godot3 --framing stream"},
		{packet, "elephant-1.5.1", "", "--as godot4 --framing raw"},
		{plain, "elephant-1.5.1", "", ""},
		{old, "elephant-1.2.0", "", ""},
		{godot, "godot4", "stream", ""},
	} {
		for _, lib := range []string{"", "schemas-basic.gml"} {
			d := open(t, readFile(t, c.file), Options{Dialect: c.as, Framing: c.framing, Schemas: schemas(t, lib)})
			all := found(t, d)
			misread := len(all) == 1 && all[0].Code == span.WrongDialect && all[0].Repair == "" && strings.HasSuffix(all[0].Message, "("+c.is+")")
			if c.is == "" {
				misread = len(all) == 0 || all[0].Code != span.WrongDialect
			}
			if !misread {
				t.Errorf("%s as %s %s: %+v", c.file, c.as, c.framing, all)
			}
		}
	}
}

// TestDamagedAsAsked: a damaged file that is requested as what it is, is not taken for something else.
func TestDamagedAsAsked(t *testing.T) {
	data := readFile(t, elephantFiles+"v1-5-1-struct-plain.bin")
	for at := range data[:len(data)-4] {
		bad := append([]byte{}, data...)
		bad[at] ^= 0x20
		for _, f := range found(t, open(t, bad, Options{Dialect: "elephant-1.5.1"})) {
			if f.Code == span.WrongDialect {
				t.Errorf("byte %d changed: %s", at, f.Message)
			}
		}
	}
	data = readFile(t, "../testdata/godot4/save-quest-flags.bin")
	for at := 60; at < len(data)-4; at += 211 { // a changed byte, and a cut
		bad := append([]byte{}, data[:len(data)-4]...)
		bad[at] ^= 0xff
		for _, f := range found(t, open(t, bad, Options{Dialect: "godot4", Framing: "stream"})) {
			if f.Code == span.WrongDialect {
				t.Errorf("byte %d changed and 4 missing: %s", at, f.Message)
			}
		}
	}
}

// found returns the findings in the values, except notes.
func found(t testing.TB, d *Document) (all []diagnose.Diagnosis) {
	t.Helper()
	err := d.Diagnose(context.Background(), d.Tree, diagnose.Options{}, func(f diagnose.Diagnosis) bool {
		if f.Severity > span.Note {
			all = append(all, f)
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
