package capture

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/network/units"
	"varview/decoder/wrap/layer"
)

// openBoth opens an unpacked capture in testdata as the trees of its file and of its messages.
func openBoth(t testing.TB, name string) (file, messages *tree.Tree) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("../../../testdata/captures", name))
	if err != nil {
		t.Fatal(err)
	}
	if filepath.Ext(name) == ".gz" {
		in, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if data, err = io.ReadAll(in); err != nil {
			t.Fatal(err)
		}
	}
	src, region := source.Bytes(data), span.Between(0, int64(len(data)))
	l, err := layer.Open(context.Background(), Kind, src, region, layer.Options{MaxUnpacked: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	inside := span.Between(0, l.Payload.Size())
	f := units.Family.Formats(&format.Request{}, l.Payload, inside)[0]
	return tree.New(src, l.Reading, region), tree.New(l.Payload, f.Open(l.Payload, inside), inside)
}

// A both is a message in its own buffer and in its packet.
type both struct {
	t               *testing.T
	inside, outside *tree.Reader
	values          int
}

// compare compares a value of the messages with the same value in the file, and goes on with its children.
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

// message returns the message that contains a value.
func (p *both) message(n *tree.Node) *tree.Node {
	for n.Depth > 2 {
		n = n.Parent
	}
	return n
}

// text returns everything that is shown of a value.
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

// TestPlaced: each message that is whole in a packet has all its values there, as in its own buffer; each
// value leads to itself in the other buffer, and a part of a message to the message.
func TestPlaced(t *testing.T) {
	for _, test := range []struct {
		name string
		most bool // most messages are whole in a packet
	}{
		{"auth.pcap", true}, {"enet-reconnect.pcap", true}, {"mp-enet-norelay.pcap", true}, {"ng-simple-packets.pcapng", true},
		{"tcp-putvar-be.pcap", true}, {"ip6-fragments.pcap", true}, {"enet-peer-range.pcap", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			file, messages := openBoth(t, test.name)
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

// fieldsOf lists the fields of a file from a packet's message on as "path=meaning", and checks that all
// fields tile the file.
func fieldsOf(t *testing.T, tr *tree.Tree, from string) (all []string) {
	t.Helper()
	at := int64(0)
	err := tr.EachField(context.Background(), func(f tree.OwnedField) error {
		if f.Offset != at || f.Length <= 0 {
			t.Fatalf("field %+v at %d", f, at)
		}
		at = f.End()
		if strings.HasPrefix(string(f.Path), from) {
			all = append(all, fmt.Sprintf("%s %d %s %s=%s", strings.TrimPrefix(string(f.Path), from), f.Length, f.Kind, f.Label, f.Value))
		}
		return nil
	})
	if err != nil || at != tr.Source.Size() {
		t.Fatalf("fields end at %d of %d: %v", at, tr.Source.Size(), err)
	}
	return all
}

// TestMessageFields: the fields of messages in packets of each transport.
func TestMessageFields(t *testing.T) {
	for _, test := range []struct {
		name, from string
		want       []string
	}{
		{"auth.pcap", "$.packets[10].enet.commands[0].message", []string{
			".command 1 type command=REMOTE_CALL", ".path_offset 4 length path offset=2147483667", ".method_id 1 id method id=8", ".argument_count 1 length argument count=1",
			".args[0] 2 type type=String", ".args[0] 2 flags flags=0", ".args[0] 4 length length=2", ".args[0] 2 text text=in", ".args[0] 2 padding padding=0000",
			".path 4 text path=Hero", ".terminator 1 terminator terminator=0",
		}},
		{"tcp-putvar-be.pcap", "$.packets[3].value", []string{".length 4 length length=8"}}, // Godot sends it on its own
		{"tcp-putvar-be.pcap", "$.packets[5].message", []string{".value 2 type type=bool", ".value 2 flags flags=0", ".value 4 value value=true"}},
		{"mp-ws-objects.pcap.gz", "$.packets[7].websocket", []string{".flags 1 flags flags=binary", ".length 1 length length=13"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			file, _ := openBoth(t, test.name)
			if got := fieldsOf(t, file, test.from); !slices.Equal(got, test.want) {
				t.Errorf("%s", strings.Join(got, "\n"))
			}
		})
	}
}

// TestPlacedChanged: if another program changes the file while it is open, what is known of its messages no
// longer fits; its fields still tile it, and it can be written as JSON.
func TestPlacedChanged(t *testing.T) {
	for _, name := range []string{"auth.pcap", "mp-ws-objects.pcap.gz", "tcp-putvar-be.pcap"} {
		file, _ := openBoth(t, name)
		data := file.Source.(source.Bytes)
		r := rand.New(rand.NewPCG(1, 2))
		for range 12 {
			for range len(data) / 200 {
				data[r.IntN(len(data))] = byte(r.Uint32())
			}
			now := tree.New(data, file.Reading, file.Region)
			fieldsOf(t, now, "$.none")
			var out bytes.Buffer
			if err := now.NewReader().WriteJSON(context.Background(), &out, &now.Base.Value); err != nil || !json.Valid(out.Bytes()) {
				t.Fatalf("%s: %v", name, err)
			}
		}
	}
}

// FuzzPlaced: the fields of any capture tile it, with the messages that are found in it.
func FuzzPlaced(f *testing.F) {
	for _, name := range []string{"udp.pcap", "enet-reconnect.pcap", "ng-interfaces.pcapng"} {
		data, err := os.ReadFile(filepath.Join("../../../testdata/captures", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data[:3000])
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		src, region := source.Bytes(data), span.Between(0, int64(len(data)))
		l, err := layer.Open(context.Background(), Kind, src, region, layer.Options{MaxUnpacked: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		fieldsOf(t, tree.New(src, l.Reading, region), "$.none")
	})
}
