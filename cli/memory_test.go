package cli

import (
	"runtime"
	"runtime/debug"
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
}
