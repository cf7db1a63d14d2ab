package search

import (
	"maps"
	"net/netip"
	"slices"
	"strings"
	"sync"

	"varview/decoder"
	"varview/decoder/format"
	"varview/internal/spelling"
)

// ErrUnknownPrefix is returned for a term that begins like a prefix, but with an unknown name.
type ErrUnknownPrefix struct{ error }

// unknown returns an error if the term here begins with a name and a colon, but not with a prefix.
// With a slash, a capital or a digit before the colon, or two slashes after it, it is a text:
// res://icon.png, Player:position, 12:30.
func (p *parser) unknown() error {
	ahead := *p
	word := ahead.word()
	name, after, ok := strings.Cut(word, ":")
	known := p.prefixNames()
	if !ok || strings.HasPrefix(after, "//") || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz_-") != "" && !slices.Contains(known, strings.ToLower(name)) || name == "" {
		return nil
	}
	about := "there are " + strings.Join(known, ":, ") + ":;"
	if near := spelling.Nearest(strings.ToLower(name), known); near != "" {
		about = "did you mean " + near + ":?"
	}
	asText := "to look for it as text, write it in quotes"
	if !strings.Contains(word, `"`) {
		asText += ": " + quote(word)
	}
	return ErrUnknownPrefix{p.errorf(p.at, "%s: is not a prefix here; %s %s", name, about, asText)}
}

// prefixNames returns the prefixes that the query can have, without their colons.
func (p *parser) prefixNames() (all []string) {
	for _, n := range p.names {
		all = append(all, n.Name)
	}
	for _, in := range p.places {
		all = append(all, strings.TrimSuffix(prefixes[in], ":"))
	}
	return all
}

// possible returns an error if no text with a name can be what a term of it asks for.
func (p *parser) possible(t *term, n *format.TextName, start int) error {
	switch {
	case n.Words != nil:
		if slices.ContainsFunc(n.Words, func(word string) bool { return t.isIn([]string{word}) }) {
			return nil
		}
		if near := spelling.Nearest(strings.ToLower(t.typed), n.Words); near != "" {
			return p.errorf(start, "%s: cannot be %s; did you mean %s:%s?", n.Name, t.typed, n.Name, near)
		}
		return p.errorf(start, "%s: cannot be %s; it is one of %s", n.Name, t.typed, strings.Join(n.Words, ", "))
	case n.Shape == format.Number && t.glob != nil && !couldBe(t.glob, "-0123456789"):
		return p.errorf(start, "%s: cannot be %s; it is a number, as in %s:1 or %s:>1", n.Name, t.typed, n.Name, n.Name)
	case n.Shape == format.Address && (t.number != nil || t.glob != nil && !couldBeAddress(t.glob)):
		return p.errorf(start, "%s: cannot be %s; it is an address, with its port or without, as in %s:10.0.0.7 or %s:*:7000", n.Name, t.typed, n.Name, n.Name)
	}
	return nil
}

// couldBe reports whether a glob matches a text that has only certain characters.
func couldBe(g *glob, of string) bool {
	return !slices.ContainsFunc(g.runes, func(r rune) bool { return r >= 0 && !strings.ContainsRune(of, r) })
}

// couldBeAddress reports whether a glob matches an address, as far as that can be told: what follows
// a % is the name of an interface.
func couldBeAddress(g *glob) bool {
	if s := string(g.runes); !slices.ContainsFunc(g.runes, func(r rune) bool { return r < 0 }) {
		_, err := netip.ParseAddr(s)
		if err != nil {
			_, err = netip.ParseAddrPort(s)
		}
		return err == nil
	}
	end := slices.Index(g.runes, '%')
	if end < 0 {
		end = len(g.runes)
	}
	return couldBe(&glob{runes: g.runes[:end]}, "0123456789abcdefABCDEF.:[]")
}

// typeNames are the types of all dialects by their names in lower case. There are other types, such
// as the classes of objects.
var typeNames = sync.OnceValue(func() map[string]string {
	names := map[string]string{}
	for _, d := range decoder.Dialects() {
		for _, name := range d.Types {
			if lower := strings.ToLower(name); names[lower] == "" && name != "" {
				names[lower] = name
			}
		}
	}
	return names
})

// misspeltType returns the type that was probably meant by a name that is almost one; "" for any
// other name.
func misspeltType(s string) string {
	known, s := typeNames(), strings.ToLower(s)
	if strings.ContainsAny(s, "*?[") || known[s] != "" {
		return ""
	}
	return known[spelling.Nearest(s, slices.Sorted(maps.Keys(known)))]
}
