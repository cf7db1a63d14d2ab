package message

import (
	"fmt"
	"hash/maphash"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"varview/decoder/engine/format"
	"varview/decoder/engine/span"
	"varview/decoder/network/look"
	"varview/decoder/network/payload"
	"varview/decoder/network/variants"
)

// A fact is what a query can ask about a message, with a name.
type fact struct {
	format.TextName
	of func(*Message) []string
}

// number is a fact that is a number.
func number(name string, of func(*Message) int) fact {
	return fact{format.TextName{Name: name, Shape: format.Number}, func(m *Message) []string { return []string{strconv.Itoa(of(m))} }}
}

var facts = []fact{
	{format.TextName{Name: "method"}, func(m *Message) []string { return m.bodies(methods) }},
	{format.TextName{Name: "from", Shape: format.Number}, func(m *Message) []string { return peerText(m.From) }},
	{format.TextName{Name: "to", Shape: format.Number, Also: all}, func(m *Message) []string {
		return append(peerText(m.To), textIf(m.To.Known && m.To.ID == 0, all)...)
	}},
	{format.TextName{Name: "kind", Words: append(slices.Clone(kindNames), payload.KindOfProblem)}, func(m *Message) []string {
		return m.bodies(func(b *Body) []string { return []string{b.Kind.String()} })
	}},
	{format.TextName{Name: "path"}, func(m *Message) []string { return m.bodies(paths) }},
	number("flow", func(m *Message) int { return m.Payload.Flow.Number }),
	{format.TextName{Name: "channel", Shape: format.Number}, func(m *Message) []string {
		return textIf(m.Payload.Flow.Transport == payload.ENet, int(m.Payload.Channel))
	}},
	{format.TextName{Name: "mode", Words: modes}, func(m *Message) []string { return modes[min(1, m.Payload.Mode) : m.Payload.Mode+1] }},
	{format.TextName{Name: "frame", Shape: format.Number}, func(m *Message) (frames []string) {
		for _, f := range m.Payload.Frames {
			frames = append(frames, strconv.Itoa(f))
		}
		return frames
	}},
	number("size", func(m *Message) int { return len(m.Payload.Bytes) }),
	{format.TextName{Name: "src", Shape: format.Address}, func(m *Message) []string { return payload.AddressTexts(m.Payload.Src) }},
	{format.TextName{Name: "dst", Shape: format.Address}, func(m *Message) []string { return payload.AddressTexts(m.Payload.Dst) }},
	{format.TextName{Name: "transport", Words: payload.TransportNames()}, func(m *Message) []string { return []string{m.Payload.Flow.Transport.String()} }},
	{format.TextName{Name: "time", Shape: format.Number}, func(m *Message) []string { return []string{strconv.FormatFloat(m.Payload.Since.Seconds(), 'f', 6, 64)} }},
	{format.TextName{Name: "rtt", Shape: format.Number}, func(m *Message) []string { return textIf(m.Payload.Trip > 0, milliseconds(m.Payload.Trip)) }},
	number("wire", func(m *Message) int { return m.Payload.Wire }),
	number("unacked", func(m *Message) int { return m.Payload.Unacked }),
	{format.TextName{Name: "arg", List: true}, nil},
}

// modes are the names of the modes; what is unsequenced is unreliable too.
var modes = []string{payload.Reliable: "reliable", payload.Unreliable: "unreliable", payload.Unsequenced: "unsequenced"}

// all is the target of a message for everybody.
const all = "all"

// textIf returns a text if there is one.
func textIf(isThere bool, what any) []string {
	if !isThere {
		return nil
	}
	return []string{fmt.Sprint(what)}
}

// TextNames are the names of a message's texts in a query.
var TextNames = names(facts)

func names(facts []fact) (all []format.TextName) {
	for _, f := range facts {
		all = append(all, f.TextName)
	}
	return all
}

// ValueTextNames returns the names for a query about the values of a capture, where a path is one of the
// tree.
func ValueTextNames() []format.TextName {
	return slices.DeleteFunc(slices.Clone(TextNames), func(n format.TextName) bool { return n.Name == "path" })
}

// Content returns the bytes that were sent.
func (m *Message) Content() []byte { return m.Payload.Bytes }

// maxLiteral is about the number of bytes of a value that a query searches.
const maxLiteral = 64 << 10

