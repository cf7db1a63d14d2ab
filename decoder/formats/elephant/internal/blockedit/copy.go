package blockedit

import (
	"cmp"
	"errors"
	"fmt"

	"varview/decoder/engine/tree"
	"varview/decoder/formats/elephant/internal/block"
	"varview/decoder/formats/elephant/internal/datatype"
	"varview/decoder/formats/elephant/internal/literal"
)

// A copier makes literals of the values of a block, possibly another one than the one being edited.
type copier struct {
	e       *Editor
	f       *block.Reading
	r       *tree.Reader
	same    bool // it is the same block
	inside  map[uint32]*literal.Literal
	problem error
}

// copyOf returns a literal of a value with everything in it. References within the value refer to values of
// the copy.
func (e *Editor) copyOf(from *tree.Reader, n *tree.Node) (*literal.Literal, error) {
	f, ok := block.Of(from.Tree.Reading)
	if !ok {
		return nil, errors.New("a value of another format; its literal can be typed in")
	}
	own := from.Tree.NewReader()
	p, err := load(f, own, n)
	if err != nil {
		return nil, err
	}
	c := copier{e: e, f: f, r: own, same: from.Tree == e.Reader.Tree, inside: map[uint32]*literal.Literal{}}
	l := c.literal(p)
	return l, cmp.Or(c.problem, own.Window().Err())
}

func (c *copier) literal(p *present) *literal.Literal {
	l := &literal.Literal{}
	switch {
	case p.Damage != nil:
		c.problem = fmt.Errorf("%s cannot be copied: %s", c.r.Path(p.Node), p.Damage.Message)
	case p.Refers:
		l.Shape = literal.Ref
		l.Ref = c.target(p)
	case p.Type == datatype.Array:
		c.container(p, l)
		l.Shape = literal.Array
		for _, kid := range p.kids {
			l.Items = append(l.Items, c.literal(kid))
		}
	case p.Type == datatype.Struct:
		c.container(p, l)
		c.structure(p, l)
	case p.Type == datatype.Undefined:
		l.Shape = literal.Undefined
	case p.Type == datatype.Skipped:
		l.Shape = literal.Default
	case datatype.IsText(p.Type):
		l.Shape, l.Was, l.Text = literal.Text, p.Type, textAt(p.w, p.Body, p.Tail-1)
	default:
		n := datatype.NumberAt(p.w, p.Type, p.Body)
		l.Was, l.Num = p.Type, literal.NumeralOf(n)
		if p.Type == datatype.Bool {
			l.Shape = literal.Bool
		}
	}
	return l
}

func (c *copier) container(p *present, l *literal.Literal) {
	if p.Numbered {
		c.inside[p.Serial] = l
	}
}

func (c *copier) structure(p *present, l *literal.Literal) {
	l.Shape = literal.Struct
	if p.Flags&block.Constructed != 0 {
		version, verbose := c.f.Rules.SchemaVersion(p.w.Byte(c.f.VersionAt(p.w, &p.Value)))
		l.Ctor = &literal.Constructor{Name: c.f.CtorName(&p.Value), Known: true, Version: version, Verbose: verbose}
	}
	for _, kid := range p.kids {
		if kid.Type == datatype.Skipped {
			continue
		}
		l.Names = append(l.Names, kid.name)
		l.Items = append(l.Items, c.literal(kid))
	}
}

// target returns the target of a reference in the block that is edited.
func (c *copier) target(p *present) literal.Target {
	if lit := c.inside[p.Sub]; lit != nil {
		return literal.Target{Lit: lit, Kind: p.Type}
	}
	switch {
	case !block.Leads(&p.Value):
		return literal.Target{Serial: p.Sub, Kind: p.Type, Nowhere: true}
	case c.same:
		return literal.Target{Serial: p.Sub, Kind: p.Type}
	}
	n, err := c.r.Numbered(p.Sub)
	if err == nil {
		var t literal.Target
		if t, err = c.e.resolve(c.r.Path(n)); err == nil {
			return t
		}
	}
	c.problem = fmt.Errorf("a reference in the copy refers to something outside it: %w", err)
	return literal.Target{}
}

// resolve returns the future target of a reference with a path.
func (e *Editor) resolve(path string) (literal.Target, error) {
	n, err := e.Reader.Resolve(path)
	switch {
	case err != nil:
		return literal.Target{}, err
	case n.Refers && block.Leads(&n.Value):
		if n, err = e.Reader.Numbered(n.Sub); err != nil {
			return literal.Target{}, err
		}
	}
	if !n.Numbered || n.Serial == tree.NoSerial {
		return literal.Target{}, fmt.Errorf("%s is %s; references refer to arrays and structs", path, e.Block.TypeName(&n.Value))
	}
	return literal.Target{Path: path, Serial: n.Serial, Kind: n.Type}, nil
}

// prepare finds the targets of the references in a literal.
func (e *Editor) prepare(l *literal.Literal) {
	e.Keep(l.Each(func(l *literal.Literal) error {
		switch {
		case l.Shape == literal.Ref:
			return e.aim(l)
		case l.Ctor != nil && e.Block.Rules.CtorTags: // the tag depends on the constructors that exist
			e.need()
		}
		return e.Err
	}))
}

// needToWrite collects the marks of the block if a literal depends on them, or they depend on it.
func (e *Editor) needToWrite(l *literal.Literal) {
	e.Keep(l.Each(func(l *literal.Literal) error {
		if l.Shape == literal.Ref || l.Ctor != nil || !l.IsAtom() && !e.Block.Rules.CtorTags {
			e.need()
		}
		return e.Err
	}))
}

// aim finds the target of one reference.
func (e *Editor) aim(l *literal.Literal) (err error) {
	t := &l.Ref
	switch {
	case e.Block.Rules.CtorTags:
		return e.refuse(l, "Elephant 1.0.0 has no references")
	case t.Lit != nil || t.Kind != 0: // it is copied
		note(&e.aimed, t.Serial, true)
		return nil
	case t.Path != "":
		if *t, err = e.resolve(t.Path); err != nil {
			return e.refuse(l, err.Error())
		}
		note(&e.aimed, t.Serial, true)
		return nil
	}
	n, err := e.Reader.Numbered(t.Serial)
	switch {
	case errors.Is(err, tree.ErrNoChild):
		t.Nowhere, t.Kind = true, datatype.Struct
		return nil
	case err != nil:
		return err
	}
	t.Kind = n.Type
	return nil
}
