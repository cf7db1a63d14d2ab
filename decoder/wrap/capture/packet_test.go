package capture

import (
	"bytes"
	"encoding/hex"
	"slices"
	"testing"

	"varview/decoder/engine/span"
	"varview/decoder/network/link"
	"varview/decoder/network/payload"
	"varview/decoder/network/pcap"
)

// aDatagram is a DNS query with some bytes after it; fix sets its checksums.
const aDatagram = "4500003b1234400040117f990a0000020a000001" + // IPv4
	"9c4000350027b1ac" + // UDP
	"467701000001000000000000076578616d706c6503636f6d00000100014142"

// holds reports whether the 16-bit words add up to 0xffff in one's complement.
func holds(words ...[]byte) bool {
	sum := 0
	for _, b := range words {
		for i, c := range b {
			if i%2 == 0 {
				sum += int(c) << 8
			} else {
				sum += int(c)
			}
			if sum > 0xffff {
				sum -= 0xffff
			}
		}
	}
	return sum == 0xffff
}

func sumsHold(b []byte) (ip, udp bool) {
	n := len(b) - 20
	return holds(b[:20]), holds(b[12:20], []byte{0, 17, byte(n >> 8), byte(n)}, b[20:])
}

func TestChangedSums(t *testing.T) {
	data, err := hex.DecodeString(aDatagram)
	if err != nil {
		t.Fatal(err)
	}
	fix(data)
	if ip, udp := sumsHold(data); !ip || !udp {
		t.Fatalf("the test's own packet: %v %v", ip, udp)
	}
	flow := &payload.Payload{Flow: &payload.Flow{Transport: payload.UDP}}
	for _, test := range []struct{ name, is string }{{"shorter", "ab"}, {"odd", "abc"}, {"of the same length", string(bytes.Repeat([]byte("x"), 31))}, {"longer", string(bytes.Repeat([]byte("xyz"), 40))}} {
		p := pcap.Packet{Frame: 1, Data: data, At: span.Span{Offset: 40, Length: int64(len(data))}, Wire: len(data), Link: 101}
		at := payload.Part{At: span.Span{Offset: 40 + 28, Length: 31}, Length: 31}
		got, err := changed(&p, []change{{old: data[28:], new: []byte(test.is), part: at, payload: flow, rebuilt: len(test.is) != 31}})
		if err != nil {
			t.Fatal(test.name, err)
		}
		ip, udp := sumsHold(got)
		if !ip || !udp || string(got[28:]) != test.is || int(got[2])<<8|int(got[3]) != len(got) || int(got[24])<<8|int(got[25]) != len(got)-20 {
			t.Errorf("%s: %v %v %x", test.name, ip, udp, got)
		}
	}

	// IP holds two bytes more than UDP; the UDP checksum does not cover them.
	more := append(bytes.Clone(data), 0xff, 0xfe)
	more[3], more[11] = more[3]+2, more[11]-2 // the length of IP, and its checksum
	var h link.Packet
	link.Decode(101, more, len(more), &h)
	is := bytes.Clone(more)
	is[30] ^= 1
	fixSums(more, is, &h)
	if ip, udp := sumsHold(is[:len(data)]); !ip || !udp {
		t.Errorf("with bytes after it: %v %v", ip, udp)
	}

	// A checksum that does not fit, as in a packet captured at its sender, stays; so does one that is not
	// used.
	for _, sum := range []uint16{0x1234, 0} {
		data[26], data[27] = byte(sum>>8), byte(sum)
		link.Decode(101, data, len(data), &h)
		is := bytes.Clone(data)
		is[30] ^= 1
		if fixSums(data, is, &h); is[26] != data[26] || is[27] != data[27] {
			t.Errorf("the checksum %#x becomes %x", sum, is[26:28])
		}
	}
}

// fix sets the checksums of the test's packet by trying all values.
func fix(data []byte) {
	for _, at := range []int{10, 26} {
		for sum := range 1 << 16 {
			data[at], data[at+1] = byte(sum>>8), byte(sum)
			ip, udp := sumsHold(data)
			if at == 10 && ip || at == 26 && udp {
				break
			}
		}
	}
}

func TestFragments(t *testing.T) {
	p := &payload.Payload{Bytes: make([]byte, 30), Flow: &payload.Flow{Transport: payload.ENet},
		Parts: []payload.Part{{Length: 12}, {Length: 12}, {Length: 6}}}
	for n, want := range map[int][]int{30: {12, 12, 6}, 31: {12, 12, 7}, 36: {12, 12, 12}, 25: {12, 12, 1}, 24: {8, 8, 8}, 37: {12, 12, 13}, 3: {1, 1, 1}, 2: nil} {
		lengths, err := split(p, n)
		if (err == nil) != (want != nil) || !slices.Equal(lengths, want) {
			t.Errorf("%d: %v, %v", n, lengths, err)
		}
	}
}
