package check

import (
	"context"

	"varview/cli/census"
	"varview/cli/env"
	"varview/decoder"
	"varview/decoder/parallel"
	"varview/decoder/span"
	"varview/decoder/tree"
	"varview/decoder/work"
	"varview/model"
	"varview/model/hidden"
)

// examineSafety prints what loading a file would do.
func (c *checker) examineSafety(ctx context.Context, name string) (err error) {
	f, err := c.OpenFile(ctx, name, decoder.Through)
	if err != nil {
		return err
	}
	defer f.Finish(&err)
	s, err := c.judge(ctx, f)
	if err != nil {
		return err
	}
	c.total.files++
	switch s.verdict() {
	case createsObjects:
		c.total.objects++
	case runsCode:
		c.total.code++
	case isUnknown:
		c.total.unknown++
	}
	if c.JSON {
		c.line = s.appendJSON(c.line[:0], name)
	} else {
		c.line = s.appendText(c.line[:0], env.DisplayName(name))
	}
	_, err = c.out.Write(c.line)
	return err
}

// judge finds out what loading a file would do. Where other dialects or framings
// read it without a problem as well, nobody but the game knows which of them is
// meant: all must be safe.
func (c *checker) judge(ctx context.Context, f *env.File) (*safety, error) {
	s := newSafety(f)
	if err := c.CheckWrappers(ctx, f, s.doubt); err != nil || f.Missing != nil {
		return s, err
	}
	look := c.newLooker(ctx, f.Size())
	if err := c.survey(ctx, f, s, &looking{looker: look}); err != nil || s.verdict() != isSafe {
		return s, err
	}
	given := c.Flags.Options(decoder.Through)
	dialects := append([]string{f.Dialect}, f.Also...)
	if given.Dialect != "" {
		dialects = []string{given.Dialect}
	}
	for _, dialect := range dialects {
		for _, framing := range []string{"raw", "stream"} {
			asked := given
			asked.Dialect, asked.Framing = dialect, framing
			if given.Framing != "" && given.Framing != framing || dialect == s.dialect && framing == s.framing || asked.Check() != nil {
				continue
			}
			other, err := c.judgeAs(ctx, f, dialect, framing, &looking{looker: look})
			if err != nil || other == nil {
				return s, err
			}
			if v := other.verdict(); v == createsObjects || v == runsCode {
				s.why = "read as " + other.reading + ", which fits equally well: " + other.does()
				return s, nil
			}
		}
	}
	if s.hidden = look.unpacked(f.Tree, dialects); s.hidden == nil && look.budget.IsSpent() && s.why == "" {
		s.why = work.UsedUp
	}
	return s, nil
}

// judgeAs finds out what loading a file would do that is read in another way; it
// returns nil where that has no values.
func (c *checker) judgeAs(ctx context.Context, f *env.File, dialect, framing string, into *looking) (s *safety, err error) {
	doc, err := f.Reopen(ctx, nil, model.As(dialect, framing))
	if err != nil {
		return nil, err
	}
	defer doc.Close()
	if doc.Missing != nil {
		return nil, nil
	}
	other := &env.File{Document: doc, Name: f.Name}
	s = newSafety(other)
	return s, c.survey(ctx, other, s, into)
}

// survey collects what loading the values would do, and with into what decoding their bytes and
// texts would.
func (c *checker) survey(ctx context.Context, f *env.File, s *safety, into *looking) error {
	var p model.Progress
	defer c.follow(f.Name, p.Share)()
	if f.HasSchemas() {
		return s.structs(ctx, f, into)
	}
	r := f.Tree.NewReader()
	o := tree.CheckOptions{Workers: parallel.Workers(), Progress: p.Set}
	if into != nil {
		o.LeastContent = hidden.LeastText
		o.NewCounter = func() tree.Counter { return into.glance(f.Tree) }
		o.Counted = func(c tree.Counter) { s.add(c.(*glance), r) }
	}
	err := f.Tree.Check(ctx, o, func(p span.Problem, at *tree.Node) { s.note(&p, at, r) })
	if err == nil {
		s.nameScripts(r)
	}
	return err
}

// structs collects the constructors that loading an Elephant file calls.
func (s *safety) structs(ctx context.Context, f *env.File, into *looking) error {
	var g *glance
	if into != nil {
		g = into.glance(f.Tree)
	}
	scan := f.Tree.Scanner()
	scan.Report = func(p span.Problem) { s.doubt(&p) }
	var all census.Structs
	err := scan.Run(ctx, func(ev tree.Event) bool {
		if ev != tree.Leave && !scan.Slot().Key {
			all.Count(scan, f.Tree)
		}
		if g != nil {
			g.Count(scan, ev)
		}
		return true
	})
	for _, n := range all.List {
		s.constructors.Add(n.Constructor, n.Count)
	}
	s.constructors.Others += all.Others
	if g != nil && err == nil {
		s.add(g, f.Tree.NewReader())
	}
	return err
}
