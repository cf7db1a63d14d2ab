package check

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"varview/cli/census"
	"varview/cli/env"
	"varview/decoder"
	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/engine/work"
	"varview/decoder/wrap"
	"varview/model"
	"varview/model/hidden"
)

// Limits of decoding.
const (
	maxDepth    = 8        // depth of nested encodings
	maxContent  = 64 << 20 // bytes of a value, or of the packed content of one
	maxHidden   = 100      // findings that are kept
	maxPlaces   = 64       // places in some bytes at which an object may begin
	objectBytes = 64 << 10 // bytes of such an object that are read
	frameHead   = 4        // bytes before the value in a frame
	readByte    = 16       // bytes that are read for one unit of work
	patience    = 8        // times the work of other requests, since many short words may be digits
)

// A finding is what decoding the bytes or the text of a value does.
type finding struct {
	path string
	how  []string // how the bytes are decoded, outermost first
	does string
	code format.Code // the worst that it runs
}

// String returns a finding as in "$[0].blob (base64, gzip): script res://x.gd at $.script".
func (f *finding) String() string {
	how := ""
	if len(f.how) > 0 {
		how = " (" + strings.Join(f.how, ", ") + ")"
	}
	return f.path + how + ": " + f.does
}

// A looker looks into the bytes and texts of a file's values: the game may decode their content and so
// create objects or run code.
type looker struct {
	*checker
	ctx    context.Context
	budget *work.Budget
}

// A looking is the state of looking into something: what has been decoded on the way to it.
type looking struct {
	*looker
	how   []string
	depth int
	again bool // the bytes were looked into as they are read first: those that are no values of this reading, no game reads so
}

func (c *checker) newLooker(ctx context.Context, size int64) *looker {
	b := work.New(size)
	b.Spend(-(patience - 1) * b.Left())
	return &looker{c, ctx, b}
}

// spend charges for reading some bytes, and returns how many bytes may still be unpacked.
func (l *looker) spend(n int) int64 {
	l.budget.Spend(int64(n)/readByte + 1)
	return min(maxContent, l.budget.Left()*readByte)
}

// A glance is what was found in the values of a segment. It is a tree.Counter, so that several segments
// are searched concurrently.
type glance struct {
	looking
	tree *tree.Tree

	fields  []span.Field
	content []byte
	start   int64      // offset of the value that is looked into
	at      *tree.Node // node of that value; nil until it is needed
	found   []finding
	nodes   []*tree.Node // values of the findings
	why     string       // why not everything is known
	whyAt   *tree.Node
}

func (l *looking) glance(t *tree.Tree) *glance { return &glance{looking: *l, tree: t} }

// add adds what was found in a segment. r reads its values.
func (s *safety) add(g *glance, r *tree.Reader) {
	for i, f := range g.found {
		if len(s.hidden) < maxHidden {
			f.path = r.Path(g.nodes[i])
			s.hidden = append(s.hidden, f)
		}
	}
	if g.why != "" && s.why == "" {
		s.why = r.Path(g.whyAt) + ": " + g.why
	}
}

// Tally implements tree.Counter.
func (g *glance) Tally() *tree.Tally { return nil }

// Count implements tree.Counter.
func (g *glance) Count(s *tree.Scanner, ev tree.Event) {
	if ev == tree.Passed {
		for _, c := range s.Contents() {
			g.start, g.at = c.At, nil
			g.lookAt(s.Window(), c.Span)
		}
		return
	}
	v := s.Value()
	if ev == tree.Atom && v.End != tree.Unknown && v.End-v.Start < hidden.LeastText {
		return // most values are numbers
	}
	g.fields = s.AppendFields(g.fields[:0], ev)
	isData := func(f span.Field) bool { return f.Kind == span.Data }
	if ev != tree.Leave && v.Layout == tree.Fixed && v.Stride == 1 && !slices.ContainsFunc(g.fields, isData) { // numbers of one byte each
		g.fields = append(g.fields, span.Field{Span: span.Span{Offset: v.Body, Length: v.Count}, Kind: span.Data})
	}
	for _, f := range g.fields {
		if f.Length < hidden.LeastText || f.Kind != span.Text && f.Kind != span.Data && (f.Kind != span.Gap || g.again) {
			continue
		}
		g.at = s.Current(ev)
		g.lookAt(s.Window(), f.Span)
	}
}

