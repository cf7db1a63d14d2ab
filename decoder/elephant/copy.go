package elephant

import (
	"errors"
	"fmt"

	"varview/decoder/tree"
)

// A copier makes literals of values that stand in a block, which may be another
// than the one that is edited.
type copier struct {
	e       *editor
	f       *Reading
	r       *tree.Reader
	same    bool // it is the same block
	inside  map[uint32]*literal
	problem error
}

// copyOf is a value, with all that is in it, as a literal. References within it
// lead to values of the copy.
func (e *editor) copyOf(from *tree.Reader, n *tree.Node) (*literal, error) {
	f, ok := Of(from.Tree.Reading)
	if !ok {
		return nil, errors.New("a value of another format; its literal can be typed in")
	}
	own := from.Tree.NewReader()
	p, err := load(f, own, n)
	if err != nil {
		return nil, err
	}
	c := copier{e: e, f: f, r: own, same: from.Tree == e.r.Tree, inside: map[uint32]*literal{}}
	l := c.literal(p)
	return l, c.problem
}

func (c *copier) literal(p *present) *literal {
	l := &literal{}
	switch {
	case p.Damage != nil:
		c.problem = fmt.Errorf("%s cannot be copied: %s", c.r.Path(p.Node), p.Damage.Message)
	case p.Refers:
		l.shape = ofRef
		l.ref = c.target(p)
	case p.Type == tArray:
		c.container(p, l)
		l.shape = ofArray
		for i := range p.count() {
			l.items = append(l.items, c.literal(p.element(i)))
		}
	case p.Type == tStruct:
		c.container(p, l)
		c.structure(p, l)
	case p.Type == tUndefined:
		l.shape = ofUndefined
	case p.Type == tSkipped:
		l.shape = ofDefault
	case isText(p.Type):
		l.shape, l.was, l.text = ofText, p.Type, textAt(p.w, p.Body, p.Tail-1)
	default:
		n := numberAt(p.w, p.Type, p.Body)
		l.was, l.num = p.Type, numeralOf(n)
		if p.Type == tBool {
			l.shape = ofBool
		}
	}
	return l
}

func (c *copier) container(p *present, l *literal) {
	if p.Numbered {
		c.inside[p.Serial] = l
	}
}

func (c *copier) structure(p *present, l *literal) {
	l.shape = ofStruct
	if p.Flags&isCtor != 0 {
		version, verbose := c.f.Rules.schemaVersion(p.w.Byte(c.f.versionAt(p.w, &p.Value)))
		l.ctor = &ctorHead{c.f.ctorName(&p.Value), true, version, verbose}
	}
	for _, kid := range p.kids {
		if kid.Type == tSkipped {
			continue
		}
		l.names = append(l.names, kid.name)
		l.items = append(l.items, c.literal(kid))
	}
}

// target is what a reference leads to in the block that is edited.
func (c *copier) target(p *present) target {
	if lit := c.inside[p.Sub]; lit != nil {
		return target{lit: lit, kind: p.Type}
	}
	switch {
	case !leads(&p.Value):
		return target{serial: p.Sub, kind: p.Type, nowhere: true}
	case c.same:
		return target{serial: p.Sub, kind: p.Type}
	}
	n, err := c.r.Numbered(p.Sub)
	if err == nil {
		var t target
		if t, err = c.e.resolve(c.r.Path(n)); err == nil {
			return t
		}
	}
	c.problem = fmt.Errorf("a reference in the copy leads out of it: %w", err)
	return target{}
}

// resolve finds what a reference with a path is to lead to.
func (e *editor) resolve(path string) (target, error) {
	n, err := e.r.Resolve(path)
	switch {
	case err != nil:
		return target{}, err
	case n.Refers && leads(&n.Value):
		if n, err = e.r.Numbered(n.Sub); err != nil {
			return target{}, err
		}
	}
	if !n.Numbered || n.Serial == tree.NoSerial {
		return target{}, fmt.Errorf("%s is %s; references lead to arrays and structs", path, e.f.TypeName(&n.Value))
	}
	return target{path: path, serial: n.Serial, kind: n.Type}, nil
}

// prepare finds what the references in a literal lead to.
func (e *editor) prepare(l *literal) error {
	return l.each(func(l *literal) error {
		switch {
		case l.shape == ofRef:
			return e.aim(l)
		case l.ctor != nil && e.f.Rules.ctorTags: // the tag depends on the constructors there are
			return e.need()
		}
		return nil
	})
}

// needToWrite has the marks of the block collected if what a literal is written
// as depends on them, or they on it.
func (e *editor) needToWrite(l *literal) error {
	return l.each(func(l *literal) error {
		if l.shape == ofRef || l.ctor != nil || !l.isAtom() && !e.f.Rules.ctorTags {
			return e.need()
		}
		return nil
	})
}

// aim finds what one reference leads to.
func (e *editor) aim(l *literal) (err error) {
	t := &l.ref
	switch {
	case e.f.Rules.ctorTags:
		return e.refuse(l, "Elephant 1.0.0 has no references")
	case t.lit != nil || t.kind != 0: // it is copied
		e.aimed[t.serial] = true
		return nil
	case t.path != "":
		if *t, err = e.resolve(t.path); err != nil {
			return e.refuse(l, err.Error())
		}
		e.aimed[t.serial] = true
		return nil
	}
	n, err := e.r.Numbered(t.serial)
	switch {
	case errors.Is(err, tree.ErrNoChild):
		t.nowhere, t.kind = true, tStruct
		return nil
	case err != nil:
		return err
	}
	t.kind = n.Type
	return nil
}
