package multiplayer

import (
	"encoding/hex"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"varview/decoder/engine/span"
	"varview/decoder/network/message"
	"varview/decoder/network/payload"
)

// A log is a handler that notes what it gets.
type log struct{ lines []string }

func (l *log) Message(m *message.Message) {
	b := m.Innermost()
	line := fmt.Sprintf("%d %s", m.Number, m.Kind)
	if m.From.Known {
		line += fmt.Sprintf(" %d→%d", m.From.ID, m.To.ID)
	}
	if b != &m.Body {
		line += fmt.Sprintf(" %d %s", m.Peer, b.Kind)
	}
	if b.Path.Known {
		line += " " + b.Path.Text
	}
	if b.Name != "" {
		line += " " + b.Name
	}
	for i := range m.Problems {
		line += " !" + m.Problems[i].Code
	}
	l.lines = append(l.lines, line)
}
func (l *log) Problem(p *payload.Problem) { l.lines = append(l.lines, "problem "+p.Code) }

var (
	client = netip.MustParseAddrPort("10.0.0.2:50000")
	server = netip.MustParseAddrPort("10.0.0.1:7000")
)

// digits returns the bytes of hexadecimal digits and of text in quotes.
func digits(s string) []byte {
	var b []byte
	for i, part := range strings.Split(s, "'") {
		if i%2 == 1 {
			b = append(b, part...)
			continue
		}
		x, err := hex.DecodeString(strings.ReplaceAll(part, " ", ""))
		if err != nil {
			panic(err)
		}
		b = append(b, x...)
	}
	return b
}

// flowOf returns a flow with a connection of a client with the id 5.
func flowOf(t payload.Transport, number int) (*payload.Flow, *payload.Connection) {
	f := &payload.Flow{Number: number, A: client, B: server, Transport: t}
	if t == payload.UDP {
		return f, nil
	}
	return f, &payload.Connection{Number: 1, Client: client, Server: server, Began: true, ClientID: 5}
}

// feed passes payloads to a reader: s1=DIGITS is from the server on channel 1, c from the client.
func feed(r *Reader, f *payload.Flow, c *payload.Connection, words ...string) {
	for i, w := range words {
		where, text, _ := strings.Cut(w, "=")
		p := &payload.Payload{Bytes: digits(text), Frames: []int{i + 1}, Time: time.Unix(0, int64(i)*int64(time.Second)/2), Flow: f, Connection: c, Src: client, Dst: server, Channel: where[1] - '0'}
		if where[0] == 's' {
			p.Src, p.Dst = server, client
		}
		r.Payload(p)
	}
}

const (
	longText  = "04000000 10000000 'Aria is here now'"
	heroCall  = "20 07000080 00 00 'Hero'00"
	noMethods = "'d41d8cd98f00b204e9800998ecf8427e'00"
	hero      = "01" + noMethods + "01000000 'Hero'00"
)

