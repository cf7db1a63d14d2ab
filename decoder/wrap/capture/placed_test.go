package capture

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"varview/decoder/capture/buffer"
	"varview/decoder/format"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
	"varview/decoder/wrap/layer"
)

// openBoth opens a capture as the trees of its file and of its messages.
func openBoth(t testing.TB, data []byte) (file, messages *tree.Tree) {
	t.Helper()
	src, region := source.Bytes(data), span.Between(0, int64(len(data)))
	l, err := layer.Open(context.Background(), Kind, src, region, layer.Options{MaxUnpacked: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	inside := span.Between(0, l.Payload.Size())
	f := buffer.Family.Formats(&format.Request{}, l.Payload, inside)[0]
	return tree.New(src, l.Reading, region), tree.New(l.Payload, f.Open(l.Payload, inside), inside)
}

// A both is a message in its own buffer and in its packet.
type both struct {
	t               *testing.T
	inside, outside *tree.Reader
	values          int
}

// compare compares a value of the messages with the one that is the same in the file, and goes on
// with what is in it.
func (p *both) compare(n *tree.Node) {
	carrier := func(r *tree.Reader) format.Carrier { return r.Tree.Reading.(format.Carrier) }
	path := p.inside.Path(n)
	piece, ok := carrier(p.inside).Piece(p.inside, n)
	if !ok {
		p.t.Fatalf("%s: no piece", path)
	}
	x, err := carrier(p.outside).Find(context.Background(), p.outside, piece)
	if err != nil || x == nil {
		p.t.Fatalf("%s is not in the file: %v", path, err)
	}
	if x, err = p.outside.Finish(x); err != nil {
		p.t.Fatal(err)
	}
	there := p.outside.Path(x)
	back, ok := carrier(p.outside).Piece(p.outside, x)
	if !ok {
		p.t.Fatalf("%s: no piece", there)
	}
	y, err := carrier(p.inside).Find(context.Background(), p.inside, back)
	if err != nil {
		p.t.Fatal(err)
	}
	if !strings.Contains(there, ".message") { // masked, packed or in parts
		if !y.Same(p.message(n)) {
			p.t.Errorf("%s leads to %s, which leads to %s", path, there, p.inside.Path(y))
		}
		return
	}
	if !y.Same(n) {
		p.t.Errorf("%s leads to %s, which leads to %s", path, there, p.inside.Path(y))
	}
	is, want := p.text(p.outside, x), p.text(p.inside, n)
	start := n.Start
	if n == p.message(n) {
		start = n.Body
	}
	if is != want || !bytes.Equal(view(p.outside, x.Start, x.End), view(p.inside, start, n.End)) {
		p.t.Errorf("%s is %s, in the file %s", path, want, is)
	}
	p.values++
	for i := int64(0); ; i++ {
		c, err := p.inside.Child(n, i)
		if err != nil {
			return
		}
		if c, err = p.inside.Finish(c); err != nil {
			p.t.Fatal(err)
		}
		p.compare(c)
	}
}

// message returns the message that a value is in.
func (p *both) message(n *tree.Node) *tree.Node {
	for n.Depth > 2 {
		n = n.Parent
	}
	return n
}

// text is all that is shown of a value.
func (p *both) text(r *tree.Reader, n *tree.Node) string {
	text := string(r.Tree.AppendType(nil, r.Window(), &n.Value)) + " " + string(r.AppendLiteral(nil, &n.Value, 1<<16))
	var fields []span.Field
	if r == p.outside || n.Depth > 2 {
		fields = r.Tree.Reading.Fields(r.Window(), &n.Parent.Value, &n.Value, nil)
	}
	for _, f := range fields {
		text += ", " + f.Kind.String() + " " + f.Label + " " + string(r.Tree.Reading.AppendField(nil, r.Window(), &n.Value, f))
	}
	return text
}

func view(r *tree.Reader, start, end int64) []byte {
	return bytes.Clone(r.Window().View(start, end-start))
}

// TestPlaced: each message that is whole in a packet has all its values there, as in its own
// buffer; each value leads to itself in the other buffer, and a part of a message to the message.
func TestPlaced(t *testing.T) {
	for _, test := range []struct {
		name string
		most bool // of the messages are whole in a packet
	}{
		{"auth.pcap", true}, {"objects.pcap", true}, {"enet-reconnect.pcap", true}, {"mp-enet-norelay.pcap", true}, {"udp.pcap", true},
		{"ng-interfaces.pcapng", true}, {"ng-simple-packets.pcapng", true}, {"tcp-putvar-be.pcap", true}, {"ip6-fragments.pcap", true}, {"enet-peer-range.pcap", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join("../../../testdata/captures", test.name))
			if err != nil {
				t.Fatal(err)
			}
			file, messages := openBoth(t, data)
			p := &both{t: t, inside: messages.NewReader(), outside: file.NewReader()}
			list, err := p.inside.Child(messages.Base, 1)
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			for i := int64(0); i < list.Count; i++ {
				m, err := p.inside.Child(list, i)
				if err != nil {
					t.Fatal(err)
				}
				if m.Body == m.End {
					continue // it has no bytes
				}
				before := p.values
				if p.compare(m); p.values > before {
					n++
				}
			}
			t.Logf("%d of %d messages, %d values", n, list.Count, p.values)
			if is := n > int(list.Count)/2; is != test.most {
				t.Errorf("%d of %d messages are whole in a packet", n, list.Count)
			}
		})
	}
}