// Texts returns the texts with one of the names; for "" all in which a text without a prefix is searched
// for.
func (m *Message) Texts(name string) []string {
	if name == "" {
		return m.bodies(m.contents)
	}
	if key, isHeld := strings.CutPrefix(name, "["); isHeld {
		return m.held(strings.TrimSuffix(key, "]"))
	}
	if index, ok := strings.CutPrefix(name, "arg"); ok {
		number, path, _ := strings.Cut(strings.TrimPrefix(index, "["), "]")
		return m.arguments(number, path)
	}
	if i := slices.IndexFunc(facts, func(f fact) bool { return f.Name == name }); i >= 0 {
		return facts[i].of(m)
	}
	return nil
}

// methods returns the method of a call or a set value: its name, and its number if that is all that was sent.
func methods(b *Body) (texts []string) {
	if b.Kind != Call && b.Kind != Set {
		return nil
	}
	if b.Name != "" {
		texts = append(texts, b.Name)
	}
	if !b.Named && b.Kind == Call {
		texts = append(texts, strconv.Itoa(int(b.Method)))
	}
	return texts
}

// arguments returns the values with a path in the arguments of a call, or these themselves for "", as literals, and texts
// without quotes: those of the one with a number, or all for "".
func (m *Message) arguments(number, path string) (texts []string) {
	for i, v := range m.Innermost().Args {
		if number == "" || number == strconv.Itoa(i) {
			texts = append(texts, heldIn(m.Values, m.Payload.Bytes, v, variants.Itself+path)...)
		}
	}
	return texts
}

// milliseconds returns a time in milliseconds: "12.5".
func milliseconds(d time.Duration) string {
	return strconv.FormatFloat(float64(d.Round(100*time.Microsecond))/float64(time.Millisecond), 'f', 1, 64)
}

// bodies returns the texts of the message and of those relayed in it.
func (m *Message) bodies(of func(*Body) []string) (texts []string) {
	for b := &m.Body; b != nil; b = b.Inner {
		texts = append(texts, of(b)...)
	}
	return texts
}

func peerText(p Peer) []string { return textIf(p.Known, p.ID) }

// paths returns the paths of nodes that a body is about.
func paths(b *Body) (texts []string) {
	if b.Path.Known {
		texts = append(texts, b.Path.Text)
	}
	for i := range b.Entries {
		switch e := &b.Entries[i]; {
		case e.Path.Known:
			texts = append(texts, e.Path.Text)
		case e.Node != "":
			texts = append(texts, e.Node)
		}
	}
	return texts
}

// contents returns the texts in which a text or number without a prefix is searched for.
func (m *Message) contents(b *Body) []string {
	texts := append(paths(b), b.Kind.String())
	if b.Name != "" {
		texts = append(texts, b.Name)
	}
	if l := m.Looked(b); l.Kind != look.Unknown {
		text, _ := l.AppendTitle(nil, maxLiteral)
		texts = append(texts, string(text))
	}
	eachValue(b, func(v variants.Value) {
		texts = append(texts, string(m.Values.AppendLiteral(nil, m.Payload.Bytes, v, maxLiteral)))
	})
	return texts
}

// eachValue calls each with all Variants of a body, except those of a message in it.
func eachValue(b *Body, each func(variants.Value)) {
	lists := [][]variants.Value{b.Custom, b.Args, b.Cut, b.State}
	for i := range b.Entries {
		lists = append(lists, b.Entries[i].Values)
	}
	for _, list := range lists {
		for _, v := range list {
			each(v)
		}
	}
}

// Columns are the columns of a list of messages.
var Columns = []format.Column{{Name: "from → to", Most: 44}, {Name: "flow", Right: true, Most: 6, Level: 3}, {Name: "frame", Right: true, Most: 9, Level: 4},
	{Name: "ch", Most: 4, Level: 1}, {Name: "size", Right: true, Most: 9, Level: 1}, {Name: "kind", Most: 15}, {Name: "what"}}

// Cells implements format.Record.
func (m *Message) Cells(limit int) []format.Cell {
	p := m.Payload
	return []format.Cell{{Text: m.FromTo(), Short: m.shortFromTo()}, {Text: strconv.Itoa(p.Flow.Number)}, {Text: strconv.Itoa(p.Frame())},
		{Text: p.ChannelText()}, {Text: strconv.Itoa(len(p.Bytes))}, {Text: m.Kind.String()}, {Text: m.Title(limit)}}
}

// shortFromTo is FromTo with only as much of addresses as distinguishes them: their ports, or their last
// numbers.
func (m *Message) shortFromTo() string {
	short := func(a netip.AddrPort) string { return ":" + strconv.Itoa(int(a.Port())) }
	if src, dst := m.Payload.Src, m.Payload.Dst; src.Port() == dst.Port() {
		short = func(a netip.AddrPort) string {
			s := a.Addr().String()
			return "…" + s[strings.LastIndexAny(s, ".:")+1:]
		}
	}
	return m.From.text(short(m.Payload.Src)) + " → " + m.To.target(short(m.Payload.Dst))
}

