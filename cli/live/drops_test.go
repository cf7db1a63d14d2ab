package live

import (
	"fmt"
	"net"
	"os"
	"testing"
	"time"

	"varview/decoder/engine/span"
)

// TestDrops: what the system drops because it comes faster than it is read is said, with its number, once.
func TestDrops(t *testing.T) {
	if _, err := os.Stat("/proc/net/udp"); err != nil {
		t.Skip("this system does not say what it drops: ", err)
	}
	conn, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.SetReadBuffer(1); err != nil { // the least that the system grants: a few datagrams
		t.Skip(err)
	}
	client, err := net.Dial("udp", conn.LocalAddr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	said := []string{}
	x := &udpProxy{conn: conn, tap: &tap{tell: func(format string, values ...any) { said = append(said, fmt.Sprintf(format, values...)) }}}
	x.dropped = 1 << 20 // by a socket that is closed since
	x.tellDrops()
	if len(said) > 0 {
		t.Fatalf("before anything was sent: %q", said)
	}
	for range 2 {
		const sent = 500
		for range sent {
			if _, err := client.Write(make([]byte, 1000)); err != nil {
				t.Fatal(err)
			}
		}
		lost, b := int64(sent), make([]byte, 2000)
		for {
			_ = conn.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
			if _, err := conn.Read(b); err != nil {
				break
			}
			lost--
		}
		if lost == 0 {
			t.Skip("the system has kept everything that was sent")
		}
		said = said[:0]
		x.tellDrops()
		x.tellDrops()
		if want := span.Counted(lost, "datagram") + " came faster than they could be read, and are lost"; len(said) != 1 || said[0] != want {
			t.Errorf("%q, want %q once", said, want)
		}
	}
}
