package change

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"varview/decoder/engine/span"
	"varview/decoder/formats/kaitai/expr"
	"varview/decoder/formats/kaitai/read"
	"varview/decoder/formats/kaitai/spec"
	"varview/decoder/value/charset"
)

// A replacement is an edit: it replaces bytes.
type replacement struct {
	at   read.Place // value before the edit: an array for a change of its elements
	buf  *read.Buffer
	span span.Span
	new  []byte
	mid  int64          // between two parts of the span that change places; 0 for others
	want *expr.Value    // value that is set; nil for another edit
	also []*replacement // numbers that are set with it, on which nothing depends

	isSaid  bool // the number that decides the size of the text is that of its own bytes
	isWhole bool // nothing in the value is what it was

	apart  bool      // the new bytes are those of an instance, between others
	beside span.Span // behind which they are; empty for none
	drops  bool      // the instance loses its bytes, and nothing else may read them
	around int       // the number of steps to the instance that lead to the stream in which these are

	grows int64    // elements by which the array grows
	move  *move    // of an element of it; nil for none
	added int64    // index of the first element that it adds
	sizes []int64  // of the elements that it adds, in bytes
	copy  *copying // an element that is there twice after the edit; nil for none
}

// A move is where an element of an array is taken from and where it is put, each an index with which all others are there, or nowhere.
type move struct{ from, to int64 }

const nowhere = -1

// index returns where an element of the array is after the edit.
func (e *replacement) index(i int64) int64 {
	switch m := e.move; {
	case m == nil:
	case i == m.from:
		return m.to
	default:
		if m.from != nowhere && i > m.from {
			i--
		}
		if m.to != nowhere && i >= m.to {
			i++
		}
	}
	return i
}

// A settling makes what depends on an edit follow it: sizes, counts, offsets and values that are kept. The file is
// read again after each step, and whatever does not read as it is meant to is turned round: the field that decides
// it is set. Once all is as it is meant to be, nothing but the edit has changed its meaning.
type settling struct {
	file *File
	edit *replacement
	path []read.Place
	on   []onPath
	layers
	bufs    map[string]*read.Buffer // before the edit
	decided map[string]decision     // by place
	flipped map[string]int64        // sizes of attributes that have come, gone, or have another type, by their steps
	twins   []twin
	beside  error // asks about a list that has as many elements; nil for none
	rounds  int
}

// copying is an element before the edit, and the index of its copy.
type copying struct{ of, at int64 }

// onPath is where a value is that the edit changes something in.
type onPath struct {
	key string
	at  span.Span
}

// A decision is the value that a field was given, what asked for that, and the value before the edit.
type decision struct {
	want expr.Value
	by   need
	was  expr.Value
}

// A need is an expression that must have a value, so that an attribute is read as it is meant to be.
type need struct {
	at   read.Place // after the edit
	n    expr.Node
	from int64 // where the attribute begins
	want int64
	what string // "size"
	id   string
}

func (n *need) String() string {
	if n.at.Attr == nil {
		return "the edit itself"
	}
	return fmt.Sprintf("the %s of %s (%v)", n.what, n.at.Attr.ID, n.at.Attr.Place)
}

// maxRounds bounds how often the file is read again for one edit.
const maxRounds = 200

func (f *File) settle(e *replacement) error {
	f.depends, f.last = true, e
	s := &settling{file: f, edit: e, path: e.at.Steps(), layers: layers{}, bufs: map[string]*read.Buffer{}, decided: map[string]decision{}, flipped: map[string]int64{}}
	if e.at.Attr == nil { // nothing is edited
		s.path = nil
	}
	for i, p := range s.path {
		if c := p.Cell(); c.End > c.Start && !(e.apart && i == len(s.path)-1) {
			s.on = append(s.on, onPath{keyOf(c.Buf), span.Between(c.Start, c.End)})
		}
	}
	if s.layers.of(e.buf); s.path != nil {
		s.layers.make(e)
		if s.findTwins(); s.beside != nil {
			return s.beside
		}
	}
	f.twins = s.twins
	for key, l := range s.layers {
		s.bufs[key] = l.buf
	}
	if e.want != nil {
		c := e.at.Cell()
		s.decided[keyAt(keyOf(c.Buf), c.Start, c.Bit, e.at.Attr)] = decision{want: *e.want}
	}
	s.sizeFirst()
	for range maxRounds {
		src, splices, err := s.made(f.src)
		if err != nil {
			return err
		}
		doc := f.read(src, f.reading(), splices)
		isSettled, err := s.step(doc)
		if err != nil {
			return err
		}
		if isSettled {
			f.src, f.doc = src, doc
			return nil
		}
	}
	return errors.New("sizes and positions depend on each other in a circle")
}

