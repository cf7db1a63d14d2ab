package gamemaker

import (
	"bytes"
	"strings"

	"varview/decoder/diagnose"
	"varview/decoder/edit/simple"
	"varview/decoder/edit/textual"
	"varview/decoder/engine/format"
	"varview/decoder/engine/lazy"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// Ini is the family of INI files as GameMaker's ini_write_string and its siblings read and write them.
var Ini = simple.New(ini)

var ini = simple.Description{
	Name:  "ini",
	Title: "INI",
	About: "ini_write_string and its siblings in GameMaker, and many other programs",
	Types: []string{"ini", "section", "name", "key", "text"},
	Sniff: sniffIni,
	Value: readIni,

	CESU8:    true,
	Lines:    true,
	Unused:   true,
	Common:   true,
	Engine:   map[string]string{span.RepeatedKey: "if two keys or two sections have the same name, only the last counts"},
	HasChild: skipLines,
	Glance:   glanceLines,
	Foot: func(c *simple.Cursor) {
		if c.Place().In == inFile {
			skipLines(c)
		}
	},

	Spell:  spellNumber,
	Encode: encodeIni,
	Header: emptyHeader,
}

// Properties is the family of texts with keys as in an INI file, but no sections. All of a line behind its equals
// sign is the value.
var Properties = simple.New(simple.Description{
	Name:  "properties",
	Title: "keys and values",
	About: "lines of key=value without sections: Java's Properties, configurations of many programs",
	Types: []string{"properties", "key", "text"},
	Sniff: sniffProperties,
	Value: func(c *simple.Cursor) {
		if c.Place().In > 0 {
			readIni(c)
			return
		}
		c.Type("properties")
		c.Inside(inProperties)
		c.PairsUntil()
	},

	Lines:    true,
	Common:   true,
	HasChild: skipLines,
	Glance:   glanceLines,
	Foot:     func(c *simple.Cursor) { skipLines(c) },

	Spell:  spellNumber,
	Encode: encodeIni,
	Header: emptyHeader,
})

// Places of values.
const (
	inFile       = 1 + iota // sections
	inSection               // keys
	inProperties            // keys of a file without sections
)

// emptyHeader is the Header of containers that begin with their first child.
func emptyHeader(at simple.Place, l tree.Layout, _, _ int64) []byte {
	if at.Key || at.In >= inSection || l != tree.Pairs {
		return nil
	}
	return []byte{}
}

// header is the line that begins a section.
var header = lazy.Regexp(`^\[[^\]\r\n"'\[{]*\][ \t]*\r?\n`)

// entry matches a line with a key, or its beginning; ignored matches blank lines and comments; written, a line as
// GameMaker writes it.
var (
	entry   = lazy.Regexp(`^[^\r\n=\[](?:[^\r\n=\[]*(=|$)|[^\r\n=]*(="))`)
	written = lazy.Regexp(`(?m)^\w+="[^"\r\n]*"\r?$`)
	ignored = lazy.Regexp(`^([ \t]*([;#][^\n]*)?(\r?\n|$))+`)
)

// unsectioned matches the lines before the first section, of which the first has a key.
var unsectioned = lazy.Regexp(`^(?:\w+[ \t]*=[^\r\n]*\r?\n(?:[ \t]*(?:[;#][^\n]*)?\r?\n)*)+`)

// property matches a line with a key that is a name, and others of a text of such lines.
var property = lazy.Regexp(`^(?:[\pL\pN_][\pL\pN_.\-]*[ \t]*(=)(?:[^=\r\n][^\r\n]*)?|[ \t]*(?:[;#][^!\n].*)?)$`)

// sniffProperties accepts two keys and more, if no line is anything else than a key with its value, a comment or blank.
func sniffProperties(start []byte, size int64) format.Claim {
	if int64(len(start)) < size {
		start = start[:bytes.LastIndexByte(start, '\n')+1]
	}
	keys := 0
	for line := range bytes.Lines(start) {
		m := property().FindSubmatch(bytes.TrimRight(line, "\r\n"))
		if m == nil {
			return format.None
		}
		keys += len(m[1])
	}
	if keys < 2 {
		return format.None
	}
	return format.LastResort
}

// sniffIni accepts text that begins with a header and a key or another section.
func sniffIni(start []byte, size int64) format.Claim {
	start = bytes.TrimPrefix(start, []byte("\xef\xbb\xbf"))
	text := bytes.TrimRight(start, "\x00")
	rest := text[len(ignored().Find(text)):]
	if loose := unsectioned().Find(rest); len(loose) > 0 && sniffIni(rest[len(loose):], size) == format.Signature {
		return format.LastResort // ConfigFile has such keys too
	}
	first := header().Find(rest)
	if first == nil || bytes.IndexByte(rest[:min(len(rest), 64)], 0) >= 0 { // later there may be a block of zeros
		return format.None
	}
	if diagnose.InConflict(rest) || isMostlyOther(rest) || textual.IsTOML(rest) {
		return format.None
	}
	rest = rest[len(first):]
	rest = rest[len(ignored().Find(rest)):]
	switch m := entry().FindSubmatch(rest); {
	case m != nil && len(m[1])+len(m[2]) > 0:
		return format.Signature
	case m != nil, header().Match(rest), len(rest) == 0 && size > int64(len(start)):
		return format.Plausible
	case written().Match(rest):
		return format.LastResort // behind a line that was broken
	}
	return format.None
}

// isMostlyOther reports whether many lines of a text are neither sections nor keys, as in prose and in programs.
func isMostlyOther(text []byte) bool {
	whole := text[:bytes.LastIndexByte(text, '\n')+1]
	keys, others := 0, 0
	for line := range bytes.Lines(whole) {
		switch {
		case bytes.IndexByte(line, 0) >= 0:
			return false
		case header().Match(line), bytes.IndexByte(line, '=') > 0:
			keys++
		case !ignored().Match(line):
			others++
		}
	}
	return 2*others > keys
}

// readIni reads a value by its place.
func readIni(c *simple.Cursor) {
	switch at := c.Place(); {
	case at.In == 0:
		c.Type("ini")
		readMark(c)
		c.Inside(inFile)
		c.PairsUntil()
	case at.In == inFile && at.Key:
		c.Type("name")
		readHeader(c)
	case at.In == inFile:
		c.Type("section")
		c.Inside(inSection)
		c.PairsUntil()
	case at.Key:
		c.Type("key")
		readKey(c)
	default:
		c.Type("text")
		readText(c)
	}
}

// readMark reads a byte order mark, behind which GameMaker does not find the first section.
func readMark(c *simple.Cursor) {
	const mark = "\xef\xbb\xbf"
	if !bytes.HasPrefix(c.Ahead(), []byte(mark)) {
		return
	}
	c.Field(int64(len(mark)), span.Magic, "byte order mark")
	c.Warn(span.ByteOrderMark, "a byte order mark begins the file: GameMaker does not find the first section")
}

// skipLines reads the lines before the next section or, in a section, before the next key. It reports
// whether there is one.
func skipLines(c *simple.Cursor) bool {
	blank := int64(0) // blank bytes that become one field
	flush := func() { c.Field(blank, span.Padding, "blank"); blank = 0 }
	defer flush()
	if c.Place().In != inFile && plainKey(c.Ahead()) > 0 {
		return true
	}
	for c.Left() > blank {
		at := skipBlanks(c, blank)
		b, next := c.At(at), at
		if b == '\r' {
			next++
		}
		switch {
		case next == c.Left() || c.At(next) == '\n':
			blank = min(next+1, c.Left())
			continue
		case b == '[' && c.Place().In != inProperties:
			return c.Place().In == inFile
		case b == ';' || b == '#':
			flush()
			c.Field(min(c.Until(0, "\n")+1, c.Left()), span.Text, "comment")
		case c.At(c.Until(at, "=\n")) == '=': // in a file, before its first section
			return true
		default:
			flush()
			c.Field(min(c.Until(0, "\n")+1, c.Left()), span.Text, "ignored line")
			c.Warn(span.EngineReadBack, "a line that is neither a section nor a key is ignored")
		}
	}
	return false
}

// glanceLines is the Glance of both: of a header, a key and a text that are plain, with blank lines before them.
func glanceLines(at simple.Place, b []byte) (g simple.Glance) {
	switch {
	case at.In == inFile && !at.Key:
		return simple.Glance{Type: "section", Layout: tree.Pairs, Inside: inSection, Until: true}
	case !at.Key:
		if from, to, end := plainText(b, 0); end > 0 {
			g = simple.Glance{Type: "text", Kind: span.Text, Head: from, Size: uint64(to - from), Tail: end - to}
		}
		return g
	}
	rest := b
	for n := lineEndAt(rest); n > 0; n = lineEndAt(rest) {
		rest = rest[n:]
	}
	g.Before = len(b) - len(rest)
	switch isHeader := len(rest) > 0 && rest[0] == '['; {
	case isHeader && at.In == inFile:
		if n := plainHeader(rest); n > 0 {
			g.Type, g.Kind, g.Head, g.Size, g.Tail = "name", span.Text, 1, uint64(n-1), 1+lineEndAt(rest[n+1:])
		}
	case at.In != inFile:
		g.Ends = isHeader && at.In == inSection
		if n := plainKey(rest); n > 0 {
			g.Type, g.Kind, g.Size, g.Tail = "key", span.Text, uint64(n), 1
		}
	}
	return g
}

// plainHeader returns the place of the closing bracket of the header that b begins with, if its name is printable ASCII and nothing
// follows it on its line; 0 for any other.
func plainHeader(b []byte) int {
	n := plainEnd(b, 1, ']', ']')
	if n < len(b) && b[n] == ']' && lineEndAt(b[n+1:]) > 0 {
		return n
	}
	return 0
}

// lineEndAt returns the length of the line end that b begins with; 0 if there is none.
func lineEndAt(b []byte) int {
	switch {
	case len(b) > 0 && b[0] == '\n':
		return 1
	case len(b) > 1 && b[0] == '\r' && b[1] == '\n':
		return 2
	}
	return 0
}

// plainKey returns the length of the key that b begins with, a word with its equals sign behind it; 0 for any other.
func plainKey(b []byte) int {
	if n := wordEnd(b, 0); n < len(b) && b[n] == '=' {
		return n
	}
	return 0
}

// plainText finds the text of the value at a place of b, a word, or printable ASCII in quotes, which is all of its line. end is 0 for
// any other.
func plainText(b []byte, at int) (from, to, end int) {
	if from = at; at < len(b) && b[at] == '"' {
		from++
		if to = plainEnd(b, from, '"', '\\'); to == len(b) || b[to] != '"' {
			return 0, 0, 0
		}
		end = to + 1
	} else {
		if to = wordEnd(b, at); to == at {
			return 0, 0, 0
		}
		end = to
	}
	if n := lineEndAt(b[end:]); n > 0 {
		return from, to, end + n
	}
	return 0, 0, 0
}

// plainEnd returns the place of the first byte from one on that is not printable ASCII, or is one of two.
func plainEnd(b []byte, at int, one, other byte) int {
	for at < len(b) && b[at] >= ' ' && b[at] <= '~' && b[at] != one && b[at] != other {
		at++
	}
	return at
}

// wordEnd returns the end of the letters, digits, points and minus signs from a place on.
func wordEnd(b []byte, at int) int {
	for at < len(b) && (b[at]|0x20 >= 'a' && b[at]|0x20 <= 'z' || b[at] >= '0' && b[at] <= '9' || b[at] == '_' || b[at] == '-' || b[at] == '.') {
		at++
	}
	return at
}

// readBlanks reads blanks within a line.
func readBlanks(c *simple.Cursor) { c.Field(skipBlanks(c, 0), span.Padding, "blank") }

// skipBlanks returns the place, as Until does, of the first byte at or after at that is no blank.
func skipBlanks(c *simple.Cursor, at int64) int64 {
	for b := c.At(at); b == ' ' || b == '\t'; b = c.At(at) {
		at++
	}
	return at
}

// lineEnd returns the end of the line, without its carriage return, and the start of the next line.
func lineEnd(c *simple.Cursor) (end, next int64) {
	end = c.Until(0, "\n")
	next = min(end+1, c.Left())
	if c.At(end-1) == '\r' && end < c.Left() {
		end--
	}
	return end, next
}

// readHeader reads the line that begins a section.
func readHeader(c *simple.Cursor) {
	if n := skipBlanks(c, 0); c.At(n) != '[' {
		c.Begin()
		c.Loose(0)
		c.Warn(span.EngineReadBack, "keys before the first section: GameMaker does not read them")
		return
	}
	readBlanks(c)
	c.Begin()
	c.Field(1, span.Type, "[")
	end, next := lineEnd(c)
	n := min(end, c.Until(0, "]\n"))
	c.Loose(n)
	c.Field(next-n, span.Terminator, "]")
	if n == end {
		c.Warn(span.Truncated, "the bracket at the end of the name is missing")
	}
}

// readKey reads a key up to its =.
func readKey(c *simple.Cursor) {
	n := int64(plainKey(c.Ahead()))
	equals := n
	if n == 0 {
		readBlanks(c)
		equals = c.Until(0, "=\n")
		for n = equals; n > 0 && (c.At(n-1) == ' ' || c.At(n-1) == '\t'); {
			n--
		}
	}
	c.Begin()
	c.Loose(n)
	c.Field(equals+1-n, span.Type, "=")
}

// readText reads the value of a key and the rest of its line.
func readText(c *simple.Cursor) {
	if from, to, all := plainText(c.Ahead(), 0); all > 0 {
		c.Field(int64(from), span.Type, "quote")
		c.Loose(int64(to - from))
		c.Field(int64(from), span.Terminator, "quote")
		c.Field(int64(all-to-from), span.Terminator, "line end")
		return
	}
	readBlanks(c)
	end, _ := lineEnd(c)
	quote := c.At(0)
	isWhole := c.Place().In != inProperties || end > 1 && c.At(end-1) == quote
	if end > 0 && (quote == '"' || quote == '\'') && isWhole {
		readQuoted(c, string(quote), end)
	} else {
		if quote != '[' && quote != '{' && c.Place().In != inProperties {
			end = min(end, c.Until(0, "\n;#"))
		}
		for end > 0 && (c.At(end-1) == ' ' || c.At(end-1) == '\t') {
			end--
		}
		c.Loose(end)
	}
	readBlanks(c)
	end, next := lineEnd(c)
	if end > 0 {
		isComment := c.At(0) == ';' || c.At(0) == '#'
		if c.Field(end, span.Text, "rest of the line"); !isComment {
			c.Warn(span.EngineReadBack, "the line has text after the closing quote, which is ignored")
		}
		next -= end
	}
	c.Field(next, span.Terminator, "line end")
}

// readQuoted reads a value in quotes. A backslash escapes a quote.
func readQuoted(c *simple.Cursor, quote string, end int64) {
	c.Field(1, span.Type, "quote")
	at := c.Until(0, quote+"\n")
	for at < end-1 && at > 0 && c.At(at-1) == '\\' {
		at = c.Until(at+1, quote+"\n")
	}
	closed := at < end-1
	at = min(at, end-1)
	c.Loose(at)
	if closed {
		c.Field(1, span.Terminator, "quote")
	} else {
		c.Warn(span.EngineReadBack, "no quote ends the text, which goes up to the end of the line")
	}
}

// spellNumber returns a number with six decimals if the old one had six, and without a point if it is whole.
func spellNumber(s tree.Scalar, old []byte) []byte {
	text := s.AppendNumber(nil)
	if s.Kind == tree.Bool {
		return text
	}
	if fixed := textual.SixDecimals(text, old); fixed != nil {
		return fixed
	}
	return bytes.TrimSuffix(text, []byte(".0"))
}

// shape matches the blanks before a value and its quote.
var shape = lazy.Regexp(`^([ \t]*)(["']?)`)

// quoteOf returns the quotes around a value, whose like has a quote before it; "" for none.
func quoteOf(d *simple.Datum, like, text string) string {
	isBare := d.Like != nil && like == "" && text != "" && !strings.ContainsAny(text, `"';#`) && text == strings.Trim(text, " \t")
	switch {
	case d.Place.In == inProperties:
		if bytes.HasSuffix(bytes.TrimRight(d.Like, "\r\n"), []byte(like)) {
			return like
		}
		return ""
	case isBare, strings.Contains(text, `"`) && strings.Contains(text, "'"):
		return ""
	case strings.Contains(text, `"`):
		return "'"
	}
	return `"`
}

// encodeIni returns a name, a key or a value with its line, written like the one it replaces or the one
// beside it.
func encodeIni(d simple.Datum) []byte {
	text := string(d.Data)
	switch {
	case d.Kind != tree.Text, strings.ContainsAny(text, "\r\n"), d.Place.In < inSection && !d.Place.Key:
		return nil
	case d.Place == simple.Place{In: inFile, Key: true}:
		return []byte("[" + text + "]" + d.LineEnd)
	case d.Place.Key && text != "" && strings.IndexByte("[;#", text[0]) >= 0: // as a header or a comment
		return nil
	case d.Place.Key && d.Place.In != inFile:
		equals := "="
		if i := bytes.IndexByte(d.Like, '='); i > 0 {
			equals = string(d.Like[len(bytes.TrimRight(d.Like[:i], " \t")):])
		}
		return []byte(text + equals)
	}
	like := shape().FindStringSubmatch(string(d.Like))
	quote := quoteOf(&d, like[2], text)
	return []byte(like[1] + quote + text + quote + d.LineEnd)
}
