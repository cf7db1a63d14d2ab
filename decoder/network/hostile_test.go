package network_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"varview/decoder/network"
	"varview/decoder/network/payload"
)

// A generator is a capture that is made while it is read.
type generator struct {
	left  int
	make  func(i int) []byte // the bytes of a packet from IP on
	bytes bytes.Buffer
	i     int
}

func generate(count int, packet func(i int) []byte) *generator {
	g := &generator{left: count, make: packet}
	g.bytes.Write([]byte("\xd4\xc3\xb2\xa1\x02\x00\x04\x00\x00\x00\x00\x00\x00\x00\x00\x00\xff\xff\x00\x00\x65\x00\x00\x00"))
	return g
}

func (g *generator) Read(p []byte) (int, error) {
	for g.bytes.Len() < len(p) && g.left > 0 {
		b := g.make(g.i)
		head := binary.LittleEndian.AppendUint32(nil, uint32(1_000_000+g.i/10_000))
		head = binary.LittleEndian.AppendUint32(head, uint32(g.i%10_000))
		head = binary.LittleEndian.AppendUint32(head, uint32(len(b)))
		g.bytes.Write(binary.LittleEndian.AppendUint32(head, uint32(len(b))))
		g.bytes.Write(b)
		g.left--
		g.i++
	}
	if g.bytes.Len() == 0 {
		return 0, io.EOF
	}
	return g.bytes.Read(p)
}

// ipv4 returns a packet of IPv4. fragment is its flags and offset.
func ipv4(protocol byte, id, fragment uint16, data []byte) []byte {
	b := make([]byte, 20, 20+len(data))
	b[0], b[9] = 0x45, protocol
	binary.BigEndian.PutUint16(b[2:], uint16(20+len(data)))
	binary.BigEndian.PutUint16(b[4:], id)
	binary.BigEndian.PutUint16(b[6:], fragment)
	copy(b[12:], []byte{10, 0, 0, 1, 10, 0, 0, 2})
	return append(b, data...)
}

func udp(src uint32, data []byte) []byte {
	b := ipv4(17, 0, 0, append([]byte{byte(src >> 8), byte(src), 0x1b, 0x58, byte((8 + len(data)) >> 8), byte(8 + len(data)), 0, 0}, data...))
	b[13], b[14] = byte(src>>24), byte(src>>16)
	return b
}

func tcp(src uint32, seq uint32, flags byte, data []byte) []byte {
	h := make([]byte, 20)
	binary.BigEndian.PutUint16(h, uint16(src))
	binary.BigEndian.PutUint16(h[2:], 7000)
	binary.BigEndian.PutUint32(h[4:], seq)
	h[12], h[13] = 0x50, flags
	b := ipv4(6, 0, 0, append(h, data...))
	b[13], b[14] = byte(src>>24), byte(src>>16)
	return b
}

// peak counts what is handed over, and keeps the largest memory use.
type peak struct {
	payloads, problems, n int
	most                  uint64
}

func (p *peak) measure() {
	if p.n++; p.n%5000 == 0 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		p.most = max(p.most, m.HeapAlloc)
	}
}

func (p *peak) Payload(*payload.Payload) { p.payloads++ }
func (p *peak) Closed(*payload.Flow)     {}
func (p *peak) Problem(*payload.Problem) { p.problems++ }

