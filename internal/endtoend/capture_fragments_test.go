package endtoend

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	packet "varview/decoder/network/link"
)

// fragments divides a packet of IPv4 or IPv6 without options into fragments; the last takes what
// sizes leave.
func fragments(b []byte, sizes ...int) (all [][]byte) {
	head, body := b[:20], b[20:]
	if b[0]>>4 == 6 {
		head, body = b[:40], b[40:]
	}
	order := binary.BigEndian
	for offset, i := 0, 0; i <= len(sizes); i++ {
		n, more := len(body)-offset, uint16(0)
		if i < len(sizes) {
			n, more = sizes[i], 1
		}
		f := bytes.Clone(head)
		if b[0]>>4 == 6 {
			f[6] = 44
			order.PutUint16(f[4:], uint16(8+n))
			f = append(f, 17, 0)
			f = append(order.AppendUint16(f, uint16(offset)|more), 0, 0, 0, 9)
		} else {
			order.PutUint16(f[2:], uint16(20+n))
			order.PutUint16(f[6:], more<<13|uint16(offset/8))
			order.PutUint16(f[10:], 0)
			order.PutUint16(f[10:], packet.Sum(f))
		}
		all = append(all, append(f, body[offset:offset+n]...))
		offset += n
	}
	return all
}

// TestEditFragments: an edit of a message in IP fragments is refused, over UDP and in ENet.
func TestEditFragments(t *testing.T) {
	for _, ip := range []string{"10.0.0.", "fd00::"} {
		for _, isENet := range []bool{false, true} {
			c := newFragmented(t, ip, isENet, strings.Repeat("x", 100), 48, 32)
			for _, value := range []string{strings.Repeat("y", 100)} {
				out := filepath.Join(t.TempDir(), "out.pcapng")
				got := run(t, 2, "set", c.save(), fmt.Sprintf("messages[0].value=%q", value), "-o", out).stderr
				if !strings.Contains(got, "it came in IP fragments, which cannot be changed") {
					t.Errorf("%s, ENet %v: %s", ip, isENet, got)
				}
			}
		}
	}
}

// newFragmented returns a capture of a text in a datagram in fragments, and another datagram.
func newFragmented(t *testing.T, ip string, isENet bool, text string, sizes ...int) *captured {
	c := newCaptured(t)
	c.between(ip)
	datagram := []byte(variant(text))
	if isENet {
		c.connect(1, 0)
		datagram = c.datagram(0, reliable(1, variant(text))+reliable(2, variant("2")))
	}
	all := fragments(packet.Datagram(c.client, c.server, datagram), sizes...)
	for _, one := range all {
		c.ip(one)
	}
	c.ip(packet.Datagram(c.client, c.server, []byte(variant("after"))))
	return c
}
