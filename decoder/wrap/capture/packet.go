package capture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/network/link"
	"varview/decoder/network/payload"
	"varview/decoder/network/pcap"
	"varview/decoder/wrap/layer"
)

var (
	errFragment = errors.New("it came in IP fragments, which cannot be changed")
	errNotFound = errors.New("it is no longer found there")
)

// changed returns the data of a packet with changed messages of UDP.
func changed(p *pcap.Packet, changes []change) ([]byte, error) {
	var h link.Packet
	link.Decode(p.Link, p.Data, p.Wire, &h)
	if h.IsFragment {
		return nil, errFragment
	}
	data := bytes.Clone(p.Data)
	if isInPlace(changes) {
		for _, c := range changes {
			at := c.part.At.Offset - p.At.Offset
			if at < 0 || at+c.part.At.Length > int64(len(data)) {
				return nil, errNotFound
			}
			copy(data[at:], c.new)
		}
	} else {
		var err error
		if data, err = withDatagram(data, &h, changes); err != nil {
			return nil, err
		}
	}
	fixSums(p.Data, data, &h)
	return data, nil
}

// isInPlace reports whether the changed bytes overwrite the old ones.
func isInPlace(changes []change) bool {
	return !slices.ContainsFunc(changes, func(c change) bool {
		return c.rebuilt || c.part.Form == payload.Unpacked || c.payload.Flow.Checksum
	})
}

// content returns the content of the UDP datagram in a packet; nil if it is incomplete.
func content(data []byte, h *link.Packet) []byte {
	udp, ok := link.ParseUDP(data[min(h.Start, len(data)):])
	if !ok || h.Protocol != link.ProtoUDP || h.Missing > 0 || udp.Length < link.UDPSize || h.Start+udp.Length > len(data) {
		return nil
	}
	return data[h.Start+link.UDPSize : h.Start+udp.Length]
}

// withDatagram returns a packet with another UDP datagram, and the lengths around it.
func withDatagram(data []byte, h *link.Packet, changes []change) ([]byte, error) {
	was := content(data, h)
	if was == nil {
		return nil, errNotFound
	}
	is := changes[0].new
	if changes[0].payload.Flow.Transport == payload.ENet {
		var err error
		if is, err = datagram(was, changes); err != nil {
			return nil, err
		}
	}
	start, by := h.Start+link.UDPSize, len(is)-len(was)
	if len(is) > math.MaxUint16-100 {
		return nil, errors.New("its datagram would be larger than UDP allows")
	}
	whole := append(append(bytes.Clone(data[:start]), is...), data[start+len(was):]...)
	binary.BigEndian.PutUint16(whole[h.Start+4:], uint16(link.UDPSize+len(is)))
	addLength(whole, h, by)
	return whole, nil
}

// addLength adds to the lengths of IP.
func addLength(b []byte, h *link.Packet, by int) {
	for _, x := range h.Headers() {
		switch x.Layer {
		case link.IPv4:
			add16(b[x.Start+2:], by)
		case link.IPv6:
			add16(b[x.Start+4:], by)
		}
	}
}

// add16 adds to a big-endian length, unless it is 0, which the network card fills in later.
func add16(b []byte, by int) {
	if n := binary.BigEndian.Uint16(b); n > 0 {
		binary.BigEndian.PutUint16(b, uint16(int(n)+by))
	}
}

// unpack unpacks a compressed capture of at most limit bytes, so that its packets can be read in any order,
// and makes f compress the output in the same way. end releases the temporary file.
func (f *rewriter) unpack(limit int64) (end func(), err error) {
	s := &layer.Spool{Limit: limit}
	head := source.NewWindow(f.w.Source).View(f.w.Region.Offset, 2)
	if bytes.Equal(head, []byte{0x1f, 0x8b}) {
		err = f.gzip(f.in(), s)
	} else {
		err = f.zstd(f.in(), s)
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	plain, _, err := s.Source()
	if err != nil {
		s.Close()
		return nil, err
	}
	w := *f.w
	w.Source, w.Region = plain, span.Between(0, plain.Size())
	f.w = &w
	return s.Close, nil
}

// gzip keeps the name and the time in the header of the file.
func (f *rewriter) gzip(in io.Reader, s *layer.Spool) error {
	r, err := gzip.NewReader(in)
	if err != nil {
		return notWhole(err)
	}
	w := gzip.NewWriter(f.out)
	w.Header = r.Header
	f.out, f.pack = w, w
	return f.spool(s, r)
}

func (f *rewriter) zstd(in io.Reader, s *layer.Spool) error {
	r, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(64<<20))
	if err != nil {
		return notWhole(err)
	}
	defer r.Close()
	w, err := zstd.NewWriter(f.out, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	f.out, f.pack = w, w
	return f.spool(s, r)
}

// spool stores what a reader unpacks.
func (f *rewriter) spool(s *layer.Spool, r io.Reader) error {
	buf := make([]byte, 256<<10)
	for {
		n, err := r.Read(buf)
		switch _, err := s.Write(buf[:n]); {
		case errors.Is(err, layer.ErrFull):
			return errTooMuch
		case err != nil:
			return err
		}
		switch {
		case errors.Is(err, io.EOF):
			return f.w.Ctx.Err()
		case err != nil:
			return notWhole(err)
		case f.w.Ctx.Err() != nil:
			return f.w.Ctx.Err()
		}
	}
}

func notWhole(err error) error {
	return fmt.Errorf("only part of the compressed capture can be unpacked, and the rest would be lost: %w", err)
}

// fixSums corrects those checksums of a changed packet that fitted before. Packets captured at their sender
// often have checksums that are not set yet; these and wrong ones stay as they are.
func fixSums(old, is []byte, h *link.Packet) {
	for _, x := range h.Headers() {
		if x.Layer == link.IPv4 && link.Sum(old[x.Start:x.End]) == 0 {
			binary.BigEndian.PutUint16(is[x.Start+10:], 0)
			binary.BigEndian.PutUint16(is[x.Start+10:], link.Sum(is[x.Start:x.End]))
		}
	}
	if h.Missing > 0 || h.End > len(old) || h.IsFragment {
		return
	}
	end := h.End
	if udp, ok := link.ParseUDP(old[h.Start:end]); ok && h.Protocol == link.ProtoUDP && udp.Length >= link.UDPSize {
		end = min(end, h.Start+udp.Length) // the IP packet may be longer
	}
	whole := is[h.Start : end+len(is)-len(old)]
	switch link.CheckSum(old[h.Start:end], h.Protocol, h.Src, h.Dst) {
	case link.Holds:
		link.SetSum(whole, h.Protocol, h.Src, h.Dst)
	case link.Pending:
		link.SetPending(whole, h.Protocol, h.Src, h.Dst)
	}
}
