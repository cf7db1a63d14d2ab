package source

import (
	"bytes"
	"errors"
	"hash/maphash"
	"io"
	"os"
	"sync"

	"varview/decoder/engine/openfile"
	"varview/decoder/engine/span"
)

// Guard makes sure that the file returns only the bytes that it had when it was opened, by keeping a sum of
// each part that is read. It is called before the file is used, and returns false if no other program can
// write into the file anyway.
func (s *File) Guard() bool {
	if !s.private {
		s.sums = newSums(s.size)
	}
	return s.sums != nil
}

// ReadFrom makes the file read from a private copy from now on, which Close closes. It returns false if
// another program has written into the file since it was opened, as the copy may then lack some of its
// bytes.
func (s *File) ReadFrom(copied *os.File) bool {
	info, err := copied.Stat()
	if err != nil || info.Size() != s.size || s.private || s.isWritten() {
		return false
	}
	if !s.copied.CompareAndSwap(nil, copied) {
		return false
	}
	if !openfile.Replaceable {
		s.f.Close() // or the game could not replace it
	}
	return true
}

// IsCopied reports whether a private copy is read.
func (s *File) IsCopied() bool { return s.copied.Load() != nil }

// Original returns the file itself, so that it can be copied.
func (s *File) Original() *os.File { return s.f }

// Trust accepts bytes first read after another program wrote into the file as those that were opened.
func (s *File) Trust() {
	if s.sums != nil {
		s.sums.mu.Lock()
		s.sums.trusted = true
		s.sums.mu.Unlock()
	}
}

// sumSize is the number of bytes that have one sum.
const sumSize = 1 << 20

// sums are hashes of the bytes of a file. They show whether bytes are the same as when they
// were first read.
type sums struct {
	seed maphash.Seed
	size int64 // size of the file

	mu      sync.Mutex
	parts   []partSum
	trusted bool
	held    []byte // last part verified
	heldAt  int    // its number
}

// partSum is the sum of the first bytes of a part.
type partSum struct {
	hash maphash.Hash
	n    int64 // number of bytes
}

func newSums(size int64) *sums {
	s := &sums{seed: maphash.MakeSeed(), size: size, parts: make([]partSum, (size+sumSize-1)/sumSize), heldAt: -1}
	for i := range s.parts {
		s.parts[i].hash.SetSeed(s.seed)
	}
	return s
}

// span returns the span of part i.
func (s *sums) span(i int) span.Span {
	return span.Between(int64(i)*sumSize, min(int64(i+1)*sumSize, s.size))
}

// add adds bytes at off that were read. A sum is continued if they follow the bytes that it covers.
func (s *sums) add(p []byte, off int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(p) > 0 && off < s.size {
		i := int(off / sumSize)
		part, here := s.span(i), p[:min(int64(len(p)), s.span(i).End()-off)]
		if have := part.Offset + s.parts[i].n; off <= have && have < off+int64(len(here)) {
			s.parts[i].hash.Write(here[have-off:])
			s.parts[i].n = off + int64(len(here)) - part.Offset
		}
		p, off = p[len(here):], off+int64(len(here))
	}
}

// Reasons why bytes of a guarded file are a hole.
var (
	ErrOverwritten = errors.New("another program has written over these bytes")
	ErrUnread      = errors.New("another program wrote into the file before these bytes were read")
)

// verified reads bytes as they were when they were first read.
func (s *sums) verified(f io.ReaderAt, p []byte, off int64) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	done := 0
	for done < len(p) {
		at := off + int64(done)
		if at >= s.size {
			return done, io.EOF
		}
		i := int(at / sumSize)
		part := s.span(i)
		b, err := s.part(f, i)
		if err != nil {
			return done, &HoleError{Span: part, Err: err}
		}
		done += copy(p[done:], b[at-part.Offset:])
	}
	return done, nil
}

// part returns the bytes of a part as they were first read, valid until the next call.
func (s *sums) part(f io.ReaderAt, i int) ([]byte, error) {
	if s.heldAt == i {
		return s.held, nil
	}
	part := s.span(i)
	if s.held == nil {
		s.held = make([]byte, min(sumSize, s.size))
	}
	b := s.held[:part.Length]
	s.heldAt = -1
	n, _ := f.ReadAt(b, part.Offset) // if fewer bytes are read, the sum differs
	seen := s.parts[i].n
	switch {
	case int64(n) < part.Length, maphash.Bytes(s.seed, b[:seen]) != s.parts[i].hash.Sum64():
		return nil, ErrOverwritten
	case seen < part.Length && !s.trusted:
		return nil, ErrUnread
	}
	s.held, s.heldAt = b[:part.Length:cap(s.held)], i
	return b, nil
}

// Results of Changed if the file no longer exists: GoneNewer if Changed has seen before that another program had saved it.
const (
	Gone      = "the file is gone"
	GoneNewer = "the file is gone, with a newer save"
)

// IsGone reports whether a result of Changed says that the file no longer exists.
func IsGone(how string) bool { return how == Gone || how == GoneNewer }

// Changed describes how the file on disk differs from the one that was opened; "" if it does not. If a
// guarded file was written or replaced, its content is compared, which may take long.
func (s *File) Changed() string {
	if s.private {
		return ""
	}
	s.looking.Lock()
	defer s.looking.Unlock()
	info, err := os.Stat(s.path)
	switch {
	case err != nil && s.differs != "":
		return GoneNewer
	case err != nil:
		return Gone
	}
	if stampOf(info).isSame(stampOf(s.agreed)) && !s.torn.Load() {
		return s.differs
	}
	how := s.compare(info)
	if again, err := os.Stat(s.path); err != nil || !stampOf(again).isSame(stampOf(info)) {
		return how // it is being written; the next call compares it again
	}
	s.agreed, s.differs = info, how
	if own, err := s.f.Stat(); err == nil && how == "" && os.SameFile(own, info) {
		now := stampOf(info)
		s.opened.Store(&now)
	}
	return how
}

// compare describes how the file at the path differs.
func (s *File) compare(info os.FileInfo) string {
	const changed = "the file was changed by another program"
	switch {
	case info.Size() < s.size || s.torn.Load():
		return "the file has become shorter"
	case info.Size() > s.size, s.sums == nil:
		return changed
	}
	theirs, err := OpenFile(s.path)
	if err != nil {
		return changed
	}
	defer theirs.Close()
	mine, other := make([]byte, sumSize), make([]byte, sumSize)
	for off := int64(0); off < s.size; off += sumSize {
		n := min(sumSize, s.size-off)
		if _, err := s.ReadAt(mine[:n], off); errors.Is(err, ErrUnread) {
			return "the file was written by another program before all of it was read"
		} else if err != nil && err != io.EOF {
			return changed
		}
		if _, err := theirs.ReadAt(other[:n], off); err != nil && err != io.EOF || !bytes.Equal(mine[:n], other[:n]) {
			return changed
		}
	}
	return ""
}

// IsOverwritten reports whether bytes that were opened are lost, because another program wrote into the
// file instead of replacing it. In a guarded file such bytes are holes, and this returns false.
func (s *File) IsOverwritten() bool {
	return !s.private && s.sums == nil && (s.torn.Load() || s.isWritten())
}
