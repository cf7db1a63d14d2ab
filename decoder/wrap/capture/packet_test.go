package capture

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"testing"
	"time"

	"varview/decoder/engine/span"
	"varview/decoder/network/enet"
	"varview/decoder/network/link"
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
	p := pcap.Packet{Frame: 1, Data: data, At: span.Span{Offset: 40, Length: int64(len(data))}, Wire: len(data), Link: 101}
	want := bytes.Repeat([]byte("x"), 31)
	got, err := changed(&p, []patch{{at: 40 + 28, is: want}})
	if ip, udp := sumsHold(got); err != nil || !ip || !udp || !bytes.Equal(got[28:], want) {
		t.Errorf("%v %v %x %v", ip, udp, got, err)
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

// aCommand returns a packet with a reliable command of ENet.
func aCommand(i int, checksum, data string, at time.Time) *pcap.Packet {
	ip := append([]byte("\x45\x00\x00\x27\x00\x00\x00\x00\x40\x11\x00\x00\x7f\x00\x00\x01\x7f\x00\x00\x01\x0f\xa0\x1b\x58\x00\x13\x00\x00"),
		0x80, 0, 0, 9)
	ip = append(append(append(ip, checksum...), 0x86, 1, byte(i>>8), byte(i), 0, 3), data...)
	ip[3], ip[25] = byte(len(ip)), byte(len(ip)-20)
	return &pcap.Packet{Link: 101, Data: ip, Wire: len(ip), Time: at, At: span.Span{Length: int64(len(ip))}}
}

// TestDatagramChecksum: an ENet checksum that fits before an edit fits after it, even if the capture lacks
// the beginning of the connection.
func TestDatagramChecksum(t *testing.T) {
	const id = 0x1a2b3c4d
	right := binary.BigEndian.AppendUint32(nil, enet.Checksum([]byte{0x80, 0, 0, 9}, id, []byte("\x86\x01\x00\x05\x00\x03old")))
	want := binary.BigEndian.AppendUint32(nil, enet.Checksum([]byte{0x80, 0, 0, 9}, id, []byte("\x86\x01\x00\x05\x00\x03new")))
	is, err := changed(aCommand(5, string(right), "old", time.Unix(1000, 0)), []patch{{42, []byte("new"), true}})
	if err != nil || !bytes.Equal(is[32:36], want) || string(is[42:]) != "new" {
		t.Errorf("%x %v", is, err)
	}
}
