package units

import (
	"bytes"
	"context"
	"encoding/hex"
	"net/netip"
	"strings"
	"testing"
	"time"

	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/network/message"
	"varview/decoder/network/multiplayer"
	"varview/decoder/network/payload"
)

// A collector makes records of messages.
type collector struct {
	records []byte
	n       int64
}

func (c *collector) Message(m *message.Message) { c.records, c.n = Append(c.records, m), c.n+1 }
func (c *collector) Problem(*payload.Problem)   {}

// bufferOf returns a buffer with messages of one protocol.
func bufferOf(t testing.TB, as message.Protocol, payloads ...string) []byte {
	c := &collector{}
	r := multiplayer.New(multiplayer.Options{Protocols: map[int]message.Protocol{7: as}}, multiplayer.Handler{Message: c.Message, Problem: c.Problem})
	flow := &payload.Flow{Number: 7, Transport: payload.ENet}
	from, to := netip.MustParseAddrPort("10.0.0.1:1"), netip.MustParseAddrPort("10.0.0.2:2")
	conn := &payload.Connection{Server: from, Client: to, ClientID: 5}
	for i, digits := range payloads {
		r.Payload(&payload.Payload{Bytes: bytesOf(t, digits), Frames: []int{i + 10}, Time: time.Unix(1000, int64(i)), Flow: flow, Connection: conn,
			Src: from, Dst: to, Channel: 2, Mode: payload.Unreliable})
	}
	return append(AppendHeader(nil, c.n), c.records...)
}

func treeOf(b []byte) *tree.Tree {
	src := source.Bytes(b)
	region := span.Between(0, src.Size())
	f := Family.Formats(&format.Request{}, src, region)[0]
	return tree.New(src, f.Open(src, region), region)
}

const simplify = "01 6434316438636439386630306232303465393830303939386563663834323765 00 07000000 4865726f00"

// messagesOf4 are messages of Godot 4.
var messagesOf4 = []string{simplify, "80 07 00", "20 19000080 08 02 04000000 05000000 66697273 74000000 0201 4865726f00",
	"00 07 00 02 1b000000 01000000 04000000 02000000 68700000 02000000 05000000 81", "80 07 00 0102ff",
	"06 0500 07000080 05000000 81 42f900 01 02000000 00000000", "07 03 09000000 00 07 00 01 0205", "00 07 00 02 0205", ""}

func TestValues(t *testing.T) {
	tr := treeOf(bufferOf(t, message.Godot4, messagesOf4...))
	r := tr.NewReader()
	for _, test := range []struct{ path, text string }{
		{"$.header", "9"},
		{"$.messages[0]", "1 → 5: Hero is 7"},
		{"$.messages[0].path", `"Hero"`},
		{"$.messages[1]", "1 → 5: Hero.#0()"},
		{"$.messages[2]", `1 → 5: Hero.#8("first", 1)`},
		{"$.messages[2].args[0]", `"first"`},
		{"$.messages[2].args[1]", "1"},
		{"$.messages[3].args[0].hp", "5"},
		{"$.messages[3].args[1]", "true"},
		{"$.messages[3].argument_count", "2"},
		{"$.messages[4].args[0]", "PackedByteArray(1, 2, 255)"},
		{"$.messages[5]", "1 → 5: Hero(true, 249, false), #2()"},
		{"$.messages[5].entries[0].values[1]", "249"},
		{"$.messages[5].entries[1].id", "2"},
		{"$.messages[6]", "1 → 5: 9: rpc ?7.#0(5)"},
		{"$.messages[6].inner.args[0]", "5"},
	} {
		n, err := r.Resolve(test.path)
		if err != nil {
			t.Errorf("%s: %v", test.path, err)
			continue
		}
		if got := string(r.AppendLiteral(nil, &n.Value, 1000)); got != test.text {
			t.Errorf("%s: %s, not %s", test.path, got, test.text)
		}
		if got := r.Path(n); got != test.path {
			t.Errorf("%s has the path %s", test.path, got)
		}
	}
	var json bytes.Buffer
	n, _ := r.Resolve("$.messages[3]")
	const want = `{"message":3,"frame":13,"frames":[13],"time":"1970-01-01T00:16:40.000000003Z","flow":7,"transport":"enet","src":"10.0.0.1:1","dst":"10.0.0.2:2",` +
		`"channel":2,"reliable":false,"from":1,"to":5,"kind":"rpc","path":"Hero","method_id":0,"args":["1b000000010000000400000002000000687000000200000005000000","81"],` +
		`"values":[{"type":"Dictionary","args":["s:hp","i:5"]},true],"size":33,"wire":0,"problems":[]}` + "\n"
	if err := r.WriteJSON(context.Background(), &json, &n.Value); err != nil || json.String() != want {
		t.Errorf("%s %v", json.String(), err)
	}
}

