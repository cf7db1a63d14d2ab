package multiplayer_test

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"varview/decoder/network/godot3"
	"varview/decoder/network/godot4"
	"varview/decoder/network/message"
	"varview/decoder/network/payload"
	"varview/decoder/network/variants"
)

// digitsOf reads hexadecimal digits with blanks between them.
func digitsOf(t testing.TB, digits string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.Join(strings.Fields(digits), ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// read reads a message and returns its parts (a field as label=digits, a value as its literal, a list in
// brackets) and the codes of its problems.
func read(t testing.TB, b []byte, dialect string, how func(*message.Cursor, *message.Body)) (parts string, codes []string) {
	t.Helper()
	var c message.Cursor
	var body message.Body
	values := variants.NewReader(dialect, false)
	c.Begin(b, values)
	how(&c, &body)
	c.End()
	tiles(t, &c)
	var words []string
	for i := range c.Parts {
		words = append(words, part(&c, values, &c.Parts[i]))
	}
	for i := range c.Problems {
		codes = append(codes, c.Problems[i].Code)
	}
	return body.Kind.String() + ": " + strings.Join(words, " "), codes
}

func part(c *message.Cursor, values *variants.Reader, p *message.Part) string {
	switch p.Role {
	case message.Open:
		return p.Label + "["
	case message.Close:
		return "]"
	case message.Value:
		return string(values.AppendLiteral(nil, c.Bytes, variants.Value{Span: p.Span, Form: p.Form}, 1000))
	}
	what := p.Means
	if what == "" {
		what = hex.EncodeToString(c.Bytes[p.Offset:p.End()])
	}
	return fmt.Sprintf("%s=%s", strings.ReplaceAll(p.Label, " ", "-"), what)
}

// A packetCase is a packet as hexadecimal digits, its parts, and the codes of its problems.
type packetCase = struct{ digits, parts, codes string }

// checkPackets reads packets, which must have the parts and problems of their cases.
func checkPackets(t *testing.T, cases []packetCase, dialect string, how func(*message.Cursor, *message.Body)) {
	t.Helper()
	for _, c := range cases {
		parts, codes := read(t, digitsOf(t, c.digits), dialect, how)
		if parts != c.parts || strings.Join(codes, " ") != c.codes {
			t.Errorf("%s:\n%s (%v), not\n%s (%s)", c.digits, parts, codes, c.parts, c.codes)
		}
	}
}

// fuzzPackets checks that the parts of any packet cover it.
func fuzzPackets(f *testing.F, cases []packetCase, dialect string, how func(*message.Cursor, *message.Body)) {
	for _, c := range cases {
		f.Add(digitsOf(f, c.digits))
	}
	values := variants.NewReader(dialect, false)
	f.Fuzz(func(t *testing.T, b []byte) {
		var c message.Cursor
		var body message.Body
		c.Begin(b, values)
		how(&c, &body)
		c.End()
		tiles(t, &c)
	})
}

// tiles checks that the fields and values of a message are in order and cover it, and that lists are closed
// in order.
func tiles(t testing.TB, c *message.Cursor) {
	t.Helper()
	at, open := int64(0), 0
	for i := range c.Parts {
		p := &c.Parts[i]
		if p.Offset != at {
			t.Fatalf("part %d (%s) is at %d, not %d, of %x", i, p.Label, p.Offset, at, c.Bytes)
		}
		switch p.Role {
		case message.Open:
			open++
		case message.Close:
			open--
		}
		at += p.Length
	}
	if at != int64(len(c.Bytes)) || open != 0 {
		t.Fatalf("parts up to %d, %d lists open, of %x", at, open, c.Bytes)
	}
}

// packets3 are those of the specification, and unusual ones.
var packets3 = []packetCase{
	{"00 01000000 6869 00 01 02000000 05000000", `rpc: type=REMOTE_CALL path-id=01000000 method=6869 terminator=00 argument-count=01 args[ 5 ]`, ""},
	{"00 11000080 6869 00 01 02000000 05000000 47616d6500",
		"rpc: type=REMOTE_CALL path-offset=11000080 method=6869 terminator=00 argument-count=01 args[ 5 ] path=47616d65 terminator=00", ""},
	{"00 01000000 6869 00 00", "rpc: type=REMOTE_CALL path-id=01000000 method=6869 terminator=00 argument-count=00", ""},
	{"00 01000000 6869 00 c8 02000000 05000000",
		"rpc: type=REMOTE_CALL path-id=01000000 method=6869 terminator=00 argument-count=c8 args[ 5 ]", "argument-count"},
	{"00 01000000 6869 00 01 1b000000", "rpc: type=REMOTE_CALL path-id=01000000 method=6869 terminator=00 argument-count=01 gap=1b000000", "unknown-type"},
	{"00 01000000 6869 00 01 02000000 05000000 ff",
		"rpc: type=REMOTE_CALL path-id=01000000 method=6869 terminator=00 argument-count=01 args[ 5 ] gap=ff", "trailing-bytes"},
	{"00 ffff0080 6869 00 00", "rpc: type=REMOTE_CALL path-offset=ffff0080 gap=68690000", "bad-path-offset"},
	{"00 12000080 6869 00 01 02000000 05000000 00 4700",
		"rpc: type=REMOTE_CALL path-offset=12000080 method=6869 terminator=00 argument-count=01 args[ 5 ] gap=00 path=47 terminator=00", "trailing-bytes"},
	{"00 01000000 6869", "rpc: type=REMOTE_CALL path-id=01000000 gap=6869", "no-terminator"},
	{"01 01000000 6870 00 02000000 05000000", "set: type=REMOTE_SET path-id=01000000 property=6870 terminator=00 args[ 5 ]", ""},
	{"02 07000000 47616d6500", "simplify-path: type=SIMPLIFY_PATH path-id=07000000 path=47616d65 terminator=00", ""},
	{"03 4772c3b6c39f6500", "confirm-path: type=CONFIRM_PATH path=4772c3b6c39f65 terminator=00", ""},
	{"03 ff00", "confirm-path: type=CONFIRM_PATH path=ff terminator=00", "invalid-utf8"},
	{"04 0102", "raw: type=RAW data=0102", ""},
	{"04", "raw: type=RAW", ""},
	{"07 01", "unknown: type=07 gap=01", "unknown-message"},
	{"", "unknown: ", "truncated"},
}

func TestPacketsOfGodot3(t *testing.T) { checkPackets(t, packets3, "godot3", godot3.Packet) }

func TestHeaders(t *testing.T) {
	for _, test := range []struct {
		channel       uint8
		webSocket     bool
		digits, parts string
		from, to      int32
		system        bool
	}{
		{0, false, "00000000 05000000", "add-peer: type=add peer peer=05000000", 0, 0, true},
		{0, false, "01000000 05000000", "del-peer: type=remove peer peer=05000000", 0, 0, true},
		{0, false, "02000000 05000000", "unknown: type=02000000 gap=05000000", 0, 0, true},
		{1, false, "01000000 feffffff aa", "bytes: source=01000000 target=feffffff gap=aa", 1, -2, false},
		{0, true, "00 05000000 01000000 aa", "bytes: type=packet source=05000000 target=01000000 gap=aa", 5, 1, false},
		{0, true, "01 01000000 00000000 07000000", "add-peer: type=add peer source=01000000 target=00000000 peer=07000000", 1, 0, true},
		{0, true, "02 01000000 00000000 07000000", "del-peer: type=remove peer source=01000000 target=00000000 peer=07000000", 1, 0, true},
		{0, true, "03 01000000 00000000 07000000", "your-id: type=your id source=01000000 target=00000000 peer=07000000", 1, 0, true},
		{0, true, "04 01000000", "unknown: type=04 gap=01000000", 0, 0, true},
	} {
		m := &message.Message{Payload: &payload.Payload{Channel: test.channel}}
		var system bool
		parts, _ := read(t, digitsOf(t, test.digits), "godot3", func(c *message.Cursor, b *message.Body) {
			if test.webSocket {
				system = godot3.WebSocketHeader(c, m)
			} else {
				system = godot3.ENetHeader(c, m)
			}
			*b = m.Body
		})
		if parts != test.parts || m.From.ID != test.from || m.To.ID != test.to || system != test.system {
			t.Errorf("%s: %s %v %v %v", test.digits, parts, m.From, m.To, system)
		}
	}
}

// FuzzPacketsOfGodot3: whatever a packet holds, its parts cover it.
func FuzzPacketsOfGodot3(f *testing.F) { fuzzPackets(f, packets3, "godot3", godot3.Packet) }

const md5 = "6434316438636439386630306232303465393830303939386563663834323765"

// packets4 are those of the specification, and unusual ones.
var packets4 = []packetCase{
	{"20 19000080 08 02 04000000 05000000 66697273 74000000 0201 4865726f00",
		`rpc: command=REMOTE_CALL path-offset=19000080 method-id=08 argument-count=02 args[ "first" 1 ] path=4865726f terminator=00`, ""},
	{"80 01 00", "rpc: command=REMOTE_CALL node-id=01 method-id=00", ""},
	{"80 01 00 0102ff", "rpc: command=REMOTE_CALL node-id=01 method-id=00 args[ PackedByteArray(1, 2, 255) ]", ""},
	{"10 0001 08 02 42f900 04000000 01000000 61000000", `rpc: command=REMOTE_CALL node-id=0001 method-id=08 argument-count=02 args[ 249 "a" ]`, ""},
	{"60 09000080 0180 01 81 436f6e6600", "rpc: command=REMOTE_CALL path-offset=09000080 method-id=0180 argument-count=01 args[ true ] path=436f6e66 terminator=00", ""},
	{"60 09000080 0180 01 81 436f6e66", "rpc: command=REMOTE_CALL path-offset=09000080 method-id=0180 argument-count=01 args[ true ] path=436f6e66", ""}, // accepted
	{"20 00000100 08 01 0205", "rpc: command=REMOTE_CALL node-id=00000100 method-id=08 argument-count=01 args[ 5 ]", ""},
	{"00 01 00 05 02ff 420080 8200000080 c2ffffffffffffff7f 01",
		"rpc: command=REMOTE_CALL node-id=01 method-id=00 argument-count=05 args[ -1 -32768 -2147483648 9223372036854775807 false ]", ""},
	{"00 01 00 02 0205", "rpc: command=REMOTE_CALL node-id=01 method-id=00 argument-count=02 args[ 5 ]", "argument-count"},
	{"00 01 00 01 4205", "rpc: command=REMOTE_CALL node-id=01 method-id=00 argument-count=01 gap=4205", "truncated"},
	{"00 01 00 01 0205 aa", "rpc: command=REMOTE_CALL node-id=01 method-id=00 argument-count=01 args[ 5 ] gap=aa", "trailing-bytes"},
	{"00 01 00 01 27000000", "rpc: command=REMOTE_CALL node-id=01 method-id=00 argument-count=01 gap=27000000", "unknown-type"},
	{"30 01 00", "rpc: command=REMOTE_CALL gap=0100", "bad-id-width"},
	{"20 ff000080 00 00", "rpc: command=REMOTE_CALL path-offset=ff000080 gap=0000", "bad-path-offset"},
	{"20 02000080 00 00", "rpc: command=REMOTE_CALL path-offset=02000080 gap=0000", "bad-path-offset"},
	{"01 " + md5 + " 00 07000000 4865726f00",
		"simplify-path: command=SIMPLIFY_PATH MD5-of-the-methods=" + md5 + " terminator=00 path-id=07000000 path=4865726f terminator=00", ""},
	{"02 01 07000000", "confirm-path: command=CONFIRM_PATH same-methods=01 path-id=07000000", ""},
	{"02 00 4865726f 00", "confirm-path: command=CONFIRM_PATH same-methods=00 path=4865726f terminator=00", ""}, // before 4.3
	{"02 00 486500 00", "confirm-path: command=CONFIRM_PATH same-methods=00 path-id=48650000", ""},
	{"02 00 486579 00", "confirm-path: command=CONFIRM_PATH same-methods=00 path=486579 terminator=00", ""},
	{"03 0102", "raw: command=RAW data=0102", ""},
	{"04 00 02000000 01000000 01000000 07000000 02000000 4865726f5f3000 05000000 0000803f 00000040 04000000 04000000 6e6f6e65",
		"spawn: command=SPAWN scene=00 spawner-id=02000000 net-id=01000000 synchronizer-count=01000000 name-length=07000000 " +
			"synchronizer-net-id=02000000 name=4865726f5f30 terminator=00 state[ Vector2(1, 2) \"none\" ]", ""},
	{"04 ff 02000000 01000000 00000000 02000000 4100 02000000 0201",
		"spawn: command=SPAWN scene=custom spawner-id=02000000 net-id=01000000 synchronizer-count=00000000 name-length=02000000 " +
			"name=41 terminator=00 data-size=02000000 data[ 1 ]", ""},
	{"04 00 02000000 01000000 ffffffff 07000000", "spawn: command=SPAWN scene=00 spawner-id=02000000 net-id=01000000 synchronizer-count=ffffffff gap=07000000", "length-overrun"},
	{"04 00 02000000 01000000 00000000 ff000000 4100", "spawn: command=SPAWN scene=00 spawner-id=02000000 net-id=01000000 synchronizer-count=00000000 name-length=ff000000 gap=4100", "length-overrun"},
	{"04 ff 02000000 01000000 00000000 02000000 4100 ff000000 0201",
		"spawn: command=SPAWN scene=custom spawner-id=02000000 net-id=01000000 synchronizer-count=00000000 name-length=02000000 " +
			"name=41 terminator=00 data-size=ff000000 gap=0201", "length-overrun"},
	{"0b aa", "raw: command=RAW data=aa", "unknown-flags"},
	{"13 aa", "raw: command=RAW data=aa", "unknown-flags"},
	{"88 01 00", "rpc: command=REMOTE_CALL node-id=01 method-id=00", "unknown-flags"},
	{"03", "raw: command=RAW", "truncated"},
	{"02 07 07000000", "confirm-path: command=CONFIRM_PATH same-methods=07 path-id=07000000", "bool-value"},
	{"05 03000000", "despawn: command=DESPAWN net-id=03000000", ""},
	{"05 0300", "despawn: command=DESPAWN gap=0300", "truncated"},
	{"06 0500 02000000 05000000 81 42f900 01 01000080 00000000",
		"sync: command=SYNC time=0500 entries[ [ id=02000000 size=05000000 values[ true 249 false ] ] [ id=01000080 size=00000000 ] ]", ""},
	{"16 02000000 0300000000000000 04000000 0264 0205",
		"delta: command=SYNC entries[ [ id=02000000 mask=0300000000000000 size=04000000 values[ 100 5 ] ] ]", ""},
	{"06 0500 02000000 ff000000 81", "sync: command=SYNC time=0500 entries[ [ id=02000000 size=ff000000 ] ] gap=81", "length-overrun"},
	{"07 00", "auth: command=SYS system-command=AUTH", ""},
	{"07 00 aabb", "auth: command=SYS system-command=AUTH data=aabb", ""},
	{"07 01 02000000", "add-peer: command=SYS system-command=ADD_PEER peer=02000000", ""},
	{"07 02 02000000", "del-peer: command=SYS system-command=DEL_PEER peer=02000000", ""},
	{"07 03 feffffff 03 aa", "relay: command=SYS system-command=RELAY peer=feffffff inner[ command=RAW data=aa ]", ""},
	{"07 03 02000000 20 09000080 08 02 0201 01 4100", // an offset counts from the inner command
		"relay: command=SYS system-command=RELAY peer=02000000 inner[ command=REMOTE_CALL path-offset=09000080 method-id=08 argument-count=02 args[ 1 ] ] gap=014100", "argument-count"},
	{"07 03 02000000 20 0a000080 08 02 0201 01 4100",
		"relay: command=SYS system-command=RELAY peer=02000000 inner[ command=REMOTE_CALL path-offset=0a000080 method-id=08 argument-count=02 args[ 1 false ] path=41 terminator=00 ]", ""},
	{"07 03 02000000 07 00", "relay: command=SYS system-command=RELAY peer=02000000 gap=0700", "bad-relay"},
	{"07 04", "unknown: command=SYS system-command=04", "unknown-message"},
	{"07", "unknown: command=SYS", "truncated"},
	{"", "unknown: ", "truncated"},
}

func TestPacketsOfGodot4(t *testing.T) { checkPackets(t, packets4, "godot4", godot4.Packet) }

// FuzzPacketsOfGodot4: whatever a packet holds, its parts cover it.
func FuzzPacketsOfGodot4(f *testing.F) { fuzzPackets(f, packets4, "godot4", godot4.Packet) }
