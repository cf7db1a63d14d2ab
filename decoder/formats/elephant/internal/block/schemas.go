package block

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/elephant/gml"
)

// Schemas are the libraries in which schemas are looked up; earlier ones take precedence.
type Schemas []*gml.Library

// any reports whether any constructor is known.
func (s Schemas) any() bool {
	return slices.ContainsFunc(s, func(l *gml.Library) bool { return l.Len() > 0 })
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

// Highest returns the schema version in which a game writes a constructor's structs, as far as the
// libraries say: the forced version or else the highest; 0 if there is none.
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

// near returns a declared constructor whose name differs from the given one by one byte changed, lost or
// added; "" if there is none.
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
	if len(l.nearby) < maxNearby {
		l.nearby[name] = is
	}
	return is
}

// isOneByteOff reports whether two texts differ by one byte changed, lost or added.
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

// NearCtor returns a declared constructor whose name differs from the given undeclared one by one byte
// changed, lost or added; "" if there is none.
func (f *Reading) NearCtor(name string) string {
	if !f.names.schemas.any() {
		return ""
	}
	if _, err := f.names.schemas.LookUp(name, 0); reason(err) != gml.NoConstructor {
		return ""
	}
	return f.names.near(name)
}

// layouts are the schemas in use, numbered for the values that need them.
type layouts struct {
	mu     sync.Mutex
	list   atomic.Pointer[[]layout] // only appended to
	index  map[layoutKey]uint32
	recent [fewCtors]atomic.Pointer[numberedLayout] // some of list, found without a lock
	nearby map[string]string                        // results of near
}

// clone returns layouts with the same numbers.
func (l *layouts) clone() *layouts {
	l.mu.Lock()
	defer l.mu.Unlock()
	c := &layouts{index: maps.Clone(l.index)}
	if list := l.list.Load(); list != nil {
		clipped := slices.Clip(*list)
		c.list.Store(&clipped)
	}
	return c
}

// maxNearby is the number of names for which near remembers what it has found.
const maxNearby = 1024

// A layout is the layout of a constructor's structs of one version.
type layout struct {
	layoutKey
	schema *gml.Schema
}

// A numberedLayout is a layout by its number.
type numberedLayout struct {
	layoutKey
	number uint32
}

type layoutKey struct {
	index   uint16 // index of the constructor in the block
	name    string
	version int
}

// layout finds the layout of structs of a constructor's version and returns the number for at, or the
// reason why it is not known.
func (n *names) layout(index uint16, version int) (uint32, *span.Problem) {
	l := n.shared
	key := layoutKey{index, n.name(index), version}
	recent := &l.recent[index%fewCtors]
	r := recent.Load()
	if r != nil && r.layoutKey == key {
		return r.number, nil
	}
	l.mu.Lock()
	i, ok := l.index[key]
	l.mu.Unlock()
	if ok {
		if r == nil {
			recent.Store(&numberedLayout{key, i})
		}
		return i, nil
	}
	schema, problem := n.find(key.name, version)
	if problem != nil {
		return 0, problem
	}
	return l.add(layout{key, schema}), nil
}

// add returns the number of a layout, a new one if it has none.
func (l *layouts) add(new layout) uint32 {
	l.mu.Lock()
	defer l.mu.Unlock()
	if i, ok := l.index[new.layoutKey]; ok {
		return i
	}
	var list []layout
	if old := l.list.Load(); old != nil {
		list = *old
	}
	i := uint32(len(list))
	list = append(list, new)
	l.list.Store(&list)
	l.index[new.layoutKey] = i
	return i
}

// at returns the layout with a number that the method layout returned.
func (l *layouts) at(i uint32) *layout { return &(*l.list.Load())[i] }

// isOdd reports whether it is odd that structs of a constructor's version are stored with names: a schema
// says they are not.
func (n *names) isOdd(name string, version int) bool {
	if version == 0 || !n.schemas.any() {
		return false
	}
	schema, err := n.schemas.LookUp(name, version)
	return err == nil && !schema.Verbose
}

// find looks a schema up in the library.
func (n *names) find(name string, version int) (*gml.Schema, *span.Problem) {
	p := &span.Problem{Severity: span.Error, Code: span.MissingSchema}
	shown := tree.Prose([]byte(name))
	switch {
	case name == "":
		p.Message = "a struct whose constructor is named in a part that could not be read"
		return nil, p
	case version == 0:
		p.Message = "version byte 0: neither a version of the schema nor the mark of a verbose struct"
		p.Engine = fmt.Sprintf(`error: No Elephant "v0" schema found for constructor "%s"`, shown)
		return nil, p
	case !n.schemas.any():
		p.Severity = span.Warning
		p.Message = fmt.Sprintf("%s v%d: its schema is missing; --schema or :schema loads it from the game's GML", shown, version)
		return nil, p
	}
	schema, err := n.schemas.LookUp(name, version)
	if err == nil {
		return schema, nil
	}
	p.Message = err.Error()
	p.Engine = fmt.Sprintf(`error: No Elephant "v%d" schema found for constructor "%s"`, version, shown)
	switch reason(err) {
	case gml.NoConstructor:
		p.Engine = fmt.Sprintf(`error: Could not resolve constructor function "%s"`, shown)
		if is := n.near(name); is != "" {
			p.Message += fmt.Sprintf("; is it %q, damaged by one byte?", is)
		}
	case gml.Unreadable: // the game knows which one it uses
		p.Engine = ""
	}
	return nil, p
}

// FindSchema looks up a version of a constructor's schema; the problem says why it is not known.
func (f *Reading) FindSchema(constructor string, version int) (*gml.Schema, *span.Problem) {
	return f.names.find(constructor, version)
}
