package pcap

import (
	"encoding/binary"
	"io"
	"time"
)

// LinkRaw is the link type of packets that begin with IPv4 or IPv6.
const LinkRaw = 101

// A Writer writes a pcapng file of packets that begin with IP, with times in nanoseconds.
type Writer struct {
	out io.Writer
	buf []byte
}

// NewWriter writes the start of a file.
func NewWriter(out io.Writer) (*Writer, error) {
	w := &Writer{out: out}
	order := binary.LittleEndian
	w.begin(SectionHeader)
	w.buf = order.AppendUint32(w.buf, orderMagic)
	w.buf = order.AppendUint16(order.AppendUint16(w.buf, 1), 0)
	w.buf = order.AppendUint64(w.buf, 1<<64-1) // the length of the section is not known
	w.end()
	first := len(w.buf)
	w.buf = order.AppendUint32(order.AppendUint32(w.buf, InterfaceDescriptor), 0)
	w.buf = order.AppendUint32(order.AppendUint32(w.buf, LinkRaw), 0)
	w.buf = order.AppendUint16(order.AppendUint16(w.buf, optionResolution), 1)
	w.buf = append(w.buf, 9, 0, 0, 0)
	w.buf = order.AppendUint32(w.buf, optionEnd)
	w.endFrom(first)
	_, err := out.Write(w.buf)
	return w, err
}

// begin begins a block.
func (w *Writer) begin(kind uint32) {
	w.buf = binary.LittleEndian.AppendUint32(w.buf[:0], kind)
	w.buf = binary.LittleEndian.AppendUint32(w.buf, 0)
}

func (w *Writer) end() { w.endFrom(0) }

// endFrom ends the block that begins at an index: it sets both lengths.
func (w *Writer) endFrom(first int) {
	n := uint32(len(w.buf) - first + BlockFootSize)
	binary.LittleEndian.PutUint32(w.buf[first+4:], n)
	w.buf = binary.LittleEndian.AppendUint32(w.buf, n)
}

// Packet writes a packet, in one piece.
func (w *Writer) Packet(data []byte, when time.Time) error {
	order := binary.LittleEndian
	w.begin(EnhancedPacket)
	units := uint64(when.UnixNano())
	for _, x := range []uint32{0, uint32(units >> 32), uint32(units), uint32(len(data)), uint32(len(data))} {
		w.buf = order.AppendUint32(w.buf, x)
	}
	w.buf = append(w.buf, data...)
	for len(w.buf)%4 != 0 {
		w.buf = append(w.buf, 0)
	}
	w.end()
	_, err := w.out.Write(w.buf)
	return err
}
