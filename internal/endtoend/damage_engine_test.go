//go:build unix

package endtoend

import (
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"varview/bench/damage/measure"
	"varview/internal/variantref"
)

// TestVariantReferenceEngine compares what the second reader reads from damaged
// files with what the real engine reads. For a value that it refuses the engine
// gives null.
func TestVariantReferenceEngine(t *testing.T) {
	if _, err := exec.LookPath("godot3-server"); err != nil {
		t.Skip("the engine is not here: install godot3-server (Godot 3, headless)")
	}
	dir := t.TempDir()
	var jobs []engineJob
	var want, about []string
	refused := 0
	for _, name := range damageFiles(t, "testdata/godot3/*.bin") {
		f, err := measure.Load(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		if f.Framing != "raw" || f.Dialect != "godot3" || f.HasObjects() {
			continue
		}
		random := f.Rand(1)
		for range 40 {
			m := f.Random(random)
			data := m.Apply(f.Data)
			r, err := variantref.Read(data, variantref.Options{Dialect: "godot3"})
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, fmt.Sprint(len(jobs)))
			frame := binary.LittleEndian.AppendUint32(nil, uint32(len(data))) // bytes2var would end the script
			if err := os.WriteFile(path, append(frame, data...), 0o600); err != nil {
				t.Fatal(err)
			}
			value := r.Frames[0].Value
			if r.Frames[0].Err != "" {
				refused, value = refused+1, "null"
			}
			jobs = append(jobs, engineJob{Do: "read", Path: path, Count: 1})
			want, about = append(want, likeTruth(value)), append(about, fmt.Sprintf("%s: %v at %#x, % x to % x", name, m.Way, m.At, m.Old, m.New))
		}
	}
	if refused < 100 || len(jobs)-refused < 100 {
		t.Fatalf("%d files, of which %d are refused", len(jobs), refused)
	}
	for i, answer := range askEngine(t, jobs) {
		if got := likeTruth(canonicalTyped(list(answer)[0])); got != want[i] {
			t.Errorf("%s:\nthe engine reads %s\n             not %s", about[i], got, want[i])
		}
	}
}
