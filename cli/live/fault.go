package live

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"varview/decoder/network"
	"varview/decoder/network/message"
	"varview/model/messages"
	"varview/model/search"
)

// A Fault is what a proxy does to packets that contain a matching message, or to all packets.
type Fault struct {
	query                    *search.Query // nil for all packets
	drop, duplicate, corrupt float64       // probabilities
	delay                    time.Duration
}

// maxDelay is the longest delay in a rule.
const maxDelay = time.Minute

// ParseFault parses a rule: an optional query, followed by what is done, as in drop=10% delay=50ms
// duplicate=5% corrupt=1%.
func ParseFault(rule string) (f Fault, err error) {
	words := strings.Fields(rule)
	n := len(words)
	for n > 0 {
		name, value, ok := strings.Cut(words[n-1], "=")
		if !ok || !f.set(name, value, &err) {
			break
		}
		if err != nil {
			return f, fmt.Errorf("%s: %w", words[n-1], err)
		}
		n--
	}
	if n == len(words) {
		return f, fmt.Errorf("%q does nothing: a rule has to end with one or more of drop=10%% delay=50ms duplicate=5%% corrupt=1%%", rule)
	}
	if n > 0 {
		q, err := messages.ParseQuery(strings.Join(words[:n], " "))
		if err != nil {
			return f, err
		}
		f.query = &q
	}
	return f, nil
}

// set parses one action of a rule. It returns false if there is no action of that name.
func (f *Fault) set(name, value string, err *error) bool {
	switch name {
	case "drop":
		f.drop, *err = parseShare(value)
	case "duplicate":
		f.duplicate, *err = parseShare(value)
	case "corrupt":
		f.corrupt, *err = parseShare(value)
	case "delay":
		if f.delay, *err = time.ParseDuration(value); *err != nil || f.delay < 0 || f.delay > maxDelay {
			*err = fmt.Errorf("a delay must be a time up to %v, such as 50ms", maxDelay)
		}
	default:
		return false
	}
	return true
}

// parseShare parses a percentage as a probability.
func parseShare(s string) (float64, error) {
	digits, ok := strings.CutSuffix(s, "%")
	x, err := strconv.ParseFloat(digits, 64)
	if !ok || err != nil || !(x >= 0 && x <= 100) {
		return 0, fmt.Errorf("%q is not a percentage from 0%% to 100%%", s)
	}
	return x / 100, nil
}

func (f *Fault) holds(m *message.Message) bool {
	return f.query != nil && f.query.Holds(m)
}

// isOnlyLate reports whether the fault only delays.
func (f *Fault) isOnlyLate() bool { return f.drop == 0 && f.duplicate == 0 && f.corrupt == 0 }

// A delivery is what becomes of bytes under some faults.
type delivery struct {
	times  int           // how often they are delivered; 0 if they are dropped
	delay  time.Duration // time until they are delivered
	faults []string      // faults in words; empty if they are delivered as they came
}

// apply decides what becomes of a packet or a message, and corrupts it if a fault says so; what says
// which of the two it is. Bytes between messages are only delayed.
func apply(faults []Fault, c *network.Chunk, what string) delivery {
	d := delivery{times: 1}
	for _, f := range faults {
		if c.IsMessage && rand.Float64() < f.drop {
			return delivery{faults: []string{"dropped"}}
		}
		if c.IsMessage && rand.Float64() < f.duplicate {
			d.times++
		}
		if c.IsMessage && c.Size() > 0 && rand.Float64() < f.corrupt {
			if i := c.Corrupt(rand.IntN(c.Size()), byte(1+rand.IntN(127))); i >= 0 {
				d.faults = append(d.faults, fmt.Sprintf("corrupted at byte %d of the %s", i, what))
			}
		}
		d.delay += f.delay
	}
	switch {
	case d.times == 2:
		d.faults = append(d.faults, "duplicated")
	case d.times > 2:
		d.faults = append(d.faults, fmt.Sprintf("delivered %d times", d.times))
	}
	if d.delay > 0 {
		d.faults = append(d.faults, fmt.Sprintf("delayed by %v", d.delay))
	}
	return d
}
