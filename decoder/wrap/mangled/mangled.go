// Package mangled restores binary files that a program has treated as text.
package mangled

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/wrap/layer"
	"varview/decoder/wrap/part"
)

// The kinds, in the order in which they are undone.
var (
	ByteOrderMark layer.Wrapper = &kind{
		layer.Info{Name: "byte-order-mark", About: "a file with a byte order mark before it, as editors put it"},
		"byte order mark", layer.LeadingBOM, func() mangling { return &markBefore{} }}
	TextMode layer.Wrapper = &kind{
		layer.Info{Name: "text-transfer", About: "a file with a 0D before each 0A, as a text-mode transfer puts them"},
		"text transfer", layer.TextTransfer, func() mangling { return &textMode{} }}
	Reencoded layer.Wrapper = &kind{
		layer.Info{Name: "re-encoded", About: "a file read as Latin-1 or Windows-1252 text and saved as UTF-8"},
		"re-encoded", layer.ReencodedBytes, func() mangling { return &reencoded{} }}
)

// A kind is a way in which a program damages a binary file by treating it as text; the payload is the original file.
type kind struct {
	layer.Info
	title string
	code  string // of the problem
	new   func() mangling
}

// Sniff implements layer.Wrapper: whether a file is mangled is only decided once it is known
// how it reads as it is.
func (*kind) Sniff(*layer.Sample) bool { return false }

// WasDone reports whether the beginning of a region, of at most 256 KiB, shows damage of a kind; of one that is none of these, false.
func WasDone(w layer.Wrapper, src source.Source, region span.Span) bool {
	const judged = 256 << 10
	k, ok := w.(*kind)
	if !ok {
		return false
	}
	m, win := k.new(), source.NewWindow(src)
	if e, ok := m.(*encoded); ok && e.mark == "" && bytes.ContainsFunc(win.View(region.Offset, min(region.Length, 4<<10)), isControl) {
		return false // not decoded character by character
	}
	in := &mangled{region: span.Span{Offset: region.Offset, Length: min(region.Length, judged)}, win: win, cut: region.Length > judged}
	return in.restore(context.Background(), m, io.Discard) == nil && m.isLikely()
}

// A mangling is what a program has done to all bytes of a file.
type mangling interface {
	// restore appends the original bytes of b, and returns how many bytes of b they account for; unless
	// last is set, more bytes follow b. ok is false if no such program writes b.
	restore(dst, b []byte, off int64, last bool) (was []byte, n int, ok bool)

	// isLikely reports whether what restore has read is likely such a file.
	isLikely() bool

	// redo appends the bytes that a program makes of b. The error says what it has no bytes for.
	redo(dst, b []byte, first bool) ([]byte, error)

	// changes returns the changes that restore has undone.
	changes() *changed

	// describe says what was done, and how it is repaired.
	describe() (message, repair string)
}

// maxChanges is the number of changes that are listed one by one.
const maxChanges = 64

// A changed records the places that a program has changed.
type changed struct {
	all   int64
	first span.Span       // set if all > 0
	list  []source.Splice // splices that repair them; incomplete if there are many
}

func (c *changed) changes() *changed { return c }

func (c *changed) isLikely() bool { return c.all > 0 }

// add records that the bytes of s replaced was.
func (c *changed) add(s span.Span, was ...byte) {
	if c.all++; c.all == 1 {
		c.first = s
	}
	if len(c.list) < maxChanges {
		c.list = append(c.list, source.Put(s.Offset, s.Length, slices.Clone(was)))
	}
}

// A mangled is a region of bytes that a program has mangled.
type mangled struct {
	region   span.Span
	win      *source.Window
	cut      bool // the bytes continue after the region
	progress func(done, all int64)
}

// errNotMangled says that no such program writes these bytes.
var errNotMangled = errors.New("not mangled")

