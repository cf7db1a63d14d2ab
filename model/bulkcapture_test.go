package model

import (
	"bytes"
	"context"
	"encoding/hex"
	"net/netip"
	"strings"
	"testing"
	"time"

	"varview/decoder"
	"varview/decoder/edit"
	"varview/decoder/network/message"
	"varview/decoder/network/multiplayer"
	"varview/decoder/network/payload"
	"varview/decoder/network/units"
	"varview/model/search"
)

// A recordWriter writes messages as the buffer of a capture has them.
type recordWriter struct {
	records []byte
	n       int64
}

func (w *recordWriter) Message(m *message.Message) {
	w.records, w.n = units.Append(w.records, m), w.n+1
}
func (w *recordWriter) Problem(*payload.Problem) {}

// messagesOf returns the buffer with a message several times.
func messagesOf(t *testing.T, times int, as message.Protocol, digits string) []byte {
	w := &recordWriter{}
	r := multiplayer.New(multiplayer.Options{Protocols: map[int]message.Protocol{1: as}}, multiplayer.Handler{Message: w.Message, Problem: w.Problem})
	a, b := netip.MustParseAddrPort("10.0.0.1:1"), netip.MustParseAddrPort("10.0.0.2:2")
	for i := range times {
		r.Payload(&payload.Payload{Bytes: bytesOf(t, digits), Frames: []int{i + 1}, Time: time.Unix(1000, 0), Src: a, Dst: b, Channel: 2,
			Flow: &payload.Flow{Number: 1, Transport: payload.ENet}, Connection: &payload.Connection{Server: a, Client: b, ClientID: 5}})
	}
	r.Flush()
	return append(units.AppendHeader(nil, w.n), w.records...)
}

// TestSetMessages: values of messages are set together, if they keep the length of their messages.
func TestSetMessages(t *testing.T) {
	for _, c := range []struct {
		name     string
		as       message.Protocol
		was, is  string // a message
		set, val string
	}{
		{"two entries of SYNC, each with its size", message.Godot4,
			"06 0500 07000080 05000000 81 42f900 01 02000000 06000000 42f900 42f900",
			"06 0500 07000080 05000000 81 42fa00 01 02000000 06000000 42fa00 42fa00", "=249", "250"},
		{"a call with its path at the end", message.Godot3,
			"01000000 05000000 00 11000080 686900 01 02000000 07000000 4100",
			"01000000 05000000 00 11000080 686900 01 02000000 08000000 4100", "=7", "8"},
	} {
		const times = 3
		d := openFile(t, write(t, messagesOf(t, times, c.as, c.was)), decoder.Options{})
		tr, err := d.Begin(d.Innermost())
		must(t, err)
		q, err := search.ParseQuery(c.set)
		must(t, err)
		changed, err := tr.SetFound(context.Background(), q, c.val, edit.Options{})
		if err != nil || changed.Values < times {
			t.Fatalf("%s: %+v, %v", c.name, changed, err)
		}
		got := make([]byte, tr.now.content.Size())
		_, err = tr.now.content.ReadAt(got, 0)
		must(t, err)
		if want := messagesOf(t, times, c.as, c.is); !bytes.Equal(got, want) {
			t.Errorf("%s:\n%x, want\n%x", c.name, got, want)
		}
		again, err := search.ParseQuery("=" + c.val)
		must(t, err)
		if _, err := tr.SetFound(context.Background(), again, "5000000000", edit.Options{}); err == nil || !strings.Contains(err.Error(), "length is fixed by its packet") {
			t.Errorf("%s: a longer value: %v", c.name, err)
		}
	}
}

// bytesOf reads hexadecimal digits with blanks between them.
func bytesOf(t testing.TB, digits string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.Join(strings.Fields(digits), ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}
