package block

import (
	"errors"
	"slices"

	"varview/decoder/elephant/gml"
)

// Schemas are the libraries in which schemas are looked up; an earlier one comes before a
// later one.
type Schemas []*gml.Library

// any reports whether any constructor is known.
func (s Schemas) any() bool {
	for _, l := range s {
		if l.Len() > 0 {
			return true
		}
	}
	return false
}

// LookUp asks the first library that declares the constructor.
func (s Schemas) LookUp(name string, version int) (schema *gml.Schema, err error) {
	for _, l := range s {
		if l.Len() == 0 {
			continue
		}
		if schema, err = l.Schema(name, version); err == nil || reason(err) != gml.NoConstructor {
			break
		}
	}
	return schema, err
}

// reason returns why a library gives no schema.
func reason(err error) gml.Reason {
	var e *gml.SchemaError
	if errors.As(err, &e) {
		return e.Reason
	}
	return gml.Unreadable
}

// Versions lists the versions that a constructor's schema has, up to most.
func (s Schemas) Versions(name string, most int) (all []int) {
	c := s.nearest(name, func(c *gml.Constructor) bool { return c.HasSchema })
	if c != nil {
		all = slices.DeleteFunc(c.Versions(), func(v int) bool { return v > most })
	}
	return all
}

// Highest returns the schema version in which a game writes structs of a constructor, as
// far as the libraries say: the version that it is forced to use or the highest; 0 if there
// is none.
func (s Schemas) Highest(name string, most int) int {
	c := s.nearest(name, func(c *gml.Constructor) bool { return c.Forced || c.HasSchema })
	switch {
	case c == nil:
		return 0
	case c.Forced:
		return c.ForceVersion
	}
	best := 0
	for _, v := range c.Versions() {
		if v <= most {
			best = v
		}
	}
	return best
}

// maxAncestors is the number of parent constructors that the library searches.
const maxAncestors = 256

// nearest returns the constructor with a name, or its nearest ancestor, for which has is
// true; nil if there is none.
func (s Schemas) nearest(name string, has func(*gml.Constructor) bool) *gml.Constructor {
	for _, l := range s {
		asked := name
		for range maxAncestors {
			c, ok := l.Constructor(asked)
			if ok && has(c) {
				return c
			}
			if !ok || c.Parent == "" {
				break
			}
			asked = c.Parent
		}
	}
	return nil
}

// Schemas returns the libraries in which the reading looks up schemas.
func (f *Reading) Schemas() Schemas { return f.names.schemas }

// near returns a constructor that a library declares and whose name differs from the given
// one by one byte that was changed, lost or added; "" if there is none.
func (n *names) near(name string) string {
	l := n.shared
	l.mu.Lock()
	is, ok := l.nearby[name]
	l.mu.Unlock()
	if ok {
		return is
	}
	for _, library := range n.schemas {
		for _, declared := range library.Constructors() {
			if is == "" && isOneByteOff(name, declared) {
				is = declared
			}
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.nearby == nil {
		l.nearby = map[string]string{}
	}
	if len(l.nearby) < maxUses {
		l.nearby[name] = is
	}
	return is
}

// isOneByteOff reports whether two texts differ by one byte that was changed, lost
// or added.
func isOneByteOff(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	same := 0
	for same < len(a) && a[same] == b[same] {
		same++
	}
	switch len(b) - len(a) {
	case 0:
		return same < len(a) && a[same+1:] == b[same+1:]
	case 1:
		return b[same+1:] == a[same:]
	}
	return false
}

// NearCtor returns a constructor that a library declares and whose name differs from the
// given one, which none declares, by one byte that was changed, lost or added; "" if there
// is none.
func (f *Reading) NearCtor(name string) string {
	if !f.names.schemas.any() {
		return ""
	}
	if _, err := f.names.schemas.LookUp(name, 0); reason(err) != gml.NoConstructor {
		return ""
	}
	return f.names.near(name)
}