// restore writes the original bytes. The error is errNotMangled, or that of ctx, of
// reading, or of out.
func (in *mangled) restore(ctx context.Context, m mangling, out io.Writer) error {
	var was []byte
	for at, end := in.region.Offset, in.region.End(); at < end; {
		if err := ctx.Err(); err != nil {
			return err
		}
		b := in.win.View(at, end-at)
		if err := in.win.Err(); err != nil {
			return err
		}
		if hole := in.win.TakeHole(); hole != nil {
			return hole
		}
		last := at+int64(len(b)) == end
		next, n, ok := m.restore(was[:0], b, at, last && !in.cut)
		switch {
		case !ok:
			return errNotMangled
		case n == 0 && last:
			return nil // the rest is cut off
		case n == 0:
			return errNotMangled
		}
		if _, err := out.Write(next); err != nil {
			return err
		}
		was = next
		if at += int64(n); in.progress != nil {
			in.progress(at-in.region.Offset, in.region.Length)
		}
	}
	return nil
}

// Open implements layer.Wrapper.
func (k *kind) Open(ctx context.Context, l *layer.Layer, src source.Source, o layer.Options) error {
	m := k.new()
	in := &mangled{region: l.Region, win: source.NewWindow(src), progress: o.Report}
	was := &layer.Spool{Limit: o.MaxUnpacked}
	err := in.restore(ctx, m, was)
	hole := (*source.HoleError)(nil)
	if err == nil && m.changes().all > 0 {
		l.Title = k.title
		if err := l.Hold(was); err != nil {
			return err
		}
		l.Packer = &packer{m}
		describe(l, m, k.code)
		return nil
	}
	was.Close()
	switch {
	case errors.Is(err, layer.ErrFull):
		l.Reject(k.title, "this is more than --max-unpacked allows")
	case err == nil, errors.Is(err, errNotMangled), errors.As(err, &hole):
		l.Reject(k.title, "this is not "+k.About)
	default:
		return err
	}
	return nil
}

// describe makes the reading of a file that a program treated as text.
func describe(l *layer.Layer, m mangling, code string) {
	c := m.changes()
	p := part.At("bytes", l.Region.Offset)
	end := l.Region.End()
	splices := c.list
	if c.all > int64(len(c.list)) {
		splices = []source.Splice{{Span: l.Region, New: source.Whole(l.Payload)}}
	} else {
		for _, s := range c.list {
			if s.Added() == 0 { // these bytes are not in the payload
				p.Put(s.Offset-p.End(), end, span.Data, "bytes")
				p.Put(s.Length, end, span.Gap, "gap")
			}
		}
	}
	p.Put(end-p.End(), end, span.Data, "bytes")
	p.Text = fmt.Sprintf("%s → %s", span.Bytes(l.Region.Length), span.Grouped(l.Payload.Size()))
	message, repair := m.describe()
	report, engine := p.Fail, "loading fails, or gives other values"
	if code == layer.OtherEncoding {
		report, engine = p.Warn, "other characters are read"
	}
	if found := report(c.first, code, message, engine); repair != "" {
		found.RepairBy(repair, splices...)
	}
	d := l.Describe(l.About(), p)
	l.Reading = &d
}

// packer mangles a payload as the old one was mangled.
type packer struct{ mangling }

// CanRewrap implements layer.Packer.
func (*packer) CanRewrap() error { return nil }

// Rewrap implements layer.Packer.
func (l *packer) Rewrap(w *layer.Rewrapping) (int64, error) {
	out, in := w.Output(0), w.Reader()
	piece, changed := make([]byte, 32<<10), []byte(nil)
	for first := true; ; first = false {
		n, err := in.Read(piece)
		if err != nil && err != io.EOF {
			return 0, err
		}
		isLast := err == io.EOF
		if changed, err = l.redo(changed[:0], piece[:n], first); err != nil {
			return 0, err
		}
		if _, err := out.Write(changed); err != nil {
			return 0, err
		}
		if isLast {
			return out.Finish()
		}
	}
}

