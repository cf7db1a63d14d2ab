package elephant_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"varview/decoder/diagnose"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/elephant/gml"
)

// lost is a block up to the members of a struct whose schema is missing.
const lost = Head151 + "ce feff 0000 'Q 01 0000 "

// TestLostFooter: where the content of a block cannot be read to its end, its last bytes show whether it is
// whole.
func TestLostFooter(t *testing.T) {
	zeros := " " + strings.Repeat("00", 20)
	for _, c := range []struct{ name, data, problems, message, want string }{
		{"whole", lost + "03" + Foot, "", "", ""},
		{"cut", lost + "03", "missing-footer@19+0", `the footer "TNAH" is missing: the end of the file is cut off, or damaged`, ""},
		{"cut behind some zeros", lost + "03 000000000000", "missing-footer@25+0", `the footer "TNAH" is missing: the end of the file is cut off, or damaged`, ""},
		{"cut behind a letter", lost + "03 54", "missing-footer@20+0", `the footer "TNAH" is missing: the end of the file is cut off, or damaged`, ""},
		{"cut in the footer", lost + "03 544e41", "missing-footer@19+3", `the footer "TNAH" is cut: only 3 bytes are there`, lost + "03" + Foot},
		{"footer damaged", lost + "03 54c84148", "wrong-footer@19+4", `"T\xc8AH" is where the footer "TNAH" should be`, lost + "03" + Foot},
		{"footer the wrong way round", lost + "03 48414e54", "wrong-footer@19+4", `"HANT" is where the footer "TNAH" should be`, lost + "03" + Foot},
		{"zeros to the end", lost + "03" + zeros, "wrong-footer@19+20", `the file ends in 20 zero bytes instead of the footer "TNAH"`, ""},
		{"a line feed behind it", lost + "03" + Foot + " 0a", "trailing-bytes@23+1", "1 byte left over after the footer", lost + "03" + Foot},
		{"zeros behind it", lost + "03" + Foot + zeros, "trailing-bytes@23+20", "20 bytes left over after the footer", lost + "03" + Foot},
		{"a block behind it", lost + "03" + Foot + Head110 + "0a01", "trailing-bytes@23+10", "10 bytes after the footer: another block begins there", lost + "03" + Foot},
		{"of a version without", Head110 + "10 feff 0000 'Q 01 03", "", "", ""},
	} {
		b := Block{}
		tr := b.Tree(Bytes(t, c.data))
		all := slices.DeleteFunc(Problems(t, tr), func(p span.Problem) bool { return p.Severity == span.Note || p.Code == span.MissingSchema })
		if got := FoundAll(all); got != c.problems {
			t.Errorf("%s: found %q, not %q", c.name, got, c.problems)
			continue
		}
		if len(all) == 0 {
			continue
		}
		p := &all[0]
		if p.Message != c.message || !p.Settled || (p.Repair == "") != (c.want == "") || (p.Severity == span.Error) == (p.Code == span.TrailingBytes) {
			t.Errorf("%s: %+v", c.name, p)
		}
		switch r, err := repair(tr, p); {
		case (err != nil) != (c.want == ""):
			t.Errorf("%s: %v", c.name, err)
		case err == nil && !bytes.Equal(Spliced(t, Bytes(t, c.data), r.Splices), Bytes(t, c.want)):
			t.Errorf("%s: repaired as %v", c.name, r.Splices)
		}
	}
}

// TestUnread: a missing schema says how much of the block cannot be read without it.
func TestUnread(t *testing.T) {
	for _, c := range []struct{ name, data, says string }{
		{"the last value", lost + "03" + Foot, "GML"},
		{"reading goes on", Head151 + "ce 0200 'a ce feff 0000 'Q 01 0000 03 'b 0a 01" + Foot, "; reading resumes at 0x18"},
		{"nothing follows that could be read", Head151 + "ce 0200 'a ce feff 0000 'Q 01 0000 03030303" + Foot, "; nothing after it is read (4 bytes)"},
	} {
		b := Block{}
		for _, p := range Problems(t, b.Tree(Bytes(t, c.data))) {
			if p.Code == span.MissingSchema && !strings.HasSuffix(p.Message, c.says) {
				t.Errorf("%s: %s", c.name, p.Message)
			}
		}
	}
}

