package model

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"varview/decoder"
	"varview/decoder/detect"
	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/value/condition"
	"varview/decoder/wrap/recipe"
	"varview/model/inspect"
	"varview/model/search"
)

// A text can hold values: JSON, Godot's text, the digits of a GameMaker structure. A path leads on into it, and its values
// are found. What is packed or encrypted is opened only where the path says so: PATH@open.

// openStep is the step of a path into what is packed in a value.
const openStep = "@open"

// cutOpen cuts a path at its first @open outside quotes.
func cutOpen(path string) (before, after string, ok bool) {
	for i := range condition.Unquoted(path) {
		if strings.HasPrefix(path[i:], openStep) && (len(path) == i+len(openStep) || strings.IndexByte(".[@", path[i+len(openStep)]) >= 0) {
			return path[:i], path[i+len(openStep):], true
		}
	}
	return path, "", false
}

// into opens the value on the way of a path that holds the rest of it, as a document. It is nil if no value does: the
// path leads to a value of the document itself, or nowhere. r reads the values.
func (d *Document) into(ctx context.Context, r *tree.Reader, path string) (in *Document, at *tree.Node, rest string, err error) {
	if before, rest, ok := cutOpen(path); ok {
		n, err := r.Resolve(before)
		if err == nil && n.Parent == nil {
			n, err = r.Child(n, 0)
		}
		if err != nil {
			return nil, nil, "", err
		}
		in, err := d.openHeld(ctx, r, n)
		if err == nil && (in.Missing != nil || in.IsForeign()) {
			what := in.Title
			if in.Missing != nil {
				what = in.WhyMissing().Message
			}
			in.Close()
			return nil, nil, "", fmt.Errorf("%s: what it holds has no values: %s", r.Path(n), what)
		}
		return in, n, "$" + rest, err
	}
	n, err := r.Resolve("$")
	for rest = tree.Steps(path); err == nil && rest != ""; {
		var next *tree.Node
		if next, rest, err = follow(r, n, rest); next == nil {
			break
		}
		n = next
	}
	if n == nil || rest == "" || tree.IsDeep(path) {
		return nil, nil, "", nil
	}
	in, err = d.openValues(ctx, r, n)
	return in, n, "$" + rest, err
}

// follow takes a step of a path; next is nil, and the path as it was, if there is no such step.
func follow(r *tree.Reader, n *tree.Node, path string) (next *tree.Node, rest string, err error) {
	next, rest, err = r.FollowStep(n, path)
	if err != nil {
		return nil, path, nil
	}
	return next, rest, r.Window().Err()
}

// openHeld opens what a value holds, packed or not.
func (d *Document) openHeld(ctx context.Context, r *tree.Reader, n *tree.Node) (*Document, error) {
	look := r.Look(&n.Value)
	b, at := look.Text, look.Data
	if look.Form != tree.FormHeld && look.Form != tree.FormData {
		text := r.Plain(&n.Value)
		if text.Kind != tree.Text {
			return nil, fmt.Errorf("%s is neither text nor bytes", r.Path(n))
		}
		b, at = bytes.Clone(text.Own), text.Span
	}
	if b == nil {
		if at.Length > MaxCopied {
			return nil, ErrManyBytes
		}
		b = make([]byte, at.Length)
		if _, err := r.Tree.Source.ReadAt(b, at.Offset); err != nil {
			return nil, err
		}
	}
	return d.openBytes(ctx, b, &within{document: d.Name, path: r.Path(n), value: CursorOf(n)})
}

// openBytes opens bytes that a value holds.
func (d *Document) openBytes(ctx context.Context, b []byte, w *within) (*Document, error) {
	src, err := source.Held(b)
	if err != nil {
		return nil, err
	}
	o := Options{within: w, GML: d.options.GML}
	o.Keys, o.Passwords, o.MaxUnpacked = d.options.Keys, d.options.Passwords, d.options.MaxUnpacked
	if step := inspect.Sniff(b[:min(len(b), inspect.SniffSize)]).Packed; step != "" {
		if o.Recipe, err = recipe.New(step, nil, recipe.Step{Step: step}); err != nil {
			return nil, err
		}
	}
	return OpenSource(ctx, src, "-", o, nil)
}

// openValues opens the values in a text; nil if it holds none, or if they have a problem.
func (d *Document) openValues(ctx context.Context, r *tree.Reader, n *tree.Node) (*Document, error) {
	if look := r.Look(&n.Value); look.Form != tree.FormHeld || !looksHeld(ctx, r, look) {
		return nil, ctx.Err()
	}
	in, err := d.openHeld(ctx, r, n)
	if err != nil {
		return nil, err
	}
	whole := in.Missing == nil && !in.IsForeign() && in.Confidence == detect.Certain && in.hasContainer()
	if whole {
		whole, err = in.IsWhole(ctx)
	}
	if !whole || err != nil {
		return nil, errors.Join(err, in.Close())
	}
	return in, nil
}

