package model

import (
	"cmp"
	"context"
	"io"
	"os"
	"slices"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/wrap"
	"varview/model/packed"
)

// A wrapping writes one wrapper around bytes.
type wrapping struct {
	*wrap.Layer
	was source.Source // source whose bytes around the wrapper are kept
	at  span.Span     // span of the wrapper in was
	own bool          // the wrapper was made for this saving
}

// close releases what was made for the saving.
func (w *wrapping) close() {
	if w.own {
		w.Close()
	}
}

// write writes the wrapper, with what is around it, and returns the size of both. in says what plain holds.
func (w *wrapping) write(ctx context.Context, plain source.Source, in wrap.Inner, runs []wrap.Run, out *os.File, p *Progress) (int64, error) {
	w.Inner = in
	before, after := span.Between(0, w.at.Offset), span.Between(w.at.End(), w.was.Size())
	if err := copyTo(ctx, io.NewOffsetWriter(out, 0), w.was, before, nil); err != nil {
		return 0, err
	}
	memory := packed.Open()
	if memory != nil {
		w.Memory = memory
	}
	n, err := w.Rewrap(ctx, plain, runs, out, before.Length, p.Set)
	if err != nil {
		return 0, err
	}
	memory.Save() // without it, a value that is set back is only packed differently
	err = copyTo(ctx, io.NewOffsetWriter(out, before.Length+n), w.was, after, nil)
	return before.Length + n + after.Length, err
}

// wrappings lists the wrappers to write around src, innermost first: the file's own, unless its bytes can
// be copied as they are, and new ones.
func (s *Saving) wrappings(ctx context.Context) (src source.Source, all []*wrapping, err error) {
	if src = s.v.content; s.o.Unwrap {
		src = s.doc.Innermost().now.Load().content
	} else {
		other := false
		if all, other, err = s.present(ctx); err != nil {
			return src, all, err
		}
		if !other && len(s.v.changed) == 0 {
			src, all = s.doc.latest, nil
		}
	}
	generation := s.o.Generation
	for _, l := range s.doc.Layers {
		generation = cmp.Or(generation, l.Generation)
	}
	for _, text := range s.o.Wrap {
		l, err := wrap.Make(ctx, text, generation, s.key())
		if err != nil {
			return src, all, err
		}
		all = append(all, &wrapping{Layer: l, was: source.Bytes(nil), own: true})
	}
	return src, all, nil
}

// present lists the wrappers of the file, innermost first, each as the engine that is to read the file
// expects it. other reports whether one of them differs from the file's.
func (s *Saving) present(ctx context.Context) (all []*wrapping, other bool, err error) {
	for i, l := range slices.Backward(s.doc.Layers[:s.buffer.Number]) {
		if s.o.Generation > 0 && l.Kind.IsBound() {
			other = true
			continue
		}
		l.Stays = s.doc.options.Checksums == Left
		w := &wrapping{Layer: l.Layer, was: s.doc.Buffers[i].base, at: l.Region}
		again, err := wrap.Again(ctx, l.Layer, s.o.Generation)
		if err != nil {
			return all, other, err
		}
		if again != nil {
			w.Layer, w.own, other = again, true, true
		}
		all = append(all, w)
	}
	return all, other, nil
}

// key returns the file's key or password. New wrappers without their own are encrypted with it.
func (s *Saving) key() (o wrap.Options) {
	if keys := s.doc.options.Keys; len(keys) > 0 {
		o.Key = keys[0]
	} else if passwords := s.doc.options.Passwords; len(passwords) > 0 {
		o.Password = &passwords[0]
	}
	return o
}
