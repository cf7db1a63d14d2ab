package wrap

import (
	"bytes"
	"io"
	"strings"
)

// A digitCopier writes base64 or hexadecimal text. It goes along the old text
// and puts new digits in place of the old ones; where they are the same the old
// ones stay as they are. Where the old text has too few it goes on as its first
// lines are written. A text that gets another length, or whose digits could be
// read otherwise, loses what is wrong in it.
type digitCopier struct {
	*wrapping
	*textLayer
	out    *output
	digits digits
	shape  lineShape
	runs   []run

	clean   bool // what is wrong is left out
	padding bool // base64: the padding changes
	seen    bool // the first digit of the old text was met
	done    bool // all digits are written
	tail    bool // the last digit of the old text is behind

	pair []byte // hexadecimal: the digits of a value that were met
	sure bool   // none of them is wrong
	lead offsetGuard
}

func newDigitCopier(w *wrapping, t *textLayer, out *output) *digitCopier {
	c := &digitCopier{wrapping: w, textLayer: t, out: out}
	c.digits = digits{in: w.reader(), base64: t.form == formBase64, upper: t.upper}
	c.clean = t.joined || t.rough || w.plain.Size() != t.size
	c.done = w.plain.Size() == 0
	if t.joined {
		c.shape = lineShape{perLine: t.lineDigits, lineEnd: t.lineEnd}
	}
	padded := t.padded || t.size%3 == 0
	c.padding = t.form == formBase64 && (t.joined || padded && w.plain.Size()%3 != t.size%3)
	return c
}

func (c *digitCopier) all() error {
	last := c.last
	if c.bom {
		last = max(last, c.region.Offset+int64(len(byteOrderMark)))
	}
	err := c.eachPiece(c.wrapping, func(at int64, b []byte) error {
		c.runs = c.lex(c.runs[:0], b, at)
		for _, r := range c.runs {
			text := b[:r.n]
			b = b[r.n:]
			if n := last - at; n > 0 && n < int64(r.n) { // the mark, and text behind it
				if err := c.run(text[:n], r.class); err != nil {
					return err
				}
				at, text = at+n, text[n:]
			}
			if at >= last && !c.tail {
				if err := c.rest(); err != nil {
					return err
				}
			}
			if err := c.run(text, r.class); err != nil {
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

// run goes along a run of the old text.
func (c *digitCopier) run(text []byte, class class) error {
	switch {
	case class == isText:
		return c.between(text)
	case class == isOdd || class == isWrong:
		if c.clean {
			return nil
		}
		return c.between(text)
	case class == isHalf:
		return c.digit(text, hexValue(text[0]), false)
	case c.form == formBase64:
		for i, d := range text {
			if err := c.digit(text[i:i+1], base64Values[d], class == isDigits); err != nil {
				return err
			}
		}
		return nil
	}
	return c.pairs(text, class == isDigits)
}

// pairs goes along hexadecimal digits. A wrong one and the right one of its pair
// are two runs.
func (c *digitCopier) pairs(text []byte, sure bool) error {
	for _, d := range text {
		c.sure = sure && (c.sure || len(c.pair) == 0)
		if c.pair = append(c.pair, d); len(c.pair) < 2 {
			continue
		}
		pair := c.pair
		c.pair = c.pair[:0]
		if err := c.digit(pair, hexValue(pair[0])<<4|hexValue(d), c.sure); err != nil {
			return err
		}
	}
	return nil
}

// between goes along text that is no digits. That before the first digit stays,
// that behind the last one too; between them as much as there are digits for.
func (c *digitCopier) between(text []byte) error {
	switch {
	case c.tail && c.padding:
		text = bytes.ReplaceAll(text, []byte("="), nil)
	case c.tail, !c.seen, !c.clean:
	case c.done, c.joined:
		return nil
	default:
		c.shape.text(text)
	}
	if c.seen && !c.tail && c.form == formPlain {
		text = c.lead.text(text)
	}
	_, err := c.out.Write(text)
	return err
}

// digit goes along the digits of one value. sure says that they are not wrong.
func (c *digitCopier) digit(text []byte, value byte, sure bool) error {
	c.seen = true
	if c.joined {
		return nil
	}
	v, err := c.digits.next()
	if err == io.EOF {
		if !c.clean { // base64: a last digit that stands alone
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

// rest writes the digits that the old text has no room for, and the padding.
func (c *digitCopier) rest() error {
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
	_, err := c.out.WriteString(strings.Repeat("=", int((3-c.plain.Size()%3)%3)))
	return err
}
