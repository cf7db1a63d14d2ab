package cli

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/spf13/cobra"

	"varview/cli/env"
	"varview/cli/files"
	"varview/cli/flags"
	"varview/cli/output"
	"varview/decoder"
	"varview/decoder/engine/parallel"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/value/condition"
	"varview/internal/text"
	"varview/model"
	"varview/model/messages"
	"varview/model/search"
)

const findLong = `Print the values in which a query is found: path, offset, value. A text is found
in keys and strings, in any case if it has no capitals, and a number also in
vectors and packed arrays.

  gold "iron sword"      both texts; "gold | silver" is one of them, -gold not
  /^slot\d+$/            a regular expression
  >100 <=5 =0x1f         numbers; ="Mira" a whole text
  hp>100 name~"^Mi"      the value of a key, which contains this text
  [hp<10 && tags#>0]     what has values that meet a condition
  key:hp value:5         in the key only, in the value only
  type:Vector3           the type, with * and ?; path:*.hp the path
  has:problem            a problem that "check" reports
  x:1b 00 ?? ff          bytes

With several files, or a folder, each hit follows the name of its file.

--only PATH searches only the values at a path, which can stand for many, as in
'..enemies[hp<10]', and what is in them, also in what is packed in a value:
'save@open.items'.

` + condition.Help + `

Several terms must all be found in the same value; parentheses group them. Write
-- before a query that begins with -. The exit status is 1 if nothing is found.`

const findExample = `  varview find savegame.dat gold
  varview find savegame.dat 'key:hp <10'
  varview find savegame.dat 'type:Vector3 path:*.player.*' --json
  varview find saves/ 'key:gold >1000'
  varview find -l --null saves/ 'type:Object' | xargs -0 rm
  varview find savegame.dat sword --only '..enemies[hp<10]'
  varview find savegame.dat -- -type:int`

type findOptions struct {
	json   bool
	names  bool // print the names of files with hits
	counts bool // print the number of hits in each file
	nul    bool // names end with a NUL
	files.Selected
	only   string // a path
	limit  int
	buffer int
	one    bool   // whether only the buffer with this number is searched
	label  string // name of the file, if there are several
}

// isAll reports whether all values at the path are meant: a single FILE has no QUERY.
func (o *findOptions) isAll(args []string) bool {
	return o.only != "" && len(args) == 1 && !o.IsUsed()
}

func (e commands) findCommand() *cobra.Command {
	var o findOptions
	cmd := &cobra.Command{
		Use:     "find FILE... QUERY",
		Short:   "Find values by text, number, type, path or bytes",
		Long:    findLong,
		Example: findExample,
		Args: func(cmd *cobra.Command, args []string) error {
			if o.isAll(args) {
				return nil
			}
			return flags.WantsFiles(&o.Selected, 1, "a FILE and a QUERY")(cmd, args)
		},
		ValidArgsFunction: flags.CompleteFiles(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.one = cmd.Flags().Changed("buffer")
			if cmd.Flags().Changed("limit") && o.limit < 1 {
				return fmt.Errorf("--limit: at least 1, not %d", o.limit)
			}
			if o.nul && !o.names {
				return errors.New("--null is about the names that --files-with-matches prints")
			}
			if o.names {
				o.limit = 1
			}
			if o.isAll(args) {
				args = append(args, "type:*")
			}
			return e.find(cmd.Context(), args[:len(args)-1], args[len(args)-1], o)
		},
	}
	cmd.Flags().BoolVar(&o.json, "json", false, "one JSON object per hit")
	cmd.Flags().BoolVarP(&o.names, "files-with-matches", "l", false, "only the names of the files in which something is found")
	cmd.Flags().BoolVarP(&o.nul, "null", "0", false, "with -l, end each name with a NUL, as xargs -0 wants it")
	cmd.Flags().BoolVarP(&o.counts, "count", "c", false, "only how many hits there are, in each file")
	cmd.MarkFlagsMutuallyExclusive("json", "files-with-matches", "count")
	cmd.Flags().StringVar(&o.only, "only", "", "only hits in the values at `PATH`, which can stand for many; without QUERY all values there")
	cmd.Flags().IntVar(&o.limit, "limit", 0, "end after `N` hits in a file (default: all)")
	cmd.Flags().IntVar(&o.buffer, "buffer", 0, "search the buffer with the number `N`, 0 for the file itself (default: that with the values)")
	o.Register(cmd)
	e.RegisterQuiet(cmd)
	e.RegisterPath(cmd, "only")
	for _, name := range []string{"buffer", "limit"} {
		cmd.RegisterFlagCompletionFunc(name, cobra.NoFileCompletions)
	}
	return cmd
}

