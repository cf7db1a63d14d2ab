package read

import (
	"errors"
	"fmt"
	"math"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/formats/kaitai/expr"
	"varview/decoder/formats/kaitai/spec"
	"varview/decoder/value/charset"
)

// maxDepth is the largest number of levels of values, and of instances that need each other.
const maxDepth = 2000

// A Doc is a file as a description reads it. It belongs to one goroutine.
type Doc struct {
	Root    *Struct
	foreign ForeignReader
	depth   int
	made    int64 // bytes that processes have made
	work    int64 // that was done, less what elements that were read allow
	most    int64 // work that is done

	arrays map[key]*Array // long ones in the file
	sizes  map[key]int64  // of large values in the file
	memory *Memory        // of an earlier reading; nil for none
}

// What counts as work of one byte that is looked at.
const (
	someWork  = 128 << 20 // that any description may ask for
	workByte  = 64        // and for each byte of the file
	workRead  = 2048      // and whenever a byte of an element is read
	readCost  = 128       // of reading an element again
	emptyCost = 512       // of a value without bytes, or of an instance
)

var errWork = errors.New("the description asks for too much work")

// Spend implements expr.Env.
func (d *Doc) Spend(n int) error {
	if d.work += int64(n); d.work > d.most {
		return errWork
	}
	return nil
}

// allow allows work for an element with some bytes.
func (d *Doc) allow(n int64) { d.work = max(0, d.work-workRead*n) }

// A Foreign is a value of a type that no description defines, read by another format. Expressions cannot
// see into it.
type Foreign interface {
	End() int64   // offset of the first byte after it
	Whole() int64 // number of bytes in its region
}

// A ForeignReader reads the value of a type at the start of a region of a buffer or, if isWhole, in all of
// it.
type ForeignReader func(name string, in *Buffer, region span.Span, isWhole bool) (Foreign, error)

// New returns a file as a description reads it. Nothing is read yet.
// What follows a long array is read only once it is asked for.
func New(t *spec.Type, src source.Source, region span.Span, foreign ForeignReader) *Doc {
	d := &Doc{foreign: foreign, most: someWork + workByte*region.Length, arrays: map[key]*Array{}, sizes: map[key]int64{}}
	io := &Stream{Buf: newBuffer(src), Base: region.Offset, End: region.End(), at: region.Offset}
	d.Root = &Struct{doc: d, Type: t, IO: io, Start: region.Offset, Owns: true}
	d.Root.Root = d.Root
	return d
}

// Inside returns the reading of what the process of a value unpacks, to which steps lead in another reading that nobody else
// uses; if there is none, the bytes are read as that file.
func Inside(outer *Doc, path []Place, src source.Source, region span.Span) *Doc {
	d := New(outer.Root.Type, src, region, outer.foreign)
	in := outer.Root
	for _, p := range path {
		r := in.Type.Find(p.Attr.ID)
		if r == nil || r.In == expr.InParams {
			return d
		}
		c := *in.Of(in.Type.Attr(r))
		if a, ok := c.Val.Ref.(*Array); ok && a.Has(p.Index) {
			c = a.Cell(p.Index)
		}
		s, ok := c.Val.Ref.(*Struct)
		if !ok {
			return d
		}
		in = s
	}
	d.Root.Type, d.Root.Parent, d.Root.Root, d.Root.params = in.Type, in.Parent, in.Root, in.params
	return d
}

// A Struct is a value of a user-defined type.
type Struct struct {
	doc    *Doc
	Type   *spec.Type
	Parent *Struct
	Root   *Struct
	IO     *Stream
	Start  int64
	End    int64 // end of its attributes; known once it is parsed
	Owns   bool  // it has its own stream
	In     Place // where it is; the zero Place for the root
	often  bool  // it is in an instance of a value that is not the root: others may read its bytes too

	Cells  []Cell // cells of its attributes, as far as they could be read
	Bad    *Problem
	params []expr.Value
	args   []expr.Node // that gave them, where it is
	insts  []*Cell
	state  uint8
	endian spec.Endian
	mark   mark // start of a struct that is parsed later

	suspended *Array // the last attribute
}

const (
	unparsed = iota
	parsing
	suspended // waits until something is wanted that follows a long array
	parsed
)

// A Cell is the value of an attribute, or of an element of one.
type Cell struct {
	Val   expr.Value
	State State
	Bit   uint8 // number of bits of the first byte that precede a number of bits in reading order
	Buf   *Buffer
	Type  *spec.TypeRef // nil for a cell that is not a part of the data
	Start int64         // start of the attribute, including what others do not have
	Body  int64         // of its value
	Tail  int64         // of its value
	End   int64
	Bad   *Problem // reason why an instance has no value
}

