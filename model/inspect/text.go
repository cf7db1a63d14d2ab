package inspect

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"varview/decoder/engine/tree"
)

// quoted returns a character as a literal that is safe on a terminal.
func quoted(r rune) string { return string(tree.AppendQuoted(nil, utf8.AppendRune(nil, r))) }

// oneRune returns a typed character, with or without quotes.
func oneRune(s string) (rune, error) {
	if u, err := strconv.Unquote(s); err == nil && s[0] == '"' {
		s = u
	}
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 || n < len(s) || r == utf8.RuneError && n == 1 {
		return 0, errors.New("one character")
	}
	return r, nil
}

func utf8Text(b []byte, _ order) string {
	r, n := utf8.DecodeRune(b)
	if r == utf8.RuneError && n <= 1 {
		return ""
	}
	return quoted(r)
}

func parseUTF8(s string, _ order) ([]byte, error) {
	r, err := oneRune(s)
	return utf8.AppendRune(nil, r), err
}

func utf16Text(b []byte, o order) string {
	r := rune(o.Uint16(b))
	if utf16.IsSurrogate(r) {
		if len(b) < 4 {
			return ""
		}
		if r = utf16.DecodeRune(r, rune(o.Uint16(b[2:]))); r == utf8.RuneError {
			return ""
		}
	}
	return quoted(r)
}

func parseUTF16(s string, o order) (b []byte, err error) {
	r, err := oneRune(s)
	for _, unit := range utf16.AppendRune(nil, r) {
		b = o.AppendUint16(b, unit)
	}
	return b, err
}

// Taken returns the number of bytes that the kind takes of these: of a character those of
// this one.
func (k *Interpretation) Taken(b []byte, big bool) int {
	switch {
	case k.Name == "UTF-8":
		_, n := utf8.DecodeRune(b)
		return max(1, n)
	case k.Name == "UTF-16" && len(b) >= 2 && !utf16.IsSurrogate(rune(orderOf(big).Uint16(b))):
		return 2
	}
	return k.Size
}

// Layouts in which times are shown and typed, all in UTC.
const (
	shownTime = "2006-01-02 15:04:05"
	shownDay  = "2006-01-02"
)

// lastTime is the first second after the year 9999.
const lastTime = 253402300800

// seconds returns the time s seconds after the start of 1970; "" outside the years 1 to 9999.
func seconds(s int64) string {
	if s >= lastTime || s < -62135596800 {
		return ""
	}
	return time.Unix(s, 0).UTC().Format(shownTime)
}

func secondsText(b []byte, o order) string { return seconds(int64(o.Uint32(b))) }

func millisText(b []byte, o order) string {
	ms := int64(o.Uint64(b))
	if s := seconds(ms / 1000); s != "" {
		return time.UnixMilli(ms).UTC().Format(shownTime + ".000")
	}
	return ""
}

// parseTime parses a date with or without a time.
func parseTime(s string) (time.Time, error) {
	for _, form := range []string{shownTime, shownDay, time.RFC3339} { // the first accepts fractions too
		if t, err := time.Parse(form, s); err == nil {
			return t, nil
		}
	}
	return time.Time{}, errors.New("type a time in UTC: 2024-05-01 12:30:00")
}

func parseSeconds(s string, o order) ([]byte, error) {
	t, err := parseTime(s)
	if err == nil && (t.Unix() < 0 || t.Unix() > 1<<32-1) {
		err = errors.New("32 bits hold times from 1970 to 2106")
	}
	return o.AppendUint32(nil, uint32(t.Unix())), err
}

func parseMillis(s string, o order) ([]byte, error) {
	t, err := parseTime(s)
	return o.AppendUint64(nil, uint64(t.UnixMilli())), err
}

func colorText(b []byte, _ order) string { return "#" + hex.EncodeToString(b) }

func parseColor(s string, _ order) ([]byte, error) {
	digits, ok := strings.CutPrefix(s, "#")
	if len(digits) == 6 {
		digits += "ff"
	}
	b, err := hex.DecodeString(digits)
	if !ok || err != nil || len(b) != 4 {
		return nil, fmt.Errorf("type #rrggbb or #rrggbbaa")
	}
	return b, nil
}

// IsTime reports whether the text of the kind is a time, which is long.
func (k *Interpretation) IsTime() bool { return k.Name == "time s" || k.Name == "time ms" }
