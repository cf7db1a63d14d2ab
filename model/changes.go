package model

import (
	"context"
	"slices"
	"sort"
	"strings"

	"varview/decoder"
	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tempfile"
	"varview/decoder/engine/tree"
	"varview/decoder/wrap/own"
	"varview/model/compare"
	"varview/model/patch"
)

// A ByteChange is a range of bytes that differs from the file.
type ByteChange struct {
	Buffer int
	At     span.Span // in the current bytes
	Was    span.Span // span in the bytes of the file
	New    []byte    // the current bytes, at most MaxChangeBytes of them
	Old    []byte    // the bytes of the file, at most MaxChangeBytes of them
	Path   string    // path of the value that owns the first byte; of a very long path only the beginning and the end
	Field  string    // what the bytes are for: "length", or "length … padding" if there are several fields
}

// MaxChangeBytes is the largest number of bytes in New and Old of a ByteChange.
const MaxChangeBytes = 64

// EachChange calls each for everything that differs from the file, in order, until it returns false: sizes and checksums in the game's own
// bytes around the values come first, as saving will write them.
func (d *Document) EachChange(ctx context.Context, each func(ByteChange) bool) error {
	b := d.ChangedBuffer()
	if b == nil {
		return nil
	}
	return b.eachChange(ctx, b.now.Load(), each)
}

// EachChange calls each for everything that will differ from the file once the transaction is committed.
func (t *Transaction) EachChange(ctx context.Context, each func(ByteChange) bool) error {
	return t.buffer.eachChange(ctx, t.now, each)
}

func (b *Buffer) eachChange(ctx context.Context, v *version, each func(ByteChange) bool) error {
	splices, err := b.differences(v)
	if err != nil {
		return err
	}
	all, err := b.following(ctx, v, len(splices) > 0)
	if err != nil || slices.ContainsFunc(all, func(c ByteChange) bool { return !each(c) }) {
		return err
	}
	return eachChange(b.Number, b.saved, v, splices, each)
}

// following returns what saving a changed version of a buffer would change in the game's own bytes around it.
func (b *Buffer) following(ctx context.Context, v *version, isChanged bool) (all []ByteChange, err error) {
	d := b.Document()
	around := d.Layers[:min(b.Number, len(d.Layers))]
	if !isChanged || !slices.ContainsFunc(around, func(l decoder.Layer) bool { return own.IsBeside(l.Kind) || own.IsCompleted(l.Kind) }) {
		return nil, nil
	}
	f, err := tempfile.Create("")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	written := &version{tree: v.tree, content: v.content, changed: []span.Span{{}}}
	if err := (&Saving{doc: d, buffer: b, v: written}).write(ctx, f, new(Progress)); err != nil {
		return nil, err
	}
	for i, l := range around {
		var said own.Said
		said.Add(l.Layer, i)
		for _, c := range said.Changes {
			all = append(all, ByteChange{Buffer: i, At: c.At, Was: c.Was, New: c.New[:min(len(c.New), MaxChangeBytes)], Old: c.Old[:min(len(c.Old), MaxChangeBytes)], Path: "$", Field: c.Title})
		}
	}
	return all, nil
}

// Effect works out what the edits change besides the bytes that they write. It is nil if no value
// determines how others are read.
func (t *Transaction) Effect(ctx context.Context) (*compare.Effect, error) {
	if _, ok := t.from.tree.Reading.(tree.Described); !ok {
		return nil, nil
	}
	var written []span.Span
	if t.outcome.Steers {
		for _, splices := range t.groups {
			for _, s := range splices {
				written = append(written, s.Span)
			}
		}
	}
	e, err := compare.EffectOf(ctx, t.from.tree, t.now.tree, written)
	if err == nil {
		e.Changes = slices.DeleteFunc(e.Changes, func(c *compare.Change) bool {
			return slices.ContainsFunc(t.ops, func(o patch.Op) bool {
				rest, isIn := strings.CutPrefix(c.Path, o.Path)
				return isIn && (rest == "" || rest[0] == '.' || rest[0] == '[')
			}) || isFollowing(t.from.tree, c)
		})
		e.IsMisread = t.outcome.Misreads && len(e.Changes) > 0
	}
	return e, err
}

// Steers reports whether the edits may change what other values mean.
func (t *Transaction) Steers() bool { return t.outcome.Steers }

// isFollowing reports whether a value without bytes of its own in the file, of which none are seen to be written, follows
// from what is edited.
func isFollowing(was *tree.Tree, c *compare.Change) bool {
	f, ok := was.Reading.(format.Follower)
	return ok && c.A != nil && c.A.Start == c.A.End && f.Follows(was.NewReader(), c.A)
}

// eachChange calls each for the splices that lead from one version of a buffer to another.
func eachChange(buffer int, from, to *version, splices []source.Splice, each func(ByteChange) bool) error {
	is, was := to.tree.NewReader(), from.tree.NewReader()
	by := int64(0)
	for _, s := range splices {
		c := ByteChange{Buffer: buffer, At: span.Span{Offset: s.Offset + by, Length: s.Added()}, Was: s.Span}
		by += s.Added() - s.Length
		var err error
		if c.New, err = readAll(to.content.Slice(firstBytes(c.At))); err != nil {
			return err
		}
		if c.Old, err = readAll(from.content.Slice(firstBytes(c.Was))); err != nil {
			return err
		}
		if c.At.Length > 0 {
			c.Path, c.Field, err = fieldsIn(is, c.At)
		} else {
			c.Path, c.Field, err = fieldsIn(was, c.Was)
		}
		if err != nil {
			return err
		}
		if !each(c) {
			return nil
		}
	}
	return nil
}