// State is what is known of a Cell.
type State uint8

// The states.
const (
	Absent   State = iota // "if" is false
	Ready                 // Val is the value
	OnDemand              // the value is in the bytes: see Value
	Pending               // it is being computed
)

// Value returns the value of a cell.
func (c *Cell) Value(a *spec.Attr) (expr.Value, error) {
	if c.Bad != nil {
		return c.Val, c.Bad
	}
	if c.State != OnDemand {
		return c.Val, nil
	}
	if c.Tail-c.Body > maxData {
		return c.Val, fmt.Errorf("%s has %s, which is too much for an expression", a.ID, span.Bytes(c.Tail-c.Body))
	}
	b := c.Buf.Append(make([]byte, 0, c.Tail-c.Body), c.Body, c.Tail)
	if c.Type == nil || c.Type.Kind != spec.Str {
		return expr.Of(b), nil
	}
	s, err := charset.Decode(b, a.Encoding)
	var wrong *charset.Error
	if errors.As(err, &wrong) {
		err = nil // Check reports it
	}
	return expr.Of(s), err
}

// maxData is the largest number of bytes that are held in memory as one value.
const maxData = 256 << 20

// parse reads the attributes, unless that has been done, up to a long array.
func (s *Struct) parse() {
	if s.state != unparsed {
		return
	}
	s.state = parsing
	if s.Owns {
		s.IO.seek(s.IO.Base)
	}
	s.End = s.IO.at
	if s.doc.depth++; s.doc.depth > maxDepth {
		s.Bad = &Problem{Code: TooDeep, Text: fmt.Sprintf("more than %d levels", maxDepth), At: span.Span{Offset: s.Start}, In: s.IO.Buf, Where: s.Type.Place}
	} else if s.Bad = s.findEndian(); s.Bad == nil {
		s.Cells = make([]Cell, 0, len(s.Type.Seq))
		s.parseSeq(0)
	}
	s.leave()
}

func (s *Struct) leave() {
	s.doc.depth--
	s.state = parsed
	if s.suspended != nil {
		s.state, s.IO.suspended = suspended, s
	}
}

// finish reads on after a long array.
func (s *Struct) finish() {
	s.state, s.IO.suspended = parsing, nil
	s.doc.depth++
	last := &s.Cells[len(s.Cells)-1]
	s.suspended.reach(math.MaxInt64)
	s.IO.restore(s.suspended.end)
	s.Bad, s.suspended = s.suspended.Bad, nil
	s.End, last.Tail, last.End = s.IO.at, s.IO.at, s.IO.at
	if s.Bad == nil {
		s.parseSeq(len(s.Cells))
	}
	s.leave()
}

func (s *Struct) parseSeq(from int) {
	sc := scope{Struct: s}
	for i, a := range s.Type.Seq[from:] {
		i += from
		sc.index = 0
		if i > 0 && s.Type.Seq[i-1].IsBits() && !a.IsBits() {
			s.IO.left = 0
		}
		c, err := s.attr(a, s.IO, &sc)
		s.Cells = append(s.Cells[:i], c)
		s.End = s.IO.at
		if err != nil {
			s.Bad = s.problem(err, a, c.Start)
		}
		if s.Bad != nil || s.suspended != nil {
			return
		}
	}
}

// problem returns an error as a problem of an attribute.
func (s *Struct) problem(err error, a *spec.Attr, at int64) *Problem {
	if p := (*Problem)(nil); errors.As(err, &p) {
		return p
	}
	return &Problem{Code: Unevaluated, Text: fmt.Sprintf("%s: %v", a.ID, err), At: span.Span{Offset: at}, In: s.IO.Buf, Where: a.Place}
}

// Begin reads the attributes of a struct that was hopped over, up to a long array. It reports whether
// these are all.
func (s *Struct) Begin() bool {
	if s.state == unparsed {
		s.elsewhere(s.mark, s.parse)
	}
	return s.state != suspended
}

// Ensure reads the attributes of a struct that was hopped over or suspended.
func (s *Struct) Ensure() {
	if !s.Begin() {
		s.elsewhere(s.mark, s.finish)
	}
}

// elsewhere reads at another position of the stream.
func (s *Struct) elsewhere(at mark, read func()) {
	if s.Owns {
		read()
		return
	}
	was := s.IO.mark()
	s.IO.restore(at)
	read()
	s.IO.restore(was)
}

