// Package pool limits the memory of what waits for more packets: fragments, segments, messages. What has
// waited longest is given up first.
package pool

import "container/list"

// A Pool counts the bytes that wait. It belongs to one goroutine.
type Pool struct {
	limit, used int64
	order       list.List // *Item, the one that grew longest ago first
}

// New returns a pool of limit bytes.
func New(limit int64) *Pool { return &Pool{limit: limit} }

// An Item is something that waits. Its zero value is empty.
type Item struct {
	pool   *Pool
	place  *list.Element
	size   int64
	giveUp func()
}

// Grow counts n more bytes of an item. Trim calls giveUp when the pool needs the memory for something else; the item is empty by then.
func (p *Pool) Grow(i *Item, n int64, giveUp func()) {
	if i.place == nil {
		i.pool, i.place = p, p.order.PushBack(i)
	} else {
		p.order.MoveToBack(i.place)
	}
	i.giveUp = giveUp
	i.size += n
	p.used += n
}

// Trim gives up what has waited longest, until no more waits than may.
func (p *Pool) Trim() {
	for p.used > p.limit {
		oldest := p.order.Front().Value.(*Item)
		giveUp := oldest.giveUp
		oldest.Free()
		giveUp()
	}
}

// Free removes the item from its pool: it no longer waits.
func (i *Item) Free() {
	if i.place == nil {
		return
	}
	i.pool.used -= i.size
	i.pool.order.Remove(i.place)
	*i = Item{}
}

// Used returns the number of bytes that wait.
func (p *Pool) Used() int64 { return p.used }