func TestProtocols(t *testing.T) {
	for _, test := range []struct {
		name      string
		transport payload.Transport
		payloads  []string
		want      []string
	}{
		{"Godot 4 over ENet", payload.ENet, []string{"s0=" + hero, "c0=02 01 01000000", "s0=80 01 00", "s0=80 02 00"},
			[]string{"0 simplify-path 1→5 Hero", "1 confirm-path 5→1 Hero", "2 rpc 1→5 Hero", "3 rpc 1→5 !unknown-path-id"}},
		{"Godot 4 over WebSocket", payload.WebSocket, []string{"s0=07000000", "s0=" + hero, "s0=80 01 00", "s0=07 01 09000000"},
			[]string{"0 your-id 1→7", "1 simplify-path 1→7 Hero", "2 rpc 1→7 Hero", "3 add-peer 1→7"}},
		{"relays of Godot 4", payload.ENet, []string{"c0=07 03 09000000 " + hero, "s0=07 03 09000000 02 01 01000000", "c0=07 03 09000000 80 01 00", "c0=80 01 00"},
			[]string{"0 relay 5→1 9 simplify-path Hero", "1 relay 1→5 9 confirm-path Hero", "2 relay 5→1 9 rpc Hero", "3 rpc 5→1 !unknown-path-id"}},
		{"nodes of Godot 4", payload.ENet, []string{"s0=" + hero, "s0=04 00 01000000 01000000 01000000 02000000 02000000 'A'00", "s0=06 0100 02000000 00000000", "s0=05 01000000", "s0=05 03000000"},
			[]string{"0 simplify-path 1→5 Hero", "1 spawn 1→5 Hero A", "2 sync 1→5", "3 despawn 1→5 A", "4 despawn 1→5 !unknown-net-id"}},
		{"Godot 3 over ENet", payload.ENet, []string{"s0=00000000 09000000", "s1=01000000 05000000 02 01000000 'Game'00", "s2=01000000 00000000 00 01000000 'hi'00 00", "c1=05000000 01000000 00 01000000 'hi'00 00"},
			[]string{"0 add-peer 1→5", "1 simplify-path 1→5 Game", "2 rpc 1→0 Game hi", "3 rpc 5→1 hi !unknown-path-id"}},
		{"Godot 3 over WebSocket", payload.WebSocket, []string{"s0=03 01000000 00000000 05000000", "s0=01 01000000 00000000 01000000", "c0=00 05000000 01000000 02 01000000 'Game'00"},
			[]string{"0 your-id 1→0", "1 add-peer 1→0", "2 simplify-path 5→1 Game"}},
		{"a peer of Godot 3", payload.ENet, []string{"s1=01000000 05000000 02000000 07000000", "c1=05000000 01000000 02000000 07000000", "c1=05000000 01000000 'abc'"},
			[]string{"0 var 1→5", "1 var 5→1", "2 bytes 5→1"}},
		{"a WebSocket peer of Godot 3", payload.WebSocket, []string{"s0=03 01000000 00000000 05000000", "c0=00 05000000 01000000" + longText, "c0=00 05000000 00000000" + longText},
			[]string{"0 your-id 1→0", "1 var 5→1", "2 var 5→0"}},
		{"Variants over UDP", payload.UDP, []string{"c0=02000000 07000000", "c0=04000000 01000000 61000000", "c0='any bytes'", "c0=04000000 ffffff7f"},
			[]string{"0 var", "1 var", "2 bytes", "3 var !truncated"}},
		{"bytes over UDP", payload.UDP, []string{"c0='any bytes'", "c0=04000000 ffffff7f", "c0="}, []string{"0 bytes", "1 bytes", "2 bytes"}},
		{"JSON over UDP, once cut", payload.UDP, []string{"c0='{\"hp\":1,\"a\":2}'", "c0='{\"hp\":1,\"a\"'"}, []string{"0 bytes", "1 bytes !truncated"}},
		{"two JSON texts", payload.UDP, []string{"c0='{\"hp\":1}{\"a\":2}'"}, []string{"0 bytes !several-values"}},
		{"a header before some values", payload.UDP, []string{"c0=" + longText, "c0=07" + longText, "c0=" + longText}, []string{"0 var", "1 bytes !bytes-before-value", "2 var"}},
		{"a header, and bytes behind", payload.UDP, []string{"c0=07 1c000000 01000000" + longText + "ff", "c0=08 1c000000 01000000" + longText + "ff"},
			[]string{"0 var !bytes-before-value !trailing-bytes", "1 var !bytes-before-value !trailing-bytes"}},
		{"a header, and the end missing", payload.UDP, []string{"c0=07 1c000000 02000000" + longText + "04000000 10000000 'Aria'", "c0=08 1c000000 02000000" + longText + "04000000 10000000 'Aria'"},
			[]string{"0 var !bytes-before-value !truncated", "1 var !bytes-before-value !truncated"}},
		{"a greeting before values with a header", payload.UDP, []string{"c0='HELLO'", "c0=07" + longText, "c0=08" + longText, "c0=09" + longText},
			[]string{"0 bytes", "1 var !bytes-before-value", "2 var !bytes-before-value", "3 var !bytes-before-value"}},
		{"numbers and a text of the game's own", payload.UDP, []string{"c0=02 0100 " + longText[9:] + "0000c03f", "c0=02 0200 " + longText[9:] + "0000c03f"}, []string{"0 bytes", "1 bytes"}},
		{"a nested value that is cut", payload.UDP, []string{"c0=1c000000 01000000" + longText, "c0=1c000000 02000000" + longText}, []string{"0 var", "1 var !truncated"}},
		{"a path that is not confirmed", payload.ENet, []string{"c0=" + hero, "c0=" + heroCall, "c0=" + heroCall, "c0=" + heroCall},
			[]string{"0 simplify-path 5→1 Hero", "1 rpc 5→1 Hero", "2 rpc 5→1 Hero", "3 rpc 5→1 Hero", "problem unconfirmed-path"}},
		{"wrong calls outnumber others", payload.ENet, []string{"c0=" + hero, "c0=00 01 00 03 02 01", "c0=00 01 00 03 02 01"},
			[]string{"0 simplify-path 5→1 Hero", "1 rpc 5→1 Hero !argument-count", "2 rpc 5→1 Hero !argument-count"}},
		{"Godot 3 and 4 over ENet", payload.ENet, []string{"c0=" + hero, "s1=01000000 05000000 02 01000000 'Game'00"},
			[]string{"problem mixed-engines", "0 simplify-path 5→1 Hero", "1 simplify-path 1→5 Game"}},
		{"Godot 3 and 4 over WebSocket", payload.WebSocket, []string{"s0=07000000", "s0=" + hero, "c0=00 05000000 01000000 02 01000000 'Game'00"},
			[]string{"problem mixed-engines", "0 your-id 1→7", "1 simplify-path 1→7 Hero", "2 simplify-path 5→1 Game"}},
		{"one side without the multiplayer API", payload.ENet, []string{"c0=" + longText, "s0=" + hero, "c0=" + longText},
			[]string{"problem mixed-protocols", "0 var", "1 simplify-path 1→5 Hero", "2 var"}},
		{"bytes over ENet", payload.ENet, []string{"c0='cbdbabcb'", "s0='bbbb'", "c0='ccca'"}, []string{"0 bytes", "1 bytes", "2 bytes"}},
	} {
		l := &log{}
		r := New(Options{}, Handler{l.Message, l.Problem})
		f, c := flowOf(test.transport, 1)
		feed(r, f, c, test.payloads...)
		if len(l.lines) > 0 {
			t.Errorf("%s: decided after %d payloads", test.name, len(test.payloads))
		}
		if r.Flush(); !slices.Equal(l.lines, test.want) {
			t.Errorf("%s:\n%q, not\n%q", test.name, l.lines, test.want)
		}
	}
}

