package endtoend

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	packet "varview/decoder/capture/link"
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

// TestEditFragments: a message in IP fragments takes any length, over UDP and in ENet. All fragments
// but the last stay as long as they are if that is possible.
func TestEditFragments(t *testing.T) {
	text := strings.Repeat("x", 100)
	for _, test := range []struct {
		value string
		sizes []int // in which the datagram with the value is expected
		enet  []int
	}{
		{strings.Repeat("y", 100), []int{48, 32}, []int{48, 32}},
		{strings.Repeat("longer ", 50), []int{48, 32}, []int{48, 32}},
		{strings.Repeat("z", 80), []int{48, 32}, []int{48, 32}},
		{strings.Repeat("s", 32), []int{16, 16}, []int{24, 24}}, // 8 + 8 + 32 bytes, and in ENet 28 more
	} {
		for _, ip := range []string{"10.0.0.", "fd00::"} {
			for _, isENet := range []bool{false, true} {
				for _, backward := range []bool{false, true} {
					sizes := test.sizes
					if isENet {
						sizes = test.enet
					}
					was, is := newFragmented(t, ip, isENet, text, backward, 48, 32), newFragmented(t, ip, isENet, test.value, backward, sizes...)
					edited := filepath.Join(t.TempDir(), "edited.pcapng")
					run(t, 0, "set", was.save(), fmt.Sprintf("messages[0].value=%q", test.value), "-o", edited)
					got, err := os.ReadFile(edited)
					if err != nil || !bytes.Equal(got, is.file.Bytes()) {
						t.Errorf("%s, ENet %v, backward %v: %.10q, %v\n%x\nnot\n%x", ip, isENet, backward, test.value, err, got, is.file.Bytes())
					}
				}
			}
		}
	}
}

// newFragmented returns a capture of a text in a datagram in fragments, and another datagram.
func newFragmented(t *testing.T, ip string, isENet bool, text string, backward bool, sizes ...int) *captured {
	c := newCaptured(t)
	c.between(ip)
	datagram := []byte(variant(text))
	if isENet {
		c.connect(1, 0)
		datagram = c.datagram(0, reliable(1, variant(text))+reliable(2, variant("2")))
	}
	all := fragments(packet.Datagram(c.client, c.server, datagram), sizes...)
	for i := range all {
		if backward {
			i = len(all) - 1 - i
		}
		c.ip(all[i])
	}
	c.ip(packet.Datagram(c.client, c.server, []byte(variant("after"))))
	return c
}

// TestEditFragmentsRefused: a datagram that would be too short to be divided is refused.
func TestEditFragmentsRefused(t *testing.T) {
	c := newFragmented(t, "10.0.0.", false, strings.Repeat("x", 40), false, 8, 8, 8, 8)
	out := filepath.Join(t.TempDir(), "out.pcapng")
	if got := run(t, 2, "set", c.save(), "messages[0].value=null", "--retype", "-o", out).stderr; !strings.Contains(got, "too short for the IP fragments") {
		t.Error(got)
	}
}
