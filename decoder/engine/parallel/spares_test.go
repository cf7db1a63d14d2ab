package parallel

import "testing"

// TestSpares checks that things are reused, and never twice at once.
func TestSpares(t *testing.T) {
	made := 0
	s := Spares[int]{New: func() int { made++; return made }}
	a, b := s.Get(), s.Get()
	if a == b {
		t.Error("one is used twice")
	}
	s.Put(a)
	if c := s.Get(); c != a || made != 2 {
		t.Errorf("%d and %d were made, then %d; %d in all", a, b, c, made)
	}
}
