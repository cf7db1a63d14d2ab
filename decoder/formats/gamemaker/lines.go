package gamemaker

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"math"
	"strconv"
	"unicode/utf8"

	"varview/decoder/diagnose"
	"varview/decoder/edit/textual"
	"varview/decoder/engine/format"
	"varview/decoder/engine/lazy"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// Lines is the family of texts with a value on each line, as GameMaker's file_text_write_string,
// file_text_write_real and file_text_writeln write them.
var Lines format.Family = linesFamily{textual.NewFamily(lines{})}

type linesFamily struct{ textual.Family }

// Numbers of types.
const (
	lineNumber = 1 + iota
	lineText
)

var (
	linesDialect = &format.Dialect{Name: "lines", Format: "lines", Title: "lines", About: "file_text_write_string, file_text_write_real and file_text_writeln in GameMaker",
		Types: []string{"number", "text"}, Common: true}
	linesGrammar = textual.Grammar{Line: lineType, Scalar: lineScalar, Encode: encodeLine, Unescape: unescapeLine, Samples: func() []string { return []string{"0", `""`} }}
	linesFormat  = &textual.Format{Grammar: &linesGrammar, Dialect: linesDialect, Lines: true}
)

type lines struct{}

// Name implements format.Family.
func (lines) Name() string { return "lines" }

// Dialects implements format.Family.
func (lines) Dialects() []*format.Dialect { return []*format.Dialect{linesDialect} }

// Codes implements format.CodeLister: there are none, since each line is a value.
func (lines) Codes() []span.Code { return nil }

// Hints implements format.Family.
func (lines) Hints() format.Hints {
	return format.Hints{Title: "lines", Literal: `a line: 42, 1.5, "text"`, Empty: `""`, Commands: "w   set 100   goto 0x1f4 or $[10]   quit"}
}

// Formats implements format.Family.
func (lines) Formats(r *format.Request, src source.Source, region span.Span) []format.Format {
	if r.Dialect != "" && r.Dialect != linesDialect.Name || r.Framing != "" && r.Framing != "raw" || r.Double {
		return nil
	}
	var names format.Names
	if r.Names != nil {
		names = r.Names()
	}
	b := source.NewWindow(src).View(region.Offset, min(region.Length, source.MaxView))
	if len(names.List) == 0 || bytes.Count(b, []byte("\n")) < names.Least-1 {
		return []format.Format{linesFormat}
	}
	return []format.Format{namedFormat{linesFormat, names.List}}
}

// A namedFormat is the format of lines that have names.
type namedFormat struct {
	*textual.Format
	names []string
}

// Open implements format.Format.
func (f namedFormat) Open(source.Source, span.Span) tree.Reading {
	return newNamedLines(textual.NewEditor(f.Format), f.names)
}

// cutNumber returns the number that a line is, with the blanks around it: file_text_write_real writes one behind it. ok is false
// if the line is no number.
func cutNumber(line []byte) (before, number, after []byte, ok bool) {
	number = bytes.TrimLeft(line, " \t")
	before = line[:len(line)-len(number)]
	number = bytes.TrimRight(number, " \t")
	n, _, _ := textual.NumberLength(number)
	return before, number, line[len(before)+len(number):], n == len(number)
}

// longestNumber is the length in bytes of the longest line that is a number and not digits of something else.
const longestNumber = 40

// lineType is the grammar's Line.
func lineType(line []byte) (typ uint16, isText bool) {
	if len(line) <= longestNumber {
		if _, _, _, is := cutNumber(line); is {
			return lineNumber, false
		}
	}
	return lineText, true
}

// lineScalar is the grammar's Scalar.
func lineScalar(b []byte, _ *tree.Value) tree.Scalar {
	word := bytes.Trim(b, " \t")
	if n, err := strconv.ParseInt(string(word), 10, 64); err == nil && string(word) != "-0" {
		return tree.Scalar{Kind: tree.Int, Bits: uint64(n), Own: word}
	}
	x, _ := strconv.ParseFloat(string(word), 64) // infinite if it is out of range
	return tree.Scalar{Kind: tree.Float64, Bits: math.Float64bits(x), Own: word}
}

// encodeLine is the grammar's Encode. A number keeps the blanks around the old one.
func encodeLine(d textual.Datum, old []byte) []byte {
	if old == nil {
		old = d.Like
	}
	switch {
	case d.Kind == tree.Text:
		if bytes.ContainsRune(d.Data, '\n') || bytes.HasPrefix(d.Data, []byte("\ufeff")) || len(bytes.TrimRight(d.Data, "\r\x00")) < len(d.Data) {
			return nil // it would not be read back
		}
		return append([]byte{}, d.Data...)
	case d.Kind < tree.Int || d.Kind > tree.Float64:
		return nil
	}
	word := d.Own
	if !json.Valid(word) {
		d.Own = nil
		word = d.AppendNumber(nil)
	}
	if !json.Valid(word) {
		return nil
	}
	before, _, after, is := cutNumber(old)
	if !is {
		return word
	}
	return bytes.Join([][]byte{before, word, after}, nil)
}

