package message

import (
	"net/netip"
	"slices"
	"strconv"

	"varview/decoder/capture/payload"
	"varview/decoder/capture/variants"
	"varview/decoder/format"
)

// TextNames are the names of a message's texts in a query.
var TextNames = []format.TextName{
	{Name: "method"}, {Name: "from", Shape: format.Number}, {Name: "to", Shape: format.Number}, {Name: "kind", Words: kindNames},
	{Name: "path"}, {Name: "flow", Shape: format.Number}, {Name: "channel", Shape: format.Number}, {Name: "frame", Shape: format.Number},
	{Name: "size", Shape: format.Number}, {Name: "src", Shape: format.Address}, {Name: "dst", Shape: format.Address},
	{Name: "transport", Words: payload.TransportNames()},
}

// ValueTextNames are those in a query about the values of a capture, where a path is one of the tree.
func ValueTextNames() []format.TextName {
	return slices.DeleteFunc(slices.Clone(TextNames), func(n format.TextName) bool { return n.Name == "path" })
}

// Content returns the bytes that were sent.
func (m *Message) Content() []byte { return m.Payload.Bytes }

// maxLiteral is about the number of bytes of a value that a query looks at.
const maxLiteral = 64 << 10

// Texts returns the texts with one of the names; with "" all that a text without a prefix is
// looked for in.
func (m *Message) Texts(name string) []string {
	p := m.Payload
	switch name {
	case "method":
		return m.bodies(func(b *Body) (texts []string) {
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
		})
	case "from":
		return peerText(m.From)
	case "to":
		return peerText(m.To)
	case "kind":
		return m.bodies(func(b *Body) []string { return []string{b.Kind.String()} })
	case "path":
		return m.bodies(paths)
	case "flow":
		return []string{strconv.Itoa(p.Flow.Number)}
	case "channel":
		if p.Flow.Transport == payload.ENet {
			return []string{strconv.Itoa(int(p.Channel))}
		}
	case "frame":
		var frames []string
		for _, f := range p.Frames {
			frames = append(frames, strconv.Itoa(f))
		}
		return frames
	case "size":
		return []string{strconv.Itoa(len(p.Bytes))}
	case "src":
		return addressTexts(p.Src)
	case "dst":
		return addressTexts(p.Dst)
	case "transport":
		return []string{p.Flow.Transport.String()}
	case "":
		return m.bodies(m.content)
	}
	return nil
}

// bodies returns the texts of the message and of one that is relayed in it.
func (m *Message) bodies(of func(*Body) []string) (texts []string) {
	for b := &m.Body; b != nil; b = b.Inner {
		texts = append(texts, of(b)...)
	}
	return texts
}

func addressTexts(a netip.AddrPort) []string {
	if !a.IsValid() {
		return nil
	}
	return []string{a.String(), a.Addr().String()}
}

func peerText(p Peer) []string {
	if !p.Known {
		return nil
	}
	return []string{strconv.Itoa(int(p.ID))}
}

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

// content returns what a text or number without a prefix is looked for in.
func (m *Message) content(b *Body) []string {
	texts := append(paths(b), b.Kind.String())
	if b.Name != "" {
		texts = append(texts, b.Name)
	}
	eachValue(b, func(v variants.Value) {
		texts = append(texts, string(m.Values.AppendLiteral(nil, m.Payload.Bytes, v, maxLiteral)))
	})
	return texts
}

// eachValue calls each with all Variants of a body, but for those of a message in it.
func eachValue(b *Body, each func(variants.Value)) {
	lists := [][]variants.Value{b.Args, b.State}
	if b.Custom != nil {
		each(*b.Custom)
	}
	for i := range b.Entries {
		lists = append(lists, b.Entries[i].Values)
	}
	for _, list := range lists {
		for _, v := range list {
			each(v)
		}
	}
}