// FromTo returns who sends the message to whom: ids of peers, or addresses if they are not known.
func (m *Message) FromTo() string {
	return m.From.text(m.Payload.Src.String()) + " → " + m.To.target(m.Payload.Dst.String())
}

func (p Peer) text(addr string) string {
	if p.Known {
		return strconv.Itoa(int(p.ID))
	}
	return addr
}

// target is text for the peer that a message is for: 0 is all, and -5 all but 5.
func (p Peer) target(addr string) string {
	switch {
	case p.Known && p.ID == 0:
		return all
	case p.Known && p.ID < 0:
		return "all but " + strconv.Itoa(-int(p.ID))
	}
	return p.text(addr)
}

// When implements format.Record.
func (m *Message) When() time.Time { return m.Payload.Time }

// Deed implements format.Record. For a relay it returns that of the relayed message.
func (m *Message) Deed() format.Deed {
	b := m.Innermost()
	d := format.Deed{Kind: m.Kind.String(), Wire: m.Payload.Wire, Copy: m.copy()}
	if b != &m.Body {
		d.Kind += " " + b.Kind.String()
	}
	switch {
	case b.Kind == Set, b.Kind == Call && (b.Named || b.Name != ""):
		d.Method, d.Path = methodText(b), PathText(b.Path)
	case b.Kind == Call:
		d.Method, d.Path, d.Group = methodText(b), PathText(b.Path), b.Digest
		if b.Digest == "" {
			d.Group = d.Path
		}
	}
	return d
}

// seed is that of the hashes of messages that are passed on.
var seed = maphash.MakeSeed()

// copy says whether the server passes the message on, or has passed it on.
func (m *Message) copy() (c format.Copy) {
	const relayHead = 6 // bytes of Godot 4's RELAY before the message
	p, origin := m.Payload, m.From.ID
	if p.Connection == nil && m.Protocol != Godot4 || !m.From.Known {
		return c
	}
	b := p.Bytes
	switch {
	case m.Protocol == Godot4 && m.Kind == Relay && len(b) > relayHead:
		b = b[relayHead:]
		if c.IsFirst = origin != server; !c.IsFirst {
			origin = m.Peer
		}
	case m.Protocol == Godot3 && origin != server:
		c.IsFirst = p.Src != p.Connection.Server
	default:
		return c
	}
	c.Of, c.To = maphash.Bytes(seed, b)^uint64(uint32(origin)), p.Dst.String()
	return c
}

// Alike implements format.Record. The peer is the sender, or the receiver if the server is the sender.
func (m *Message) Alike(with format.Common) string {
	b := m.Innermost()
	switch with {
	case format.SameNode:
		if all := paths(b); len(all) > 0 {
			return "path:" + quoted(all[0])
		}
	case format.SameMethod:
		if b.Kind == Call || b.Kind == Set {
			return "method:" + quoted(strings.TrimPrefix(methodText(b), "#"))
		}
	case format.SameDeed:
		return m.deedQuery()
	case format.SameFlow:
		return OfFlow(m.Payload.Flow)
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

// OfFlow returns the query for the messages of a flow.
func OfFlow(f *payload.Flow) string { return "flow:" + strconv.Itoa(f.Number) }

// deedQuery returns the query for the messages that do the same.
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

// quoted returns a text as it is written in a query.
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

// HasProblem reports whether the message has a problem worse than a note.
func (m *Message) HasProblem() bool {
	p := m.Problem()
	return p != nil && p.Severity > span.Note
}

// maxHeld is the largest number of values of a message that a query searches one by one.
const maxHeld = 4096

// held returns the values that a message holds at any depth, as literals and texts without quotes: those under a key, or, for
// "", all.
func (m *Message) held(key string) []string {
	path := variants.Everything
	if key != "" {
		path = fmt.Sprintf("..[%q]", key)
	}
	return m.bodies(func(b *Body) (texts []string) {
		eachValue(b, func(v variants.Value) { texts = append(texts, heldIn(m.Values, m.Payload.Bytes, v, path)...) })
		l := m.Looked(b)
		for _, v := range l.Values {
			texts = append(texts, heldIn(l.Reader, l.Plain, v, path)...)
		}
		return texts[:min(len(texts), maxHeld)]
	})
}

func heldIn(r *variants.Reader, b []byte, v variants.Value, path string) (texts []string) {
	for _, literal := range r.Held(b, v, path, maxHeld, maxLiteral) {
		if text, err := strconv.Unquote(literal); err == nil {
			literal = text
		}
		texts = append(texts, literal)
	}
	return texts
}
