package diagnose_test

import (
	"testing"

	"varview/decoder/diagnose"
	"varview/decoder/engine/source"
	"varview/decoder/formats/godot"
)

// damagedFiles are small files with one change each, which are searched thoroughly.
func damagedFiles(tb testing.TB) map[string][]byte {
	data := read(tb, settings)
	return map[string][]byte{
		"type":   put(data, 12, 1, 0x77),
		"length": put(data, 16, 1, 0x40),
		"lost":   put(data, 20, 4),
		"added":  put(data, 20, 0, 1, 2, 3, 4),
		"cut":    data[:len(data)/2],
	}
}

func diagnoseAll(tb testing.TB, data []byte) {
	err := diagnose.Run(background, treeOf(data, godot.Stream), diagnose.Options{}, func(diagnose.Diagnosis) bool { return true })
	if err != nil {
		tb.Fatal(err)
	}
}

// BenchmarkDamaged: the diagnosis of small damaged files.
func BenchmarkDamaged(b *testing.B) {
	for name, data := range damagedFiles(b) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				diagnoseAll(b, data)
			}
		})
	}
}

// TestRestartMemory: a scanner that restarts reuses its memory.
func TestRestartMemory(t *testing.T) {
	tr := treeOf(read(t, settings), godot.Stream)
	s, w := tr.Scanner(), source.NewWindow(tr.Source)
	for range 8 {
		s.Next()
	}
	c := s.Checkpoint()
	if n := testing.AllocsPerRun(10, func() {
		if !s.Restart(tr, &c, w, tr.Region) {
			t.Fatal("no restart")
		}
		for range 8 {
			s.Next()
		}
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
