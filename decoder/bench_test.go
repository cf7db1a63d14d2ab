package decoder

import (
	"context"
	"encoding/binary"
	"io"
	"math"
	"strconv"
	"testing"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// dictionaries is a Dictionary with an Array of n small Dictionaries. Godot 3 and 4 write the same bytes
// except for type ids.
func dictionaries(n int, godot4 bool) []byte {
	ids := map[string]uint32{"Vector2": 5, "Dictionary": 18, "Array": 19}
	if godot4 {
		ids = map[string]uint32{"Vector2": 5, "Dictionary": 27, "Array": 28}
	}
	var b []byte
	u32 := func(vs ...uint32) {
		for _, v := range vs {
			b = binary.LittleEndian.AppendUint32(b, v)
		}
	}
	text := func(s string) {
		u32(4, uint32(len(s)))
		b = append(b, s...)
		b = append(b, 0, 0, 0)[:(len(b)+3)&^3]
	}
	names := []string{"Mira", "Torben", "Old Gate Keeper", "Søren Ødegård", "北の塔", "rusty_lantern", "Wolf", "Captain Ines"}
	u32(ids["Dictionary"], 1)
	text("items")
	u32(ids["Array"], uint32(n))
	for i := range uint32(n) {
		u32(ids["Dictionary"], 6)
		text("id")
		u32(2, i)
		text("name")
		text(names[i%8])
		text("pos")
		u32(ids["Vector2"], math.Float32bits(float32(i%32768)/8), math.Float32bits(-float32(i%999)/8))
		text("hp")
		if i%4 == 0 {
			u32(3 | 1<<16)
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(float64(i%1000)/4+0.1))
		} else {
			u32(3, math.Float32bits(float32(i%1000)/4))
		}
		text("tags")
		u32(ids["Array"], i%5)
		for j := range i % 5 {
			text("tag_" + strconv.Itoa(int(j*7)))
		}
		text("alive")
		u32(1, i&1)
	}
	return b
}

// file gives data to the benchmark in pieces, as most files come.
type file struct{ source.Bytes }

func document(b *testing.B, godot4 bool) *Document {
	data := dictionaries(40_000, godot4)
	b.SetBytes(int64(len(data)))
	d, err := Open(context.Background(), &file{data}, Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	return d
}

func BenchmarkIndex(b *testing.B) {
	d := document(b, false)
	for b.Loop() {
		t := tree.New(d.Tree.Source, d.Tree.Reading, span.Between(0, d.Tree.Source.Size()))
		if err := t.BuildIndex(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCheck(b *testing.B) {
	d := document(b, false)
	for b.Loop() {
		t := tree.New(d.Tree.Source, d.Tree.Reading, span.Between(0, d.Tree.Source.Size()))
		if err := t.Check(context.Background(), tree.CheckOptions{}, func(p span.Problem, _ *tree.Node) { b.Error(p) }); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkDetect opens the file, whose first 256 KiB are read in every dialect and framing.
func BenchmarkDetect(b *testing.B) {
	d := document(b, true)
	for b.Loop() {
		if _, err := Open(context.Background(), d.Tree.Source, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

// The speed of the benchmarks below is that of the output.

func BenchmarkJSON(b *testing.B) {
	benchmarkOutput(b, func(d *Document, out io.Writer) error {
		return d.Tree.NewReader().WriteJSON(context.Background(), out, &d.Tree.Base.Value)
	})
}

func BenchmarkText(b *testing.B) {
	benchmarkOutput(b, func(d *Document, out io.Writer) error {
		return d.Tree.NewReader().WriteText(context.Background(), out, &d.Tree.Base.Value)
	})
}

func BenchmarkFields(b *testing.B) {
	benchmarkOutput(b, func(d *Document, out io.Writer) error {
		return d.Tree.EachField(context.Background(), func(f tree.OwnedField) error {
			out.Write(f.Path)
			_, err := out.Write(f.Value)
			return err
		})
	})
}

// counter counts what is written to it.
type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

func benchmarkOutput(b *testing.B, write func(*Document, io.Writer) error) {
	d := document(b, true)
	var size counter
	for b.Loop() {
		size = 0
		if err := write(d, &size); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(int64(size))
}
