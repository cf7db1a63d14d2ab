package simpletest

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// Hex returns the bytes of digits with blanks between them.
func Hex(t testing.TB, digits string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(digits, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// LiteralOf returns all values as a literal.
func LiteralOf(t testing.TB, tr *tree.Tree) string {
	t.Helper()
	var out bytes.Buffer
	if err := tr.NewReader().WriteText(t.Context(), &out, &tr.Base.Value); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// JSONOf returns all values as JSON, without the end of the last line.
func JSONOf(t testing.TB, tr *tree.Tree) string {
	t.Helper()
	var out bytes.Buffer
	if err := tr.NewReader().WriteJSON(t.Context(), &out, &tr.Base.Value); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// FieldsOf lists all fields, "path kind label=meaning", which must tile the bytes.
func FieldsOf(t testing.TB, tr *tree.Tree) (all []string) {
	t.Helper()
	return fieldsOf(t, tr, true)
}

func fieldsOf(t testing.TB, tr *tree.Tree, paths bool) (all []string) {
	t.Helper()
	at := int64(0)
	err := tr.EachField(t.Context(), func(f tree.OwnedField) error {
		if f.Offset != at || f.Length <= 0 {
			return fmt.Errorf("the field %+v, but the one before ends at %d", f, at)
		}
		at = f.End()
		field := fmt.Sprintf("%s %s=%s", f.Kind, f.Label, f.Value)
		if paths {
			field = string(f.Path) + " " + field
		}
		all = append(all, field)
		return nil
	})
	if err != nil || at != tr.Source.Size() {
		t.Fatalf("the fields end at %d of %d: %v", at, tr.Source.Size(), err)
	}
	return all
}

// ProblemsOf lists all problems, "severity code offset+length path: message".
func ProblemsOf(t testing.TB, tr *tree.Tree) (all []string) {
	t.Helper()
	err := tr.Check(t.Context(), tree.CheckOptions{Workers: 1}, func(p span.Problem, n *tree.Node) {
		all = append(all, fmt.Sprintf("%s %s %d+%d %s: %s", p.Severity, p.Code, p.Offset, p.Length, tr.NewReader().Path(n), p.Message))
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Change makes an edit: set, retype, insert and delete at a path, where insert means the path that the value is to
// have, and first puts an entry before all others. It returns the edited bytes, and fails if the inverse does not
// lead back.
func Change(t testing.TB, tr *tree.Tree, op, path, value string) ([]byte, error) {
	t.Helper()
	r := tr.NewReader()
	e := tr.Reading.(edit.Editor)
	content := edit.Content{Literal: value}
	if op == "insert" || op == "first" {
		parent, index := parentOf(t, r, path, &content)
		if op == "first" {
			index = 0
		}
		splices, err := e.Insert(t.Context(), r, parent, index, content, edit.Options{})
		return Spliced(t, tr, splices, err)
	}
	n, err := r.Resolve(path)
	if err == nil && n == tr.Base {
		n, err = r.Child(n, 0)
	}
	if err != nil {
		return nil, err
	}
	var splices []source.Splice
	if op == "delete" {
		splices, err = e.Delete(t.Context(), r, n, edit.Options{})
	} else {
		splices, err = e.Set(t.Context(), r, n, content, edit.Options{Retype: op == "retype"})
	}
	return Spliced(t, tr, splices, err)
}

// parentOf returns the container into which something is put at a path, and the index.
func parentOf(t testing.TB, r *tree.Reader, path string, c *edit.Content) (*tree.Node, int64) {
	t.Helper()
	cut := strings.LastIndexAny(path, "[.")
	n, err := r.Resolve(path[:cut])
	if err == nil && n == r.Tree.Base {
		n, err = r.Child(n, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	index := max(0, r.Count(n))
	if path[cut] == '[' {
		if _, err := fmt.Sscanf(path[cut:], "[%d]", &index); err != nil {
			t.Fatal(err)
		}
		return n, index
	}
	c.Key = `"` + path[cut+1:] + `"`
	return n, index
}

// Spliced returns the bytes after an edit. It fails if the inverse does not lead back.
func Spliced(t testing.TB, tr *tree.Tree, splices []source.Splice, err error) ([]byte, error) {
	t.Helper()
	if err != nil {
		return nil, err
	}
	before := source.Whole(tr.Source)
	after := before.Splice(splices)
	if back := contents(t, after.Splice(before.Inverse(splices))); !bytes.Equal(back, contents(t, before)) {
		t.Fatalf("undone gives %x, not %x", back, contents(t, before))
	}
	return contents(t, after), nil
}

func contents(t testing.TB, p *source.Pieces) []byte {
	t.Helper()
	b := make([]byte, p.Size())
	if _, err := p.ReadAt(b, 0); err != nil && len(b) > 0 {
		t.Fatal(err)
	}
	return b
}
