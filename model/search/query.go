package search

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
)

// A Query says what to look for.
type Query struct {
	text    string  // as typed
	bytes   []byte  // not nil: these bytes, wherever they are
	needle  []byte  // else this text in keys and strings
	fold    *folded // whatever its case; else nil
	number  bool    // or a number equal to value
	value   float64
	whole   bool // or rather to integer: a float64 does not hold every int
	integer int64
	word    bool // or a value that is written like this: true, nan
}

// ParseQuery reads what was typed: "x:1b 00" looks for bytes, all else for
// text, and for a number if it is one. Text without capitals is found in any
// case.
func ParseQuery(s string) (Query, error) {
	q := Query{text: s}
	if digits, ok := strings.CutPrefix(s, "x:"); ok {
		b, err := hex.DecodeString(strings.Join(strings.Fields(digits), ""))
		if err != nil || len(b) == 0 {
			return q, fmt.Errorf("x: needs pairs of hex digits, as in x:1b 00")
		}
		q.bytes = b
		return q, nil
	}
	if s == "" {
		return q, errors.New("nothing to look for")
	}
	q.needle = []byte(s)
	if strings.IndexFunc(s, unicode.IsUpper) < 0 {
		q.needle = bytes.ToLower(q.needle)
		q.fold = fold(q.needle)
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil && strings.ContainsAny(s, "xXbBoO") {
		n, err = strconv.ParseInt(s, 0, 64)
	}
	if err == nil {
		q.integer, q.value, q.whole, q.number = n, float64(n), true, true
	} else if v, err := strconv.ParseFloat(s, 64); err == nil {
		q.value, q.number = v, v == v && !math.IsInf(v, 0)
	}
	switch s {
	case "true", "false", "nan", "inf", "-inf":
		q.word = true
	}
	return q, nil
}

// String is the query as it was typed.
func (q Query) String() string { return q.text }

// index returns the first place of the text in b, -1 if it is not there.
func (q *Query) index(b []byte) int {
	if q.fold != nil {
		return q.fold.index(b)
	}
	return bytes.Index(b, q.needle)
}

// equals reports whether the text of a field is the number that is looked for.
func (q *Query) equals(text string) bool {
	if n, err := strconv.ParseInt(text, 10, 64); q.whole && err == nil {
		return n == q.integer
	}
	v, err := strconv.ParseFloat(text, 64)
	return err == nil && v == q.value && (!q.whole || int64(v) == q.integer)
}