// sizeFirst sets what decides the size of a value that is set, so that nothing around it is read in another way meanwhile.
func (s *settling) sizeFirst() {
	e := s.edit
	if e.want == nil || e.at.Attr.Size == nil || int64(len(e.new)) == e.span.Length && !e.isSaid {
		return
	}
	n := newNeed(e.at, e.at.Attr.Size, e.span.Offset, int64(len(e.new)), "size")
	found, err := e.at.Solve(n.n, expr.Of(n.want), s.file.rank)
	if err != nil || len(found) != 1 {
		return // it is decided once the file is read again
	}
	if e.isSaid {
		text, _ := charset.Encode(e.want.Text(), e.at.Attr.Encoding)
		found[0].Want = expr.Of(len(text))
	}
	if c := found[0].Cell(); found[0].Attr.Kept == nil && c.Buf == e.buf && c.End <= e.span.Offset {
		_ = s.decide(found[0], n)
	}
}

// step compares the file as it is read now with what is meant. It sets what decides the first things that are
// wrong, and reports whether nothing is.
func (s *settling) step(doc *read.Doc) (isSettled bool, err error) {
	w := walk{settling: s, seen: map[place]bool{}}
	w.structs(s.file.reading().Root, doc.Root, 0)
	if len(w.needs) > 0 {
		if isKept, err := s.keepThose(w.kept, true); !isKept || err != nil {
			return false, err
		}
	}
	isChanged := false
	s.file.leads = len(w.needs) > 0 && !slices.ContainsFunc(w.needs, func(n need) bool { return n.what != "position" })
	for i := range w.needs {
		if bad := s.turn(&w.needs[i]); bad == nil {
			isChanged = true
		} else if err == nil {
			err = bad // unless it is possible once others are met
		}
	}
	switch {
	case isChanged:
		return false, nil
	case w.flip != nil:
		return false, s.make(w.flip)
	}
	if err = cmp.Or(err, w.err); err != nil {
		return false, err
	}
	if isSettled, err = s.point(doc.Root); !isSettled || err != nil {
		return false, err
	}
	return s.keep(w.kept)
}

var errUnsolved = errors.New("what decides it cannot be worked out from that")

// turn turns an expression round.
func (s *settling) turn(n *need) error {
	rank := s.file.rank
	if n.what == "position" {
		rank = func(d read.Decision) int { return 4*s.file.rank(d) + s.leads(n, d) }
	}
	found, err := []read.Decision{{Place: n.at, Want: expr.Of(n.want)}}, error(nil)
	if n.n != nil {
		found, err = n.at.Solve(n.n, expr.Of(n.want), rank)
	}
	switch {
	case errors.Is(err, expr.ErrFixed) && isSaid(n.n):
		return fmt.Errorf("%v would have to be %d: %w", n, n.want, errUnsolved)
	case err != nil:
		return fmt.Errorf("%v would have to be %d: %w", n, n.want, err)
	}
	for _, d := range found {
		if err := s.decide(d, *n); err != nil {
			return err
		}
	}
	return nil
}

