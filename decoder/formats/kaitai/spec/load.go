package spec

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"

	"varview/decoder/formats/kaitai/expr"
)

const (
	maxFile    = 1 << 20 // bytes of a description
	maxImports = 256
	maxNodes   = 1 << 19 // values in descriptions, with what aliases repeat
	maxNesting = 64      // types in one another
)

// A loader loads a description with what it imports.
type loader struct {
	roots []fs.FS          // the folder of the description, and those that were given
	dirs  []string         // the paths of the same
	paths []string         // of the files that were read
	files map[string]*Type // by root and path
	tops  map[string]*Type // outermost types by their names
	order []*Type          // all types
	nodes int
	used  map[string]bool // names behind a point in expressions
	late  []func()        // what finds constants once all is loaded

	instead []byte // of what is in the description's own file; nil for nothing
	isCheck bool   // all problems are looked for
	found   []*Problem
	written map[expr.Node]written
	texts   map[string][]byte // of files by their names
	parents map[*Type]*Type   // the types around types, nil where there are several
}

func newLoader() *loader {
	return &loader{files: map[string]*Type{}, tops: map[string]*Type{}, used: map[string]bool{}, written: map[expr.Node]written{}, texts: map[string][]byte{}}
}

// Load loads the description in a file. Its imports must be in the folder of the file or in the given ones.
// An error contains the file and the line.
func Load(file string, dirs []string) (*Type, error) { return newLoader().load(file, dirs) }

func (l *loader) load(file string, dirs []string) (*Type, error) {
	dir, name := filepath.Split(file)
	if dir == "" {
		dir = "."
	}
	l.dirs = append([]string{dir}, dirs...)
	for _, d := range l.dirs {
		root, err := os.OpenRoot(d) // links cannot lead out of it
		if err != nil {
			return nil, fmt.Errorf("%s: %w", d, errors.Unwrap(err))
		}
		defer root.Close()
		l.roots = append(l.roots, root.FS())
	}
	if _, err := l.open(0, name); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: no such file or directory", file)
	} else if err != nil {
		return nil, err
	}
	return l.finish()
}

// Files returns the paths of the files that the description was read from: its own first, and those that it imports.
func (t *Type) Files() []string { return t.loader.paths }

// Parse loads a description that imports nothing.
func Parse(text []byte) (*Type, error) {
	l := newLoader()
	if _, err := l.parse("description", text, 0, "description"); err != nil {
		return nil, err
	}
	return l.finish()
}

func (l *loader) finish() (*Type, error) {
	for i := 0; i < len(l.order); i++ { // which grows where an opaque type is found
		if err := l.order[i].bind(); err != nil {
			return nil, err
		}
	}
	for _, t := range l.order {
		t.FixedBits() // later, several goroutines ask for them
		t.findClosed()
	}
	for i := 0; i < len(l.late); i++ { // which grows too
		l.late[i]()
	}
	return l.order[0], l.note(l.checkKept())
}

// open reads a file and its imports, unless that has been done.
func (l *loader) open(root int, name string) (*Type, error) {
	key := fmt.Sprint(root, " ", name)
	if t := l.files[key]; t != nil {
		return t, nil
	}
	if len(l.files) > maxImports {
		return nil, fmt.Errorf("%s: more than %d files are imported", name, maxImports)
	}
	f, err := l.roots[root].Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxFile {
		return nil, fmt.Errorf("%s: a description has at most %d bytes", name, maxFile)
	}
	if len(l.paths) == 0 && l.instead != nil {
		text = l.instead
	}
	l.paths = append(l.paths, filepath.Join(l.dirs[root], filepath.FromSlash(name)))
	return l.parse(key, text, root, name)
}

