package random

import (
	"flag"
	"testing"
)

var (
	sessions = flag.Uint64("sessions", 5, "number of sessions")
	steps    = flag.Int("steps", 100, "number of steps in each session")
)

// TestPlay uses the terminal program at random; more of it with -sessions 200 -steps 150.
func TestPlay(t *testing.T) {
	files, err := Files("../../testdata")
	if err != nil || len(files) < 15 {
		t.Fatalf("%d kinds of files (%v)", len(files), err)
	}
	t.Chdir(t.TempDir())
	for n := range *sessions {
		seed := *seed + n*max(1, uint64(len(files)) / *sessions)
		if err := Play(t.Context(), Pick(files, seed), seed, *steps); err != nil {
			t.Errorf("seed %d, %s: %v", seed, Pick(files, seed), err)
		}
	}
}
