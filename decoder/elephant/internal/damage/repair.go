// Package damage lists the suspects of a damaged block, the fields that may be the cause of
// its problems, and repairs problems.
package damage

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"varview/decoder/edit"
	"varview/decoder/elephant/internal/block"
	"varview/decoder/elephant/internal/datatype"
	blockedit "varview/decoder/elephant/internal/edit"
	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// A repairer repairs one problem.
type repairer struct {
	*blockedit.Editor
	ctx   context.Context
	f     *block.Reading
	r     *tree.Reader
	w     *source.Window
	n     *tree.Node // the value that the problem was reported for
	p     *span.Problem
	drops string
}

// Why a repair cannot be made.
var (
	errNoRepair = errors.New("there is no repair for this")
	errStale    = errors.New("the bytes have changed since this was reported")
)

// repairs holds the repair of each problem code.
var repairs = map[string]func(*repairer) error{
	block.WrongHeader:   (*repairer).header,
	block.WrongVersion:  (*repairer).version,
	block.WrongFooter:   (*repairer).footer,
	block.MissingFooter: (*repairer).footer,
	block.ForeignTag:    (*repairer).foreignTag,
	block.Dangling:      (*repairer).noReference,
	block.RefKind:       (*repairer).refTag,
	block.CtorIndex:     (*repairer).ctorIndex,
	block.WrongSkip:     (*repairer).wrongSkip,
	span.BoolValue:      (*repairer).bools,
	span.InvalidUTF8:    (*repairer).text,
	span.RepeatedKey:    (*repairer).repeated,
	span.TrailingBytes:  (*repairer).trailing,
	span.Truncated:      (*repairer).cut,
	span.LengthOverrun:  (*repairer).cut,
	span.MissingValue:   (*repairer).cut,
}

// Repair repairs a problem of n; see edit.Repairer. One repair of missing bytes repairs
// everything that they leave open.
func Repair(ctx context.Context, f *block.Reading, r *tree.Reader, n *tree.Node, p *span.Problem) (edit.Repair, error) {
	repair, ok := repairs[p.Code]
	if !ok {
		return edit.Repair{}, errNoRepair
	}
	if p.Offset < 0 || p.Length < 0 || p.End() > r.Tree.Source.Size() {
		return edit.Repair{}, errStale
	}
	editor := blockedit.New(ctx, f, r, edit.Options{Orphans: edit.Inherit})
	own := editor.Reader()
	e := &repairer{Editor: editor, ctx: ctx, f: f, r: own, w: own.Window(), n: n, p: p}
	if err := repair(e); err != nil {
		return edit.Repair{}, err
	}
	splices, err := e.Finish()
	return edit.Repair{Splices: splices, Loss: e.drops}, err
}

// block returns the block itself.
func (e *repairer) block() *tree.Value { return &e.r.Tree.Base.Value }

// write replaces bytes on which nothing depends.
func (e *repairer) write(s span.Span, b ...byte) error {
	e.PutBytes(e.block(), s.Offset, s.Length, b...)
	return nil
}

func (e *repairer) header() error {
	at := e.block().Head
	if e.block().Body-at < block.HeaderSize {
		return errStale
	}
	return e.write(span.Span{Offset: at, Length: 4}, []byte(e.f.Header.RightMagic(e.f.RightVersion()))...)
}

func (e *repairer) version() error {
	at := e.block().Head
	if e.block().Body-at < block.HeaderSize {
		return errStale
	}
	return e.write(span.Span{Offset: at + 4, Length: 4}, binary.LittleEndian.AppendUint32(nil, e.f.RightVersion().Version)...)
}

// footer puts the footer in place of the bytes at its place, or before them.
func (e *repairer) footer() error {
	at := e.p.Offset
	left := e.r.Tree.Region.End() - at
	if left < 0 {
		return errStale
	}
	if e.p.Settled && (left == 0 || left > int64(len(block.MagicFooter))) { // its place is not known
		return errNoRepair
	}
	if foot := e.w.View(at, min(left, 4)); !block.IsFooterLike(string(foot), left) {
		return e.write(span.Span{Offset: at}, []byte(block.MagicFooter)...)
	}
	return e.write(span.Span{Offset: at, Length: min(left, 4)}, []byte(block.MagicFooter)...)
}