// hasContainer reports whether the first value of a document has children.
func (d *Document) hasContainer() bool {
	r := d.Innermost().Tree().NewReader()
	n, err := r.Resolve("$")
	return err == nil && n.Layout >= tree.Sequence
}

// maxHeld is the length in bytes of the longest text that is opened unasked.
const maxHeld = 4 << 20

// looksHeld reports whether a text may be values as a whole: in brackets that are closed, or digits of what may be some.
func looksHeld(ctx context.Context, r *tree.Reader, look tree.Look) bool {
	b := look.Text
	if b == nil && look.Data.Length <= maxHeld {
		b = source.Read(r.Tree.Source, look.Data)
	}
	if b = bytes.TrimSpace(b); len(b) == 0 {
		return false
	}
	if b[0] == '{' || b[0] == '[' {
		return bytes.IndexByte([]byte("]}"), b[len(b)-1]) >= 0
	}
	if len(b)%2 > 0 || len(bytes.Trim(b, "0123456789ABCDEFabcdef")) > 0 {
		return false
	}
	may, err := decoder.MayHoldSound(ctx, source.Bytes(b), span.Between(0, int64(len(b))))
	return may || err != nil
}

// Reach returns the document in which a path ends, and the path there: d itself, or what one of its values holds. done
// closes what was opened.
func (d *Document) Reach(ctx context.Context, path string) (in *Document, rest string, done func(), err error) {
	var opened []*Document
	done = func() {
		for _, x := range opened {
			x.Close()
		}
	}
	for in = d; ; {
		r := in.Innermost().Tree().NewReader()
		if _, _, asks := cutOpen(path); !asks {
			if _, err := r.Resolve(path); err == nil {
				return in, path, done, nil
			}
		}
		next, _, rest, err := in.into(ctx, r, path)
		if next == nil || err != nil {
			return in, path, done, err
		}
		opened = append(opened, next)
		in, path = next, rest
	}
}

// HolderOf returns the value on the way of a path that holds the rest of it; nil if none does.
func (d *Document) HolderOf(ctx context.Context, path string) *tree.Node {
	in, at, rest, err := d.into(ctx, d.Innermost().Tree().NewReader(), path)
	if in == nil || err != nil {
		return nil
	}
	defer in.Close()
	if _, err = in.Innermost().Resolve(rest); err != nil && in.HolderOf(ctx, rest) == nil {
		return nil
	}
	return at
}

// SeekHeld searches what the texts of the document hold. It returns the first one with a hit, and the path of that.
func (d *Document) SeekHeld(ctx context.Context, q search.Query) (at *tree.Node, path string, err error) {
	found := errors.New("found")
	err = d.EachHeld(ctx, func(in *Document, holder *tree.Node) error {
		hit, _, err := in.Innermost().Seek(ctx, q, search.Spot{}, new(Progress))
		if err != nil {
			return ctx.Err() // that there is none ends nothing
		}
		at, path = holder, d.Innermost().Tree().NewReader().Path(holder)
		if hit.Node != nil {
			path += strings.TrimPrefix(strings.TrimSuffix(in.Innermost().Tree().NewReader().Path(hit.Node), "@key"), "$")
		}
		return found
	})
	if errors.Is(err, found) {
		err = nil
	}
	return at, path, err
}

// mayLead reports whether a path can lead into what a value holds.
func (t *Transaction) mayLead(path string) bool {
	if _, _, asks := cutOpen(path); asks || tree.IsDeep(path) {
		return asks
	}
	_, err := t.read.Resolve(path)
	return err != nil
}

// IsWithin reports whether a path leads into what a value holds.
func (t *Transaction) IsWithin(ctx context.Context, path string) bool {
	if _, _, asks := cutOpen(path); asks || !t.mayLead(path) {
		return asks
	}
	in, _, _, err := t.doc.into(ctx, t.read, path)
	if in != nil {
		in.Close()
	}
	return in != nil && err == nil
}

// SetWithin does what SetAll does, also to values in what a value holds.
func (t *Transaction) SetWithin(ctx context.Context, path, value string, o edit.Options) (Changed, error) {
	return t.Within(ctx, path, func(in *Transaction, rest string) (Changed, error) { return in.SetAll(ctx, rest, value, o) })
}

// Within lets do edit what the value on the way of a path holds, at the rest of the path, and puts that back; t itself if
// no value does.
func (t *Transaction) Within(ctx context.Context, path string, do func(in *Transaction, rest string) (Changed, error)) (Changed, error) {
	n, done, err := t.EachWithin(ctx, []string{path}, func(in *Transaction, _ int, rest string) (Changed, error) { return do(in, rest) })
	if n > 0 || err != nil {
		return done, err
	}
	return do(t, path)
}

