package spec

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// An Addition is an attribute to be written into a description.
type Addition struct {
	ID    string
	Lines []string // its keys other than id: "type: u4"
}

// written returns the lines of the attribute, of which the first one names it.
func (x *Addition) written(indent, first string) []string {
	lines := []string{indent + first + "\n"}
	for _, line := range x.Lines {
		lines = append(lines, indent+"  "+line+"\n")
	}
	return lines
}

// LoadText loads a description as Load does, with a text in place of what is in the file.
func LoadText(file string, dirs []string, text []byte) (*Type, error) {
	l := newLoader()
	l.instead = text
	return l.load(file, dirs)
}

// lines returns the lines of the description's own file.
func (t *Type) lines() ([]string, error) {
	if t.Top != t.loader.order[0] {
		return nil, fmt.Errorf("%s is described in %s, which is imported", t.Name, t.File)
	}
	text, err := os.ReadFile(t.loader.paths[0])
	if err == nil && len(text) > 0 && text[len(text)-1] != '\n' {
		text = append(text, '\n')
	}
	return strings.SplitAfter(string(text), "\n"), err
}

// WithFields returns the description's text with fields in place of one of the type's seq, or behind the last of them if
// instead is nil.
func (t *Type) WithFields(instead *Attr, fields []Addition) ([]byte, error) {
	lines, err := t.lines()
	if err != nil {
		return nil, err
	}
	from, to, indent := 0, 0, ""
	switch {
	case instead != nil:
		from, to = extent(lines, instead.Place)
		indent = indentOf(lines[from])
	case len(t.Seq) > 0:
		last := t.Seq[len(t.Seq)-1].Place
		_, from = extent(lines, last)
		to, indent = from, indentOf(lines[last.Line-1])
	case t.seqAt.Line > 0:
		from, indent = t.seqAt.Line, indentOf(lines[t.seqAt.Line-1])+"  "
		to = from
	case t.Parent == nil:
		lines = slices.Insert(lines, len(lines)-1, "seq:\n")
		from, indent = len(lines)-1, "  "
		to = from
	default:
		return nil, fmt.Errorf("%s has no seq", t.Name)
	}
	var added []string
	for _, f := range fields {
		added = append(added, f.written(indent, "- id: "+f.ID)...)
	}
	return []byte(strings.Join(slices.Replace(lines, from, to, added...), "")), nil
}

// WithInstance returns the description's text with an instance added to the type.
func (t *Type) WithInstance(i Addition) ([]byte, error) {
	lines, err := t.lines()
	if err != nil {
		return nil, err
	}
	var added []string
	at, indent := t.instancesAt.Line, ""
	switch {
	case len(t.Instances) > 0:
		indent = indentOf(lines[at])
	case at > 0:
		indent = indentOf(lines[at-1]) + "  "
	case t.seqAt.Line > 0:
		at = t.seqAt.Line - 1
		indent = indentOf(lines[at]) + "  "
		added = append(added, indent[2:]+"instances:\n")
	default:
		return nil, fmt.Errorf("%s has no seq and no instances", t.Name)
	}
	added = append(added, i.written(indent, i.ID+":")...)
	return []byte(strings.Join(slices.Insert(lines, at, added...), "")), nil
}

// WithKey returns the file that describes the attribute, and its text with one more key of it: "size: 4".
func (a *Attr) WithKey(line string) (file string, text []byte, err error) {
	t := a.Owner
	lines, err := t.lines()
	if err != nil {
		return "", nil, err
	}
	at := a.Place.Line - 1
	first := strings.TrimRight(lines[at], "\r\n")
	switch isInBraces := strings.HasPrefix(strings.TrimSpace(first), "- {"); {
	case isInBraces && strings.HasSuffix(first, "}"):
		lines[at] = strings.TrimSuffix(first, "}") + ", " + line + "}" + lines[at][len(first):]
	case strings.Contains(first, "{") || a.IsInstance:
		return "", nil, fmt.Errorf("%s: %s is not written with a key on each line, nor all on one", a.Place, a.ID)
	default:
		lines = slices.Insert(lines, at+1, indentOf(first)+"  "+line+"\n")
	}
	text = []byte(strings.Join(lines, ""))
	_, err = LoadText(t.loader.paths[0], nil, text)
	return t.loader.paths[0], text, err
}

func indentOf(line string) string { return line[:len(line)-len(strings.TrimLeft(line, " "))] }

// extent returns the lines from that of an item of a list up to what follows it; blank lines and comments before that
// belong to what follows.
func extent(lines []string, item Place) (from, to int) {
	from = item.Line - 1
	to = from + 1
	indent := len(indentOf(lines[from]))
	for i := to; i < len(lines); i++ {
		text := strings.TrimSpace(lines[i])
		isDeeper := len(indentOf(lines[i])) > indent
		switch {
		case text != "" && isDeeper:
			to = i + 1
		case text != "" && !strings.HasPrefix(text, "#"):
			return from, to
		}
	}
	return from, to
}

// Free returns a name that begins with another one and that no attribute of the type has.
func (t *Type) Free(name string) string {
	for i := 2; ; i++ {
		if free := fmt.Sprintf("%s_%d", name, i); t.Find(free) == nil {
			return free
		}
	}
}

// BitsOf returns the size in bits of the values of a type, which t can name; 0 if they differ, or there is none.
func (t *Type) BitsOf(name string) int64 {
	r, err := t.typeRef(t.Place, name)
	if err != nil {
		return 0
	}
	return max(0, r.Bits())
}
