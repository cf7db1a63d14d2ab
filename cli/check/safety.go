package check

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"varview/cli/census"
	"varview/cli/env"
	"varview/cli/output"
	"varview/decoder"
	"varview/decoder/engine/format"
	"varview/decoder/engine/parallel"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/engine/work"
	"varview/internal/text"
	"varview/model"
	"varview/model/hidden"
)

// A verdict is the worst that loading a file does.
type verdict string

const (
	isSafe         verdict = "safe"
	createsObjects verdict = "objects"
	runsCode       verdict = "code"
	isUnknown      verdict = "unknown"
)

// A safety is what loading a file would do, as far as that can be seen.
type safety struct {
	dialect, framing string
	reading          string // how it was read, for people, as info says it: "Godot 4, stream"
	what             string // what there is none of in a harmless file: "objects", "constructors"

	classes      census.Names // classes of objects that would be created
	constructors census.Names // that would be called
	scripts      []format.Script
	more         int64        // number of scripts that are not listed
	subjects     []*tree.Node // values and properties that name scripts, until the names are read
	spans        []span.Span  // spans of these names
	ids          int64        // objects stored by id, which do nothing
	hidden       []finding    // what decoding the bytes and texts of values would do
	why          string       // why the answer is unknown, or incomplete

	onlyForeign bool // what the game itself brings is accepted
}

// passes reports whether a verdict is accepted.
func (s *safety) passes(v verdict) bool {
	return v == isSafe || s.onlyForeign && v != isUnknown && s.why == "" && !s.exceeds()
}

// exceeds reports whether loading does what is not accepted.
func (s *safety) exceeds() bool {
	if s.onlyForeign {
		return s.code() > format.OwnCode
	}
	return s.acts()
}

func (c *checker) newSafety(f *env.File) *safety {
	s := &safety{onlyForeign: c.Safe == SafeForeign, dialect: f.Dialect, framing: f.Framing, reading: f.ReadAs(), what: "objects"}
	switch {
	case f.Missing != nil:
		s.why = f.MissingText()
	case f.IsForeign(): // whatever loads it may run what is in it, as a pickle or a script
		s.why = strings.TrimPrefix(f.ForeignKind(), "unknown: ")
	case f.HasSchemas():
		s.what = "constructors"
	}
	return s
}

// doubt records a problem that leaves other effects of loading unknown.
func (s *safety) doubt(p *span.Problem) {
	if s.why == "" && (p.Severity == span.Error || p.Code == span.TrailingBytes || p.Code == span.MissingSchema) {
		s.why = "at 0x" + strconv.FormatInt(p.Offset, 16) + ": " + p.Message
	}
}

// maxScripts is the largest number of scripts that are listed.
const maxScripts = 100

// note records what a problem means for loading the values.
func (s *safety) note(p *span.Problem, n *tree.Node, r *tree.Reader) {
	switch p.Code {
	case span.ObjectByID:
		s.ids++
	case span.ObjectInData:
		s.classes.Add(string(r.Tree.AppendType(nil, r.Window(), &n.Value)), 1)
	case span.LoadsFile:
		x := scriptOf(r, n, p.Span)
		if mayBeCode := x.Code > format.OwnCode || strings.HasPrefix(x.Name, "uid://"); mayBeCode && len(s.scripts) < maxScripts {
			s.scripts = append(s.scripts, x)
		}
		s.classes.Add(string(r.Tree.AppendType(nil, r.Window(), &n.Value)), 1)
	case span.RunsCode:
		if len(s.subjects) == maxScripts {
			s.more++
			return
		}
		s.subjects, s.spans = append(s.subjects, n), append(s.spans, p.Span)
	default:
		s.doubt(p)
	}
}

// nameScripts reads the names of the recorded scripts, and leaves out those without code.
func (s *safety) nameScripts(r *tree.Reader) {
	for i, n := range s.subjects {
		if x := scriptOf(r, n, s.spans[i]); x.Code > format.NoCode {
			s.scripts = append(s.scripts, x)
		}
	}
	s.subjects, s.spans = nil, nil
}

// scriptOf returns the script that a problem is about.
func scriptOf(r *tree.Reader, n *tree.Node, at span.Span) format.Script {
	if auditor, ok := r.Tree.Reading.(format.Auditor); ok {
		return auditor.Script(r, n, at)
	}
	return format.Script{Name: "of an unknown name", Path: r.Path(n), Code: format.FileCode}
}

// acts reports whether loading creates objects or runs code.
func (s *safety) acts() bool { return s.code() > format.NoCode || s.classes.Any() || len(s.hidden) > 0 }

// code returns the worst code that loading runs. Constructors are functions of the game itself.
func (s *safety) code() (worst format.Code) {
	if s.constructors.Any() {
		worst = format.OwnCode
	}
	for _, x := range s.scripts {
		worst = max(worst, x.Code)
	}
	for _, f := range s.hidden {
		worst = max(worst, f.code)
	}
	if len(s.subjects) > 0 || s.more > 0 { // not all are known
		worst = format.FileCode
	}
	return worst
}

func (s *safety) verdict() verdict {
	switch {
	case s.code() > format.NoCode:
		return runsCode
	case s.acts():
		return createsObjects
	case s.why != "":
		return isUnknown
	}
	return isSafe
}

// whose says whose code is run, if it is not the game's own.
var whose = map[format.Code]string{format.OtherCode: " (not the game's own)"}

