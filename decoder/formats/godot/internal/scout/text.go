package scout

import (
	"bytes"
	"slices"
	"strings"

	"varview/decoder/edit/textual"
	"varview/decoder/engine/format"
	"varview/decoder/engine/lazy"
	"varview/decoder/formats/godot/internal/literal"
)

// maxHazards is the largest number of hazards of a text that are named.
const maxHazards = 100

var (
	// call matches what creates or loads something in the notation of var_to_str: blanks, control
	// characters and comments may precede the bracket.
	call = lazy.Regexp(`\b(?:Object|(?:Sub|Ext)?Resource)(?:[\x00-\x20]|;[^\n]*\n)*\(`)
	// file begins the text of a resource or scene.
	file = lazy.Regexp(`^(?:\xef\xbb\xbf)?(?:[\x00-\x20]|;[^\n]*\n)*\[[\x00-\x20]*gd_(?:resource|scene)\b`)
)

// Text returns what a text creates or runs if the game parses it, one of its lines, what follows a = or a
// text in quotes as a value: games parse settings and JSON, and values in them. spend takes the number of
// bytes that were read, and reports whether more may be.
func Text(b []byte, spend func(int) bool) (all []format.Hazard) {
	if bytes.Contains(b, []byte("gd_")) && file().Match(b) {
		return []format.Hazard{{What: "a resource as text, with what it loads", Code: format.FileCode, IsFile: true}}
	}
	if all = native(b, spend); len(all) > 0 {
		return all
	}
	if !bytes.Contains(b, []byte("Object")) && !bytes.Contains(b, []byte("Resource")) {
		return nil
	}
	known, upTo := map[int]bool{}, 0
	for _, m := range call().FindAllIndex(b, -1) {
		if m[0] < upTo { // read already
			continue
		}
		for _, at := range starts(b, m[0]) {
			if known[at] {
				continue
			}
			known[at] = true
			p := reader{Scanner: literal.Any.Scan(b, func(literal.Finding) {})}
			p.At = at
			p.read()
			all = append(all, p.hazards...)
			if !spend(p.At-at) || len(all) >= maxHazards {
				return all
			}
			if len(p.hazards) > 0 {
				upTo = p.At
				break
			}
		}
	}
	return all
}

// starts returns where a value may begin that a call is in.
func starts(b []byte, call int) []int {
	all := []int{0}
	for _, mark := range []string{"\n", "=", "\""} {
		all = append(all, bytes.LastIndex(b[:call], []byte(mark))+1)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// A reader reads the tokens of a text up to what no engine reads. It ignores the order of brackets and commas, so that
// it sees at least what the engine sees.
type reader struct {
	literal.Scanner
	hazards []format.Hazard
}

// read reads values up to the end, or to what cannot belong to a value.
func (p *reader) read() {
	inType := false // whether the scan is in the brackets of Array[TYPE]
	for len(p.hazards) < maxHazards {
		switch t := p.Next(); t.Kind {
		case literal.Ended, literal.Broken:
			return
		case literal.Text, literal.Name:
			p.source(t)
		case ']':
			inType = false
		case literal.Word:
			name, after := string(t.Text), p.At
			switch next := p.Next().Kind; {
			case next == '(':
				if !p.call(name) {
					return
				}
			case next == '[':
				inType = true
			case literal.IsConstant(name), inType:
				p.At = after
			default:
				return
			}
		}
	}
}

// call reads what follows the bracket of what creates or loads something. It reports whether the
// engine would read on.
func (p *reader) call(name string) bool {
	switch {
	case name == "Object":
		class := p.Next()
		if class.Kind != literal.Word || p.Next().Kind != ',' { // the engine frees the object again
			return false
		}
		p.hazards = append(p.hazards, format.Hazard{What: string(class.Text)})
	case strings.HasSuffix(name, "Resource"):
		t := p.Next()
		isText := len(t.Text) > 0 && t.Text[0] == '"' // if it is cut off, a game may put the end back
		if t.Kind != literal.Number && !isText {
			return false
		}
		path := meaning(t)
		p.hazards = append(p.hazards, format.Hazard{What: name + " " + path, Code: format.CodeAt(path)})
	}
	return true
}

// sourceProperty is the property of a script that holds its source.
const sourceProperty = "script/source"

// source notes the source of a script, if a token is the name of that property.
func (p *reader) source(name literal.Token) {
	if meaning(name) != sourceProperty {
		return
	}
	after := p.Scanner
	if p.Next().Kind == ':' {
		if t := p.Next(); len(t.Text) > len(`""`) && t.Text[0] == '"' {
			p.hazards = append(p.hazards, format.Hazard{What: "a script with its source code", Code: format.FileCode})
			return
		}
	}
	p.Scanner = after
}

// meaning returns what the beginning of a text means, or a number.
func meaning(t literal.Token) string {
	const shown = 256
	text, _ := textual.Unescape(nil, bytes.Trim(t.Text, `&@^"`), "", true)
	return string(text[:min(len(text), shown)])
}
