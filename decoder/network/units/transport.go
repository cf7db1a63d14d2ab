package units

import (
	"encoding/binary"
	"fmt"
	"strconv"

	"varview/decoder/engine/span"
	"varview/decoder/network/enet"
	"varview/decoder/network/message"
	"varview/decoder/network/payload"
	"varview/decoder/network/websocket"
)

// content adds the bytes of a transport up to an index: the messages in them, and the rest under a name.
// names counts the names in the innermost group.
func (x *builder) content(name string, end int64, names map[string]int) {
	end = min(end, x.Limit)
	for x.next < len(x.places) && len(x.Parts) < maxParts/2 {
		p := &x.places[x.next]
		at := p.Offset - x.unit.at
		if at >= end {
			break
		}
		x.next++
		if at < x.At || at+p.Length > min(end, int64(len(x.bytes))) {
			continue
		}
		if at > x.At {
			x.rest(numbered(names, name), at, span.Data)
		}
		if p.Part == 0 {
			x.head(p, end, names)
		} else {
			x.message(p, name, names)
		}
	}
	if end > x.At {
		x.rest(numbered(names, name), end, span.Data)
	}
}

// numbered returns a name, with a number if it is not the first of its kind.
func numbered(names map[string]int, name string) string {
	if names[name]++; names[name] > 1 {
		name += strconv.Itoa(names[name])
	}
	return name
}

// message adds the message, or the part of one, at the place before the next.
func (x *builder) message(p *Place, name string, names map[string]int) {
	if !p.IsWhole() {
		x.put(numbered(names, name), p.Length, span.Data, data).Place = x.next
	} else {
		x.Add(message.Whole, p.Length, 0, numbered(names, "message")).Place = x.next
	}
}

// head adds what precedes a message in a stream, and the message if that follows at once.
func (x *builder) head(p *Place, end int64, names map[string]int) {
	name, order, place := "value", binary.ByteOrder(binary.LittleEndian), x.next
	switch p.Form {
	case payload.Header:
		name = "websocket"
	case payload.LengthBig:
		order = binary.BigEndian
	}
	if !x.group(numbered(names, name), message.Layer) {
		return
	}
	group, was := len(x.Parts)-1, x.order
	x.order = order
	if p.Form == payload.Header {
		end := x.At + p.Length
		if f, isThere := websocket.ParseFrame(x.bytes[x.At:end]); isThere && int64(f.Head) == p.Length {
			length := p.Length - 1
			if f.IsMasked {
				length -= int64(len(f.Mask))
			}
			means(x.put("flags", 1, span.Flags, bitmask), f.Flags())
			means(x.put("length", length, span.Length, data), strconv.FormatUint(f.Size, 10))
			x.put("mask", end-x.At, span.Value, data)
		} else { // the file has changed
			x.rest("data", end, span.Data)
		}
	} else {
		x.number("length", p.Length, span.Length)
	}
	x.order = was
	if next := x.places[x.next:]; len(next) > 0 && next[0].Offset == x.unit.at+x.At && x.At+next[0].Length <= end && next[0].Message == p.Message {
		x.next++
		x.message(&next[0], "data", map[string]int{})
	} else {
		x.Parts[group].Place = place
	}
	x.EndList()
}

// enet adds a datagram of ENet that ends at an index.
func (x *builder) enet(end int64, missing int, checksum bool) {
	b := x.bytes[x.At:end]
	var d enet.Datagram
	compressed, ok := d.ParseHeader(b, checksum)
	if !ok || !x.group("enet", message.Layer) {
		return
	}
	defer x.EndList()
	means(x.number("peer", 2, span.Flags), fmt.Sprintf("peer %d, session %d%s", d.Peer, d.Session, sentBits(&d, compressed)))
	if d.HasTime {
		x.number("sent_time", 2, span.Value)
	}
	if checksum {
		x.put("checksum", 4, span.Hash, bitmask)
	}
	if compressed {
		x.content("packed", end, map[string]int{})
		return
	}
	list, _ := enet.ParseCommands(nil, b[d.Header:], missing)
	if x.group("commands", message.Open) {
		for i := range list {
			x.command(&list[i])
		}
		x.EndList()
	}
	x.rest("gap", end, span.Gap)
}

func sentBits(d *enet.Datagram, compressed bool) (text string) {
	if compressed {
		text += ", compressed"
	}
	if d.HasTime {
		text += ", with the time"
	}
	return text
}

// command adds a command of ENet.
func (x *builder) command(c *enet.Command) {
	if !x.group("", message.Layer) {
		return
	}
	means(x.number("command", 1, span.Type), enet.Kinds[c.Number].Name)
	x.number("channel", 1, span.Value)
	for _, n := range enet.Kinds[c.Number].Columns {
		as := number
		if n.Kind == span.ID {
			as = bitmask
		}
		x.put(n.Name, int64(n.Size), n.Kind, as)
	}
	if end := x.At + int64(c.Length); end > x.Limit {
		x.put("data", int64(c.Length), span.Data, data) // it is cut
	} else {
		x.content("data", end, map[string]int{})
	}
	x.EndList()
}
