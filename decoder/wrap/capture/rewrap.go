package capture

import (
	"errors"
	"fmt"
	"io"
	"sort"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
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
