// Package savetest makes saves for tests: values as Godot 4 writes them, good, damaged and random, and
// the files of testdata.
package savetest

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// The numbers of types. TUnsorted is not a type.
const (
	TBool, TInt, TFloat, TString, TVector2, TVector3                 = 1, 2, 3, 4, 5, 9
	TDictionary, TArray, TPackedByte, TPackedInt32, TPackedFloat32   = 27, 28, 29, 30, 32
	TPackedString, TPackedVector2, TNodePath, TStringName, TUnsorted = 34, 35, 22, 21, 77
)

// Words returns numbers of four bytes.
func Words(vs ...uint32) []byte {
	var b []byte
	for _, v := range vs {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	return b
}

// Cat concatenates bytes.
func Cat(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

// Null returns the value null.
func Null() []byte { return Words(0) }

// Boolean returns a bool.
func Boolean(b bool) []byte {
	if b {
		return Words(TBool, 1)
	}
	return Words(TBool, 0)
}

// Integer returns an int of four bytes.
func Integer(n int32) []byte { return Words(TInt, uint32(n)) }

// Long returns an int of eight bytes.
func Long(n int64) []byte { return binary.LittleEndian.AppendUint64(Words(TInt|1<<16), uint64(n)) }

// Single returns a float of four bytes.
func Single(f float32) []byte { return Words(TFloat, math.Float32bits(f)) }

// Double returns a float of eight bytes.
func Double(f float64) []byte {
	return binary.LittleEndian.AppendUint64(Words(TFloat|1<<16), math.Float64bits(f))
}

// counted returns text after its length, with padding.
func counted(s string) []byte {
	b := append(Words(uint32(len(s))), s...)
	for len(b)%4 != 0 {
		b = append(b, 0)
	}
	return b
}

// Text returns a String.
func Text(s string) []byte { return Cat(Words(TString), counted(s)) }

// Vector2 returns a Vector2 of two floats of four bytes.
func Vector2(x, y float32) []byte { return Words(TVector2, math.Float32bits(x), math.Float32bits(y)) }

// Array returns an Array of values.
func Array(values ...[]byte) []byte {
	return Cat(Words(TArray, uint32(len(values))), Cat(values...))
}

// Dictionary returns a Dictionary of alternating keys and values.
func Dictionary(keysAndValues ...[]byte) []byte {
	return Cat(Words(TDictionary, uint32(len(keysAndValues)/2)), Cat(keysAndValues...))
}

// PackedBytes returns a PackedByteArray.
func PackedBytes(b ...byte) []byte { return Cat(Words(TPackedByte), counted(string(b))) }

// PackedInts returns a PackedInt32Array.
func PackedInts(vs ...uint32) []byte {
	return Cat(Words(TPackedInt32, uint32(len(vs))), Words(vs...))
}

// PackedFloats returns a PackedFloat32Array.
func PackedFloats(vs ...float32) []byte {
	b := Words(TPackedFloat32, uint32(len(vs)))
	for _, v := range vs {
		b = append(b, Words(math.Float32bits(v))...)
	}
	return b
}

// PackedStrings returns a PackedStringArray.
func PackedStrings(vs ...string) []byte {
	b := Words(TPackedString, uint32(len(vs)))
	for _, v := range vs {
		b = append(b, counted(v)...)
	}
	return b
}

// PackedVectors returns a PackedVector2Array, with two numbers for each vector.
func PackedVectors(vs ...float32) []byte {
	b := Words(TPackedVector2, uint32(len(vs)/2))
	for _, v := range vs {
		b = append(b, Words(math.Float32bits(v))...)
	}
	return b
}

// Stream returns values, each after its length.
func Stream(values ...[]byte) []byte {
	var b []byte
	for _, v := range values {
		b = append(append(b, Words(uint32(len(v)))...), v...)
	}
	return b
}

// Nested returns arrays nested to a depth of levels.
func Nested(levels int) []byte {
	b := bytes.Repeat(Words(TArray, 1), levels)
	return append(b, Integer(7)...)
}

// Write writes data into a file of the test and returns its name.
func Write(t testing.TB, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "save.bin")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
