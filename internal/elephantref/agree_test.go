package elephantref

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"testing"
	program "varview/decoder"
	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/elephant"
	"varview/decoder/formats/elephant/gml"
)

const elephantFiles = "../../testdata/elephant/"

// libraries loads the GML beside the real files.
func libraries(t testing.TB, name string) []format.Schemas {
	t.Helper()
	if name == "" {
		return nil
	}
	l, err := gml.Load([]string{elephantFiles + name})
	if err != nil {
		t.Fatal(err)
	}
	return []format.Schemas{l}
}

// open opens bytes until the test ends.
func open(t testing.TB, data []byte, schemas ...format.Schemas) *program.Document {
	t.Helper()
	d, err := program.Open(context.Background(), source.Bytes(data), program.Options{Schemas: func() []format.Schemas { return schemas }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

// fieldsOf lists the fields of a tree: offset, length, kind, path.
func fieldsOf(t testing.TB, tr *tree.Tree) (fields []string) {
	t.Helper()
	err := tr.EachField(context.Background(), func(f tree.OwnedField) error {
		fields = append(fields, fmt.Sprintf("%d %d %s %s", f.Offset, f.Length, f.Kind, f.Path))
		return nil
	})
	if err != nil {
		t.Fatal(err)
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
	}
	if err := s.Run(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	return codes
}

// exported returns a value as JSON.
func exported(t testing.TB, write func(out *bytes.Buffer) error) (v any) {
	t.Helper()
	var out bytes.Buffer
	if err := write(&out); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out.Bytes(), &v); err != nil {
		t.Fatalf("%v: %s", err, out.Bytes())
	}
	return v
}

// agree compares a reading of a block with that of the second decoder.
func agree(t *testing.T, d *program.Document, want *File) {
	t.Helper()
	ctx, f := context.Background(), d.Tree.Reading.(*elephant.Reading)
	fields := want.Fields()
	for i, field := range fieldsOf(t, d.Tree) {
		other := ""
		if i < len(fields) {
			w := fields[i]
			other = fmt.Sprintf("%d %d %s %s", w.Offset, w.Length, w.Kind, w.Path)
		}
		if field != other {
			t.Fatalf("field %s, want %s", field, other)
		}
	}
	got := exported(t, func(out *bytes.Buffer) error { return f.WriteTyped(ctx, out, d.Tree.NewReader(), &d.Tree.Base.Value) })
	if diff := difference(without(without(got, "hex"), "tagged"), without(want.Typed(), "dangling"), "$"); diff != "" {
		t.Error("typed", diff)
	}
	got = exported(t, func(out *bytes.Buffer) error { return f.WriteJSON(ctx, out, d.Tree.NewReader(), &d.Tree.Base.Value) })
	var wantJSON any
	if err := json.Unmarshal(want.ElephantJSON(), &wantJSON); err != nil {
		t.Fatal(err)
	}
	if diff := difference(got, wantJSON, "$"); diff != "" {
		t.Error("JSON", diff)
	}
}

// difference returns the first place in which two JSON values differ; "" if they are equal.
func difference(got, want any, path string) string {
	switch want := want.(type) {
	case map[string]any:
		got, ok := got.(map[string]any)
		for k := range want {
			if ok && len(got) == len(want) {
				if diff := difference(got[k], want[k], path+"."+k); diff != "" {
					return diff
				}
			}
		}
		if ok && len(got) == len(want) {
			return ""
		}
	case []any:
		got, ok := got.([]any)
		for i := range want {
			if ok && len(got) == len(want) {
				if diff := difference(got[i], want[i], fmt.Sprintf("%s[%d]", path, i)); diff != "" {
					return diff
				}
			}
		}
		if ok && len(got) == len(want) {
			return ""
		}
	}
	if reflect.DeepEqual(got, want) {
		return ""
	}
	return fmt.Sprintf("%s: got %.300q, want %.300q", path, fmt.Sprint(got), fmt.Sprint(want))
}

// without removes a member from all objects in a value: "hex" of odd NaNs, which the second decoder does
// not distinguish, and "dangling" of references, which are problems here.
func without(v any, name string) any {
	switch v := v.(type) {
	case map[string]any:
		delete(v, name)
		for _, x := range v {
			without(x, name)
		}
	case []any:
		for _, x := range v {
			without(x, name)
		}
	}
	return v
}

// TestElephantFiles: every file of the library's own versions is read as the second decoder reads it, and
// as its truth says.
func TestElephantFiles(t *testing.T) {
	names, _ := filepath.Glob(elephantFiles + "*.truth.json")
	if len(names) < 60 {
		t.Fatalf("%d files", len(names))
	}
	for _, name := range names {
		var truth struct {
			File, Schemas string
			Version       string `json:"format_version"`
			Expected      string // why it cannot be read
			Value         any
		}
		if err := json.Unmarshal(readFile(t, name), &truth); err != nil {
			t.Fatal(name, err)
		}
		t.Run(truth.File, func(t *testing.T) {
			d := open(t, readFile(t, elephantFiles+truth.File), libraries(t, truth.Schemas)...)
			if want := "elephant-" + truth.Version; d.Dialect != want || d.Format != "elephant" || d.Confidence != program.Certain {
				t.Errorf("read as %s, %s (%s), want %s", d.Format, d.Dialect, d.Confidence, want)
			}
			if truth.Expected != "" {
				return
			}
			block := make([]byte, d.Tree.Source.Size())
			if _, err := d.Tree.Source.ReadAt(block, 0); err != nil {
				t.Fatal(err)
			}
			want, err := Decode(block, readSchemas(t, truth.Schemas))
			if err != nil {
				t.Fatal(err)
			}
			agree(t, d, want)
			if problems := problemsOf(t, d.Tree, span.Warning); len(problems) > 0 {
				t.Errorf("problems: %s", problems)
			}
		})
	}
}

// TestElephantBuilt: random files of every version are read as the second
// decoder reads them, with the schemas as GML.
func TestElephantBuilt(t *testing.T) {
	blocks, err := ReadBuilt(9)
	if err != nil {
		t.Fatal(err)
	}
	for i, b := range blocks {
		want, err := Decode(b.Block, b.Schemas)
		if err != nil {
			t.Fatal(err)
		}
		l, err := gml.Parse("built.gml", []byte(b.GML))
		if err != nil {
			t.Fatal(err)
		}
		t.Run(fmt.Sprintf("%v/%d", b.Version, i), func(t *testing.T) {
			d := open(t, b.Block, l)
			agree(t, d, want)
			if problems := problemsOf(t, d.Tree, span.Error); len(problems) > 0 {
				t.Errorf("problems: %s", problems)
			}
		})
	}
}