// does describes what loading does: "runs code: script res://x.gd at $[0].script; objects: Node".
func (s *safety) does() string {
	var parts []string
	if n := len(s.scripts); n > 0 {
		var names []string
		for _, x := range s.scripts[:min(n, census.MaxNamed)] {
			names = append(names, "script "+x.Name+" at "+x.Path+whose[x.Code])
		}
		if more := s.more + int64(n-len(names)); more > 0 {
			names = append(names, span.Counted(more, "more script"))
		}
		parts = append(parts, "runs code: "+strings.Join(names, ", "))
	}
	if s.constructors.Any() {
		parts = append(parts, "runs code: constructors "+s.constructors.String()+", and their callbacks")
	}
	if s.classes.Any() {
		parts = append(parts, "objects: "+s.classes.String())
		if len(s.scripts) == 0 {
			parts = append(parts, "no scripts")
		}
	}
	for _, runs := range []bool{true, false} {
		var found []string
		for _, f := range s.hidden {
			if f.code > format.NoCode == runs {
				found = append(found, f.String())
			}
		}
		if found == nil {
			continue
		}
		if n := len(found) - census.MaxNamed; n > 0 {
			found = append(found[:census.MaxNamed], fmt.Sprintf("%d more", n))
		}
		does := map[bool]string{true: "runs code", false: "creates objects"}[runs]
		parts = append(parts, does+", once its bytes are decoded: "+strings.Join(found, ", "))
	}
	return strings.Join(parts, "; ")
}

// appendText appends the safety as a line for people.
func (s *safety) appendText(dst []byte, name string) []byte {
	dst = append(text.Append(dst, name), ": "...)
	switch v := s.verdict(); {
	case v == isUnknown:
		dst = text.Append(append(dst, "unknown: "...), s.why)
	case v == isSafe:
		dst = append(append(dst, "no "...), s.what...)
	default:
		dst = text.Append(dst, s.does())
		if s.why != "" {
			dst = text.Append(append(dst, "; the rest is unknown: "...), s.why)
		}
	}
	if s.ids > 0 {
		dst = append(append(dst, "; by id, which is harmless: "...), span.Counted(s.ids, "object")...)
	}
	return append(dst, '\n')
}

// appendJSON appends the safety as a JSON object.
func (s *safety) appendJSON(dst []byte, name string) []byte {
	v := s.verdict()
	o := output.Begin(dst).Text("file", name).Bool("safe", s.passes(v)).Text("verdict", string(v)).Text("code", s.code().String())
	o = s.classes.AppendTo(o, "objects", "class").List("scripts", len(s.scripts), func(dst []byte, i int) []byte {
		x := &s.scripts[i]
		return output.Begin(dst).Text("script", x.Name).Path("path", x.Path).Text("code", x.Code.String()).End()
	})
	o = s.constructors.AppendTo(o, "constructors", "constructor").Int("by_id", s.ids)
	o = o.List("hidden", len(s.hidden), func(dst []byte, i int) []byte {
		f := &s.hidden[i]
		o := output.Begin(dst).Path("path", f.path).List("as", len(f.how), func(dst []byte, j int) []byte { return tree.AppendQuoted(dst, []byte(f.how[j])) })
		return o.Bool("runs_code", f.code > format.NoCode).Text("code", f.code.String()).Text("does", f.does).End()
	})
	return o.Some("why", s.why).Line()
}

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
	switch v := s.verdict(); {
	case v == isUnknown:
		c.total.unknown++
	case s.passes(v):
		c.total.passed++
	case v == createsObjects:
		c.total.objects++
	default:
		c.total.code++
	}
	if c.JSON {
		c.line = s.appendJSON(c.line[:0], name)
	} else {
		c.line = s.appendText(c.line[:0], env.DisplayName(name))
	}
	_, err = c.out.Write(c.line)
	return err
}

// judge finds out what loading a file would do. If other dialects or framings read it without a problem
// too, only the game knows which of them is meant: all must be safe.
func (c *checker) judge(ctx context.Context, f *env.File) (*safety, error) {
	s := c.newSafety(f)
	if err := c.CheckWrappers(ctx, f, s.doubt); err != nil || f.Missing != nil {
		return s, err
	}
	look := c.newLooker(ctx, f.Size())
	if err := c.survey(ctx, f, s, &looking{looker: look}); err != nil || !s.passes(s.verdict()) {
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
			isOwn := dialect == s.dialect && framing == s.framing
			if isOwn || given.Framing != "" && given.Framing != framing || asked.Check() != nil {
				continue
			}
			other, err := c.judgeAs(ctx, f, dialect, framing, &looking{looker: look, again: true})
			if err != nil || other == nil {
				return s, err
			}
			if other.exceeds() {
				s.why = "read as " + other.reading + ", which fits equally well: " + other.does()
				return s, nil
			}
		}
	}
	more, why := look.unpacked(f.Tree, dialects)
	if s.hidden = append(s.hidden, more...); more == nil && look.budget.IsSpent() {
		why = work.UsedUp
	}
	s.why = cmp.Or(s.why, why)
	return s, nil
}

// judgeAs finds out what loading a file would do when it is read in another way; it returns nil if it has
// no values then.
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
	s = c.newSafety(other)
	return s, c.survey(ctx, other, s, into)
}

// survey collects what loading the values would do and, if into is not nil, what decoding their bytes and
// texts would do.
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
