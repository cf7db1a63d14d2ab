package endtoend

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"
)

// TestLateEvidence reads a file whose first 256 KiB, which decide what is shown at first, are the same in
// Godot 3 and 4, and whose end is not.
func TestLateEvidence(t *testing.T) {
	frame := func(words ...uint32) (b []byte) {
		b = binary.LittleEndian.AppendUint32(b, uint32(4*len(words)))
		for _, w := range words {
			b = binary.LittleEndian.AppendUint32(b, w)
		}
		return b
	}
	data := bytes.Repeat(frame(2, 7), 30_000)           // ints, 360 KB
	data = append(data, frame(22, 2, 0, 0x3f800000)...) // Godot 3: a PoolRealArray; Godot 4: no NodePath
	name := filepath.Join(t.TempDir(), "late.dat")
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if got, want := run(t, 0, "check", name).stdout, name+": Godot 3, stream of 30,001 values: no problems\n"; got != want {
		t.Errorf("check: %s", got)
	}
	if got, want := run(t, 0, "get", name, "[30000]").stdout, "PoolRealArray(0, 1)\n"; got != want {
		t.Errorf("get: %s", got)
	}
}
