package digits

import (
	"bufio"
	"bytes"
	"io"
	"strings"

	"varview/decoder/source"
	"varview/decoder/wrap/layer"
)

// A copier writes base64 or hexadecimal text with the layout of the old text. Digits with
// the same value keep their spelling; additional digits are laid out like the first lines.
// Wrong characters are dropped if the length of the text changes or if they make its digits
// ambiguous.
type copier struct {
	*layer.Rewrapping
	*Packer
	out    *layer.Output
	digits digits
	shape  lineShape
	runs   []Run

	clean   bool // wrong characters are dropped
	padding bool // base64: the padding changes
	seen    bool // the first digit of the old text was read
	done    bool // all digits have been written
	tail    bool // the last digit of the old text was read

	pair []byte // hexadecimal: the digits of a value that were read
	sure bool   // none of them is wrong
	lead offsetGuard
}

func newCopier(w *layer.Rewrapping, t *Packer, out *layer.Output) *copier {
	c := &copier{Rewrapping: w, Packer: t, out: out}
	c.digits = digits{in: w.Reader(), base64: t.Sextets, upper: t.upper}
	c.clean = t.Joined || t.Rough || w.Plain.Size() != t.Size
	c.done = w.Plain.Size() == 0
	if t.Joined {
		c.shape = lineShape{perLine: t.lineDigits, lineEnd: t.LineEnd}
	}
	padded := t.Padded || t.Size%3 == 0
	c.padding = t.Sextets && (t.Joined || padded && w.Plain.Size()%3 != t.Size%3)
	return c
}

func (c *copier) all() error {
	last := c.Last
	if c.BOM {
		last = max(last, c.Old.Region.Offset+int64(len(ByteOrderMark)))
	}
	err := c.eachPiece(c.Rewrapping, func(at int64, b []byte) error {
		c.runs = c.Old.Runs(c.runs[:0], b, at)
		for _, r := range c.runs {
			text := b[:r.N]
			b = b[r.N:]
			if n := last - at; n > 0 && n < int64(r.N) { // the mark, and text after it
				if err := c.run(text[:n], r.Class); err != nil {
					return err
				}
				at, text = at+n, text[n:]
			}
			if at >= last && !c.tail {
				if err := c.rest(); err != nil {
					return err
				}
			}
			if err := c.run(text, r.Class); err != nil {
				return err
			}
			at += int64(len(text))
		}
		return nil
	})
	if err == nil && !c.tail {
		err = c.rest()
	}
	return err
}

// run follows a run of the old text.
func (c *copier) run(text []byte, class Class) error {
	switch {
	case class == IsText:
		return c.between(text)
	case class == IsOdd || class == IsWrong:
		if c.clean {
			return nil
		}
		return c.between(text)
	case class == IsHalf:
		return c.digit(text, HexValue(text[0]), false)
	case c.Sextets:
		for i, d := range text {
			if err := c.digit(text[i:i+1], Base64Values[d], class == IsDigits); err != nil {
				return err
			}
		}
		return nil
	}
	return c.pairs(text, class == IsDigits)
}

// pairs follows hexadecimal digits. A wrong digit and the right one of its pair are two
// runs.
func (c *copier) pairs(text []byte, sure bool) error {
	for _, d := range text {
		c.sure = sure && (c.sure || len(c.pair) == 0)
		if c.pair = append(c.pair, d); len(c.pair) < 2 {
			continue
		}
		pair := c.pair
		c.pair = c.pair[:0]
		if err := c.digit(pair, HexValue(pair[0])<<4|HexValue(d), c.sure); err != nil {
			return err
		}
	}
	return nil
}

// between follows text that is not digits. Text before the first digit and after the last
// one stays; text between digits stays as long as there are digits for it.
func (c *copier) between(text []byte) error {
	switch {
	case c.tail && c.padding:
		text = bytes.ReplaceAll(text, []byte("="), nil)
	case c.tail, !c.seen, !c.clean:
	case c.done, c.Joined:
		return nil
	default:
		c.shape.text(text)
	}
	if c.seen && !c.tail && !c.Sextets {
		text = c.lead.text(text)
	}
	_, err := c.out.Write(text)
	return err
}

