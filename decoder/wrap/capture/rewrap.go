package capture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sort"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/network/enet"
	"varview/decoder/network/link"
	"varview/decoder/network/payload"
	"varview/decoder/network/pcap"
	"varview/decoder/network/units"
	"varview/decoder/wrap/layer"
)

// A packer writes a capture again after values of messages were changed.
type packer struct {
	cut bool // the payload does not contain all messages
}

// CanRewrap implements layer.Packer.
func (p *packer) CanRewrap() error {
	if p.cut {
		return layer.ErrCut
	}
	return nil
}

// Rewrap implements layer.Packer. Only the packets with changed messages are written anew; where the same bytes are sent
// again, they stay.
func (p *packer) Rewrap(w *layer.Rewrapping) (int64, error) {
	patches, err := changes(w)
	if err != nil {
		return 0, err
	}
	out := w.Output(0)
	if err := w.Keep(out, w.Region); err != nil {
		return 0, err
	}
	n, err := out.Finish()
	if err == nil {
		err = write(w, patches)
	}
	return n, err
}

// A patch replaces bytes of a message in a packet by as many others.
type patch struct {
	at       int64 // offset in the capture
	is       []byte
	checksum bool // the packet has a checksum of ENet
}

// changes returns the patches of the changed messages, by packet.
func changes(w *layer.Rewrapping) (map[int][]patch, error) {
	patches := map[int][]patch{}
	window := source.NewWindow(w.Plain)
	for at := units.HeaderSize; at < w.Plain.Size(); {
		m, next := units.Find(window, at)
		if next <= at {
			return nil, errFound
		}
		if !isSame(w.Same, at, next) {
			if !isSame(w.Same, at, m.At) {
				return nil, fmt.Errorf("message %d: only the bytes that were sent can be changed, not what is known about them", m.Number)
			}
			if err := add(w, patches, m, next); err != nil {
				return nil, fmt.Errorf("message %d: %w", m.Number, err)
			}
		}
		at = next
	}
	return patches, window.Err()
}

// isSame reports whether a range of the messages has not changed.
func isSame(same []layer.Run, from, to int64) bool {
	i := sort.Search(len(same), func(i int) bool { return same[i].At+same[i].Length > from })
	for ; i < len(same) && from < to && same[i].At <= from && same[i].At == same[i].From; i++ {
		from = same[i].At + same[i].Length
	}
	return from >= to
}

// add adds the patches of a changed message, which ends at an offset.
func add(w *layer.Rewrapping, patches map[int][]patch, m units.Sent, end int64) error {
	switch {
	case m.Partial:
		return errors.New("it was captured in part")
	case m.Transport == payload.UDP && len(m.Parts) > 1:
		return errFragment
	}
	at := m.At
	for _, part := range m.Parts {
		from := at
		if at += part.Length; at > end {
			return errFound
		}
		if isSame(w.Same, from, at) {
			continue
		}
		if part.Form == payload.Unpacked {
			return errPacked
		}
		is := make([]byte, part.Length)
		if err := layer.ReadAt(w.Plain, is, from); err != nil {
			return err
		}
		for i := range is {
			is[i] ^= part.Mask[i&3]
		}
		patches[part.Frame] = append(patches[part.Frame], patch{part.At.Offset, is, m.Checksum && m.Transport == payload.ENet})
	}
	return nil
}

// write writes the changed packets.
func write(w *layer.Rewrapping, patches map[int][]patch) error {
	r := pcap.NewReader(io.NewSectionReader(w.Source, w.Region.Offset, w.Region.Length), func(int, span.Problem) {})
	if ok, err := r.Open(); !ok || err != nil {
		return err
	}
	for left := len(patches); left > 0; {
		p, err := r.Next()
		if err == io.EOF {
			return errFound
		}
		if err = errors.Join(err, w.Ctx.Err()); err != nil {
			return err
		}
		own := patches[p.Frame]
		if len(own) == 0 {
			continue
		}
		left--
		data, err := changed(&p, own)
		if err == nil {
			err = w.WriteAt(data, p.At.Offset)
		}
		if err != nil {
			return fmt.Errorf("packet %d: %w", p.Frame, err)
		}
	}
	return nil
}

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
		case p.Hashed:
			return nil, errHashed
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
	end := h.SegmentEnd(old)
	whole := is[h.Start:end]
	if link.CheckSum(old[h.Start:end], h.Protocol, h.Src, h.Dst) == link.Holds {
		link.SetSum(whole, h.Protocol, h.Src, h.Dst)
	}
}
