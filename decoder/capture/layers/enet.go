package layers

import (
	"fmt"

	"varview/decoder/capture/enet"
	"varview/decoder/span"
)

// enetColumns are the fields of commands after the number and flags, by number of the
// command.
var enetColumns = [16][]column{
	enet.Acknowledge:        {{"sequence", 2, span.Value, number}, {"acknowledged", 2, span.Ref, number}, {"sent_time", 2, span.Value, number}},
	enet.Connect:            append(connecting, column{"connect_id", 4, span.ID, bitmask}, column{"data", 4, span.Value, number}),
	enet.VerifyConnect:      append(connecting[:len(connecting):len(connecting)], column{"connect_id", 4, span.ID, bitmask}),
	enet.Disconnect:         {{"sequence", 2, span.Value, number}, {"data", 4, span.Value, number}},
	enet.Ping:               {{"sequence", 2, span.Value, number}},
	enet.SendReliable:       {{"sequence", 2, span.Value, number}, {"length", 2, span.Length, number}},
	enet.SendUnreliable:     {{"sequence", 2, span.Value, number}, {"unreliable", 2, span.Value, number}, {"length", 2, span.Length, number}},
	enet.SendFragment:       fragment,
	enet.SendUnsequenced:    {{"sequence", 2, span.Value, number}, {"group", 2, span.Value, number}, {"length", 2, span.Length, number}},
	enet.BandwidthLimit:     {{"sequence", 2, span.Value, number}, {"incoming", 4, span.Value, number}, {"outgoing", 4, span.Value, number}},
	enet.ThrottleConfigure:  {{"sequence", 2, span.Value, number}, {"interval", 4, span.Value, number}, {"acceleration", 4, span.Value, number}, {"deceleration", 4, span.Value, number}},
	enet.SendUnreliablePart: fragment,
}

var connecting = []column{
	{"sequence", 2, span.Value, number}, {"peer", 2, span.Value, number}, {"incoming_session", 1, span.Value, number}, {"outgoing_session", 1, span.Value, number},
	{"mtu", 4, span.Value, number}, {"window", 4, span.Value, number}, {"channels", 4, span.Length, number}, {"incoming", 4, span.Value, number}, {"outgoing", 4, span.Value, number},
	{"interval", 4, span.Value, number}, {"acceleration", 4, span.Value, number}, {"deceleration", 4, span.Value, number},
}

var fragment = []column{
	{"sequence", 2, span.Value, number}, {"start", 2, span.Ref, number}, {"length", 2, span.Length, number}, {"count", 4, span.Length, number},
	{"number", 4, span.Value, number}, {"total", 4, span.Length, number}, {"offset", 4, span.Value, number},
}

// enet adds a datagram of ENet that ends at an index.
func (x *builder) enet(end, missing int, checksum bool) {
	b := x.bytes[x.at:end]
	var d enet.Datagram
	compressed, ok := d.ParseHeader(b, checksum)
	if !ok || !x.group("enet", layerGroup) {
		return
	}
	defer x.close()
	x.number("peer", 2, span.Flags).means(fmt.Sprintf("peer %d, session %d%s", d.Peer, d.Session, sentBits(&d, compressed)))
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
	list, damage := enet.ParseCommands(nil, b[d.Header:], missing)
	if damage != nil {
		x.fail(x.at+damage.At, damage.Length, span.Error, damage.Code, damage.Message)
	}
	if x.group("commands", listGroup) {
		for i := range list {
			x.command(&list[i])
		}
		x.close()
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
	if !x.group("", layerGroup) {
		return
	}
	x.number("command", 1, span.Type).means(enet.Kinds[c.Number].Name)
	x.number("channel", 1, span.Value)
	for _, column := range enetColumns[c.Number] {
		x.put(column.name, column.size, column.kind, column.meaning)
	}
	if end := x.at + c.Length; end > x.limit {
		x.put("data", c.Length, span.Data, data) // it is cut
	} else {
		x.content("data", end, map[string]int{})
	}
	x.close()
}
