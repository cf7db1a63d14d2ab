package background

import (
	"fmt"
	"strings"
	"sync"
)

// maxTrail is the largest number of names in a report about a panic.
const maxTrail = 100

// A Trail holds the names of the last things that have happened, and how often each came in a row. A panic in another goroutine lists them too.
type Trail struct {
	mu    sync.Mutex
	last  []string
	times []int
}

// Add adds what happens now.
func (t *Trail) Add(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(t.last)
	if n > 0 && t.last[n-1] == name {
		t.times[n-1]++
		return
	}
	from := max(0, n+1-maxTrail)
	t.last, t.times = append(t.last[from:], name), append(t.times[from:], 1)
}

// List returns a line for each action, latest last.
func (t *Trail) List() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := "last actions:\n"
	for i, name := range t.last {
		lines += strings.TrimSuffix(fmt.Sprintf("  %s (%d times)", name, t.times[i]), " (1 times)") + "\n"
	}
	return lines
}
