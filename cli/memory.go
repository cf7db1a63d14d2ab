package cli

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

const (
	// softMemory is the number of bytes near which the garbage collector works harder, so that memory for
	// one large block does not double.
	softMemory = 112 << 20

	// rareCollections is the growth of the heap in percent before garbage is collected: most commands end
	// before they have used 20 MiB, and softMemory limits the others.
	rareCollections = 400
)

// limitMemory limits the memory that the program takes before garbage is collected.
func limitMemory() {
	debug.SetGCPercent(rareCollections)
	debug.SetMemoryLimit(softMemory)
	afterCollection()
}

// afterCollection raises the limit, from the next collection on, if so much memory is in use that the
// collector would do nothing else.
func afterCollection() {
	runtime.AddCleanup(new([64]byte), func(int) {
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		if metrics.Read(live); live[0].Value.Kind() == metrics.KindUint64 {
			limit := int64(softMemory)
			if used := int64(live[0].Value.Uint64()); used > softMemory/4*3 {
				limit = 2 * used
			}
			if limit != debug.SetMemoryLimit(-1) {
				debug.SetMemoryLimit(limit)
			}
		}
		afterCollection()
	}, 0)
}
