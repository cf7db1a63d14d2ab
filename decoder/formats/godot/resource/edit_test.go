package resource_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"varview/decoder/edit"
	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/resource"
)

// open opens the bytes of a file.
func open(t testing.TB, src source.Source) *tree.Tree {
	t.Helper()
	region := span.Between(0, src.Size())
	if resource.Family.Sniff(src, region) < format.Signature {
		t.Fatal("this is no resource")
	}
	f := resource.Family.Formats(&format.Request{}, src, region)
	if len(f) != 1 {
		t.Fatalf("%d formats", len(f))
	}
	return tree.New(src, f[0].Open(src, region), region)
}

// An editing edits a file and the peer's model of it in the same way.
type editing struct {
	*testing.T
	tree *tree.Tree
	want *peer
	rand *rand.Rand
	log  string
}

func (e *editing) fatalf(format string, args ...any) {
	e.Helper()
	e.Fatalf("%s:%s\n"+format, append([]any{e.Name(), e.log}, args...)...)
}

// edited makes an edit, and compares.
func (e *editing) edited(splices []source.Splice, err error) {
	e.Helper()
	if err != nil {
		e.fatalf("%v", err)
	}
	before := source.Whole(e.tree.Source)
	after := before.Splice(splices)
	if back := after.Splice(before.Inverse(splices)); !bytes.Equal(contents(e, back), contents(e, before)) {
		e.fatalf("undone, the bytes differ")
	}
	e.tree, _ = e.tree.Edited(after, splices, func(p span.Problem) {
		if p.Severity > span.Note && p.Code != span.EngineReadBack {
			e.fatalf("%s at %s: %s", p.Code, p.Span, p.Message)
		}
	})
	b := contents(e, after)
	defer func() {
		if p := recover(); p != nil {
			e.fatalf("the peer says: %v\n%x", p, b)
		}
	}()
	if is, want := read(b).String(), e.want.String(); is != want {
		e.fatalf("got\n%s\nwant\n%s", is, want)
	}
	if is, want := written(e, e.tree), written(e, open(e, source.Bytes(b))); is != want {
		e.fatalf("the edited tree says\n%s\nthe file\n%s", is, want)
	}
}

func contents(t testing.TB, src source.Source) []byte {
	t.Helper()
	b := make([]byte, src.Size())
	if _, err := src.ReadAt(b, 0); err != nil {
		t.Fatal(err)
	}
	return b
}

