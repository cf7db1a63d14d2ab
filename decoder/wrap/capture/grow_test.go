package capture

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"os"
	"testing"
	"time"

	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/network/pcap"
	"varview/decoder/network/units"
	"varview/decoder/wrap/layer"
)

// TestGrowing: a capture that is opened again and again while it grows, cut anywhere, has the same messages as one that is
// opened as a whole, and what was opened before stays as it was.
func TestGrowing(t *testing.T) {
	data, err := os.ReadFile("../../../testdata/sessions/godot3-calls.pcapng")
	if err != nil {
		t.Fatal(err)
	}
	payload := func(n int, o layer.Options) []byte {
		src := source.Bytes(data[:n])
		o.MaxUnpacked = 1 << 30
		l, err := layer.Open(context.Background(), Kind, src, span.Between(0, src.Size()), o)
		if err != nil {
			t.Fatalf("%d bytes: %v", n, err)
		}
		defer l.Close()
		b, err := io.ReadAll(io.NewSectionReader(l.Payload, 0, l.Payload.Size()))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	o := layer.Options{Growing: &layer.Growing{}}
	defer o.Growing.Close()
	for n := 60; n < len(data); n += 601 {
		payload(n, o)
	}
	payload(len(data), o)
	time.Sleep(mostHeld) // until it is decided what the flow carries
	if got, want := payload(len(data), o), payload(len(data), layer.Options{}); !bytes.Equal(got, want) {
		t.Errorf("%d bytes of messages, not %d", len(got), len(want))
	}
}

// messagesOf returns the tree of a capture of UDP packets with a Variant in each. It is closed at the end of the test.
func messagesOf(t *testing.T, count uint32) *tree.Tree {
	t.Helper()
	all := binary.LittleEndian.AppendUint32(nil, 0xa1b2c3d4)
	all = binary.LittleEndian.AppendUint32(append(all, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0), pcap.LinkRaw)
	for i := range count {
		all = append(append(all, make([]byte, 8)...), 36, 0, 0, 0, 36, 0, 0, 0)
		all = append(all, 0x45, 0, 0, 36, 0, 0, 0, 0, 64, 17, 0, 0, 127, 0, 0, 1, 127, 0, 0, 1, 0x27, 0x10, 0x23, 0x28, 0, 16, 0, 0, 2, 0, 0, 0)
		all = binary.LittleEndian.AppendUint32(all, i)
	}
	src := source.Bytes(all)
	l, err := layer.Open(context.Background(), Kind, src, span.Between(0, src.Size()), layer.Options{MaxUnpacked: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	whole := span.Between(0, l.Payload.Size())
	return tree.New(l.Payload, units.Family.Formats(&format.Request{}, l.Payload, whole)[0].Open(l.Payload, whole), whole)
}

// TestPlaces: a message is found, by its number and by a byte in it, without passing those before it: a capture that grows is read only
// once it pauses.
func TestPlaces(t *testing.T) {
	const count = 5000
	r := messagesOf(t, count).NewReader()
	r.Budget = 1500 // values, of more than 10,000
	list, err := r.Child(r.Tree.Base, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range []int64{0, 255, 256, 2600, count - 1} {
		n, err := r.Child(list, i)
		if err != nil {
			t.Fatal(i, err)
		}
		if at, _, err := r.FieldAt(n.Start); err != nil || at.Start != n.Start {
			t.Error(i, at, err)
		}
	}
}

// TestPassOrdinary: messages in which nothing is wrong are checked and counted without looking into them, unless they were changed.
func TestPassOrdinary(t *testing.T) {
	const count = 5000
	all := messagesOf(t, count)
	list, err := all.NewReader().Child(all.Base, 1)
	if err != nil {
		t.Fatal(err)
	}
	last, err := all.NewReader().Child(list, count-1)
	if err != nil {
		t.Fatal(err)
	}
	tally, events, problems := tree.Tally{}, 0, 0
	check := func(x *tree.Tree) {
		tally, events, problems = tree.Tally{}, 0, 0
		o := tree.CheckOptions{Workers: 1, NewCounter: func() tree.Counter { return &counter{events: &events} }, Counted: func(c tree.Counter) { tally.Add(&c.(*counter).Sums) }}
		if err := x.Check(context.Background(), o, func(span.Problem, *tree.Node) { problems++ }); err != nil {
			t.Fatal(err)
		}
	}
	if check(all); events > count/10 || tally.Others[last.Type] != count || problems > 0 {
		t.Errorf("%d events, %d messages counted, %d problems", events, tally.Others[last.Type], problems)
	}
	const vars = 59                                                                                                      // offset in a record of whether its flow has only Variants
	splices := []source.Splice{source.Put(last.Start+vars, 1, []byte{1}), source.Put(last.End-8, 4, []byte{4, 0, 0, 0})} // a text, whose end is missing
	if check(all.Reopen(source.Join(source.Piece{Src: all.Source, Span: all.Region}).Splice(splices), splices)); problems != 1 {
		t.Errorf("%d problems of a changed message", problems)
	}
}

type counter struct {
	Sums   tree.Tally
	events *int
}

func (c *counter) Tally() *tree.Tally              { return &c.Sums }
func (c *counter) Count(*tree.Scanner, tree.Event) { *c.events++ }