func (s *Struct) findEndian() *Problem {
	on := s.Type.EndianOn
	s.endian = s.Type.Endian
	if on == nil {
		return nil
	}
	if p := s.Parent; p != nil && p.Type.EndianOn == on {
		s.endian = p.endian
		return nil
	}
	e, err := choose(on, &scope{Struct: s})
	if err == nil && e == nil {
		err = errors.New("the byte order is undecided: no case fits")
	}
	if err != nil {
		return &Problem{Code: Unevaluated, Text: err.Error(), At: span.Span{Offset: s.Start}, In: s.IO.Buf, Where: s.Type.Place}
	}
	s.endian = *e
	return nil
}

// choose returns what a switch chooses, nil for nothing.
func choose[T any](sw *spec.Switch[T], sc *scope) (*T, error) {
	on, err := sw.On.Eval(sc)
	if err != nil {
		return nil, err
	}
	was := sc.on
	sc.on = &on
	i, err := sw.Find(on, sc)
	sc.on = was
	if err != nil || i == len(sw.Cases) {
		return sw.Default, err
	}
	return &sw.Cases[i].Then, nil
}

// A scope is a struct in which expressions are evaluated.
type scope struct {
	*Struct
	index int64
	item  *expr.Value // _
	on    *expr.Value // _on
}

// Name implements expr.Env.
func (sc *scope) Name(r *expr.Ref) (expr.Value, error) {
	switch {
	case r.Of == sc.Type:
		return sc.at(r)
	case r.Name == "_index":
		return expr.Of(sc.index), nil
	case r.Name == "_" && sc.item != nil:
		return *sc.item, nil
	case r.Name == "_on" && sc.on != nil:
		return *sc.on, nil
	}
	return sc.Struct.Attr(r.Name)
}

// Spend implements expr.Env.
func (sc *scope) Spend(n int) error { return sc.doc.Spend(n) }

// SizeOf implements expr.Object. The size of what a process unpacks is that of what it unpacks.
func (s *Struct) SizeOf(name string) (expr.Value, error) {
	v, err := s.Type.SizeOf(name)
	r := s.Type.Find(name)
	if err == nil || r == nil || r.In == expr.InParams {
		return v, err
	}
	c := s.Of(s.Type.Attr(r))
	if c.Bad != nil {
		return v, c.Bad
	}
	inner, isStruct := c.Val.Ref.(*Struct)
	other, isForeign := c.Val.Ref.(Foreign)
	isUnpacked := s.Type.Attr(r).Process != nil
	switch {
	case isStruct && inner.IO.Buf != c.Buf:
		return expr.Of(inner.IO.Size()), nil
	case isForeign && isUnpacked:
		return expr.Of(other.Whole()), nil
	case c.Val.Kind == expr.Bytes && isUnpacked:
		return expr.Of(len(c.Val.Data())), nil
	}
	return expr.Of(c.End - c.Start), nil
}

// Bytes returns those that the value is read from, as they are unpacked.
func (s *Struct) Bytes() []byte {
	if s.Ensure(); s.Owns {
		return s.IO.Buf.Append(nil, s.IO.Base, s.IO.End)
	}
	return s.IO.Buf.Append(nil, s.Start, s.End)
}

// Attr implements expr.Object.
func (s *Struct) Attr(name string) (expr.Value, error) {
	switch name {
	case "_io":
		return expr.Value{Kind: expr.Stream, Ref: s.IO}, nil
	case "_parent":
		return object(s.Parent), nil
	case "_root":
		return object(s.Root), nil
	case "_sizeof":
		if n := s.Type.FixedBits(); n >= 0 {
			return expr.Of((n + 7) / 8), nil
		}
		if s.state == parsing {
			return expr.Value{}, fmt.Errorf("the size of %s is not known before it is read", s.Type.Name)
		}
		if s.Ensure(); s.Owns {
			return expr.Of(s.IO.Size()), nil
		}
		return expr.Of(s.End - s.Start), nil
	}
	if r := s.Type.Find(name); r != nil {
		return s.at(r)
	}
	return expr.Value{}, fmt.Errorf("%s has no %s", s.Type.Name, name)
}

// at returns the value of an attribute of the type.
func (s *Struct) at(r *expr.Ref) (expr.Value, error) {
	switch r.In {
	case expr.InParams:
		if r.Index < len(s.params) {
			return s.params[r.Index], nil
		}
		return expr.Value{}, fmt.Errorf("the parameter %s is not given", r.Name)
	case expr.InInstances:
		return s.Instance(r.Index).Value(s.Type.Instances[r.Index])
	}
	if s.Begin(); r.Index >= len(s.Cells) {
		s.Ensure()
	}
	if r.Index < len(s.Cells) {
		c := &s.Cells[r.Index]
		if c.State == OnDemand && s.doc.Spend(int(c.Tail-c.Body)) != nil {
			return c.Val, errWork
		}
		return c.Value(s.Type.Seq[r.Index])
	}
	if s.state == parsing {
		return expr.Value{}, nil
	}
	return expr.Value{}, fmt.Errorf("%s could not be read", r.Name)
}

