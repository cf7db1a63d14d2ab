package live

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"varview/decoder/capture/message"
	"varview/model/messages"
	"varview/model/search"
)

// A Fault is what a proxy does wrong, to packets with a message for which a query holds, or to
// all.
type Fault struct {
	query                    *search.Query // nil for all packets
	drop, duplicate, corrupt float64       // probabilities
	delay                    time.Duration
}

// maxDelay is the longest delay that can be asked for.
const maxDelay = time.Minute

// ParseFault reads a rule: a query, which may be missing, and what is done: drop=10%
// delay=50ms duplicate=5% corrupt=1%.
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
		return f, fmt.Errorf("%q does nothing: it ends with one or more of drop=10%% delay=50ms duplicate=5%% corrupt=1%%", rule)
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

// set sets what is done. It returns false for what is no fault.
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
			*err = fmt.Errorf("a delay is a time up to %v, as in 50ms", maxDelay)
		}
	default:
		return false
	}
	return true
}

// parseShare reads a percentage as a probability.
func parseShare(s string) (float64, error) {
	digits, ok := strings.CutSuffix(s, "%")
	x, err := strconv.ParseFloat(digits, 64)
	if !ok || err != nil || !(x >= 0 && x <= 100) {
		return 0, fmt.Errorf("%q is no percentage from 0%% to 100%%", s)
	}
	return x / 100, nil
}

func (f *Fault) holds(m *message.Message) bool {
	return f.query != nil && f.query.Holds(m)
}

// IsForStreams reports whether a stream survives the fault: only a delay.
func (f *Fault) IsForStreams() bool { return f.drop == 0 && f.duplicate == 0 && f.corrupt == 0 }

// A delivery is a packet with its faults.
type delivery struct {
	payload []byte
	times   int // that it is sent
	delay   time.Duration
	said    string // what was done, "" for nothing
}

// apply works out what becomes of a payload.
func apply(faults []Fault, payload []byte) delivery {
	d := delivery{payload: payload, times: 1}
	var said []string
	for _, f := range faults {
		if rand.Float64() < f.drop {
			d.times = 0
			said = append(said, "dropped")
		}
		if rand.Float64() < f.duplicate {
			d.times++
			said = append(said, "duplicated")
		}
		if rand.Float64() < f.corrupt && len(payload) > 0 {
			d.payload = append([]byte(nil), d.payload...)
			i := rand.IntN(len(payload))
			d.payload[i] ^= byte(1 + rand.IntN(255))
			said = append(said, fmt.Sprintf("corrupted at byte %d", i))
		}
		if f.delay > 0 {
			d.delay += f.delay
			said = append(said, fmt.Sprintf("delayed by %v", f.delay))
		}
	}
	d.said = strings.Join(said, ", ")
	return d
}
