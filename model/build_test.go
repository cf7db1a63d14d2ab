package model

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"

	"varview/decoder"
)

// What follows builds values as Godot 4 writes them.

const (
	tBool, tInt, tFloat, tString, tVector2, tVector3                 = 1, 2, 3, 4, 5, 9
	tDictionary, tArray, tPackedByte, tPackedInt32, tPackedFloat32   = 27, 28, 29, 30, 32
	tPackedString, tPackedVector2, tNodePath, tStringName, tUnsorted = 34, 35, 22, 21, 77
)

func words(vs ...uint32) []byte {
	var b []byte
	for _, v := range vs {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	return b
}

func cat(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

func null() []byte { return words(0) }

func boolean(b bool) []byte {
	if b {
		return words(tBool, 1)
	}
	return words(tBool, 0)
}

func integer(n int32) []byte { return words(tInt, uint32(n)) }

func long(n int64) []byte { return binary.LittleEndian.AppendUint64(words(tInt|1<<16), uint64(n)) }

func single(f float32) []byte { return words(tFloat, math.Float32bits(f)) }

func double(f float64) []byte {
	return binary.LittleEndian.AppendUint64(words(tFloat|1<<16), math.Float64bits(f))
}

// counted is text behind its length, with padding.
func counted(s string) []byte {
	b := append(words(uint32(len(s))), s...)
	for len(b)%4 != 0 {
		b = append(b, 0)
	}
	return b
}

func text(s string) []byte { return cat(words(tString), counted(s)) }

func vector2(x, y float32) []byte { return words(tVector2, math.Float32bits(x), math.Float32bits(y)) }

// array holds values, dictionary keys and values in turn.
func array(values ...[]byte) []byte {
	return cat(words(tArray, uint32(len(values))), cat(values...))
}

func dictionary(keysAndValues ...[]byte) []byte {
	return cat(words(tDictionary, uint32(len(keysAndValues)/2)), cat(keysAndValues...))
}

func packedBytes(b ...byte) []byte { return cat(words(tPackedByte), counted(string(b))) }

func packedInts(vs ...uint32) []byte {
	return cat(words(tPackedInt32, uint32(len(vs))), words(vs...))
}

func packedFloats(vs ...float32) []byte {
	b := words(tPackedFloat32, uint32(len(vs)))
	for _, v := range vs {
		b = append(b, words(math.Float32bits(v))...)
	}
	return b
}

func packedStrings(vs ...string) []byte {
	b := words(tPackedString, uint32(len(vs)))
	for _, v := range vs {
		b = append(b, counted(v)...)
	}
	return b
}

func packedVectors(vs ...float32) []byte {
	b := words(tPackedVector2, uint32(len(vs)/2))
	for _, v := range vs {
		b = append(b, words(math.Float32bits(v))...)
	}
	return b
}

// stream puts each value behind its length.
func stream(values ...[]byte) []byte {
	var b []byte
	for _, v := range values {
		b = append(append(b, words(uint32(len(v)))...), v...)
	}
	return b
}

// nested is an array in an array, levels deep.
func nested(levels int) []byte {
	b := bytes.Repeat(words(tArray, 1), levels)
	return append(b, integer(7)...)
}

// write puts data into a file of the test.
func write(t testing.TB, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "save.bin")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// openFile opens a file for the length of the test.
func openFile(t testing.TB, path string, o decoder.Options) *Document {
	t.Helper()
	return openWith(t, path, Options{Options: o})
}

// openWith opens a file with schemas, perhaps, for the length of the test.
func openWith(t testing.TB, path string, o Options) *Document {
	t.Helper()
	doc, err := Open(context.Background(), path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { doc.Close() })
	return doc
}

// open opens data as Godot 4 wrote it, which short or damaged files leave in
// doubt.
func open(t testing.TB, data []byte, framing string) *Document {
	t.Helper()
	return openFile(t, write(t, data), decoder.Options{Dialect: "godot4", Framing: framing})
}

// buildIndex reads all of a document.
func buildIndex(t testing.TB, d *Document) {
	t.Helper()
	for _, b := range d.Buffers {
		if err := b.Index(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
}

// realFiles are saves and packets that Godot 4 wrote.
func realFiles(t testing.TB) []string {
	t.Helper()
	paths, err := filepath.Glob("testdata/saves/*.bin")
	if err != nil || len(paths) == 0 {
		t.Fatal("no saves", err)
	}
	return paths
}
