package kaitai

import (
	"cmp"
	"slices"
	"strings"

	"varview/decoder/kaitai/read"
	"varview/decoder/kaitai/spec"
	"varview/decoder/tree"
)

// A piece is an instance that lies in bytes that no attribute reads.
type piece struct {
	owner *read.Struct
	attr  *spec.Attr
	slot  int
	index int64 // -1
	cell  read.Cell
	steps string // from the value in whose bytes it lies
}

// maxPlaced bounds the values that are looked at to find instances.
const maxPlaced = 4 << 20

// A placer finds where instances lie.
type placer struct {
	r     *reading
	gaps  []gap
	found []*piece
	paths []string // of found, from the whole
	seen  map[place]bool
	left  int
}

// A gap is bytes that no attribute reads, at the end of a value.
type gap struct {
	from, to int64
	path     string // of the value
}

// A place is a type and where a value of it is.
type place struct {
	t     *spec.Type
	buf   *read.Buffer
	start int64
	base  int64
	end   int64
}

func placeOf(s *read.Struct) place {
	return place{s.Type, s.IO.Buf, s.Start, s.IO.Base, s.IO.End}
}

// piecesIn returns the instances in the bytes of s that its attributes do not read, in order.
func (r *reading) piecesIn(s *read.Struct) []*piece {
	if r.pieces == nil {
		r.pieces = map[int64][]*piece{}
		if r.isScattered {
			p := placer{r: r, seen: map[place]bool{}, left: maxPlaced}
			p.visit(r.doc.Root, "$", true)
			p.place()
		}
	}
	return r.pieces[s.End]
}

// hasPlaced reports whether values of a type may have instances with bytes.
func hasPlaced(t *spec.Type, seen map[*spec.Type]bool) bool {
	if t == nil || seen[t] {
		return false
	}
	seen[t] = true
	for _, a := range t.Instances {
		if a.Value == nil {
			return true
		}
	}
	for _, a := range t.Seq {
		if slices.ContainsFunc(a.Types(), func(r *spec.TypeRef) bool { return hasPlaced(r.User, seen) }) {
			return true
		}
	}
	return false
}

// visit notes the gaps and the instances of a struct and of all in it.
func (p *placer) visit(s *read.Struct, path string, isInFile bool) {
	at := placeOf(s)
	if p.left--; p.left < 0 || p.seen[at] {
		return
	}
	if len(s.Type.Instances) > 0 || !isInFile {
		p.seen[at] = true
	}
	s.Ensure()
	isInFile = isInFile && s.IO.Buf.IsFile()
	if isInFile && s.Owns && s.End < s.IO.End {
		p.gaps = append(p.gaps, gap{s.End, s.IO.End, path})
	}
	for i := range s.Cells {
		p.inside(&s.Cells[i], path+"."+s.Type.Seq[i].ID, isInFile)
	}
	for i, a := range s.Type.Instances {
		if a.Value != nil {
			continue
		}
		c := s.Instance(i)
		if c.Bad != nil || c.Type == nil || c.State == read.Absent {
			continue
		}
		to := path + "." + a.ID
		if isInFile && c.Buf.IsFile() && c.End > c.Start {
			p.found = append(p.found, &piece{owner: s, attr: a, slot: i, index: -1, cell: *c})
			p.paths = append(p.paths, to)
		}
		p.inside(c, to, isInFile)
	}
}

func (p *placer) inside(c *read.Cell, path string, isInFile bool) {
	switch x := c.Val.Ref.(type) {
	case *read.Struct:
		p.visit(x, path, isInFile)
	case *read.Array:
		if x.Attr.Type.User == nil && x.Attr.Switch == nil {
			return
		}
		for i := range x.Len() {
			if p.left < 0 {
				return
			}
			e := x.Cell(i)
			p.inside(&e, path+string(tree.AppendIndexStep(nil, i)), isInFile)
		}
	}
}

// place puts each instance into the gap in which it lies, unless another one is there.
func (p *placer) place() {
	slices.SortStableFunc(p.gaps, func(a, b gap) int { return cmp.Compare(a.from, b.from) })
	order := make([]int, len(p.found))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := &p.found[i].cell, &p.found[j].cell
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End))
	})
	ends := map[int64]int64{} // of what was placed in a gap
	for _, i := range order {
		x := p.found[i]
		g, ok := p.gapOf(x, p.paths[i])
		if !ok || x.cell.Start < max(g.from, ends[g.from]) {
			continue
		}
		ends[g.from] = x.cell.End
		if x.steps, ok = strings.CutPrefix(p.paths[i], g.path); !ok {
			x.steps = string(append(tree.AppendQuoted([]byte{'['}, []byte(p.paths[i])), ']'))
		}
		p.r.pieces[g.from] = append(p.r.pieces[g.from], x)
	}
}

// gapOf returns the innermost gap in which an instance lies that is not its own.
func (p *placer) gapOf(x *piece, path string) (found gap, ok bool) {
	at, _ := slices.BinarySearchFunc(p.gaps, x.cell.Start+1, func(g gap, at int64) int { return cmp.Compare(g.from, at) })
	for i := at - 1; i >= 0 && at-i <= 64; i-- {
		g := p.gaps[i]
		if x.cell.End <= g.to && !strings.HasPrefix(g.path, path) && (!ok || g.to-g.from < found.to-found.from) {
			found, ok = g, true
		}
	}
	return found, ok
}
