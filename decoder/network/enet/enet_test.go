package enet

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"

	"varview/decoder/engine/span"
	"varview/decoder/network/payload"
	"varview/decoder/network/pool"
	"varview/decoder/wrap/fastlz"
)

// A recorder keeps what a flow hands over, as text.
type recorder struct {
	t   *testing.T
	all []string
}

func (r *recorder) Payload(p *payload.Payload) {
	side := "A"
	if p.Src == p.Flow.B {
		side = "B"
	}
	partial := ""
	if p.Partial {
		partial = " partial"
	}
	r.all = append(r.all, fmt.Sprintf("%s %v #%d %q ch %d mode %d%s", side, p.Frames, p.Connection.Number, p.Bytes, p.Channel, p.Mode, partial))
	n := int64(0)
	for _, part := range p.Parts {
		n += part.Length
	}
	if n != int64(len(p.Bytes)) {
		r.t.Errorf("parts of %d bytes for %q", n, p.Bytes)
	}
}

func (r *recorder) Event(payload.Bytes, string) {}
func (r *recorder) Closed()                     { r.all = append(r.all, "closed") }

func (r *recorder) Problem(at payload.Bytes, code, _ string) {
	frame, offset := 0, int64(-1)
	if len(at.Parts) > 0 {
		frame, offset = at.Parts[0].Frame, at.Parts[0].At.Offset%1000
	}
	r.all = append(r.all, fmt.Sprintf("%d %s at %d", frame, code, offset))
}

// A tester sends datagrams through a flow. The datagram of frame n is at 1000·n.
type tester struct {
	flow     *Flow
	out      *recorder
	unpacker Unpacker
	frame    int
	now      time.Time
}

func newTester(t *testing.T, limit int64) *tester {
	s := &tester{out: &recorder{t: t}, now: time.Unix(1000, 0)}
	f := &payload.Flow{Number: 1, A: netip.MustParseAddrPort("127.0.0.1:1"), B: netip.MustParseAddrPort("127.0.0.1:2"), Transport: payload.ENet}
	s.flow = NewFlow(pool.New(limit), &s.unpacker, payload.Servers{}, f, s.out)
	return s
}

// send sends a datagram of hex digits, from A if they begin with A.
func (s *tester) send(text string, missing int) {
	b, err := hex.DecodeString(strings.ReplaceAll(text[1:], " ", ""))
	if err != nil {
		panic(err)
	}
	s.frame++
	s.now = s.now.Add(time.Millisecond)
	parts := []payload.Part{{At: span.Span{Offset: int64(s.frame) * 1000, Length: int64(len(b))}, Length: int64(len(b)), Frame: s.frame}}
	s.flow.Datagram(&Packet{Bytes: payload.Bytes{Data: b, Parts: parts}, Missing: missing, ToB: text[0] == 'A', Frame: s.frame, Time: s.now})
	s.flow.pool.Trim()
}

// Datagrams of a connection, by the tables of the format.
const (
	connect = "A 8fff 0001 82ff0001 0000 ff ff 00000578 00010000 00000003 00000000 00000000 00001388 00000002 00000002 0a0b0c0d 00000007"
	verify  = "B 8000 0002 01ff0001 00010001 83ff0001 0000 00 00 00000578 00010000 00000003 00000000 00000000 00001388 00000002 00000002 0a0b0c0d"
	// The same once more, in session 1.
	reconnect   = "A 8fff 0001 82ff0001 0000 ff ff 00000578 00010000 00000003 00000000 00000000 00001388 00000002 00000002 0a0b0c0e 00000007"
	verifyAgain = "B 9000 0002 01ff0001 00010001 83ff0001 0000 01 01 00000578 00010000 00000003 00000000 00000000 00001388 00000002 00000002 0a0b0c0e"
	ready       = "A 8000 9b36 01ff0001 0001 9b2f 85ff0002"
)

