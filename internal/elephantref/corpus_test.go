package elephantref

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// A truth is a record of what the library's own code wrote or read.
type truth struct {
	File    string
	Schemas string // the .gml; "" for values without constructors
	Value   any
	JSON    any    `json:"elephant_json"`
	Version string `json:"format_version"`
	Strict  struct {
		OK       bool
		Consumed int
		Value    any
	}
}

// readTruths reads the truths of a folder, and the files they are about.
func readTruths(t testing.TB, folder string) map[*truth][]byte {
	names, err := filepath.Glob(filepath.Join(folder, "*.truth.json"))
	if err != nil || len(names) < 10 {
		t.Fatalf("%d truths (%v)", len(names), err)
	}
	all := map[*truth][]byte{}
	for _, name := range names {
		var tr truth
		if err := json.Unmarshal(readFile(t, name), &tr); err != nil {
			t.Fatal(name, err)
		}
		all[&tr] = readBlock(t, filepath.Join(folder, tr.File))
	}
	return all
}

// readBlock reads a block, also one written by ElephantExportString: base64 of a
// zlib stream.
func readBlock(t testing.TB, name string) []byte {
	data := readFile(t, name)
	if filepath.Ext(name) != ".txt" {
		return data
	}
	z, err := zlib.NewReader(base64.NewDecoder(base64.StdEncoding, bytes.NewReader(data)))
	if err == nil {
		data, err = io.ReadAll(z)
	}
	if err != nil {
		t.Fatal(name, err)
	}
	return data
}

func readFile(t testing.TB, name string) []byte {
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func readSchemas(t testing.TB, gml string) (s Schemas) {
	if gml == "" {
		return nil
	}
	if err := json.Unmarshal(readFile(t, "../../testdata/elephant/"+strings.TrimSuffix(gml, ".gml")+".schema.json"), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// undecodable was written as the second file of a session of 1.0.0, without the
// constructor's name (section 5).
const undecodable = "v1-0-0-ctor-second-write-same-session.bin"

func TestFilesOfTheLibrary(t *testing.T) {
	versions := map[string]bool{}
	for tr, data := range readTruths(t, "../../testdata/elephant") {
		schemas := readSchemas(t, tr.Schemas)
		f, err := Decode(data, schemas)
		if tr.File == undecodable {
			if err == nil {
				t.Errorf("%s: decoded", tr.File)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", tr.File, err)
			continue
		}
		versions[f.Version.String()] = true
		if f.Version.String() != tr.Version {
			t.Errorf("%s: version %v", tr.File, f.Version)
		}
		checkTyped(t, tr.File, f, tr.Value)
		checkTiling(t, f, len(data))
		if again := encode(f, schemas); !bytes.Equal(again, data) {
			t.Errorf("%s: the writer of build makes\n%x of\n%x", tr.File, again, data)
		}
		if f.Version >= V140 && tr.JSON != nil { // 1.3.0 gave circular references numbers
			checkElephantJSON(t, tr.File, f, tr.JSON)
		}
	}
	if len(versions) != len(Versions()) {
		t.Errorf("files of %v only", versions)
	}
}

// checkTyped compares the typed form, without varview's additions.
func checkTyped(t *testing.T, file string, f *File, want any) {
	t.Helper()
	form := f.Typed().(map[string]any)
	delete(form, "elephant")
	if got := throughJSON(t, form); !reflect.DeepEqual(got, want) {
		t.Errorf("%s:\n got %v\nwant %v", file, got, want)
	}
}

func checkElephantJSON(t *testing.T, file string, f *File, want any) {
	t.Helper()
	if got := throughJSON(t, json.RawMessage(f.ElephantJSON())); !reflect.DeepEqual(got, want) {
		t.Errorf("%s:\n got %v\nwant %v", file, got, want)
	}
}

// throughJSON returns what another program would read; bytes that are not UTF-8
// become U+FFFD, as in the truths.
func throughJSON(t *testing.T, v any) (out any) {
	text, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestDamagedFiles checks that Decode accepts what a strict runtime accepts.
func TestDamagedFiles(t *testing.T) {
	for tr, data := range readTruths(t, "../../testdata/elephant/corrupt") {
		f, err := Decode(data, readSchemas(t, tr.Schemas))
		var at *Error
		switch {
		case err != nil && tr.Strict.OK:
			t.Errorf("%s: %v", tr.File, err)
		case err == nil && !tr.Strict.OK:
			t.Errorf("%s: no error", tr.File)
		case err != nil:
			if !errors.As(err, &at) || at.Offset > len(data) {
				t.Errorf("%s: error without place: %v", tr.File, err)
			}
		default:
			checkTyped(t, tr.File, f, tr.Strict.Value)
			checkTiling(t, f, len(data))
			if f.Size != tr.Strict.Consumed {
				t.Errorf("%s: block of %d bytes, want %d", tr.File, f.Size, tr.Strict.Consumed)
			}
		}
	}
}

func FuzzDecode(f *testing.F) {
	schemas := Schemas{}
	for _, name := range []string{"schemas-basic", "schemas-flags", "schemas-styles", "schemas-game"} {
		for constructor, c := range readSchemas(f, name) {
			schemas[constructor] = c
		}
	}
	for _, folder := range []string{"../../testdata/elephant", "../../testdata/elephant/corrupt"} {
		for _, data := range readTruths(f, folder) {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Decode(data, schemas)
		if err != nil {
			return
		}
		checkTiling(t, file, len(data))
		if !json.Valid(file.ElephantJSON()) {
			t.Errorf("not JSON: %s", file.ElephantJSON())
		}
	})
}
