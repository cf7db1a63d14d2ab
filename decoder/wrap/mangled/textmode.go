package mangled

import (
	"bytes"
	"fmt"
	"strings"

	"varview/decoder/span"
)

// textMode is the mangling of a transfer that writes line ends as on Windows: FTP's text mode, fopen
// without "b", git with autocrlf.
type textMode struct {
	changed
}

// restore implements mangling: each 0A follows a 0D, which is left out.
func (m *textMode) restore(dst, b []byte, off int64, last bool) (was []byte, n int, ok bool) {
	for {
		rest := b[n:]
		k := bytes.IndexByte(rest, '\n')
		if k < 0 {
			if !last && len(rest) > 0 && rest[len(rest)-1] == '\r' {
				rest = rest[:len(rest)-1] // its 0A may follow
			}
			return append(dst, rest...), n + len(rest), true
		}
		if k == 0 || rest[k-1] != '\r' {
			return dst, n, false
		}
		dst = append(append(dst, rest[:k-1]...), '\n')
		m.add(span.Span{Offset: off + int64(n+k) - 1, Length: 1})
		n += k + 1
	}
}

// redo implements mangling.
func (m *textMode) redo(dst, b []byte, first bool) []byte {
	for {
		k := bytes.IndexByte(b, '\n')
		if k < 0 {
			return append(dst, b...)
		}
		dst = append(append(dst, b[:k]...), '\r', '\n')
		b = b[k+1:]
	}
}

// describe implements mangling.
func (m *textMode) describe() (message, repair string) {
	if m.all == 1 {
		return "the file went through a text-mode transfer: a 0D was put before its one 0A byte", "delete the 0D byte"
	}
	n := span.Grouped(m.all)
	return fmt.Sprintf("the file went through a text-mode transfer: a 0D was put before each of its %s 0A bytes", n), fmt.Sprintf("delete the %s 0D bytes", n)
}

// mark is a UTF-8 byte order mark.
const mark = "\xef\xbb\xbf"

// markBefore is the mangling of an editor that saves as "UTF-8 with BOM"; some editors add another mark
// each time.
type markBefore struct {
	changed
}

// restore implements mangling.
func (m *markBefore) restore(dst, b []byte, off int64, last bool) (was []byte, n int, ok bool) {
	if m.all == 0 {
		for bytes.HasPrefix(b[n:], []byte(mark)) {
			m.add(span.Span{Offset: off + int64(n), Length: int64(len(mark))})
			n += len(mark)
		}
		if n == 0 {
			return dst, 0, false
		}
	}
	return append(dst, b[n:]...), len(b), true
}

// redo implements mangling.
func (m *markBefore) redo(dst, b []byte, first bool) []byte {
	if first {
		dst = append(dst, strings.Repeat(mark, int(m.all))...)
	}
	return append(dst, b...)
}

// describe implements mangling.
func (m *markBefore) describe() (message, repair string) {
	if m.all == 1 {
		return "a program took the file for text and put a byte order mark, EF BB BF, before it", "delete the 3 bytes"
	}
	n := span.Grouped(m.all)
	return fmt.Sprintf("programs took the file for text and put %s byte order marks, EF BB BF, before it", n), fmt.Sprintf("delete the %s marks", n)
}
