package decoder

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

func fromHex(t testing.TB, digits string) source.Bytes {
	data, err := hex.DecodeString(strings.ReplaceAll(digits, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestDetect(t *testing.T) {
	all := []string{"godot4", "godot3", "pandemonium", "pandemonium4", "pandemonium3", "godot4-docs", "godot3-early-docs"}
	without := func(names ...string) []string {
		return slices.DeleteFunc(slices.Clone(all), func(n string) bool { return slices.Contains(names, n) })
	}
	for _, c := range []struct {
		name, digits, dialect, framing string
		bigEndian                      bool
		confidence                     Confidence
		also                           []string
	}{
		{"int", "02000000 05000000", "godot4", "raw", false, Likely, without("godot4", "godot3-early-docs")},
		{"empty Dictionary of Godot 4", "1b000000 00000000", "godot4", "raw", false, Likely, []string{"pandemonium4", "pandemonium3", "godot4-docs"}},
		{"Dictionary of Godot 3", "12000000 01000000 02000000 01000000 02000000 07000000", "godot3", "raw", false, Likely, []string{"godot4-docs"}},
		{"Dictionary of Pandemonium 3", "16000000 01000000 02000000 01000000 04000000 01000000 61000000", "pandemonium3", "raw", false, Weak, nil},
		{"TypedArray", "1b000000 02000000 02000000 0200000001000000 0200000002000000", "pandemonium", "raw", false, Certain, nil},
		{"PackedVector4Array", "26000000 01000000 0000803f 0000803f 0000803f 0000803f", "godot4", "raw", false, Likely, []string{"pandemonium"}},
		{"frames", "04000000 00000000 08000000 02000000 05000000", "godot4", "stream", false, Likely, without("godot4", "godot3-early-docs")},
		{"big-endian frames", "00000004 00000000 00000008 02000000 05000000", "godot4", "stream", true, Likely, without("godot4", "godot3-early-docs")},
		{"nothing", "", "godot4", "stream", false, Likely, without("godot4")},
		{"no value", "ffffffff ffffffff", "godot4", "raw", false, Weak, nil},
	} {
		d, err := Open(context.Background(), fromHex(t, c.digits), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if d.Dialect != c.dialect || d.Framing != c.framing || d.BigEndian != c.bigEndian || d.Confidence != c.confidence ||
			c.confidence != Weak && !slices.Equal(d.Also, c.also) {
			t.Errorf("%s: %s %s %v %s, also %q", c.name, d.Dialect, d.Framing, d.BigEndian, d.Confidence, d.Also)
		}
	}
}

// TestSettle: an Array of Godot 4 with the count of a PoolIntArray of Pandemonium 4; only bytes far from
// the start distinguish them.
func TestSettle(t *testing.T) {
	const count = 100_000
	data := []byte{28, 0, 0, 0, 0xa0, 0x86, 1, 0}
	data = append(data, bytes.Repeat([]byte{2, 0, 0, 0, 1, 0, 0, 0}, count)...)
	for thorough, want := range map[Thoroughness]string{Quick: "pandemonium4", Settle: "", Through: ""} {
		d, err := Open(context.Background(), source.Bytes(data), Options{Thorough: thorough})
		if err != nil {
			t.Fatal(err)
		}
		if d.Dialect != "godot4" || slices.Contains(d.Also, want) != (want != "") {
			t.Errorf("%d: %s, also %q", thorough, d.Dialect, d.Also)
		}
	}
}

// TestPreferredAfterSettling: the preferred dialect is preferred by Settle too.
func TestPreferredAfterSettling(t *testing.T) {
	d := open(t, fromHex(t, "01000000 02000000"), Options{Prefer: []string{"godot3"}})
	if err := d.Settle(t.Context(), 0); err != nil || d.Dialect != "godot3" {
		t.Errorf("%s, %v", d.Dialect, err)
	}
}

func TestOptions(t *testing.T) {
	data := fromHex(t, "aabb 02000000 05000000 cc")
	for _, c := range []struct {
		o    Options
		want string // of the error
	}{
		{Options{Offset: 2, Length: 8}, ""},
		{Options{Offset: 2, Length: 10}, "past the end"},
		{Options{Offset: 12}, "after the end"},
		{Options{Offset: -1}, "negative"},
		{Options{Dialect: "godot5"}, "unknown dialect"},
		{Options{Framing: "packet"}, "unknown framing"},
		{Options{Dialect: "godot4", Double: true}, "--double"},
	} {
		d, err := Open(context.Background(), data, c.o)
		if c.want != "" {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%+v: %v", c.o, err)
			}
			continue
		}
		if err != nil || d.Dialect != "godot4" || d.Confidence != Likely {
			t.Errorf("%+v: %+v, %v", c.o, d, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Open(ctx, data, Options{}); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
}

// TestRealFiles: files that engines wrote open with no problems other than their known ones.
func TestRealFiles(t *testing.T) {
	names, _ := filepath.Glob("testdata/*.bin")
	if len(names) == 0 {
		t.Fatal("no files")
	}
	known := []string{span.RunsCode, span.ObjectInData, span.ObjectByID, span.EngineReadBack}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		dialect, _, _ := strings.Cut(filepath.Base(name), "-")
		d, err := Open(context.Background(), source.Bytes(data), Options{})
		if err != nil || d.Dialect != dialect && !slices.Contains(d.Also, dialect) {
			t.Errorf("%s: %s, also %v %v", name, d.Dialect, d.Also, err)
			continue
		}
		d, _ = Open(context.Background(), source.Bytes(data), Options{Dialect: dialect})
		d.Tree.Check(context.Background(), tree.CheckOptions{}, func(p span.Problem, _ *tree.Node) {
			if !slices.Contains(known, p.Code) {
				t.Errorf("%s: %+v", name, p)
			}
		})
	}
}

// FuzzOpen: any bytes open, and the output is fit for a terminal and for other programs.
func FuzzOpen(f *testing.F) {
	names, _ := filepath.Glob("testdata/*.bin")
	for _, pattern := range []string{"../testdata/elephant/*.bin", "../testdata/elephant/*.txt", "../testdata/elephant/corrupt/*.bin", "../testdata/wrapped/*.b*"} {
		more, _ := filepath.Glob(pattern)
		names = append(names, more...)
	}
	for i, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for how := range uint8(16) {
			if len(data) < 2048 && (how == 15 && i%2 == 0 || i%15 == int(how)) {
				f.Add(data, how, uint8(i%3))
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, how, skip uint8) {
		o := Options{Thorough: Thoroughness(how >> 6 % 3), Offset: min(int64(skip), int64(len(data)))}
		if infos := Dialects(); int(how&15) < len(infos) {
			o.Dialect = infos[how&15].Name
		}
		if how&64 != 0 {
			o.Passwords = []string{""}
		}
		o.MaxUnpacked = 1 << 20
		if how&32 != 0 && o.isFramed() {
			o.Framing = []string{"raw", "stream"}[how>>4&1]
		}
		d, err := Open(context.Background(), source.Bytes(data), o)
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		r := d.Tree.NewReader()
		var out bytes.Buffer
		if err := r.WriteJSON(context.Background(), &out, &d.Tree.Base.Value); err != nil {
			t.Fatal(err)
		}
		if !json.Valid(out.Bytes()) {
			t.Fatalf("no valid JSON: %q", out.String())
		}
		harmless(t, out.Bytes())
		out.Reset()
		if err := r.WriteText(context.Background(), &out, &d.Tree.Base.Value); err != nil {
			t.Fatal(err)
		}
		harmless(t, out.Bytes())
		harmless(t, r.AppendLiteral(nil, &d.Tree.Base.Value, int(skip)))
		d.Tree.EachField(context.Background(), func(f tree.OwnedField) error {
			harmless(t, f.Path)
			harmless(t, f.Value)
			return nil
		})
		d.Tree.Check(context.Background(), tree.CheckOptions{}, func(p span.Problem, _ *tree.Node) {
			harmless(t, []byte(p.Message))
		})
	})
}

// harmless makes sure that text is UTF-8 without characters that control a
// terminal.
func harmless(t *testing.T, text []byte) {
	if !utf8.Valid(text) {
		t.Fatalf("no UTF-8: %q", text)
	}
	for _, c := range string(text) {
		if c < ' ' && c != '\n' || c >= 0x7f && c < 0xa0 || c >= 0x202a && c <= 0x202e || c == '\ufeff' {
			t.Fatalf("control character %q in %q", c, text)
		}
	}
}