// windows1252 are the characters of bytes 80 to 9F in Windows-1252. The five that it leaves
// undefined are the same as in Latin-1, as on Windows.
var windows1252 = [32]rune{
	'€', 0x81, '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', 0x8d, 'Ž', 0x8f,
	0x90, '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', 0x9d, 'ž', 'Ÿ',
}

// reencoded is the mangling of a program that reads a file as Latin-1 or Windows-1252 text and saves it
// as UTF-8.
type reencoded struct {
	changed
	latin   bool // a byte 80 to 9F became its character in Latin-1, which Windows-1252 does not have
	windows bool // the reverse
}

// restore implements mangling: each character is one byte.
func (m *reencoded) restore(dst, b []byte, off int64, last bool) (was []byte, n int, ok bool) {
	for n < len(b) {
		if b[n] < utf8.RuneSelf {
			dst = append(dst, b[n])
			n++
			continue
		}
		if !last && !utf8.FullRune(b[n:]) {
			break
		}
		r, size := utf8.DecodeRune(b[n:])
		c, ok := m.byteOf(r)
		if !ok || size == 1 {
			return dst, n, false
		}
		m.add(span.Span{Offset: off + int64(n), Length: int64(size)}, c)
		dst = append(dst, c)
		n += size
	}
	return dst, n, true
}

// byteOf returns the byte that became a character.
func (m *reencoded) byteOf(r rune) (c byte, ok bool) {
	switch {
	case r > 0xff:
		m.windows = true
		i := slices.Index(windows1252[:], r)
		return byte(0x80 + i), i >= 0 && !m.latin
	case r < 0xa0 && windows1252[r-0x80] != r:
		m.latin = true
		return byte(r), !m.windows
	}
	return byte(r), true
}

// redo implements mangling.
func (m *reencoded) redo(dst, b []byte, first bool) ([]byte, error) {
	for _, c := range b {
		r := rune(c)
		if m.windows && c >= 0x80 && c < 0xa0 {
			r = windows1252[c-0x80]
		}
		dst = utf8.AppendRune(dst, r)
	}
	return dst, nil
}

// describe implements mangling.
func (m *reencoded) describe() (message, repair string) {
	as := "Latin-1 or Windows-1252"
	switch {
	case m.windows:
		as = "Windows-1252"
	case m.latin:
		as = "Latin-1"
	}
	return fmt.Sprintf("a program read the file as %s text and saved it as UTF-8: %s became two or three", as, span.Counted(m.all, "byte")), "write each character as one byte again"
}

// textMode is the mangling of a transfer that writes line ends as on Windows: FTP's text mode, fopen
// without "b", git with autocrlf.
type textMode struct {
	changed
	isBinary bool // it has bytes that texts do not have
}

// isLikely implements mangling: a text may well have such line ends.
func (m *textMode) isLikely() bool { return m.all > 0 && m.isBinary }

// restore implements mangling: before each 0A there is a 0D, which it leaves out.
func (m *textMode) restore(dst, b []byte, off int64, last bool) (was []byte, n int, ok bool) {
	m.isBinary = m.isBinary || bytes.ContainsFunc(b, func(c rune) bool { return c < ' ' && !strings.ContainsRune("\t\r\n\f", c) || c == 0x7f })
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
func (m *textMode) redo(dst, b []byte, first bool) ([]byte, error) {
	for {
		k := bytes.IndexByte(b, '\n')
		if k < 0 {
			return append(dst, b...), nil
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
func (m *markBefore) redo(dst, b []byte, first bool) ([]byte, error) {
	if first {
		dst = append(dst, strings.Repeat(mark, int(m.all))...)
	}
	return append(dst, b...), nil
}

// describe implements mangling.
func (m *markBefore) describe() (message, repair string) {
	if m.all == 1 {
		return "a program took the file for text and put a byte order mark, EF BB BF, before it", "delete the 3 bytes"
	}
	n := span.Grouped(m.all)
	return fmt.Sprintf("programs took the file for text and put %s byte order marks, EF BB BF, before it", n), fmt.Sprintf("delete the %s marks", n)
}