// lookAt looks into the bytes of a span of the current value.
func (g *glance) lookAt(w *source.Window, s span.Span) {
	if s.Length > maxContent {
		g.doubt(span.Bytes(s.Length) + " in one value are more than varview looks into")
		return
	}
	b := w.View(s.Offset, s.Length)
	if int64(len(b)) < s.Length || w.InHole() {
		g.content = slices.Grow(g.content[:0], int(s.Length))[:s.Length]
		n, _ := g.tree.Source.ReadAt(g.content, s.Offset)
		if b = g.content; n < len(b) {
			clear(b[n:])
			g.doubt("bytes of it cannot be read")
		}
	}
	g.look(b, g.how, g.depth)
}

// here returns the value that is looked into; nil if it is the whole buffer.
func (g *glance) here() *tree.Node {
	if g.at == nil && g.tree != nil {
		var err error
		if g.at, err = g.tree.NewReader().At(g.start); err != nil {
			g.at = g.tree.Base
		}
	}
	return g.at
}

// doubt records why it is unknown what a value contains.
func (g *glance) doubt(why string) {
	if g.why == "" {
		g.why, g.whyAt = why, g.here()
	}
}

// find records what decoding the value in some way does. Once a value is known to run code, only worse code
// is recorded about it.
func (g *glance) find(how []string, does string, code format.Code) {
	is := finding{how: how, does: does, code: code}
	if last := len(g.nodes) - 1; last >= 0 && g.nodes[last] == g.here() && max(code, g.found[last].code) > format.NoCode {
		if code > g.found[last].code {
			g.found[last] = is
		}
		return
	}
	if len(g.found) < maxHidden {
		g.found, g.nodes = append(g.found, is), append(g.nodes, g.here())
	}
}

// look looks into bytes that were decoded in a given way.
func (g *glance) look(b []byte, how []string, depth int) {
	switch {
	case len(b) < hidden.LeastText, !isVaried(b):
		return
	case g.spend(len(b)) <= 0:
		g.doubt(work.UsedUp)
		return
	case g.ctx.Err() != nil:
		return
	case hidden.IsText(b):
		g.text(b, how, depth)
		return
	}
	if what := hidden.Archive(b); what != "" {
		g.doubt(what + " is not looked into")
	}
	g.values(b, how, func(int, string) bool { return true })
	hidden.Texts(b, func(text []byte) { g.text(text, how, depth) })
	hidden.Wide(b, func(text []byte) { g.text(text, append(how[:len(how):len(how)], "wide characters"), depth) })
	for _, at := range wrap.SignedAt(b, maxPlaces) {
		g.document(b[at:], how, depth)
	}
	if decoder.IsSigned(b) {
		g.document(b, how, depth)
	}
	hidden.Packed(b, g.spend, func(c hidden.Content) { g.deeper(c, how, depth) })
}

// isVaried reports whether bytes are not just a short repeated pattern, in which there can be no object.
func isVaried(b []byte) bool {
	const least = 6
	var seen [256]bool
	n := 0
	for _, c := range b {
		if !seen[c] {
			seen[c] = true
			if n++; n == least {
				return true
			}
		}
	}
	return false
}

// deeper looks into what bytes or a text contain in another form.
func (g *glance) deeper(c hidden.Content, how []string, depth int) {
	how = append(how[:len(how):len(how)], c.How)
	if depth == maxDepth {
		g.doubt(fmt.Sprintf("bytes are packed in one another more than %d times", maxDepth))
		return
	}
	if c.Err != nil {
		g.doubt(c.How + ": " + c.Err.Error())
	}
	g.look(c.Bytes, how, depth+1)
}