// find prints the hits in all files.
func (e commands) find(ctx context.Context, names []string, typed string, o findOptions) error {
	if err := messages.CheckQuery(typed); err != nil {
		return fmt.Errorf("query: %w", err)
	}
	var hits atomic.Int64
	err := o.Each(ctx, e.Env, e.Out(o.json || o.nul), names, func(ctx context.Context, one *env.Env, f files.File, out io.Writer) error {
		n, err := commands{one}.findIn(ctx, f, typed, o, out)
		hits.Add(n)
		return err
	})
	if err == nil && hits.Load() == 0 {
		if before, _, _ := strings.Cut(typed, "["); tree.HasConditions(typed) && before != "" && !strings.ContainsAny(before, `: |("-`) {
			e.Tell("no value contains the text %q; to search for a path, write path:%[1]s", typed)
		}
		return env.ErrProblems
	}
	return err
}

// findIn prints the hits in one file. In a folder, it skips files that are not saves.
func (e commands) findIn(ctx context.Context, file files.File, typed string, o findOptions, out io.Writer) (hits int64, err error) {
	f, err := e.OpenFile(ctx, file.Path, decoder.Settle)
	if err != nil {
		return 0, err
	}
	defer f.Finish(&err)
	if file.Folder != "" && f.IsOther() {
		return 0, nil
	}
	if o.only, err = f.Into(ctx, o.only); err != nil {
		return 0, err
	}
	if !o.one {
		o.buffer = len(f.Buffers) - 1
		if err := f.CheckReadable(); err != nil {
			return 0, err
		}
	}
	e.WarnOfGuess(f)
	b, err := env.BufferOf(f.Document, o.buffer)
	if err != nil {
		return 0, err
	}
	if file.IsOneOf {
		o.label = file.Path
	}
	q, err := search.ParseQueryOf(b.Tree(), typed)
	if err != nil {
		if file.Folder != "" && errors.As(err, &search.ErrUnknownPrefix{}) {
			return 0, nil // only captures have it
		}
		return 0, fmt.Errorf("query: %w", err)
	}
	p, err := e.newHitPrinter(ctx, b, o, out)
	if p.path = f.PathOf; err == nil && o.only != "" {
		p.within, err = search.NewOnly(ctx, o.only, b.Tree())
	}
	if errors.Is(err, tree.ErrNoMatch) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	index := f.Document.BuildIndex // it finds ends of values and their paths quickly
	if o.one {
		index = p.in.Tree().BuildIndex
	}
	if err := index(ctx); err != nil {
		return 0, err
	}
	if err := e.printHits(ctx, f, q, p, o); err != nil {
		return 0, err
	}
	if err := p.end(); err != nil || !o.names && !o.counts {
		return int64(p.hits), err
	}
	return int64(p.hits), p.sum(file.Path)
}

// printHits prints the hits of a query in a file, and in the values that its texts hold.
func (e commands) printHits(ctx context.Context, f *env.File, q search.Query, p *hitPrinter, o findOptions) error {
	var progress model.Progress
	p.quiet = sync.OnceFunc(e.Watch(progress.Share, "searching", f.Name))
	err := p.in.Matches(ctx, q, parallel.Workers(), &progress, p.print)
	if err == nil && p.err == nil && !o.one && (o.limit == 0 || p.hits < o.limit) {
		err = p.inTexts(ctx, f.Document, q)
	}
	p.quiet()
	return cmp.Or(err, p.err, ctx.Err())
}

// inTexts prints the hits in the values that the texts of a document hold. Their paths lead on from those of the texts.
func (p *hitPrinter) inTexts(ctx context.Context, doc *model.Document, q search.Query) error {
	outer, number := p.reader, p.in.Number
	return doc.EachHeld(ctx, func(in *model.Document, at *tree.Node) error {
		held := outer.Look(&at.Value).Data
		p.in, p.reader = in.Innermost(), in.Innermost().Tree().NewReader()
		p.of = func(f *output.Found) {
			f.Path = outer.Path(at) + strings.TrimPrefix(f.Path, "$")
			f.Buffer, f.Span = number, held
		}
		if p.hits == p.limit && p.limit > 0 {
			return nil
		}
		return p.in.Matches(ctx, q, 1, new(model.Progress), p.print)
	})
}

