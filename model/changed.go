package model

import (
	"sort"

	"varview/decoder/span"
)

// AppendChanges appends the ranges of [start, end) that differ from what the file
// holds. One without bytes stands where bytes were taken away.
func (b *Buffer) AppendChanges(dst []span.Span, start, end int64) []span.Span {
	changed := b.now.Load().changed
	i := sort.Search(len(changed), func(i int) bool {
		return changed[i].End() > start || changed[i].Length == 0 && changed[i].Offset >= start
	})
	for ; i < len(changed) && changed[i].Offset < end; i++ {
		dst = append(dst, changed[i])
	}
	return dst
}

// ChangedBuffer is the buffer that differs from what the file holds, nil if none
// does.
func (d *Document) ChangedBuffer() *Buffer { return d.modified() }

// Backup is where Write keeps the file as it was, "" where it does not, or where
// the file is gone.
func (s *Saving) Backup() string {
	if s.own && !s.doc.options.NoBackup && !s.doc.history.backedUp && statError(s.path) == nil {
		return s.path + "~"
	}
	return ""
}

// IsOverwritten reports whether the bytes that were not edited are gone, because
// another program wrote into the file. The edits can be had as a patch.
func (d *Document) IsOverwritten() bool { return d.file.file.IsOverwritten() }
