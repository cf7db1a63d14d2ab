package elephant_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"strings"
	"testing"

	"varview/decoder/formats/elephant"
	"varview/decoder/formats/elephant/internal/block"
	"varview/internal/elephantref"
)

// typed returns a block in the typed form.
func typed(t testing.TB, b *Block) []byte {
	t.Helper()
	var out bytes.Buffer
	tr := b.Tree(b.Data)
	if err := tr.Reading.(*elephant.Reading).WriteTyped(context.Background(), &out, tr.NewReader(), &tr.Base.Value); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestImport: a block comes back from its typed form as it was.
func TestImport(t *testing.T) {
	for _, b := range append(RealBlocks(t), BuiltBlocks(t, 5)...) {
		form := typed(t, &b)
		if bytes.Contains(form, []byte(`"damaged"`)) {
			if b.Name != "v1-0-0-ctor-second-write-same-session.bin" { // whose constructors are named in another
				t.Errorf("%s: damaged", b.Name)
			}
			continue
		}
		var out bytes.Buffer
		if err := elephant.Import(context.Background(), bytes.NewReader(form), &out, nil, nil); err != nil {
			t.Errorf("%s: %v", b.Name, err)
		} else if !bytes.Equal(out.Bytes(), b.Data) {
			t.Errorf("%s:\n%x, want\n%x", b.Name, out.Bytes(), b.Data)
		}
	}
}

// TestImportTruth: the typed form beside the real files suffices where the schemas are known. It does not
// distinguish development builds.
func TestImportTruth(t *testing.T) {
	for _, b := range RealBlocks(t) {
		if strings.Contains(b.Name, "-footer-") || strings.Contains(b.Name, "-tags14-") || strings.Contains(b.Name, "second-write") {
			continue
		}
		var truth struct {
			Value   json.RawMessage
			Version string `json:"format_version"`
		}
		if err := json.Unmarshal(Read(t, Folder+strings.TrimSuffix(b.Name, ".bin")+".truth.json"), &truth); err != nil {
			t.Fatal(err)
		}
		rules, ok := block.ByName(truth.Version)
		if !ok {
			t.Fatal(b.Name, truth.Version)
		}
		var out bytes.Buffer
		if err := elephant.Import(context.Background(), bytes.NewReader(truth.Value), &out, rules, b.Libraries); err != nil {
			t.Errorf("%s: %v", b.Name, err)
		} else if !bytes.Equal(out.Bytes(), b.Data) {
			t.Errorf("%s:\n%x, want\n%x", b.Name, out.Bytes(), b.Data)
		}
	}
}

// TestImportUnusual: what no version of the library writes comes back too.
func TestImportUnusual(t *testing.T) {
	halves := func(from int) (digits string) {
		var b []byte
		for h := range 1 << 15 {
			b = binary.LittleEndian.AppendUint16(b, uint16(from+h))
		}
		return string(b)
	}
	for _, text := range []string{
		"0a 02", "cccc 01 07", "10 0000", "cd 0100 0f 0000", "09 010000000000f87f", "08 010080ff", "cd ffff 0700", "ce 0200 6100 cf 6100 cf",
		"ce feff 0700 5000 01 0300 0200 0200 0000 07", "ce feff 0000 4100 85 0100 6100 0101", "0b edb080f000", "1.0.0 0f ffff 11",
	} {
		b := TableBlock(t, text)
		checkImport(t, &b)
	}
	b := TableBlock(t, "cd 0200 cd")
	b.Data = append(b.Data[:len(b.Data)-4], "\x00\x80\x07"+halves(0)+"\x00\x80\x07"+halves(1<<15)+"TNAH"...)
	checkImport(t, &b)
}

func checkImport(t *testing.T, b *Block) {
	t.Helper()
	var out bytes.Buffer
	if err := elephant.Import(context.Background(), bytes.NewReader(typed(t, b)), &out, nil, nil); err != nil || !bytes.Equal(out.Bytes(), b.Data) {
		t.Errorf("%.100s: %.200x, want %.200x; %v", b.Name, out.Bytes(), b.Data, err)
	}
}

// TestImportErrors: errors say what cannot be imported, with its path.
func TestImportErrors(t *testing.T) {
	for _, c := range []struct{ form, want string }{
		{``, "a value is expected|'{' is expected"},
		{`{"type":"u8","value":256}`, "$: 256 is not a valid u8"},
		{`{"type":"array","elem":"u8","value":[{"type":"u8","value":1},{"type":"u8","value":"x"}]}`, "$[1]: x is not a valid u8"},
		{`{"type":"array","elem":"u8","value":[{"type":"s8","value":1}]}`, "$[0]: s8 in an array of u8"},
		{`{"type":"array","value":[{"type":"s8","value":1}]}`, `$: an array with elements must have an "elem"`},
		{`{"type":"struct","value":[["a b",{"type":"string","value":"\u0000"}]]}`, `$["a b"]: string must be a text without NUL`},
		{`{"type":"struct","value":[["a",{"type":"damaged","problem":"truncated"}]]}`, `$.a: a value that could not be read`},
		{`{"type":"struct","value":[],"constructor":"A"}`, `"constructor" must come before "value"`},
		{`{"type":"any","value":1}`, "any is not a type"},
		{`{"type":"f64"}`, `f64 must have a "value"`},
		{`{"value":1}`, `a value must have a "type"`},
		{`{"type":"u8","value":1} 2`, "the value ends before this"},
		{`{"type":"u8","value":1`, "ends too early|is expected"},
		{`{"type":"ref","kind":"u8","ref":1}`, `a reference must have a "kind"`},
		{`{"type":"u8","elephant":{"version":"1.5","header":"PELE","footer":true,"tags":204},"value":1}`, `"version" 1.5 is not a version`},
	} {
		var out bytes.Buffer
		err := elephant.Import(context.Background(), strings.NewReader(c.form), &out, nil, nil)
		one, other, _ := strings.Cut(c.want, "|")
		if err == nil || !strings.Contains(err.Error(), one) && (other == "" || !strings.Contains(err.Error(), other)) || out.Len() > 0 {
			t.Errorf("%s: %v, want %s", c.form, err, c.want)
		}
	}
}

// TestConvert: another version of a block means the same, or an error names what it cannot hold.
func TestConvert(t *testing.T) {
	versions := elephant.Versions()
	for _, b := range RealBlocks(t) {
		was, err := elephantref.Decode(b.Data, b.Schemas)
		if strings.Contains(b.Name, "second-write") {
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		want, tr := ThingOf(was, b.Schemas), b.Tree(b.Data)
		for i := range versions {
			var out bytes.Buffer
			if err := elephant.Convert(context.Background(), tr.NewReader(), &versions[i], &out); err != nil {
				if versions[i].Version >= 0x10500 || !strings.HasPrefix(err.Error(), "$") {
					t.Errorf("%s to %s: %v", b.Name, versions[i].Name, err)
				}
				continue
			}
			is, err := elephantref.Decode(out.Bytes(), b.Schemas)
			if err != nil {
				t.Errorf("%s to %s: %v", b.Name, versions[i].Name, err)
				continue
			}
			if diff := Differs(ThingOf(is, b.Schemas), want); diff != "" || is.Version.String() != versions[i].Name {
				t.Errorf("%s to %s: %v %s", b.Name, versions[i].Name, is.Version, diff)
			}
		}
	}
}

// TestConvertTable: bytes of other versions, and what they cannot hold.
func TestConvertTable(t *testing.T) {
	for _, c := range []struct{ was, to, want string }{
		{"cd 0100 cc cf", "1.3.0", "1.3.0 0f 0100 0e 11"},
		{"1.0.0 0f 0200 22 4100 00 0000 00 0000", "1.5.1", "cd 0200 ce feff 0000 4100 80 0000 feff 0000 80 0000"},
		{"cd 0200 ce feff 0700 4100 80 0000 0000", "1.0.0", "1.0.0 0f 0200 0e 20 4100 00 0000 10 0000"},
		{"1.3.0 10 feff 0000 5000 01 07 6800 11", "1.5.1", "ce feff 0000 5000 01 0000 07 6800 cf"},
		{"ce 0200 6100 cd 0000 6200 cd ffff0100", "1.0.0", "!$.b: Elephant 1.0.0 has no references"},
		{"cd 0100 ce feff 0000 5000 01 0200 0000 07 cf", "1.4.0", "!$[0]: Elephant 1.4.0 cannot leave out members"},
		{"ce feff 0000 4100 85 0000", "1.2.1", "!$: Elephant 1.2.1 cannot store a schema version with a verbose struct"},
		{"ce feff 0000 5100 01 0000 feff 0000 01 0100 0000", "1.0.0", "!$.s: Elephant 1.0.0 cannot store a struct with a constructor"},
		{"1.0.0 0f ffff 11", "1.5.1", "!$: 65535 elements; the version has room for 65534"},
	} {
		b := TableBlock(t, c.was)
		rules, _ := block.ByName(c.to)
		var out bytes.Buffer
		tr := b.Tree(b.Data)
		err := elephant.Convert(context.Background(), tr.NewReader(), rules, &out)
		if message, fails := strings.CutPrefix(c.want, "!"); fails {
			if err == nil || !strings.Contains(err.Error(), message) {
				t.Errorf("%s to %s: %v", c.was, c.to, err)
			}
		} else if want := Sample(t, c.want); err != nil || !bytes.Equal(out.Bytes(), want) {
			t.Errorf("%s to %s: %x, want %x; %v", c.was, c.to, out.Bytes(), want, err)
		}
	}
}