// TestUndamaged: a real file without schemas lacks only these, and without its last byte it lacks its
// footer.
func TestUndamaged(t *testing.T) {
	cuts := 0
	for _, b := range RealBlocks(t) {
		b.Libraries = nil
		whole := b.Tree(b.Data)
		for _, p := range Problems(t, whole) {
			if p.Severity > span.Note && p.Code != span.MissingSchema && p.Code != span.EngineReadBack && !strings.Contains(b.Name, "second-write") {
				t.Errorf("%s: %s: %s", b.Name, Found(&p), p.Message)
			}
		}
		if !bytes.HasSuffix(b.Data, []byte("TNAH")) {
			continue
		}
		cuts++
		bad := func(p span.Problem) bool { return p.Severity == span.Error }
		if all := Problems(t, b.Tree(b.Data[:len(b.Data)-1])); !slices.ContainsFunc(all, bad) {
			t.Errorf("%s, the last byte cut: %s", b.Name, FoundAll(all))
		}
	}
	if cuts < 50 {
		t.Error(cuts, "files with a footer")
	}
}

// findings returns what a diagnosis finds, except for notes.
func findings(t testing.TB, tr *tree.Tree) (all []diagnose.Diagnosis) {
	t.Helper()
	err := diagnose.Run(context.Background(), tr, diagnose.Options{}, func(f diagnose.Diagnosis) bool {
		if f.Severity > span.Note && f.Code != span.EngineReadBack {
			all = append(all, f)
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestBehindFooter: bytes after the footer of a whole block are no cause, and have none.
func TestBehindFooter(t *testing.T) {
	for _, b := range RealBlocks(t) {
		if !bytes.HasSuffix(b.Data, []byte("TNAH")) {
			continue
		}
		for _, behind := range []string{"\n", strings.Repeat("\x00", 512), string(b.Data), strings.Repeat("x", 40) + "TNAH"} {
			data := append(slices.Clone(b.Data), behind...)
			tr := b.Tree(data)
			all := findings(t, tr)
			if len(all) != 1 || all[0].Code != span.TrailingBytes || all[0].Severity != span.Warning || all[0].Span != span.Between(int64(len(b.Data)), int64(len(data))) || all[0].Splices != nil || all[0].Path != "$" {
				t.Fatalf("%s and %d bytes: %+v", b.Name, len(behind), all)
			}
			isBlock := behind == string(b.Data)
			if says := strings.Contains(all[0].Message, "another block begins there"); says != isBlock {
				t.Errorf("%s: %s", b.Name, all[0].Message)
			}
			r, err := repair(tr, &all[0].Problem)
			if err != nil || !bytes.Equal(Spliced(t, data, r.Splices), b.Data) {
				t.Errorf("%s and %d bytes: repaired as %v, %v", b.Name, len(behind), r.Splices, err)
			}
			if named := r.Loss != ""; named != (isBlock || len(behind) > 16 && behind[0] != 0) {
				t.Errorf("%s and %d bytes: drops %q", b.Name, len(behind), r.Loss)
			}
		}
	}
}

// TestCountBeforeFooter: a count that is too small is found even if bytes follow the footer.
func TestCountBeforeFooter(t *testing.T) {
	b := RealBlock(t, Folder+"v1-5-1-struct-plain.bin")
	for _, behind := range []string{"", "\n", string(b.Data)} {
		data := append(slices.Clone(b.Data), behind...)
		data[9]--
		all := findings(t, b.Tree(data))
		if len(all) == 0 || all[0].Code != span.WrongCount || all[0].Offset != 9 {
			t.Errorf("with %d bytes behind the footer: %+v", len(behind), all)
		}
	}
}

// TestNearCtor: an undeclared constructor is taken for a declared one whose name differs by one byte
// changed, lost or added.
func TestNearCtor(t *testing.T) {
	b := RealBlock(t, Folder+"v1-5-1-ctor-array-of-one.bin")
	at := bytes.Index(b.Data, []byte("Critter"))
	check := func(data []byte, code string) {
		t.Helper()
		all := findings(t, b.Tree(data))
		if len(all) != 1 || all[0].Code != code || !bytes.Equal(Spliced(t, data, all[0].Splices), b.Data) {
			t.Errorf("%q: %+v", data, all)
		}
	}
	for i := at; i < at+len("Critter"); i++ {
		for _, c := range []byte{'x', 0xc8} {
			data := slices.Clone(b.Data)
			data[i] = c
			check(data, "constructor-name")
		}
		if i == at+4 { // which t is lost cannot be known
			continue
		}
		check(slices.Delete(slices.Clone(b.Data), i, i+1), span.MissingBytes)
		if i > at { // before it, the index may have an extra byte
			check(slices.Insert(slices.Clone(b.Data), i, 'x'), span.ExtraBytes)
		}
	}
}

// TestNearName: the message about an undeclared constructor names a declared one that differs by one byte.
func TestNearName(t *testing.T) {
	library, err := gml.Parse("critter.gml", []byte(repairSchemas))
	if err != nil {
		t.Fatal(err)
	}
	for name, near := range map[string]bool{
		"Crtter": true, "ritter": true, "Critte": true, "Crittter": true, "xCritter": true, "Critterx": true, "Crxtter": true, "xritter": true, "Crittex": true,
		"Crtte": false, "Critt": false, "Crxxter": false, "rCitter": false, "C": false, "Critterxx": false,
	} {
		b := Block{Libraries: []*gml.Library{library}}
		all := Problems(t, b.Tree(Bytes(t, Head151+"ce feff 0000 '"+name+" 01 0000 03"+Foot)))
		want := fmt.Sprintf("no GML file declares the constructor %q", name)
		if near {
			want += `; is it "Critter", damaged by one byte?`
		}
		if len(all) != 1 || all[0].Message != want {
			t.Errorf("%+v", all)
		}
	}
}

// TestNearNameStored: the same is a problem if the struct holds the names of its members and so can be read
// without a schema.
func TestNearNameStored(t *testing.T) {
	library, err := gml.Parse("critter.gml", []byte(repairSchemas))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"Crxtter": "constructor-name", "Monster": "", "Critter": ""} {
		b := Block{Libraries: []*gml.Library{library}}
		code := ""
		for _, p := range Problems(t, b.Tree(Bytes(t, Head151+"ce feff 0000 '"+name+" 80 0100 'hp 01 05"+Foot))) {
			code = p.Code
		}
		if code != want {
			t.Errorf("%s: %q, not %q", name, code, want)
		}
	}
}

// TestFarCtor: an index far above the next one is unusual; one that an edit may leave is only worth a note.
func TestFarCtor(t *testing.T) {
	b := RealBlock(t, Folder+"v1-5-1-ctor-array-of-one.bin")
	at := bytes.Index(b.Data, []byte("Critter")) - 2
	for high, severity := range []span.Severity{span.Note, span.Warning} {
		data := slices.Clone(b.Data)
		data[at], data[at+1] = 9, byte(high)
		if all := Problems(t, b.Tree(data)); len(all) != 1 || all[0].Code != "constructor-index" || all[0].Severity != severity {
			t.Errorf("index %d: %+v", 9+256*high, all)
		}
	}
}

// TestNewer: a version that may be newer than all known ones is not set to one of
// these unasked.
func TestNewer(t *testing.T) {
	for version, newer := range map[string]bool{
		"02050100": true, "00060100": true, "00000200": true, "1f1f0200": true,
		"00050200": true, "00258100": false, "00200100": false, "80050100": false, "00030300": false, "00000001": false, "03040100": false, "00010501": false, "00000000": false,
	} {
		b := Block{}
		all := Problems(t, b.Tree(Bytes(t, "50454c45"+version+"0a01"+Foot)))
		if len(all) != 1 || all[0].Code != "wrong-version" || all[0].Guess != newer || strings.Contains(all[0].Repair, "if no newer library wrote it") != newer {
			t.Errorf("%s: %+v", version, all)
		}
	}
}
