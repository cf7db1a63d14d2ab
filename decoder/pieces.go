package decoder

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"io"
	"slices"
	"strconv"
	"unicode/utf8"

	"varview/decoder/detect"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/wrap"
	"varview/decoder/wrap/own"
)

// mostBetween is the largest number of bytes of a game's own before one of several values.
const mostBetween = 64

// piecesBehind returns the numbers of bytes before and behind values of which each has bytes of the game's own before it; the first is
// -1 if there are none. What is before the first value as before the others is a part of the pieces.
func piecesBehind(ctx context.Context, src source.Source, region span.Span) (head, tail int64) {
	all := piecesIn(ctx, src, region)
	if all == nil {
		return -1, 0
	}
	at := region.Offset
	for _, x := range all {
		at += x.Head + x.Content
	}
	left, last := region.End()-at, &all[len(all)-1]
	if left > 0 && last.SumBehind(ctx, src, at, left) == left {
		left = 0
	}
	win, first, second := source.NewWindow(src), all[0].Head, all[1].Head
	like := own.Shape(bytes.Clone(win.View(region.Offset+first+all[0].Content, second)))
	for head = 0; head < first; head++ {
		if own.Shape(win.View(region.Offset+head, first-head)) == like {
			return head, left
		}
	}
	return 0, left
}

// piecesIn is an own.Finder: it finds several values, all frames, all texts or all packed in the same way, with up to 64 bytes before
// each, and some between those that are not packed.
func piecesIn(ctx context.Context, src source.Source, region span.Span) []own.Piece {
	for _, at := range []pieceAt{frameAt, textAt, packedPieceAt} {
		var all []own.Piece
		var content []source.Piece
		between, from := int64(0), region.Offset
		for from < region.End() && ctx.Err() == nil {
			x, ok := at.next(ctx, src, span.Between(from, region.End()), len(all) == 0)
			if !ok {
				break
			}
			if len(all) > 0 {
				between += x.Head
			}
			content = append(content, source.Piece{Src: src, Span: span.Span{Offset: from + x.Head, Length: x.Content}})
			all, from = append(all, x), from+x.Head+x.Content
		}
		if len(all) < 2 || region.End()-from > detect.MostTail {
			continue
		}
		if all[0].Packed != nil || between > 0 && families().IsSound(ctx, source.Join(content...)) {
			return all
		}
	}
	return nil
}

// A pieceAt returns the number of bytes of a value that begins a region, and its wrapper; 0 if there is none, and -1 if there is one, but
// what is before it is damaged. before are the bytes of the game's own before it, which isFirst says begin the file; first are its own
// first ones.
type pieceAt func(ctx context.Context, src source.Source, region span.Span, before, first []byte, isFirst bool) (n int64, packed wrap.Kind)

// next returns the first value in a region.
func (at pieceAt) next(ctx context.Context, src source.Source, region span.Span, isFirst bool) (own.Piece, bool) {
	const most = 16 // bytes of a signature or a length
	ahead := bytes.Clone(source.NewWindow(src).View(region.Offset, min(region.Length, mostBetween+most)))
	for head := range int64(min(len(ahead), mostBetween)) {
		if n, k := at(ctx, src, span.Between(region.Offset+head, region.End()), ahead[:head], ahead[head:], isFirst); n != 0 {
			return own.Piece{Head: head, Content: n, Packed: k}, n > 0
		}
	}
	return own.Piece{}, false
}

const (
	frameLength = 4 // bytes of the length of a frame
	leastValue  = 8 // bytes of a value in one
)

// frameAt is the pieceAt of a value behind its length in four bytes.
func frameAt(ctx context.Context, src source.Source, region span.Span, before, first []byte, isFirst bool) (int64, wrap.Kind) {
	if len(first) < frameLength+leastValue {
		return 0, nil
	}
	frame := span.Span{Offset: region.Offset, Length: frameLength + int64(binary.LittleEndian.Uint32(first))}
	value := span.Between(frame.Offset+frameLength, frame.End())
	if value.Length < leastValue || value.Length%frameLength != 0 || frame.End() > region.End() || !families().IsValue(ctx, source.Join(source.Piece{Src: src, Span: value})) {
		return 0, nil
	}
	if !isFirst && isDamagedFrame(ctx, before) {
		return -1, nil
	}
	return frame.Length, nil
}

// isDamagedFrame reports whether bytes between two frames are rather one or more whose length or value is damaged: they begin with a
// length of bytes among them, or a value is behind that.
func isDamagedFrame(ctx context.Context, b []byte) bool {
	if len(b) < frameLength+leastValue-1 {
		return false
	}
	length, value := int(binary.LittleEndian.Uint32(b)), b[frameLength:]
	isNear := length >= leastValue && length%frameLength == 0 && length <= len(value)+frameLength
	isText := !bytes.ContainsFunc(value, func(c rune) bool { return c < ' ' || c == utf8.RuneError })
	return !isText && (isNear || families().IsValue(ctx, source.Bytes(value)))
}

// textAt is the pieceAt of an object or a list of JSON. What is between two is no text, or the size of the second.
func textAt(_ context.Context, src source.Source, region span.Span, before, first []byte, isFirst bool) (int64, wrap.Kind) {
	const least = 7
	if first[0] != '{' && first[0] != '[' || bytes.IndexByte(before, '"') >= 0 {
		return 0, nil
	}
	var raw json.RawMessage
	d := json.NewDecoder(io.NewSectionReader(src, region.Offset, region.Length))
	if d.Decode(&raw) != nil || d.InputOffset() < least {
		return 0, nil
	}
	isOwn := bytes.ContainsFunc(before, func(c rune) bool { return c < ' ' && c != '\t' && c != '\r' && c != '\n' })
	if isSize := bytes.Contains(before, strconv.AppendInt(nil, d.InputOffset(), 10)); !isFirst && !isOwn && !isSize {
		return 0, nil
	}
	return d.InputOffset(), nil
}

// packedPieceAt is the pieceAt of packed values.
func packedPieceAt(ctx context.Context, src source.Source, region span.Span, _, first []byte, isFirst bool) (int64, wrap.Kind) {
	if !slices.ContainsFunc(wrap.Signatures(), func(s string) bool { return bytes.HasPrefix(first, []byte(s)) }) {
		return 0, nil
	}
	k, size, err := packedAt(ctx, src, region, &Options{MaxUnpacked: mostPacked})
	isOnly := isFirst && size == region.Length // of several each is unpacked once more
	if err != nil || k == nil || k.IsText() || isOnly || !isSoundPacked(ctx, k, src, span.Span{Offset: region.Offset, Length: size}) {
		return 0, nil
	}
	return size, k
}

// isSoundPacked reports whether packed bytes hold a value.
func isSoundPacked(ctx context.Context, k wrap.Kind, src source.Source, region span.Span) bool {
	l, err := wrap.Open(ctx, k, src, region, wrap.Options{MaxUnpacked: mostPacked})
	if err != nil {
		return false
	}
	defer l.Close()
	return l.Payload != nil && families().IsSound(ctx, l.Payload)
}
