package live

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"varview/decoder/network"
	"varview/model/messages"
	"varview/model/search"
)

// A Fault is what a proxy does to packets that contain a matching message, or to all packets.
type Fault struct {
	query                             *search.Query // nil for all packets
	drop, duplicate, corrupt, reorder float64       // probabilities
	delay, jitter                     time.Duration // the delay differs by up to the jitter
}

// overtaken is by how much later a packet comes that others overtake.
const overtaken = 30 * time.Millisecond

// String says what the rule does to each packet, which is not said again with each of them; "" if it is nothing.
func (f *Fault) String() string {
	switch {
	case f.query != nil || f.delay == 0:
		return ""
	case f.jitter > 0:
		return fmt.Sprintf("each packet is delayed by %v±%v", f.delay, f.jitter)
	}
	return fmt.Sprintf("each packet is delayed by %v", f.delay)
}

// maxDelay is the longest delay in a rule.
const maxDelay = time.Minute

// parseFault parses a rule: an optional query, followed by what is done, as in drop=10% delay=50ms
// duplicate=5% corrupt=1%.
func parseFault(rule string) (f Fault, err error) {
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
		return f, fmt.Errorf("%q does nothing: a rule has to end with one or more of drop=10%% delay=50ms±20ms duplicate=5%% corrupt=1%% reorder=2%%", rule)
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

// ParseFaults parses rules.
func ParseFaults(rules []string) ([]Fault, error) {
	var faults []Fault
	for _, rule := range rules {
		f, err := parseFault(rule)
		if err != nil {
			return nil, err
		}
		faults = append(faults, f)
	}
	return faults, nil
}

// set parses one action of a rule. It returns false if there is no action of that name.
func (f *Fault) set(name, value string, err *error) bool {
	share := map[string]*float64{"drop": &f.drop, "duplicate": &f.duplicate, "corrupt": &f.corrupt, "reorder": &f.reorder}[name]
	switch {
	case share != nil:
		*share, *err = parseShare(value)
	case name == "delay":
		f.delay, f.jitter, *err = parseDelay(value)
	}
	return share != nil || name == "delay"
}

// parseDelay parses a delay, which may have a jitter: 50ms, 50ms±20ms.
func parseDelay(s string) (delay, jitter time.Duration, err error) {
	middle, by, differs := strings.Cut(strings.ReplaceAll(s, "+-", "±"), "±")
	if delay, err = time.ParseDuration(middle); err == nil && differs {
		jitter, err = time.ParseDuration(by)
	}
	if err != nil || jitter < 0 || delay < jitter || delay+jitter > maxDelay {
		return 0, 0, fmt.Errorf("a delay must be a time up to %v, such as 50ms, or 50ms±20ms to differ by up to 20ms", maxDelay)
	}
	return delay, jitter, nil
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

// isOnlyLate reports whether the fault only delays.
func (f *Fault) isOnlyLate() bool {
	return f.drop == 0 && f.duplicate == 0 && f.corrupt == 0 && f.reorder == 0
}

// A delivery is what becomes of bytes under some faults.
type delivery struct {
	times  int           // how often they are delivered; 0 if they are dropped
	delay  time.Duration // time until they are delivered
	faults []string      // faults in words, without the delay that all have
	late   string        // the delay that all have in words
}

// apply decides what becomes of a packet or a message, and corrupts it if a fault says so; what says
// which of the two it is. Bytes between messages are only delayed.
func apply(random *rand.Rand, faults []Fault, c *network.Chunk, what string) delivery {
	d := delivery{times: 1}
	isSome := false // some packets are delayed, or more than others
	for _, f := range faults {
		isSome = isSome || f.query != nil && f.delay > 0
		if c.IsMessage && random.Float64() < f.drop {
			return delivery{faults: []string{"dropped"}}
		}
		if c.IsMessage && random.Float64() < f.duplicate {
			d.times++
		}
		if c.IsMessage && c.Size() > 0 && random.Float64() < f.corrupt {
			if i := c.Corrupt(random.IntN(c.Size()), byte(1+random.IntN(127))); i >= 0 {
				d.faults = append(d.faults, fmt.Sprintf("corrupted at byte %d of the %s", i, what))
			}
		}
		d.delay += f.delay
		if f.jitter > 0 {
			d.delay += time.Duration((2*random.Float64() - 1) * float64(f.jitter))
		}
		if c.IsMessage && random.Float64() < f.reorder {
			d.delay += overtaken
			d.faults = append(d.faults, "overtaken by others")
		}
	}
	switch {
	case d.times == 2:
		d.faults = append(d.faults, "duplicated")
	case d.times > 2:
		d.faults = append(d.faults, fmt.Sprintf("delivered %d times", d.times))
	}
	late := fmt.Sprintf("delayed by %v", d.delay.Round(time.Microsecond))
	switch {
	case isSome:
		d.faults = append(d.faults, late)
	case d.delay > 0:
		d.late = late
	}
	return d
}

// all returns all that happens to the bytes, with their delay.
func (d *delivery) all() []string {
	if d.late == "" {
		return d.faults
	}
	return append(slices.Clone(d.faults), d.late)
}
