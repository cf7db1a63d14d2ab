// Package charset reads and writes text in encodings that names stand for.
package charset

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

// encodings are those that the indexes of names lack, or take for others.
var encodings = map[string]encoding.Encoding{
	"utf-16le": unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), "utf-16be": unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM),
	"utf-16": unicode.UTF16(unicode.BigEndian, unicode.UseBOM), "utf-32le": utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM),
	"utf-32be": utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM), "iso-8859-1": charmap.ISO8859_1, "iso8859-1": charmap.ISO8859_1, "latin1": charmap.ISO8859_1,
	"iso-8859-9": charmap.ISO8859_9, "cp437": charmap.CodePage437, "ibm437": charmap.CodePage437,
}

// isUTF8 reports whether texts of an encoding are UTF-8 as they are.
func isUTF8(name string) bool { return name == "utf-8" || name == "utf8" || name == "" }

// isASCII reports whether an encoding has only the characters below 128.
func isASCII(name string) bool { return name == "ascii" || name == "us-ascii" }

// IsPlain reports whether texts of an encoding are UTF-8 as they are, where they are valid.
func IsPlain(name string) bool {
	name = strings.ToLower(name)
	return isUTF8(name) || isASCII(name)
}

// Checker returns what reports whether bytes are valid in an encoding.
func Checker(name string) func([]byte) bool {
	switch lower := strings.ToLower(name); {
	case isASCII(lower):
		return func(b []byte) bool {
			for _, c := range b {
				if c >= utf8.RuneSelf {
					return false
				}
			}
			return true
		}
	case isUTF8(lower):
		return utf8.Valid
	}
	return func(b []byte) bool {
		_, err := Decode(b, name)
		return err == nil
	}
}

// isModified reports whether an encoding is the modified UTF-8 of Java's DataInput.
func isModified(name string) bool { return name == "mutf-8" || name == "mutf8" }

// fromModified returns the text in modified UTF-8: NUL is the two bytes C0 80, and a character beyond U+FFFF is a
// surrogate pair of three bytes each. Java reads a byte of zero as NUL too.
func fromModified(b []byte) (text []byte, ok bool) {
	text = bytes.ReplaceAll(b, []byte{0xc0, 0x80}, []byte{0})
	if meaning, hasPairs := FromCESU8(text); hasPairs {
		text = meaning
	}
	return text, utf8.Valid(text) && !slices.ContainsFunc(b, func(c byte) bool { return c >= 0xf0 })
}

// UnitSize returns the number of bytes of a character of an encoding, or of a part of one.
func UnitSize(name string) int64 {
	switch name = strings.ToLower(name); {
	case strings.HasPrefix(name, "utf-16"), strings.HasPrefix(name, "utf16"):
		return 2
	case strings.HasPrefix(name, "utf-32"), strings.HasPrefix(name, "utf32"):
		return 4
	}
	return 1
}

// find returns the encoding with a name.
func find(name string) (encoding.Encoding, error) {
	if e := encodings[name]; e != nil {
		return e, nil
	}
	if e, err := htmlindex.Get(name); err == nil && e != encoding.Replacement {
		return e, nil
	}
	for _, index := range []*ianaindex.Index{ianaindex.IANA, ianaindex.MIME} {
		if e, err := index.Encoding(name); err == nil && e != nil {
			return e, nil
		}
	}
	return nil, fmt.Errorf("unknown encoding %q", name)
}

// An Error says that bytes are not valid in their encoding.
type Error struct{ Encoding string }

func (e *Error) Error() string { return "the bytes are not valid " + e.Encoding }

// Decode decodes bytes. Where they are not valid, the error is a *Error and the text has U+FFFD
// instead.
func Decode(b []byte, encodingName string) (string, error) {
	name := strings.ToLower(encodingName)
	if isUTF8(name) || isASCII(name) {
		if !Checker(name)(b) {
			return strings.ToValidUTF8(string(b), "�"), &Error{encodingName}
		}
		return string(b), nil
	}
	if isModified(name) {
		text, ok := fromModified(b)
		if !ok {
			return strings.ToValidUTF8(string(text), "�"), &Error{encodingName}
		}
		return string(text), nil
	}
	e, err := find(name)
	if err != nil {
		return "", err
	}
	s, err := e.NewDecoder().Bytes(b)
	if m, ok := e.(*charmap.Charmap); ok && strings.HasPrefix(name, "iso") {
		s = s[:0]
		for _, c := range b {
			r := m.DecodeByte(c)
			if c>>5 == 4 { // 0x80 to 0x9f are control characters, which the tables lack
				r = rune(c)
			}
			s = utf8.AppendRune(s, r)
		}
	}
	if err != nil || strings.ContainsRune(string(s), utf8.RuneError) {
		return string(s), &Error{encodingName}
	}
	return string(s), nil
}

// Encode encodes a text.
func Encode(s, encodingName string) ([]byte, error) {
	name := strings.ToLower(encodingName)
	if isUTF8(name) || isASCII(name) {
		if i := strings.IndexFunc(s, func(c rune) bool { return c >= utf8.RuneSelf }); isASCII(name) && i >= 0 {
			return nil, fmt.Errorf("%s has no %q", encodingName, []rune(s[i:])[0])
		}
		return []byte(s), nil
	}
	if isModified(name) {
		return bytes.ReplaceAll(ToCESU8([]byte(s)), []byte{0}, []byte{0xc0, 0x80}), nil
	}
	e, err := find(name)
	if err != nil {
		return nil, err
	}
	b, err := e.NewEncoder().Bytes([]byte(s))
	if err != nil {
		return nil, fmt.Errorf("%s cannot hold %q", encodingName, s)
	}
	return b, nil
}

// FromCESU8 returns the UTF-8 of text in which each character beyond U+FFFF is a surrogate pair of three
// bytes each, and everything else is UTF-8. ok is false for other text, or if it has no such pair.
func FromCESU8(text []byte) (meaning []byte, ok bool) {
	if bytes.IndexByte(text, 0xed) < 0 {
		return nil, false
	}
	for i := 0; i < len(text); {
		if r := utf16.DecodeRune(surrogate(text[i:]), surrogate(text[min(i+3, len(text)):])); r != utf8.RuneError {
			meaning, ok = utf8.AppendRune(meaning, r), true
			i += 6
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 {
			return nil, false
		}
		meaning = append(meaning, text[i:i+size]...)
		i += size
	}
	if !ok {
		return nil, false
	}
	return meaning, ok
}

// surrogate returns the surrogate in the first three bytes of text; U+FFFD if there is none.
func surrogate(text []byte) rune {
	if len(text) < 3 || text[0] != 0xed || text[1]>>5 != 5 || text[2]>>6 != 2 {
		return utf8.RuneError
	}
	return 0xd000 | rune(text[1]&0x3f)<<6 | rune(text[2]&0x3f)
}

// ToCESU8 is the inverse of FromCESU8.
func ToCESU8(text []byte) (dst []byte) {
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if high, low := utf16.EncodeRune(r); size == 4 {
			for _, half := range []rune{high, low} {
				dst = append(dst, 0xed, 0x80|byte(half>>6&0x3f), 0x80|byte(half&0x3f))
			}
		} else {
			dst = append(dst, text[:size]...)
		}
		text = text[size:]
	}
	return dst
}
