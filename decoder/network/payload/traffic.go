package payload

import "time"

// Traffic is what one side of a flow sends, and how it arrives.
type Traffic struct {
	Packets int
	Wire    int64 // bytes in packets, as they are on the wire
	Resent  int   // reliable commands of ENet, or segments of TCP, that were sent again
	Again   Part  // the first of them
	Dropped int   // unreliable commands of ENet that are missing between others: the sender's throttle or the network has dropped them

	ZeroWindows int // segments of TCP in which the receiver has no room left

	Trips     Trips
	Throttle  Throttle // of ENet
	Unacked   int      // reliable commands that wait for their acknowledgement
	Waiting   int      // messages of which fragments are missing
	MostAcked int      // most of Unacked at a time
	MostParts int      // most of Waiting at a time
}

// Resend notes that something is sent again.
func (t *Traffic) Resend(at Part) {
	if t.Resent++; t.Resent == 1 {
		t.Again = at
	}
}

// Wait counts reliable commands that wait for their acknowledgement, and messages of which fragments are missing.
func (t *Traffic) Wait(unacked, waiting int) {
	t.Unacked, t.Waiting = unacked, waiting
	t.MostAcked, t.MostParts = max(t.MostAcked, unacked), max(t.MostParts, waiting)
}

// Trips are round trips: the times from what is sent to its acknowledgement, where the capture was made.
type Trips struct {
	Count            int
	Sum, Least, Most time.Duration
	Last             time.Duration // smoothed over the last ones, as ENet does
	Variance         time.Duration // mean deviation from that
	sinceReset       lowest
}

// lowest is what ENet compares round trips with.
type lowest struct {
	trip, variance         time.Duration // in this interval
	lastTrip, lastVariance time.Duration // in the interval before
	since                  time.Time
}

// Mean returns the mean of all round trips; 0 if there are none.
func (t *Trips) Mean() time.Duration {
	if t.Count == 0 {
		return 0
	}
	return t.Sum / time.Duration(t.Count)
}

// Add adds a round trip, unless that is negative, as in a capture whose packets are not in the order of their times.
func (t *Trips) Add(trip time.Duration) {
	if trip < 0 {
		return
	}
	if t.Count++; t.Count == 1 {
		t.Least, t.Most, t.Last, t.Variance = trip, trip, trip, trip/2
	} else {
		off := trip - t.Last
		t.Variance += (max(off, -off) - t.Variance) / 4
		t.Last += off / 8
	}
	t.Sum += trip
	t.Least, t.Most = min(t.Least, trip), max(t.Most, trip)
}

// EnoughUnseen is the number of acknowledgements for what a side has sent that show that its packets were not captured.
const EnoughUnseen = 2

// FullThrottle is the throttle with which ENet sends all unreliable commands. With less it drops a part of them.
const FullThrottle = 32

// A Throttle is the throttle of a side, as ENet calculates it from round trips. It is exact where the capture was made
// at the sender.
type Throttle struct {
	Now, Least int // of FullThrottle
	interval   time.Duration
	up, down   int
}

// Configure sets how fast the throttle follows the round trips.
func (t *Throttle) Configure(interval time.Duration, up, down int) {
	t.interval, t.up, t.down = interval, up, down
}

// Follow changes the throttle after a round trip, before that is added.
func (t *Throttle) Follow(trips *Trips, trip time.Duration, now time.Time) {
	if t.Now == 0 && t.Least == 0 {
		t.Now, t.Least = FullThrottle, FullThrottle
	}
	if t.interval == 0 {
		t.Configure(5*time.Second, 2, 2)
	}
	was := &trips.sinceReset
	switch {
	case trip < 0:
		return
	case trips.Count == 0 || was.lastTrip <= was.lastVariance:
		t.Now = FullThrottle
	case trip <= was.lastTrip:
		t.Now = min(FullThrottle, t.Now+t.up)
	case trip > was.lastTrip+2*was.lastVariance:
		t.Now = max(0, t.Now-t.down)
	}
	t.Least = min(t.Least, t.Now)
	trips.Add(trip)
	was.trip, was.variance = min(was.trip, trips.Last), max(was.variance, trips.Variance)
	if was.since.IsZero() || now.Sub(was.since) >= t.interval {
		*was = lowest{trips.Last, trips.Variance, was.trip, max(was.variance, time.Millisecond), now}
	}
}