// TestNeverGiven: an id that its sender has not given a path is an error with the words of the engine, if the capture has the whole
// connection, and otherwise a warning.
func TestNeverGiven(t *testing.T) {
	for _, test := range []struct {
		payloads     []string
		began, lossy bool
		want         string
	}{
		{[]string{"s0=" + hero, "s0=80 07 00"}, true, false, "error: ID 7 not found in cache of peer 1."},
		{[]string{"s0=" + hero, "s0=80 07 00"}, true, true, "warning: "},
		{[]string{"s0=" + hero, "s0=80 07 00"}, false, false, "warning: "},
		{[]string{"s0=00000000 09000000", "s1=01000000 05000000 02 01000000 'Game'00", "s2=01000000 00000000 00 07000000 'hi'00 00"}, true, false, "error: Invalid packet received. Unabled to find requested cached node."},
	} {
		var got []string
		r := New(Options{}, Handler{func(m *message.Message) {
			for _, p := range m.Problems {
				got = append(got, fmt.Sprintf("%s: %s", p.Severity, p.Engine))
			}
		}, func(*payload.Problem) {}})
		f, c := flowOf(payload.ENet, 1)
		if c.Began = test.began; test.lossy {
			r.Problem(&payload.Problem{Problem: span.Problem{Code: payload.MissingCommand}})
		}
		feed(r, f, c, test.payloads...)
		if r.Flush(); !slices.Equal(got, []string{test.want}) {
			t.Errorf("%q: %q, not %q", test.payloads, got, test.want)
		}
	}
}

// TestEngine: if both engines can read a flow's values, their content decides: a Transform3D of Godot 4 has
// as many bytes as some Dictionaries of Godot 3.
func TestEngine(t *testing.T) {
	for _, c := range []struct {
		name, payload string
		want          message.Protocol
	}{
		{`{ "x": 1.0, "cmd": "move" } of Godot 3`, "12000000 02000000 04000000 01000000 'x'000000 03000000 0000803f 04000000 03000000 'cmd'00 04000000 04000000 'move'", message.Variants3},
		{"a Transform3D of Godot 4", "12000000" + strings.Repeat("0000803f 00000000 00000000 00000000", 2) + "0000803f 0000a041 0000c03f 000020c1", message.Variants4},
	} {
		r := New(Options{}, Handler{new(log).Message, new(log).Problem})
		f, _ := flowOf(payload.UDP, 1)
		feed(r, f, nil, "c0="+c.payload, "c0="+c.payload)
		r.Flush()
		if is := r.flows[f].protocol; is != c.want {
			t.Errorf("%s: protocol %v, want %v", c.name, is, c.want)
		}
	}
}