// text looks into a text.
func (g *glance) text(b []byte, how []string, depth int) {
	if g.spend(len(b)) <= 0 {
		g.doubt(work.UsedUp)
		return
	}
	g.notation(b, how, false)
	hidden.Digits(b, func(c hidden.Content) { g.deeper(c, how, depth) })
	if plain := hidden.Unescaped(b); plain != nil && depth < maxDepth {
		g.look(plain, how, depth+1)
	}
}

// notation looks for what parsing a text would create or run.
func (g *glance) notation(b []byte, how []string, isKnown bool) {
	var does census.Names
	code := format.NoCode
	for _, h := range decoder.ScoutText(b, func(n int) bool { return g.spend(n) > 0 }) {
		if h.IsFile && isKnown {
			continue
		}
		does.Add(h.What+whose[h.Code], 1)
		code = max(code, h.Code)
	}
	if does.Any() {
		g.find(append(how[:len(how):len(how)], "text"), does.String(), code)
	}
}

// values looks for values that begin anywhere in bytes where may allows it.
func (g *glance) values(b []byte, how []string, may func(at int, dialect string) bool) {
	type place struct {
		at      int
		dialect string
	}
	var all []place
	decoder.ScoutBytes(b, func(at int, dialect string) {
		if may(at, dialect) {
			all = append(all, place{at, dialect})
		}
	})
	for i, p := range all {
		if i == maxPlaces || g.budget.IsSpent() {
			g.doubt(work.UsedUp)
			return
		}
		g.budget.SpendReading(objectBytes)
		s := g.open(b[p.at:min(len(b), p.at+objectBytes)], model.Options{Options: decoder.Options{Dialect: p.dialect, Framing: "raw", Input: "binary", Bare: true}}, nil)
		if s == nil || !s.acts() {
			continue
		}
		g.find(append(how[:len(how):len(how)], s.reading), s.briefly(), s.code())
		if s.code() == format.FileCode {
			return
		}
	}
}

// briefly returns what does returns, without the words that are said of everything decoded.
func (s *safety) briefly() string {
	does := strings.TrimPrefix(s.does(), "runs code: ")
	return strings.TrimPrefix(does, "objects: ")
}

// document opens bytes with a signature, and looks into their content.
func (g *glance) document(b []byte, how []string, depth int) {
	if depth == maxDepth {
		g.deeper(hidden.Content{}, how, depth)
		return
	}
	g.budget.SpendReading(int64(len(b)))
	o := model.Options{Options: g.Flags.Options(decoder.Through)}
	o.Dialect, o.Framing, o.Offset, o.Length, o.Input = "", "", 0, 0, "binary"
	o.MaxUnpacked = max(1, g.spend(0))
	s := g.open(b, o, &looking{looker: g.looker, depth: depth + 1})
	if s == nil {
		return
	}
	how = append(how[:len(how):len(how)], s.reading)
	if s.acts() {
		g.find(how, s.briefly(), s.code())
	} else if s.why != "" {
		g.doubt(s.why)
	}
}

// open opens bytes as a document, and finds out what loading it would do. It returns nil if it cannot be
// opened.
func (g *glance) open(b []byte, o model.Options, into *looking) *safety {
	src, err := source.Held(b)
	if err != nil {
		g.doubt(err.Error())
		return nil
	}
	o.ReadOnly, o.Bound, o.Loader = true, true, g.Loader()
	doc, err := model.OpenSource(g.ctx, src, "-", o, nil)
	if err != nil {
		g.doubt(err.Error())
		return nil
	}
	defer doc.Close()
	f := &env.File{Document: doc, Name: "-"}
	s := g.newSafety(f)
	s.reading = f.WrappedIn() + s.reading
	if into != nil {
		err = f.CheckWrappers(g.ctx, new(model.Progress), func(x model.BufferProblem) bool { s.doubt(&x.Problem); return true })
	}
	if err == nil && f.Missing == nil {
		err = (&checker{Env: g.Env}).survey(g.ctx, f, s, into)
	}
	if err != nil {
		g.doubt(err.Error())
		return nil
	}
	return s
}

