package endtoend

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestBeyond4GiB reads a value at an offset that needs more than 32 bits.
func TestBeyond4GiB(t *testing.T) {
	if testing.Short() || runtime.GOOS == "windows" {
		t.Skip("makes a file of 6 GiB with holes")
	}
	const part = 3 << 29 // no engine reads an array of 2 GiB
	name := filepath.Join(t.TempDir(), "large.dat")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	le := binary.LittleEndian
	frame := func(at int64, words ...uint32) {
		var b []byte
		for _, w := range words {
			b = le.AppendUint32(b, w)
		}
		if _, err := f.WriteAt(b, at); err != nil {
			t.Skip("no file with holes: ", err)
		}
	}
	for i := range int64(4) {
		frame(i*part, part-4, 29, part-12) // a PackedByteArray
	}
	frame(4*part, 8, 2, 42) // int 42

	if got := run(t, 0, "get", name, "[4]").stdout; got != "42\n" {
		t.Errorf("get: %q", got)
	}
	dump := run(t, 0, "dump", name).stdout
	if want := "180000008  2a 00 00 00              value       42\n"; !strings.HasSuffix(dump, want) {
		t.Errorf("dump ends in %q, want %q", dump[max(0, len(dump)-100):], want)
	}
	json := run(t, 0, "dump", "--json", name).stdout
	if want := `{"buffer":0,"offset":6442450952,"length":4,"kind":"value","label":"value","path":"$[4]","value":"42"}` + "\n"; !strings.HasSuffix(json, want) {
		t.Errorf("dump --json ends in %q, want %q", json[max(0, len(json)-200):], want)
	}
	if got := run(t, 0, "check", name).stdout; got != name+": Godot 4, stream of 5 values: no problems\n" {
		t.Errorf("check: %q", got)
	}
	if got := run(t, 0, "get", "--framing", "stream", "--offset", "0x180000000", name, "$[0]").stdout; got != "42\n" {
		t.Errorf("get --offset: %q", got)
	}
}
