package block

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"varview/decoder/elephant/gml"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// layouts are the schemas in use, numbered for the values that need them.
type layouts struct {
	mu      sync.Mutex
	list    atomic.Pointer[[]layout] // only appended to
	index   map[layoutKey]uint32
	nearby  map[string]string           // what near has found
	uses    atomic.Pointer[[]*knownUse] // the known uses by the constructor's index; replaced, never changed
	numUses int
}

// clone returns layouts with the same numbers, without what depends on where constructors
// are named.
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

// A knownUse is how the structs of a constructor with one schema version are laid out.
type knownUse struct {
	version int
	from    int64 // where the constructor is named; it is known after that
	number  uint32
	*layout           // with that number
	next    *knownUse // of another version
}

// Uses are known for the first maxUsed indexes, at most maxUses of them: their list is
// copied for each new one. A game has a few dozen; others are looked up each time.
const (
	maxUsed = 1024
	maxUses = 1024
)

// A layout is how a constructor's structs of one version are laid out in the block.
type layout struct {
	layoutKey
	schema *gml.Schema
}

type layoutKey struct {
	index   uint16 // of the constructor in the block
	name    string
	version int
}

// layout finds how structs of a constructor's version are laid out and returns the number
// with which at returns it, or the reason why it is not known.
func (n *names) layout(index uint16, version int) (uint32, *span.Problem) {
	l := n.shared
	key := layoutKey{index, n.name(index), version}
	l.mu.Lock()
	i, ok := l.index[key]
	l.mu.Unlock()
	if ok {
		return i, nil
	}
	schema, problem := n.find(key.name, version)
	if problem != nil {
		return 0, problem
	}
	return l.add(layout{key, schema}), nil
}

// add gives a layout a number, unless it has one.
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

// at returns the layout with a number that layout has returned.
func (l *layouts) at(i uint32) *layout { return &(*l.list.Load())[i] }

// known finds how a struct at the given offset is laid out by a version of its schema. It
// returns nil unless its constructor has been named before and no schema is missing.
func (f *Reading) known(index uint16, version int, at int64) *knownUse {
	n, l := f.names, f.names.shared
	if k := l.use(index, version); k != nil {
		if k.from < at {
			return k
		}
		return nil
	}
	u, ok := n.lookUp(index, at)
	if !ok || u.at == at || u.bare || n.outer != nil {
		return nil
	}
	i, problem := n.layout(index, version)
	if problem != nil {
		return nil
	}
	k := &knownUse{version: version, from: u.at, number: i, layout: l.at(i)}
	l.remember(index, k)
	return k
}

// use returns a known use, nil if it is not known.
func (l *layouts) use(index uint16, version int) *knownUse {
	uses := l.uses.Load()
	if uses == nil || int(index) >= len(*uses) {
		return nil
	}
	k := (*uses)[index]
	for k != nil && k.version != version {
		k = k.next
	}
	return k
}

// remember adds a known use, unless there are too many.
func (l *layouts) remember(index uint16, k *knownUse) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if int(index) >= maxUsed || l.numUses == maxUses || l.use(index, k.version) != nil {
		return
	}
	var uses []*knownUse
	if old := l.uses.Load(); old != nil {
		uses = slices.Clone(*old)
	}
	for len(uses) <= int(index) {
		uses = append(uses, nil)
	}
	k.next = uses[index]
	uses[index] = k
	l.numUses++
	l.uses.Store(&uses)
}

// isOdd reports whether structs of a constructor's version should not be stored with names,
// if a schema says so.
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
	case gml.Contradiction, gml.Unreadable: // the game knows which one it uses
		p.Engine = ""
	}
	return nil, p
}

// FindSchema looks up a version of a constructor's schema; the problem says why it is not
// known.
func (f *Reading) FindSchema(constructor string, version int) (*gml.Schema, *span.Problem) {
	return f.names.find(constructor, version)
}
