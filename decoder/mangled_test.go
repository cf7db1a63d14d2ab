package decoder

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/wrap"
	"varview/decoder/wrap/mangled"
)

// manglings do what programs do to a file that they take for text.
var manglings = []struct {
	kind wrap.Kind
	do   func([]byte) []byte
}{
	{mangled.ByteOrderMark, func(b []byte) []byte { return append([]byte("\xef\xbb\xbf"), b...) }},
	{mangled.TextMode, func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n")) }},
	{mangled.Reencoded, func(b []byte) []byte {
		var chars []rune
		for _, c := range b {
			chars = append(chars, rune(c))
		}
		return []byte(string(chars))
	}},
}

// TestMangled: damage to real files is found and undone, even several kinds at once, and the values are
// restored. Each file has bytes that every kind changes.
func TestMangled(t *testing.T) {
	for i, name := range []string{
		"godot4/save-inventory", "godot4/store-string-lengths", "godot3/store-all-types", "pandemonium/p53-store-all-types", "elephant/v1-5-1-savegame-settings", "wrapped/godot4-gcpf-zstd-small",
		"wrapped/godot4-gcpf-brotli-multi-block", "wrapped/godot4-gdec-pass-small",
	} {
		plain := readFile(t, "../testdata/"+name+".bin")
		o := Options{Passwords: []string{"hunter2"}, Schemas: schemas(t, "schemas-game.gml")}
		whole := open(t, plain, o)
		for set := 1; set < 1<<len(manglings); set++ {
			if set%3 != i%3 && set != 7 {
				continue // all at once for each file, every other combination for some
			}
			data, want := plain, whole.Wrappers()
			for i, m := range slices.Backward(manglings) {
				if set>>i&1 == 0 {
					continue
				}
				if after := m.do(data); !bytes.Equal(after, data) {
					data, want = after, append([]string{m.kind.String()}, want...)
				}
			}
			d := open(t, data, o)
			if got := d.Wrappers(); !slices.Equal(got, want) {
				t.Errorf("%s: %s, not %s", name, got, want)
				continue
			}
			if text(t, d) != text(t, whole) {
				t.Errorf("%s, %s: other values", name, want)
			}
			for i := range len(d.Layers) - len(whole.Layers) {
				data = undone(t, d.Layers[i].Tree, data)
			}
			if !bytes.Equal(data, plain) {
				t.Errorf("%s, %s: the repairs give %d bytes, not the %d it had", name, want, len(data), len(plain))
			}
		}
	}
}

// undone returns a mangled file after its repair.
func undone(t *testing.T, tr *tree.Tree, data []byte) []byte {
	t.Helper()
	var found []span.Problem
	if err := tr.Check(context.Background(), tree.CheckOptions{}, func(p span.Problem, _ *tree.Node) { found = append(found, p) }); err != nil || len(found) != 1 {
		t.Fatalf("%v %v", found, err)
	}
	r, err := tr.Reading.(edit.Repairer).Repair(context.Background(), tr.NewReader(), tr.Base, &found[0])
	if err != nil {
		t.Fatal(err)
	}
	after := source.Whole(source.Bytes(data)).Splice(r.Splices)
	b := make([]byte, after.Size())
	if _, err := after.ReadAt(b, 0); err != nil {
		t.Fatal(err)
	}
	return b
}

// TestNeverMangled: no file that reads well, or is damaged in another way, is taken for mangled or foreign.
func TestNeverMangled(t *testing.T) {
	texts := []string{".gd", ".gml", ".godot", ".gz", ".json", ".jsonl", ".ksy", ".layers", ".md", ".nbt", ".sav", ".txtar"} // also packed, TOML, or read with a description beside them
	err := filepath.WalkDir("../testdata", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || slices.Contains(texts, filepath.Ext(path)) || e.Name() == "messages.txt" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil || len(data) > 64<<10 {
			return err
		}
		d := open(t, data, Options{Passwords: []string{"hunter2"}})
		if len(d.mangled) > 0 || d.IsForeign() != (e.Name() == "no-save-at-all.bin") {
			t.Errorf("%s: %s, %s", path, d.Wrappers(), d.Title)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestMangledAsked: the requested dialect does not change what was done to a file; the requested form of
// the file does.
func TestMangledAsked(t *testing.T) {
	data := manglings[1].do(readFile(t, "../testdata/godot4/save-inventory.bin"))
	if d := open(t, data, Options{Dialect: "godot3", Framing: "raw"}); !slices.Equal(d.Wrappers(), []string{"text-transfer"}) || d.Dialect != "godot3" {
		t.Errorf("%s, %s", d.Wrappers(), d.Dialect)
	}
	if d := open(t, data, Options{Input: "binary"}); len(d.Layers) > 0 {
		t.Error(d.Wrappers())
	}
	if d := open(t, data, Options{Defer: 100}); d.Missing == nil || d.Missing.Code != Deferred {
		t.Errorf("%+v", d.Missing)
	}
}

// TestMangledEdited: edited values of a mangled file stay in their buffer, even if they can no longer be
// read.
func TestMangledEdited(t *testing.T) {
	data := manglings[2].do(readFile(t, "../testdata/godot4/save-inventory.bin"))
	for _, edited := range [][]byte{answer, []byte("\xff\xff\xff\xffnonsense")} {
		d := open(t, data, Options{Instead: func(buffer int) source.Source {
			if buffer == 1 {
				return source.Bytes(edited)
			}
			return nil
		}})
		if !slices.Equal(d.Wrappers(), []string{"re-encoded"}) || d.Tree.Source.Size() != int64(len(edited)) {
			t.Errorf("%s around %d bytes", d.Wrappers(), d.Tree.Source.Size())
		}
	}
	good := readFile(t, "../testdata/godot4/save-inventory.bin")
	d := open(t, data, Options{Instead: func(buffer int) source.Source {
		if buffer == 0 {
			return source.Bytes(good)
		}
		return nil
	}})
	if len(d.Layers) > 0 || d.Tree.Source.Size() != int64(len(good)) {
		t.Errorf("after its repair: %s", d.Wrappers())
	}
}