// unescapeLine is the grammar's Unescape: lines have no escapes.
func unescapeLine(dst, text []byte) ([]byte, int) { return append(dst, text...), -1 }

// Limits of what is taken for a file of lines.
const (
	sniffedLines = 16 << 10 // bytes that are looked at
	leastLines   = 2
	severalLines = 10 // of fewer, most are short and none begins like JSON: a line before what is long may be a header
	shortLine    = 40 // bytes
)

// Sniff implements format.Family: it accepts lines of digits that hold bytes, and lines of which half are numbers; or a
// quarter, if nearly all others are short, or some, if all are short and the same again and again. Of other texts nothing
// tells whether their lines are values.
func (lines) Sniff(src source.Source, region span.Span) format.Claim {
	b := source.NewWindow(src).View(region.Offset, min(region.Length, sniffedLines))
	if int64(len(b)) < region.Length {
		b = b[:bytes.LastIndexByte(b, '\n')+1]
	}
	b = bytes.TrimPrefix(bytes.TrimRight(b, "\x00"), []byte("\ufeff"))
	if areCodedLines(b) {
		return format.Plausible
	}
	if diagnose.InConflict(b) {
		return format.None
	}
	n := lineCounts{different: map[string]bool{}}
	for line := range bytes.Lines(b) {
		if line = bytes.TrimRight(line, "\r\n"); !isLineText(line) {
			return format.None
		}
		n.add(line)
	}
	if n.areValues() && !otherText().Match(b) {
		return format.LastResort
	}
	return format.None
}

// lineCounts are what lines are, by number.
type lineCounts struct {
	all, some, short, numbers int // some have characters
	phrases, json             int // have several words and are no numbers, and begin like JSON
	different                 map[string]bool
}

func (n *lineCounts) add(line []byte) {
	n.different[string(line)] = true
	n.all++
	if len(line) == 0 {
		return
	}
	n.some++
	if len(line) <= shortLine {
		n.short++
	}
	if areNumbers(line) {
		n.numbers++
	} else if bytes.ContainsAny(line, " \t") {
		n.phrases++
	}
	if line[0] == '{' || line[0] == '[' {
		n.json++
	}
}

// areValues reports whether lines are a value each.
func (n *lineCounts) areValues() bool {
	if n.all < leastLines || n.all < severalLines && (n.json > 0 || n.short*2 <= n.some) {
		return false
	}
	isHalf := n.numbers*2 >= n.some
	isQuarter := (n.all >= severalLines || n.phrases == 0) && n.numbers*4 >= n.some && n.short*10 >= n.some*9
	isRepeated := n.numbers > 0 && n.short == n.some && len(n.different)*8 <= n.some
	return isHalf || isQuarter || isRepeated
}

// otherText matches what only texts of other programs have: the vertices of a model, the size of a picture, the times of subtitles.
var otherText = lazy.Regexp(`(?m)^(?:v[nt]?(?: -?\d+\.\d+){2,}|\d\d:\d\d:\d\d[,.]\d{3} --> .*)\r?$|\AP[1-6]\s+(?:#.*\n)?\d+ \d+\s`)

// areNumbers reports whether most of the words in a line are numbers, as in those of lists and records; behind a plus sign they are one
// for a telephone.
func areNumbers(line []byte) bool {
	if line[0] == '+' {
		return false
	}
	words, numbers := 0, 0
	for word := range bytes.FieldsSeq(line) {
		words++
		if typ, _ := lineType(word); typ == lineNumber {
			numbers++
		}
	}
	return numbers*2 > words
}

// codedLine matches a line of base64 or hexadecimal digits.
var codedLine = lazy.Regexp(`^(?:[A-Za-z0-9+/]{2,}={0,2}|(?:[0-9A-Fa-f]{2})+)$`)

// areCodedLines reports whether two lines or more are digits, some of which are too long for words, or of which each holds text.
func areCodedLines(b []byte) bool {
	const long = 32
	all, isLong, areTexts := 0, false, true
	for line := range bytes.Lines(b) {
		line = bytes.TrimRight(line, "\r\n")
		if len(line) > 0 && !codedLine().Match(line) {
			return false
		}
		text, err := base64.StdEncoding.DecodeString(string(line))
		areTexts = areTexts && err == nil && isLineText(text)
		all, isLong = all+min(len(line), 1), isLong || len(line) >= long
	}
	return all > 1 && (isLong || areTexts)
}

// isLineText reports whether a line is text without control characters other than tabs and NULs. Four NULs before more are a number.
func isLineText(line []byte) bool {
	if bytes.Contains(bytes.Trim(line, "\x00"), []byte("\x00\x00\x00\x00")) {
		return false
	}
	return utf8.Valid(line) && !bytes.ContainsFunc(line, func(r rune) bool { return r < ' ' && r != '\t' && r != 0 || r == 0x7f })
}
