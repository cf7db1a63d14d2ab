package model

import (
	"sort"

	"varview/decoder/span"
)

// ChangedBuffer is the buffer that differs from what the file holds, nil if none
// does. There is one at most: all others are made of it, or it of them.
func (d *Document) ChangedBuffer() *Buffer {
	for _, b := range d.Buffers {
		if len(b.now.Load().changed) > 0 {
			return b
		}
	}
	return nil
}

// IsModified reports whether the document differs from what the file holds.
func (d *Document) IsModified() bool { return d.ChangedBuffer() != nil }

// AppendChanges appends the ranges of [start, end) that differ from what the file
// holds. One without bytes stands where bytes were taken away.
func (b *Buffer) AppendChanges(dst []span.Span, start, end int64) []span.Span {
	for _, s := range b.changedFrom(start) {
		if s.Offset >= end {
			break
		}
		dst = append(dst, s)
	}
	return dst
}

// ChangedIn reports whether any byte of [start, end) differs from what the file
// holds. Bytes that were taken away count where they stood.
func (b *Buffer) ChangedIn(start, end int64) bool {
	changed := b.changedFrom(start)
	return len(changed) > 0 && changed[0].Offset < end
}

// changedFrom are the changes that do not end before an offset.
func (b *Buffer) changedFrom(start int64) []span.Span {
	changed := b.now.Load().changed
	return changed[sort.Search(len(changed), func(i int) bool {
		return changed[i].End() > start || changed[i].Length == 0 && changed[i].Offset >= start
	}):]
}

// NextChange is the first change behind an offset, or the first of all; ok is
// false if there is none.
func (b *Buffer) NextChange(off int64) (at int64, ok bool) {
	changed := b.now.Load().changed
	if len(changed) == 0 {
		return 0, false
	}
	i := sort.Search(len(changed), func(i int) bool { return changed[i].Offset > off })
	if i == len(changed) {
		i = 0
	}
	return changed[i].Offset, true
}
