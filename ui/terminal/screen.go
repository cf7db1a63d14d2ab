package terminal

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"
	"unicode/utf8"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
	"github.com/muesli/cancelreader"

	"varview/decoder/engine/lazy"
)

// A Screen is the terminal as Bubble Tea writes to it. Bubble Tea draws a frame at the next tick of its
// clock, and writes changed lines completely. A Screen draws a frame at once, and only the cells that
// have changed. Rapid frames cost more than they show: the last of them is drawn a little later.
type Screen struct {
	term.File
	interval time.Duration // smallest time between two frames

	mu      sync.Mutex
	frame   string          // the latest
	drawn   []string        // lines that the terminal shows; nil if unknown
	cells   uv.ScreenBuffer // of the latest frame
	shown   uv.ScreenBuffer // on the terminal
	pen     pen
	own     bool      // the terminal shows the program's own screen
	when    time.Time // time at which the latest frame was drawn; zero if the next one does not wait
	hurried time.Time // time at which a key last made a frame not wait
	later   *time.Timer
	stopped atomic.Bool // nothing is drawn any more

	begun     chan struct{} // closed once the first frame has been drawn
	beginOnce sync.Once
}

// NewScreen returns a Screen that draws at most rate frames per second.
func NewScreen(f term.File, rate int) *Screen {
	return &Screen{File: f, interval: time.Second / time.Duration(rate), begun: make(chan struct{})}
}

// Begun returns a channel that is closed once the first frame has been drawn.
func (s *Screen) Begun() <-chan struct{} { return s.begun }

// Show draws a frame whose lines are at most as wide as the terminal, and begin and end without a style.
func (s *Screen) Show(frame string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.frame = frame
	s.drawSoon()
}

// Hurry makes the next frame, which answers a key, not wait for those of the background. Those of rapid keys still wait for one another.
func (s *Screen) Hurry() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if now := time.Now(); now.Sub(s.hurried) >= s.interval {
		s.hurried, s.when = now, time.Time{}
	}
}

// Forget makes the next frame be drawn completely: the terminal has another size, and may have moved its
// content.
func (s *Screen) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drawn = nil
}

// Stop ends drawing. It does not wait for a terminal that accepts no output.
func (s *Screen) Stop() { s.stopped.Store(true) }

// Write implements io.Writer for Bubble Tea. Instead of its frames, the latest one is drawn. After
// anything else, such as a switch to another screen, the content of the terminal is unknown.
func (s *Screen) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if isFrame(string(b)) && s.frame != "" {
		return len(b), s.draw()
	}
	s.drawn = nil
	switch {
	case bytes.Contains(b, []byte(ansi.SetModeAltScreenSaveCursor)):
		s.own = true
	case bytes.Contains(b, []byte(ansi.ResetModeAltScreenSaveCursor)):
		s.own = false
	}
	n, err := s.File.Write(b)
	s.drawSoon()
	return n, err
}

// isFrame reports whether Bubble Tea writes a frame: all lines, from the first.
func isFrame(b string) bool {
	return strings.HasPrefix(b, ansi.CursorHomePosition) && len(b) > len(ansi.CursorHomePosition)
}

// drawSoon draws the latest frame at once, or as soon as the frame rate allows.
func (s *Screen) drawSoon() {
	wait := s.interval - time.Since(s.when)
	switch {
	case !s.own || s.frame == "" || s.stopped.Load():
	case wait <= 0 && s.drawn != nil:
		s.draw() // Bubble Tea does not stop at a write error either
	case s.later == nil: // what Bubble Tea writes besides frames comes in several parts
		s.later = time.AfterFunc(max(wait, s.interval/4), func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			if s.later = nil; s.own && !s.stopped.Load() {
				s.draw()
			}
		})
	}
}

// draw writes the cells that are not on the terminal yet. If the terminal supports it, they appear
// together.
func (s *Screen) draw() error {
	lines := strings.Split(s.frame, "\n")
	if len(lines) != len(s.drawn) {
		s.begin(lines)
	}
	for row, line := range lines {
		if s.drawn[row] != line {
			uv.NewStyledString(line).Draw(s.cells, uv.Rect(0, row, s.cells.Width(), 1))
			addMarks(s.cells.Line(row), line)
			s.pen.draw(row, s.shown.Line(row), s.cells.Line(row), row == len(lines)-1)
		}
	}
	s.drawn = lines
	s.pen.lift()
	if s.pen.out.Len() == 0 {
		return nil
	}
	defer s.pen.out.Reset()
	s.when = time.Now()
	defer s.beginOnce.Do(func() { close(s.begun) })
	_, err := io.WriteString(s.File, ansi.SetModeSynchronizedOutput+s.pen.out.String()+ansi.ResetModeSynchronizedOutput)
	return err
}