// TestHostile: captures that are made to use up memory do not, and what is left out is a problem.
func TestHostile(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100)) // the memory in use depends on it
	const count = 20_000
	block := bytes.Repeat([]byte("x"), 1200)
	fragmentOf := func(i int) []byte { // of ENet, of a message of 32 MiB that never ends
		b := []byte{0x80, 0, 0, 1, 8 | 0x80, byte(i % 200)}
		b = binary.BigEndian.AppendUint16(b, uint16(i))
		b = binary.BigEndian.AppendUint16(b, uint16(i))
		b = binary.BigEndian.AppendUint16(b, 1200)
		b = binary.BigEndian.AppendUint32(b, 1<<20)
		b = binary.BigEndian.AppendUint32(b, uint32(i)%(1<<20))
		b = binary.BigEndian.AppendUint32(b, 32<<20)
		return append(binary.BigEndian.AppendUint32(b, 0), block...)
	}
	for _, c := range []struct {
		name   string
		packet func(i int) []byte
	}{
		{"many flows", func(i int) []byte { return udp(uint32(i), []byte("\x02\x00\x00\x00\x07\x00\x00\x00")) }},
		{"many flows of ENet, each with many channels", func(i int) []byte {
			return udp(uint32(i/2), []byte{0x80, 0, 0, 1, 0x86, byte(i), 0, 1, 0, 0, 0x86, byte(i + 8), 0, 1, 0, 0, 0x86, byte(i + 16), 0, 1, 0, 0})
		}},
		{"fragments of IP that never end", func(i int) []byte { return ipv4(17, uint16(i), 0x2000|uint16(i>>16), block[:800]) }},
		{"fragments of ENet that never end", func(i int) []byte { return udp(uint32(i%5000), fragmentOf(i)) }},
		{"commands of ENet that never come", func(i int) []byte {
			b := append([]byte{0x80, 0, 0, 1, 0x86, byte(i / 1000), byte(i >> 7), byte(2 * i), 4, 0xb0}, block...)
			return udp(7, b)
		}},
		{"segments of TCP behind a gap", func(i int) []byte {
			if i < 5000 {
				return tcp(uint32(i), 0, 16, []byte{0, 0, 0x7f, 0})
			}
			return tcp(uint32(i%5000), uint32(i/5000)*2000+100, 16, block)
		}},
		{"values of TCP that never end", func(i int) []byte {
			if i < 5000 {
				return tcp(uint32(i), 1, 16, []byte{0, 0, 0x7f, 0})
			}
			return tcp(uint32(i%5000), 5+uint32(i/5000-1)*1200, 16, block)
		}},
		{"messages of WebSocket that never end", func(i int) []byte {
			if i < 5000 {
				return tcp(uint32(i), 1, 16, []byte{0x82, 0x7f, 0, 0, 0, 0, 3, 0, 0, 0})
			}
			return tcp(uint32(i%5000), 11+uint32(i/5000-1)*1200, 16, block)
		}},
	} {
		runtime.GC()
		p := new(peak)
		o := network.Options{}
		e := generate(count, func(i int) []byte { p.measure(); return c.packet(i) })
		s, err := network.Read(context.Background(), e, o, p)
		if err != nil || s.Packets != count {
			t.Fatalf("%s: %d packets, %v", c.name, s.Packets, err)
		}
		t.Logf("%s: %d MiB, %d flows, %d payloads, %d problems", c.name, p.most>>20, s.Flows, p.payloads, p.problems)
		if p.most > 220<<20 {
			t.Errorf("%s: %d MiB in use", c.name, p.most>>20)
		}
		if p.problems == 0 {
			t.Errorf("%s: no problem says what was left out", c.name)
		}
	}
}

// TestBomb: a capture that is much larger when unpacked takes time up to a limit, and no memory.
func TestBomb(t *testing.T) {
	for name, packer := range map[string]func(io.Writer) (io.WriteCloser, error){
		"gzip": func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil },
		"zstd": func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) },
	} {
		var packed bytes.Buffer
		w, err := packer(&packed)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(w, generate(50_000, func(int) []byte { return udp(1, make([]byte, 1400)) })); err != nil {
			t.Fatal(err)
		}
		_ = w.Close()
		p := new(peak)
		s, err := network.Read(context.Background(), &packed, network.Options{MaxUnpacked: 10 << 20}, p)
		if err != nil || s.Packets > 10<<20/1400 || p.problems == 0 {
			t.Errorf("%s: %d packets, %d problems, %v", name, s.Packets, p.problems, err)
		}
	}
}
