package multiplayer

import (
	"fmt"

	"varview/decoder/engine/span"
	"varview/decoder/network/look"
	"varview/decoder/network/message"
	"varview/decoder/network/payload"
	"varview/decoder/network/variants"
)

// bySide returns the payloads of a flow that are held, by their side.
func (f *flow) bySide() (held [2][]*payload.Payload) {
	for _, p := range f.held {
		i := 0
		if p.Src != p.Flow.A {
			i = 1
		}
		held[i] = append(held[i], p)
	}
	return held
}

// decideMixed finds out whether the two sides of a flow speak the protocols of two engines, or only one of them the
// multiplayer API, and reports that.
func (r *Reader) decideMixed(f *flow, list []message.Protocol) bool {
	held := f.bySide()
	var best [2]message.Protocol
	var fit [2]int
	for i, held := range held {
		if best[i], fit[i] = r.best(held, list, f); best[i] == message.OnlyBytes || fit[i] < max(len(held), explained) {
			return false
		}
	}
	code := message.MixedEngines
	if best[0].Dialect() == best[1].Dialect() {
		code = message.MixedProtocols
	}
	text := "%s uses %s, and %s uses %s: they do not understand each other"
	switch {
	case best[0].IsPlain() == best[1].IsPlain():
		if best[0].IsPlain() || code == message.MixedProtocols {
			return false
		}
	case !isOneSided(best, fit, held):
		return false
	case held[0][0].Flow.Transport == payload.WebSocket && (best[0] == message.Godot3 || best[1] == message.Godot3):
		text += "; gd_mp_api of listen and connect_to_url must be the same"
	}
	f.set(best[0], false)
	f.sides[1].protocol, f.mixed = best[1], true
	for i := range f.sides {
		f.sides[i].shape.Vars = best[i].IsPlain()
	}
	r.reportMixed(held[1][0], code, text, best)
	return true
}

// isOneSided reports whether it is certain that one side speaks the multiplayer API and the other sends only values.
func isOneSided(best [2]message.Protocol, fit [2]int, held [2][]*payload.Payload) bool {
	plain := 0
	if best[1].IsPlain() {
		plain = 1
	}
	return fit[plain] >= explained*len(held[plain]) && fit[1-plain] >= certain
}

// reportMixed reports at a payload that the sides of its flow are not alike.
func (r *Reader) reportMixed(p *payload.Payload, code, text string, sides [2]message.Protocol) {
	at := payload.Bytes{Data: p.Bytes, Parts: p.Parts}.At(0, len(p.Bytes))
	r.to.Problem(&payload.Problem{Frame: p.Frame(), Problem: span.Problem{Span: at, Severity: span.Error, Code: code,
		Message: fmt.Sprintf(text, p.Flow.A, sides[0].About(), p.Flow.B, sides[1].About())}})
}

// decideSides finds out how each side of a flow of Variants or bytes sends them: each may be another engine.
func (r *Reader) decideSides(f *flow) {
	held := f.bySide()
	dialects := []message.Protocol{message.Variants4, message.Variants3}
	if f.protocol == message.Variants3 {
		dialects[0], dialects[1] = dialects[1], dialects[0]
	}
	for i := range f.sides {
		if s := &f.sides[i]; len(held[i]) > 0 {
			fit := 0
			s.protocol, fit = r.best(held[i], dialects, f)
			if s.shape.Vars = r.areMostlyVars(held[i], s.protocol, f); !s.shape.Vars || fit < len(held[i]) {
				r.decideDamaged(s, held[i], dialects)
			}
		}
	}
	a, b := &f.sides[0], &f.sides[1]
	if len(held[0]) > 0 && len(held[1]) > 0 && a.protocol != b.protocol && a.protocol != message.OnlyBytes && b.protocol != message.OnlyBytes {
		r.reportMixed(held[1][0], message.MixedEngines, "%s sends %s, and %s sends %s: bytes_to_var and get_var of either fail on what the other sends", [2]message.Protocol{a.protocol, b.protocol})
	}
}

// decideDamaged finds out whether most payloads of a side begin as Variants or have them behind a header.
func (r *Reader) decideDamaged(s *side, held []*payload.Payload, dialects []message.Protocol) {
	most := 0
	for _, as := range dialects {
		begin := 0
		for _, p := range held {
			if r.begins(p, as) {
				begin++
			}
		}
		if 4*begin >= 3*len(held) && begin > most {
			most = begin
			s.protocol, s.shape = as, message.Shape{Vars: true}
		}
	}
	if most > 0 {
		return
	}
	for _, as := range dialects {
		if n := r.header(held, as); n > 0 {
			s.protocol, s.shape = as, message.Shape{Vars: true, Header: uint8(n)}
			return
		}
	}
}

// begins reports whether bytes begin as a value of which a good part is there: it is cut, or something follows
// it.
func (r *Reader) begins(of *payload.Payload, as message.Protocol) bool {
	b, values := of.Bytes, r.values.Of(as.Dialect())
	if list, ok := look.All(values, b); ok && look.AreLikely(values, b, list) {
		return true
	}
	const least = 12 // a smaller value may be chance
	if len(b) < least || !variants.Begins(b) {
		return false
	}
	values.Use(b)
	first := int64(len(b))
	v, ok := values.Next(0, int64(len(b)), func(p span.Problem) {
		switch {
		case p.Severity < span.Error, p.Code == span.Truncated && !of.Partial: // all that is there could be read
		case p.IsShortage():
			first = min(first, p.Offset)
		default:
			first = 0
		}
	})
	if ok {
		return v.Length >= least && !values.IsOdd(b, v)
	}
	return first > least && first >= int64(len(b))/2
}

// mostHeader is the largest number of bytes that are looked for before values.
const mostHeader = 32

// header returns the number of bytes before the values of all payloads; 0 if they have no values.
func (r *Reader) header(held []*payload.Payload, as message.Protocol) int {
	values, least := r.values.Of(as.Dialect()), 8
	if len(held) == 1 {
		least = 24
	}
	for n := 1; n <= mostHeader; n++ {
		fits := true
		for _, p := range held {
			b := p.Bytes[min(n, len(p.Bytes)):]
			list, ok := look.All(values, b)
			if fits = fits && ok && len(list) == 1 && len(b) >= n && len(b) >= least && !values.IsOdd(b, list[0]); !fits {
				break
			}
		}
		if fits {
			return n
		}
	}
	return 0
}