// addMarks adds to ASCII letters the marks that follow them, which drawing a line leaves out.
func addMarks(cells uv.Line, line string) {
	isMark := func(r rune) bool { return r >= utf8.RuneSelf && unicode.In(r, unicode.Mn, unicode.Me) }
	if !strings.ContainsFunc(line, isMark) {
		return
	}
	for at, state := 0, byte(0); line != ""; {
		seq, width, n, next := ansi.DecodeSequence(line, state, nil)
		if width == 0 && at > 0 && seq[0] >= utf8.RuneSelf {
			cells[at-1].Content += seq
		}
		at, state, line = at+width, next, line[n:]
	}
}

// begin erases a window whose content is unknown.
func (s *Screen) begin(lines []string) {
	width := 0
	for _, line := range lines {
		width = max(width, ansi.StringWidth(line))
	}
	s.drawn = make([]string, len(lines))
	s.cells, s.shown = uv.NewScreenBuffer(width, len(lines)), uv.NewScreenBuffer(width, len(lines))
	s.cells.Method = ansi.GraphemeWidth
	s.pen = pen{at: -1}
	s.pen.out.WriteString(ansi.ResetStyle + ansi.EraseEntireScreen)
}

// A pen writes cells at a place of the terminal, in a style.
type pen struct {
	out   bytes.Buffer
	row   int
	at    int // column in which it is; -1 if unknown
	style uv.Style
}

// lift leaves the terminal without a style.
func (p *pen) lift() {
	if p.at = -1; !p.style.IsZero() {
		p.out.WriteString(ansi.ResetStyle)
		p.style = uv.Style{}
	}
}

const (
	mostWritten = 4 // cells that are written once more rather than skipped
	leastErased = 8 // blanks that are erased rather than written
)

// draw writes the cells of a row that look different from those that are shown, and takes them over.
func (p *pen) draw(row int, shown, cells uv.Line, isLast bool) {
	for x, next := 0, 0; x < len(cells); x = next {
		c := &cells[x]
		next = x + max(1, c.Width)
		if c.IsZero() || looksSame(c, &shown[x]) { // a wide character covers cells that are zero
			continue
		}
		p.move(row, x, cells)
		switch blank := plainBlanks(cells[x:]); {
		case blank >= leastErased:
			p.erase(blank, x+blank == len(cells))
			next = x + blank
		case isLast && next == len(cells): // where a terminal might scroll
			p.out.WriteString(ansi.ResetModeAutoWrap)
			p.put(c)
			p.out.WriteString(ansi.SetModeAutoWrap)
		default:
			p.put(c)
		}
		if next == len(cells) {
			p.at = -1 // some terminals stay in the last column
		}
	}
	copy(shown, cells)
}

// move goes to a column of a row, if need be over cells that are there already.
func (p *pen) move(row, x int, cells uv.Line) {
	switch between := x - p.at; {
	case p.at < 0 || row != p.row:
		p.out.WriteString(ansi.CursorPosition(x+1, row+1))
	case between > 0 && between <= mostWritten && p.suits(cells[p.at:x]):
		for i := p.at; i < x; i++ {
			p.put(&cells[i])
		}
	case between > 0:
		p.out.WriteString(ansi.CursorForward(between))
	}
	p.row, p.at = row, x
}

// suits reports whether cells can be written in the style of the pen.
func (p *pen) suits(cells uv.Line) bool {
	for i := range cells {
		if c := &cells[i]; c.Width != 1 || !p.style.Equal(&c.Style) && !looksBlank(c, &p.style) {
			return false
		}
	}
	return true
}

// put writes a cell.
func (p *pen) put(c *uv.Cell) {
	if !looksBlank(c, &p.style) {
		p.out.WriteString(c.Style.Diff(&p.style))
		p.style = c.Style
	}
	p.out.WriteString(c.Content)
	if p.at += c.Width; c.Width != 1 { // terminals differ in how wide some characters are
		p.at = -1
	}
}

// erase makes n cells blank, or all that follow.
func (p *pen) erase(n int, all bool) {
	if p.style.Bg != nil || showsBlank(&p.style) {
		p.out.WriteString(ansi.ResetStyle)
		p.style = uv.Style{}
	}
	if all {
		p.out.WriteString(ansi.EraseLineRight)
	} else {
		p.out.WriteString(ansi.EraseCharacter(n))
	}
}

// plainBlanks counts the cells at the beginning that are blank on the terminal's own background.
func plainBlanks(cells uv.Line) (n int) {
	for n < len(cells) && looksBlank(&cells[n], &uv.Style{}) {
		n++
	}
	return n
}

// looksSame reports whether two cells cannot be told apart.
func looksSame(a, b *uv.Cell) bool {
	return a.Equal(b) || looksBlank(a, &b.Style) && b.Content == " "
}

// looksBlank reports whether a cell is a blank that looks the same in another style.
func looksBlank(c *uv.Cell, in *uv.Style) bool {
	return c.Content == " " && c.Style.Bg == in.Bg && !showsBlank(&c.Style) && !showsBlank(in)
}

// showsBlank reports whether a blank in a style shows more than its background.
func showsBlank(s *uv.Style) bool {
	return s.Underline != 0 || s.Attrs&(uv.AttrReverse|uv.AttrStrikethrough) != 0
}

