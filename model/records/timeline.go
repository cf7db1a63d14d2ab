package records

import "time"

// parts is the largest number of parts of a Timeline.
const parts = 512

// leastPart is the shortest length of a part.
const leastPart = time.Millisecond

// A Timeline counts the bytes of records by time, in parts of length Step. Records may come in any order.
type Timeline struct {
	First time.Time // start of the first part
	Step  time.Duration
	Bytes []float64
}

// add adds bytes at a time. If there are too many parts, they are merged in pairs.
func (t *Timeline) add(at time.Time, bytes int64) {
	if t.Step == 0 {
		t.First, t.Step = at, leastPart
	}
	i := max(0, int64(at.Sub(t.First)/t.Step))
	for ; i >= parts; i /= 2 {
		for j := range t.Bytes {
			was := t.Bytes[j]
			t.Bytes[j] = 0
			t.Bytes[j/2] += was
		}
		t.Bytes = t.Bytes[:(len(t.Bytes)+1)/2]
		t.Step *= 2
	}
	for int64(len(t.Bytes)) <= i {
		t.Bytes = append(t.Bytes, 0)
	}
	t.Bytes[i] += float64(bytes)
}

// Rates returns bytes per second in n equal parts of the time from first to last.
func (t *Timeline) Rates(first, last time.Time, n int) []float64 {
	rates := make([]float64, n)
	each := last.Sub(first).Seconds() / float64(n)
	if each <= 0 {
		return rates
	}
	for i, bytes := range t.Bytes {
		from := t.First.Add(time.Duration(i)*t.Step).Sub(first).Seconds() / each
		if from >= float64(n) { // at the very end
			rates[n-1] += bytes / each
			continue
		}
		to := min(from+t.Step.Seconds()/each, float64(n))
		rate := bytes / (to - from) / each
		for j := max(0, int(from)); j < n && float64(j) < to; j++ {
			rates[j] += rate * (min(to, float64(j+1)) - max(from, float64(j)))
		}
	}
	return rates
}
