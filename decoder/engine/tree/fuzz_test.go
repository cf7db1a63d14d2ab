package tree_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot"
)

// realFiles adds files that engines wrote, as every dialect and framing.
func realFiles(f *testing.F) {
	names, err := filepath.Glob("../../testdata/*.bin")
	if err != nil || len(names) == 0 {
		f.Fatal("no files: ", err)
	}
	for i, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for how := range uint8(32) {
			f.Add(data, how, uint8(i%3), uint8(i%2))
		}
	}
}

// reading returns one way to read data: how chooses dialect, framing and precision.
func reading(data []byte, how, skip, cut uint8) (*godot.Format, span.Span) {
	all := godot.Dialects()
	f := godot.New(godot.Settings{Dialect: all[int(how&7)%len(all)], Double: how&32 != 0, BigEndian: how&16 != 0})
	if how&24 != 0 {
		f.Framing = godot.Stream
	}
	from := min(int64(skip), int64(len(data)))
	return f, span.Between(from, max(from, int64(len(data))-int64(cut)))
}

// FuzzTile: the fields of any bytes are in order, not empty, and cover them.
func FuzzTile(f *testing.F) {
	realFiles(f)
	f.Fuzz(func(t *testing.T, data []byte, how, skip, cut uint8) {
		format, region := reading(data, how, skip, cut)
		tr := tree.New(source.Bytes(data), format, region)
		at := int64(0)
		err := tr.EachField(context.Background(), func(f tree.OwnedField) error {
			if f.Offset != at || f.Length <= 0 || len(f.Path) == 0 {
				t.Fatalf("field %+v at %d", f, at)
			}
			at = f.End()
			return nil
		})
		if err != nil || at != int64(len(data)) {
			t.Fatalf("fields end at %d of %d: %v", at, len(data), err)
		}
		err = tr.Check(context.Background(), tree.CheckOptions{}, func(p span.Problem, n *tree.Node) {
			if p.Offset < 0 || p.Length < 0 || p.End() > int64(len(data)) || p.Message == "" || p.Code == "" {
				t.Fatalf("problem %+v of %d bytes", p, len(data))
			}
			if n == nil {
				t.Fatalf("problem %+v of no value", p)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

// FuzzReader: whatever the bytes, all ways to find a value agree with a walk
// over all of them.
func FuzzReader(f *testing.F) {
	realFiles(f)
	f.Fuzz(func(t *testing.T, data []byte, how, skip, cut uint8) {
		if len(data) > 2048 {
			return
		}
		format, region := reading(data, how, skip, cut)
		consistent(t, data, func() tree.Reading { return format }, region)
	})
}
