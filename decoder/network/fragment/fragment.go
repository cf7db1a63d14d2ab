// Package fragment joins the fragments of IP datagrams and of ENet's messages.
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

// A Joiner joins fragments of datagrams.
type Joiner struct {
	pool    *pool.Pool
	waiting map[Key]*datagram
	giveUp  func(k Key, frame int, first payload.Bytes)
}

// A datagram is one with missing fragments.
type datagram struct {
	Pieces
	item  pool.Item
	began time.Time
	size  int // size of the datagram; 0 while the last fragment is missing
	frame int // packet in which it began
}

// Pieces are those of some bytes that are there.
type Pieces struct {
	list []piece // by offset, without overlaps
	Have int     // number of bytes of all
}

type piece struct {
	at int
	payload.Bytes
}

func (p *piece) end() int { return p.at + len(p.Data) }

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
	n := d.Add(at, b.Clone())
	if d.size > 0 && d.Have >= d.size && d.list[len(d.list)-1].end() == d.size {
		d.item.Free()
		delete(j.waiting, k)
		return d.Joined(), true
	}
	j.pool.Grow(&d.item, int64(n+b.Size()-len(b.Data)+overhead), func() { j.drop(k, d) })
	return whole, false
}

func (j *Joiner) drop(k Key, d *datagram) {
	d.item.Free()
	delete(j.waiting, k)
	j.giveUp(k, d.frame, d.First())
}

// Close gives up what is still waiting.
func (j *Joiner) Close() {
	keys := slices.SortedFunc(maps.Keys(j.waiting), func(a, b Key) int { return cmp.Compare(j.waiting[a].frame, j.waiting[b].frame) })
	for _, k := range keys {
		j.drop(k, j.waiting[k])
	}
}

// Add adds the bytes of a piece that were not there before, and returns their number.
func (d *Pieces) Add(at int, b payload.Bytes) (n int) {
	i, p := 0, piece{at, b}
	for ; i < len(d.list); i++ {
		q := &d.list[i]
		if q.end() <= p.at {
			continue
		}
		if q.at >= p.end() {
			break
		}
		if before := q.at - p.at; before > 0 { // the part of p before q is new
			n += d.put(i, piece{p.at, p.Slice(0, before)})
			i++
			q = &d.list[i]
		}
		if q.end() >= p.end() {
			return n
		}
		rest := q.end() - p.at
		p = piece{q.end(), p.Slice(rest, len(p.Data)-rest)}
	}
	return n + d.put(i, p)
}

func (d *Pieces) put(i int, p piece) int {
	d.list = slices.Insert(d.list, i, p)
	d.Have += len(p.Data)
	return len(p.Data)
}

// First returns the first piece, of which there must be one.
func (d *Pieces) First() payload.Bytes { return d.list[0].Bytes }

// Joined returns what is there from the beginning on, up to what is missing.
func (d *Pieces) Joined() (whole payload.Bytes) {
	for _, p := range d.list {
		if p.at != len(whole.Data) {
			break
		}
		whole.Append(p.Bytes, 0, len(p.Data))
	}
	return whole
}