func object(s *Struct) expr.Value {
	if s == nil {
		return expr.Value{}
	}
	return expr.Value{Kind: expr.Struct, Ref: s}
}

// Eval evaluates an expression in s.
func (s *Struct) Eval(n expr.Node) (expr.Value, error) { return n.Eval(&scope{Struct: s}) }

// Of returns the cell of an attribute that was read, or of an instance.
func (s *Struct) Of(a *spec.Attr) *Cell {
	c := s.begun(a)
	if s.suspended != nil && c == &s.Cells[len(s.Cells)-1] { // its end is not known yet
		s.Ensure()
	}
	return c
}

// begun is Of for a cell whose end does not matter.
func (s *Struct) begun(a *spec.Attr) *Cell {
	at := s.Type.Find(a.ID).Index
	if a.IsInstance {
		return s.Instance(at)
	}
	if s.Begin(); at >= len(s.Cells) {
		s.Ensure()
	}
	if at >= len(s.Cells) {
		return &Cell{Buf: s.IO.Buf, Bad: &Problem{Code: Unevaluated, Text: a.ID + " could not be read", At: span.Span{Offset: s.Start}, In: s.IO.Buf, Where: a.Place}}
	}
	return &s.Cells[at]
}

// Params returns the values of the parameters.
func (s *Struct) Params() []expr.Value { return s.params }

// Instance computes an instance.
func (s *Struct) Instance(i int) *Cell {
	s.Begin() // which may need the instance
	if s.insts == nil {
		s.insts = make([]*Cell, len(s.Type.Instances))
	}
	a := s.Type.Instances[i]
	c := s.insts[i]
	if c != nil && c.State == Pending {
		return &Cell{Buf: s.IO.Buf, Bad: &Problem{Code: Unevaluated, Text: a.ID + " depends on itself", At: span.Span{Offset: s.Start}, In: s.IO.Buf, Where: a.Place}}
	}
	if c != nil {
		return c
	}
	s.insts[i] = &Cell{State: Pending}
	var err error
	if s.doc.depth++; s.doc.depth > maxDepth {
		c, err = &Cell{}, errors.New("too many instances that need one another")
	} else {
		c, err = s.instance(a)
	}
	s.doc.depth--
	if c.Buf == nil {
		c.Buf = s.IO.Buf
	}
	if err != nil {
		c.Bad = s.problem(err, a, s.Start)
	}
	s.insts[i] = c
	return c
}

func (s *Struct) instance(a *spec.Attr) (*Cell, error) {
	sc := &scope{Struct: s}
	if err := s.doc.Spend(emptyCost); err != nil {
		return &Cell{}, err
	}
	if ok, err := holds(a, sc); !ok {
		return &Cell{}, err
	}
	if a.Value != nil {
		v, err := a.Value.Eval(sc)
		return &Cell{State: Ready, Val: Enumerated(v, a)}, err
	}
	io := s.IO
	if a.IO != nil {
		v, err := a.IO.Eval(sc)
		if err != nil {
			return &Cell{}, err
		}
		var ok bool
		if io, ok = v.Ref.(*Stream); !ok {
			return &Cell{}, fmt.Errorf("io must be a stream, not %v", v.Kind)
		}
	}
	was := io.mark()
	defer func() { io.restore(was) }()
	var beyond *Problem
	if a.Pos != nil {
		was.left = 0
		pos, err := expr.EvalInt(a.Pos, sc)
		if err != nil {
			return &Cell{}, err
		}
		if pos < 0 || pos > io.Size() {
			beyond = &Problem{Code: span.Truncated, Text: fmt.Sprintf("%s is at %d of %s", a.ID, pos, span.Bytes(io.Size())), At: span.Span{Offset: s.Start}, In: s.IO.Buf, Where: a.Place}
			pos = io.Size()
		}
		io.seek(io.Base + pos)
	}
	c, err := s.present(a, io, sc)
	if err != nil && beyond != nil { // nothing may be read there, without a problem
		err = beyond
	}
	if err == nil {
		err = s.doc.Spend(int(c.End-c.Start) / 8) // which may have been searched
	}
	return &c, err
}

// holds reports whether "if" lets an attribute exist.
func holds(a *spec.Attr, in expr.Env) (bool, error) {
	if a.If == nil {
		return true, nil
	}
	return expr.Condition(a.If, in)
}

// Enumerated returns the value of an attribute with its enum.
func Enumerated(v expr.Value, a *spec.Attr) expr.Value {
	if a.Enum != nil && v.Kind == expr.Int {
		v.Ref = a.Enum
	}
	return v
}
