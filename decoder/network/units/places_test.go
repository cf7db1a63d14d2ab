package units

import (
	"fmt"
	"slices"
	"testing"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/network/message"
	"varview/decoder/network/payload"
)

func at(offset, length int64) payload.Part {
	return payload.Part{At: span.Span{Offset: offset, Length: length}, Length: length}
}

func in(form payload.Form, p payload.Part) payload.Part {
	p.Form = form
	return p
}

// index stores the places of messages, in a capture that begins at 100.
func index(messages ...payload.Payload) *Store {
	out, x := AppendHeader(nil, 0), NewStore(100)
	for i := range messages {
		first := int64(len(out))
		out = Append(out, &message.Message{Number: i, Payload: &messages[i]})
		x.Add(&messages[i], first, int64(len(out)))
	}
	return x.In(source.Bytes(out), true)
}

// found lists the places in a span.
func found(x *Store, from, to int64) (all []string) {
	w := source.NewWindow(x.src)
	x.Each(span.Between(from, to), func(p *Place) {
		if m, _ := Find(w, p.Record); int64(m.Number) != p.Message {
			all = append(all, fmt.Sprintf("the record of message %d is that of %d", p.Message, m.Number))
		}
		all = append(all, fmt.Sprintf("%d+%d %s", p.Offset, p.Length, p))
	})
	return all
}

// TestPlaces: places are found by their offsets, in any region and whatever the order of the messages.
func TestPlaces(t *testing.T) {
	enet, web := &payload.Flow{Transport: payload.ENet}, &payload.Flow{Transport: payload.WebSocket}
	head := payload.Bytes{Parts: []payload.Part{in(payload.Header, at(194, 6))}}
	x := index(
		payload.Payload{Flow: enet, Parts: []payload.Part{at(900, 20), at(regionSize, 30), at(5*regionSize, 5)}},
		payload.Payload{Flow: enet, Parts: []payload.Part{at(300, 40)}},
		payload.Payload{Flow: web, Parts: []payload.Part{in(payload.Masked, at(200, 50))}, Head: head},
		payload.Payload{Flow: enet, Parts: []payload.Part{in(payload.Unpacked, at(400, 60))}},
		payload.Payload{Flow: enet, Parts: []payload.Part{in(payload.Unpacked, at(400, 60))}},
		payload.Payload{Flow: enet},
		payload.Payload{Flow: enet, Parts: []payload.Part{in(payload.Unpacked, at(500, 60))}},
	)
	for _, test := range []struct {
		from, to int64
		want     []string
	}{
		{0, 1000, []string{"294+6 what precedes message 2", "300+50 message 2, masked", "400+40 message 1",
			"500+60 message 3 and 1 more, packed", "600+60 message 6, packed"}},
		{301, 500, []string{"400+40 message 1"}},
		{700, 2 * regionSize, []string{"1000+20 part 1 of 3 of message 0", "65636+30 part 2 of 3 of message 0"}},
		{2 * regionSize, 9 * regionSize, []string{"327780+5 part 3 of 3 of message 0"}},
		{6 * regionSize, 9 * regionSize, nil},
	} {
		if got := found(x, test.from, test.to); !slices.Equal(got, test.want) {
			t.Errorf("from %d to %d: %q, not %q", test.from, test.to, got, test.want)
		}
	}
	for number, want := range []int64{5*regionSize + 100, 400, 300, 500, 500, 0, 600, 0} {
		if p, ok := x.Last(int64(number)); ok != (want > 0) || ok && p.Offset != want {
			t.Errorf("message %d is last at %d, %v, not at %d", number, p.Offset, ok, want)
		}
	}
}
