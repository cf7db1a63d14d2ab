package engine_test

import (
	"bytes"
	"testing"

	"varview/decoder/engine/background"
)

func TestWait(t *testing.T) {
	ran := false
	background.Start(func() { ran = true }).Wait()
	if !ran {
		t.Error("it has not run")
	}
}

// A panic passes through everything that waits for it, with the stack of where it happened.
func TestPanic(t *testing.T) {
	defer func() {
		p := background.Recovered(recover())
		if p == nil || p.Error() != "on purpose" || !bytes.Contains(p.Stack, []byte("engine_test.fails")) {
			t.Errorf("recovered %v", p)
		}
	}()
	background.Start(func() { background.Start(fails).Wait() }).Wait()
	t.Error("it did not panic")
}

func fails() { panic("on purpose") }
