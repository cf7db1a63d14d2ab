// Package messages describes the messages of a capture for people and for queries, and
// adds up what they take.
package messages

import (
	"strconv"

	"varview/decoder/capture/message"
	"varview/decoder/capture/payload"
	"varview/decoder/capture/variants"
	"varview/decoder/span"
	"varview/model/search"
)

// Names are the names of a message's texts in a query.
var Names = []string{"method", "from", "to", "kind", "path", "flow", "channel", "frame", "size", "src", "dst", "transport"}

// ParseQuery reads a query about messages.
func ParseQuery(s string) (search.Query, error) { return search.ParseRecordQuery(s, Names) }

// A Record is a message that a query is about.
type Record struct{ *message.Message }

var _ search.Record = Record{}

// Content implements search.Record.
func (r Record) Content() []byte { return r.Payload.Bytes }

// HasProblem implements search.Record.
func (r Record) HasProblem() bool {
	for i := range r.Problems {
		if r.Problems[i].Severity > span.Note {
			return true
		}
	}
	return false
}

// maxLiteral is about the number of bytes of a value that a query looks at.
const maxLiteral = 64 << 10

// Texts implements search.Record.
func (r Record) Texts(name string) []string {
	p := r.Payload
	switch name {
	case "method":
		return r.bodies(func(b *message.Body) (texts []string) {
			if b.Kind != message.Call && b.Kind != message.Set {
				return nil
			}
			if b.Name != "" {
				texts = append(texts, b.Name)
			}
			if !b.Named && b.Kind == message.Call {
				texts = append(texts, strconv.Itoa(int(b.Method)))
			}
			return texts
		})
	case "from":
		return peerText(r.From)
	case "to":
		return peerText(r.To)
	case "kind":
		return r.bodies(func(b *message.Body) []string { return []string{b.Kind.String()} })
	case "path":
		return r.bodies(paths)
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
		return []string{p.Src.String(), p.Src.Addr().String()}
	case "dst":
		return []string{p.Dst.String(), p.Dst.Addr().String()}
	case "transport":
		return []string{p.Flow.Transport.String()}
	case "":
		return r.bodies(r.content)
	}
	return nil
}

// bodies returns the texts of the message and of one that is relayed in it.
func (r Record) bodies(of func(*message.Body) []string) (texts []string) {
	for b := &r.Body; b != nil; b = b.Inner {
		texts = append(texts, of(b)...)
	}
	return texts
}

func peerText(p message.Peer) []string {
	if !p.Known {
		return nil
	}
	return []string{strconv.Itoa(int(p.ID))}
}

// paths returns the paths of nodes that a body is about.
func paths(b *message.Body) (texts []string) {
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
func (r Record) content(b *message.Body) []string {
	texts := append(paths(b), b.Kind.String())
	if b.Name != "" {
		texts = append(texts, b.Name)
	}
	EachValue(b, func(v Value) {
		texts = append(texts, string(r.Values.AppendLiteral(nil, r.Payload.Bytes, v.Value, maxLiteral)))
	})
	return texts
}

// A Value is a Variant of a message, and the list that it is in.
type Value struct {
	variants.Value
	List  string // "args", "state", "data", "values"
	Entry int    // of values: the index of the entry
}

// EachValue calls each with all Variants of a body, but for those of a message in it.
func EachValue(b *message.Body, each func(Value)) {
	all := func(list string, entry int, values []variants.Value) {
		for _, v := range values {
			each(Value{v, list, entry})
		}
	}
	all("args", 0, b.Args)
	if b.Custom != nil {
		each(Value{*b.Custom, "data", 0})
	}
	all("state", 0, b.State)
	for i := range b.Entries {
		all("values", i, b.Entries[i].Values)
	}
}