// leads ranks a field of a position with several, such as "base + offset". What is itself the position of bytes that have moved by
// what is asked for goes before others, and then rather the field that is not the instance's own, in it or in a table: others are
// counted from it.
func (s *settling) leads(n *need, d read.Decision) int {
	own := 0
	if d.Of == n.at.Of || d.Index >= 0 {
		own = 1
	}
	c := d.Cell()
	was := c.Val
	if key, err := s.placeOf(&c, d.Attr); err == nil {
		if x, isDecided := s.decided[key]; isDecided {
			was = x.was
		}
	}
	io, err := n.at.Stream()
	from, errFrom := was.Int64()
	to, errTo := d.Want.Int64()
	if errors.Join(err, errFrom, errTo) != nil {
		return own
	}
	key := keyOf(io.Buf)
	stays := slices.ContainsFunc(s.on, func(x onPath) bool { return x.key == key && x.at.Offset == io.Base+from })
	if now, ok := s.layers[key].forth(io.Base+from, stays); ok && now == io.Base+to {
		return 3 - own
	}
	return own
}

// decide gives a field the value that a need asks for.
func (s *settling) decide(d read.Decision, by need) error {
	c := d.Cell()
	fail := func(err error) error {
		return fmt.Errorf("%v would have to be %d, and so %v (%v) %s: %w", &by, by.want, d.Place, d.Attr.Place, read.Show(d.Want), err)
	}
	if c.Bad != nil {
		return fail(c.Bad)
	}
	key, err := s.placeOf(&c, d.Attr)
	if err != nil {
		return fail(err)
	}
	before, isDecided := s.decided[key]
	if isDecided && before.by.id != by.id && !isEqual(before.want, d.Want) {
		return fail(fmt.Errorf("%v wants another value of it", &before.by))
	}
	if !isDecided {
		before.was = c.Val
	}
	s.decided[key] = decision{d.Want, by, before.was}
	if err := s.write(d.Place, &c, d.Want); err != nil {
		return fail(err)
	}
	return nil
}

func isEqual(a, b expr.Value) bool {
	order, err := expr.Compare(a, b)
	return err == nil && order == 0
}

// placeOf names the place of a field.
func (s *settling) placeOf(c *read.Cell, a *spec.Attr) (string, error) {
	l, err := s.layers.now(c.Buf, s.bufs)
	if err != nil {
		return "", err
	}
	at, ok := l.back(c.Start)
	if !ok {
		at = -c.Start // in what the edit has inserted
	}
	return keyAt(keyOf(l.buf), at, c.Bit, a), nil
}

func keyAt(buf string, at int64, bit uint8, a *spec.Attr) string {
	return fmt.Sprintf("%s/%d+%d %p", buf, at, bit, a)
}

// write gives a field of the file as it is read now a value.
func (s *settling) write(p read.Place, c *read.Cell, want expr.Value) error {
	at, b, err := encode(Value{p, *c}, want)
	if err != nil {
		return err
	}
	l, err := s.layers.now(c.Buf, s.bufs)
	if err != nil {
		return err
	}
	return l.put(at.Offset, at.Length, b)
}

// keep sets values that are kept equal to something, and reports whether all are.
func (s *settling) keep(kept []read.Place) (isSettled bool, err error) {
	if s.rounds++; s.rounds > len(kept)+2 {
		return false, fmt.Errorf("%s (%v) is kept equal to something that depends on itself", kept[0].Attr.ID, kept[0].Attr.Place)
	}
	return s.keepThose(kept, false)
}

// keepThose sets all values that are kept or, so that nothing else is changed in their place, those that others depend on and
// that can be computed. It reports whether all are as they were.
func (s *settling) keepThose(kept []read.Place, onlyUsed bool) (areKept bool, err error) {
	areKept = true
	for _, p := range kept {
		c := p.Cell()
		want, is, err := p.Kept(&c)
		switch {
		case is || onlyUsed && (err != nil || !p.Attr.IsUsed()):
			continue
		case err != nil:
			return false, fmt.Errorf("%s (%v) is kept equal to something that cannot be computed: %w", p.Attr.ID, p.Attr.Place, err)
		}
		areKept = false
		if err := s.decide(read.Decision{Place: p, Want: want}, need{at: p, what: "value", id: "kept " + p.Attr.String()}); err != nil {
			return false, err
		}
	}
	return areKept, nil
}
