package live

import (
	"bytes"
	"context"
	"encoding/binary"
	"net"
	"os"
	"testing"
	"time"

	"varview/decoder/network"
	"varview/decoder/network/payload"
)

// acknowledge is a server of ENet that acknowledges what it is sent at once. It returns its address.
func acknowledge(t *testing.T) string {
	c, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	go func() {
		b := make([]byte, 1<<10)
		for {
			n, from, err := c.ReadFrom(b)
			if err != nil || n < 8 {
				return
			}
			const command = 1
			_, _ = c.WriteTo(append([]byte{0, 0, command, b[5], 0, 0, b[6], b[7]}, b[2:4]...), from)
		}
	}()
	return c.LocalAddr().String()
}

// TestDelayENet: the round trips of a flow that is delayed by a known time are that time, to 2 ms: those of the recording, where what
// is sent and its acknowledgement are when they arrive. A busy machine makes some longer.
func TestDelayENet(t *testing.T) {
	const delay, precision = 40 * time.Millisecond, 2 * time.Millisecond
	s := begin(t, "udp", acknowledge(t), "delay=40ms")
	c, err := net.Dial("udp", s.address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for i := range uint16(30) {
		const sentTime, sendReliable = 0x8000, 0x86
		b := binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(nil, sentTime), 10*i)
		b = binary.BigEndian.AppendUint16(append(b, sendReliable, 0), i+1)
		_, _ = c.Write(append(b, 0, 3, 'h', 'e', 'y'))
		time.Sleep(10 * time.Millisecond)
	}
	time.Sleep(4 * delay)
	s.end()
	data, err := os.ReadFile(s.file)
	if err != nil {
		t.Fatal(err)
	}
	var flow *payload.Flow
	if _, err := network.Read(context.Background(), bytes.NewReader(data), network.Options{Flow: func(f *payload.Flow) { flow = f }}, &recorder{}); err != nil {
		t.Fatal(err)
	}
	if trips := flow.Sent[0].Trips; trips.Count < 25 || trips.Least < delay-precision || trips.Least > delay+precision {
		t.Errorf("%d round trips, from %v to %v, not %v", trips.Count, trips.Least, trips.Most, delay)
	}
}
