package cli

import (
	"runtime"
	"runtime/debug"
	"sync"
	"testing"
	"time"
)

// TestLimitMemory: the limit leaves room above what is in use, and is lowered again afterwards.
func TestLimitMemory(t *testing.T) {
	percent, limit := debug.SetGCPercent(100), debug.SetMemoryLimit(-1)
	defer debug.SetMemoryLimit(limit)
	defer debug.SetGCPercent(percent)
	limitMemory()
	reaches := func(what string, ok func(limit int64) bool) {
		t.Helper()
		for deadline := time.Now().Add(20 * time.Second); !ok(debug.SetMemoryLimit(-1)); time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("%s: the limit is %d", what, debug.SetMemoryLimit(-1))
			}
			runtime.GC()
		}
	}
	large := make([]byte, 2*softMemory)
	reaches("much is in use", func(limit int64) bool { return limit > int64(len(large)) })
	runtime.KeepAlive(large)
	large = nil
	reaches("it is free again", func(limit int64) bool { return limit == softMemory })

	var ready sync.WaitGroup
	done := make(chan bool)
	defer close(done)
	for range 64 {
		ready.Add(1)
		go deep(1<<20/1024, func() { ready.Done(); <-done })
	}
	ready.Wait()
	large = make([]byte, softMemory/2)
	reaches("stacks take the rest", func(limit int64) bool { return limit > softMemory })
	runtime.KeepAlive(large)
}

// deep calls f with a stack of n KiB.
func deep(n int, f func()) {
	var kilobyte [1024]byte
	if n == 0 {
		f()
		return
	}
	deep(n-1, f)
	runtime.KeepAlive(&kilobyte)
}
