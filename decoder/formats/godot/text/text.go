// Package text reads and edits Godot's text: values as var_to_str writes them, .tres and .tscn, and
// ConfigFile. What its tokens look like is here; reading, editing and repairing text is in the package
// textual, and what values mean in the packages that do so for Variants.
package text

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"varview/decoder/edit/textual"
	"varview/decoder/engine/format"
	"varview/decoder/engine/lazy"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/godot/internal/literal"
	"varview/decoder/formats/godot/internal/types"
	"varview/decoder/formats/godot/internal/variantedit"
)

// Families of Godot's text.
var (
	Family format.Family = converter{textual.NewFamily(&family{name: "godot-text", dialects: []*format.Dialect{dialect(types.Text4), dialect(types.Text3)}})}
	Config format.Family = textual.NewFamily(&family{name: "configfile", dialects: []*format.Dialect{{Name: "configfile", Format: "configfile",
		Title: "ConfigFile", Ending: ".cfg", About: "ConfigFile, project.godot, .import of Godot 3 and 4", Types: types.TextAny.Types()}}})
)

func dialect(d *types.Dialect) *format.Dialect {
	return &format.Dialect{Name: d.Name, Format: "godot-text", Title: d.Title, Ending: ".tres", About: d.About, Types: d.Types(), Generation: d.Generation(), Kin: "resources", Bare: true}
}

type family struct {
	name     string
	dialects []*format.Dialect
}

// Name implements format.Family.
func (f family) Name() string { return f.name }

// Codes implements format.CodeLister. The codes of resources and of texts are described elsewhere.
func (f family) Codes() []span.Code { return nil }

// Dialects implements format.Family.
func (f family) Dialects() []*format.Dialect { return f.dialects }

// Hints implements format.Family.
func (f family) Hints() format.Hints {
	return format.Hints{
		Title:    "Godot's text",
		Literal:  `a literal: 42, 1.5, "text", true, [1, 2], { "k": 1 }, Vector2(1, 2), SubResource("id")`,
		Empty:    "null",
		Commands: "w   set 100   goto 0x1f4 or $.properties.name   quit",
	}
}

// A kind is a kind of text, with its engine.
type kind struct {
	what   int // aValue, aFile or aConfig
	engine *types.Dialect
}

// refused says what an engine makes of text that is left over after a kind of text.
var refused = [...]string{aFile: "the file does not load", aConfig: ""}

// engines are those whose text is read, in the order of the family's dialects.
var engines = []*types.Dialect{types.Text4, types.Text3}

// grammars are those of all kinds.
var grammars = map[kind]*textual.Grammar{}

func init() {
	for _, engine := range engines {
		for _, what := range []int{aValue, aFile, aConfig} {
			s := speller{engine}
			grammars[kind{what, engine}] = &textual.Grammar{Lex: lexIn(what, literal.Of(engine)), Scalar: scalar, Unescape: s.unescape(), Separators: separatorsIn(what), HasChild: hasChild(what), Pass: passIn(literal.Of(engine)),
				Fits: fits, Parse: s.parse, Respell: respell, Encode: s.encode, Part: partOf, Form: form, Fresh: s.fresh,
				Last: s.last, Accept: s.acceptIn(what), AnyKey: true, Comment: ';', Empty: what == aConfig, Samples: s.samples, Value: func(src source.Source, region span.Span) tree.Reading { return formatOf(engine).Open(src, region) }, Name: typeName,
				Loose: "Godot takes a comma before a closing bracket", Refused: refused[what]}
		}
	}
}

func (s speller) unescape() func(dst, text []byte) ([]byte, int) {
	if s.isOld() {
		return unescape3
	}
	return unescape
}

// respell is the grammar's Respell. A NUL ends a text, and the file with it.
func respell(token string) string { return strings.ReplaceAll(token, "\x00", "") }