// TestFlow: the payloads of datagrams. They are shown with their side, frames, connection, bytes, channel
// and mode; problems with their place in the datagram.
func TestFlow(t *testing.T) {
	for _, c := range []struct {
		name string
		in   []string
		want []string
	}{
		{"a connection", []string{connect, verify, ready, "A 8000 0003 86010001 0002 6869", "B 0000 01010001 00010003", "B 8000 0004 84ff0002 00000009"},
			[]string{`A [4] #1 "hi" ch 1 mode 0`, "closed"}},
		{"all that carries data", []string{connect, "A 8000 0003 86000001 0001 61 07000001 0001 0001 62 49000000 0001 0001 63"},
			[]string{`A [2] #1 "a" ch 0 mode 0`, `A [2] #1 "b" ch 0 mode 1`, `A [2] #1 "c" ch 0 mode 2`}},
		{"empty", []string{connect, "A 8000 0003 86000001 0000"}, []string{`A [2] #1 "" ch 0 mode 0`}},
		{"sent again", []string{connect, "A 8000 0003 86000001 0001 61", "A 8000 0004 86000001 0001 61", connect},
			[]string{`A [2] #1 "a" ch 0 mode 0`}},
		{"unreliable datagrams captured twice", []string{connect, "A 0000 07000000 0001 0001 62 49000000 0001 0001 63", "A 0000 07000000 0001 0001 62 49000000 0001 0001 63", "A 0000 07000000 0002 0001 62"},
			[]string{`A [2] #1 "b" ch 0 mode 1`, `A [2] #1 "c" ch 0 mode 2`, `A [4] #1 "b" ch 0 mode 1`}},
		{"out of order", []string{connect, "A 8000 0003 86000002 0001 62", "A 8000 0003 86000003 0001 63", "A 8000 0003 86010001 0001 78", "A 8000 0004 86000001 0001 61"},
			[]string{`A [4] #1 "x" ch 1 mode 0`, `A [5] #1 "a" ch 0 mode 0`, `A [2] #1 "b" ch 0 mode 0`, `A [3] #1 "c" ch 0 mode 0`}},
		{"missing", []string{connect, "A 8000 0003 86000001 0001 61", "A 8000 0003 86000004 0001 64"},
			[]string{`A [2] #1 "a" ch 0 mode 0`, "3 missing-enet-command at 4", `A [3] #1 "d" ch 0 mode 0`}},
		{"fragments, the last first", []string{connect, "A 8000 0003 88000002 0001 0001 00000002 00000001 00000003 00000002 63", "A 8000 0003 88000001 0001 0002 00000002 00000000 00000003 00000000 6162"},
			[]string{`A [2 3] #1 "abc" ch 0 mode 0`}},
		{"a fragment sent again", []string{connect, "A 8000 0003 88000001 0001 0002 00000002 00000000 00000003 00000000 6162", "A 8000 0003 88000001 0001 0002 00000002 00000000 00000003 00000000 6162", "A 8000 0003 88000002 0001 0001 00000002 00000001 00000003 00000002 63 86000003 0001 64"},
			[]string{`A [2 4] #1 "abc" ch 0 mode 0`, `A [4] #1 "d" ch 0 mode 0`}},
		{"unreliable fragments", []string{connect, "A 0000 0c000000 0005 0002 00000002 00000000 00000003 00000000 6162", "A 0000 0c000000 0005 0001 00000002 00000001 00000003 00000002 63"},
			[]string{`A [2 3] #1 "abc" ch 0 mode 1`}},
		{"a fragment outside its message", []string{connect, "A 8000 0003 88000001 0001 0002 00000002 00000000 00000003 00000002 6162"},
			[]string{"2 length-overrun at 4"}},
		{"fragments missing", []string{connect, "A 8000 0003 88000001 0001 0002 00000002 00000000 00000003 00000000 6162"},
			[]string{"2 missing-enet-command at 28"}},
		{"not answered", []string{connect, connect}, []string{"1 not-answered at 4"}},
		{"refused", []string{connect, connect, "B 8fff 0003 84ff0001 00000005"}, []string{"3 connection-refused at 4", "closed"}},
		{"accepted, and ended at once", []string{connect, verify, ready, "B 8000 0004 84ff0002 00000005"}, []string{"4 connection-refused at 4", "closed"}},
		{"never acknowledged", []string{connect, "A 8000 0003 86000001 0001 61", "A 8000 0004 86000001 0001 61", "A 8000 0005 86000001 0001 61", "A 8000 0006 86000001 0001 61", "A 8000 0007 86000001 0001 61"},
			[]string{`A [2] #1 "a" ch 0 mode 0`, "2 timed-out at 4"}},
		{"acknowledged at last", []string{connect, "A 8000 0003 86000001 0001 61", "A 8000 0004 86000001 0001 61", "A 8000 0005 86000001 0001 61", "A 8000 0006 86000001 0001 61", "A 8000 0007 86000001 0001 61", "B 0000 01000001 00010007"},
			[]string{`A [2] #1 "a" ch 0 mode 0`}},
		{"a new connection", []string{connect, "A 8000 0003 86000001 0001 61", strings.Replace(connect, "0a0b0c0d", "0a0b0c0e", 1), "A 8000 0003 86000001 0001 62"},
			[]string{`A [2] #1 "a" ch 0 mode 0`, `A [4] #2 "b" ch 0 mode 0`}},
		{"late, of the connection before", []string{connect, verify, "A 8000 0003 86000001 0001 61", reconnect, verifyAgain, "A 9000 0001 86000001 0001 62", "A 8000 0003 86000002 0001 78", "A 9000 0001 86000002 0001 63"},
			[]string{`A [3] #1 "a" ch 0 mode 0`, `A [6] #2 "b" ch 0 mode 0`, "7 other-enet-session at 0", `A [8] #2 "c" ch 0 mode 0`}},
		{"from the middle", []string{"B 8000 0003 86000064 0001 61", "B 8000 0003 86000065 0001 62", connect, "A 8000 0003 86000001 0001 63"},
			[]string{`B [1] #1 "a" ch 0 mode 0`, `B [2] #1 "b" ch 0 mode 0`, `A [4] #2 "c" ch 0 mode 0`}},
		{"numbers begin anew after 65535", []string{"A 8000 0003 8600ffff 0001 61", "A 8000 0003 86000000 0001 62", "A 8000 0003 86000001 0001 63"},
			[]string{`A [1] #1 "a" ch 0 mode 0`, `A [2] #1 "b" ch 0 mode 0`, `A [3] #1 "c" ch 0 mode 0`}},
		{"disconnected at once, which takes a number", []string{connect, "A 8000 0002 44ff0002 00000005 85ff0003", "A 8000 0002 85ff0004"},
			[]string{"closed"}},
		{"a command that does not exist", []string{connect, "A 8000 0003 86000001 0001 61 8d000002 00"},
			[]string{`A [2] #1 "a" ch 0 mode 0`, "2 wrong-enet-command at 11"}},
		{"a length that is too large", []string{connect, "A 8000 0003 86000001 ff00 61", "A 8000 0003 86000002 0001 62"},
			[]string{"2 length-overrun at 8", `A [3] #1 "b" ch 0 mode 0`}},
		{"a cut command", []string{connect, "A 8000 0003 860000"}, []string{"2 truncated at 4", "1 not-understood at 4"}},
		{"flags that are never sent", []string{connect, "A 0000 47000000 0001 0001 62"}, []string{"2 wrong-enet-command at 2", `A [2] #1 "b" ch 0 mode 1`}},
		{"too short", []string{connect, "A 80"}, []string{"2 truncated at 0", "1 not-understood at 4"}},
		{"nothing to be unpacked", []string{connect, "A c000 0001"}, []string{"2 unreadable at 0", "1 not-understood at 4"}},
		{"not to be unpacked", []string{connect, "A 4000 789c0000"}, []string{"2 unreadable at 2", "1 not-understood at 4"}},
	} {
		s := newTester(t, 1<<20)
		for _, text := range c.in {
			s.send(text, 0)
		}
		s.flow.Finish()
		if !slices.Equal(s.out.all, c.want) {
			t.Errorf("%s:\n%s\nnot\n%s", c.name, strings.Join(s.out.all, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

// TestCaptured: a datagram that was captured in part is read in part.
func TestCaptured(t *testing.T) {
	s := newTester(t, 1<<20)
	s.send(connect, 0)
	s.send("A 8000 0003 86000001 0001 61 86000002 0005 6263", 20)
	s.send("A 8000 0003 86000003 0001 64 8600", 10)
	want := []string{`A [2] #1 "a" ch 0 mode 0`, `A [2] #1 "bc" ch 0 mode 0 partial`, `A [3] #1 "d" ch 0 mode 0`}
	if !slices.Equal(s.out.all, want) {
		t.Errorf("%s", strings.Join(s.out.all, "\n"))
	}
}

// TestConnection: what is known of a connection.
func TestConnection(t *testing.T) {
	s := newTester(t, 1<<20)
	s.send(connect, 0)
	s.send(verify, 0)
	c := s.flow.connection
	if !c.Began || c.ClientID != 7 || c.ConnectID != 0x0a0b0c0d || c.Client.Port() != 1 || c.Server.Port() != 2 {
		t.Errorf("%+v", c)
	}
}

func zlibbed(plain []byte) []byte {
	var packed bytes.Buffer
	w := zlib.NewWriter(&packed)
	_, _ = w.Write(plain)
	_ = w.Close()
	return packed.Bytes()
}

func zstandard(t *testing.T, plain []byte) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return w.EncodeAll(plain, nil)
}

// TestPackings: a datagram is read the same in each packing, and the packing is detected.
func TestPackings(t *testing.T) {
	head, commands := []byte{0xc0, 0, 0, 3}, []byte{0x86, 0, 0, 1, 0, 40}
	commands = append(commands, bytes.Repeat([]byte("data"), 10)...)
	ping := []byte{0x85, 0xff, 0, 2} // fewer than 16 bytes are filled up with zeros
	for _, c := range []struct {
		packing Packing
		block   []byte
		want    []byte
	}{
		{Zlib, zlibbed(commands), commands},
		{Zstd, zstandard(t, commands), commands},
		{FastLZ, fastlz.Pack(commands), commands},
		{FastLZ, fastlz.Pack(ping), ping},
	} {
		var u Unpacker
		var d Datagram
		b := append(slices.Clone(head), c.block...)
		if !u.Parse(&d, b, 0, false) || d.Packing != c.packing || !bytes.Equal(d.Commands, c.want) || d.Damage != nil || len(d.List) != 1 {
			t.Errorf("%v: %v %x %v", c.packing, d.Packing, d.Commands, d.Damage)
		}
		u.Close()
	}
}

// TestBombs: commands that unpack to more than a datagram may have are damage, and take no more memory.
func TestBombs(t *testing.T) {
	zeros := make([]byte, 4<<20)
	for name, block := range map[string][]byte{
		"zlib":        zlibbed(zeros),
		"zstd":        zstandard(t, zeros),
		"FastLZ":      fastlz.Pack(zeros),
		"range coder": bytes.Repeat([]byte{0xff}, 64<<10),
	} {
		var u Unpacker
		var d Datagram
		if !u.Parse(&d, append([]byte{0xc0, 0, 0, 3}, block...), 0, false) || d.Damage == nil || len(d.Commands) > 0 || cap(u.out) > maxUnpacked {
			t.Errorf("%s: %v, %d bytes of commands, %d bytes of memory", name, d.Damage, len(d.Commands), cap(u.out))
		}
		u.Close()
	}
}

// withChecksum inserts the checksum into a datagram of hex digits.
func withChecksum(text string, id uint32) string {
	b, _ := hex.DecodeString(strings.ReplaceAll(text[1:], " ", ""))
	sum := crc32.ChecksumIEEE(slices.Concat(b[:4], binary.BigEndian.AppendUint32(nil, id), b[4:]))
	return fmt.Sprintf("%c%x%08x%x", text[0], b[:4], sum, b[4:])
}

// TestChecksum: it is detected whether datagrams have a checksum, and reported if it does not fit.
func TestChecksum(t *testing.T) {
	var u Unpacker
	first := withChecksum(connect, 0)
	b, _ := hex.DecodeString(first[1:])
	if certainty, checksum := u.Recognize(b); certainty != Sure || !checksum {
		t.Errorf("%v %v", certainty, checksum)
	}
	s := newTester(t, 1<<20)
	s.flow.flow.Checksum = true
	s.send(first, 0)
	s.send(withChecksum(verify, 0x0a0b0c0d), 0)
	s.send(withChecksum("A 8000 0003 86000001 0001 61", 0x0a0b0c0d), 0)
	s.send(withChecksum("A 8000 0003 86000002 0001 62", 0x0a0b0c0e), 0)
	want := []string{`A [3] #1 "a" ch 0 mode 0`, "4 wrong-enet-checksum at 4", `A [4] #1 "b" ch 0 mode 0`}
	if !slices.Equal(s.out.all, want) {
		t.Errorf("%s", strings.Join(s.out.all, "\n"))
	}
}

// TestRecognize: how certainly datagrams are of ENet.
func TestRecognize(t *testing.T) {
	var u Unpacker
	for _, c := range []struct {
		text string
		want Certainty
	}{
		{connect, Sure},
		{verify, Sure},
		{ready, Likely},
		{"A 0000 01010001 00010003", Likely},
		{"A 0000 01010001 00010003 00", No},
		{"A 8000 0003 01010001 00010003", No}, // a time, and nothing to acknowledge
		{"A 04000000 02000000 68690000", No},  // a String
		{"A 02000000 07000000", No},           // an int
		{"A 0000", No},
	} {
		b, _ := hex.DecodeString(strings.ReplaceAll(c.text[1:], " ", ""))
		if got, _ := u.Recognize(b); got != c.want {
			t.Errorf("%s: %v", c.text, got)
		}
	}
}

// TestMemory: messages that never end, and commands that never come, are given up.
func TestMemory(t *testing.T) {
	s := newTester(t, 100_000)
	s.send(connect, 0)
	data := strings.Repeat("61", 1000)
	for i := range 1000 {
		s.send(fmt.Sprintf("A 8000 0003 88%02x0001 0001 03e8 00000400 %08x 00200000 00000000 %s", i%200, i%1000, data), 0)
		s.send(fmt.Sprintf("B 8000 0003 86%02x%04x 03e8 %s", i%200, i+2, data), 0)
	}
	if used := s.flow.pool.Used(); used > 100_000 {
		t.Errorf("%d bytes wait", used)
	}
	gone := 0
	for _, text := range s.out.all {
		if strings.Contains(text, payload.TooMuch) {
			gone++
		}
	}
	if gone == 0 {
		t.Error("nothing was given up")
	}
}

// FuzzFlow: the commands read from any datagrams are in order in their datagram.
func FuzzFlow(f *testing.F) {
	for _, text := range []string{connect, verify, ready, "A 8000 0003 88000002 0001 0001 00000002 00000001 00000003 00000002 63"} {
		b, _ := hex.DecodeString(strings.ReplaceAll(text[1:], " ", ""))
		f.Add(append([]byte{byte(len(b))}, b...), false)
	}
	f.Fuzz(func(t *testing.T, data []byte, checksum bool) {
		s := newTester(t, 10_000)
		defer s.unpacker.Close()
		s.flow.flow.Checksum = checksum
		for len(data) > 0 {
			n := min(int(data[0]), len(data)-1)
			side := "AB"[data[0]&1 : data[0]&1+1]
			s.send(side+hex.EncodeToString(data[1:1+n]), 0)
			data = data[1+n:]
			at := 0
			for _, c := range s.flow.datagram.List {
				if c.At != at || c.End() > len(s.flow.datagram.Commands) {
					t.Fatalf("a command at %d to %d after %d of %d", c.At, c.End(), at, len(s.flow.datagram.Commands))
				}
				at = c.End()
			}
		}
		s.flow.Finish()
		if used := s.flow.pool.Used(); used != 0 {
			t.Fatalf("%d bytes wait after the end", used)
		}
	})
}

// TestChecksumID: the number of the connection follows from one datagram.
func TestChecksumID(t *testing.T) {
	for i, id := range []uint32{0, 1, 0x12345678, 0xdeadbeef, 0xffffffff} {
		d := Datagram{Header: 8, Commands: bytes.Repeat([]byte{byte(i), 0xff, 7}, i*i)}
		head := []byte{0x80, byte(i), 1, 2}
		b := binary.BigEndian.AppendUint32(head, Checksum(head, id, d.Commands))
		if got := d.ChecksumID(b); got != id || !d.checksumHolds(b, id) {
			t.Errorf("%#x, not %#x", got, id)
		}
	}
}

// TestTraffic: round trips of a known length, what is repeated, dropped and waits.
func TestTraffic(t *testing.T) {
	s := newTester(t, 1<<20)
	at := func(ms int, text string) {
		s.now = time.Unix(2000, int64(ms-1)*int64(time.Millisecond)) // send adds 1
		s.send(text, 0)
	}
	for i, c := range []struct{ ms, trip int }{{0, 50}, {100, 50}, {200, 90}} {
		at(c.ms, fmt.Sprintf("A 8000 %04x 8600%04x 0001 61", c.ms, i+1))
		at(c.ms+c.trip, fmt.Sprintf("B 0000 0100%04x %04x%04x", i+1, i+1, c.ms))
	}
	at(300, "A 8000 012c 86000004 0001 61 07000004 0001 0001 62")
	at(350, "A 8000 015e 86000004 0001 61") // again
	at(360, "A 0000 07000004 0004 0001 62") // 2 and 3 are missing
	at(365, "A 0000 07000004 0003 0001 62") // one comes late
	at(400, "B 0000 01000004 0004012c")     // for the first
	at(410, "A 8000 019a 88000005 0005 0002 00000002 00000000 00000003 00000000 6162")
	is := &s.flow.flow.Sent[0]
	if is.Resent != 1 || is.Dropped != 1 || is.Unacked != 1 || is.MostAcked != 1 || is.Waiting != 1 {
		t.Errorf("%+v", is)
	}
	at(412, "A 8000 019a 86000004 0001 61") // the same datagram, doubled on the way
	at(500, "A 8000 01f4 86000006 0001 61")
	at(490, "B 0000 01000006 000601f4") // in a capture whose packets are not in the order of their times
	trips := is.Trips
	if ms := time.Millisecond; trips.Count != 4 || trips.Least != 50*ms || trips.Most != 100*ms || trips.Mean() != 72500*time.Microsecond {
		t.Errorf("%+v", trips)
	}
	if is.Throttle.Least > payload.FullThrottle {
		t.Errorf("%+v", is.Throttle)
	}
	// A round trip that becomes three times as long lowers the throttle.
	for i := range 20 {
		trip := 50
		if i >= 10 {
			trip = 300
		}
		ms := 10_000 + i*1000
		at(ms, fmt.Sprintf("A 8000 %04x 8600%04x 0001 61", ms, i+6))
		at(ms+trip, fmt.Sprintf("B 0000 0100%04x %04x%04x", i+6, i+6, ms))
	}
	if is.Throttle.Least >= payload.FullThrottle {
		t.Errorf("%+v after %+v", is.Throttle, is.Trips)
	}
}

// TestMissing: all unreliable commands that are missing are counted, those of each kind by its own numbers, and reliable ones
// that are sent again, also after their acknowledgement.
func TestMissing(t *testing.T) {
	for _, c := range []struct {
		name            string
		in              []string
		dropped, resent int
	}{
		{"unsequenced", []string{"A 0000 49000000 0001 0001 63", "A 0000 49010000 0004 0001 63", "A 0000 49000000 0005 0001 63"}, 2, 0},
		{"unsequenced, the first", []string{"A 0000 49000000 0003 0001 63"}, 2, 0},
		{"unsequenced, in another order", []string{"A 0000 49000000 0002 0001 63", "A 0000 49000000 0001 0001 63", "A 0000 49000000 0003 0001 63"}, 0, 0},
		{"both kinds", []string{"A 0000 49000000 0001 0001 63", "A 0000 07000000 0001 0001 62 07000000 0003 0001 62", "A 0000 49000000 0003 0001 63"}, 2, 0},
		{"unreliable, the first", []string{"A 0000 07000000 0002 0001 62"}, 1, 0},
		{"acknowledged, and sent again", []string{"A 8000 0003 86000001 0001 61", "B 0000 01000001 00010003", "A 8000 0303 86000001 0001 61", "A 8000 0304 86000001 0001 61"}, 0, 2},
		{"acknowledged, and doubled on the way", []string{"A 8000 0003 86000001 0001 61", "B 0000 01000001 00010003", "A 8000 0003 86000001 0001 61"}, 0, 0},
		{"sent again before its turn", []string{"A 8000 0003 86000002 0001 61", "A 8000 0303 86000002 0001 61", "A 8000 0003 86000001 0001 61"}, 0, 1},
	} {
		s := newTester(t, 1<<20)
		for _, text := range append([]string{connect}, c.in...) {
			s.send(text, 0)
		}
		if is := s.flow.flow.Sent[0]; is.Dropped != c.dropped || is.Resent != c.resent {
			t.Errorf("%s: %d dropped, %d resent", c.name, is.Dropped, is.Resent)
		}
	}
}
