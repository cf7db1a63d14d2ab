package godot4

import (
	"testing"

	"varview/decoder/network/message/messagetest"
)

const md5 = "6434316438636439386630306232303465393830303939386563663834323765"

// packets are those of the specification, and unusual ones.
var packets = []messagetest.Case{
	{"20 19000080 08 02 04000000 05000000 66697273 74000000 0201 4865726f00",
		`rpc: command=REMOTE_CALL path-offset=19000080 method-id=08 argument-count=02 args[ "first" 1 ] path=4865726f terminator=00`, ""},
	{"80 01 00", "rpc: command=REMOTE_CALL node-id=01 method-id=00 args[ ]", ""},
	{"80 01 00 0102ff", "rpc: command=REMOTE_CALL node-id=01 method-id=00 args[ PackedByteArray(1, 2, 255) ]", ""},
	{"10 0001 08 02 42f900 04000000 01000000 61000000", `rpc: command=REMOTE_CALL node-id=0001 method-id=08 argument-count=02 args[ 249 "a" ]`, ""},
	{"60 09000080 0180 01 81 436f6e6600", "rpc: command=REMOTE_CALL path-offset=09000080 method-id=0180 argument-count=01 args[ true ] path=436f6e66 terminator=00", ""},
	{"60 09000080 0180 01 81 436f6e66", "rpc: command=REMOTE_CALL path-offset=09000080 method-id=0180 argument-count=01 args[ true ] path=436f6e66", ""}, // accepted
	{"20 00000100 08 01 0205", "rpc: command=REMOTE_CALL node-id=00000100 method-id=08 argument-count=01 args[ 5 ]", ""},
	{"00 01 00 05 02ff 420080 8200000080 c2ffffffffffffff7f 01",
		"rpc: command=REMOTE_CALL node-id=01 method-id=00 argument-count=05 args[ -1 -32768 -2147483648 9223372036854775807 false ]", ""},
	{"00 01 00 02 0205", "rpc: command=REMOTE_CALL node-id=01 method-id=00 argument-count=02 args[ 5 ]", "argument-count"},
	{"00 01 00 01 4205", "rpc: command=REMOTE_CALL node-id=01 method-id=00 argument-count=01 args[ ] gap=4205", "truncated"},
	{"00 01 00 01 0205 aa", "rpc: command=REMOTE_CALL node-id=01 method-id=00 argument-count=01 args[ 5 ] gap=aa", "trailing-bytes"},
	{"00 01 00 01 27000000", "rpc: command=REMOTE_CALL node-id=01 method-id=00 argument-count=01 args[ ] gap=27000000", "unknown-type"},
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
			"name=41 terminator=00 data-size=02000000 data[ 1 ] state[ ]", ""},
	{"04 00 02000000 01000000 ffffffff 07000000", "spawn: command=SPAWN scene=00 spawner-id=02000000 net-id=01000000 synchronizer-count=ffffffff gap=07000000", "length-overrun"},
	{"04 00 02000000 01000000 00000000 ff000000 4100", "spawn: command=SPAWN scene=00 spawner-id=02000000 net-id=01000000 synchronizer-count=00000000 name-length=ff000000 gap=4100", "length-overrun"},
	{"04 ff 02000000 01000000 00000000 02000000 4100 ff000000 0201",
		"spawn: command=SPAWN scene=custom spawner-id=02000000 net-id=01000000 synchronizer-count=00000000 name-length=02000000 " +
			"name=41 terminator=00 data-size=ff000000 gap=0201", "length-overrun"},
	{"0b aa", "raw: command=RAW data=aa", "unknown-flags"},
	{"13 aa", "raw: command=RAW data=aa", "unknown-flags"},
	{"88 01 00", "rpc: command=REMOTE_CALL node-id=01 method-id=00 args[ ]", "unknown-flags"},
	{"03", "raw: command=RAW", "truncated"},
	{"02 07 07000000", "confirm-path: command=CONFIRM_PATH same-methods=07 path-id=07000000", "bool-value"},
	{"05 03000000", "despawn: command=DESPAWN net-id=03000000", ""},
	{"05 0300", "despawn: command=DESPAWN gap=0300", "truncated"},
	{"06 0500 02000000 05000000 81 42f900 01 01000080 00000000",
		"sync: command=SYNC time=0500 entries[ [ id=02000000 size=05000000 values[ true 249 false ] ] [ id=01000080 size=00000000 values[ ] ] ]", ""},
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
	{"07 03 02000000 07 00", "relay: command=SYS system-command=RELAY peer=02000000 inner[ ] gap=0700", "bad-relay"},
	{"07 04", "unknown: command=SYS system-command=04", "unknown-message"},
	{"07", "unknown: command=SYS", "truncated"},
	{"", "unknown: ", "truncated"},
}

func TestPacket(t *testing.T) { messagetest.Check(t, packets, "godot4", Packet) }

// FuzzPacket: whatever a packet holds, its parts cover it.
func FuzzPacket(f *testing.F) { messagetest.Fuzz(f, packets, "godot4", Packet) }
