package cli

import (
	"context"

	"varview/decoder"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// examineSafety prints what loading a file would do.
func (c *checker) examineSafety(ctx context.Context, name string) (err error) {
	f, err := c.openFile(ctx, name, decoder.Through)
	if err != nil {
		return err
	}
	defer f.close(&err)
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
	case cannotTell:
		c.total.unknown++
	}
	if c.json {
		c.line = s.appendJSON(c.line[:0], name)
	} else {
		c.line = s.appendText(c.line[:0], displayName(name))
	}
	_, err = c.out.Write(c.line)
	return err
}

// judge finds out what loading a file would do. Where other dialects or framings
// read it without a problem as well, nobody but the game knows which of them is
// meant: all must be safe.
func (c *checker) judge(ctx context.Context, f *file) (*safety, error) {
	s := newSafety(f)
	done := c.progress(&f.options, f.name)
	err := f.layerProblems(ctx, func(_ int, p span.Problem) { s.doubt(&p) })
	done()
	if err != nil || f.Missing != nil {
		return s, err
	}
	if err := c.survey(ctx, f, s); err != nil || s.verdict() != isSafe {
		return s, err
	}
	given := f.options
	for _, dialect := range append([]string{f.Dialect}, f.Also...) {
		for _, framing := range []string{"raw", "stream"} {
			f.options.Dialect, f.options.Framing = dialect, framing
			if given.Framing != "" && given.Framing != framing || dialect == s.dialect && framing == s.framing || f.options.Check() != nil {
				continue
			}
			if err := c.read(ctx, f); err != nil || f.Missing != nil {
				return s, err
			}
			other := newSafety(f)
			if err := c.survey(ctx, f, other); err != nil {
				return s, err
			}
			if v := other.verdict(); v == createsObjects || v == runsCode {
				s.why = "read as " + f.reading() + ", which fits as well: " + other.does()
				return s, nil
			}
		}
	}
	return s, nil
}

// survey collects what loading the values would do.
func (c *checker) survey(ctx context.Context, f *file, s *safety) error {
	defer c.follow(f.name, f.Tree)()
	if f.hasSchemas() {
		return s.structs(ctx, f)
	}
	err := f.Tree.BuildIndex(ctx, func(p span.Problem, scan *tree.Scanner) { s.note(&p, scan, f.Tree) })
	if err == nil {
		s.nameScripts(f.Tree.NewReader())
	}
	return err
}

// structs collects the constructors that loading an Elephant file calls.
func (s *safety) structs(ctx context.Context, f *file) error {
	scan := f.Tree.Scanner()
	scan.Report = func(p span.Problem) { s.doubt(&p) }
	var all structCensus
	err := scan.Run(ctx, func(ev tree.Event) bool {
		if ev != tree.Leave && !scan.Slot().Key {
			all.count(scan, f.Tree)
		}
		return true
	})
	for _, n := range all.list {
		s.constructors.add(n.Constructor, n.Count)
	}
	s.constructors.others += all.others
	return err
}
