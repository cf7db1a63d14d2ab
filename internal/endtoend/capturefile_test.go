package endtoend

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"net/netip"
	"os"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// captureFile writes a capture of messages over ENet: capture FILE MESSAGE... A message is
// SIDE CHANNEL = DIGITS, as in c1=0a0b: from the client (c), whose id is 5, or from the server
// (s), on a channel, reliable.
func captureFile(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: capture FILE SIDE CHANNEL=DIGITS...")
	}
	c := newCaptureWriter()
	for _, word := range args[1:] {
		where, digits, _ := strings.Cut(word, "=")
		data, err := hex.DecodeString(digits)
		ts.Check(err)
		var channel byte
		_, err = fmt.Sscanf(where[1:], "%d", &channel)
		ts.Check(err)
		c.message(where[0] == 's', channel, data)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), c.file, 0o644))
}

// A captureWriter writes a capture of one ENet connection.
type captureWriter struct {
	file   []byte
	packet uint32
	next   map[[2]byte]uint16 // reliable sequence numbers by side and channel
}

func newCaptureWriter() *captureWriter {
	c := &captureWriter{next: map[[2]byte]uint16{}}
	le := binary.LittleEndian
	c.file = le.AppendUint32(c.file, 0xa1b2c3d4)
	c.file = le.AppendUint16(c.file, 2)
	c.file = le.AppendUint16(c.file, 4)
	c.file = append(c.file, make([]byte, 8)...)
	c.file = le.AppendUint32(c.file, 65535)
	c.file = le.AppendUint32(c.file, 1) // Ethernet
	connect := func(first string, data []byte) []byte {
		b, _ := hex.DecodeString(first + "00000578" + "00010000" + "00000003" + "0000000000000000" + "000013880000000200000002" + "01020304")
		return append(b, data...)
	}
	c.datagram(false, connect("8fff0001"+"82ff0001"+"0000ffff", []byte{0, 0, 0, 5}))
	c.datagram(true, connect("80000001"+"83ff0001"+"00000000", nil))
	return c
}

// message writes a datagram with one SEND_RELIABLE.
func (c *captureWriter) message(fromServer bool, channel byte, data []byte) {
	side := [2]byte{0, channel}
	if fromServer {
		side[0] = 1
	}
	c.next[side]++
	b := []byte{0x80, 0, 0, 1, 0x86, channel}
	b = binary.BigEndian.AppendUint16(b, c.next[side])
	b = binary.BigEndian.AppendUint16(b, uint16(len(data)))
	c.datagram(fromServer, append(b, data...))
}

// datagram writes a packet with a UDP datagram, a tenth of a second after the one before.
func (c *captureWriter) datagram(fromServer bool, data []byte) {
	client, server := netip.MustParseAddrPort("10.0.0.2:50000"), netip.MustParseAddrPort("10.0.0.1:7000")
	if fromServer {
		client, server = server, client
	}
	be := binary.BigEndian
	b := append(make([]byte, 12), 8, 0) // Ethernet
	b = append(b, 0x45, 0)
	b = be.AppendUint16(b, uint16(28+len(data)))
	b = append(b, 0, 0, 0x40, 0, 64, 17, 0, 0)
	from, to := client.Addr().As4(), server.Addr().As4()
	b = append(append(b, from[:]...), to[:]...)
	be.PutUint16(b[24:], headerSum(b[14:34]))
	b = be.AppendUint16(b, client.Port())
	b = be.AppendUint16(b, server.Port())
	b = be.AppendUint16(b, uint16(8+len(data)))
	b = append(append(b, 0, 0), data...) // without a checksum
	le := binary.LittleEndian
	c.file = le.AppendUint32(c.file, 1_000_000_000+c.packet/10)
	c.file = le.AppendUint32(c.file, c.packet%10*100_000)
	c.file = le.AppendUint32(c.file, uint32(len(b)))
	c.file = le.AppendUint32(c.file, uint32(len(b)))
	c.file = append(c.file, b...)
	c.packet++
}

// headerSum is the checksum of an IPv4 header in which it is zero.
func headerSum(b []byte) uint16 {
	sum := uint32(0)
	for ; len(b) > 1; b = b[2:] {
		sum += uint32(binary.BigEndian.Uint16(b))
	}
	return ^uint16(sum + sum>>16)
}