// digit follows the digits of one value. sure says that none of them is wrong.
func (c *copier) digit(text []byte, value byte, sure bool) error {
	c.seen = true
	if c.Joined {
		return nil
	}
	v, err := c.digits.next()
	if err == io.EOF {
		if !c.clean { // base64: a last digit without its pair
			_, err := c.out.Write(text)
			return err
		}
		return nil
	}
	if err != nil {
		return err
	}
	if c.clean {
		v.loose = 0
	}
	if value&^v.loose != v.bits || c.clean && !sure {
		text = c.digits.text(v)
	}
	c.shape.digit()
	c.done = !c.digits.more()
	c.lead.digit(text)
	_, err = c.out.Write(text)
	return err
}

// rest writes the digits for which the old text has no place, and the padding.
func (c *copier) rest() error {
	c.tail = true
	for {
		v, err := c.digits.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if _, err := c.out.WriteString(c.shape.next()); err != nil {
			return err
		}
		text := c.digits.text(v)
		c.lead.digit(text)
		if _, err := c.out.Write(text); err != nil {
			return err
		}
	}
	if !c.padding {
		return nil
	}
	_, err := c.out.WriteString(strings.Repeat("=", int((3-c.Plain.Size()%3)%3)))
	return err
}

// digits turns bytes into the values of base64 digits, or into bytes that two hexadecimal
// digits represent.
type digits struct {
	in     *bufio.Reader
	base64 bool
	upper  bool   // hexadecimal digits A to F are upper case
	bits   uint32 // base64: bits that were read, but are not yet in a digit
	have   int    // how many bits
	buf    [2]byte
}

// A digitValue is what digits represent.
type digitValue struct {
	bits  byte
	loose byte // bits of an incomplete group's last digit that are ignored
}

// next returns the next value; the error is io.EOF after the last one.
func (d *digits) next() (digitValue, error) {
	if d.base64 && d.have >= 6 {
		return d.sextet(), nil
	}
	c, err := d.in.ReadByte()
	switch {
	case err == nil && d.base64:
		d.bits, d.have = d.bits<<8|uint32(c), d.have+8
		return d.sextet(), nil
	case err == io.EOF && d.have > 0:
		short := 6 - d.have
		v := digitValue{byte(d.bits<<short) & 63, 1<<short - 1}
		d.have = 0
		return v, nil
	}
	return digitValue{bits: c}, err
}

func (d *digits) sextet() digitValue {
	d.have -= 6
	return digitValue{bits: byte(d.bits>>d.have) & 63}
}

// more reports whether another value, or an error, follows.
func (d *digits) more() bool {
	if d.have > 0 {
		return true
	}
	_, err := d.in.Peek(1)
	return err != io.EOF
}

// text writes a value; it is valid until the next call.
func (d *digits) text(v digitValue) []byte {
	if d.base64 {
		d.buf[0] = base64Digits[v.bits]
		return d.buf[:1]
	}
	return appendHex(d.buf[:0], v.bits, d.upper)
}

// A lineShape learns how the lines of a text are written, counted in values.
type lineShape struct {
	perLine  int    // values of the first line
	lineEnd  string // what is between it and the next line; "" if there is only one line
	perGroup int    // values of the first group
	between  string // what is between it and the next group on the same line
	column   int    // values of this line so far
	group    int    // of this group
	gap      []byte // what follows the last value
}

// longestGap is the longest text between two values that counts as a part of the layout.
const longestGap = 64

// text learns that the given text follows the last value.
func (s *lineShape) text(text []byte) {
	s.gap = append(s.gap, text[:min(len(text), longestGap+1-len(s.gap))]...)
}

