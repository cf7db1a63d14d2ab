package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"sync"

	"varview/cli/output"
)

// MaxBaseline is the size up to which a baseline is read, in bytes.
const MaxBaseline = 256 << 20

// A Baseline has the problems that are known, from check --json. It may be used by several goroutines.
type Baseline struct {
	mu    sync.Mutex
	known map[knownProblem]int
}

// A knownProblem tells a problem from others. Its offset changes with the bytes before it.
type knownProblem struct{ file, code, path string }

// ReadBaseline reads the output of check --json; name is for errors.
func ReadBaseline(name string, b []byte) (*Baseline, error) {
	known := map[knownProblem]int{}
	for n, line := range bytes.Split(b, []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var f Line
		if err := json.Unmarshal(line, &f); err != nil || f.File == "" || f.Code == "" {
			return nil, fmt.Errorf("%s: line %d is not a problem as \"check --json\" prints it", name, n+1)
		}
		known[knownProblem{filepath.Clean(f.File), f.Code, f.Path}]++
	}
	return &Baseline{known: known}, nil
}

// Takes reports whether a problem is known, once for each time that the baseline has it.
func (b *Baseline) Takes(file, code, path string) bool {
	if b == nil {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	p := knownProblem{filepath.Clean(file), code, ""}
	json.Unmarshal(output.AppendPathJSON(nil, []byte(path)), &p.path) // as it was printed: long ones are shortened
	b.known[p]--
	return b.known[p] >= 0
}
