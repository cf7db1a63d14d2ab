package source

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"math/bits"

	"varview/decoder/engine/span"
)

const (
	// MaxView is the largest number of bytes that View returns at once.
	MaxView = 64 << 10
	// readAhead is the number of bytes that a sequential reader fetches at a time: four
	// times MaxView, so that few views cross the end of the buffer.
	readAhead = 256 << 10
	// firstRead is the number of bytes that a jump fetches: most look-ups need little.
	firstRead = 8 << 10
	// keptBefore is the number of bytes before a place that stay in the buffer when a reader goes on: it
	// may look again at what it is in.
	keptBefore = 4 << 10
	// enough is the number of bytes that Ahead returns at least.
	enough = 16 << 10
)

// A Window reads a Source through a buffer that moves with the reader, and keeps the one that a jump leaves: who looks
// at one place and another in turn reads neither again. It belongs to one goroutine; any number may share the Source.
//
// Bytes that cannot be read count as zero and set Err, which stays set: a file that
// shrinks while it is open ends the reading, not the program.
//
// Bytes in a hole (HoleError) count as zero too. The window keeps the first hole that any
// call read from, until TakeHole returns and clears it. A caller that has to know whether
// its own reads touched a hole calls TakeHole before them, to clear what earlier reads
// through the window left, and again after them. A tree.Scanner does so around each value
// that it reads and inspects; callers that decode fields do so after each field.
type Window struct {
	buffer
	left  buffer // by the last jump
	src   Source
	size  int64
	nth   uint64 // how many sources it was moved to
	words uint64 // number of offsets in buf at which four bytes can be read directly; 0 if bytes are swapped
	swap  bool   // numbers have their highest byte first
	upTo  int64  // end of what the reader will read; 0 if unknown
	err   error
	hole  *HoleError // first hole that was read from since TakeHole
	zeros struct {
		start, end int64 // the bytes between are zero
		isAll      bool  // no byte before them is
	}
}

// A buffer holds a part of a source.
type buffer struct {
	buf  []byte // bytes [off, off+len(buf)) of the source
	off  int64
	mem  []byte // memory of buf, reused by each fetch
	next int64  // end of the last fetch: a sequential reader continues there
	isOn bool   // it was fetched for a reader that went on
}

// continuesAt reports whether a reader that reads at an offset goes on from the last fetch.
func (b *buffer) continuesAt(off int64) bool { return b.next > 0 && off > b.off && off <= b.next }

// has reports whether the buffer holds the n bytes at an offset.
func (b *buffer) has(off, n int64) bool { return off >= b.off && off+n <= b.off+int64(len(b.buf)) }

// NewWindow returns a window over src.
func NewWindow(src Source) *Window {
	w := new(Window)
	w.Reset(src)
	return w
}

// Reset moves the window to src, and clears its error and hole.
func (w *Window) Reset(src Source) {
	*w = Window{src: src, size: src.Size(), nth: w.nth + 1, buffer: buffer{mem: w.mem}, left: buffer{mem: w.left.mem}}
	if b, ok := src.(Bytes); ok {
		w.hold(b, 0)
	}
}

// Serial returns a number of the source that the window was moved to last.
func (w *Window) Serial() uint64 { return w.nth }

// SetBigEndian sets whether U16, U32 and U64 read the highest byte first, until Reset. It is quick if
// nothing changes.
func (w *Window) SetBigEndian(big bool) {
	if w.swap != big {
		w.swap = big
		w.hold(w.buf, w.off)
	}
}

// IsBigEndian returns what SetBigEndian has set.
func (w *Window) IsBigEndian() bool { return w.swap }

// ReadUpTo tells the window that its reader reads everything up to end, and probably nothing beyond: it
// fetches that much from the start, and no more.
func (w *Window) ReadUpTo(end int64) { w.upTo = end }

// Size returns the size of the source in bytes.
func (w *Window) Size() int64 { return w.size }

// Err returns the first error of reading; nil if there was none.
func (w *Window) Err() error { return w.err }

// TakeHole returns the first hole that was read from since the last call, or nil, and clears it.
func (w *Window) TakeHole() *HoleError {
	h := w.hole
	if h != nil {
		w.hole = nil
	}
	return h
}

// InHole reports whether TakeHole would return a hole, without clearing it.
func (w *Window) InHole() bool { return w.hole != nil }

