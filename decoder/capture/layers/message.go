package layers

import (
	"encoding/binary"
	"strconv"

	"varview/decoder/capture/buffer"
	"varview/decoder/capture/places"
	"varview/decoder/capture/websocket"
	"varview/decoder/span"
)

// find finds the places of messages in the unit.
func (x *builder) find(messages *buffer.Placed) {
	x.places = nil
	if messages != nil {
		messages.Each(span.Span{Offset: x.unit.at, Length: int64(x.size)}, func(p *places.Place) { x.places = append(x.places, *p) })
	}
}

// content adds the bytes of a transport up to an index: the messages in them, and under a name
// what is no message. names counts the names in the innermost group.
func (x *builder) content(name string, end int, names map[string]int) {
	end = min(end, x.limit)
	for len(x.places) > 0 && len(x.nodes) < maxNodes/2 {
		p := x.places[0]
		at := int(p.Offset - x.unit.at)
		if at >= end {
			break
		}
		x.places = x.places[1:]
		if at < x.at || at+int(p.Length) > min(end, len(x.bytes)) {
			continue
		}
		if at > x.at {
			x.rest(numbered(names, name), at, span.Data)
		}
		if p.Part == 0 {
			x.head(&p, end, names)
		} else {
			x.message(&p, name, names)
		}
	}
	if end > x.at {
		x.rest(numbered(names, name), end, span.Data)
	}
}

// numbered returns a name with a number where it is not the first of its kind.
func numbered(names map[string]int, name string) string {
	if names[name]++; names[name] > 1 {
		name += strconv.Itoa(names[name])
	}
	return name
}

// message adds a message, or the bytes that are a part of one.
func (x *builder) message(p *places.Place, name string, names map[string]int) {
	if !p.IsWhole() {
		x.put(numbered(names, name), int(p.Length), span.Data, data).place = p.Key
		return
	}
	n := x.add(node{name: numbered(names, "message"), kind: messageGroup, start: x.at, end: x.at + int(p.Length)})
	n.place = p.Key
	x.at += int(p.Length)
}

// head adds what precedes a message in a stream, and the message if that follows at once.
func (x *builder) head(p *places.Place, end int, names map[string]int) {
	name, order := "value", binary.ByteOrder(binary.LittleEndian)
	switch p.Form {
	case places.Header:
		name = "websocket"
	case places.LengthBig:
		order = binary.BigEndian
	}
	if !x.group(numbered(names, name), layerGroup) {
		return
	}
	group, was := x.open[len(x.open)-1], x.order
	x.order = order
	if p.Form == places.Header {
		end := x.at + int(p.Length)
		if h, isThere := websocket.Explain(x.bytes[x.at:end]); isThere {
			x.put("flags", 1, span.Flags, bitmask).means(h.Flags)
			x.put("length", h.Size-1, span.Length, data).means(strconv.FormatUint(h.Length, 10))
			x.put("mask", end-x.at, span.Value, data)
		} else { // the file has changed
			x.rest("data", end, span.Data)
		}
	} else {
		x.number("length", int(p.Length), span.Length)
	}
	x.order = was
	if next := x.places; len(next) > 0 && next[0].Offset == x.unit.at+int64(x.at) && x.at+int(next[0].Length) <= end && next[0].Message == p.Message {
		x.places = next[1:]
		x.message(&next[0], "data", map[string]int{})
	} else {
		x.nodes[group].place = p.Key
	}
	x.close()
}
