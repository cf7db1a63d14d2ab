package endtoend

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"varview/decoder/network/enet"
	packet "varview/decoder/network/link"
	"varview/decoder/network/pcap"
)

// A captured is a conversation of a client and a server, written as a capture.
type captured struct {
	t              *testing.T
	file           bytes.Buffer
	out            *pcap.Writer
	when           time.Time
	client, server netip.AddrPort
	checksum       bool // of ENet
	id             uint32
	session        byte
	seq            [2]uint32 // of TCP: the next byte of the client and of the server
}

func newCaptured(t *testing.T) *captured {
	c := &captured{t: t, when: time.Unix(1700000000, 0), seq: [2]uint32{1<<32 - 96, 77}} // soon 0 again
	c.between("10.0.0.")
	var err error
	if c.out, err = pcap.NewWriter(&c.file); err != nil {
		t.Fatal(err)
	}
	return c
}

// between sets the addresses of client and server, which have a common beginning.
func (c *captured) between(start string) {
	c.client = netip.AddrPortFrom(netip.MustParseAddr(start+"1"), 40000)
	c.server = netip.AddrPortFrom(netip.MustParseAddr(start+"2"), 7000)
}

// save writes the capture to a file and returns its name.
func (c *captured) save() string {
	name := filepath.Join(c.t.TempDir(), "built.pcapng")
	if err := os.WriteFile(name, c.file.Bytes(), 0o644); err != nil {
		c.t.Fatal(err)
	}
	return name
}

// ip adds a packet that begins with IP, a millisecond after the last one.
func (c *captured) ip(b []byte) {
	c.when = c.when.Add(time.Millisecond)
	if err := c.out.Packet(b, c.when); err != nil {
		c.t.Fatal(err)
	}
}

// addresses returns sender and receiver.
func (c *captured) addresses(isServer bool) (src, dst netip.AddrPort) {
	if isServer {
		return c.server, c.client
	}
	return c.client, c.server
}

// datagram returns a datagram of ENet with commands that want an acknowledgement.
func (c *captured) datagram(peer uint16, commands string) []byte {
	b := binary.BigEndian.AppendUint16(nil, 0x8000|uint16(c.session)<<12|peer)
	b = binary.BigEndian.AppendUint16(b, 1234) // when it was sent
	if c.checksum {
		id := c.id
		if peer == 0xfff {
			id = 0
		}
		b = binary.BigEndian.AppendUint32(b, enet.Checksum(b, id, []byte(commands)))
	}
	return append(b, commands...)
}

// send adds a datagram of ENet.
func (c *captured) send(isServer bool, peer uint16, commands string) {
	src, dst := c.addresses(isServer)
	c.ip(packet.Datagram(src, dst, c.datagram(peer, commands)))
}

// connect begins a connection of ENet with a random number.
func (c *captured) connect(id uint32, session byte) {
	c.id, c.session = id, 0
	number := string(binary.BigEndian.AppendUint32(nil, id))
	fixed := "\x00\x00\x05\x78\x00\x01\x00\x00\x00\x00\x00\x02" + string(make([]byte, 20)) // MTU, window, channels, …
	connect := "\x82\xff\x00\x01\x00\x00\xff\xff" + fixed + number + "\x00\x00\x00\x02"
	c.send(false, 0xfff, connect)
	sessions := string([]byte{session, session})
	c.send(true, 0, "\x83\xff\x00\x01\x00\x00"+sessions+fixed+number)
	c.session = session
}

// reliable returns a reliable command on channel 0.
func reliable(sequence byte, data string) string {
	return "\x86\x00\x00" + string([]byte{sequence, byte(len(data) >> 8), byte(len(data))}) + data
}

// variant returns a text as a Variant.
func variant(text string) string {
	b := append([]byte{4, 0, 0, 0}, byte(len(text)), byte(len(text)>>8), 0, 0)
	return string(append(append(b, text...), make([]byte, -len(text)&3)...))
}

// segment adds a segment of TCP.
func (c *captured) segment(isServer bool, flags uint8, data string) {
	src, dst := c.addresses(isServer)
	own, other := &c.seq[0], c.seq[1]
	if isServer {
		own, other = &c.seq[1], c.seq[0]
	}
	c.ip(packet.Segment(src, dst, *own, other, flags, []byte(data)))
	*own += uint32(len(data)) + uint32(flags>>1&1) // SYN counts
}

// upgrade begins a connection of WebSocket.
func (c *captured) upgrade(extension string) {
	c.segment(false, packet.SYN, "")
	c.segment(true, packet.SYN|packet.ACK, "")
	c.segment(false, packet.ACK, "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Extensions: "+extension+"\r\n\r\n")
	c.segment(true, packet.ACK, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Extensions: "+extension+"\r\n\r\n")
}

// deflater compresses messages as permessage-deflate does, alone or together.
type deflater struct {
	alone bool
	out   bytes.Buffer
	z     *flate.Writer
}

func (d *deflater) pack(message string) string {
	d.out.Reset()
	if d.z == nil || d.alone {
		d.z, _ = flate.NewWriter(&d.out, 9)
	}
	_, _ = d.z.Write([]byte(message))
	_ = d.z.Flush()
	return strings.TrimSuffix(d.out.String(), "\x00\x00\xff\xff")
}
