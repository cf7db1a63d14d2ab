package elephant_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/elephant/gml"
)

// TestRetyped: a value of another type comes as near to the old one as it can.
func TestRetyped(t *testing.T) {
	for _, c := range []struct{ was, to, literal, want string }{
		{"01 07", "f64", "f64(7)", "09 0000000000001c40"},
		{"01 07", "string", `string("7")`, "0b 3700"},
		{"01 07", "text", `text("7")`, "0d 3700"},
		{"01 07", "bool", "true", "0a 01"},
		{"01 07", "array", "[]", "cd 0000"},
		{"01 07", "struct", "{}", "ce 0000"},
		{"01 07", "undefined", "undefined", "cf"},
		{"09 0000000000c07240", "u8", "u8(255)", "01 ff"},
		{"09 000000000000f8bf", "s8", "s8(-2)", "02 fe"},
		{"09 000000000000f8bf", "u16", "u16(0)", "03 0000"},
		{"09 000000000000f87f", "s32", "s32(0)", "06 00000000"},
		{"09 000000000000f07f", "u64", "u64(18446744073709551615)", "0c ffffffffffffffff"},
		{"09 00000000000c1f41", "f16", "f16(65504)", "07 ff7b"},
		{"0b 312e3500", "f32", "f32(1.5)", "08 0000c03f"},
		{"0b 786100", "u8", "u8(0)", "01 00"},
		{"cd 0100 01 07", "u8", "u8(0)", "01 00"},
	} {
		b := TableBlock(t, c.was)
		tr := b.Tree(b.Data)
		r, e := tr.NewReader(), tr.Reading.(edit.Editor)
		n, err := r.Resolve("$")
		if err != nil {
			t.Fatal(err)
		}
		got, err := e.Retyped(context.Background(), r, n, c.to)
		if err != nil || got != c.literal || !slices.Contains(e.Types(r, n), c.to) {
			t.Errorf("%s as %s: %s %v, %v", c.was, c.to, got, err, e.Types(r, n))
		}
		checkEdit(t, c.was, "retype set $="+c.literal, c.want)
	}
	b := TableBlock(t, "ce feff 0000 5000 01 0000 07 6800 cf")
	tr := b.Tree(b.Data)
	r, e := tr.NewReader(), tr.Reading.(edit.Editor)
	for path, want := range map[string]bool{"$": true, "$.a": false, "$.c": true} {
		n, err := r.Resolve(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.Retyped(context.Background(), r, n, "f64"); (err == nil) != want || len(e.Types(r, n)) > 0 != want {
			t.Errorf("%s: %v, %v", path, err, e.Types(r, n))
		}
	}
	n, _ := r.Resolve("$")
	if _, err := e.Retyped(context.Background(), r, n, "u7"); err == nil {
		t.Error("u7 is a datatype")
	}
}

// TestManyNumbers: references reach the first 65536 arrays and structs.
func TestManyNumbers(t *testing.T) {
	inner := strings.Repeat("0000", 65533) // with the two around them 65535
	b := TableBlock(t, "cd 0100 cd fdff cd "+inner)
	for _, c := range []struct {
		what string
		fits bool
	}{
		{"insert $ 1=ref($[0][65532])", true},
		{"insert $ 1=[[], ref($[0])]", true},
		{"insert $ 0=[[], ref($[0][65530])]", true},
		{"insert $ 0=[[], ref($[0][65532])]", true}, // the array moves to the reference
	} {
		_, err := do(t, &b, c.what)
		if (err == nil) != c.fits {
			t.Errorf("%s: %v", c.what, err)
		}
	}
	b = TableBlock(t, "cd 0200 cd fdff cd "+inner+" ffff feff") // and a reference to the last of them
	for what, fits := range map[string]bool{"insert $ 0=[]": true, "insert $ 0=[[]]": false, "insert $ 2=[[], []]": true} {
		if _, err := do(t, &b, what); (err == nil) != fits {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestCopyUndefined: an array whose elements have no bytes is copied with them, to another block too.
func TestCopyUndefined(t *testing.T) {
	b, ctx := Block{}, context.Background()
	from, data := b.Tree(Bytes(t, Head151+"cd 0100 cd 0300 cf"+Foot)), Bytes(t, Head151+"cd 0100 0a 01"+Foot)
	to := b.Tree(data)
	r, other := to.NewReader(), from.NewReader()
	copied, err := other.Resolve("$")
	if err != nil {
		t.Fatal(err)
	}
	n, err := r.Resolve("$")
	if err != nil {
		t.Fatal(err)
	}
	splices, err := to.Reading.(edit.Editor).Set(ctx, r, n, edit.Content{Copy: copied, From: other}, edit.Options{})
	if is, want := Spliced(t, data, splices), Bytes(t, Head151+"cd 0100 cd 0300 cf"+Foot); err != nil || !bytes.Equal(is, want) {
		t.Errorf("% x, %v", is, err)
	}
}

// TestEditDamaged: edits of damaged blocks are refused or made, and the result can be read like any bytes.
func TestEditDamaged(t *testing.T) {
	names, _ := filepath.Glob(Folder + "corrupt/*.bin")
	if len(names) < 40 {
		t.Fatal(len(names), "files")
	}
	l, err := gml.Load([]string{Folder})
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range names {
		b := Block{Name: filepath.Base(name), Data: Read(t, name), Libraries: []*gml.Library{l}}
		editAnything(t, &b)
		rnd := rand.New(rand.NewPCG(uint64(i), 1))
		for range 3 {
			changed := slices.Clone(b.Data)
			if len(changed) > 8 {
				changed[8+rnd.IntN(len(changed)-8)] = byte(rnd.Uint32())
			}
			editAnything(t, &Block{Name: b.Name, Data: changed, Libraries: b.Libraries})
		}
	}
}

// editAnything tries every edit of every value.
func editAnything(t *testing.T, b *Block) {
	t.Helper()
	tr, ctx := b.Tree(b.Data), context.Background()
	r, e := tr.NewReader(), tr.Reading.(edit.Editor)
	if len(b.Data) > 4096 {
		return
	}
	s := tr.Scanner()
	s.Elements = true
	count := 0
	s.Run(ctx, func(ev tree.Event) bool {
		if ev != tree.Enter && ev != tree.Atom {
			return true
		}
		n := s.Current(ev)
		for _, o := range []edit.Options{{Retype: true, Orphans: edit.Inherit}, {Orphans: edit.Undefined}} {
			for what, make := range map[string]func() ([]source.Splice, error){
				"set number": func() ([]source.Splice, error) { return e.Set(ctx, r, n, edit.Content{Literal: "1"}, o) },
				"set array":  func() ([]source.Splice, error) { return e.Set(ctx, r, n, edit.Content{Literal: "[[], {}]"}, o) },
				"set copy":   func() ([]source.Splice, error) { return e.Set(ctx, r, n, edit.Content{Copy: n, From: r}, o) },
				"insert": func() ([]source.Splice, error) {
					return e.Insert(ctx, r, n, 0, edit.Content{Key: "new", Literal: "{}"}, o)
				},
				"delete": func() ([]source.Splice, error) { return e.Delete(ctx, r, n, o) },
				"move":   func() ([]source.Splice, error) { return e.Move(ctx, r, n, 0, o) },
			} {
				splices, err := make()
				if err != nil {
					continue
				}
				whole(t, fmt.Sprint(b.Name, " ", r.Path(n), " ", what), b, Spliced(t, b.Data, splices))
			}
		}
		count++
		return count < 60
	})
}

// whole checks that fields tile the bytes.
func whole(t *testing.T, what string, b *Block, data []byte) {
	t.Helper()
	at := int64(0)
	err := b.Tree(data).EachField(context.Background(), func(f tree.OwnedField) error {
		if f.Offset != at {
			t.Fatalf("%s: a field at %d, want %d", what, f.Offset, at)
		}
		at = f.End()
		return nil
	})
	if err != nil || at != int64(len(data)) {
		t.Fatalf("%s: the fields end at %d of %d, %v", what, at, len(data), err)
	}
}