// samples returns literals of all types.
func (s speller) samples() (all []string) {
	for _, t := range s.Table {
		if types.Of(t).Shape != types.ShapeReference && t != types.Object {
			all = append(all, variantedit.Empty(t))
		}
	}
	return all
}

// formatOf returns the format of single values of an engine.
func formatOf(engine *types.Dialect) *Format {
	d := Family.Dialects()[slices.Index(engines, engine)]
	return &Format{textual.Format{Grammar: grammars[kind{aValue, engine}], Dialect: d}, engine}
}

// A Format reads the text of an engine.
type Format struct {
	textual.Format
	engine *types.Dialect
}

// sniffed is the number of bytes by which a text is recognised.
const sniffed = 4 << 10

var (
	spaced      = lazy.Regexp(`[A-Z]\w*\( |\[ `)
	declared    = lazy.Regexp(`^\[(gd_scene|gd_resource)\b[^\]]*\bformat=([0-9]+)`)
	lineComment = lazy.Regexp(`^(\s*;[^\n]*\n|\s+)*`)
	only3       = lazy.Regexp(`@""|Pool\w+Array|\b(Quat|Transform)\(|config_version=[34]\b`)
	only4       = lazy.Regexp(`Packed\w*Array|[&^]""|(Array|Dictionary)\[|\b(Quaternion|Transform3D|Projection|Vector4|Vector\di|Rect2i|Callable|Signal)\s*\(|\binf_neg\b`)
	typedValue  = lazy.Regexp(`^([A-Z]\w*\s*[(\[]|[&^]"|[+-]?(inf|nan|inf_neg)\b|#([0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})\b)`)
	onlyGodot   = lazy.Regexp(`[\[{,:(\s]([A-Z]\w*\(|(Array|Dictionary)\[|[&^]""|#[0-9a-f]{6}|inf_neg\b|-inf\.0)|[{,]\n([0-9.-]+|null|true|false): `)
	inQuotes    = lazy.Regexp(`"(\\.|[^"\\])*("|\\?$)`) // a text may go on behind what is looked at
	firstEntry  = lazy.Regexp(`^[^\s"\[\](){},;=<>\x00-\x08][^"\[\](){},;=<>\n\x00-\x08]*=|^"(\\.|[^"\\\n])*"[ \t]*=|^=`)
	openBracket = lazy.Regexp(`[\[{(]`)
	endBracket  = lazy.Regexp(`[\]})]`)
	openHeader  = lazy.Regexp(`^\[\w[\w. ]*\r?\n\s*\w+ ?= ?["0-9\[{-]`)
	afterHeader = lazy.Regexp(`^\[[^\]\n]*(\\\][^\]\n]*)*\][ \t]*(;[^\n]*)?\r?\n`)
)

// start returns the beginning of a text without comments, and all that was looked at.
func start(src source.Source, region span.Span) (rest, b []byte) {
	b = source.NewWindow(src).View(region.Offset, min(region.Length, sniffed))
	b = bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))
	return b[len(lineComment().Find(b)):], b
}

// Sniff implements format.Family.
func (f family) Sniff(src source.Source, region span.Span) format.Claim {
	rest, b := start(src, region)
	if !textual.LooksLikeText(b) {
		return format.None
	}
	if f.name == "configfile" {
		return sniffConfig(rest, b, region.Length)
	}
	switch {
	case fileStart().Match(rest):
		return format.Signature
	case len(rest) == 0:
		return format.None
	case typedValue().Match(rest):
		t := lexValue(rest)
		if t.Bad == "" || t.Len == len(rest) {
			return format.Signature
		}
	case (rest[0] == '[' || rest[0] == '{') && isContainer(inQuotes().ReplaceAll(rest, []byte(`""`))):
		return format.Signature
	case rest[0] == '[' || rest[0] == '{', region.Length < sniffed && rest[0] != '#' && lexValue(rest).Bad == "":
		if len(rest) > 1 {
			return format.LastResort
		}
	}
	return format.None
}