// digit learns that a value follows.
func (s *lineShape) digit() {
	if len(s.gap) > 0 {
		s.endGroup()
	}
	s.column++
	s.group++
}

func (s *lineShape) endGroup() {
	fine := len(s.gap) <= longestGap
	switch {
	case bytes.IndexByte(s.gap, '\n') < 0:
		if s.between == "" && fine {
			s.between, s.perGroup = string(s.gap), s.group
		}
	default:
		if s.lineEnd == "" && fine {
			s.lineEnd, s.perLine = string(s.gap), s.column
		}
		s.column = 0
	}
	s.group, s.gap = 0, s.gap[:0]
}

// next returns what must precede the next additional value.
func (s *lineShape) next() (text string) {
	switch {
	case s.lineEnd != "" && s.perLine > 0 && s.column >= s.perLine:
		s.column, s.group, text = 0, 0, s.lineEnd
	case s.between != "" && s.group >= s.perGroup:
		s.group, text = 0, s.between
	}
	s.column++
	s.group++
	return text
}

// How many digits the offset of a row of xxd or hexdump has.
const (
	LeastOffset = 6 // in the first row
	MaxOffset   = 16
)

// An offsetGuard keeps the first digits of a hexadecimal text from being mistaken for the
// offset of a row.
type offsetGuard struct {
	digits int
	first  byte
	after  byte // what follows them
	safe   bool
}

// digit records digits of the text.
func (g *offsetGuard) digit(text []byte) {
	if g.digits == 0 {
		g.first = text[0]
	}
	g.digits += len(text)
	g.safe = g.safe || g.after != 0 || g.digits > MaxOffset
}

// text returns what can be between the digits so far and other digits on the line: neither
// ": " nor two blanks.
func (g *offsetGuard) text(text []byte) []byte {
	g.safe = g.safe || bytes.IndexByte(text, '\n') >= 0
	if g.safe || len(text) == 0 {
		return text
	}
	if g.after == 0 {
		tooLarge := g.digits == MaxOffset && g.first >= '8' // for an int64
		if g.safe = tooLarge || g.digits < LeastOffset || text[0] != ' ' && text[0] != ':'; g.safe {
			return text
		}
		g.after = text[0]
		return append([]byte{g.after}, g.text(text[1:])...)
	}
	kept := bytes.TrimLeft(text, " ")
	g.safe = len(kept) > 0
	return kept
}

// Old is a text that is written again.
type Old struct {
	*Text
	Layout
	Size int64 // of the old payload
	Last int64 // end of the last digit of the old text
	Cut  bool  // the old payload is incomplete
}

// CanRewrap implements layer.Packer.
func (o *Old) CanRewrap() error {
	if o.Cut {
		return layer.ErrCut
	}
	return nil
}

// A Packer replaces the digits and keeps what is between them.
type Packer struct {
	Old
	Sextets bool // the digits are those of base64
	Padded  bool // base64: padding completes the last group of four digits
	Joined  bool // base64: padding within the text ends groups of digits
	Rough   bool // how wrong characters are read depends on one another
}

// Rewrap implements layer.Packer.
func (p *Packer) Rewrap(w *layer.Rewrapping) (int64, error) {
	out := w.Output(0)
	if err := newCopier(w, p, out).all(); err != nil {
		return 0, err
	}
	return out.Finish()
}

// eachPiece calls each for the pieces of the old text.
func (o *Old) eachPiece(w *layer.Rewrapping, each func(at int64, b []byte) error) error {
	win := source.NewWindow(w.Source)
	for at := w.Region.Offset; at < w.Region.End(); {
		if err := w.Ctx.Err(); err != nil {
			return err
		}
		b := o.Piece(win, at)
		if err := win.Err(); err != nil {
			return err
		}
		if hole := win.TakeHole(); hole != nil {
			return layer.Lacking(hole)
		}
		if err := each(at, b); err != nil {
			return err
		}
		at += int64(len(b))
	}
	return nil
}
