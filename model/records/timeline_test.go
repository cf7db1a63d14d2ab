package records

import (
	"math"
	"slices"
	"testing"
	"time"
)

// TestTimeline: whatever the distances of times, no byte is lost, and a rate is that of its time.
func TestTimeline(t *testing.T) {
	begin := time.Unix(1000, 0)
	for _, seconds := range []float64{0.001, 1, 3600, 1e8} {
		var line Timeline
		last := begin
		for i := range 101 { // the last tenth has all bytes twice
			last = begin.Add(time.Duration(float64(i) / 100 * seconds * float64(time.Second)))
			line.add(last, 100)
			if i >= 90 {
				line.add(last, 100)
			}
		}
		if len(line.Bytes) > parts {
			t.Errorf("%g s: %d parts", seconds, len(line.Bytes))
		}
		rates := line.Rates(begin, last.Add(line.Step), 10)
		sum := 0.0
		for _, r := range rates {
			sum += r * (seconds + line.Step.Seconds()) / 10
		}
		if math.Abs(sum-101*100-11*100) > 1 {
			t.Errorf("%g s: %g bytes", seconds, sum)
		}
		if seconds > 0.5 && slices.Max(rates) != rates[9] {
			t.Errorf("%g s: rates %v", seconds, rates)
		}
	}
	var ends Timeline
	ends.add(begin, 10)
	ends.add(begin.Add(time.Second), 30) // where a part begins, and the time ends
	if rates := ends.Rates(begin, begin.Add(time.Second), 4); math.Abs(rates[0]+rates[3]-4*40) > 1e-6 {
		t.Errorf("%v", rates)
	}
	var line Timeline
	line.add(begin, 10)
	line.add(begin.Add(-time.Hour), 5) // before the first
	if line.Bytes[0] != 15 {
		t.Errorf("%v", line.Bytes)
	}
	if rates := line.Rates(begin, begin, 4); slices.Max(rates) != 0 {
		t.Errorf("%v", rates)
	}
}
