package message

import (
	"net/netip"
	"strconv"
	"strings"
	"time"

	"varview/decoder/format"
	"varview/decoder/span"
)

var _ format.Record = (*Message)(nil)

// Columns are those of a list of messages.
var Columns = []format.Column{{Name: "from → to", Most: 44}, {Name: "flow", Right: true, Most: 6, Level: 3}, {Name: "frame", Right: true, Most: 9, Level: 4},
	{Name: "ch", Most: 4, Level: 1}, {Name: "size", Right: true, Most: 9, Level: 1}, {Name: "kind", Most: 15}, {Name: "what"}}

// Cells implements format.Record.
func (m *Message) Cells(limit int) []format.Cell {
	p := m.Payload
	return []format.Cell{{Text: m.FromTo(), Short: m.shortFromTo()}, {Text: strconv.Itoa(p.Flow.Number)}, {Text: strconv.Itoa(p.Frame())},
		{Text: p.ChannelText()}, {Text: strconv.Itoa(len(p.Bytes))}, {Text: m.Kind.String()}, {Text: m.Title(limit)}}
}

// shortFromTo is FromTo with no more of addresses than tells them apart: their ports, or their last
// numbers.
func (m *Message) shortFromTo() string {
	short := func(a netip.AddrPort) string { return ":" + strconv.Itoa(int(a.Port())) }
	if src, dst := m.Payload.Src, m.Payload.Dst; src.Port() == dst.Port() {
		short = func(a netip.AddrPort) string {
			s := a.Addr().String()
			return "…" + s[strings.LastIndexAny(s, ".:")+1:]
		}
	}
	return m.From.text(short(m.Payload.Src)) + " → " + m.To.text(short(m.Payload.Dst))
}

// FromTo writes who sends the message to whom: ids of peers, or addresses where they are not
// known.
func (m *Message) FromTo() string {
	return m.From.text(m.Payload.Src.String()) + " → " + m.To.text(m.Payload.Dst.String())
}

func (p Peer) text(addr string) string {
	if p.Known {
		return strconv.Itoa(int(p.ID))
	}
	return addr
}

// When implements format.Record.
func (m *Message) When() time.Time { return m.Payload.Time }

// Deed implements format.Record. What is relayed does something of its own.
func (m *Message) Deed() format.Deed {
	b := m.Innermost()
	d := format.Deed{Kind: m.Kind.String()}
	if b != &m.Body {
		d.Kind += " " + b.Kind.String()
	}
	switch {
	case b.Kind == Set, b.Kind == Call && (b.Named || b.Name != ""):
		d.Method, d.Path = MethodText(b), PathText(b.Path)
	case b.Kind == Call:
		d.Method, d.Path, d.Group = MethodText(b), PathText(b.Path), b.Digest
		if b.Digest == "" {
			d.Group = d.Path
		}
	}
	return d
}

// Alike implements format.Record. The peer is the one that sends, or the receiver where that is
// the server.
func (m *Message) Alike(with format.Common) string {
	b := m.Innermost()
	switch with {
	case format.SameNode:
		if all := paths(b); len(all) > 0 {
			return "path:" + quoted(all[0])
		}
	case format.SameMethod:
		if b.Kind == Call || b.Kind == Set {
			return "method:" + quoted(strings.TrimPrefix(MethodText(b), "#"))
		}
	case format.SameDeed:
		return m.deedQuery()
	case format.SamePeer:
		peer, addr := m.From, m.Payload.Src
		if peer == KnownPeer(server) {
			peer, addr = m.To, m.Payload.Dst
		}
		if peer.Known {
			id := strconv.Itoa(int(peer.ID))
			return "from:" + id + " | to:" + id
		}
		if addr.IsValid() {
			return "src:" + quoted(addr.String()) + " | dst:" + quoted(addr.String())
		}
	}
	return ""
}

// deedQuery is the query for the messages that do the same.
func (m *Message) deedQuery() string {
	d := m.Deed()
	query := "kind:" + strings.ReplaceAll(d.Kind, " ", " kind:")
	if m.Kind != Relay {
		query += " -kind:relay"
	}
	if d.Method != "" {
		query += " " + m.Alike(format.SameMethod)
	}
	if d.Method != "" && d.Group == d.Path {
		query += " " + m.Alike(format.SameNode)
	}
	return query
}

// server is the id of the server.
const server = 1

// quoted writes a text as a query has it.
func quoted(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// Problem implements format.Record.
func (m *Message) Problem() (worst *span.Problem) {
	for i := range m.Problems {
		if worst == nil || m.Problems[i].Severity > worst.Severity {
			worst = &m.Problems[i]
		}
	}
	return worst
}

// HasProblem reports whether something worse than a note is known of the message.
func (m *Message) HasProblem() bool {
	p := m.Problem()
	return p != nil && p.Severity > span.Note
}