// Counts returns the counts before and after a change of a field that counts; ok is false if it is none.
func (c *ByteChange) Counts() (was, is uint64, ok bool) {
	const most = 1 << 24 // more would be the other order of bytes
	if c.Field != "count" || len(c.Old) != len(c.New) || len(c.Old) > 8 {
		return 0, 0, false
	}
	for i := range c.Old {
		was, is = was|uint64(c.Old[i])<<(8*i), is|uint64(c.New[i])<<(8*i)
	}
	return was, is, was < most && is < most
}

func firstBytes(s span.Span) span.Span {
	s.Length = min(s.Length, MaxChangeBytes)
	return s
}

// fieldsIn returns the path of the value that owns the first byte of a span, and the fields from there to
// the last byte.
func fieldsIn(r *tree.Reader, s span.Span) (path, fields string, err error) {
	first, label, err := r.LabelAt(s.Offset)
	if err != nil {
		return "", "", err
	}
	path, fields = r.NextPath(first), label.Label
	if s.End() > label.End() {
		if _, last, err := r.LabelAt(s.End() - 1); err == nil && last.Span != label.Span {
			fields += " … " + last.Label
		}
	}
	return path, fields, nil
}

// ChangedBuffer returns the buffer that differs from the file; nil if there is none. There is at most
// one, since every buffer is unpacked from another or wrapped into it.
func (d *Document) ChangedBuffer() *Buffer {
	for _, b := range d.Buffers {
		if len(b.now.Load().changed) > 0 {
			return b
		}
	}
	return nil
}

// IsModified reports whether the document differs from the file.
func (d *Document) IsModified() bool { return d.ChangedBuffer() != nil }

// AppendChanges appends the ranges within [start, end) that differ from the file. An empty range marks
// where bytes were removed.
func (b *Buffer) AppendChanges(dst []span.Span, start, end int64) []span.Span {
	for _, s := range b.changedFrom(start) {
		if s.Offset >= end {
			break
		}
		dst = append(dst, s)
	}
	return dst
}

// ChangedIn reports whether any byte of [start, end) differs from the file. Removed bytes count where
// they were.
func (b *Buffer) ChangedIn(start, end int64) bool {
	changed := b.changedFrom(start)
	return len(changed) > 0 && changed[0].Offset < end
}

// changedFrom returns the changes that end at or after an offset.
func (b *Buffer) changedFrom(start int64) []span.Span {
	changed := b.now.Load().changed
	return changed[sort.Search(len(changed), func(i int) bool {
		return changed[i].End() > start || changed[i].Length == 0 && changed[i].Offset >= start
	}):]
}

// NextChange returns the first change after an offset, or the first of all; with back, the last one
// before it, or the last of all. ok is false if there is none.
func (b *Buffer) NextChange(off int64, back bool) (at int64, ok bool) {
	changed := b.now.Load().changed
	if len(changed) == 0 {
		return 0, false
	}
	i := sort.Search(len(changed), func(i int) bool { return changed[i].Offset > off })
	if back {
		i = sort.Search(len(changed), func(i int) bool { return changed[i].Offset >= off }) - 1 + len(changed)
	}
	return changed[i%len(changed)].Offset, true
}

// apart is the number of equal bytes that separate two changes.
const apart = 4

// Saved returns the tree of the buffer as it was opened or last saved.
func (b *Buffer) Saved() *tree.Tree { return b.saved.tree }

// CompareDisk says what another program has changed in the file on disk since it was opened or last saved: the first
// values with what they were, and how many. It may run in the background.
func (d *Document) CompareDisk(ctx context.Context) (said string, err error) {
	done, err := d.Use()
	if err != nil {
		return "", err
	}
	defer done()
	src, err := source.OpenFile(d.path)
	if err != nil {
		return "", err
	}
	defer src.Close()
	o := d.options.Options
	o.Defer, o.Outer = 0, d.Outer()
	other, err := decoder.Open(ctx, src, o)
	if err != nil {
		return "", err
	}
	defer other.Close()
	trees, was := other.Buffers(), d.Innermost()
	if other.Missing != nil || d.Missing != nil || len(trees) != len(d.Buffers) || other.Format != d.Format {
		return "it can no longer be read as what it was", nil
	}
	is := trees[was.Number]
	literal := func(n *tree.Node, in *tree.Tree) string {
		if n == nil {
			return "nothing"
		}
		return string(in.NewReader().AppendLiteral(nil, &n.Value, maxDiskLiteral))
	}
	changes, more, err := compare.First(ctx, was.saved.tree, is, compare.Options{SameDialect: true}, maxDiskChanges)
	changes = slices.DeleteFunc(changes, func(c *compare.Change) bool { return c.Note })
	var shown []string
	for _, c := range changes[:min(maxDiskShown, len(changes))] {
		shown = append(shown, c.Path+" "+literal(c.A, was.saved.tree)+" → "+literal(c.B, is))
	}
	switch left := int64(len(changes) - len(shown)); {
	case more:
		shown = append(shown, "and more than "+span.Counted(left, "other value"))
	case len(changes) == 0:
		shown = append(shown, "its values are the same")
	case left > 0:
		shown = append(shown, "and "+span.Counted(left, "other value"))
	}
	return strings.Join(shown, ", "), err
}

// Limits of what CompareDisk says.
const (
	maxDiskShown   = 3
	maxDiskChanges = 1000
	maxDiskLiteral = 30 // bytes of a value
)
