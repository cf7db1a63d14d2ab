package cli

import (
	"context"
	"fmt"

	"varview/decoder"
	"varview/decoder/span"
	"varview/decoder/tree"
	"varview/model"
)

// fewProblems is how many problems of a file are kept until all of it is read.
// A file with more is read again, so that none has to be kept.
const fewProblems = 32

// examine prints the problems of a file and a line that sums them up: those of its
// wrappers, then those of the values in them.
//
// What the file is, is decided from its beginning at first. A problem that may
// come from reading it as the wrong thing has that decided again from all of it.
func (c *checker) examine(ctx context.Context, name string) (counts tally, err error) {
	f, err := c.openFile(ctx, name, decoder.Quick)
	if err != nil {
		return counts, err
	}
	defer f.close(&err)
	p := &printer{checker: c, file: f, buffers: len(f.Buffers())}
	done := c.progress(&f.options, name)
	err = f.layerProblems(ctx, func(buffer int, x span.Problem) { p.print(finding{x, buffer, "$"}) })
	done()
	if err == nil && f.Missing == nil {
		err = p.valueProblems(ctx)
	}
	if err == nil {
		p.summary()
		err = p.err
	}
	return p.counts, err
}

// valueProblems prints the problems of the buffer with the values.
func (p *printer) valueProblems(ctx context.Context) error {
	few, err := p.firstProblems(ctx, p.file)
	if err == nil && few.doubtful {
		p.file.options.Thorough = decoder.Through
		err = p.read(ctx, p.file)
	}
	switch {
	case err != nil:
	case few.doubtful || few.more:
		err = p.stream(ctx)
	default:
		p.few(few.met)
	}
	return err
}

// findings are the problems that one quick pass met.
type findings struct {
	met      []metAt
	more     bool // there are more than these
	doubtful bool // they speak against the reading, which was not asked for
}

// metAt is a problem and the value it was met at.
type metAt struct {
	span.Problem
	at *tree.Node
}

// firstProblems reads a file until it is read, has too many problems, or its
// reading is in doubt.
func (c *checker) firstProblems(ctx context.Context, f *file) (found findings, err error) {
	enough, stop := context.WithCancel(ctx)
	defer stop()
	err = f.Tree.BuildIndex(enough, func(p span.Problem, s *tree.Scanner) {
		if found.more || found.doubtful {
			return
		}
		found.met = append(found.met, metAt{p, s.Subject()})
		found.more = len(found.met) > fewProblems
		found.doubtful = p.IsEvidence() && f.Confidence != decoder.Given
		if found.more || found.doubtful {
			stop()
		}
	})
	if enough.Err() != nil {
		err = ctx.Err()
	}
	return found, err
}

// A printer prints the problems of one file.
type printer struct {
	*checker
	file    *file
	buffers int
	counts  tally
	values  int64 // at the root
	err     error
}

// few prints the problems of a file that has been read to its end.
func (p *printer) few(met []metAt) {
	r := p.file.Tree.NewReader()
	for _, x := range met {
		p.print(finding{x.Problem, len(p.file.Layers), r.Path(x.at)})
	}
	p.values = r.Count(p.file.Tree.Base)
}

// stream reads a file and prints all problems as they are met. The path of the
// value that a problem is in is known once that value is passed.
func (p *printer) stream(ctx context.Context) error {
	s := p.file.Tree.Scanner()
	pather := tree.NewPather(p.file.Tree, s)
	var met []span.Problem
	s.Report = func(x span.Problem) { met = append(met, x) }
	return s.Run(ctx, func(ev tree.Event) bool {
		pather.Step(ev)
		if depth := s.Depth(); ev == tree.Enter && depth == 2 || ev == tree.Atom && depth == 1 {
			p.values++
		}
		for _, x := range met {
			p.print(finding{x, len(p.file.Layers), string(pather.Path(ev))})
		}
		met = met[:0]
		return p.err == nil
	})
}

// print prints one problem.
func (p *printer) print(x finding) {
	p.counts[x.Severity]++
	if p.json {
		p.line = x.appendJSON(p.line[:0], p.file.name)
	} else {
		p.line = x.appendText(p.line[:0], displayName(p.file.name), p.buffers)
	}
	if _, err := p.out.Write(p.line); err != nil {
		p.err = err
	}
}

// summary says in a line what the file is and how many problems it has.
func (p *printer) summary() {
	if p.json {
		return
	}
	f := p.file
	total := p.counts.String()
	if total == "none" {
		total = "no problems"
	}
	p.line = append(appendClean(p.line[:0], displayName(f.name)), ": "...)
	p.line = append(append(p.line, p.what()...), ": "...)
	p.line = append(append(p.line, total...), '\n')
	if _, err := p.out.Write(p.line); err != nil {
		p.err = err
	}
}

// what says what the file is: "GCPF, Zstandard → Godot 4, stream of 3 values".
func (p *printer) what() string {
	f := p.file
	switch {
	case f.src.Size() == 0:
		return "an empty file"
	case f.Missing != nil:
		return f.wrappedIn()
	}
	what := f.reading()
	if f.Framing == "stream" {
		what = fmt.Sprintf("%s of %s", what, model.Counted(p.values, "value"))
	}
	if f.Confidence == decoder.Weak {
		what = "perhaps " + what
	}
	return f.wrappedIn() + what
}
