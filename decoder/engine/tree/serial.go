package tree

// maxSerial is the number of values for which references are noted, one bit each.
const maxSerial = 1 << 16

// maxReferences bounds the memory for references in an index (16 MB). References beyond
// that still lead to their target, but are not listed.
const maxReferences = 1 << 20

// refer records references, which are in order. A scanner that began before the last point meets some of
// them again.
func (x *pointIndex) refer(refs ...reference) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for n := len(x.refs); n > 0 && len(refs) > 0 && refs[0].At <= x.refs[n-1].At; {
		refs = refs[1:]
	}
	for _, r := range refs {
		x.noteReferred(r)
	}
	x.refs = append(x.refs, refs[:min(len(refs), maxReferences-len(x.refs))]...)
}

func (x *pointIndex) noteReferred(r reference) {
	if r.To >= maxSerial {
		return
	}
	if x.referred == nil {
		x.referred = new([maxSerial / 64]uint64)
	}
	x.referred[r.To/64] |= 1 << (r.To % 64)
}

// Referrers returns the offsets of at most limit references to the value with the given number that have
// been passed so far, in order; all is their total number.
func (t *Tree) Referrers(serial uint32, limit int) (at []int64, all int) {
	x := &t.index
	x.mu.RLock()
	defer x.mu.RUnlock()
	for _, r := range x.refs {
		if r.To == serial {
			if all++; len(at) < limit {
				at = append(at, r.At)
			}
		}
	}
	return at, all
}

// IsReferred reports whether a reference to the value with the given number has been
// passed.
func (t *Tree) IsReferred(serial uint32) bool {
	x := &t.index
	x.mu.RLock()
	defer x.mu.RUnlock()
	return serial < maxSerial && x.referred != nil && x.referred[serial/64]>>(serial%64)&1 != 0
}

// HasReferences reports whether any reference has been passed.
func (t *Tree) HasReferences() bool {
	t.index.mu.RLock()
	defer t.index.mu.RUnlock()
	return len(t.index.refs) > 0
}

// Numbered returns the value with the given number. The error is ErrNoChild if there is none, or
// ErrPending.
func (r *Reader) Numbered(serial uint32) (*Node, error) {
	s := r.Scan(r.Tree.Base)
	p, ok := r.Tree.placeBefore(func(p *point) bool { return p.serial <= serial })
	if ok {
		if n := p.open(serial); n != nil {
			return n, nil
		}
		s.resume(&p)
	}
	for used := r.budget(s); ; {
		ev := s.Next()
		if ev == Done {
			return nil, ErrNoChild
		}
		if v := &s.value; v.Numbered && v.Serial == serial && (ev == Enter || ev == Atom) {
			return s.Current(ev), nil
		}
		if s.serial > serial {
			return nil, ErrNoChild
		}
		if used(ev) {
			return nil, ErrPending
		}
	}
}

// open returns the value with the given number if the point is inside it; otherwise nil.
func (p *point) open(serial uint32) *Node {
	n := p.in
	for n != nil && n.Serial > serial {
		n = n.Parent
	}
	if n != nil && n.Numbered && n.Serial == serial {
		return n
	}
	return nil
}