func written(t testing.TB, is *tree.Tree) string {
	t.Helper()
	var b strings.Builder
	if err := is.NewReader().WriteText(context.Background(), &b, &is.Base.Value); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// at returns the value at a path and the editor.
func (e *editing) at(path string) (*tree.Reader, *tree.Node, edit.Editor) {
	e.Helper()
	r := e.tree.NewReader()
	n, err := r.Resolve(path)
	if err != nil {
		e.fatalf("%v", err)
	}
	return r, n, e.tree.Reading.(edit.Editor)
}

func (e *editing) set(path, literal string) ([]source.Splice, error) {
	e.Helper()
	r, n, x := e.at(path)
	return x.Set(context.Background(), r, n, edit.Content{Literal: literal}, edit.Options{Retype: true})
}

func (e *editing) insert(path string, index int64, c edit.Content) ([]source.Splice, error) {
	e.Helper()
	r, n, x := e.at(path)
	return x.Insert(context.Background(), r, n, index, c, edit.Options{})
}

func (e *editing) delete(path string, o edit.Options) ([]source.Splice, error) {
	e.Helper()
	r, n, x := e.at(path)
	return x.Delete(context.Background(), r, n, o)
}

// value returns a random literal and the peer's notation of it.
func (e *editing) value(depth int) (literal, says string) {
	switch n := e.rand.IntN(13 - min(depth, 1)*2); n {
	case 0:
		return "null", "null"
	case 1:
		return "true", "bool 1"
	case 2:
		i := e.rand.Int64() >> e.rand.IntN(64)
		return fmt.Sprint(i), fmt.Sprint("int ", i)
	case 3:
		x := e.rand.NormFloat64()
		return strconv.FormatFloat(x, 'g', -1, 64), float(x)
	case 4:
		return "2.5", float(2.5)
	case 5:
		s := strings.Repeat("né", e.rand.IntN(5))
		return `"` + s + `"`, strconv.Quote(s)
	case 6:
		s := e.word()
		return `^"/` + s + `/b:` + s + `"`, "path 1/" + s + "/b:" + s
	case 7:
		return "Vector2(1, -2)", "10(3f800000 c0000000)"
	case 8:
		r := e.want.resources[e.rand.IntN(len(e.want.resources))]
		if _, err := strconv.Atoi(r.id); err != nil && !e.want.indexed {
			return "null", "null"
		}
		return `SubResource("` + r.id + `")`, "internal " + r.id
	case 9:
		if len(e.want.external) == 0 {
			return "false", "bool 0"
		}
		i := e.rand.IntN(len(e.want.external))
		return fmt.Sprintf(`ExtResource("%d")`, i), "external " + e.want.external[i][1]
	case 10:
		prefix := "Pool"
		if e.want.godot4 {
			prefix = "Packed"
		}
		return prefix + `ByteArray(1, 255, 3)`, "bytes 01ff03"
	case 11:
		literal, says = "[", "["
		for range e.rand.IntN(4) {
			l, s := e.value(depth + 1)
			literal, says = literal+l+",", says+s+","
		}
		return literal + "]", says + "]"
	}
	literal, says = "{", "{"
	for i := range e.rand.IntN(3) {
		l, s := e.value(depth + 1)
		literal, says = literal+fmt.Sprintf("%d:%s,", i, l), says+fmt.Sprintf("int %d=%s,", i, s)
	}
	return literal + "}", says + "}"
}

func (e *editing) word() string {
	return string(rune('a'+e.rand.IntN(26))) + strconv.Itoa(e.rand.IntN(100))
}

// step makes one random edit.
func (e *editing) step() {
	i := e.rand.IntN(len(e.want.resources))
	r := &e.want.resources[i]
	in := fmt.Sprintf("$.resources[%d].properties", i)
	if i == len(e.want.resources)-1 && e.rand.IntN(2) == 0 {
		in = "$.properties"
	}
	k := -1
	path := ""
	if len(r.properties) > 0 {
		k = e.rand.IntN(len(r.properties))
		path = in + string(tree.AppendTextStep(nil, []byte(r.properties[k][0])))
	}
	literal, says := e.value(0)
	name := e.word()
	for _, p := range r.properties {
		if p[0] == name {
			return
		}
	}
	switch what := e.rand.IntN(9); {
	case what < 3 && k >= 0 && strings.ContainsAny(r.properties[k][1][:1], "{[") && strings.ContainsAny(literal[:1], "{["):
		return // in a list that is changed, a float stays a float even if it becomes a whole number
	case what < 3 && k >= 0:
		e.log += fmt.Sprintf("\nset %s=%s", path, literal)
		splices, err := e.set(path, literal)
		r.properties[k][1] = says
		e.edited(splices, err)
	case what == 3 && k >= 0:
		e.log += fmt.Sprintf("\nset %s@key=%q", path, name)
		splices, err := e.set(path+"@key", strconv.Quote(name))
		r.properties[k][0] = name
		e.edited(splices, err)
	case what == 4 && k >= 0:
		e.log += "\ndelete " + path
		splices, err := e.delete(path, edit.Options{})
		r.properties = append(r.properties[:k], r.properties[k+1:]...)
		e.edited(splices, err)
	case what == 5:
		at := e.rand.IntN(len(r.properties) + 1)
		e.log += fmt.Sprintf("\ninsert %s[%d] %q: %s", in, at, name, literal)
		splices, err := e.insert(in, int64(at), edit.Content{Key: strconv.Quote(name), Literal: literal})
		r.properties = append(r.properties[:at], append([][2]string{{name, says}}, r.properties[at:]...)...)
		e.edited(splices, err)
	case what == 6:
		e.insertResource(i, literal, says)
	case what == 7:
		e.deleteResource(i)
	case what == 8:
		at := e.rand.IntN(len(e.want.external) + 1)
		e.log += fmt.Sprintf("\ninsert $.external[%d]", at)
		splices, err := e.insert("$.external", int64(at), edit.Content{Literal: `{"type": "Texture", "path": "res://` + name + `.png"}`})
		e.want.external = append(e.want.external[:at], append([][2]string{{"Texture", "res://" + name + ".png"}}, e.want.external[at:]...)...)
		e.edited(splices, err)
	}
}

func (e *editing) insertResource(i int, literal, says string) {
	id := strconv.Itoa(1000 + e.rand.IntN(1000))
	for _, r := range e.want.resources {
		if r.id == id {
			return
		}
	}
	e.log += fmt.Sprintf("\ninsert $.resources[%d] %s %s", i, id, literal)
	splices, err := e.insert("$.resources", int64(i), edit.Content{Key: strconv.Quote(id), Literal: `Object(Gradient, "offsets": ` + literal + `)`})
	e.want.resources = append(e.want.resources[:i], append([]peerResource{{id, "Gradient", [][2]string{{"offsets", says}}}}, e.want.resources[i:]...)...)
	e.edited(splices, err)
}

// deleteResource deletes a resource, which is refused for the main one and for those that others refer to.
func (e *editing) deleteResource(i int) {
	path := fmt.Sprintf("$.resources[%d]", i)
	gone := e.want.resources[i]
	e.log += "\ndelete " + path
	referred := 0
	for j, r := range e.want.resources {
		for _, p := range r.properties {
			if j != i {
				referred += strings.Count(p[1]+",", "internal "+gone.id+",") + strings.Count(p[1], "internal "+gone.id+"=")
			}
		}
	}
	splices, err := e.delete(path, edit.Options{})
	orphans := (*edit.OrphanError)(nil)
	switch main := i == len(e.want.resources)-1; {
	case main && err == nil, !main && referred > 0 && (!errors.As(err, &orphans) || orphans.References != referred):
		e.fatalf("%d references: %v", referred, err)
	case main:
		return
	case referred > 0:
		splices, err = e.delete(path, edit.Options{Orphans: edit.Undefined})
		for j := range e.want.resources {
			for k := range e.want.resources[j].properties {
				p := &e.want.resources[j].properties[k]
				p[1] = strings.TrimSuffix(strings.NewReplacer("internal "+gone.id+",", "null,", "internal "+gone.id+"=", "null=").Replace(p[1]+","), ",")
			}
		}
	}
	e.want.resources = append(e.want.resources[:i], e.want.resources[i+1:]...)
	e.edited(splices, err)
}

// TestEdits makes random edits, after each of which the file must equal the same edit of values in memory.
func TestEdits(t *testing.T) {
	for i, name := range files(t) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			b := load(t, name)
			for seed := range 3 {
				e := &editing{T: t, tree: open(t, source.Bytes(b)), want: read(b), rand: rand.New(rand.NewPCG(uint64(i), uint64(seed)))}
				for range 25 {
					e.step()
				}
			}
		})
	}
}

// TestInsertNothing checks that only resources can be inserted as resources.
func TestInsertNothing(t *testing.T) {
	for _, literal := range []string{"null", "5", `"text"`, "[]", "{}", `{"type": 5}`, `{"type": "Curve", "properties": {1: 2}}`} {
		tr := open(t, source.Bytes(load(t, files(t)[0])))
		r := tr.NewReader()
		n, err := r.Resolve("$.resources")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tr.Reading.(edit.Editor).Insert(context.Background(), r, n, 0, edit.Content{Literal: literal}, edit.Options{}); err == nil || !strings.Contains(err.Error(), "a text") {
			t.Errorf("%s: %v", literal, err)
		}
	}
}
