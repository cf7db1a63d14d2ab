package model

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"varview/decoder/engine/tree"
	"varview/decoder/guess"
	"varview/model/compare"
)

// Earlier is what the values of a file were in the saves before the one that is open, since it was first opened.
type Earlier struct {
	Saves int       // number of saves that were opened after it
	Last  time.Time // when the last of them was
	New   int       // number of values that this one has changed

	values map[string]earlier
	steps  map[string]bool // last steps of these paths
	inside map[string]int  // how many of them are in a value
}

// earlier is what a value was.
type earlier struct {
	was  []string // literals, oldest first
	last time.Time
}

const (
	maxEarlierSize = 64 << 20 // size of a file whose saves are compared
	maxEarlier     = 5000     // values that are remembered
	maxEarlierEach = 3        // literals of each
	earlierLiteral = 60       // bytes of a literal
)

// Of returns the literals that the value at a path had before, oldest first, and when it has changed last; ok is false
// if it has not.
func (e *Earlier) Of(r *tree.Reader, n *tree.Node) (was []string, last time.Time, ok bool) {
	if e == nil || !e.steps[r.Step(n)] {
		return nil, last, false
	}
	x, ok := e.values[r.Path(n)]
	return x.was, x.last, ok
}

// In returns how many of the values in another one have changed.
func (e *Earlier) In(r *tree.Reader, n *tree.Node) int {
	if e == nil || len(e.inside) == 0 {
		return 0
	}
	return e.inside[r.Path(n)]
}

// paths returns the paths of the values that have changed.
func (e *Earlier) paths() []string {
	if e == nil {
		return nil
	}
	return slices.Collect(maps.Keys(e.values))
}

// A Previous is what a value was before a save.
type Previous struct {
	Path string
	Was  string // its literal; "" if there was none
}

// follows notes which values of the last save the document, which was opened since, has changed.
func (d *Document) follows(ctx context.Context, last *Document) {
	d.Earlier = last.Earlier
	if d.Earlier != nil {
		e := *d.Earlier
		e.New, d.Earlier = 0, &e
	}
	if max(d.Size(), last.Size()) > maxEarlierSize || d.Dialect != last.Dialect {
		return
	}
	done, err := last.Use()
	if err != nil {
		return
	}
	defer done()
	switch {
	case d.IsForeign() && last.IsForeign():
		d.keep(last)
	case last.Missing == nil && d.Missing == nil:
		d.noteChanged(ctx, last)
	}
}

// noteChanged notes the values that differ from those of the last save.
func (d *Document) noteChanged(ctx context.Context, last *Document) {
	from, to := last.Innermost().Saved(), d.Tree
	a, b := from.NewReader(), to.NewReader()
	changes, _, err := compare.First(ctx, from, to, compare.Options{Alike: d.ReadsAs(last.Document), SameDialect: true}, maxEarlier)
	if err != nil {
		return
	}
	var all []Previous
	for _, c := range changes {
		if c.Note || c.B == nil || c.Kind != compare.Changed && c.Kind != compare.Added {
			continue
		}
		x := Previous{Path: b.Path(c.B)}
		if c.A != nil {
			x.Was = string(a.AppendLiteral(nil, &c.A.Value, earlierLiteral))
		}
		all = append(all, x)
	}
	d.Note(all)
}

// keep keeps the bytes of the last save of a file without values, unless its bytes are the same, for Before.
func (d *Document) keep(last *Document) {
	d.before = last.before
	const most = maxEarlierSize / maxEarlierEach
	if d.Size() > most {
		return
	}
	now, err := readAll(d.Buffers[0].Tree().Source)
	if err != nil {
		return
	}
	was, err := last.ToGuess(most)
	if err == nil && was != nil && !bytes.Equal(was[0].Data, now) {
		d.before = append([]guess.File{was}, d.before...)
		d.before = d.before[:min(len(d.before), maxEarlierEach)]
	}
}

