package endtoend

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A truth is a record of what an engine wrote into a file, or read back from it.
type truth struct {
	Engine    string
	Framing   string // raw, store_var, or a wrapper of one of them: base64, gcpf, gdec
	Password  *string
	Key       string
	TypeTable int `json:"type_table"` // ids in a table of Pandemonium's
	Exact     any // the values as the Godot 4 probe wrote them
	Wire      any // the values in the file where the engine reads others
	Value     any // the values as the Godot 3 and Pandemonium probes wrote them
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
	if tr.Framing == "raw" || tr.Framing == "base64" {
		return "raw"
	}
	return "stream"
}

// wrappers are the wrappers of the values.
func (tr *truth) wrappers() []string {
	switch tr.Framing {
	case "base64", "gcpf", "gdec":
		return []string{tr.Framing}
	}
	return []string{}
}

// unlock are the flags that open the file if it is encrypted.
func (tr *truth) unlock() []string {
	switch {
	case tr.Password != nil:
		return []string{"--password", *tr.Password}
	case tr.Key != "":
		return []string{"--key", tr.Key}
	}
	return nil
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

// eachTruth runs test for every file that an engine of Godot's family wrote.
func eachTruth(t *testing.T, test func(t *testing.T, name string, tr truth)) {
	names := corpusFiles(t, "*.truth.json", "testdata/*")
	names = slices.DeleteFunc(names, func(name string) bool {
		folder := filepath.Base(filepath.Dir(name))
		return folder == "elephant" || folder == "gamemaker" || folder == "msgpack" // whose truths say other things
	})
	for _, name := range names {
		bin := strings.TrimSuffix(name, ".truth.json") + ".bin"
		if _, err := os.Stat(bin); err != nil {
			bin = strings.TrimSuffix(bin, ".bin") + ".b64"
		}
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

// corpusFiles lists the files of the folders that -corpus names, otherwise of some
// in testdata.
func corpusFiles(t *testing.T, pattern string, folders ...string) []string {
	t.Helper()
	if *corpus != "" {
		folders = strings.Split(*corpus, ",")
	}
	var files []string
	for _, folder := range folders {
		names, err := filepath.Glob(filepath.Join(folder, pattern))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, names...)
	}
	if *corpus == "" && len(files) < 50 {
		t.Fatalf("only %d files %s in %s", len(files), pattern, folders)
	}
	return files
}

// decode reads JSON and keeps numbers as they are written.
func decode(t *testing.T, data string, v any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(data))
	d.UseNumber()
	if err := d.Decode(v); err != nil {
		t.Fatal(err)
	}
}

// TestExport compares every value of the engines' files with its truth, to the bit.
func TestExport(t *testing.T) {
	eachTruth(t, func(t *testing.T, name string, tr truth) {
		var exported any
		args := append(tr.unlock(), "--as", tr.dialect(), "--framing", tr.framing(), "export", name)
		decode(t, run(t, 0, args...).stdout, &exported)
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

// TestDetection compares the dialect that info detects in the engines' files with
// the engine that wrote them.
func TestDetection(t *testing.T) {
	eachTruth(t, func(t *testing.T, name string, tr truth) {
		var info struct {
			Format, Dialect, Framing string
			Also, Wrappers           []string
			Size                     int64
			Problems                 int
		}
		decode(t, run(t, 0, append(tr.unlock(), "info", "--json", name)...).stdout, &info)
		if !slices.Equal(info.Wrappers, tr.wrappers()) {
			t.Errorf("wrapped in %s, want %s", info.Wrappers, tr.wrappers())
		}
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

// TestTiling checks that the fields of every file follow one another and cover it,
// also where it is read as another dialect.
func TestTiling(t *testing.T) {
	long(t)
	t.Parallel()
	others := [][]string{{"--as", "godot4", "--framing", "raw"}, {"--as", "pandemonium", "--framing", "stream"}, {"--as", "elephant-1.5.1"}}
	eachTruth(t, func(t *testing.T, name string, tr truth) {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		checkTiling(t, name, info.Size(), tr.unlock()...)
		checkTiling(t, name, info.Size(), append(tr.unlock(), others[len(name)%len(others)]...)...)
	})
}

// checkTiling checks that the fields of a file cover the bytes of each buffer once.
func checkTiling(t *testing.T, name string, size int64, args ...string) {
	t.Helper()
	buffer, at := int64(0), int64(0)
	next := func(f field) {
		if f.Buffer == 1 && at != size {
			t.Fatalf("%s: the fields end at %d of %d", args, at, size)
		}
		buffer, at = f.Buffer, 0
	}
	for line := range strings.Lines(run(t, 0, append([]string{"dump", "--json", name}, args...)...).stdout) {
		var f field
		decode(t, line, &f)
		if f.Buffer == buffer+1 {
			next(f)
		}
		if f.Buffer != buffer || f.Offset != at || f.Length <= 0 {
			t.Fatalf("%s: %s of %d bytes at %d of buffer %d, expected at %d of %d", args, f.Kind, f.Length, f.Offset, f.Buffer, at, buffer)
		}
		at += f.Length
	}
	if buffer == 0 && at != size {
		t.Fatalf("%s: the fields end at %d of %d", args, at, size)
	}
}
