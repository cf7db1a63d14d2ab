// Package fragment joins the fragments of IP datagrams.
package fragment

import (
	"cmp"
	"maps"
	"net/netip"
	"slices"
	"time"

	"varview/decoder/network/payload"
	"varview/decoder/network/pool"
)

const (
	maxDatagram = 1 << 16          // largest size of a datagram in bytes
	maxAge      = 60 * time.Second // time after which receivers no longer wait for fragments
	overhead    = 400              // bytes of memory that a fragment takes besides its own
)

// A Key is what the fragments of a datagram share.
type Key struct {
	Src, Dst netip.Addr
	Protocol uint8
	ID       uint32
}

// A Joiner joins fragments.
type Joiner struct {
	pool    *pool.Pool
	waiting map[Key]*datagram
	giveUp  func(k Key, frame int, first payload.Bytes)
}

// A datagram is one with missing fragments.
type datagram struct {
	item  pool.Item
	began time.Time
	parts []part // by offset, without overlaps
	have  int    // number of bytes of all parts
	size  int    // size of the datagram; 0 while the last fragment is missing
	frame int    // packet in which it began
}

type part struct {
	at int
	payload.Bytes
}

func (p *part) end() int { return p.at + len(p.Data) }

// NewJoiner returns a joiner whose memory counts in a pool. giveUp is called for a datagram that is given
// up, with its first fragment.
func NewJoiner(p *pool.Pool, giveUp func(k Key, frame int, first payload.Bytes)) *Joiner {
	return &Joiner{pool: p, waiting: map[Key]*datagram{}, giveUp: giveUp}
}

// Add adds a fragment. It returns the datagram, joined from all its fragments, once that is complete.
func (j *Joiner) Add(k Key, at int, more bool, b payload.Bytes, frame int, when time.Time) (whole payload.Bytes, ok bool) {
	d := j.waiting[k]
	if d != nil && when.Sub(d.began) > maxAge {
		j.drop(k, d)
		d = nil
	}
	if len(b.Data) == 0 || at+len(b.Data) > maxDatagram {
		return whole, false
	}
	if d == nil {
		d = &datagram{began: when, frame: frame}
		j.waiting[k] = d
	}
	if !more && d.size == 0 {
		d.size = at + len(b.Data)
	}
	n := d.insert(part{at, b.Clone()})
	if d.size > 0 && d.have >= d.size && d.parts[len(d.parts)-1].end() == d.size {
		d.item.Free()
		delete(j.waiting, k)
		for _, p := range d.parts {
			whole.Append(p.Bytes, 0, len(p.Data))
		}
		return whole, true
	}
	j.pool.Grow(&d.item, int64(n+overhead), func() { j.drop(k, d) })
	return whole, false
}

func (j *Joiner) drop(k Key, d *datagram) {
	d.item.Free()
	delete(j.waiting, k)
	j.giveUp(k, d.frame, d.parts[0].Bytes)
}

// Close gives up what is still waiting.
func (j *Joiner) Close() {
	keys := slices.SortedFunc(maps.Keys(j.waiting), func(a, b Key) int { return cmp.Compare(j.waiting[a].frame, j.waiting[b].frame) })
	for _, k := range keys {
		j.drop(k, j.waiting[k])
	}
}

// insert inserts the bytes of a fragment that were not there before, and returns their number.
func (d *datagram) insert(p part) (n int) {
	i := 0
	for ; i < len(d.parts); i++ {
		q := &d.parts[i]
		if q.end() <= p.at {
			continue
		}
		if q.at >= p.end() {
			break
		}
		if before := q.at - p.at; before > 0 { // the part of p before q is new
			n += d.put(i, part{p.at, p.Slice(0, before)})
			i++
			q = &d.parts[i]
		}
		if q.end() >= p.end() {
			return n
		}
		rest := q.end() - p.at
		p = part{q.end(), p.Slice(rest, len(p.Data)-rest)}
	}
	return n + d.put(i, p)
}

func (d *datagram) put(i int, p part) int {
	d.parts = append(d.parts, part{})
	copy(d.parts[i+1:], d.parts[i:])
	d.parts[i] = p
	d.have += len(p.Data)
	return len(p.Data)
}
