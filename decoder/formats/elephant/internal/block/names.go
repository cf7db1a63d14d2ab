package block

import (
	"bytes"
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/elephant/internal/datatype"
)

// names holds what was learnt about a block: which constructors were named where, and the schemas in use.
// Goroutines may share it. Everything before an offset has been read before anything at the offset is; so
// what is known about earlier offsets is complete, and nothing else is asked for.
type names struct {
	schemas Schemas
	shared  *layouts // shared by all copies
	outer   *names   // what a trial reading builds on, but does not change
	before  int64    // offset before which names that outer learnt count

	mu     sync.RWMutex
	ctors  map[uint16]firstUse
	recent [fewCtors]atomic.Pointer[namedCtor] // some of ctors, found without a lock
	top    [2]int                              // the two highest indexes among them, plus 1
	texts  map[int64]int64                     // ends of long strings by their starts
	gap    int64                               // offset of the first struct without a schema, or Unknown
}

// A firstUse is where a constructor was named.
type firstUse struct {
	at   int64 // start of the struct
	name string
	bare bool // struct without a name: it was named in an unreadable part
}

// A namedCtor is a constructor and where it was named.
type namedCtor struct {
	firstUse
	index uint16
}

// fewCtors is the number of constructors and layouts that are found without a lock: more than most games
// have.
const fewCtors = 32

// MaxName is the number of bytes kept of a constructor's name. A constructor with a longer name has no
// schema anyway.
const MaxName = tree.MaxKey

// longText is the length in bytes from which on the end of a string is remembered.
const longText = 64 << 10

func newNames(s Schemas) *names {
	return &names{schemas: s, shared: &layouts{index: map[layoutKey]uint32{}}, gap: tree.Unknown}
}

// fork returns names that know what was learnt before an offset, and keep to themselves what they learn.
func (n *names) fork(before int64) *names {
	return &names{schemas: n.schemas, shared: n.shared, outer: n, before: before, gap: tree.Unknown}
}

// lookUp returns what is known about a constructor that the struct at the given offset
// uses.
func (n *names) lookUp(index uint16, at int64) (firstUse, bool) {
	u, ok := n.ctor(index)
	if ok && u.at <= at {
		return u, true
	}
	if n.outer != nil {
		return n.outer.lookUp(index, min(at, n.before-1))
	}
	return firstUse{}, false
}

// ctor returns where a constructor was named, ignoring outer.
func (n *names) ctor(index uint16) (firstUse, bool) {
	recent := &n.recent[index%fewCtors]
	c := recent.Load()
	if c != nil && c.index == index {
		return c.firstUse, true
	}
	n.mu.RLock()
	defer n.mu.RUnlock()
	u, ok := n.ctors[index]
	if ok && c == nil {
		recent.Store(&namedCtor{u, index})
	}
	return u, ok
}

// use records that the struct at the given offset uses a constructor. It
// reports whether the constructor's name follows at text.
func (n *names) use(w *source.Window, index uint16, at, text, limit int64) (named bool, damage *span.Problem) {
	if u, ok := n.lookUp(index, at); ok {
		return u.at == at && !u.bare, nil
	}
	u := firstUse{at: at}
	end := n.textEnd(w, text, limit)
	if end != tree.Unknown {
		u.name = string(w.View(text, min(end-text, MaxName)))
	}
	switch plausible := tree.IsIdentifier([]byte(u.name)); {
	case n.afterGap(at) && !plausible:
		u = firstUse{at: at, bare: true}
	case end == tree.Unknown:
		p := truncated(text, limit, "the constructor's name has no NUL at its end")
		p.Engine = stringPastEnd
		return false, p
	}
	n.mu.Lock()
	n.note(index, u)
	n.mu.Unlock()
	return !u.bare, nil
}

// note records a first use. The names must be locked.
func (n *names) note(index uint16, u firstUse) {
	if n.ctors == nil {
		n.ctors = map[uint16]firstUse{}
	}
	n.ctors[index] = u
	n.recent[index%fewCtors].Store(nil)
	switch i := int(index) + 1; {
	case i > n.top[0]:
		n.top = [2]int{i, n.top[0]}
	case i > n.top[1] && i < n.top[0]:
		n.top[1] = i
	}
}

// name returns the name of a constructor that use has recorded.
func (n *names) name(index uint16) string {
	u, ok := n.ctor(index)
	if !ok && n.outer != nil {
		return n.outer.name(index)
	}
	return u.name
}

// nextIndex returns the index that a new constructor gets, as far as is known; it ignores the constructor
// apart, which may be new itself.
func (n *names) nextIndex(r *Rules, apart uint16) int {
	next := 0
	if r.CtorTags {
		next = 32
	}
	for ; n != nil; n = n.outer {
		n.mu.RLock()
		top := n.top[0]
		if top == int(apart)+1 {
			top = n.top[1]
		}
		n.mu.RUnlock()
		next = max(next, top)
	}
	return next
}

// fewUsed is the largest number of constructors that are all counted for each new one.
const fewUsed = 512

// usedBefore returns the number of constructors of the structs before an offset; ok is
// false if it is not known.
func (n *names) usedBefore(at int64) (count int, ok bool) {
	if n.outer != nil || n.afterGap(at) {
		return 0, false
	}
	n.mu.RLock()
	defer n.mu.RUnlock()
	if len(n.ctors) > fewUsed {
		return 0, false
	}
	for _, u := range n.ctors {
		if u.at < at {
			count++
		}
	}
	return count, true
}

// noteGap records that the bytes after at could not be read: constructors may be named there.
func (n *names) noteGap(at int64) {
	n.mu.Lock()
	if n.gap == tree.Unknown || at < n.gap {
		n.gap = at
	}
	n.mu.Unlock()
}

