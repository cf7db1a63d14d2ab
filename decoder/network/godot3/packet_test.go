package godot3

import (
	"testing"

	"varview/decoder/network/message"
	"varview/decoder/network/message/messagetest"
	"varview/decoder/network/payload"
)

// packets are those of the specification, and unusual ones.
var packets = []messagetest.Case{
	{"00 01000000 6869 00 01 02000000 05000000", `rpc: type=REMOTE_CALL path-id=01000000 method=6869 terminator=00 argument-count=01 args[ 5 ]`, ""},
	{"00 11000080 6869 00 01 02000000 05000000 47616d6500",
		"rpc: type=REMOTE_CALL path-offset=11000080 method=6869 terminator=00 argument-count=01 args[ 5 ] path=47616d65 terminator=00", ""},
	{"00 01000000 6869 00 00", "rpc: type=REMOTE_CALL path-id=01000000 method=6869 terminator=00 argument-count=00 args[ ]", ""},
	{"00 01000000 6869 00 c8 02000000 05000000",
		"rpc: type=REMOTE_CALL path-id=01000000 method=6869 terminator=00 argument-count=c8 args[ 5 ]", "argument-count"},
	{"00 01000000 6869 00 01 1b000000", "rpc: type=REMOTE_CALL path-id=01000000 method=6869 terminator=00 argument-count=01 args[ ] gap=1b000000", "unknown-type"},
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

func TestPacket(t *testing.T) { messagetest.Check(t, packets, "godot3", Packet) }

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
		parts, _ := messagetest.Read(t, messagetest.Bytes(t, test.digits), "godot3", func(c *message.Cursor, b *message.Body) {
			if test.webSocket {
				system = WebSocketHeader(c, m)
			} else {
				system = ENetHeader(c, m)
			}
			*b = m.Body
		})
		if parts != test.parts || m.From.ID != test.from || m.To.ID != test.to || system != test.system {
			t.Errorf("%s: %s %v %v %v", test.digits, parts, m.From, m.To, system)
		}
	}
}

// FuzzPacket: whatever a packet holds, its parts cover it.
func FuzzPacket(f *testing.F) { messagetest.Fuzz(f, packets, "godot3", Packet) }
