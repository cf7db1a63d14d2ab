package json

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"varview/decoder/edit/textual"
	"varview/decoder/engine/lazy"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// odd are the numbers that JSON does not have, by the programs that spell them.
var odd = map[string]struct {
	is      float64
	readers string
}{
	"inf":       {math.Inf(1), "Godot 3 writes inf, but neither Godot 3 nor Godot 4 reads it"},
	"-inf":      {math.Inf(-1), "Godot 3 writes -inf, but neither Godot 3 nor Godot 4 reads it"},
	"nan":       {math.NaN(), "Godot 3 writes nan, but neither Godot 3 nor Godot 4 reads it"},
	"-nan":      {math.NaN(), "Godot 3 writes -nan, but neither Godot 3 nor Godot 4 reads it"},
	"NaN":       {math.NaN(), "Python writes and reads NaN; Godot and GameMaker do not read it"},
	"Infinity":  {math.Inf(1), "Python writes and reads Infinity; Godot and GameMaker do not read it"},
	"-Infinity": {math.Inf(-1), "Python writes and reads -Infinity; Godot and GameMaker do not read it"},
}

// isNumber reports whether a word is a number of JSON, or one that is nearly so.
func isNumber(word string) bool {
	if word == "" || word[0] > '9' && odd[word].readers == "" || strings.ContainsAny(word, "_xXpP") {
		return false
	}
	if _, ok := odd[word]; ok {
		return true
	}
	_, err := strconv.ParseFloat(word, 64)
	return err == nil || isRange(err)
}

func isRange(err error) bool { return strings.HasSuffix(err.Error(), strconv.ErrRange.Error()) }

// scalar is the grammar's Scalar.
func scalar(b []byte, v *tree.Value) tree.Scalar {
	switch v.Type {
	case null:
		return tree.Scalar{Kind: tree.Null}
	case boolean:
		return tree.Scalar{Kind: tree.Bool, Bits: uint64(len("false") - len(b))}
	case int64Text:
		n, _ := int64Of(string(b[1 : len(b)-1]))
		return tree.Scalar{Kind: tree.Int, Bits: uint64(n), JSON: b}
	}
	if n, ok := shortInt(b); ok {
		return tree.Scalar{Kind: tree.Int, Bits: uint64(n), Own: b}
	}
	word := string(b)
	if !bytes.ContainsAny(b, ".eE") {
		if n, err := strconv.ParseInt(word, 10, 64); err == nil && word != "-0" {
			return tree.Scalar{Kind: tree.Int, Bits: uint64(n), Own: b}
		}
		if n, err := strconv.ParseUint(word, 10, 64); err == nil {
			return tree.Scalar{Kind: tree.Uint, Bits: n, Own: b}
		}
	}
	x, ok := odd[word]
	if !ok {
		x.is, _ = strconv.ParseFloat(word, 64) // infinite if it is out of range
	}
	return tree.Scalar{Kind: tree.Float64, Bits: math.Float64bits(x.is), Own: b}
}

