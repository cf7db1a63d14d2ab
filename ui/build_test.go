package ui

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// These build values as Godot 4 writes them.

func words(vs ...uint32) []byte {
	var b []byte
	for _, v := range vs {
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	return b
}

func integer(n int32) []byte { return words(2, uint32(n)) }

func str(s string) []byte {
	b := append(words(4, uint32(len(s))), s...)
	for len(b)%4 != 0 {
		b = append(b, 0)
	}
	return b
}

func array(values ...[]byte) []byte {
	b := words(28, uint32(len(values)))
	for _, v := range values {
		b = append(b, v...)
	}
	return b
}

func dictionary(keysAndValues ...[]byte) []byte {
	b := words(27, uint32(len(keysAndValues)/2))
	for _, v := range keysAndValues {
		b = append(b, v...)
	}
	return b
}

func stream(values ...[]byte) []byte {
	var b []byte
	for _, v := range values {
		b = append(append(b, words(uint32(len(v)))...), v...)
	}
	return b
}

// boolean and float are a bool and a float of 32 bits, as Godot 4 writes them.
func boolean(v uint32) []byte { return words(1, v) }

func float(v float32) []byte { return words(3, math.Float32bits(v)) }

// save writes data to a temporary file.
func save(t testing.TB, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "save.bin")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
