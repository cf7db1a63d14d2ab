package digits

import (
	"bytes"
	"io"
	"strings"

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
