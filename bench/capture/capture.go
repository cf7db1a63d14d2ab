// Package capture writes large synthetic captures of networks: the same bytes for the same size.
package capture

import (
	"bufio"
	"encoding/binary"
	"io"
	"os"
)

// Version is part of every file's name. It changes whenever the bytes of any capture change.
const Version = 1

// Kind is the format of a file.
type Kind string

const (
	PCAP   Kind = "pcap"
	PCAPNG Kind = "pcapng"
)

// clients is the number of connections between which the calls alternate.
const clients = 8

// WriteFile writes a capture of about size bytes: clients of Godot 3 that call a method over ENet.
func WriteFile(path string, kind Kind, size int64) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	g := &writer{out: w, kind: kind}
	g.begin()
	for i := 0; g.written < size; i++ {
		g.call(i)
	}
	if err := w.Flush(); err != nil {
		_ = f.Close()
		return err
	}
	return f.Close()
}

// A writer writes packets, a millisecond apart. An error of out comes back from Flush.
type writer struct {
	out     io.Writer
	kind    Kind
	written int64
	frames  int
	packet  []byte
}

func (g *writer) put(b []byte) {
	n, _ := g.out.Write(b)
	g.written += int64(n)
}

func words(numbers ...uint32) (b []byte) {
	for _, n := range numbers {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	return b
}

// begin writes the header of the file, and the beginning of each connection.
func (g *writer) begin() {
	if g.kind == PCAP {
		g.put(words(0xa1b2c3d4, 2|4<<16, 0, 0, 65535, 1))
	} else {
		g.put(words(0x0a0d0d0a, 28, 0x1a2b3c4d, 1, 1<<32-1, 1<<32-1, 28))
		g.put(words(1, 20, 1, 65535, 20))
	}
	for i := range clients {
		connect := make([]byte, 48) // of ENet: the command and its numbers, Godot's id of the client last
		copy(connect, []byte{2 | 0x80, 0xff, 0, 1, 0, byte(i), 0xff, 0xff})
		binary.BigEndian.PutUint32(connect[8:], 1400)
		binary.BigEndian.PutUint32(connect[12:], 65536)
		binary.BigEndian.PutUint32(connect[16:], 3)
		binary.BigEndian.PutUint32(connect[44:], uint32(1000+i))
		g.datagram(i, 0x8fff, connect)
		path := append(words(uint32(1000+i), 1), 2, 1, 0, 0, 0)
		g.command(i, 1, append(path, "Game/Players\x00"...))
	}
}

// call writes the call of a method with a position, a number and a text.
func (g *writer) call(i int) {
	client := i % clients
	b := append(words(uint32(1000+client), 1), 0, 1, 0, 0, 0)
	b = append(b, "move\x00\x03"...)
	b = append(b, words(7, uint32(0x3f800000+i%4096), 0x40000000, 0x40400000, 2, uint32(i%100), 4, 8)...)
	b = append(b, "walk"...)
	b = append(b, 'a'+byte(i%26), 'b', 'c', 'd')
	g.command(client, i/clients+2, b)
}

// command writes a payload as a reliable command of ENet.
func (g *writer) command(client, sequence int, payload []byte) {
	head := []byte{6 | 0x80, 2, byte(sequence >> 8), byte(sequence)}
	head = binary.BigEndian.AppendUint16(head, uint16(len(payload)))
	g.datagram(client, 0x8000, append(head, payload...))
}

// datagram writes a packet with commands of ENet. peer is the word with which they begin.
func (g *writer) datagram(client int, peer uint16, commands []byte) {
	order := binary.BigEndian
	b := append(g.packet[:0], make([]byte, 14+20+8)...)
	b[12] = 8
	copy(b[14:], []byte{0x45, 0, 0, 0, 0, 0, 0x40, 0, 64, 17, 0, 0, 10, 0, 0, byte(2 + client), 10, 0, 0, 1})
	order.PutUint16(b[34:], uint16(40000+client))
	order.PutUint16(b[36:], 7000)
	b = order.AppendUint16(b, peer)
	b = append(order.AppendUint16(b, uint16(g.frames)), commands...)
	order.PutUint16(b[16:], uint16(len(b)-14))
	order.PutUint16(b[38:], uint16(len(b)-34))
	sum := uint32(0)
	for at := 14; at < 34; at += 2 {
		sum += uint32(order.Uint16(b[at:]))
	}
	order.PutUint16(b[24:], ^uint16(sum+sum>>16))
	g.packet = b
	g.frames++
	g.record(b)
}

// record writes a packet into the file.
func (g *writer) record(b []byte) {
	const start = 1_600_000_000_000 // milliseconds
	ms, n := int64(start+g.frames), uint32(len(b))
	if g.kind == PCAP {
		g.put(words(uint32(ms/1000), uint32(ms%1000*1000), n, n))
		g.put(b)
		return
	}
	us, pad := uint64(ms)*1000, -len(b)&3
	length := 32 + n + uint32(pad)
	g.put(words(6, length, 0, uint32(us>>32), uint32(us), n, n))
	g.put(b)
	g.put(make([]byte, pad))
	g.put(words(length))
}
