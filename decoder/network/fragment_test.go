package network_test

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"strings"
	"testing"
	"time"

	"varview/decoder/engine/span"
	"varview/decoder/network/fragment"
	"varview/decoder/network/payload"
	"varview/decoder/network/pool"
)

var key = fragment.Key{Src: netip.MustParseAddr("10.0.0.1"), Dst: netip.MustParseAddr("10.0.0.2"), Protocol: 17, ID: 5}

func fragmentBytes(text string, frame int) payload.Bytes {
	return payload.Bytes{Data: []byte(text), Parts: []payload.Part{{At: span.Span{Offset: int64(100 * frame), Length: int64(len(text))}, Length: int64(len(text)), Frame: frame}}}
}

// TestJoin: fragments "offset:bytes", the last of a datagram with a full stop.
func TestJoin(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"0:abc 3:def.", "abcdef"},
		{"3:def. 0:abc", "abcdef"},
		{"6:g. 3:def 0:abc", "abcdefg"},
		{"0:abcd 2:CDef.", "abcdef"},
		{"2:cd 0:ABCDe 5:f.", "ABcdef"},
		{"0:abc 0:abc 3:def.", "abcdef"},
		{"0:abc 4:ef.", "0 given up"},
		{"0:abc", "0 given up"},
	} {
		got := ""
		waiting := pool.New(1 << 20)
		j := fragment.NewJoiner(waiting, func(_ fragment.Key, _ int, _ payload.Bytes) { got += "0 given up" })
		for i, word := range strings.Fields(c.in) {
			var at int
			number, text, _ := strings.Cut(word, ":")
			_, _ = fmt.Sscan(number, &at)
			if whole, ok := j.Add(key, at, !strings.HasSuffix(text, "."), fragmentBytes(strings.TrimSuffix(text, "."), i+1), i+1, time.Unix(1, 0)); ok {
				got += string(whole.Data)
			}
		}
		j.Close()
		if got != c.want || waiting.Used() != 0 {
			t.Errorf("%s: %s, not %s; %d bytes wait", c.in, got, c.want, waiting.Used())
		}
	}
}

// TestAge: an old fragment belongs to another datagram.
func TestAge(t *testing.T) {
	old := 0
	j := fragment.NewJoiner(pool.New(1<<20), func(_ fragment.Key, frame int, _ payload.Bytes) { old = frame })
	j.Add(key, 0, true, fragmentBytes("abc", 1), 1, time.Unix(0, 0))
	if _, ok := j.Add(key, 3, false, fragmentBytes("def", 2), 2, time.Unix(100, 0)); ok || old != 1 {
		t.Errorf("joined with what was there 100 seconds before: %v, %d", ok, old)
	}
}

// TestMemory: fragments of datagrams that never end take no more memory than the pool has.
func TestFragmentMemory(t *testing.T) {
	gone := 0
	waiting := pool.New(100_000)
	j := fragment.NewJoiner(waiting, func(fragment.Key, int, payload.Bytes) { gone++ })
	for i := range 10_000 {
		k := key
		k.ID = uint32(i)
		j.Add(k, 0, true, fragmentBytes("abcdefgh", i), i, time.Unix(0, 0))
		waiting.Trim()
	}
	if used := waiting.Used(); used > 100_000 || gone < 9_000 {
		t.Errorf("%d bytes wait, %d datagrams given up", used, gone)
	}
}

// FuzzJoin: fragments in any order, also repeated, give the datagram.
func FuzzJoin(f *testing.F) {
	f.Add(uint64(3), uint8(4))
	f.Fuzz(func(t *testing.T, seed uint64, more uint8) {
		random := rand.New(rand.NewPCG(seed, 0))
		want := make([]byte, 1+random.IntN(1000))
		for i := range want {
			want[i] = byte(random.Uint32())
		}
		type piece struct{ at, n int }
		var all []piece
		for at := 0; at < len(want); {
			n := min(1+random.IntN(200), len(want)-at)
			all = append(all, piece{at, n})
			at += n
		}
		for range more {
			at := random.IntN(len(want))
			all = append(all, piece{at, min(1+random.IntN(300), len(want)-at)})
		}
		random.Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
		j := fragment.NewJoiner(pool.New(1<<20), func(fragment.Key, int, payload.Bytes) {})
		for i, p := range all {
			whole, ok := j.Add(key, p.at, p.at+p.n < len(want), fragmentBytes(string(want[p.at:p.at+p.n]), i), i, time.Unix(0, 0))
			if !ok {
				continue
			}
			if string(whole.Data) != string(want) {
				t.Fatalf("%d bytes of %d", len(whole.Data), len(want))
			}
			return
		}
		t.Fatal("never complete")
	})
}