// TestSetProtocol: payloads of a flow with a set protocol are not held back.
func TestSetProtocol(t *testing.T) {
	l := &log{}
	r := New(Options{Protocols: map[int]message.Protocol{1: message.Godot4}}, Handler{l.Message, l.Problem})
	f, c := flowOf(payload.UDP, 1)
	feed(r, f, c, "c0=03 aa", "c0=")
	if want := []string{"0 raw", "1 unknown !truncated"}; !slices.Equal(l.lines, want) {
		t.Errorf("%q", l.lines)
	}
	for _, p := range message.Protocols() {
		if got, ok := message.ParseProtocol(p.String()); !ok || got != p || p.About() == "" {
			t.Errorf("%s is %v", p, got)
		}
	}
	if _, ok := message.ParseProtocol("x"); ok {
		t.Error("there is no protocol x")
	}
}

// TestOrder: what is held back for one flow holds back what follows it, and nothing is held back for ever.
func TestOrder(t *testing.T) {
	l := &log{}
	r := New(Options{}, Handler{l.Message, l.Problem})
	slow, none := flowOf(payload.UDP, 1)
	fast, _ := flowOf(payload.UDP, 2)
	feed(r, slow, none, "c0=02000000 07000000")
	r.Problem(&payload.Problem{})
	r.Closed(fast)
	for range enough {
		feed(r, fast, none, "c0='abc'")
	}
	if len(l.lines) != 0 {
		t.Fatalf("%q", l.lines)
	}
	for range enough {
		feed(r, slow, none, "c0=02000000 07000000")
	}
	if got := strings.Join(l.lines[:3], ","); got != "0 var,problem ,1 bytes" || len(l.lines) != 2*enough+2 {
		t.Errorf("%d: %s", len(l.lines), got)
	}
	l.lines = nil
	other, _ := flowOf(payload.UDP, 3)
	feed(r, other, none, "c0='x'")
	for range maxItems + 10 {
		feed(r, fast, none, "c0='abc'")
	}
	if len(l.lines) != maxItems+11 {
		t.Errorf("%d of %d messages", len(l.lines), maxItems+11)
	}
	l.lines = nil
	last, _ := flowOf(payload.UDP, 4)
	for range 3 {
		feed(r, last, none, "c0='"+strings.Repeat("x", 4<<20)+"'")
	}
	if len(l.lines) != 3 {
		t.Errorf("%d messages of 4 MiB are given away", len(l.lines))
	}
}

// TestForgotten: neither flows nor paths are remembered without limit.
func TestForgotten(t *testing.T) {
	l := &log{}
	r := New(Options{Protocols: map[int]message.Protocol{1: message.Godot4}}, Handler{l.Message, l.Problem})
	f, c := flowOf(payload.ENet, 1)
	long := strings.Repeat("x", 60000)
	for i := range maxMemory/60000 + 10 {
		feed(r, f, c, fmt.Sprintf("s0=01 %s %08x '%s'00", noMethods, i, long))
	}
	if n := len(slices.DeleteFunc(slices.Clone(l.lines), func(s string) bool { return s != "problem state-forgotten" })); n != 1 && n != 2 {
		t.Errorf("%d notes that something is forgotten", n)
	}
	l.lines = nil
	for i := range maxFlows + 1 {
		f, c := flowOf(payload.UDP, i+2)
		feed(r, f, c, "c0='x'")
	}
	if !slices.Contains(l.lines, "problem state-forgotten") || len(r.flows) > 2 {
		t.Errorf("%d flows are remembered", len(r.flows))
	}
}

// FuzzReader: any payloads can be read, whatever they are taken for.
func FuzzReader(f *testing.F) {
	for _, s := range []string{hero, "80 01 00", "07 03 09000000 80 01 00", "01000000 05000000 02 01000000 'Game'00", "02000000 07000000"} {
		f.Add(digits(s), uint8(4), uint8(0), true)
	}
	f.Fuzz(func(t *testing.T, b []byte, transport, channel uint8, fromServer bool) {
		l := &log{}
		r := New(Options{}, Handler{l.Message, l.Problem})
		flow, c := flowOf(payload.Transport(transport%8), 1)
		p := &payload.Payload{Bytes: b, Frames: []int{1}, Flow: flow, Connection: c, Src: client, Dst: server, Channel: channel}
		if fromServer {
			p.Src, p.Dst = server, client
		}
		r.Payload(p)
		r.Payload(p)
		if r.Flush(); len(l.lines) != 2 {
			t.Fatalf("%q", l.lines)
		}
	})
}
