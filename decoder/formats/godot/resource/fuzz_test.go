package resource_test

import (
	"bytes"
	"context"
	"encoding/json"
	"math/rand/v2"
	"testing"

	"varview/decoder/edit"
	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/resource"
)

// holds checks what is true for any bytes: the fields are in order, not empty, and cover them; the export
// is JSON; after any edit the fields cover the result.
func holds(t *testing.T, data []byte, dialect string) {
	t.Helper()
	src := source.Bytes(data)
	region := span.Between(0, src.Size())
	f := resource.Family.Formats(&format.Request{Dialect: dialect}, src, region)
	if len(f) == 0 {
		return
	}
	is := tree.New(src, f[0].Open(src, region), region)
	covers(t, is)
	var out bytes.Buffer
	r := is.NewReader()
	if err := r.WriteJSON(context.Background(), &out, &is.Base.Value); err != nil || !json.Valid(out.Bytes()) {
		t.Fatalf("%x: %q %v", data, out.String(), err)
	}
	written(t, is)
	x := is.Reading.(edit.Editor)
	for _, path := range []string{"$.resources[0]", "$.resources[0].properties", "$.properties", "$.external[0]", "$.strings[0]"} {
		n, err := r.Resolve(path)
		if err != nil {
			continue
		}
		for _, edited := range []func() ([]source.Splice, error){
			func() ([]source.Splice, error) {
				return x.Delete(context.Background(), r, n, edit.Options{Orphans: edit.Undefined})
			},
			func() ([]source.Splice, error) {
				return x.Insert(context.Background(), r, n, 0, edit.Content{Key: `"new"`, Literal: `^"a:b"`}, edit.Options{})
			},
			func() ([]source.Splice, error) {
				return x.Set(context.Background(), r, n, edit.Content{Literal: `"longer than before"`}, edit.Options{Retype: true})
			},
		} {
			if splices, err := edited(); err == nil {
				after, _ := is.Edited(source.Whole(src).Splice(splices), splices, func(span.Problem) {})
				covers(t, after)
			}
		}
	}
}

func covers(t *testing.T, is *tree.Tree) {
	t.Helper()
	at := int64(0)
	err := is.EachField(context.Background(), func(f tree.OwnedField) error {
		if f.Offset != at || f.Length <= 0 {
			t.Fatalf("%s %s at %s, not at %#x", f.Kind, f.Label, f.Span, at)
		}
		at = f.End()
		return nil
	})
	if err == nil {
		err = is.Check(context.Background(), tree.CheckOptions{}, func(span.Problem, *tree.Node) {})
	}
	if err != nil || at != is.Source.Size() {
		t.Fatalf("the fields end at %#x of %#x: %v", at, is.Source.Size(), err)
	}
}

// TestDamage cuts files, and changes bytes of them.
func TestDamage(t *testing.T) {
	for i, name := range files(t) {
		b := load(t, name)
		random := rand.New(rand.NewPCG(uint64(i), 0))
		for range 60 {
			changed := bytes.Clone(b)
			for range 1 + random.IntN(3) {
				changed[random.IntN(len(b))] = []byte{0, 1, 0x7f, 0x80, 0xff, byte(random.IntN(256))}[random.IntN(6)]
			}
			if random.IntN(3) == 0 {
				changed = changed[:random.IntN(len(changed))]
			}
			holds(t, changed, []string{"", "godot3-resource", "godot4-resource"}[random.IntN(3)])
		}
	}
}

func FuzzTile(f *testing.F) {
	for _, name := range files(f) {
		f.Add(load(f, name), uint8(0))
		f.Add(load(f, name)[4:], uint8(1))
	}
	f.Fuzz(func(t *testing.T, data []byte, as uint8) {
		holds(t, data, []string{"", "godot3-resource", "godot4-resource"}[as%3])
	})
}
