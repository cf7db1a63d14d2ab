// Package background runs functions in goroutines of their own. A panic in one of them comes
// out where its end is waited for, and not as the end of the whole program, which could then
// not even give the terminal back.
package background

import (
	"fmt"
	"runtime/debug"
)

// A Task is a function that runs, or has run.
type Task struct {
	done  chan struct{}
	panic *Panic
}

// Start runs f.
func Start(f func()) *Task {
	t := &Task{done: make(chan struct{})}
	go func() {
		defer close(t.done)
		defer func() { t.panic = Recovered(recover()) }()
		f()
	}()
	return t
}

// Done is closed when f has ended.
func (t *Task) Done() <-chan struct{} { return t.done }

// Wait waits until f has ended. It panics with the *Panic of f, if there was one.
func (t *Task) Wait() {
	<-t.done
	if t.panic != nil {
		panic(t.panic)
	}
}

// A Panic is what a function has panicked with. It is an error for those who wait for
// its end.
type Panic struct {
	Value any
	Stack []byte // of the goroutine in which it happened
	Notes string // what else helps to find the mistake, lines of text
}

func (p *Panic) Error() string { return fmt.Sprint(p.Value) }

// Recovered returns the Panic for what recover has returned, nil for nil. It must be called
// by the deferred function, so that the stack is that of the panic.
func Recovered(value any) *Panic {
	if value == nil {
		return nil
	}
	if p, ok := value.(*Panic); ok { // it comes out where it was waited for
		return p
	}
	return &Panic{Value: value, Stack: debug.Stack()}
}
