package multiplayer

import (
	"fmt"
	"strings"

	"varview/decoder/engine/span"
	"varview/decoder/network/look"
	"varview/decoder/network/message"
	"varview/decoder/network/payload"
	"varview/decoder/network/variants"
)

// decideMixed finds out whether the two sides of a flow speak the protocols of two engines, or only one of them the
// multiplayer API, and reports that.
func (r *Reader) decideMixed(f *flow, list []message.Protocol, halves [2]half) bool {
	var as [2]message.Protocol
	for i, h := range halves {
		var how judged
		if as[i], how = best(list, h); as[i] == message.OnlyBytes || how.fit < max(len(h.held), explained) {
			return false
		}
	}
	code := message.MixedEngines
	if as[0].Dialect() == as[1].Dialect() {
		code = message.MixedProtocols
	}
	text := "%s uses %s, and %s uses %s: they do not understand each other"
	switch {
	case as[0].IsPlain() == as[1].IsPlain():
		if as[0].IsPlain() || code == message.MixedProtocols {
			return false
		}
	case !isOneSided(as, halves):
		return false
	case halves[0].held[0].Flow.Transport == payload.WebSocket && (as[0] == message.Godot3 || as[1] == message.Godot3):
		text += "; gd_mp_api of listen and connect_to_url must be the same"
	}
	f.protocol, f.mixed = as[0], true
	for i := range f.sides {
		f.sides[i] = side{as[i], message.Shape{Vars: as[i].IsPlain()}}
	}
	r.reportMixed(halves[1].held[0], code, text, as)
	return true
}

// isOneSided reports whether it is certain that one side speaks the multiplayer API and the other sends only values.
func isOneSided(as [2]message.Protocol, halves [2]half) bool {
	plain := 0
	if as[1].IsPlain() {
		plain = 1
	}
	fit := func(i int) int { return halves[i].by[as[i]].fit }
	return fit(plain) >= explained*len(halves[plain].held) && fit(1-plain) >= certain
}

// reportMixed reports at a payload that the sides of its flow are not alike.
func (r *Reader) reportMixed(p *payload.Payload, code, text string, sides [2]message.Protocol) {
	r.report(placeOf(p, len(p.Bytes)), span.Error, code, fmt.Sprintf(text, p.Flow.A, sides[0].About(), p.Flow.B, sides[1].About()), "")
}

// decideSides finds out how each side of a flow of Variants or bytes sends them: each may be another engine.
func (r *Reader) decideSides(f *flow, halves [2]half) {
	dialects := []message.Protocol{message.Variants4, message.Variants3}
	if f.protocol == message.Variants3 {
		dialects[0], dialects[1] = dialects[1], dialects[0]
	}
	for i := range f.sides {
		if s, h := &f.sides[i], halves[i]; len(h.held) > 0 {
			var how judged
			s.protocol, how = best(dialects, h)
			if s.shape.Vars = how.vars > how.others; !s.shape.Vars || how.fit < len(h.held) {
				r.decideDamaged(s, h.held, dialects)
			}
		}
	}
	a, b := &f.sides[0], &f.sides[1]
	if len(halves[0].held) > 0 && len(halves[1].held) > 0 && a.protocol != b.protocol && a.protocol != message.OnlyBytes && b.protocol != message.OnlyBytes {
		r.reportMixed(halves[1].held[0], message.MixedEngines, "%s sends %s, and %s sends %s: bytes_to_var and get_var of either fail on what the other sends", [2]message.Protocol{a.protocol, b.protocol})
	}
}

// decideDamaged finds out whether most payloads of a side begin as Variants or have them behind a header.
func (r *Reader) decideDamaged(s *side, held []*payload.Payload, dialects []message.Protocol) {
	most := 0
	for _, as := range dialects {
		begin := 0
		for _, p := range held {
			if r.begins(p.Bytes, p.Partial, as) {
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
func (r *Reader) begins(b []byte, isPartial bool, as message.Protocol) bool {
	values := r.values.Of(as.Dialect())
	if _, ok := look.Likely(values, b); ok {
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
		case p.Severity < span.Error, p.Code == span.Truncated && !isPartial: // all that is there could be read
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

// containers are the types of dictionaries and arrays.
var containers = map[message.Protocol]string{message.Variants4: "\x1b\x1c", message.Variants3: "\x12\x13"}

// header returns the number of bytes before the values of most payloads; 0 if they have no values. Of values that are cut, or have something
// behind them, only those count that chance hardly makes.
func (r *Reader) header(held []*payload.Payload, as message.Protocol) int {
	values, least := r.values.Of(as.Dialect()), 8
	if len(held) == 1 {
		least = 24
	}
	isValue := func(b []byte, _ bool) bool {
		v, ok := look.One(values, b)
		return ok && !values.IsOdd(b, v)
	}
	beginsContainer := func(b []byte, isPartial bool) bool {
		return strings.IndexByte(containers[as], b[0]) >= 0 && r.begins(b, isPartial, as)
	}
	for _, fits := range []func([]byte, bool) bool{isValue, beginsContainer} {
		for n := 1; n <= mostHeader; n++ {
			misfits := 0
			for _, p := range held {
				if b := p.Bytes[min(n, len(p.Bytes)):]; len(b) < max(n, least) || !fits(b, p.Partial) {
					misfits++
				}
				if 4*misfits > len(held) {
					break
				}
			}
			if 4*misfits <= len(held) {
				return n
			}
		}
	}
	return 0
}
