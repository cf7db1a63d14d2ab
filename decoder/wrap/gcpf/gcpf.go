// Package gcpf opens what Godot's FileAccess.open_compressed writes: a header, a table of
// lengths, and blocks that are compressed one by one.
package gcpf

import (
	"bytes"
	"context"
	"fmt"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/wrap/layer"
	"varview/decoder/wrap/part"
)

// Kind and Resource are the kinds of wrappers.
var (
	Kind     layer.Kind = kind{layer.Info{Name: "gcpf", About: "blocks compressed by Godot's FileAccess.open_compressed", File: true}, Magic}
	Resource layer.Kind = kind{layer.Info{Name: "rscc", About: "a resource of Godot that was saved with FLAG_COMPRESS", File: true}, resource}
)

type kind struct {
	layer.Info
	magic string
}

var (
	_ layer.Deferrer    = kind{}
	_ layer.ShiftFinder = kind{}
)

// Sniff implements layer.Kind.
func (k kind) Sniff(s *layer.Sample) bool {
	return layer.IsCut(s.Head, k.magic) || k.hasMagic(s.Head, s.Window, s.Region) || k.isShifted(s)
}

// isShifted reports whether a small file is a GCPF that has lost bytes of its magic, or has
// bytes too many there. The magic at the end is a hint.
func (k kind) isShifted(s *layer.Sample) bool {
	if !s.Whole || !bytes.HasSuffix(s.Head, []byte(k.magic)) {
		return false
	}
	all := source.Bytes(s.Head)
	shift, err := findShift(context.Background(), &file{magic: k.magic, src: all, region: span.Between(0, all.Size())}, layer.Options{})
	return shift != nil && err == nil
}

// hasMagic reports whether bytes begin with the magic, or with one that differs in one byte
// if everything else is right.
func (k kind) hasMagic(head []byte, w *source.Window, region span.Span) bool {
	return layer.IsNear(head, k.magic) && (string(head[:len(k.magic)]) == k.magic || k.looksPacked(w, region))
}

// looksPacked reports whether the bytes of a region are a GCPF, whatever its magic: the
// header is plausible, and the magic is at the end of the blocks.
func (k kind) looksPacked(w *source.Window, region span.Span) bool {
	const most = 1 << 20 // plain bytes of a block up to which a damaged magic is ignored
	at := region.Offset
	if region.Length < headerSize || Mode(w.U32(at+4)) >= modes {
		return false
	}
	size, plain := int64(w.U32(at+8)), int64(w.U32(at+12))
	if size == 0 || size > most {
		return false
	}
	blocks := plain/size + 1
	end := at + headerSize + 4*blocks
	if end > region.End() {
		return false
	}
	if 4*blocks > layer.Sniffed {
		return string(w.View(region.End()-4, 4)) == k.magic
	}
	for i := range blocks {
		end += int64(w.U32(at + headerSize + 4*i))
	}
	return end == region.End() || end+4 <= region.End() && string(w.View(end, 4)) == k.magic
}

// Eager implements layer.Deferrer: blocks are unpacked on demand.
func (kind) Eager(region span.Span, o layer.Options) int64 { return 0 }

// Open implements layer.Kind.
func (k kind) Open(ctx context.Context, l *layer.Layer, src source.Source, o layer.Options) error {
	l.ShortTitle = k.magic
	b := make([]byte, min(headerSize, l.Region.Length))
	if err := layer.ReadAt(src, b, l.Region.Offset); err != nil {
		return err
	}
	switch {
	case layer.IsCut(b, k.magic):
		l.CutHeader(k.magic, l.Region.Length)
		return nil
	case !k.hasMagic(b, source.NewWindow(src), l.Region):
		l.Reject(k.magic, "these bytes do not begin with "+k.magic)
		return nil
	}
	g := &file{magic: k.magic, src: source.Cached(src, keptPacked), region: l.Region}
	f := &reading{layer: l, file: g, modeAt: l.Region.Offset + 4, blockAt: l.Region.Offset + 8, plainAt: l.Region.Offset + 12}
	l.Reading = f
	if len(b) < headerSize {
		l.Title = k.magic
		l.Miss(span.Truncated, fmt.Sprintf("the file ends in its header after %s", span.Bytes(int64(len(b)))))
		f.describe(o)
		return nil
	}
	f.head = [headerSize]byte(b)
	if err := g.parse(ctx, o); err != nil {
		return err
	}
	if err := g.correct(ctx, o); err != nil {
		return err
	}
	l.Title, l.ShortTitle = g.title(), k.magic+" "+g.Mode.String()
	if g.Mode == Brotli {
		l.Generation = 4 // Godot 3 has no Brotli
	}
	openBlocks(l, g, o)
	f.describe(o)
	return nil
}

// openBlocks gives l its payload, if it can have one.
func openBlocks(l *layer.Layer, g *file, o layer.Options) {
	switch {
	case g.BlockSize == 0:
		l.Miss(layer.BlockSize, "the block size is 0, so the number of blocks is unknown")
	case g.Mode >= modes:
		l.Miss(layer.UnknownMode, fmt.Sprintf("compression mode %d does not exist", uint32(g.Mode)))
	case g.here == 0 && g.PlainSize > 0:
		l.Miss(span.Truncated, "the file ends before its first block")
	default:
		l.Source = g.src
		p := newPayload(g, o.MaxUnpacked)
		l.Payload, l.Packer = p, p
		l.OnClose(p)
	}
}

// FindShift implements layer.ShiftFinder.
func (k kind) FindShift(ctx context.Context, l *layer.Layer, src source.Source, o layer.Options) (*layer.Shift, error) {
	f, ok := l.Reading.(*reading)
	if ok && f.isMisplaced() || !ok && l.Missing.Code == layer.Unrecognized {
		return findShift(ctx, &file{magic: k.magic, src: src, region: l.Region}, o)
	}
	return nil, nil
}

// addMagic adds the problem of a wrong magic.
func (g *file) addMagic(report func(at span.Span, code, message, engine string) *part.Problem, is string, at int64, engine string) {
	message, repair, splice := part.IsNot(is, g.magic, at)
	report(splice.Span, layer.BadMagic, message, engine).RepairBy(repair, splice)
}