// EachWithin lets do edit what the value on the way of the first path holds: at the rest of that path, and of those right after
// it that lead into the same value. Then it puts that back, once, and returns the number of these paths. It is 0 if no
// value is on the way.
func (t *Transaction) EachWithin(ctx context.Context, paths []string, do func(inner *Transaction, i int, rest string) (Changed, error)) (n int, done Changed, err error) {
	if !t.mayLead(paths[0]) {
		return 0, done, nil
	}
	in, at, rest, err := t.doc.into(ctx, t.read, paths[0])
	if _, _, asks := cutOpen(paths[0]); err != nil && !asks { // why it leads nowhere is said of the path as a whole
		return 0, done, nil
	}
	if in == nil || err != nil {
		return 0, done, err
	}
	var failed error
	before := strings.TrimSuffix(paths[0], rest[len("$"):])
	for n = 1; n < len(paths) && leadsOn(paths[n], before); n++ {
	}
	done, err = t.putBack(ctx, in, at, func(inner *Transaction) (all Changed, _ error) {
		rests := make([]string, n)
		for i, path := range paths[:n] {
			rests[i] = "$" + path[len(before):]
		}
		for i := 0; i < n && failed == nil; {
			deeper, done, err := inner.EachWithin(ctx, rests[i:], func(x *Transaction, k int, rest string) (Changed, error) { return do(x, i+k, rest) })
			if deeper == 0 && err == nil {
				deeper = 1
				done, err = do(inner, i, rests[i])
			}
			i, failed = i+deeper, err
			all.Values, all.Inside = all.Values+done.Values, all.Inside+done.Inside
		}
		return all, failed
	})
	if err != nil && failed == nil {
		err = fmt.Errorf("%s: %w", paths[0], err)
	}
	return n, done, err
}

// leadsOn reports whether a path leads into what the value holds that is before the rest of another one.
func leadsOn(path, before string) bool {
	rest, ok := strings.CutPrefix(path, before)
	if !ok || rest == "" {
		return ok && strings.HasSuffix(before, openStep)
	}
	return rest[0] == '.' || rest[0] == '[' || rest[0] == '@' && strings.HasSuffix(before, openStep)
}

// putBack lets do edit what a value holds, and puts it back. It closes the inner document.
func (t *Transaction) putBack(ctx context.Context, in *Document, at *tree.Node, do func(*Transaction) (Changed, error)) (done Changed, err error) {
	defer func() { err = errors.Join(err, in.Close()) }()
	inner, err := in.Begin(in.Innermost())
	if err != nil {
		return done, err
	}
	inner.Progress = t.Progress
	if done, err = do(inner); err != nil {
		return done, err
	}
	sums, err := inner.Follow(ctx)
	if err != nil {
		return done, err
	}
	for _, s := range sums {
		t.sums = append(t.sums, s.Within(in.options.within.path))
	}
	t.outcome.Followed = append(t.outcome.Followed, inner.outcome.Followed...)
	if in, err = inner.Commit(ctx, "edit", Cursor{}, Cursor{}); err != nil {
		return done, err
	}
	src, err := source.Written(func(f *os.File) error { return in.WriteTo(ctx, f, SaveOptions{}, new(Progress)) })
	if err != nil {
		return done, err
	}
	defer src.Close()
	b, err := heldBytes(src)
	if err != nil {
		return done, err
	}
	if look := t.read.Look(&at.Value); look.Form != tree.FormHeld && look.Form != tree.FormData {
		return done, t.Set(ctx, at, edit.Content{Literal: string(tree.AppendQuoted(nil, b))}, edit.Options{})
	}
	return done, t.SetBytes(ctx, at, b)
}

// heldBytes reads what a value is to hold.
func heldBytes(src source.Source) ([]byte, error) {
	if src.Size() > MaxCopied {
		return nil, ErrManyBytes
	}
	return readAll(src)
}

// maxHolder is the size in bytes of the largest buffer whose texts are searched for values.
const maxHolder = 16 << 20

// EachHeld calls each with the documents that the texts of d hold, and the values that hold them. They are closed
// afterwards. Those of a d that is very large are left out.
func (d *Document) EachHeld(ctx context.Context, each func(in *Document, at *tree.Node) error) error {
	b := d.Innermost()
	if d.Missing != nil || d.IsForeign() || b.Tree().Region.Length > maxHolder {
		return nil
	}
	r := b.Tree().NewReader()
	var err error
	places, known := d.texts[b.Tree()]
	if !known {
		places, err = holders(ctx, r)
	}
	failed := d.openEach(ctx, r, places, func(in *Document, at holder) error { return each(in, at.Node) })
	return cmp.Or(failed, err)
}