// U16 reads a number at off; bytes past the end count as zero.
func (w *Window) U16(off int64) uint16 {
	n := binary.LittleEndian.Uint16(w.at(off, 2))
	if w.swap {
		n = bits.ReverseBytes16(n)
	}
	return n
}

// U32 reads a number at off; bytes past the end count as zero.
func (w *Window) U32(off int64) uint32 {
	if off -= w.off; uint64(off) < w.words {
		return binary.LittleEndian.Uint32(w.buf[off:])
	}
	return w.farU32(off)
}

// U64 reads a number at off; bytes past the end count as zero.
func (w *Window) U64(off int64) uint64 {
	n := binary.LittleEndian.Uint64(w.at(off, 8))
	if w.swap {
		n = bits.ReverseBytes64(n)
	}
	return n
}

// Byte reads the byte at off; a byte past the end counts as zero.
func (w *Window) Byte(off int64) byte {
	if i := uint64(off - w.off); i < uint64(len(w.buf)) {
		return w.buf[i]
	}
	return w.fetch(off, 1)[0]
}

// at returns the n bytes at off; bytes past the end are zero.
func (w *Window) at(off, n int64) []byte {
	if i := off - w.off; i >= 0 && i+n <= int64(len(w.buf)) {
		return w.buf[i:]
	}
	return w.fetch(off, n)
}

// farU32 reads a number outside the buffer, or one that is swapped; off counts from the start of the
// buffer. It is separate so that the compiler inlines U32.
func (w *Window) farU32(off int64) uint32 {
	n := binary.LittleEndian.Uint32(w.at(w.off+off, 4))
	if w.swap {
		n = bits.ReverseBytes32(n)
	}
	return n
}

// View returns the n bytes at off, valid until the next call; n is cut to MaxView and to the end of the
// source.
func (w *Window) View(off, n int64) []byte {
	n = min(n, MaxView, w.size-off)
	if n <= 0 || off < 0 {
		return nil
	}
	if i := off - w.off; i >= 0 && i+n <= int64(len(w.buf)) {
		return w.buf[i : i+n]
	}
	return w.fetch(off, n)
}

// Pieces yields the bytes of a span, or those up to the end of the source, each piece with its offset and valid until the
// window is used again.
func (w *Window) Pieces(at span.Span) iter.Seq2[int64, []byte] {
	return func(yield func(int64, []byte) bool) {
		for off := at.Offset; off < at.End(); {
			b := w.View(off, at.End()-off)
			n := int64(len(b))
			if n == 0 || !yield(off, b) {
				return
			}
			off += n
		}
	}
}

// All returns a copy of the bytes of a span, or of those up to the end of the source.
func (w *Window) All(at span.Span) []byte {
	all := make([]byte, 0, min(at.Length, max(0, w.size-at.Offset)))
	for _, b := range w.Pieces(at) {
		all = append(all, b...)
	}
	return all
}

// ZerosBefore counts the zero bytes directly before end, at or after from. It remembers those before the last end: whoever goes
// through values asks before each whether zeros are all that follows.
func (w *Window) ZerosBefore(from, end int64) int64 {
	if w.zeros.end != end {
		w.zeros.start, w.zeros.end, w.zeros.isAll = end, end, false
	}
	for at := w.zeros.start; at > from && !w.zeros.isAll; {
		size := min(at-from, MaxView)
		b := w.View(at-size, size)
		zeros := len(b) - len(bytes.TrimRight(b, "\x00"))
		at -= int64(zeros)
		w.zeros.start, w.zeros.isAll = at, zeros < len(b) || len(b) == 0
	}
	return max(0, end-max(from, w.zeros.start))
}

// Ahead returns the bytes in the buffer from off on: at least 16 KiB, unless the source or the part to be
// read ends before. They are valid until the next call. Errors are not recorded.
func (w *Window) Ahead(off int64) []byte {
	if off < 0 || off >= w.size {
		return nil
	}
	n := min(enough, w.size-off)
	if off < w.upTo {
		n = min(n, w.upTo-off)
	}
	if w.has(off, n) || w.returnTo(off, n) {
		return w.buf[off-w.off:]
	}
	i, before := off-w.off, int64(0)
	if i > 0 && i <= int64(len(w.buf)) && off >= w.upTo {
		before = min(i, keptBefore)
	}
	w.fill(off, n, before) // an error is recorded later, when the bytes are needed
	return w.buf[min(off-w.off, int64(len(w.buf))):]
}

