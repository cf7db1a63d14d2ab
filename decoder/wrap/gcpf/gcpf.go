// Package gcpf opens what Godot's FileAccess.open_compressed writes: a header, a table of
// lengths, and blocks that are compressed one by one.
package gcpf

import (
	"context"
	"fmt"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/wrap/layer"
	"varview/decoder/wrap/part"
)

// Kind is this kind of wrapper.
var Kind layer.Kind = kind{layer.Info{Name: "gcpf", About: "blocks compressed by Godot's FileAccess.open_compressed", File: true}}

type kind struct{ layer.Info }

var _ layer.Deferrer = kind{}

// Sniff implements layer.Kind.
func (kind) Sniff(s *layer.Sample) bool {
	return layer.IsCut(s.Head, Magic) || hasMagic(s.Head, s.Window, s.Region)
}

// hasMagic reports whether bytes begin with the magic, or with one that differs in one byte
// if everything else is right.
func hasMagic(head []byte, w *source.Window, region span.Span) bool {
	return layer.IsNear(head, Magic) && (string(head[:len(Magic)]) == Magic || looksPacked(w, region))
}

// looksPacked reports whether the bytes of a region are a GCPF, whatever its magic: the
// header is plausible, and the magic is at the end of the blocks.
func looksPacked(w *source.Window, region span.Span) bool {
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
		return string(w.View(region.End()-4, 4)) == Magic
	}
	for i := range blocks {
		end += int64(w.U32(at + headerSize + 4*i))
	}
	return end == region.End() || end+4 <= region.End() && string(w.View(end, 4)) == Magic
}

// Eager implements layer.Deferrer: blocks are unpacked on demand.
func (kind) Eager(region span.Span, o layer.Options) int64 { return 0 }

// Open implements layer.Kind.
func (kind) Open(ctx context.Context, l *layer.Layer, src source.Source, o layer.Options) error {
	l.ShortTitle = "GCPF"
	b := make([]byte, min(headerSize, l.Region.Length))
	if err := layer.ReadAt(src, b, l.Region.Offset); err != nil {
		return err
	}
	switch {
	case layer.IsCut(b, Magic):
		l.CutHeader("GCPF", l.Region.Length)
		return nil
	case !hasMagic(b, source.NewWindow(src), l.Region):
		l.Reject("GCPF", "these bytes do not begin with GCPF")
		return nil
	}
	g := &file{src: source.Cached(src, keptPacked), region: l.Region}
	f := &reading{layer: l, file: g, modeAt: l.Region.Offset + 4, blockAt: l.Region.Offset + 8, plainAt: l.Region.Offset + 12}
	l.Reading = f
	if len(b) < headerSize {
		l.Title = "GCPF"
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
	l.Title, l.ShortTitle = g.title(), "GCPF "+g.Mode.String()
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

// addMagic adds the problem of a wrong magic.
func addMagic(report func(at span.Span, code, message, engine string) *part.Problem, is string, at int64, engine string) {
	message, repair, splice := part.IsNot(is, Magic, at)
	report(splice.Span, layer.BadMagic, message, engine).RepairBy(repair, splice)
}
