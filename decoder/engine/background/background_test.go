package background

import (
	"bytes"
	"testing"
)

func TestWait(t *testing.T) {
	ran := false
	Start(func() { ran = true }).Wait()
	if !ran {
		t.Error("it has not run")
	}
}

// A panic passes through everything that waits for it, with the stack of where it happened.
func TestPanic(t *testing.T) {
	defer func() {
		p := Recovered(recover())
		if p == nil || p.Error() != "on purpose" || !bytes.Contains(p.Stack, []byte("background.fails")) {
			t.Errorf("recovered %v", p)
		}
	}()
	Start(func() { Start(fails).Wait() }).Wait()
	t.Error("it did not panic")
}

func fails() { panic("on purpose") }
