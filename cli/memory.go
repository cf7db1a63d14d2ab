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
		limit := int64(softMemory)
		if live, used := memoryInUse(); limit-used < live/4 {
			limit = 2 * used
		}
		if limit != debug.SetMemoryLimit(-1) {
			debug.SetMemoryLimit(limit)
		}
		afterCollection()
	}, 0)
}

// memoryInUse returns the bytes of the objects that the last collection kept, and these bytes with all else
// that counts for the limit: stacks, gaps between objects, and what the runtime keeps for itself.
func memoryInUse() (live, used int64) {
	samples := []metrics.Sample{
		{Name: "/gc/heap/live:bytes"},
		{Name: "/memory/classes/total:bytes"},
		{Name: "/memory/classes/heap/objects:bytes"},
		{Name: "/memory/classes/heap/free:bytes"},
		{Name: "/memory/classes/heap/released:bytes"},
	}
	metrics.Read(samples)
	live = int64(samples[0].Value.Uint64())
	used = live + int64(samples[1].Value.Uint64())
	for _, without := range samples[2:] {
		used -= int64(without.Value.Uint64())
	}
	return live, used
}
