package places

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
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
func index(t *testing.T, messages ...payload.Payload) *Index {
	var out bytes.Buffer
	w := NewWriter(&out, 100)
	for i := range messages {
		w.Add(&messages[i], int64(i), int64(1000*i))
	}
	if err := w.Finish(); err != nil {
		t.Fatal(err)
	}
	return w.Index(source.Bytes(out.Bytes()))
}

// found lists the places in a span.
func found(x *Index, from, to int64) (all []string) {
	x.Each(span.Between(from, to), func(p *Place) {
		if again := x.At(p.Key); again != *p {
			all = append(all, fmt.Sprintf("%+v is not %+v", again, *p))
		}
		all = append(all, fmt.Sprintf("%d+%d %s, record %d", p.Offset, p.Length, p, p.Record))
	})
	return all
}

// TestIndex: places are found by their offsets, in any region and whatever the order of the messages.
func TestIndex(t *testing.T) {
	enet, web := &payload.Flow{Transport: payload.ENet}, &payload.Flow{Transport: payload.WebSocket}
	head := payload.Bytes{Parts: []payload.Part{at(194, 6)}}
	x := index(t,
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
		{0, 1000, []string{"294+6 what precedes message 2, record 2000", "300+50 message 2, masked, record 2000", "400+40 message 1, record 1000",
			"500+60 message 3 and 1 more, packed, record 3000", "600+60 message 6, packed, record 6000"}},
		{301, 500, []string{"400+40 message 1, record 1000"}},
		{700, 2 * regionSize, []string{"1000+20 part 1 of 3 of message 0, record 0", "65636+30 part 2 of 3 of message 0, record 0"}},
		{2 * regionSize, 9 * regionSize, []string{"327780+5 part 3 of 3 of message 0, record 0"}},
		{6 * regionSize, 9 * regionSize, nil},
	} {
		if got := found(x, test.from, test.to); !slices.Equal(got, test.want) {
			t.Errorf("from %d to %d: %q, not %q", test.from, test.to, got, test.want)
		}
	}
	for message, want := range []int64{5*regionSize + 100, 400, 300, 500, 500, 0, 600, 0} {
		if p, ok := x.Last(int64(message)); ok != (want > 0) || ok && p.Offset != want {
			t.Errorf("message %d is last at %d, %v, not at %d", message, p.Offset, ok, want)
		}
	}
}
