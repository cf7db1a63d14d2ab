package elephant

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"varview/decoder/edit"
	"varview/decoder/span"
	"varview/decoder/tree"
)

var _ edit.Repairer = (*Reading)(nil)

// A repairer puts one problem right.
type repairer struct {
	*editor
	n     *tree.Node // which the problem was reported of
	p     *span.Problem
	drops string
}

// Why a repair cannot be made.
var (
	errNoRepair = errors.New("nothing is known that would put this right")
	errStale    = errors.New("the bytes have changed since this was reported")
)

// repairs are the repairs by the code of what they put right.
var repairs = map[string]func(*repairer) error{
	WrongHeader:        (*repairer).header,
	WrongVersion:       (*repairer).version,
	WrongFooter:        (*repairer).footer,
	MissingFooter:      (*repairer).footer,
	ForeignTag:         (*repairer).foreignTag,
	Dangling:           (*repairer).noReference,
	RefKind:            (*repairer).refTag,
	WrongSkip:          (*repairer).wrongSkip,
	span.BoolValue:     (*repairer).bools,
	span.InvalidUTF8:   (*repairer).text,
	span.RepeatedKey:   (*repairer).repeated,
	span.TrailingBytes: (*repairer).trailing,
	span.Truncated:     (*repairer).cut,
	span.LengthOverrun: (*repairer).cut,
	span.MissingValue:  (*repairer).cut,
}

// Repair implements edit.Repairer. One repair of missing bytes mends all that they
// leave open.
func (f *Reading) Repair(ctx context.Context, r *tree.Reader, n *tree.Node, p *span.Problem) (edit.Repair, error) {
	repair, ok := repairs[p.Code]
	if !ok {
		return edit.Repair{}, errNoRepair
	}
	if p.Offset < 0 || p.Length < 0 || p.End() > r.Tree.Source.Size() {
		return edit.Repair{}, errStale
	}
	e := &repairer{editor: f.edit(ctx, r, edit.Options{Orphans: edit.Inherit}), n: n, p: p}
	if err := repair(e); err != nil {
		return edit.Repair{}, err
	}
	splices, err := e.finish()
	return edit.Repair{Splices: splices, Drops: e.drops}, err
}

// Remedy says what Repair would do about a problem that the tree itself found with
// v, "" where that is nothing.
func (f *Reading) Remedy(_, v *tree.Value, p *span.Problem) string {
	switch p.Code {
	case span.Truncated, span.MissingValue:
		if v.Type != tFile {
			return repairCut
		}
		if v.Body-v.Head == headerSize {
			return "make the value undefined and end the block"
		}
	case span.TrailingBytes:
		if f.Header.Footed && !f.Header.AtEnd && v.Tail == v.Foot {
			return fmt.Sprintf("put the footer %q in their place", magicFooter)
		}
		return repairBehind
	}
	return ""
}

// block is the block itself.
func (e *repairer) block() *tree.Value { return &e.r.Tree.Base.Value }

// write puts other bytes in place of some that nothing depends on.
func (e *repairer) write(s span.Span, b ...byte) error {
	e.putBytes(e.block(), s.Offset, s.Length, b...)
	return nil
}

func (e *repairer) header() error {
	at := e.block().Head
	if e.block().Body-at < headerSize {
		return errStale
	}
	return e.write(span.Span{Offset: at, Length: 4}, []byte(e.f.rightMagic(e.f.rightVersion()))...)
}

func (e *repairer) version() error {
	at := e.block().Head
	if e.block().Body-at < headerSize {
		return errStale
	}
	return e.write(span.Span{Offset: at + 4, Length: 4}, binary.LittleEndian.AppendUint32(nil, e.f.rightVersion().Version)...)
}

// footer puts the footer in the place of what stands there, or before it.
func (e *repairer) footer() error {
	at := e.p.Offset
	left := e.r.Tree.Region.End() - at
	if left < 0 {
		return errStale
	}
	if e.p.Settled && (left == 0 || left > int64(len(magicFooter))) { // nobody knows where it belongs
		return errNoRepair
	}
	if foot := e.w.View(at, min(left, 4)); !isFooterLike(string(foot), left) {
		return e.write(span.Span{Offset: at}, []byte(magicFooter)...)
	}
	return e.write(span.Span{Offset: at, Length: min(left, 4)}, []byte(magicFooter)...)
}

// fewBytes is how many bytes that are not zero may go away without a word.
const fewBytes = 16

// trailing removes what stands behind the footer, or between the value and a
// footer that ends the block.
func (e *repairer) trailing() error {
	if e.p.Settled {
		return e.behind()
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
	return e.write(span.Between(base.Tail, end), []byte(magicFooter)...)
}

// behind removes what stands behind the footer, from where it was found.
func (e *repairer) behind() error {
	rest := span.Between(e.p.Offset, e.r.Tree.Region.End())
	if foot := int64(len(magicFooter)); rest.Offset < foot || string(e.w.View(rest.Offset-foot, foot)) != magicFooter {
		return errStale
	}
	switch {
	case isBlock(e.w.View(rest.Offset, min(rest.Length, headerSize))):
		e.drop("the block that begins behind the footer, " + span.Bytes(rest.Length))
	case rest.Length > fewBytes && e.w.ZerosBefore(rest.Offset, rest.End()) < rest.Length:
		e.drop(span.Bytes(rest.Length) + " behind the footer")
	}
	return e.write(rest)
}

func (e *repairer) foreignTag() error {
	tag := e.w.Byte(e.p.Offset)
	if !e.f.Rules.isForeign(tag) || e.p.Length != 1 {
		return errStale
	}
	return e.write(e.p.Span, e.f.Rules.nativeTag(tag))
}

// wrongSkip takes one number out of a list of skipped members.
func (e *repairer) wrongSkip() error {
	v := &e.n.Value
	if v.Flags&isSchema == 0 || v.Layout != tree.Sequence || !e.f.Rules.skips {
		return errStale
	}
	if list := e.skips(v); e.p.Offset < list.Offset || e.p.End() > list.End() || e.p.Length != 2 {
		return errStale
	}
	e.put(v, e.p.Span)
	return nil
}

// bools makes all odd bools of an array 1, of which the first was reported, or a
// bool by itself.
func (e *repairer) bools() error {
	array := e.n
	if array.Parent != nil && array.Parent.Layout == tree.Fixed {
		array = array.Parent
	}
	if array.Type != tBool && (array.Type != tArray || array.Layout != tree.Fixed || typeID(array.Sub) != tBool) {
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
				e.putBytes(&array.Value, at+int64(i), 1, 1)
			}
		}
		at += int64(len(b))
	}
	return e.w.Err()
}

// maxBadBytes is how many places of a text are put right at once; one with more is
// no text.
const maxBadBytes = 1 << 16

// text replaces each byte of a text or a name that is no UTF-8.
func (e *repairer) text() error {
	start, end := e.n.Body, e.n.Tail-1
	switch {
	case e.n.Damage != nil, !isText(e.n.Type) && e.n.Type != tName:
		return errStale
	case e.n.Type == tName:
		start = e.n.Start
	}
	for count := 0; ; count++ {
		bad, _ := tree.ScanText(e.w, start, end-start, tree.RuneSize)
		if bad == tree.Unknown {
			return e.w.Err()
		}
		if count == maxBadBytes {
			return fmt.Errorf("more than %d bytes of this text are no UTF-8; it may be no text at all", maxBadBytes)
		}
		e.putBytes(e.block(), bad, 1, []byte("\ufffd")...)
		start = bad + 1
	}
}