// unpacked looks for values that begin anywhere in a buffer, including sequences of numbers that are
// neither text nor lists of bytes, and for what is written in a text. Other readings of the buffer itself have
// been judged already. The game would decode the values as it reads the file: in one of some dialects.
func (l *looker) unpacked(t *tree.Tree, dialects []string) (found []finding, why string) {
	const window = 1 << 20
	b := make([]byte, window+objectBytes)
	_, isAudited := t.Reading.(format.Auditor) // what a text creates or runs was found in its values
	for from := t.Region.Offset; from < t.Region.End() && l.ctx.Err() == nil && found == nil; from += window {
		n, _ := t.Source.ReadAt(b[:min(int64(len(b)), t.Region.End()-from)], from)
		g := &glance{looking: looking{looker: l}}
		g.values(b[:n], nil, func(at int, dialect string) bool {
			return from+int64(at) > t.Region.Offset+frameHead && slices.Contains(dialects, dialect)
		})
		if text := cutText(b[:n]); text != nil {
			g.written(text, isAudited)
		}
		found, why = g.found, cmp.Or(why, g.why)
	}
	for i := range found {
		found[i].path = l.locate(t, &found[i])
	}
	return found, why
}

// cutText returns b without characters that are cut off at its ends; nil if it is not text.
func cutText(b []byte) []byte {
	for len(b) > 0 && !utf8.RuneStart(b[0]) {
		b = b[1:]
	}
	for i := 1; i < utf8.UTFMax && i <= len(b); i++ {
		if c := b[len(b)-i]; utf8.RuneStart(c) {
			if !utf8.FullRune(b[len(b)-i:]) {
				b = b[:len(b)-i]
			}
			break
		}
	}
	if !hidden.IsText(b) {
		return nil
	}
	return b
}

// written looks into what a text says besides the texts in it: what parsing it does, and lists of bytes. What it does as a file
// of its own may be known already.
func (g *glance) written(b []byte, isKnown bool) {
	if g.spend(len(b)) <= 0 {
		g.doubt(work.UsedUp)
		return
	}
	g.notation(b, nil, isKnown)
	hidden.Lists(b, func(c hidden.Content) { g.deeper(c, nil, 0) })
}

// maxLocated is the number of children that are looked at, and the number of their bytes, to find a value.
const (
	maxLocated      = 10_000
	maxLocatedBytes = 16 << 20
)

// locate returns the path of the innermost value in which something is found.
func (l *looker) locate(t *tree.Tree, f *finding) string {
	r, n, left := t.NewReader(), t.Base, maxLocated
	for {
		inner := l.childWith(r, n, f, &left)
		if inner == nil {
			return r.Path(n)
		}
		n = inner
	}
}

// childWith returns the child of a value in which something is found; nil if there is none.
func (l *looker) childWith(r *tree.Reader, n *tree.Node, f *finding, left *int) *tree.Node {
	if n.Layout < tree.Sequence {
		return nil
	}
	for c, err := r.Child(n, 0); err == nil && *left > 0; c, err = r.Next(c) {
		*left--
		end, err := r.End(c)
		if err != nil || end-c.Start > maxLocatedBytes {
			return nil
		}
		b := make([]byte, end-c.Start)
		size, _ := r.Tree.Source.ReadAt(b, c.Start)
		g := &glance{looking: looking{looker: &looker{l.checker, l.ctx, work.New(end)}}}
		if g.written(b[:size], false); slices.ContainsFunc(g.found, func(x finding) bool { return x.code == f.code && x.does == f.does }) {
			return c
		}
	}
	return nil
}
