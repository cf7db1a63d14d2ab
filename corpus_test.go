package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A truth says what an engine wrote into a file, or read back from it.
type truth struct {
	Engine    string
	Framing   string // raw or store_var
	TypeTable int    `json:"type_table"` // ids in a table of Pandemonium's
	Exact     any    // the values as the Godot 4 probe wrote them
	Wire      any    // the values in the file where the engine reads others
	Value     any    // the values as the Godot 3 and Pandemonium probes wrote them
}

func (tr *truth) dialect() string {
	switch {
	case tr.TypeTable == 38:
		return "pandemonium4"
	case tr.TypeTable == 40:
		return "pandemonium"
	case strings.HasPrefix(tr.Engine, "Godot 4"):
		return "godot4"
	}
	return "godot3"
}

func (tr *truth) framing() string {
	if tr.Framing == "raw" {
		return "raw"
	}
	return "stream"
}

// values are the canonical forms of the values in the file.
func (tr *truth) values(t *testing.T) []string {
	form, v := canonicalTyped, tr.Value
	switch {
	case tr.dialect() == "godot4":
		form, v = canonicalExact, tr.Exact
	case tr.Wire != nil:
		v = tr.Wire
	}
	return canonicalList(t, tr.framing(), v, form)
}

// canonicalList brings a list of values, or the one of a raw file, into their
// canonical form.
func canonicalList(t *testing.T, framing string, v any, form func(any) string) []string {
	t.Helper()
	list := []any{v}
	if framing == "stream" {
		var ok bool
		if list, ok = v.([]any); !ok {
			t.Fatal("a stream is no list")
		}
	}
	var forms []string
	for _, x := range list {
		forms = append(forms, form(x))
	}
	return forms
}

// eachTruth runs test for every file that an engine wrote.
func eachTruth(t *testing.T, test func(t *testing.T, name string, tr truth)) {
	names, err := filepath.Glob("testdata/*/*.truth.json")
	if err != nil || len(names) < 100 {
		t.Fatalf("%d truths under testdata (%v)", len(names), err)
	}
	for _, name := range names {
		bin := strings.TrimSuffix(name, ".truth.json") + ".bin"
		t.Run(strings.TrimSuffix(strings.TrimPrefix(bin, "testdata/"), ".bin"), func(t *testing.T) {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			var tr truth
			decode(t, string(data), &tr)
			test(t, bin, tr)
		})
	}
}

// decode reads JSON, numbers as they are written.
func decode(t *testing.T, data string, v any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(data))
	d.UseNumber()
	if err := d.Decode(v); err != nil {
		t.Fatal(err)
	}
}

// TestExport holds every value of the engines' files against its truth, to the
// bit.
func TestExport(t *testing.T) {
	eachTruth(t, func(t *testing.T, name string, tr truth) {
		var exported any
		decode(t, run(t, 0, "export", "--as", tr.dialect(), "--framing", tr.framing(), name).stdout, &exported)
		want := tr.values(t)
		got := canonicalList(t, tr.framing(), exported, canonicalExport)
		if len(got) != len(want) {
			t.Fatalf("%d values, want %d", len(got), len(want))
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("value %d:\n got %s\nwant %s", i, got[i], want[i])
			}
		}
	})
}

// TestDetection holds what info finds out of the engines' files against who
// wrote them.
func TestDetection(t *testing.T) {
	eachTruth(t, func(t *testing.T, name string, tr truth) {
		var info struct {
			Format, Dialect, Framing string
			Also                     []string
			Size                     int64
			Problems                 int
		}
		decode(t, run(t, 0, "info", "--json", name).stdout, &info)
		readable := false
		for _, d := range append(info.Also, info.Dialect) {
			readable = readable || d == tr.dialect()
		}
		// A stream of one Nil is the same bytes as the String "".
		if !readable || info.Framing != tr.framing() && info.Problems > 0 {
			t.Errorf("read as %s, %s (also %s), want %s, %s", info.Dialect, info.Framing, info.Also, tr.dialect(), tr.framing())
		}
	})
}

// TestTiling holds that the fields of every file lie one behind the other and
// cover it, also where it is read as what it is not.
func TestTiling(t *testing.T) {
	eachTruth(t, func(t *testing.T, name string, tr truth) {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		checkTiling(t, name, info.Size())
		checkTiling(t, name, info.Size(), "--as", "godot4", "--framing", "raw")
		checkTiling(t, name, info.Size(), "--as", "pandemonium", "--framing", "stream")
	})
}

// checkTiling holds that the fields of a file cover its bytes once.
func checkTiling(t *testing.T, name string, size int64, args ...string) {
	t.Helper()
	at := int64(0)
	for line := range strings.Lines(run(t, 0, append([]string{"dump", "--json", name}, args...)...).stdout) {
		var f field
		decode(t, line, &f)
		if f.Offset != at || f.Length <= 0 {
			t.Fatalf("%s: %s of %d bytes at %d, expected at %d", args, f.Kind, f.Length, f.Offset, at)
		}
		at += f.Length
	}
	if at != size {
		t.Fatalf("%s: the fields end at %d of %d", args, at, size)
	}
}