// Before returns the saves before this one that were opened, the last first, of a file without values.
func (d *Document) Before() []guess.File { return d.before }

// Note notes what values were before the save that the document was opened from, unless that is known already.
func (d *Document) Note(all []Previous) {
	if len(all) == 0 || d.Earlier != nil && d.Earlier.New > 0 {
		return
	}
	e := &Earlier{Last: time.Now(), Saves: 1, values: map[string]earlier{}, steps: map[string]bool{}, inside: map[string]int{}}
	if b := d.Earlier; b != nil {
		e.Saves, e.values, e.steps, e.inside = b.Saves+1, maps.Clone(b.values), maps.Clone(b.steps), maps.Clone(b.inside)
	}
	r := d.Tree.NewReader()
	for _, x := range all {
		n, err := r.Resolve(x.Path)
		if err != nil || len(e.values) >= maxEarlier {
			continue
		}
		v, known := e.values[x.Path]
		for in := n.Parent; !known && in != nil && in.Depth > 0; in = in.Parent {
			e.inside[r.Path(in)]++
		}
		if v.last = e.Last; x.Was != "" {
			v.was = append(slices.Clip(v.was), x.Was)
			v.was = v.was[max(0, len(v.was)-maxEarlierEach):]
		}
		e.values[x.Path], e.steps[r.Step(n)] = v, true
		e.New++
	}
	d.Earlier = e
}

// isChanged and WasBefore say which values a filter is about: those that saves or edits have changed, and those that were
// something in a save before, which follows.
const (
	isChanged = "changed"
	WasBefore = "was:"
)

// CutWithin splits what is typed for a filter into what says which values it is about, "" for all, and a query. Of several
// numbers after WasBefore all but the last are what a value was, one save after the other.
func CutWithin(typed string) (within, query string) {
	word, rest, _ := strings.Cut(strings.TrimLeft(typed, " "), " ")
	if word != isChanged && (!strings.HasPrefix(word, WasBefore) || word == WasBefore) {
		return "", typed
	}
	rest = strings.TrimSpace(rest)
	for next, more, isMore := strings.Cut(rest, " "); word != isChanged && isMore; next, more, isMore = strings.Cut(rest, " ") {
		if _, err := strconv.ParseFloat(next, 64); err != nil {
			break
		}
		word, rest = word+" "+next, strings.TrimSpace(more)
	}
	return word, rest
}

// were reports whether the literals of a value, oldest first, have others one after the other among them. Texts need no quotes.
func were(literals, wanted []string) bool {
	for ; len(literals) >= len(wanted); literals = literals[1:] {
		if slices.EqualFunc(literals[:len(wanted)], wanted, func(was, want string) bool { return was == want || was == `"`+want+`"` }) {
			return true
		}
	}
	return false
}

// Within returns the values of which CutWithin says that a filter is about them, in the order of their bytes.
func (b *Buffer) Within(within string) (nodes []*tree.Node) {
	read := b.Tree().NewReader()
	e, was := b.doc.Earlier, strings.TrimPrefix(within, WasBefore)
	if b != b.doc.Innermost() {
		e = nil
	}
	for _, path := range e.paths() {
		n, err := read.Resolve(path)
		if err != nil {
			continue
		}
		old := e.values[path].was
		if within == isChanged || were(old, strings.Fields(was)) {
			nodes = append(nodes, n)
		}
	}
	if within == isChanged {
		for i, s := range b.AppendChanges(nil, 0, b.Size()) {
			if n, err := read.At(s.Offset); err == nil && n.Depth > 0 && i < maxEarlier {
				nodes = append(nodes, n)
			}
		}
	}
	slices.SortFunc(nodes, func(a, b *tree.Node) int { return cmp.Or(cmp.Compare(a.Start, b.Start), a.Depth-b.Depth) })
	return slices.CompactFunc(nodes, (*tree.Node).Same)
}