func (n *names) afterGap(at int64) bool {
	n.mu.RLock()
	gap := n.gap
	n.mu.RUnlock()
	return gap != tree.Unknown && at > gap || n.outer != nil && n.outer.afterGap(min(at, n.before))
}

// textEnd returns the offset of the NUL that ends the string at off; Unknown if there is none before limit.
func (n *names) textEnd(w *source.Window, off, limit int64) int64 {
	if i := bytes.IndexByte(w.View(off, min(limit-off, shortText)), 0); i >= 0 {
		return off + int64(i)
	}
	return n.longTextEnd(w, off, limit)
}

// shortText is the length in bytes up to which the end of a string is looked for without asking whether it is known. Most are
// shorter: asking for more at once would fetch bytes that nobody reads.
const shortText = 256

// longTextEnd is textEnd for longer strings.
func (n *names) longTextEnd(w *source.Window, off, limit int64) int64 {
	n.mu.RLock()
	end, ok := n.texts[off]
	n.mu.RUnlock()
	if ok && (end < limit || end == tree.Unknown) {
		return end
	}
	if n.outer != nil { // a trial reading may read any bytes: it does not take all of them for a text
		limit = min(limit, off+longText)
	}
	end = tree.Unknown
	for at, ahead := off, int64(shortText); at < limit; ahead *= 2 {
		b := w.View(at, min(limit-at, ahead))
		if len(b) == 0 || w.Err() != nil {
			break
		}
		if i := bytes.IndexByte(b, 0); i >= 0 {
			end = at + int64(i)
			break
		}
		at += int64(len(b))
	}
	if w.Err() == nil && n.outer == nil && (end == tree.Unknown || end-off >= longText) {
		n.mu.Lock()
		n.noteText(off, end)
		n.mu.Unlock()
	}
	return end
}

// noteText records where a long string ends. The names must be locked.
func (n *names) noteText(off, end int64) {
	if n.texts == nil {
		n.texts = map[int64]int64{}
	}
	n.texts[off] = end
}

// knownBefore lists in order the indexes of the constructors named in structs that begin before an offset.
func (n *names) knownBefore(at int64) (all []uint16) {
	if n.outer != nil {
		all = n.outer.knownBefore(min(at, n.before))
	}
	n.mu.RLock()
	defer n.mu.RUnlock()
	for index, u := range n.ctors {
		if u.at < at {
			all = append(all, index)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// TextEnd returns the offset of the NUL that ends the string at off; Unknown if there is none before limit.
func (f *Reading) TextEnd(w *source.Window, off, limit int64) int64 {
	return f.names.textEnd(w, off, limit)
}

// CtorsBefore lists in order the indexes of the constructors named in structs before an offset.
func (f *Reading) CtorsBefore(at int64) []uint16 { return f.names.knownBefore(at) }

// CtorAt returns the name of the constructor with an index; "" if it is not known.
func (f *Reading) CtorAt(index uint16) string { return f.names.name(index) }

// Marks are the places in a block whose bytes depend on other places. Each list is in the order of the
// offsets.
type Marks struct {
	Numbered []int64 // starts of numbered values, after their tags; the index is the number
	Refs     []RefMark
	Ctors    []CtorMark
	Named    map[uint16]CtorMark // uses with a name, by index
	Lost     bool                // part of the block is unreadable and may contain more marks
}

// A RefMark is a reference.
type RefMark struct {
	At   int64 // offset of its number
	To   uint32
	from uint32      // number of numbered values that begin before it
	Kind datatype.ID // datatype by its tag
}

// Leads reports whether the reference has a target.
func (m *RefMark) Leads() bool { return m.To < m.from }

// Leads reports whether the reference v is known to have a target: a value that begins before it.
func Leads(v *tree.Value) bool { return v.Serial != tree.NoSerial && v.Sub < v.Serial }

// LeadsNowhere reports whether the reference v is known to have no target.
func LeadsNowhere(v *tree.Value) bool { return v.Serial != tree.NoSerial && v.Sub >= v.Serial }

// A CtorMark is a use of a constructor.
type CtorMark struct {
	At      int64 // offset after its index, where its name may be
	Size    int64 // length of the name with its NUL; 0 if there is no name
	Index   uint16
	Version byte // schema version of the struct, if the name is there
}

// ScanMarks collects the marks of the whole block.
func ScanMarks(ctx context.Context, f *Reading, t *tree.Tree) (*Marks, error) {
	m := &Marks{Named: map[uint16]CtorMark{}}
	s := tree.New(t.Source, f, t.Region).Scanner()
	err := s.Run(ctx, func(ev tree.Event) bool {
		if ev == tree.Enter || ev == tree.Atom {
			f.mark(s.Window(), s.Value(), m)
		}
		return true
	})
	return m, err
}

// mark records a value that has been read.
func (f *Reading) mark(w *source.Window, v *tree.Value, m *Marks) {
	if v.Damage != nil && v.HasGap() {
		m.Lost = true
	}
	if v.Type != datatype.Array && v.Type != datatype.Struct || v.Damage != nil && v.Layout == tree.Leaf {
		return
	}
	at := f.TagsEnd(w, v)
	switch {
	case v.Refers:
		m.Refs = append(m.Refs, RefMark{at + 2, v.Sub, uint32(len(m.Numbered)), v.Type})
		return
	case v.Numbered:
		m.Numbered = append(m.Numbered, at)
	}
	if v.Flags&Constructed == 0 {
		return
	}
	c := CtorMark{At: f.NameAt(w, v), Index: f.CtorIndex(v)}
	if v.Flags&Named != 0 {
		end := f.VersionAt(w, v)
		c.Size, c.Version = end-c.At, w.Byte(end)
		m.Named[c.Index] = c
	}
	m.Ctors = append(m.Ctors, c)
}