// isContainer reports whether a text, with all that is in quotes left out, is a container with a value that only Godot
// writes. Other texts begin with words in brackets too: the first of its values is one, and nothing follows it on its line.
func isContainer(b []byte) bool {
	first := bytes.TrimLeft(b, "[{ \t\r\n")
	if len(first) > 0 && first[0] != ']' && first[0] != '}' {
		if t := lexValue(first); t.Bad != "" && t.Len < len(first) {
			return false
		}
	}
	depth := 0
	for i, c := range b {
		switch c {
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		}
		if depth == 0 {
			after := bytes.TrimLeft(b[i+1:], " \t\r")
			return (len(after) == 0 || bytes.IndexByte([]byte("\n\x00,"), after[0]) >= 0) && onlyGodot().Match(b)
		}
	}
	return onlyGodot().Match(b)
}

// sniffConfig accepts text that begins with a section or an entry. What other programs write too is left
// to INI, unless it has values or a layout that only Godot writes.
func sniffConfig(rest, b []byte, size int64) format.Claim {
	if bytes.HasPrefix(rest, []byte("[gd_")) {
		return format.None
	}
	header := afterHeader().Find(rest)
	switch {
	case header != nil || firstEntry().Match(rest):
	case len(rest) == 0 && len(b) > 0, openHeader().Match(rest):
		return format.LastResort // only comments are visible, or the bracket is missing
	default:
		return format.None
	}
	isGodots := configSign().Match(b) || header != nil && bytes.HasPrefix(bytes.TrimLeft(rest[len(header):], "\r"), []byte("\n"))
	switch good, bad := values(b, header != nil); {
	case bad > good || bad > 0 && !isGodots, isGodots && good == 0 && isProse(rest[len(header):]):
		return format.None
	case isGodots:
		return format.Signature
	}
	return format.LastResort
}

// isProse reports whether a text has words, none of which are in a section's brackets or the key of an entry.
func isProse(text []byte) bool {
	words := bytes.TrimSpace(text[len(lineComment().Find(text)):])
	return len(words) > 0 && words[0] != '[' && !anyKey().Match(words)
}

// anyKey matches a key, with the sign behind it that people may write.
var anyKey = lazy.Regexp(`(?m)^\s*"?[\pL\pN_/.\-]*"?[ \t]*[=:]`)

// values counts the first entries that have values that Godot reads, and those that have others. Without a section, keys that are no names
// count as others: they are words of a language, a part of a program or an address.
func values(b []byte, inSection bool) (good, bad int) {
	const looked = 16
	for _, m := range entryLine().FindAllSubmatch(b, looked) {
		key, value := bytes.TrimSpace(m[1]), m[2]
		if len(value) > 0 && isValue(value) && (inSection || key[0] == '"' || plainKey().Match(key)) {
			good++
		} else {
			bad++
		}
	}
	return good, bad
}

// isValue reports whether a line behind an equals sign is a value that Godot reads, with a blank and a digit behind it perhaps, which
// Godot takes for the next key; or begins one of several parts.
func isValue(line []byte) bool {
	t := lexValue(line)
	after := line[min(t.Len, len(line)):]
	rest := bytes.TrimLeft(after, " \t")
	isEnd := len(rest) == 0 || rest[0] == ';' || len(rest) < len(after) && rest[0] >= '0' && rest[0] <= '9'
	return t.Bad == "" && (t.Close != 0 || t.Quoted || t.Around || isEnd)
}

// plainKey matches a key that is a name, or a path of names.
var plainKey = lazy.Regexp(`^[\pL\pN_][\pL\pN_/.\-]*$`)

var entryLine = lazy.Regexp(`(?m)^[ \t]*([^\s;#\[="][^=\n]*|"(?:\\.|[^"\\\n])*")=[ \t]*([^\r\n]*)`)