func TestProblems(t *testing.T) {
	tr := treeOf(bufferOf(t, message.Godot4, messagesOf4...))
	var found []string
	err := tr.Check(context.Background(), tree.CheckOptions{Workers: 1}, func(p span.Problem, n *tree.Node) {
		found = append(found, p.Code+" "+tr.NewReader().Path(n))
	})
	if got := strings.Join(found, ", "); err != nil || got != "unknown-net-id $.messages[5], unknown-path-id $.messages[6], argument-count $.messages[7], truncated $.messages[8]" {
		t.Errorf("%s %v", got, err)
	}
}

// A capture without messages, as at the beginning of a recording, has no problem.
func TestNoMessages(t *testing.T) {
	b := bufferOf(t, message.Godot4)
	checkTiles(t, b)
	err := treeOf(b).Check(context.Background(), tree.CheckOptions{Workers: 1}, func(p span.Problem, _ *tree.Node) {
		t.Error(p.Code, p.Message)
	})
	if err != nil {
		t.Error(err)
	}
}

// TestDialects: messages of both engines are in one buffer.
func TestDialects(t *testing.T) {
	b := bufferOf(t, message.Godot3, "01000000 05000000 00 01000000 686900 01 12000000 01000000 04000000 02000000 68700000 07000000 000080400000a0400000c040")
	other := bufferOf(t, message.Godot4, "00 07 00 01 07000000 00008040 0000a040 0000c040 0000e040")
	b = append(AppendHeader(nil, 2), append(b[HeaderSize:], other[HeaderSize:]...)...)
	tr := treeOf(b)
	r := tr.NewReader()
	for path, want := range map[string]string{"$.messages[0].args[0].hp": "Vector3(4, 5, 6)", "$.messages[0].args[0].hp.z": "6.0", "$.messages[1].args[0]": "Rect2(4, 5, 6, 7)"} {
		n, err := r.Resolve(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(r.AppendLiteral(nil, &n.Value, 100)); got != want || r.Path(n) != path {
			t.Errorf("%s: %s %s", path, got, r.Path(n))
		}
	}
}

// checkTiles checks that the fields of a buffer cover it.
func checkTiles(t *testing.T, b []byte) {
	tr := treeOf(b)
	at := int64(0)
	err := tr.EachField(context.Background(), func(f tree.OwnedField) error {
		if f.Offset != at || f.Length <= 0 {
			t.Fatalf("a field at %d of %d bytes, not at %d (%s %s), of %x", f.Offset, f.Length, at, f.Kind, f.Label, b)
		}
		at = f.End()
		return nil
	})
	if err != nil || at != int64(len(b)) {
		t.Fatalf("fields up to %d of %d: %v", at, len(b), err)
	}
}

func TestTiles(t *testing.T) {
	b := bufferOf(t, message.Godot4, messagesOf4...)
	for n := range b { // also where it is cut
		checkTiles(t, b[:n+1])
	}
}

// FuzzBuffer: the fields of any buffer cover it, and it can be checked and written.
func FuzzBuffer(f *testing.F) {
	f.Add(bufferOf(f, message.Godot4, messagesOf4...))
	f.Add([]byte("0")) // no whole header
	f.Add(bufferOf(f, message.Godot3, "01000000 05000000 00 01000000 686900 01 02000000 05000000"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 4<<10 {
			return
		}
		checkTiles(t, b)
		tr := treeOf(b)
		if err := tr.Check(context.Background(), tree.CheckOptions{Workers: 1}, func(span.Problem, *tree.Node) {}); err != nil {
			t.Fatal(err)
		}
		r := tr.NewReader()
		var out bytes.Buffer
		if err := r.WriteJSON(context.Background(), &out, &tr.Base.Value); err != nil {
			t.Fatal(err)
		}
		r.AppendLiteral(nil, &tr.Base.Value, 100)
	})
}

// TestLinks: an id leads to the message that assigned it.
func TestLinks(t *testing.T) {
	tr := treeOf(bufferOf(t, message.Godot4, append([]string{"04 00 07000000 03000000 01000000 05000000 04000000 4e6f646500", "05 03000000", "06 0600 04000000 01000000 00"}, messagesOf4...)...))
	r := tr.NewReader()
	reading := tr.Reading.(format.Linker)
	for _, test := range []struct{ path, to string }{
		{"$.messages[0].spawner_id", ""}, // given later
		{"$.messages[1].net_id", "$.messages[0]"},
		{"$.messages[2].entries[0].id", "$.messages[0]"},
		{"$.messages[3].path_id", ""}, // gives it itself
		{"$.messages[4].node_id", "$.messages[3]"},
		{"$.messages[4].method_id", ""},
		{"$.messages[8].entries[0].id", "$.messages[3]"},
		{"$.messages[9].inner.node_id", ""}, // of another peer
	} {
		n, err := r.Resolve(test.path)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if reading.Link(r, n) != "" {
			to, err := reading.Follow(context.Background(), tr.NewReader(), n)
			if err != nil {
				t.Fatal(err)
			}
			if to != nil {
				got = r.Path(to)
			}
		}
		if got != test.to {
			t.Errorf("%s leads to %q, not %q", test.path, got, test.to)
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
