// Package background runs functions in goroutines. A panic in one of them surfaces where its end is waited
// for, instead of ending the whole program before it can restore the terminal.
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

// Wait waits until f has ended. If f panicked, Wait panics with its *Panic.
func (t *Task) Wait() {
	<-t.done
	if t.panic != nil {
		panic(t.panic)
	}
}

// A Panic holds the value that a function panicked with. It is an error for those who wait for the
// function.
type Panic struct {
	Value any
	Stack []byte // stack of the goroutine in which it happened
	Notes string // more lines of text that help to find the mistake
}

func (p *Panic) Error() string { return fmt.Sprint(p.Value) }

// Recovered returns the Panic for a value returned by recover, or nil for nil. It must be called by the
// deferred function, so that the stack is that of the panic.
func Recovered(value any) *Panic {
	if value == nil {
		return nil
	}
	if p, ok := value.(*Panic); ok { // it surfaces where it was waited for
		return p
	}
	return &Panic{Value: value, Stack: debug.Stack()}
}
