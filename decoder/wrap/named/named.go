// Package named opens frames with a name before each, as a game writes them that stores a word before each value. The payload is the
// frames alone.
package named

import (
	"context"
	"errors"
	"io"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/wrap/layer"
	"varview/decoder/wrap/part"
)

// Kind is this kind of wrapper. Only the values inside show that the names are names.
var Kind layer.Wrapper = kind{layer.Info{Name: "named", About: "values with a name before each", File: true}}

type kind struct{ layer.Info }

// Sniff implements layer.Wrapper.
func (kind) Sniff(*layer.Sample) bool { return false }

const (
	mostName  = 64 // bytes of a name with its length
	frameHead = 4  // bytes of the length of a frame
)

// prefixes are the numbers of bytes of the length before a name; 0 for a name of four letters.
var prefixes = []int64{0, 1, 2, 4}

// A record is a name and the frame behind it.
type record struct {
	name  span.Span
	start int64 // of the characters of the name
	frame span.Span
}

// find divides a region into two or more records; the result is nil if it cannot be. All names are written in the same way.
func find(win *source.Window, region span.Span) []record {
	for _, prefix := range prefixes {
		var all []record
		for at := region.Offset; at < region.End(); {
			r, ok := recordAt(win, at, prefix)
			if !ok || r.frame.End() > region.End() {
				all = nil
				break
			}
			all, at = append(all, r), r.frame.End()
		}
		if len(all) > 1 {
			return all
		}
	}
	return nil
}

// recordAt returns the record at an offset whose name has a length of some bytes before it.
func recordAt(win *source.Window, at, prefix int64) (r record, ok bool) {
	size := int64(4)
	if prefix > 0 {
		size = 0
		for i, c := range win.View(at, prefix) {
			size |= int64(c) << (8 * i)
		}
	}
	if size == 0 || size > mostName {
		return r, false
	}
	r.start = at + prefix
	for _, c := range win.View(r.start, size) {
		if c < ' ' || c > '~' {
			return r, false
		}
	}
	r.name = span.Between(at, r.start+size)
	r.frame = span.Span{Offset: r.name.End(), Length: frameHead + int64(win.U32(r.name.End()))}
	return r, r.frame.Length > frameHead
}

// Frames returns the frames in a region that have a name before each, without the names; nil if there are none.
func Frames(src source.Source, region span.Span) source.Source {
	all := find(source.NewWindow(src), region)
	if all == nil {
		return nil
	}
	return join(src, all)
}

// join returns the frames of records.
func join(src source.Source, all []record) source.Source {
	pieces := make([]source.Piece, len(all))
	for i := range all {
		pieces[i] = source.Piece{Src: src, Span: all[i].frame}
	}
	return source.Join(pieces...)
}

// Open implements layer.Wrapper.
func (k kind) Open(ctx context.Context, l *layer.Layer, src source.Source, _ layer.Options) error {
	all := find(source.NewWindow(src), l.Region)
	if all == nil {
		l.Reject(k.Name, "these bytes are not values with a name before each")
		return nil
	}
	l.Payload, l.Packer, l.Title = join(src, all), packer(all), "values with names"
	var parts []part.Part
	for _, r := range all {
		x := part.At("name", r.name.Offset)
		x.Put(r.start-r.name.Offset, l.Region.End(), span.Length, "text length")
		x.Put(r.name.End()-r.start, l.Region.End(), span.Text, "name")
		x.Text = string(tree.AppendQuoted(nil, source.NewWindow(src).View(r.start, r.name.End()-r.start)))
		content := part.At("content", r.frame.Offset)
		content.Put(r.frame.Length, l.Region.End(), span.Data, "content")
		content.Text = span.Bytes(r.frame.Length)
		parts = append(parts, x, content)
	}
	d := l.Describe(l.About(), parts...)
	l.Reading = &d
	return ctx.Err()
}

// A packer writes the names before the frames again.
type packer []record

// CanRewrap implements layer.Packer.
func (packer) CanRewrap() error { return nil }

// Rewrap implements layer.Packer.
func (p packer) Rewrap(w *layer.Rewrapping) (int64, error) {
	out, in, win, at := w.Output(0), w.Reader(), source.NewWindow(w.Plain), int64(0)
	for _, r := range p {
		n := frameHead + int64(win.U32(at))
		if at += n; at > w.Plain.Size() {
			break
		}
		if err := w.Keep(out, r.name); err != nil {
			return 0, err
		}
		if _, err := io.CopyN(out, in, n); err != nil {
			return 0, err
		}
	}
	if at != w.Plain.Size() {
		return 0, errors.New("each value has a name in the game's own bytes, and there are more values now, or fewer")
	}
	return out.Finish()
}
