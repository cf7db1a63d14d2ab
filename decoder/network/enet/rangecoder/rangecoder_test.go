package rangecoder

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestConnect: CONNECT as Godot 3.2.3 has packed it, from the first datagrams of
// enet-peer-range.pcap, without their headers.
func TestConnect(t *testing.T) {
	const constant = "82ff00010000ffff0000057800010000000000030000000000000000000013880000000200000002"
	for _, c := range []struct {
		packed string
		id     uint32 // the id that the engine has logged for the client
	}{
		{"837b88b1fdf1df576b999b36fcbc3cfb8a54df98ab2be74c6edbec32789f98f14935", 367212041},
		{"837b88b1fdf1df576b999b36fcbc3cfb8a54df98ab2be74ece0b80cea87c2e9d01b0", 427377773},
	} {
		b, err := hex.DecodeString(c.packed)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Unpack(make([]byte, 0, 4096), b)
		if text := hex.EncodeToString(got); err != nil || len(got) != 48 || !strings.HasPrefix(text, constant) || text[88:] != fmt.Sprintf("%08x", c.id) {
			t.Errorf("%x: %v", got, err)
		}
	}
}

// numbers returns n numbers of a generator, each with some bits, times a factor.
func numbers(seed uint32, n int, mask, times byte) (b []byte) {
	for range n {
		seed = (seed*1103515245 + 12345) & 0x7fffffff
		b = append(b, (byte(seed>>16)&mask)*times)
	}
	return b
}

// TestLibrary: what ENet 1.3.17 has packed (testdata), with more bytes than a datagram so that counts are
// halved and the model begins anew, is unpacked.
func TestLibrary(t *testing.T) {
	for name, want := range map[string][]byte{
		"zeros":  make([]byte, 4000),
		"few":    numbers(1, 4096, 3, 1),
		"text":   []byte(strings.Repeat("the quick brown fox jumps over the lazy dog ", 100)[:4096]),
		"random": numbers(7, 4096, 255, 1),
		"some":   numbers(9, 4096, 31, 5),
		"long":   numbers(3, 40000, 7, 1),
	} {
		packed, err := os.ReadFile("testdata/" + name + ".bin")
		if err != nil {
			t.Fatal(err)
		}
		got, err := Unpack(make([]byte, 0, len(want)), packed)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes of %d, %v", name, len(got), len(want), err)
		}
		if _, err := Unpack(make([]byte, 0, len(want)-1), packed); !errors.Is(err, errTooMuch) {
			t.Errorf("%s with too little room: %v", name, err)
		}
	}
}

// FuzzUnpack: any bytes unpack to at most the capacity.
func FuzzUnpack(f *testing.F) {
	for _, name := range []string{"zeros", "text", "random"} {
		packed, err := os.ReadFile("testdata/" + name + ".bin")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(packed)
	}
	f.Fuzz(func(t *testing.T, packed []byte) {
		dst := append(make([]byte, 0, 5000), "abc"...)
		if got, _ := Unpack(dst, packed); len(got) > 5000 || !bytes.HasPrefix(got, []byte("abc")) {
			t.Fatalf("%d bytes", len(got))
		}
	})
}