// openEach calls do with what each of some texts holds, and closes it, until do returns an error.
func (d *Document) openEach(ctx context.Context, r *tree.Reader, places []holder, do func(in *Document, at holder) error) error {
	for _, at := range places {
		in, err := d.openValues(ctx, r, at.Node)
		if in == nil && err == nil {
			continue
		}
		if err == nil {
			err = cmp.Or(do(in, at), in.Close())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// BuildIndex builds the index of the innermost buffer, and finds the texts for EachHeld in the same pass. It must not be called
// by several goroutines at once.
func (d *Document) BuildIndex(ctx context.Context) error {
	t := d.Innermost().Tree()
	if d.Missing == nil && !d.IsForeign() && t.Region.Length <= maxHolder {
		all, err := holders(ctx, t.NewReader())
		if err != nil {
			return err
		}
		d.texts = map[*tree.Tree][]holder{t: all}
	}
	return t.BuildIndex(ctx)
}

// InTexts returns how many of the values at some paths, each of which can stand for many, are in texts that hold values.
func (t *Transaction) InTexts(ctx context.Context, paths []string) (n int, err error) {
	for _, path := range paths {
		if !tree.IsPattern(path) {
			continue
		}
		err := t.doc.EachReached(ctx, path, func(in *Document, rest string) error {
			if in == t.doc {
				return nil
			}
			return in.Innermost().Tree().NewReader().EachAt(ctx, rest, func(*tree.Node) error { n++; return nil })
		})
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// EachReached calls each with the document in which a path ends, as Reach returns it, and the path there. If that stands
// for many values, it also does so for the texts on its way that hold values. The error tree.ErrNoMatch of each means that
// there is nothing; it is returned if there is nothing anywhere.
func (d *Document) EachReached(ctx context.Context, path string, each func(in *Document, rest string) error) error {
	in, path, done, err := d.Reach(ctx, path)
	if err != nil {
		return err
	}
	defer done()
	err = each(in, path)
	if !tree.IsPattern(path) || err != nil && err != tree.ErrNoMatch || in.Missing != nil || in.Innermost().Tree().Region.Length > maxHolder {
		return err
	}
	r := in.Innermost().Tree().NewReader()
	places, held := holdersAt(ctx, r, path)
	failed := in.openEach(ctx, r, places, func(inner *Document, at holder) error {
		switch found, missing := inner.EachReached(ctx, at.rest, each), (*tree.PathError)(nil); {
		case found == nil:
			err = nil
		case found != tree.ErrNoMatch && !errors.As(found, &missing):
			return found
		}
		return nil
	})
	return cmp.Or(failed, held, err)
}

// A holder is a text that may hold values.
type holder struct {
	*tree.Node
	rest string // of the path that leads to it, for what it holds
}

// addTo returns a function that adds texts to a list.
func addTo(all *[]holder) func(n *tree.Node, rest string) error {
	return func(n *tree.Node, rest string) error {
		*all = append(*all, holder{n, rest})
		return nil
	}
}

// holdersAt returns the texts on the way of a path for many values.
func holdersAt(ctx context.Context, r *tree.Reader, path string) (all []holder, err error) {
	p, err := tree.ParsePattern(path)
	if err == nil {
		err = p.EachInto(ctx, r.Tree.NewReader(), func(*tree.Node) error { return nil }, addTo(&all))
	}
	return all, err
}

// holders returns the texts that may hold values.
func holders(ctx context.Context, r *tree.Reader) (all []holder, err error) {
	add := addTo(&all)
	return all, r.PassHolders(ctx, func(n *tree.Node) error { return add(n, "") })
}

// setInHeld lets set change what the texts in places hold, which were found before other values were set. The error none of set
// says that there is nothing to change.
func (t *Transaction) setInHeld(ctx context.Context, places []holder, none error, set func(inner *Transaction, rest string) (Changed, error)) (done Changed, err error) {
	var at [][]int64
	for _, n := range places {
		at = append(at, n.Indexes())
	}
	for i, place := range at {
		n, err := t.read.AtIndexes(place)
		if errors.Is(err, tree.ErrNoChild) { // what it was in is set
			continue
		}
		if err != nil {
			return done, err
		}
		in, err := t.doc.openValues(ctx, t.read, n)
		if in == nil && err == nil {
			continue
		}
		if err != nil {
			return done, err
		}
		more, err := t.putBack(ctx, in, n, func(inner *Transaction) (Changed, error) { return set(inner, places[i].rest) })
		if missing := (*tree.PathError)(nil); errors.Is(err, none) || errors.As(err, &missing) {
			continue
		}
		if err != nil {
			return done, err
		}
		done.Values, done.Inside = done.Values+more.Values, done.Inside+more.Inside
	}
	return done, cmp.Or(ctx.Err(), t.read.Window().Err())
}
