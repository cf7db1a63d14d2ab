package pcap

import (
	"encoding/binary"
	"io"
	"strings"
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

// Packet writes a packet with comments, in one piece.
func (w *Writer) Packet(data []byte, when time.Time, comments ...string) error {
	order := binary.LittleEndian
	w.begin(EnhancedPacket)
	w.buf = appendTime(order.AppendUint32(w.buf, 0), when)
	w.buf = order.AppendUint32(order.AppendUint32(w.buf, uint32(len(data))), uint32(len(data)))
	w.buf = pad(append(w.buf, data...))
	return w.finish(comments)
}

// Note writes comments that belong to no packet, in a statistics block.
func (w *Writer) Note(when time.Time, comments ...string) error {
	w.begin(Statistics)
	w.buf = appendTime(binary.LittleEndian.AppendUint32(w.buf, 0), when)
	return w.finish(comments)
}

// finish ends a block with comments and writes it.
func (w *Writer) finish(comments []string) error {
	order := binary.LittleEndian
	for _, c := range comments {
		c = strings.ToValidUTF8(c[:min(len(c), maxComment)], "")
		w.buf = order.AppendUint16(order.AppendUint16(w.buf, optionComment), uint16(len(c)))
		w.buf = pad(append(w.buf, c...))
	}
	if len(comments) > 0 {
		w.buf = order.AppendUint32(w.buf, optionEnd)
	}
	w.end()
	_, err := w.out.Write(w.buf)
	return err
}

func appendTime(b []byte, when time.Time) []byte {
	units := uint64(when.UnixNano())
	return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(b, uint32(units>>32)), uint32(units))
}

// pad appends zeros to bytes in which everything begins at a multiple of 4.
func pad(b []byte) []byte {
	return append(b, make([]byte, -len(b)&3)...)
}
