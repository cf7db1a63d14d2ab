package endtoend

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"sort"
	"strings"
	"testing"

	"varview/decoder/edit"
	"varview/decoder/engine/tree"
	"varview/model"
	"varview/model/compare"
	"varview/model/diff"
	"varview/model/patch"
)

// TestDiffApply holds, for a fifteenth of all pairs, that the patch between two files of a dialect makes the values of
// one those of the other.
func TestDiffApply(t *testing.T) {
	t.Parallel()
	const every = 29 // of the pairs, other ones of each file
	for _, group := range []string{"testdata/godot4/*.bin", "testdata/godot3/*.bin", "testdata/pandemonium/*.bin", "testdata/elephant/v1-5-1*.bin", "testdata/elephant/v1-3-0*.bin"} {
		t.Run(strings.ReplaceAll(group, "/", "-"), func(t *testing.T) {
			t.Parallel()
			names, err := filepath.Glob(group)
			if err != nil || len(names) < 5 {
				t.Fatal(names, err)
			}
			pairs, done := 0, 0
			for i, from := range names {
				for j, to := range names {
					if pairs++; (i+j)%every != 0 || from == to {
						continue
					}
					if checkBecomes(t, from, to) {
						done++
					}
				}
			}
			if done < pairs/every/3 {
				t.Errorf("only %d of %d pairs have a patch", done, pairs)
			}
		})
	}
}

// checkBecomes makes the patch from one file to another, and applies it. It reports whether
// there is such a patch.
func checkBecomes(t *testing.T, from, to string) bool {
	ctx := context.Background()
	a, b := openModel(t, from, model.Options{}), openModel(t, to, model.Options{ReadOnly: true})
	defer a.Close()
	defer b.Close()
	if a.Missing != nil || b.Missing != nil || a.Dialect != b.Dialect {
		return false
	}
	tx, err := a.Begin(a.Innermost())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := diff.Become(ctx, tx, b.Tree, compare.Options{}); err != nil {
		if !hasReason(err) {
			t.Errorf("%s to %s: %v", from, to, err)
		}
		return false
	}
	var text bytes.Buffer
	if err := tx.Ops().Write(&text); err != nil {
		t.Errorf("%s to %s: %v", from, to, err)
		return false
	}
	again, err := patch.Read(&text)
	if err != nil {
		t.Fatal(err)
	}
	fresh, err := a.Begin(a.Innermost())
	if err != nil {
		t.Fatal(err)
	}
	if err := fresh.Apply(ctx, again, patchOptions); err != nil {
		t.Errorf("%s to %s: the patch cannot be applied: %v\n%s", from, to, err, text.String())
		return false
	}
	got, want := meant(t, fresh.Reader()), meant(t, b.Tree.NewReader())
	for _, x := range []struct {
		d    *model.Document
		list *any
	}{{a, &got}, {b, &want}} { // one bare value is the same as a stream of it
		if x.d.Framing == "stream" && a.Framing != b.Framing {
			if all, ok := (*x.list).([]any); ok && len(all) == 1 {
				*x.list = all[0]
			}
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s to %s: has become\n%v, not\n%v", from, to, got, want)
	}
	return true
}

var patchOptions = edit.Options{}

// hasReason reports whether there is a known reason why there is no patch from one file to the other.
func hasReason(err error) bool {
	for _, reason := range []string{"different numbers of values", "more than", "schema", "constructor"} {
		if strings.Contains(err.Error(), reason) {
			return true
		}
	}
	return false
}

// TestDiffDeep checks that it is reported if a value is compared as a whole because it is nested too
// deep.
func TestDiffDeep(t *testing.T) {
	dir := t.TempDir()
	var names []string
	for i, inside := range []string{`"i:1","i:7"`, `"i:2","i:7"`} {
		from, name := filepath.Join(dir, fmt.Sprint(i, ".json")), filepath.Join(dir, fmt.Sprint(i, ".dat"))
		if err := os.WriteFile(from, []byte(strings.Repeat("[", 300)+inside+strings.Repeat("]", 300)), 0o644); err != nil {
			t.Fatal(err)
		}
		run(t, 0, "import", from, "-o", name, "--as", "godot4")
		names = append(names, name)
	}
	path := "$" + strings.Repeat("[0]", 255) // at the 256th level
	if out := run(t, 1, "diff", names[0], names[1]).stdout; !strings.HasPrefix(out, path+": compared as a whole, nested too deep\n- [") {
		t.Error(out)
	}
	if out := run(t, 1, "diff", "--json", names[0], names[1]).stdout; !strings.Contains(out, `"path":"`+path+`"`) || !strings.HasSuffix(out, `,"deep":true}`+"\n") {
		t.Error(out)
	}
}

// meant returns the values of a buffer as JSON means them: dictionaries without order, and texts and
// numbers whatever their type.
func meant(t *testing.T, r *tree.Reader) any {
	t.Helper()
	var out bytes.Buffer
	if err := r.WriteJSON(context.Background(), &out, &r.Tree.Base.Value); err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(&out)
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return withoutForm(v)
}

// withoutForm replaces what differs in values that mean the same.
func withoutForm(v any) any {
	switch v := v.(type) {
	case string:
		for _, prefix := range []string{"i:", "f:"} {
			if rest, ok := strings.CutPrefix(v, prefix); ok {
				return "number " + strings.TrimSuffix(rest, ".0")
			}
		}
		return strings.TrimPrefix(strings.TrimPrefix(v, "sn:"), "s:")
	case json.Number:
		if x, err := v.Float64(); err == nil {
			return x
		}
	case []any:
		for i := range v {
			v[i] = withoutForm(v[i])
		}
	case map[string]any:
		args, isList := v["args"].([]any)
		if v["type"] == "Dictionary" && isList && len(args)%2 == 0 {
			return withoutOrder(args)
		}
		switch v["type"] {
		case "Array", "TypedArray", "PackedTypedArray":
			if isList {
				return withoutForm(args)
			}
		case "PackedByteArray", "PackedInt32Array", "PackedInt64Array", "PackedFloat32Array", "PackedFloat64Array", "PoolByteArray", "PoolIntArray", "PoolRealArray":
			v["type"] = "numbers"
		}
		if n, isNumber := v["value"].(string); isNumber && v["bits"] != nil {
			return "number " + strings.TrimSuffix(n, ".0")
		}
		for k := range v {
			v[k] = withoutForm(v[k])
		}
	}
	return v
}

func withoutOrder(args []any) any {
	var entries []string
	for i := 0; i+1 < len(args); i += 2 {
		entries = append(entries, fmt.Sprint(withoutForm(args[i]), ": ", withoutForm(args[i+1])))
	}
	sort.Strings(entries)
	return strings.Join(entries, ", ")
}
