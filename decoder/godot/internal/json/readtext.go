package json

import (
	"strconv"

	"varview/decoder/notation"
)

// string reads the next string. A lone \udcXX is the byte XX of a text that is not valid
// UTF-8, as in tree.AppendQuoted.
func (j *jsonReader) string() ([]byte, error) {
	if err := j.expect('"'); err != nil {
		return nil, err
	}
	text := []byte{}
	for {
		var err error
		if text, err = j.appendRun(text, func(c byte) bool { return c != '"' && c != '\\' }); err != nil {
			return nil, err
		}
		switch c, err := j.byte(); {
		case err != nil:
			return nil, err
		case c == '"':
			return text, nil
		default:
			if text, err = j.escape(text); err != nil {
				return nil, err
			}
		}
	}
}

func (j *jsonReader) escape(text []byte) ([]byte, error) {
	c, err := j.byte()
	if err != nil {
		return nil, err
	}
	escape := `\` + string(c)
	if c == 'u' {
		r, err := j.unit()
		if err != nil {
			return nil, err
		}
		escape += r
		if r[0]|0x20 == 'd' && r[1] >= '8' && (r[1]|0x20 < 'c') { // the other half follows
			for range 2 {
				if c, err = j.byte(); err != nil {
					return nil, err
				}
				escape += string(rune(c))
			}
			if r, err = j.unit(); err != nil {
				return nil, err
			}
			escape += r
		}
	}
	if text, err = notation.Unescape(text, escape); err != nil {
		return nil, j.fail("there is no escape %s", strconv.Quote(escape))
	}
	return text, nil
}

// unit reads four hex digits.
func (j *jsonReader) unit() (string, error) {
	var digits []byte
	for range 4 {
		c, err := j.byte()
		if err != nil {
			return "", err
		}
		if !notation.IsHex(c) {
			return "", j.fail(`\u needs four hex digits`)
		}
		digits = append(digits, c)
	}
	return string(digits), nil
}
