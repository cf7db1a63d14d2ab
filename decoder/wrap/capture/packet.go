package capture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/network/enet"
	"varview/decoder/network/link"
	"varview/decoder/network/pcap"
	"varview/decoder/wrap/layer"
)

var (
	errFragment = errors.New("it came in IP fragments, which cannot be changed")
	errPacked   = errors.New("it is compressed in its packet, and would have another size there: its length is fixed by its packet")
	errHashed   = errors.New("the capture has a hash of it, which would no longer fit")
	errFound    = errors.New("it is no longer found there: the file has changed")
)

// changed returns the bytes of a packet after changes, with checksums that fit if they did before.
func changed(p *pcap.Packet, patches []patch) ([]byte, error) {
	var h link.Packet
	link.Decode(p.Link, p.Data, p.Wire, &h)
	data := bytes.Clone(p.Data)
	for _, x := range patches {
		at := x.at - p.At.Offset
		switch {
		case h.IsFragment:
			return nil, errFragment
		case at < 0 || at+int64(len(x.is)) > int64(len(data)):
			return nil, errFound
		}
		copy(data[at:], x.is)
	}
	if patches[0].checksum {
		fixENet(p.Data, data, &h)
	}
	fixSums(p.Data, data, &h)
	return data, nil
}

// fixENet sets the checksum of ENet in a changed packet. It includes a number of the connection, which the old checksum shows.
func fixENet(old, is []byte, h *link.Packet) {
	udp, ok := link.ParseUDP(old[min(h.Start, len(old)):])
	start, end := h.Start+link.UDPSize, h.Start+udp.Length
	if !ok || h.Missing > 0 || udp.Length < link.UDPSize || end > len(old) {
		return
	}
	var u enet.Unpacker
	defer u.Close()
	var d enet.Datagram
	if u.Parse(&d, old[start:end], 0, true) && d.Damage == nil {
		sum := start + d.Header - 4
		binary.BigEndian.PutUint32(is[sum:], enet.Checksum(is[start:sum], d.ChecksumID(old[start:end]), is[sum+4:end]))
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
	if link.CheckSum(old[h.Start:end], h.Protocol, h.Src, h.Dst) == link.Holds {
		link.SetSum(whole, h.Protocol, h.Src, h.Dst)
	}
}