// sum prints the name of a file with hits, or their number.
func (p *hitPrinter) sum(name string) (err error) {
	if p.nul && p.hits > 0 {
		_, err = io.WriteString(p.to, name+"\x00")
		return err
	}
	switch name = text.Clean(env.DisplayName(name)); {
	case p.names && p.hits > 0:
		_, err = fmt.Fprintln(p.to, name)
	case p.counts && p.label != "":
		_, err = fmt.Fprintf(p.to, "%s: %d\n", name, p.hits)
	case p.counts:
		_, err = fmt.Fprintln(p.to, p.hits)
	}
	return err
}

// A hitPrinter prints hits.
type hitPrinter struct {
	findOptions
	to     io.Writer
	ctx    context.Context
	in     *model.Buffer
	within *search.Only // nil for all values
	reader *tree.Reader
	out    *bufio.Writer
	table  *output.HitTable    // nil for JSON
	quiet  func()              // ends the display of progress
	path   func(string) string // returns the path in the file of one in the document
	of     func(*output.Found) // puts a hit where the text is that holds it; nil for the document's own
	hits   int
	line   []byte
	err    error
}

func (e commands) newHitPrinter(ctx context.Context, b *model.Buffer, o findOptions, out io.Writer) (*hitPrinter, error) {
	p := &hitPrinter{findOptions: o, to: out, ctx: ctx, in: b, reader: b.Tree().NewReader(), out: bufio.NewWriterSize(out, 64<<10)}
	if o.json || o.names || o.counts {
		return p, nil
	}
	colors, err := e.Palette()
	p.table = output.NewHitTable(p.out, o.label, b.Size(), colors, e.TerminalWidth())
	return p, err
}

// print prints a hit. It reports whether to go on.
func (p *hitPrinter) print(h search.Hit) bool {
	var f *output.Found
	sums := p.names || p.counts
	if !sums || p.within != nil {
		f, p.err = p.found(h)
	}
	if p.err == nil && p.within != nil && !p.within.Has(f.Path) {
		return p.ctx.Err() == nil
	}
	if p.hits++; sums || p.err != nil {
		return p.err == nil && p.hits != p.limit && p.ctx.Err() == nil
	}
	p.quiet()
	var err error
	switch f.Path = p.path(f.Path); {
	case p.table != nil:
		err = p.table.Write(f)
	default:
		p.line = output.AppendFoundJSON(p.line[:0], f, p.label)
		_, err = p.out.Write(p.line)
	}
	p.err = err
	return err == nil && p.hits != p.limit && p.ctx.Err() == nil
}

// end prints what is left.
func (p *hitPrinter) end() error {
	if p.table != nil {
		if err := p.table.Flush(); err != nil {
			return err
		}
	}
	return p.out.Flush()
}

// found describes a hit. A hit in a key is described by the value that has the key.
func (p *hitPrinter) found(h search.Hit) (*output.Found, error) {
	r, n, err := p.reader, h.Node, error(nil)
	if n == nil {
		if n, err = r.At(h.Offset); err != nil {
			return nil, err
		}
	}
	if h.IsValue && n.End == tree.Unknown {
		end, err := r.End(n)
		if err != nil {
			return nil, err
		}
		h.Span = span.Between(n.Start, end)
	}
	if n.Slot.Key {
		switch value, err := r.Next(n); {
		case err == nil:
			n = value
		case !errors.Is(err, tree.ErrNoChild): // the bytes end after the key
			return nil, err
		}
	}
	f := &output.Found{Span: h.Span, Buffer: p.in.Number, Path: r.NextPath(n)}
	if h.Node == nil && p.isInGap(h.Offset) {
		f.Type, f.Literal = []byte("bytes"), excerpt(r.Window(), h.Span)
		return f, nil
	}
	f.Type, f.Literal = r.Tree.AppendType(nil, r.Window(), &n.Value), r.AppendLiteral(nil, &n.Value, output.MaxLiteral)
	if p.json {
		f.Plain = r.AppendMeaningJSON(nil, &n.Value, output.MaxPlain)
	}
	if p.of != nil {
		p.of(f)
	}
	return f, nil
}

// isInGap reports whether no value claims the byte at an offset.
func (p *hitPrinter) isInGap(off int64) bool {
	_, f, err := p.reader.FieldAt(off)
	return err == nil && f.Kind == span.Gap
}

// excerpt returns the bytes around a hit as text, with a point for each that is no letter or sign of ASCII.
func excerpt(w *source.Window, at span.Span) []byte {
	const around = 24
	from := max(0, at.Offset-around)
	b := slices.Clone(w.View(from, min(at.End()+around, w.Size(), from+output.MaxLiteral)-from))
	for i, c := range b {
		if c < ' ' || c > '~' {
			b[i] = '.'
		}
	}
	return b
}
