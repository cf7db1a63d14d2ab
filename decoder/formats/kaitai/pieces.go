package kaitai

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"varview/decoder/engine/tree"
	"varview/decoder/formats/kaitai/expr"
	"varview/decoder/formats/kaitai/read"
	"varview/decoder/formats/kaitai/spec"
)

// A trail leads to a value: to an attribute of the value at the end of another trail, or to an element.
type trail struct {
	up   *trail // nil for the value from which it leads
	attr *spec.Attr
	elem int64 // -1 for no element
}

// follow returns the struct at the end of a trail.
func (t *trail) follow(from *read.Struct) *read.Struct {
	if t.up == nil {
		return from
	}
	c := t.up.follow(from).Of(t.attr)
	if a, ok := c.Val.Ref.(*read.Array); ok {
		e := a.Cell(t.elem)
		c = &e
	}
	s, _ := c.Val.Ref.(*read.Struct)
	return s
}

func (t *trail) path() string {
	switch {
	case t.up == nil:
		return ""
	case t.elem < 0:
		return t.up.path() + "." + t.attr.ID
	}
	return t.up.path() + "." + t.attr.ID + string(tree.AppendIndexStep(nil, t.elem))
}

// A piece is an instance that lies in bytes that no attribute reads.
type piece struct {
	owner       trail
	attr        *spec.Attr
	from, to    int64
	first, last int32 // numbers of the first and last struct in it
}

// The pieces in the bytes of a struct, in order.
type pieces struct {
	all  []piece
	base *read.Struct // struct from which their trails lead
	in   trail        // trail from there to the struct
}

// steps returns the steps to a piece from the struct in whose bytes it lies.
func (p *pieces) steps(x *piece) string {
	path := x.owner.path() + "." + x.attr.ID
	if rest, ok := strings.CutPrefix(path, p.in.path()); ok {
		return rest
	}
	return string(append(tree.AppendQuoted([]byte{'['}, []byte("$"+path)), ']'))
}

// has reports whether an instance of the struct in whose bytes they lie is among them.
func (p *pieces) has(a *spec.Attr) bool {
	return slices.ContainsFunc(p.all, func(x piece) bool { return x.attr == a && x.owner == p.in })
}

// The largest numbers of values that are looked at to find instances.
const (
	maxPlaced = 16 << 20
	maxLed    = 1 << 16 // to make what they lead to children
)

// A survey is what is known of the instances of a file.
type survey struct {
	found  int
	gaps   map[int64]*pieces // what lies in gaps, by their start
	inGaps map[extent]bool   // the instances among them; others lie in bytes that something else reads
	first  map[place]origin  // where an instance leads to a value that no earlier one leads to; nil if isCut
	isCut  bool              // there are more values than are looked at for first
}

// An extent is where an instance lies in the file.
type extent struct {
	attr     *spec.Attr
	from, to int64
}

// An origin is an instance in a struct.
type origin struct {
	of    place
	index int64 // which element the struct is
	attr  *spec.Attr
}

// A placer finds where instances lie.
type placer struct {
	only    *read.Stream // stream in which it looks; nil for all of the file
	gaps    []gap
	found   []piece
	first   map[place]origin
	visits  int32
	most    int32
	leading map[*spec.Type]bool // whether there may be instances in values of a type

	isGapless bool // where gaps are does not matter
}

// A gap is bytes that no attribute reads, at the end of a value.
type gap struct {
	from, to int64
	of       trail
	visit    int32
}

// A place is what a value is read as, and where.
type place struct {
	t     *spec.Type // of a struct
	list  *spec.Attr // of a list
	start int64
	base  int64
	end   int64
	in    string // offsets of what is unpacked around it
	args  string
}

func placeOf(s *read.Struct) place {
	at := place{t: s.Type, start: s.Start, base: s.IO.Base, end: s.IO.End, in: layersOf(s.IO.Buf)}
	for _, v := range s.Params() {
		at.args += strings.Join(spell(v), "") + ","
	}
	return at
}

// placeOfCell returns the place of a struct or a list.
func placeOfCell(c *read.Cell, a *spec.Attr) place {
	if s, ok := c.Val.Ref.(*read.Struct); ok {
		return placeOf(s)
	}
	return place{list: a, start: c.Start, in: layersOf(c.Buf)}
}

