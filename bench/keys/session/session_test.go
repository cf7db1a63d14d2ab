package session

import "testing"

// Ten sessions; bench/keys plays more.
func TestPlay(t *testing.T) {
	files, err := Files("../../../testdata")
	if err != nil || len(files) < 15 {
		t.Fatalf("%d kinds of files (%v)", len(files), err)
	}
	t.Chdir(t.TempDir())
	for n := range uint64(10) {
		seed := n * uint64(len(files)) / 10
		if err := Play(t.Context(), Pick(files, seed), seed, 100); err != nil {
			t.Errorf("seed %d, %s: %v", seed, Pick(files, seed), err)
		}
	}
}
