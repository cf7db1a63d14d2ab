package tcp

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"varview/decoder/engine/span"
	"varview/decoder/network/payload"
	"varview/decoder/network/pool"
)

// recorder keeps a stream as text: "abc", then "(3)" for a gap of 3 bytes.
type recorder struct {
	t     *testing.T
	text  strings.Builder
	parts []payload.Part
}

func (r *recorder) Data(b payload.Bytes) {
	r.text.Write(b.Data)
	r.parts = b.AppendParts(r.parts, 0, len(b.Data))
}

func (r *recorder) Gap(n int64) {
	if n <= 0 {
		r.t.Errorf("a gap of %d bytes", n)
	}
	fmt.Fprintf(&r.text, "(%d)", n)
}

// segmentOf returns bytes that are in the capture at an offset.
func segmentOf(text string, at int64) payload.Bytes {
	return payload.Bytes{Data: []byte(text), Parts: []payload.Part{{At: span.Span{Offset: at, Length: int64(len(text))}, Length: int64(len(text)), Frame: int(at)}}}
}

// TestOrder: segments, each "sequence number:bytes", with - for bytes that were not captured.
func TestOrder(t *testing.T) {
	for _, c := range []struct {
		in, want string
	}{
		{"0:ab 2:cd", "abcd"},
		{"0:ab 0:ab 2:cd 0:abcd", "abcd"},
		{"0:ab 4:ef 2:cd", "abcdef"},
		{"0:a 3:d 1:bc 2:cd 4:e", "abcde"},
		{"0:a 3:def 2:cde 1:b", "abcdef"},
		{"0:ab 4:ef", "ab(2)ef"},
		{"0:ab 4:ef 8:ij", "ab(2)ef(2)ij"},
		{"5:ab 7:c", "abc"},
		{"4294967294:abcd 2:ef", "abcdef"},
		{"0:ab-- 4:ef", "ab(2)ef"},
		{"0:a 3:d- 1:b- 5:f", "ab(1)d(1)f"},
	} {
		r := &recorder{t: t}
		d := NewDirection(pool.New(1<<20), r)
		for word := range strings.FieldsSeq(c.in) {
			var seq uint32
			number, text, _ := strings.Cut(word, ":")
			_, _ = fmt.Sscan(number, &seq)
			data := strings.TrimRight(text, "-")
			d.Add(seq, segmentOf(data, 0), len(text)-len(data), time.Time{})
		}
		d.Close()
		if r.text.String() != c.want {
			t.Errorf("%s: %s, not %s", c.in, r.text.String(), c.want)
		}
	}
}

// TestGivenUp: missing bytes are not waited for without end.
func TestGivenUp(t *testing.T) {
	r := &recorder{t: t}
	p := pool.New(1 << 20)
	d := NewDirection(p, r)
	d.Add(0, segmentOf("a", 0), 0, time.Unix(0, 0))
	d.Add(5, segmentOf("f", 0), 0, time.Unix(1, 0))
	d.Tick(time.Unix(10, 0))
	if r.text.String() != "a" {
		t.Errorf("given up too soon: %s", r.text.String())
	}
	d.Tick(time.Unix(40, 0))
	if r.text.String() != "a(4)f" {
		t.Errorf("%s", r.text.String())
	}
	for i := range uint32(2 * limits.Items) {
		d.Add(10+2*i, segmentOf("x", 0), 0, time.Unix(41, 0))
	}
	if n := strings.Count(r.text.String(), "x"); n < limits.Items {
		t.Errorf("only %d of %d segments did not wait", n, 2*limits.Items)
	}
	p = pool.New(1000)
	small := NewDirection(p, r)
	small.Add(0, segmentOf("a", 0), 0, time.Time{})
	for i := range uint32(20) {
		small.Add(10+2*i, segmentOf("x", 0), 0, time.Time{})
		p.Trim()
	}
	if used := p.Used(); used > 1000 {
		t.Errorf("%d bytes wait", used)
	}
}

// FuzzOrder: a stream cut into segments, which come in any order and repeatedly, is put together, and its
// bytes are where the segments were.
func FuzzOrder(f *testing.F) {
	f.Add(uint64(1), uint8(20))
	f.Fuzz(func(t *testing.T, seed uint64, count uint8) {
		random := rand.New(rand.NewPCG(seed, 0))
		file := make([]byte, 2000)
		for i := range file {
			file[i] = byte(random.Uint32())
		}
		r := &recorder{t: t}
		p := pool.New(1 << 20)
		d := NewDirection(p, r)
		first := random.Uint32()
		d.Start(first)
		var order []int
		for at := 0; at < len(file); at += 100 {
			order = append(order, at)
		}
		for range count {
			order = append(order, random.IntN(len(file)))
		}
		random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for _, at := range order {
			n := min(100+random.IntN(50), len(file)-at)
			d.Add(first+uint32(at), segmentOf(string(file[at:at+n]), int64(at)), 0, time.Time{})
		}
		d.Close()
		if r.text.String() != string(file) {
			t.Fatalf("%d bytes of %d", r.text.Len(), len(file))
		}
		at := int64(0)
		for _, part := range r.parts {
			if part.At.Offset != at {
				t.Fatalf("bytes at %d, not %d", part.At.Offset, at)
			}
			at += part.Length
		}
		if !slices.Equal([]int64{at, p.Used()}, []int64{int64(len(file)), 0}) {
			t.Fatalf("%d bytes, %d wait", at, p.Used())
		}
	})
}

// TestPace: what is sent again, and round trips.
func TestPace(t *testing.T) {
	var p Pace
	at := func(ms int) time.Time { return time.Unix(0, int64(ms)*int64(time.Millisecond)) }
	for i, c := range []struct {
		seq     uint32
		n, ms   int
		probe   bool
		has     bool
		repeats bool
	}{{100, 10, 0, false, false, false}, {110, 10, 1, false, false, false}, {100, 10, 200, false, true, true}, {119, 1, 300, true, true, false},
		{130, 10, 400, false, false, false}, {120, 10, 401, false, false, false}, {120, 10, 500, false, true, true},
		{150, 10, 600, false, false, false}, {140, 10, 650, false, false, false}, // only in another order
		{170, 10, 700, false, false, false}, {180, 10, 899, false, false, false}, {160, 10, 900, false, false, true}} {
		if is := p.Sends(c.seq, c.n, c.probe, c.has, at(c.ms)); is != c.repeats {
			t.Errorf("%d: %v", i, is)
		}
	}
	p.Sends(200, 10, false, false, at(1000))
	p.Acknowledged(190, at(1010))
	if !p.Sends(190, 10, false, false, at(1050)) {
		t.Error("a segment comes again because it was asked for")
	}
	p = Pace{}
	p.Sends(100, 10, false, false, at(0))
	p.Sends(110, 10, false, false, at(10))
	if trip, ok := p.Acknowledged(110, at(40)); !ok || trip != 40*time.Millisecond {
		t.Error(trip, ok)
	}
	if trip, ok := p.Acknowledged(120, at(60)); !ok || trip != 50*time.Millisecond {
		t.Error(trip, ok)
	}
	if _, ok := p.Acknowledged(120, at(70)); ok {
		t.Error("acknowledged twice")
	}
}