// layersOf returns the offsets at which processes have found what is unpacked in a buffer; "" for the file.
func layersOf(b *read.Buffer) string {
	if b.IsFile() {
		return ""
	}
	outer, at := b.Outer()
	return layersOf(outer) + strconv.FormatInt(at.Offset, 10) + ","
}

func originOf(s *read.Struct, a *spec.Attr) origin { return origin{placeOf(s), s.In.Index, a} }

// survey looks for the instances in the stream of a struct, or in all of the file if they may lie in other streams than their
// own. Those in gaps are only wanted isWhole.
func (r *reading) survey(of *read.Struct, isWhole bool) *survey {
	from, p := r.doc.Root, newPlacer()
	if !r.streams.areMixed {
		for from = of; !from.Owns && from.In.Of != nil; from = from.In.Of {
		}
		p.only = from.IO
	}
	if r.surveyed == from && !(isWhole && r.last.gaps == nil) {
		return r.last
	}
	if !isWhole {
		p.most = maxLed
	}
	p.visit(from, trail{}, true)
	x := &survey{found: len(p.found), first: p.first}
	if x.isCut = p.visits > maxLed; x.isCut {
		x.first = nil
	}
	if isWhole || !x.isCut {
		x.gaps, x.inGaps = p.place(from)
	}
	r.last, r.surveyed = x, from
	return x
}

func newPlacer() placer {
	return placer{first: map[place]origin{}, leading: map[*spec.Type]bool{}, found: []piece{}, most: maxPlaced}
}

// instances returns all instances in the file.
func (r *reading) instances() []piece {
	if r.all == nil {
		p := newPlacer()
		p.isGapless = true
		p.visit(r.doc.Root, trail{}, true)
		r.all = p.found
	}
	return r.all
}

// piecesIn returns the instances in the bytes of s that its attributes do not read.
func (r *reading) piecesIn(s *read.Struct) *pieces {
	if s.End >= s.IO.End || !r.streams.hasInstances {
		return &pieces{}
	}
	return cmp.Or(r.survey(s, true).gaps[s.End], &pieces{})
}

// isFirst reports whether a node that only leads to a value with children is where these belong: the value lies in no gap, and
// no earlier instance leads to it.
func (r *reading) isFirst(n *node) bool {
	if n.isAlias() || n.index >= 0 {
		return !n.isAlias()
	}
	from, ok := r.survey(n.owner, false).first[placeOfCell(n.cell, n.attr)]
	return ok && from == originOf(n.owner, n.attr) && !r.isInGap(n)
}

// isInGap reports whether a node only leads to an instance that is a child of the value in whose gap it lies.
func (r *reading) isInGap(n *node) bool {
	c := n.cell
	return n.kind == instance && !n.inFile && n.steps == "" && c.Buf != nil && c.Buf.IsFile() && r.survey(n.owner, false).inGaps[extent{n.attr, c.Start, c.End}]
}

// visit notes the gaps and the instances of a struct and of all in it.
func (p *placer) visit(s *read.Struct, t trail, isInFile bool) {
	if p.visits++; p.visits > p.most || p.only != nil && s.IO != p.only {
		return
	}
	s.Ensure()
	if at := placeOf(s); len(s.Type.Instances) > 0 && p.first[at].attr == nil {
		p.first[at] = origin{} // no instance leads to it first
	}
	isInFile = isInFile && s.IO.Buf.IsFile()
	if isInFile && s.Owns && s.End < s.IO.End {
		p.gaps = append(p.gaps, gap{s.End, s.IO.End, t, p.visits})
	}
	for i := range s.Cells {
		p.inside(&s.Cells[i], &t, s.Type.Seq[i], isInFile)
	}
	for i, a := range s.Type.Instances {
		if a.Value != nil {
			continue
		}
		c := s.Instance(i)
		if c.Bad != nil || c.Type == nil || c.State == read.Absent {
			continue
		}
		at := len(p.found)
		isPiece := isInFile && c.Buf.IsFile() && c.End > c.Start
		if isPiece {
			p.found = append(p.found, piece{t, a, c.Start, c.End, p.visits, p.visits})
		}
		if p.isNew(s, c, a) {
			p.inside(c, &t, a, isInFile)
		}
		if isPiece {
			p.found[at].last = p.visits
		}
	}
}