// fewBytes is the number of non-zero bytes up to which their loss is not mentioned.
const fewBytes = 16

// trailing removes the bytes after the footer, or between the value and a footer that ends
// the block.
func (e *repairer) trailing() error {
	if e.p.Settled {
		return e.afterFooter()
	}
	base, err := e.r.Finish(e.r.Tree.Base)
	if err != nil {
		return err
	}
	end := e.r.Tree.Region.End()
	h := &e.f.Header
	switch {
	case !h.Footed:
		return e.write(span.Between(base.Tail, end))
	case h.AtEnd:
		return e.write(span.Between(base.Tail, base.Limit))
	}
	return e.write(span.Between(base.Tail, end), []byte(block.MagicFooter)...)
}

// afterFooter removes the bytes after the footer, from the place where they were found.
func (e *repairer) afterFooter() error {
	rest := span.Between(e.p.Offset, e.r.Tree.Region.End())
	if foot := int64(len(block.MagicFooter)); rest.Offset < foot || string(e.w.View(rest.Offset-foot, foot)) != block.MagicFooter {
		return errStale
	}
	switch {
	case block.IsBlock(e.w.View(rest.Offset, min(rest.Length, block.HeaderSize))):
		e.drop("the block that begins after the footer, " + span.Bytes(rest.Length))
	case rest.Length > fewBytes && e.w.ZerosBefore(rest.Offset, rest.End()) < rest.Length:
		e.drop(span.Bytes(rest.Length) + " after the footer")
	}
	return e.write(rest)
}

func (e *repairer) foreignTag() error {
	tag := e.w.Byte(e.p.Offset)
	if !e.f.Rules.IsForeign(tag) || e.p.Length != 1 {
		return errStale
	}
	return e.write(e.p.Span, e.f.Rules.NativeTag(tag))
}

// wrongSkip removes a number from a list of skipped members.
func (e *repairer) wrongSkip() error {
	v := &e.n.Value
	if v.Flags&block.BySchema == 0 || v.Layout != tree.Sequence || !e.f.Rules.Skips {
		return errStale
	}
	if list := e.SkipList(v); e.p.Offset < list.Offset || e.p.End() > list.End() || e.p.Length != 2 {
		return errStale
	}
	e.Put(v, e.p.Span)
	return nil
}

// bools sets a bool to 1, or all odd bools of an array, the first of which was reported.
func (e *repairer) bools() error {
	array := e.n
	if array.Parent != nil && array.Parent.Layout == tree.Fixed {
		array = array.Parent
	}
	if array.Type != datatype.Bool && (array.Type != datatype.Array || array.Layout != tree.Fixed || datatype.ID(array.Sub) != datatype.Bool) {
		return errStale
	}
	at, end := e.p.Offset, e.p.End()
	if array.Layout == tree.Fixed {
		end = array.Tail
	}
	for at < end {
		b := e.w.View(at, end-at)
		if len(b) == 0 {
			break
		}
		for i, c := range b {
			if c > 1 {
				e.PutBytes(&array.Value, at+int64(i), 1, 1)
			}
		}
		at += int64(len(b))
	}
	return e.w.Err()
}

// maxBadBytes is the number of bytes of a text that are replaced at most. Bytes with more
// errors are not text.
const maxBadBytes = 1 << 16

// text replaces each byte of a text or a name that is not valid UTF-8.
func (e *repairer) text() error {
	start, end := e.n.Body, e.n.Tail-1
	switch {
	case e.n.Damage != nil, !datatype.IsText(e.n.Type) && e.n.Type != datatype.MemberName:
		return errStale
	case e.n.Type == datatype.MemberName:
		start = e.n.Start
	}
	for count := 0; ; count++ {
		bad, _ := tree.ScanText(e.w, start, end-start, tree.RuneSize)
		if bad == tree.Unknown {
			return e.w.Err()
		}
		if count == maxBadBytes {
			return fmt.Errorf("more than %d bytes of this text are not valid UTF-8; it may not be text", maxBadBytes)
		}
		e.PutBytes(e.block(), bad, 1, []byte("\ufffd")...)
		start = bad + 1
	}
}
