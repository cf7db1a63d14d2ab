package pcap

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"varview/decoder/engine/span"
	"varview/decoder/network/payload"
)

// A Packet is one captured packet.
type Packet struct {
	Frame int       // number, from 1
	Data  []byte    // the captured bytes; valid until the next call of Next
	At    span.Span // span of Data in the file
	Wire  int       // number of bytes that were sent, at least as many as were captured
	Time  time.Time // zero if the file does not say
	Link  uint16    // the link type

	Comments []string // comments of pcapng; not cleaned for a terminal
	Hashed   bool     // pcapng has a hash of the packet
	Cut      bool     // the file ends in it
}

// maxInterfaces is the largest number of interfaces that are kept in a section.
const maxInterfaces = 1 << 16

// bufferSize is the size of the buffer, which must hold a packet with its headers.
const bufferSize = MaxPacket + 64<<10

// A Reader reads the packets of a file from start to end.
type Reader struct {
	in     *bufio.Reader
	at     int64 // offset in the file of the next byte of in
	use    int   // number of bytes of the last packet, which are not discarded yet
	frame  int
	report func(frame int, p span.Problem)

	header     Header
	last       time.Time        // when the last packet was captured
	order      binary.ByteOrder // byte order of the section
	interfaces []Interface      // interfaces of the section
	sections   []Section
	skipped    []span.Span
	ended      bool
}

// A Section is what applies in a pcapng file from an offset on.
type Section struct {
	From    int64
	Order   binary.ByteOrder
	Links   []uint16 // link types of its interfaces so far
	Snaplen uint32   // of the first interface
}

// maxSections is the largest number of sections, and of skipped spans, that are kept.
const maxSections = 1 << 12

// note notes what applies from here on.
func (r *Reader) note() {
	if len(r.sections) >= maxSections {
		return
	}
	s := Section{From: r.at, Order: r.order}
	for i, x := range r.interfaces {
		if s.Links = append(s.Links, x.Link); i == 0 {
			s.Snaplen = x.Snaplen
		}
	}
	r.sections = append(r.sections, s)
}

// Sections returns what applies in the part of a pcapng file that was read.
func (r *Reader) Sections() []Section { return r.sections }

// Skipped returns the spans, perhaps empty, that were passed over to find the next packet or block behind a length that cannot
// be.
func (r *Reader) Skipped() []span.Span { return r.skipped }

// NewReader begins to read a file. Problems go to report, together with the number of the packet that they
// concern, or 0.
func NewReader(in io.Reader, report func(frame int, p span.Problem)) *Reader {
	return &Reader{in: bufio.NewReaderSize(in, bufferSize), report: report}
}

// Open reads the start of the file. It returns false, and reports a problem, if that is not a capture.
func (r *Reader) Open() (bool, error) {
	b, err := r.peek(FileHeaderSize)
	if err != nil {
		return false, err
	}
	if h, ok := ParseHeader(b); ok {
		if r.header, r.order = h, h.Order; !h.IsNG {
			r.use, r.interfaces = FileHeaderSize, []Interface{h.Interface()}
		}
		return true, nil
	}
	message := "the file is not a capture: neither pcap nor pcapng; \"varview info\" says what it is"
	if len(b) == 0 {
		message = "the file is empty"
	}
	r.problem(0, int64(len(b)), 0, payload.NoCapture, message)
	return false, nil
}

// Next returns the next packet; io.EOF after the last one.
func (r *Reader) Next() (p Packet, err error) {
	for {
		r.skip(r.use)
		r.use = 0
		if r.ended {
			return p, io.EOF
		}
		if found, err := r.block(&p); found || err != nil {
			return p, err
		}
	}
}

// Resume lets Next go on after the end, if the file has grown.
func (r *Reader) Resume() { r.ended = false }

// Frames returns the number of packets so far.
func (r *Reader) Frames() int { return r.frame }

// problem reports a problem at n bytes that begin at an index of what comes next.
func (r *Reader) problem(index int, n int64, frame int, code, message string) {
	r.report(frame, span.Problem{Span: span.Span{Offset: r.at + int64(index), Length: n}, Severity: span.Error, Code: code, Message: message})
}