// isNew reports whether an instance is the first that leads to a struct or a list.
func (p *placer) isNew(s *read.Struct, c *read.Cell, a *spec.Attr) bool {
	if c.Val.Kind != expr.Struct && c.Val.Kind != expr.List {
		return false
	}
	at := placeOfCell(c, a)
	_, isSeen := p.first[at]
	if !isSeen {
		p.first[at] = originOf(s, a)
	}
	return !isSeen
}

// inside visits what is in an attribute.
func (p *placer) inside(c *read.Cell, up *trail, a *spec.Attr, isInFile bool) {
	switch x := c.Val.Ref.(type) {
	case *read.Struct:
		p.visit(x, trail{up, a, -1}, isInFile)
	case *read.Array:
		if a.Type.User == nil && a.Switch == nil || p.only != nil && a.IsSized() || (p.only != nil || p.isGapless) && !p.leads(a) {
			return
		}
		for i := range x.Len() {
			if p.visits > p.most {
				return
			}
			e := x.Cell(i)
			if s, ok := e.Val.Ref.(*read.Struct); ok {
				p.visit(s, trail{up, a, i}, isInFile)
			}
		}
	}
}

// leads reports whether there may be instances in the values of an attribute.
func (p *placer) leads(a *spec.Attr) bool {
	return slices.ContainsFunc(a.Types(), func(r *spec.TypeRef) bool {
		leads, isKnown := p.leading[r.User]
		if !isKnown {
			leads = streamsOf(r.User, map[*spec.Type]bool{}).hasInstances
			p.leading[r.User] = leads
		}
		return leads
	})
}

// place puts each instance into the gap in which it lies, unless another one is there.
func (p *placer) place(base *read.Struct) (placed map[int64]*pieces, inGaps map[extent]bool) {
	slices.SortStableFunc(p.gaps, func(a, b gap) int { return cmp.Compare(a.from, b.from) })
	slices.SortStableFunc(p.found, func(a, b piece) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to)) })
	placed, inGaps = map[int64]*pieces{}, map[extent]bool{}
	for _, x := range p.found {
		g, ok := p.gapOf(&x)
		if !ok {
			continue
		}
		in := placed[g.from]
		if in == nil {
			in = &pieces{base: base, in: g.of}
			placed[g.from] = in
		}
		if n := len(in.all); x.from >= g.from && (n == 0 || x.from >= in.all[n-1].to) {
			in.all = append(in.all, x)
			inGaps[extent{x.attr, x.from, x.to}] = true
		}
	}
	return placed, inGaps
}

// gapOf returns the innermost gap in which an instance lies that is not its own.
func (p *placer) gapOf(x *piece) (found gap, ok bool) {
	at, _ := slices.BinarySearchFunc(p.gaps, x.from+1, func(g gap, at int64) int { return cmp.Compare(g.from, at) })
	for i := at - 1; i >= 0 && at-i <= 64; i-- {
		g := p.gaps[i]
		if x.to <= g.to && (g.visit <= x.first || g.visit > x.last) && (!ok || g.to-g.from < found.to-found.from) {
			found, ok = g, true
		}
	}
	return found, ok
}

// streams are where the instances of a type and of what is in it lie.
type streams struct {
	hasInstances bool // there are any
	haveOwn      bool // some are in values with their own stream
	areMixed     bool // whether some lie in other streams, or among the bytes of values with their own stream
}

func streamsOf(t *spec.Type, seen map[*spec.Type]bool) (x streams) {
	var sized []*spec.Type
	inStream := map[*spec.Type]bool{nil: true}
	var walk func(t *spec.Type)
	walk = func(t *spec.Type) {
		if inStream[t] {
			return
		}
		inStream[t] = true
		for _, a := range append(slices.Clip(t.Seq), t.Instances...) {
			x.hasInstances = x.hasInstances || a.IsInstance && a.Value == nil
			x.areMixed = x.areMixed || a.IO != nil
			for _, r := range a.Types() {
				if a.IsSized() && r.User != nil {
					sized = append(sized, r.User)
				} else {
					walk(r.User)
				}
			}
		}
	}
	walk(t)
	x.areMixed = x.areMixed || x.hasInstances && sized != nil
	for _, t := range sized {
		if !seen[t] {
			seen[t] = true
			in := streamsOf(t, seen)
			x = streams{x.hasInstances || in.hasInstances, x.haveOwn || in.hasInstances, x.areMixed || in.areMixed}
		}
	}
	return x
}
