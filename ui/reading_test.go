package ui

import (
	"testing"

	"github.com/muesli/termenv"
)

// TestReadingWaits holds that nothing is read in the background before the first frame is on the screen.
func TestReadingWaits(t *testing.T) {
	s := openUnsized(t, save(t, array(integer(1), integer(2))), termenv.Ascii)
	drawn, done := make(chan struct{}), make(chan struct{})
	s.m.desk.Reading.After = drawn
	read := s.m.desk.ReadOn()
	go func() {
		defer close(done)
		read()
	}()
	b := s.m.desk.Doc.Innermost()
	if _, indexed := b.Indexed(); indexed {
		t.Error("it was read before")
	}
	select {
	case drawn <- struct{}{}:
	case <-done:
		t.Fatal("it was read before the first frame")
	}
	<-done
	if _, indexed := b.Indexed(); !indexed {
		t.Error("it was not read after the first frame")
	}
}
