package multiplayer

import (
	"slices"
	"time"

	"varview/decoder/capture/payload"
)

// An item is something that is held back.
type item struct {
	payload *payload.Payload
	flow    *flow     // of the payload
	since   time.Time // when the payload came
	event   *payload.Event
	problem *payload.Problem
}

// A queue holds what cannot be given away yet, because it is not known what a flow before it
// carries.
type queue struct {
	items []item
	bytes int64
}

const (
	maxItems = 4 << 10
	maxBytes = 8 << 20
)

func (q *queue) isFull() bool { return len(q.items) > maxItems || q.bytes > maxBytes }

func (q *queue) add(i item) { q.items = append(q.items, i) }

// addPayload adds a copy of a payload.
func (q *queue) addPayload(p *payload.Payload, f *flow) {
	held := *p
	held.Bytes, held.Parts, held.Frames = slices.Clone(p.Bytes), slices.Clone(p.Parts), slices.Clone(p.Frames)
	held.Unit.Head = p.Unit.Head.Clone()
	q.add(item{payload: &held, flow: f, since: time.Now()})
	q.bytes += size(&held)
}

// last returns the payload that was added last.
func (q *queue) last() *payload.Payload { return q.items[len(q.items)-1].payload }

// drop removes the first item.
func (q *queue) drop() {
	if p := q.items[0].payload; p != nil {
		q.bytes -= size(p)
	}
	q.items[0] = item{}
	q.items = q.items[1:]
}

// size is about the memory of a payload.
func size(p *payload.Payload) int64 {
	return int64(len(p.Bytes) + 64*len(p.Parts) + 8*len(p.Frames) + 256)
}