func (l *loader) parse(key string, text []byte, root int, name string) (*Type, error) {
	var doc yaml.Node
	file := path.Base(name)
	l.texts[file] = text
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, inYAML(file, text, err)
	}
	if len(doc.Content) == 0 {
		return nil, Place{File: file}.fail("the file is empty")
	}
	t := &Type{Place: Place{File: file}, Name: strings.TrimSuffix(file, path.Ext(file)), loader: l}
	t.Top = t
	if !l.count(&doc) {
		return nil, Place{File: file}.fail("the description has too many values")
	}
	n := node{&doc, t}.at(doc.Content[0])
	if err := t.parse(n, 0); err != nil {
		return nil, err
	}
	l.files[key] = t
	l.tops[t.Name] = t
	for _, i := range t.imports {
		if err := l.note(l.importFile(root, path.Dir(name), i)); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// count counts the values in a part of a description, up to the largest number of them.
func (l *loader) count(n *yaml.Node) bool {
	l.nodes++
	isFew := l.nodes <= maxNodes && (n.Alias == nil || l.count(n.Alias))
	for i := 0; isFew && i < len(n.Content); i++ {
		isFew = l.count(n.Content[i])
	}
	return isFew
}

// importFile imports what a description in a folder names.
func (l *loader) importFile(root int, dir string, n node) error {
	name, err := n.text()
	if err != nil {
		return err
	}
	if l.roots == nil {
		return n.place().fail("nothing can be imported here")
	}
	relative, isAbsolute := strings.CutPrefix(name, "/")
	if !isAbsolute {
		relative = path.Join(dir, name)
	}
	file := path.Clean(relative) + ".ksy"
	if !fs.ValidPath(file) {
		return n.place().fail("%s is outside the folders of descriptions", name)
	}
	for i := range l.roots { // its own first
		if i > 0 && !isAbsolute && dir != "." {
			break
		}
		_, err := l.open((root+i)%len(l.roots), file)
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return n.place().fail("%s.ksy is not in the folder of the description, nor in those of --ksy-path", name)
}

// findOpaque looks for the description of a type that another one does not define.
func (l *loader) findOpaque(name string) *Type {
	for i := range l.roots {
		if file := name + ".ksy"; fs.ValidPath(file) {
			if t, err := l.open(i, file); err == nil {
				return t
			}
		}
	}
	return nil
}

// A node is a part of a description.
type node struct {
	*yaml.Node
	t *Type // in which it is
}

func (n node) place() Place { return Place{n.t.File, n.Line, n.Column} }

// at returns a part of n. An alias is replaced by its target.
func (n node) at(y *yaml.Node) node {
	if y.Kind == yaml.AliasNode && y.Alias != nil {
		y = y.Alias
	}
	return node{y, n.t}
}

// pairs calls do for the entries of a map, up to one with which it fails.
func (n node) pairs(do func(key, value node) error) error {
	if n.Kind != yaml.MappingNode && !n.isNull() {
		return n.place().fail("a map is expected here")
	}
	lines := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.at(n.Content[i])
		err := do(key, n.at(n.Content[i+1]))
		if first := lines[key.Value]; first > 0 && key.Kind == yaml.ScalarNode && err == nil {
			err = key.place().fail("%s is given twice, first in line %d", key.Value, first)
		}
		lines[key.Value] = key.Line
		if err = n.t.loader.note(err); err != nil {
			return err
		}
	}
	return nil
}

// items calls do for the items of a list, up to one with which it fails.
func (n node) items(do func(node) error) error {
	if n.Kind != yaml.SequenceNode && !n.isNull() {
		return n.place().fail("a list is expected here")
	}
	for _, c := range n.Content {
		if err := n.t.loader.note(do(n.at(c))); err != nil {
			return err
		}
	}
	return nil
}

// unknown returns the problem of a key that something does not have.
func (n node) unknown(of string, known []string) error {
	return n.place().fail("%s has no %q%s", of, n.Value, meant(n.Value, known))
}

func (n node) isNull() bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!null" }

// name returns a scalar as a name, and reports what is wrong with it.
func (n node) name() string {
	if text := WrongID(n.Value); text != "" {
		n.t.report(n.place(), text)
	}
	return n.Value
}

// text returns a scalar as text.
func (n node) text() (string, error) {
	if n.Kind != yaml.ScalarNode {
		return "", n.place().fail("a single value is expected here")
	}
	return n.Value, nil
}

// prose returns the text of a doc, or of a list of them.
func (n node) prose() string {
	if n.Kind != yaml.SequenceNode {
		return strings.TrimSpace(n.Value)
	}
	var all []string
	for _, c := range n.Content {
		all = append(all, strings.TrimSpace(c.Value))
	}
	return strings.Join(all, "\n")
}

// title returns a text with expressions in braces: "{name}: {header.size:dec}".
func (n node) title() (all Title) {
	for rest := n.Value; rest != ""; {
		var p TitlePart
		var hasValue bool
		if p.Text, rest, hasValue = strings.Cut(rest, "{"); hasValue {
			var path string
			path, rest, _ = strings.Cut(rest, "}")
			path, form, _ := strings.Cut(path, ":")
			x, err := expr.Parse(path, n.t)
			if p.Value, p.IsHex = x, form == "hex"; err != nil {
				p.Value = &expr.Constant{Err: err}
			}
		}
		all = append(all, p)
	}
	return all
}

// number returns an integer as YAML 1.1 writes it: 0x0253_f2f4, 0b1010, 017, -1.
func (n node) number() (v expr.Value, ok bool) {
	if n.Kind != yaml.ScalarNode || n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0 {
		return v, false
	}
	text := strings.ReplaceAll(n.Value, "_", "")
	digits := strings.TrimLeft(text, "+-")
	if digits == "" || digits[0] < '0' || digits[0] > '9' {
		return v, false
	}
	v, err := expr.ParseInt(strings.TrimPrefix(text, "+"), 0)
	v.Byte = !v.Wide && v.N < 256
	return v, err == nil
}

func (n node) boolean() (bool, error) {
	b, ok := map[string]bool{"true": true, "yes": true, "on": true, "false": false, "no": false, "off": false}[strings.ToLower(n.Value)]
	if !ok {
		return false, n.place().fail("%q is neither true nor false", n.Value)
	}
	return b, nil
}

// expression parses a scalar as an expression.
func (n node) expression() (expr.Node, error) {
	if v, ok := n.number(); ok {
		x := &expr.Constant{Value: v}
		n.t.loader.keep(x, n, n.Value)
		return x, nil
	}
	if n.Kind == yaml.SequenceNode { // a list without quotes
		var all []string
		for _, i := range n.Content {
			all = append(all, n.at(i).Value)
		}
		return n.parse("[" + strings.Join(all, ", ") + "]")
	}
	text, err := n.text()
	if err != nil {
		return nil, err
	}
	return n.parse(text)
}

func (n node) parse(text string) (expr.Node, error) {
	x, err := expr.Parse(text, n.t)
	if err != nil {
		return nil, inText(n.start(), text, err).fail("%v", err)
	}
	n.t.loader.keep(x, n, text)
	return x, nil
}

// start returns where the text of a scalar begins.
func (n node) start() Place {
	at := n.place()
	if n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0 {
		at.Column++
	}
	return at
}

// A written expression is one with its place.
type written struct {
	Place
	text string
}

// keep keeps the place of an expression for a check.
func (l *loader) keep(x expr.Node, n node, text string) {
	if l.isCheck {
		l.written[x] = written{n.start(), text}
	}
}

// bytes returns the bytes of "contents": text, a byte, or a list of these.
func (n node) bytes() ([]byte, error) {
	if n.Kind == yaml.SequenceNode {
		b := []byte{}
		for _, c := range n.Content {
			more, err := n.at(c).bytes()
			if err != nil {
				return nil, err
			}
			b = append(b, more...)
		}
		return b, nil
	}
	if v, ok := n.number(); ok {
		i, err := v.Int64()
		if err != nil || i < 0 || i > 255 {
			return nil, n.place().fail("%s is not a byte", n.Value)
		}
		return []byte{byte(i)}, nil
	}
	text, err := n.text()
	return []byte(text), err
}

// terminator returns the bytes that end a value.
func (n node) terminator() ([]byte, error) {
	b, err := n.bytes()
	if _, ok := n.number(); !ok && n.Kind == yaml.ScalarNode {
		n.t.report(n.place(), "a terminator is a byte, such as 0x0a, or a list of bytes")
	}
	if err == nil && len(b) == 0 {
		err = n.place().fail("a terminator has at least one byte")
	}
	return b, err
}