// An Input is the terminal's input without its replies to colour queries. It
// is meant for tea.WithInput: like a file it has a descriptor and a name, so
// that Bubble Tea puts the terminal into raw mode and can cancel a read.
// Reads must not overlap.
type Input struct {
	cancelreader.File
	filter filter
	buffer []byte
	ready  []byte // filtered, not yet read
	err    error  // what ended the file, once ready is read
}

// NewInput wraps the terminal f. It calls onBackground, from within Read, for each
// reply with the background colour. The caller closes f.
func NewInput(f *os.File, onBackground func(dark bool)) *Input {
	return &Input{File: f, filter: filter{onReply: func(reply []byte) {
		if rgb, ok := background(reply); ok {
			onBackground(isDark(rgb))
		}
	}}}
}

// Read waits until the file has something to read, and returns it without replies.
// It returns 0 and no error when there was only a reply: another read would block
// where a cancelreader, which waits for the descriptor, cannot cancel. For the same
// reason p should not be shorter than a reply: what does not fit is kept for the
// next Read.
func (in *Input) Read(p []byte) (int, error) {
	if len(in.ready) == 0 && in.err == nil && len(p) > 0 {
		in.fill(max(len(p), maxReply))
	}
	n := copy(p, in.ready)
	in.ready = in.ready[n:]
	if n > 0 || len(p) == 0 {
		return n, nil
	}
	err := in.err
	in.err = nil
	return 0, err
}

// fill makes at most size bytes ready. It holds back the beginning of a reply
// as long as its rest may come, no longer.
func (in *Input) fill(size int) {
	if len(in.buffer) < size {
		in.buffer = make([]byte, size)
	}
	in.ready = in.ready[:0]
	var since time.Time // time at which bytes were first held
	for {
		room := size - len(in.ready) - len(in.filter.held)
		n, err := in.File.Read(in.buffer[:room])
		in.ready = in.filter.feed(in.ready, in.buffer[:n])
		if err != nil {
			in.ready, in.err = in.filter.flush(in.ready), err
			return
		}
		if len(in.filter.held) == 0 && n < room {
			return
		}
		if since.IsZero() {
			since = time.Now()
		}
		more := readable(in.File.Fd(), max(in.filter.patience()-time.Since(since), 0))
		full := len(in.ready)+len(in.filter.held) == size
		switch {
		case more && full:
			return // the next Read continues with the held bytes
		case !more:
			in.ready = in.filter.flush(in.ready)
			return
		}
	}
}

const (
	headLength = len("\x1b]11;")

	// maxColor is the longest colour, in bytes, that a reply can hold. The
	// longest in use is rgba:ffff/ffff/ffff/ffff.
	maxColor = 64
	maxReply = headLength + maxColor + len("\x1b\\")
)

// A reply is ESC ] 1 0 ; or ESC ] 1 1 ; then at most maxColor printable ASCII characters, then BEL or ESC \. What may become
// one has begun so.
var (
	reply = lazy.Regexp(fmt.Sprintf(`^\x1b\]1[01];[ -~]{0,%d}(\x07|\x1b\\)`, maxColor))
	begun = lazy.Regexp(fmt.Sprintf(`^\x1b(\](1([01](;([ -~]{0,%d}\x1b?)?)?)?)?)?$`, maxColor))
)

// A filter removes the terminal's replies to OSC 10 and OSC 11 from its input.
type filter struct {
	onReply func(reply []byte)
	held    []byte // may be the beginning of a reply
}

// feed appends the held bytes and input to dst, without replies. It holds back an end that may be the
// beginning of a reply.
func (f *filter) feed(dst, input []byte) []byte {
	data := input
	if len(f.held) > 0 {
		data = append(f.held, input...)
		f.held = nil
	}
	for {
		start := bytes.IndexByte(data, '\x1b')
		if start < 0 {
			return append(dst, data...)
		}
		dst = append(dst, data[:start]...)
		data = data[start:]
		switch all := reply().Find(data); {
		case all != nil:
			f.onReply(all)
			data = data[len(all):]
		case begun().Match(data):
			f.held = bytes.Clone(data)
			return dst
		default:
			dst = append(dst, data[0])
			data = data[1:]
		}
	}
}

// flush appends the held bytes to dst, since they are not a reply.
func (f *filter) flush(dst []byte) []byte {
	dst = append(dst, f.held...)
	f.held = nil
	return dst
}

// patience returns how long to wait for what follows the held bytes. People press escape by itself, and escape
// with ]; nobody types more of a reply than that.
func (f *filter) patience() time.Duration {
	switch n := len(f.held); {
	case n == 0:
		return 0
	case n == 1:
		return 4 * time.Millisecond
	case n < headLength:
		return 20 * time.Millisecond
	}
	return 100 * time.Millisecond
}

// background returns the colour of a reply to OSC 11; ok is false for a reply to
// OSC 10, or one without a colour.
func background(reply []byte) (rgb [3]float64, ok bool) {
	spec, found := strings.CutPrefix(string(reply), "\x1b]11;")
	if !found {
		return rgb, false
	}
	return parseColor(strings.TrimRight(spec, "\a\x1b\\"))
}
