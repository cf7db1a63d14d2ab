package layers

import (
	"fmt"

	"varview/decoder/capture/payload"
	"varview/decoder/capture/pcap"
	"varview/decoder/source"
	"varview/decoder/span"
)

// fileHeader reads the header of a pcap file, or what is in its place.
func (r *Reading) fileHeader(u *unit) {
	x := newBuilder(u, "header", headerGroup, r.header.Order)
	defer x.close()
	if !r.isKnown() {
		x.rest("gap", u.size, span.Gap)
		x.fail(0, u.size, span.Error, payload.NoCapture, "the file is not a capture: neither pcap nor pcapng")
		return
	}
	x.put("magic", 4, span.Magic, data)
	x.number("major", 2, span.Version)
	x.number("minor", 2, span.Version)
	x.put("zone", 4, span.Padding, data)
	x.put("accuracy", 4, span.Padding, data)
	x.number("snaplen", 4, span.Length)
	x.number("link_type", 4, span.Type)
}

// recordEnd returns where the packet of a pcap file ends. If its length cannot be, that is
// where the next packet seems to begin.
func (r *Reading) recordEnd(w *source.Window, at, limit int64) int64 {
	size := int64(r.header.RecordSize())
	if at+size > limit {
		return limit
	}
	head := r.header.ParseRecord(w.View(at, size))
	if head.Captured <= pcap.MaxPacket {
		return min(at+size+int64(head.Captured), limit)
	}
	return r.resume(w, at+size, limit, func(b []byte) bool { return r.header.StartsRecord(b) })
}

// resume returns where something begins after damage, the limit if it is not near.
func (r *Reading) resume(w *source.Window, at, limit int64, starts func([]byte) bool) int64 {
	for until := min(at+pcap.MaxPacket, limit); at < until; {
		b := w.View(at, min(limit-at, source.MaxView))
		for i := range b {
			if i > len(b)/2 && at+int64(len(b)) < limit {
				b = b[:i] // what follows is looked at in its context
				break
			}
			if starts(b[i:]) {
				return at + int64(i)
			}
		}
		if len(b) == 0 {
			break
		}
		at += int64(len(b))
	}
	return limit
}

// record reads a packet of a pcap file.
func (r *Reading) record(u *unit) {
	x := newBuilder(u, "", packetGroup, r.header.Order)
	defer x.close()
	size := r.header.RecordSize()
	if u.size < size {
		x.rest("cut", u.size, span.Gap)
		x.fail(0, u.size, span.Error, span.Truncated, "the file ends in the header of a packet")
		return
	}
	head := r.header.ParseRecord(u.bytes)
	x.number("seconds", 4, span.Value)
	x.number("fraction", 4, span.Value)
	x.number("captured", 4, span.Length)
	x.number("wire", 4, span.Length)
	x.put("patched", size-pcap.RecordHeaderSize, span.Data, data)
	if head.Captured > pcap.MaxPacket {
		x.rest("gap", u.size, span.Gap)
		x.fail(8, 4, span.Error, span.LengthOverrun, fmt.Sprintf("a packet has %s by its header, more than any capture keeps", span.Bytes(int64(head.Captured))))
		return
	}
	if left := u.size - size; left < int(head.Captured) {
		x.fail(size, left, span.Error, span.Truncated, fmt.Sprintf("the file ends in a packet: it has %s, but %s left", span.Bytes(int64(head.Captured)), span.BytesAre(int64(left))))
	}
	x.packet(r.header.Link, int(head.Captured), max(int(head.Wire), int(head.Captured)), r)
}
