package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// processorTime returns the time that all threads of a process have used. Its unit in /proc is 10 ms on
// every Linux.
func processorTime(pid int) (time.Duration, error) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	// The second field is the program's name in parentheses, which may contain
	// anything.
	fields := strings.Fields(string(b[bytes.LastIndexByte(b, ')')+1:]))
	const user, system = 11, 12 // fields 14 and 15 of proc(5)
	if len(fields) <= system {
		return 0, fmt.Errorf("/proc/%d/stat: too short", pid)
	}
	var ticks int64
	for _, field := range fields[user : system+1] {
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return 0, err
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond, nil
}

// runnable reports whether a thread of the process runs, waits for a processor, or
// waits for the disk.
func runnable(pid int) bool {
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid))
	for _, task := range tasks {
		b, err := os.ReadFile(task)
		if err != nil {
			continue // the thread has ended
		}
		state := bytes.TrimLeft(b[bytes.LastIndexByte(b, ')')+1:], " ")
		if len(state) > 0 && (state[0] == 'R' || state[0] == 'D') {
			return true
		}
	}
	return false
}

// privateMemory returns the RssAnon of a process in bytes: its own memory, without the mapped file.
func privateMemory(pid int) (int64, error) {
	f, err := os.Open(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if rest, found := strings.CutPrefix(lines.Text(), "RssAnon:"); found {
			kib, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
			return kib << 10, err
		}
	}
	return 0, fmt.Errorf("/proc/%d/status: no RssAnon", pid)
}

// A memoryWatch polls the private memory of a process and keeps the highest.
type memoryWatch struct {
	stop chan struct{}
	most chan int64
}

func watchMemory(pid int) memoryWatch {
	w := memoryWatch{make(chan struct{}), make(chan int64, 1)}
	go func() {
		var most int64
		for tick := time.NewTicker(2 * time.Millisecond); ; {
			if n, err := privateMemory(pid); err == nil {
				most = max(most, n)
			}
			select {
			case <-tick.C:
			case <-w.stop:
				tick.Stop()
				w.most <- most
				return
			}
		}
	}()
	return w
}

// highest ends the watch and returns the highest value.
func (w memoryWatch) highest() int64 {
	close(w.stop)
	return <-w.most
}
