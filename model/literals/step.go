package literals

import (
	"strconv"
	"strings"
)

// Step returns a literal in which the number at a byte is increased by by steps: of its last digit, or of
// 0.01 in a colour if it is between 0 and 1. If no number is there, it is the next one or, in a literal
// without text, the first. then is where the cursor is afterwards; ok is false if there is no number.
func Step(literal string, at, by int) (stepped string, then int, ok bool) {
	from, to, ok := number(literal, at)
	for i := at + 1; !ok && i < at+len(literal) && !strings.Contains(literal, `"`); i++ {
		from, to, ok = number(literal, i%len(literal))
	}
	if !ok {
		return literal, at, false
	}
	digits := 0
	if i := strings.IndexByte(literal[from:to], '.'); i >= 0 {
		digits = to - from - i - 1
	}
	var text string
	if v, err := strconv.ParseInt(literal[from:to], 10, 64); err == nil && !strings.HasPrefix(literal, "Color(") {
		text = strconv.FormatInt(v+int64(by), 10)
	} else {
		v, err := strconv.ParseFloat(literal[from:to], 64)
		if err != nil {
			return literal, at, false
		}
		unit, _ := strconv.ParseFloat("1e-"+strconv.Itoa(digits), 64)
		if strings.HasPrefix(literal, "Color(") {
			unit, digits = 0.01, max(2, digits)
			v = max(0, min(v+unit*float64(by), 1))
		} else {
			v += unit * float64(by)
		}
		text = strconv.FormatFloat(v, 'f', digits, 64)
	}
	return literal[:from] + text + literal[to:], from + len(text), true
}

// number returns the bounds of the number that contains a byte of a literal, or ends before it.
func number(literal string, at int) (from, to int, ok bool) {
	isDigit := func(i int) bool {
		return i >= 0 && i < len(literal) && (literal[i] >= '0' && literal[i] <= '9' || literal[i] == '.')
	}
	if !isDigit(at) {
		at--
	}
	if !isDigit(at) {
		return 0, 0, false
	}
	for from, to = at, at+1; isDigit(from - 1); from-- {
	}
	for isDigit(to) {
		to++
	}
	if from > 0 && literal[from-1] == '-' {
		from--
	}
	before := strings.TrimLeft(literal[:from], "-")
	i := len(before) - 1 // otherwise it is part of a name, of hexadecimal digits or of an exponent
	return from, to, i < 0 || !isName(before[i]) && before[i] != '#'
}