// peek returns the next n bytes; fewer at the end of the file.
func (r *Reader) peek(n int) ([]byte, error) {
	b, err := r.in.Peek(n)
	if err == nil || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return b, nil
	}
	return b, err
}

// skip discards n bytes that were peeked at.
func (r *Reader) skip(n int) {
	done, _ := r.in.Discard(n)
	r.at += int64(done)
}

// end ends the reading.
func (r *Reader) end() error {
	r.ended = true
	return nil
}

// resync discards bytes until a packet seems to begin. It first skips bytes in which none can begin.
func (r *Reader) resync(skip int, starts func([]byte) bool) error {
	r.skip(skip)
	from := r.at
	for {
		b, err := r.peek(bufferSize)
		if err != nil {
			return err
		}
		for i := range b {
			if starts(b[i:]) {
				r.skip(i)
				return r.resumed(from)
			}
			if i > MaxPacket/2 && len(b) == bufferSize {
				b = b[:i] // so that what follows is read in its context
				break
			}
		}
		r.skip(len(b))
		if len(b) < bufferSize/4 {
			r.ended = true
			return r.resumed(from)
		}
	}
}

// resumed reports the bytes that a resync has left out.
func (r *Reader) resumed(from int64) error {
	if len(r.skipped) < maxSections {
		r.skipped = append(r.skipped, span.Between(from, r.at))
	}
	if n := r.at - from; n > 0 {
		r.problem(int(from-r.at), n, 0, span.Unreadable, fmt.Sprintf("%s left out: no packet begins in them", span.BytesAre(n)))
	}
	return nil
}

// LinkRaw is the link type of packets that begin with IPv4 or IPv6.
const LinkRaw = 101

// A Writer writes a pcapng file of packets that begin with IP, with times in nanoseconds.
type Writer struct {
	out io.Writer
	buf []byte
}

// NewWriter writes the start of a file.
func NewWriter(out io.Writer) (*Writer, error) {
	w, order := &Writer{out: out}, binary.LittleEndian
	w.begin(SectionHeader)
	w.buf = order.AppendUint32(w.buf, orderMagic)
	w.buf = order.AppendUint16(order.AppendUint16(w.buf, 1), 0)
	w.buf = order.AppendUint64(w.buf, 1<<64-1) // the length of the section is not known
	if err := w.finish(nil); err != nil {
		return w, err
	}
	w.begin(InterfaceDescriptor)
	w.buf = order.AppendUint32(order.AppendUint32(w.buf, LinkRaw), 0)
	w.buf = order.AppendUint16(order.AppendUint16(w.buf, optionResolution), 1)
	w.buf = append(w.buf, 9, 0, 0, 0)
	w.buf = order.AppendUint32(w.buf, optionEnd)
	return w, w.finish(nil)
}

// begin begins a block.
func (w *Writer) begin(kind uint32) {
	w.buf = binary.LittleEndian.AppendUint32(w.buf[:0], kind)
	w.buf = binary.LittleEndian.AppendUint32(w.buf, 0)
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

// Note writes comments that do not belong to a packet, in a statistics block.
func (w *Writer) Note(when time.Time, comments ...string) error {
	w.begin(Statistics)
	w.buf = appendTime(binary.LittleEndian.AppendUint32(w.buf, 0), when)
	return w.finish(comments)
}

// finish ends a block with comments, sets both lengths and writes it.
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
	n := uint32(len(w.buf) + BlockFootSize)
	order.PutUint32(w.buf[4:], n)
	_, err := w.out.Write(order.AppendUint32(w.buf, n))
	return err
}

func appendTime(b []byte, when time.Time) []byte {
	units := uint64(when.UnixNano())
	return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(b, uint32(units>>32)), uint32(units))
}

// pad appends zeros up to a multiple of 4.
func pad(b []byte) []byte { return append(b, make([]byte, -len(b)&3)...) }
