package ui

import (
	"fmt"
	"strings"
	"sync"
)

// maxTrail is the largest number of messages in a report about a panic.
const maxTrail = 100

// A trail holds the names of the last messages, with how often each was repeated. A panic in another
// goroutine lists them too.
type trail struct {
	mu   sync.Mutex
	last []happened
}

type happened struct {
	name  string
	times int
}

func (t *trail) add(name string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if n := len(t.last); n > 0 && t.last[n-1].name == name {
		t.last[n-1].times++
		return
	}
	if len(t.last) == maxTrail {
		t.last = append(t.last[:0], t.last[1:]...)
	}
	t.last = append(t.last, happened{name, 1})
}

// list returns a line for each action, latest last.
func (t *trail) list() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var b strings.Builder
	b.WriteString("last actions:\n")
	for _, x := range t.last {
		fmt.Fprintf(&b, "  %s", x.name)
		if x.times > 1 {
			fmt.Fprintf(&b, " (%d times)", x.times)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