// fetch moves the window so that it holds the n bytes at off (n ≤ MaxView).
func (w *Window) fetch(off, n int64) []byte {
	if off < 0 || off+n > w.size { // only a part exists, or nothing: the rest is zero
		b := make([]byte, n)
		if off >= 0 && off < w.size {
			copy(b, w.View(off, w.size-off))
		}
		return b
	}
	if w.returnTo(off, n) {
		return w.buf[off-w.off:][:n]
	}
	if got, err := w.fill(off, n, 0); got < n {
		return w.fillRest(off, got, n, err)
	}
	return w.buf[off-w.off:][:n]
}

// fillRest provides the bytes [off+got, off+n), which could not be read: bytes in a hole are zero, and
// reading resumes after it.
func (w *Window) fillRest(off, got, n int64, err error) []byte {
	var hole *HoleError
	for errors.As(err, &hole) && got < n && hole.End() > off+got {
		if w.hole == nil {
			w.hole = hole
		}
		end := min(n, hole.End()-off)
		clear(w.mem[got:end])
		got = end
		if got < n {
			var more int
			more, err = w.src.ReadAt(w.mem[got:n], off+got)
			got += int64(more)
		}
	}
	if got < n && w.err == nil {
		w.err = readError(off+got, err)
	}
	clear(w.mem[got:n])
	if hole != nil {
		w.hold(nil, off) // so that reading these bytes again finds the hole again
	} else {
		w.hold(w.mem[:n], off)
	}
	return w.mem[:n]
}

// returnTo moves the window back to the buffer that the last jump left, if it holds the n bytes at off.
func (w *Window) returnTo(off, n int64) bool {
	if !w.left.has(off, n) {
		return false
	}
	w.jump()
	w.hold(w.buf, w.off)
	return true
}

func (w *Window) jump() { w.buffer, w.left = w.left, w.buffer }

// fill moves the window to off and reads at least n bytes, if the source has as many, or more for a sequential reader, and some
// before off: as many as are asked for, or more for one that goes backwards. It returns the number of bytes read from off on.
func (w *Window) fill(off, n, before int64) (int64, error) {
	want := int64(firstRead)
	if n > firstRead {
		want += n
	}
	if back := w.off - off; back > 0 && back <= firstRead && !w.isOn { // a reader that goes on only looks back
		before, want = min(firstRead, off), enough+firstRead
	}
	continues := w.continuesAt(off)
	if !continues {
		w.jump()
		continues = w.continuesAt(off)
	}
	switch {
	case off < w.upTo:
		want = min(readAhead, w.upTo-off)
	case off == w.upTo: // a look at what follows
	case continues:
		want = readAhead
	}
	if want = min(before+min(max(want, n), w.size-off), readAhead); want > int64(len(w.mem)) {
		w.mem = make([]byte, min(w.size, atOnce(want)))
	}
	read, err := w.src.ReadAt(w.mem[:want], off-before)
	got := int64(read) - before
	if before > 0 && got < n { // what is before off cannot be read either
		before = 0
		read, err = w.src.ReadAt(w.mem[:min(want, w.size-off)], off)
		got = int64(read)
	}
	w.hold(w.mem[:read], off-before)
	w.next, w.isOn = off+got, continues
	return got, err
}

// atOnce returns the amount of memory for a fetch of n bytes.
func atOnce(n int64) int64 {
	switch {
	case n <= firstRead:
		return firstRead
	case n <= MaxView: // one look, such as that of detection
		return MaxView
	}
	return readAhead
}

func readError(off int64, err error) error {
	if err == nil || err == io.EOF || err == io.ErrUnexpectedEOF {
		return fmt.Errorf("%#x: the file ends here now; it was longer when it was opened", off)
	}
	return fmt.Errorf("%#x: %w", off, err)
}

// hold makes buf, the source's bytes from off on, the content of the window.
func (w *Window) hold(buf []byte, off int64) {
	w.buf, w.off, w.words = buf, off, uint64(max(0, len(buf)-3))
	if w.swap {
		w.words = 0
	}
}
