package convert

import (
	"fmt"
	"strings"
)

// Digits of uids in text, which are in base 34.
const (
	digits   = "abcdefghijklmnopqrstuvwxy012345678"
	uidStart = "uid://"
)

// FormatUID returns the text of a uid; "" for -1, which means none.
func FormatUID(uid int64) string {
	if uid < 0 {
		return ""
	}
	text := ""
	for ; uid > 0 || text == ""; uid /= int64(len(digits)) {
		text = digits[uid%int64(len(digits)):][:1] + text
	}
	return uidStart + text
}

// parseUID returns the uid of a text: -1 for an empty text and for the text that means none.
func parseUID(text string) (uid int64, err error) {
	rest, ok := strings.CutPrefix(text, uidStart)
	if text == "" || rest == "<invalid>" {
		return -1, nil
	}
	for _, c := range []byte(rest) {
		n := strings.IndexByte(digits, c)
		if ok = ok && n >= 0 && uid <= (1<<63-1-int64(n))/int64(len(digits)); !ok {
			break
		}
		uid = uid*int64(len(digits)) + int64(n)
	}
	if !ok || rest == "" {
		return -1, fmt.Errorf("%q is not a uid", text)
	}
	return uid, nil
}
