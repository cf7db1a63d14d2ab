package decoder

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/elephant/gml"
)

const elephantFiles = "../testdata/elephant/"

// readFile reads a file of the tests.
func readFile(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// schemas loads GML files beside the real ones.
func schemas(t testing.TB, name string) func() []format.Schemas {
	t.Helper()
	if name == "" {
		return nil
	}
	l, err := gml.Load([]string{elephantFiles + name})
	if err != nil {
		t.Fatal(err)
	}
	return func() []format.Schemas { return []format.Schemas{l} }
}

// open opens bytes until the test ends.
func open(t testing.TB, data []byte, o Options) *Document {
	t.Helper()
	d, err := Open(context.Background(), source.Bytes(data), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

// fieldsOf lists the fields of a tree: offset, length, kind, path.
func fieldsOf(t testing.TB, tr *tree.Tree) (fields []string) {
	t.Helper()
	at := int64(0)
	err := tr.EachField(context.Background(), func(f tree.OwnedField) error {
		if f.Offset != at || f.Length <= 0 {
			t.Fatalf("%s at %d, %d bytes; expected at %d", f.Kind, f.Offset, f.Length, at)
		}
		at = f.End()
		fields = append(fields, fmt.Sprintf("%d %d %s %s", f.Offset, f.Length, f.Kind, f.Path))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if at != tr.Source.Size() {
		t.Fatalf("the fields end at %d of %d", at, tr.Source.Size())
	}
	return fields
}

// problemsOf lists the codes of a tree's problems of at least a severity.
func problemsOf(t testing.TB, tr *tree.Tree, least span.Severity) (codes []string) {
	t.Helper()
	s := tr.Scanner()
	s.Report = func(p span.Problem) {
		if p.Severity >= least && p.Code != span.EngineReadBack {
			codes = append(codes, p.Code)
		}
		if p.Offset < 0 || p.Length < 0 || p.End() > tr.Source.Size() || p.Message == "" {
			t.Errorf("problem at %v: %+v", p.Span, p)
		}
	}
	if err := s.Run(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	return codes
}

// damages describes the files in corrupt/ by name: codes that have to be among the problems, in this order,
// and other facts. Files that the library itself reads without an error are marked.
var damages = []struct {
	file  string
	codes string // at least these
	loads bool
}{
	{"array-elem-array-nested", "", true},
	{"array-elem-unknown", "unknown-type", false},
	{"array-length-too-long", "length-overrun", false},
	{"bad-footer", "wrong-footer", false},
	{"bad-header", "wrong-header", false},
	{"bool-byte-2", "bool-value", true},
	{"ctor-index-starts-at-7", "", true},
	{"ctor-schema-version-missing", "missing-schema", false},
	{"ctor-schema-version-zero-not-verbose", "missing-schema", false},
	{"ctor-unknown-name", "missing-schema", false},
	{"ctor-verbose-bit-set", "unexpected-verbose wrong-footer", false},
	{"duplicate-member-name", "repeated-key", true},
	{"footer-big-endian", "wrong-footer", false},
	{"half-footer", "missing-footer", false},
	{"header-atmc", "wrong-header", false},
	{"header-big-endian", "wrong-header", false},
	{"header-only", "truncated", false},
	{"invalid-utf8", "invalid-utf8", true},
	{"missing-footer", "missing-footer", false},
	{"no-content", "truncated", false},
	{"ref-array-tag-to-struct", "reference-kind", true},
	{"ref-forward", "dangling-reference", true},
	{"ref-out-of-range", "dangling-reference", true},
	{"skip-index-just-past-end", "wrong-skip", true},
	{"skip-index-out-of-range", "wrong-skip", false},
	{"skip-index-repeated", "wrong-skip", true},
	{"struct-length-too-long", "length-overrun", false},
	{"tag-0", "unknown-type", false},
	{"tag-14", "foreign-tag", false},
	{"tag-16-plain-struct", "foreign-tag", false},
	{"tag-208", "unknown-type", false},
	{"tag-255", "unknown-type", false},
	{"tag-99", "unknown-type", false},
	{"tag-any-any", "", true},
	{"trailing-bytes", "trailing-bytes", true},
	{"truncated-in-array", "length-overrun", false},
	{"truncated-in-number", "length-overrun", false},
	{"truncated-in-string", "truncated", false},
	{"truncated-struct", "length-overrun", false},
	{"version-1-6-0", "wrong-version", false},
	{"version-9-9-9", "wrong-version", false},
	{"version-says-1-0-0", "wrong-version", false},
	{"version-says-1-4-0-schema-ctor", "wrong-version", false},
	{"version-zero", "wrong-version", false},
}

// TestElephantDamage: every damaged file opens, tiles, and its damage is named, as an error if the library
// refuses the file.
func TestElephantDamage(t *testing.T) {
	names, _ := filepath.Glob(elephantFiles + "corrupt/*.bin")
	if len(names) != len(damages)+1 { // and an empty file
		t.Errorf("%d files, %d in the table", len(names), len(damages))
	}
	for _, c := range damages {
		t.Run(c.file, func(t *testing.T) {
			var truth struct{ Strict struct{ OK bool } }
			if err := json.Unmarshal(readFile(t, elephantFiles+"corrupt/"+c.file+".truth.json"), &truth); err != nil {
				t.Fatal(err)
			}
			if truth.Strict.OK != c.loads {
				t.Errorf("the library reads it: %v", truth.Strict.OK)
			}
			d := open(t, readFile(t, elephantFiles+"corrupt/"+c.file+".bin"), Options{Schemas: schemas(t, "schemas-basic.gml")})
			if d.Format != "elephant" {
				t.Fatalf("read as %s", d.Format)
			}
			fieldsOf(t, d.Tree)
			codes := problemsOf(t, d.Tree, span.Warning)
			rest := codes
			for _, want := range strings.Fields(c.codes) {
				i := slices.Index(rest, want)
				if i < 0 {
					t.Fatalf("problems %s, want %s", codes, c.codes)
				}
				rest = rest[i+1:]
			}
			if c.codes == "" && len(codes) > 0 {
				t.Errorf("problems %s, want none", codes)
			}
			if errors := problemsOf(t, d.Tree, span.Error); !c.loads && len(errors) == 0 {
				t.Errorf("no error, but the library refuses it: %s", codes)
			}
		})
	}
}

// TestMissingSchemas: what is read of a file without its schemas is a part of what is read with them, and
// more than what precedes the first struct that needs one.
func TestMissingSchemas(t *testing.T) {
	names, _ := filepath.Glob(elephantFiles + "*.truth.json")
	needed, wentOn := 0, 0
	for _, name := range names {
		var truth struct{ File, Schemas, Expected string }
		if err := json.Unmarshal(readFile(t, name), &truth); err != nil {
			t.Fatal(name, err)
		}
		if truth.Schemas == "" || truth.Expected != "" {
			continue
		}
		data := readFile(t, elephantFiles+truth.File)
		with := fieldsOf(t, open(t, data, Options{Schemas: schemas(t, truth.Schemas)}).Tree)
		without := open(t, data, Options{})
		codes := problemsOf(t, without.Tree, span.Warning)
		if !slices.Contains(codes, span.MissingSchema) {
			continue
		}
		needed++
		gap, behind := false, false
		for _, f := range fieldsOf(t, without.Tree) {
			switch {
			case strings.Contains(f, " gap "):
				gap = true
				continue
			case gap && !strings.Contains(f, " magic "):
				behind = true
			}
			if !slices.Contains(with, f) {
				t.Errorf("%s: %s is no field when the schema is there", truth.File, f)
			}
		}
		if behind {
			wentOn++
		}
	}
	if needed < 20 || wentOn < 8 {
		t.Errorf("of %d files that need schemas, %d go on behind them", needed, wentOn)
	}
}