// shortInt returns a whole number of 1 to 18 digits; most are.
func shortInt(b []byte) (n int64, ok bool) {
	digits := bytes.TrimPrefix(b, []byte("-"))
	for _, c := range digits {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	if len(digits) == 0 || len(digits) > 18 || n == 0 && len(digits) < len(b) {
		return 0, false
	}
	if len(digits) < len(b) {
		n = -n
	}
	return n, true
}

// noting reports a note about a value.
type noting func(code, engine, format string, args ...any)

// inspect is the grammar's Inspect.
func inspect(v *tree.Value, b []byte, report func(span.Problem)) {
	note := func(code, engine, format string, args ...any) {
		p := span.Problem{Span: span.Between(v.Head, v.Tail), Severity: span.Note, Code: code, Message: fmt.Sprintf(format, args...), Engine: engine}
		if code == span.Loose {
			if is := strict(b); is != "" && b[0] != '"' {
				p.Repair = "write it as " + is
			} else if is != "" {
				p.Repair = "escape them"
			}
		}
		report(p)
	}
	switch v.Type {
	case text:
		inspectText(v, b, note, report)
	case int64Text:
		n, _ := int64Of(string(b[1 : len(b)-1]))
		note(span.Loose, "GameMaker's json_parse reads it so; for all others it is text", "%s stands for the int64 %d", b[1:len(b)-1], n)
	case number:
		inspectNumber(v, b, note, report)
	}
}

// inspectText reports what readers of JSON make of a text.
func inspectText(v *tree.Value, b []byte, note noting, report func(span.Problem)) {
	switch {
	case v.Flags&textual.Escaped != 0 && bytes.Contains(b, []byte(`\v`)) && verticalTab().Match(b): // which takes long
		note(span.Loose, `Godot writes \v, but Godot 3 reads it as the letter v, and Godot 4 refuses the text`, `the escape \v, which JSON does not have`)
	case v.Flags&textual.Control != 0 && hasZeros(v, b, report):
	case v.Flags&textual.Control != 0:
		note(span.Loose, "Godot and GameMaker read control characters as they are; other readers of JSON refuse them", "a text with control characters that are not escaped")
	case beginsTyped(b) && b[len(b)-1] == '"':
		if is := typed(string(b[1 : len(b)-1])); is != "" {
			note(textual.ReadBack, "Godot 3 and 4 read it as a String", "%s is how Godot writes %s", tree.Prose(b[1:len(b)-1]), is)
		}
	case len(b) < maxMarked && len(b) > 2:
		if is := marked(string(b[1 : len(b)-1])); is != "" {
			note(span.Loose, "GameMaker's json_parse reads it so; for all others it is text", "%s stands for %s", tree.Prose(b[1:len(b)-1]), is)
		}
	}
}

// inspectNumber reports what readers of JSON make of a number.
func inspectNumber(v *tree.Value, b []byte, note noting, report func(span.Problem)) {
	switch {
	case !json.Valid(b):
		inspectSpelling(v, b, note, report)
	case bytes.ContainsAny(b, "eE"):
		if x, _ := strconv.ParseFloat(string(b), 64); math.Abs(x) >= longest {
			note(textual.ReadBack, "Godot 3 writes its first 250 digits, or inf, which it does not read", "%s is more than Godot 3 can write", b[:min(len(b), 80)])
		}
	case len(b) > exactDigits && !bytes.ContainsAny(b, ".eE"):
		if x, err := strconv.ParseFloat(string(b), 64); err == nil && strconv.FormatFloat(x, 'f', 0, 64) != string(b) {
			note(textual.ReadBack, "Godot reads all numbers as floats", "Godot reads %s as %s", b[:min(len(b), 80)], strconv.FormatFloat(x, 'f', 0, 64))
		}
	}
}

// hasZeros reports zeros within a text, and whether there are any.
func hasZeros(v *tree.Value, b []byte, report func(span.Problem)) bool {
	p := span.Problem{Severity: span.Warning, Code: textual.ZeroedBlock, Message: "zeros within a text", Repair: "delete the zeros"}
	at, n := source.ZeroedRun(b)
	if n == 0 {
		p.Code, p.Engine, at, n = span.NulInText, "Godot reads the file up to the first zero", bytes.IndexByte(b, 0), 1
	}
	if p.Span = (span.Span{Offset: v.Head + int64(at), Length: int64(n)}); at >= 0 {
		report(p)
	}
	return at >= 0
}

// inspectSpelling reports a number that is not spelled as in JSON.
func inspectSpelling(v *tree.Value, b []byte, note noting, report func(span.Problem)) {
	engine := odd[string(b)].readers
	if engine == "" && (b[0] == '.' || b[0] == '+') {
		engine = "neither Godot nor GameMaker reads it"
	}
	switch {
	case engine != "":
		report(refused(v, b, engine))
		return
	case bytes.HasPrefix(b, []byte("-.")):
		engine = "Godot 3 reads it; other readers of JSON refuse it"
	case b[len(b)-1] == '.' || bytes.Contains(b, []byte(".e")):
		engine = "Godot 3 and 4 read it; other readers of JSON refuse it"
	default:
		engine = "Godot 4 reads it; other readers of JSON refuse it"
	}
	note(span.Loose, engine, "%s is not spelled as a number of JSON", b[:min(len(b), 80)])
}

// refused is the problem of a number that no engine reads.
func refused(v *tree.Value, b []byte, engine string) span.Problem {
	p := span.Problem{Span: span.Between(v.Head, v.Tail), Severity: span.Error, Code: span.EngineRefuses, Settled: true,
		Message: fmt.Sprintf("%s is not a number of JSON", b[:min(len(b), 80)]), Engine: engine}
	if is := respell(string(b)); is != "" {
		p.Repair = "write it as " + is
	}
	return p
}

// strict returns a token as all readers of JSON accept it, which is read as the same value; "" if they accept it already, or
// there is none.
func strict(token []byte) string {
	switch {
	case json.Valid(token):
	case token[0] != '"':
		m := nearNumber().FindSubmatch(token)
		if m == nil {
			return ""
		}
		whole, decimals := bytes.TrimLeft(m[2], "0"), m[3]
		if len(whole) == 0 {
			whole = []byte("0")
		}
		if len(decimals) == 1 {
			decimals = []byte(".0")
		}
		return string(bytes.Join([][]byte{m[1], whole, decimals, m[4]}, nil))
	case len(token) > 1 && token[len(token)-1] == '"':
		text := bytes.ReplaceAll(token[1:len(token)-1], []byte(`\v`), []byte(`\u000b`))
		var b []byte
		for _, c := range text {
			if c < ' ' {
				quoted := appendText(nil, []byte{c}, false)
				b = append(b, quoted[1:len(quoted)-1]...)
			} else {
				b = append(b, c)
			}
		}
		if b = append(append([]byte{'"'}, b...), '"'); json.Valid(b) {
			return string(b)
		}
	}
	return ""
}

// nearNumber matches a number with zeros before it, or without digits on one side of its point.
var nearNumber = lazy.Regexp(`^(-?)([0-9]*)(\.[0-9]*)?([eE][-+]?[0-9]+)?$`)

// respell is the grammar's Respell. Readers take a number with too large an exponent for an infinite one.
func respell(word string) string {
	if s := strict([]byte(word)); s != "" {
		return s
	}
	word = strings.TrimPrefix(word, "+")
	if x, ok := odd[word]; ok {
		switch {
		case math.IsInf(x.is, 1):
			return "1e999"
		case math.IsInf(x.is, -1):
			return "-1e999"
		}
		return ""
	}
	if strings.HasPrefix(word, ".") {
		word = "0" + word
	}
	if !json.Valid([]byte(word)) {
		return ""
	}
	return word
}

// verticalTab matches a text with this escape.
var verticalTab = lazy.Regexp(`(?s)^"(\\[^v]|[^\\])*\\v`)

const (
	longest     = 1e250 // a number that Godot 3 does not write with all its digits
	exactDigits = 15    // a whole number of as many digits is a float without loss
	maxMarked   = 64    // length in bytes of the longest text that stands for a number
)

// marked returns the number that a text stands for in GameMaker; "" if there is none.
func marked(s string) string {
	switch s {
	case "@@nan$$":
		return "nan"
	case "@@infinity$$":
		return "inf"
	case "@@-infinity$$":
		return "-inf"
	}
	if name, ok := strings.CutPrefix(s, "@ref "); ok && strings.HasSuffix(s, ")") {
		return "the reference " + name
	}
	return ""
}

// int64Of returns the int64 that a text stands for in GameMaker: hexadecimal digits, which are two's
// complement or, as HTML5 writes negative ones, follow a minus.
func int64Of(s string) (n int64, ok bool) {
	digits, ok := strings.CutPrefix(s, "@i64@")
	digits, closed := strings.CutSuffix(digits, "$i64$")
	if !ok || !closed || strings.HasPrefix(digits, "+") {
		return 0, false
	}
	if u, err := strconv.ParseUint(digits, 16, 64); err == nil {
		return int64(u), true
	}
	n, err := strconv.ParseInt(digits, 16, 64)
	return n, err == nil
}

// int64Length returns the length of such a text, in quotes, at the start of b; 0 if there is none.
func int64Length(b []byte) int {
	if len(b) < 2 || b[1] != '@' {
		return 0
	}
	s, _, ended := strings.Cut(string(b[1:min(len(b), maxMarked)]), `"`)
	if _, ok := int64Of(s); !ok || !ended {
		return 0
	}
	return len(s) + 2
}

// appendInt64 appends an int64 as GameMaker's text, with a minus where the old text has one.
func appendInt64(dst []byte, n int64, old []byte) []byte {
	if n < 0 && bytes.IndexByte(old, '-') >= 0 {
		return fmt.Appendf(dst, `"@i64@-%x$i64$"`, -uint64(n))
	}
	return fmt.Appendf(dst, `"@i64@%x$i64$"`, uint64(n))
}

// inspected is the number of bytes that are searched for numbers that Godot would change, which happens
// before the first frame.
const inspected = 1 << 20

// losses are what engines would change if they read a text and wrote it again.
type losses struct {
	whole, long, fine bool // it has whole numbers, numbers with many digits, and numbers with many decimals
	null              bool
}

func (l *losses) isAll() bool { return l.whole && l.long && l.fine && l.null }

// inspectAll notes once what engines would change if they read the text and wrote it again: a note for each
// number would name nearly all of them.
func inspectAll(w *source.Window, v *tree.Value, engine string, report func(span.Problem)) {
	var l losses
	inText := false
	end := min(v.Limit, v.Body+inspected)
	for at := v.Body; at < end && !l.isAll(); {
		b := w.View(at, min(source.MaxView, end-at))
		if n := bytes.LastIndexByte(b, ',') + 1; n > 0 && at+int64(len(b)) < v.Limit { // so that no number is cut
			b = b[:n]
		}
		at += int64(max(1, len(b)))
		inText = l.look(b, inText)
	}
	l.report(v, engine, report)
}

// look looks at a part of the text, and reports whether it ends inside quotes, as it may begin.
func (l *losses) look(b []byte, inText bool) bool {
	for i := 0; i < len(b) && !l.isAll(); i++ {
		switch c := b[i]; {
		case inText:
			quote := bytes.IndexByte(b[i:], '"')
			if quote < 0 {
				quote = len(b) - i
			}
			text := b[i : i+quote]
			i += quote
			inText = i == len(b) || (len(text)-len(bytes.TrimRight(text, "\\")))%2 != 0
		case c == '"':
			inText = true
		case c == 'n':
			l.null = l.null || bytes.HasPrefix(b[i:], []byte("null"))
		case c-'0' < 10 || c == '-':
			from := i
			for i < len(b) && isWord(b[i]) {
				i++
			}
			l.number(b[from:i])
			i--
		}
	}
	return inText
}

// number looks at a number.
func (l *losses) number(word []byte) {
	if l.whole && len(word) <= exactDigits && (l.fine || !bytes.ContainsAny(word, ".eE")) {
		return
	}
	is := *l
	if bytes.ContainsAny(word, ".eE") {
		is.long, is.fine = l.long || significant(word) > exactDigits, l.fine || !hasFewDecimals(word)
	} else {
		is.whole = true
	}
	if is != *l && json.Valid(word) { // no checksum behind the value, for example
		*l = is
	}
}

// report notes the losses.
func (l *losses) report(v *tree.Value, engine string, report func(span.Problem)) {
	note := func(message string) {
		report(span.Problem{Span: span.Between(v.Body, v.Body), Severity: span.Note, Code: textual.ReadBack, Message: message})
	}
	var lost []string
	if l.whole {
		lost = append(lost, "whole numbers become floats: 5 is written as 5.0 by Godot 4")
	}
	if l.long {
		lost = append(lost, "numbers of more than 15 digits lose the rest")
	}
	if l.fine {
		lost = append(lost, "only six decimals are left in Godot 3: 1e-7 becomes 0")
	}
	if len(lost) > 0 && engine == "" {
		note("if Godot reads this and writes it again, " + strings.Join(lost, "; "))
	}
	if l.null {
		note("GameMaker reads null as pointer_null, not as undefined")
	}
}

// significant returns the number of digits before the exponent, without zeros in front.
func significant(word []byte) (n int) {
	for _, c := range bytes.TrimLeft(word, "-0.") {
		if c|0x20 == 'e' {
			break
		}
		if c != '.' {
			n++
		}
	}
	return n
}

// hasFewDecimals reports whether a number has at most six decimals.
func hasFewDecimals(word []byte) bool {
	const most = 6
	mantissa, exponent, _ := bytes.Cut(bytes.ToLower(word), []byte("e"))
	_, decimals, _ := bytes.Cut(mantissa, []byte("."))
	by, _ := strconv.Atoi(string(exponent))
	return len(bytes.TrimRight(decimals, "0"))-by <= most
}

// encode is the grammar's Encode.
func encode(d textual.Datum, old []byte) []byte {
	if d.In != nil && d.In.Layout == tree.Fixed {
		return component(d, old)
	}
	switch d.Kind {
	case tree.Null:
		return []byte("null")
	case tree.Bool, tree.Int, tree.Uint, tree.Float64:
		return encodeNumber(d, old)
	case tree.Text:
		return appendText(nil, d.Data, bytes.Contains(old, []byte(`\u`)) && !bytes.ContainsFunc(old, func(r rune) bool { return r >= 0x80 }))
	}
	return nil
}

// encodeNumber is encode of a number, true or false.
func encodeNumber(d textual.Datum, old []byte) []byte {
	if d.Kind == tree.Int && d.Was != nil && d.Was.Type == int64Text {
		return appendInt64(nil, int64(d.Bits), old)
	}
	if _, err := strconv.ParseFloat(string(d.Own), 64); err != nil && isRange(err) && !infinite().Match(d.Own) {
		return nil
	}
	if !json.Valid(d.Own) {
		d.Own = nil
	}
	b := d.AppendNumber(nil)
	if fixed := textual.SixDecimals(b, old); fixed != nil {
		return fixed
	}
	if json.Valid(b) {
		return b
	}
	return nil
}

// infinite matches a number that is meant to be read as infinity, as Godot 4 writes it (1e99999).
var infinite = lazy.Regexp(`^-?1e9{3,}$`)

// appendText appends a text in quotes, with the escapes that JSON needs and, if the old text is all ASCII,
// escapes for all other characters. A DEL, with which a file is no text any more, always gets one.
func appendText(dst, b []byte, ascii bool) []byte {
	dst = append(dst, '"')
	for _, c := range textual.Characters(b) {
		switch i := strings.IndexByte("\"\\\b\f\n\r\t", byte(c.Rune)); {
		case c.Invalid:
			dst = fmt.Appendf(dst, `\udc%02x`, c.Rune)
		case c.Rune < 0x80 && i >= 0:
			dst = append(dst, '\\', `"\bfnrt`[i])
		case c.Rune < ' ', c.Rune == 0x7f, ascii && c.Rune > 0x7f && c.Rune < 0x10000:
			dst = fmt.Appendf(dst, `\u%04x`, c.Rune)
		case ascii && c.Rune >= 0x10000:
			dst = fmt.Appendf(dst, `\u%04x\u%04x`, 0xd800+(c.Rune-0x10000)>>10, 0xdc00+(c.Rune-0x10000)&0x3ff)
		default:
			dst = append(dst, string(c.Rune)...)
		}
	}
	return append(dst, '"')
}