// configSign matches what only a ConfigFile has: values with types, values of more than one line (a text
// that ends at the end of a line; in an INI file a quote may be missing), and the comment or the entry with
// which project.godot begins.
var configSign = lazy.Regexp(`(?m)^; Engine configuration file|^config_version=|^[^\s;\[=][^=\n]*=[ \t]*([A-Z]\w+[(\[]|&"|\{|\[|"(?:[^"\\\n]|\\.)*\n(?:[^"\\]|\\.)*"[ \t]*\r?$|null[ \t]*$)|^"(?:\\.|[^"\\\n])+"=`)

// kindOf returns what a text is, and whether Godot 3 or an older engine has written it.
func (f family) kindOf(r *format.Request, src source.Source, region span.Span) (what int, isOld bool) {
	rest, b := start(src, region)
	bare := inQuotes().ReplaceAll(b, []byte(`""`))
	isOld = !only4().Match(bare) && (only3().Match(bare) || spaced().Match(bare) || r.Generation == 3)
	switch n := formatNumber(rest); {
	case f.name == "configfile":
		return aConfig, isOld
	case fileStart().Match(rest):
		return aFile, isOld && n < 0 || n >= 0 && n < 3
	}
	return aValue, isOld
}

// isSequence reports whether a text is several values, by what is asked for or by itself. Numbers on lines are of any engine.
func (f family) isSequence(r *format.Request, src source.Source, region span.Span) bool {
	isKnown := r.Dialect != "" || f.Sniff(src, region) == format.Signature
	return r.Framing == format.Sequence || r.Framing == "" && isKnown && beginsSequence(src, region)
}

// beginsSequence reports whether a text begins with a value that ends with its line, and another one below it.
func beginsSequence(src source.Source, region span.Span) bool {
	_, b := start(src, region)
	depth, isSecond := 0, false
	for line := range bytes.Lines(inQuotes().ReplaceAll(b, []byte(`""`))) {
		switch line = bytes.TrimSpace(line); {
		case len(line) == 0:
			continue
		case depth == 0 && isSecond:
			return isOnLine(line) || typedValue().Match(line) // which may be damaged
		case depth == 0 && !isOnLine(line):
			return false
		}
		isSecond = true
		depth += len(openBracket().FindAll(line, -1)) - len(endBracket().FindAll(line, -1))
		if depth == 0 && endBracket().Match(line) && !endBracket().Match(line[len(line)-1:]) { // something follows the value
			return false
		}
	}
	return false
}

// isOnLine reports whether a line, whose texts are empty, begins a container or is one value.
func isOnLine(line []byte) bool {
	t := lexValue(line)
	rest := line[min(t.Len, len(line)):]
	if t.Quoted || t.Around {
		rest = bytes.TrimLeft(rest, `")`)
	}
	return t.Bad == "" && (t.Close != 0 || len(rest) == 0)
}

// formatNumber returns the format that a file of resources says it has; -1 if it says none.
func formatNumber(b []byte) int {
	if m := declared().FindSubmatch(b); m != nil {
		if n, err := strconv.Atoi(string(m[2])); err == nil {
			return n
		}
	}
	return -1
}

// Formats implements format.Family.
func (f family) Formats(r *format.Request, src source.Source, region span.Span) (all []format.Format) {
	what, isOld := f.kindOf(r, src, region)
	isSequence := what == aValue && f.isSequence(r, src, region)
	if r.Framing != "" && r.Framing != "raw" && !isSequence || r.Double {
		return nil
	}
	for i, d := range f.dialects {
		engine := engines[i]
		if what == aConfig && isOld { // one dialect for both
			engine = types.Text3
		}
		if r.Dialect == "" || r.Dialect == d.Name {
			all = append(all, &Format{textual.Format{Grammar: grammars[kind{what, engine}], Dialect: d, Lines: isSequence, Bare: isSequence}, engine})
		}
	}
	if isOld {
		slices.Reverse(all)
	}
	return all
}
