// Package gml reads from a game's GML source what an Elephant file does not say about its structs: the
// members of each version of a constructor's ELEPHANT_SCHEMA.
//
// It reads declarations and runs nothing: a datatype has to be a constant, a number, a macro or a member of
// an enum.
package gml

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
)

// Limits of a Library. What exceeds them is left out and reported.
const (
	maxFileSize  = 16 << 20 // bytes
	maxTotalSize = 64 << 20 // bytes of all files
	maxFiles     = 20_000

	maxNames  = 1 << 17 // macros and members of enums
	maxKept   = 1 << 19 // members of schemas, and names of left-out members
	maxCtors  = 1 << 16
	maxErrors = 20 // for each file
)

// A Library holds the declarations of a number of GML files. The zero Library is empty. Many goroutines may
// use it.
type Library struct {
	mu           sync.Mutex
	files        []*file
	size         int  // size of their text in bytes
	stale        bool // files were read before all macros were known
	macros       map[string]*macro
	enums        map[string]*enumMember
	constructors map[string][]*Constructor
	names        int // macros and enum members
	ctors        int
	kept         int
}

type file struct {
	name, text string
	macros     map[string]*macro // macros of the file, which take precedence over those of other files
}

// Parse adds the declarations in the text of one file. The file's name is used in messages. If a file has
// errors, what can be read of it is added; the errors are SyntaxErrors, joined if there are several, up to
// a limit. Macros and enums apply to all files, including those added before.
func (l *Library) Parse(name string, text []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	var p problems
	before := l.names
	if f := l.add(name, text, &p); f != nil {
		l.stale = l.stale || l.names > before && len(l.files) > 1
		l.parse(f, p.in(f))
	}
	return p.join()
}

// add keeps a file and its macros.
func (l *Library) add(name string, text []byte, p *problems) *file {
	switch {
	case len(text) > maxFileSize:
		p.add(fmt.Errorf("%s: larger than %d MiB, the most that is read", name, maxFileSize>>20))
		return nil
	case l.size+len(text) > maxTotalSize:
		p.add(fmt.Errorf("%s: left out, the GML files are larger than %d MiB together", name, maxTotalSize>>20))
		return nil
	case len(l.files) == maxFiles:
		p.add(fmt.Errorf("%s: left out, there are more than %d GML files", name, maxFiles))
		return nil
	}
	if l.macros == nil {
		l.macros, l.enums = map[string]*macro{}, map[string]*enumMember{}
		l.constructors = map[string][]*Constructor{}
	}
	f := &file{name: name, text: strings.TrimPrefix(string(text), "\ufeff"), macros: map[string]*macro{}}
	l.files = append(l.files, f)
	l.size += len(text)
	l.collect(f, p.in(f))
	return f
}

// read replaces the constructors by those in the files.
func (l *Library) read(p *problems) {
	l.constructors = map[string][]*Constructor{}
	l.ctors, l.kept, l.stale = 0, 0, false
	for _, f := range l.files {
		l.parse(f, p.in(f))
	}
}

// lock waits for other users, and reads the files again if the constructors are out
// of date.
func (l *Library) lock() {
	l.mu.Lock()
	if l.stale {
		l.read(&problems{}) // Parse has reported the errors
	}
}

// declare adds c, and returns nil if there are too many.
func (l *Library) declare(c *Constructor) *Constructor {
	if l.ctors++; l.ctors > maxCtors {
		return nil
	}
	l.constructors[c.Name] = append(l.constructors[c.Name], c)
	return c
}

// room reports whether one more thing can be kept.
func (l *Library) room() bool {
	l.kept++
	return l.kept <= maxKept
}

// addVersion adds v to the schema of c. A second version with its number must be the same.
func (l *Library) addVersion(c *Constructor, v *version) {
	if l.kept += len(v.members); l.kept > maxKept {
		v.fail(&SchemaError{Reason: Unreadable, File: c.File, Line: v.line, Text: "the schemas have more members than can be kept"})
	}
	old := c.version(v.number)
	switch {
	case old == nil:
		c.versions = append(c.versions, v)
	case v.problem != nil:
		old.fail(v.problem)
	case old.problem == nil && !old.same(v):
		old.fail(&SchemaError{Reason: Contradiction, File: c.File, Line: old.line, OtherFile: c.File, OtherLine: v.line})
	}
}

// Len returns the number of constructors with different names.
func (l *Library) Len() int {
	l.lock()
	defer l.mu.Unlock()
	return len(l.constructors)
}

// Constructors lists the names of all constructors, sorted.
func (l *Library) Constructors() []string {
	l.lock()
	defer l.mu.Unlock()
	return slices.Sorted(maps.Keys(l.constructors))
}

// Files lists the files in the order in which they were added.
func (l *Library) Files() []string {
	l.lock()
	defer l.mu.Unlock()
	var all []string
	for _, f := range l.files {
		all = append(all, f.name)
	}
	return all
}

// Constructor returns the first declaration of a constructor.
func (l *Library) Constructor(name string) (*Constructor, bool) {
	l.lock()
	defer l.mu.Unlock()
	if all := l.constructors[name]; len(all) > 0 {
		return all[0], true
	}
	return nil, false
}

// Schema returns a version of a constructor's schema, or of its nearest ancestor's. The error is a
// *SchemaError.
func (l *Library) Schema(name string, version int) (*Schema, error) {
	l.lock()
	defer l.mu.Unlock()
	f := l.find(name, version, map[string]found{})
	if f.err != nil {
		e := *f.err
		e.Constructor, e.Version = name, version
		if f.owner != nil {
			e.Owner = f.owner.Name
		}
		return nil, &e
	}
	return &Schema{
		Constructor: name, Version: version, Members: f.version.members, Verbose: f.version.verbose,
		File: f.owner.File, Line: f.version.line, Owner: f.owner.Name,
	}, nil
}

// Find implements format.Schemas.
func (l *Library) Find(constructor string, version int) (at format.Declaration, known bool) {
	schema, err := l.Schema(constructor, version)
	if err == nil {
		return format.Declaration{File: schema.File, Line: schema.Line}, true
	}
	var why *SchemaError
	return at, !errors.As(err, &why) || why.Reason != NoConstructor
}

// IsUsable reports whether any version of any schema can be used.
func (l *Library) IsUsable() bool {
	for _, name := range l.Constructors() {
		c, _ := l.Constructor(name)
		for _, version := range c.Versions() {
			if _, err := l.Schema(name, version); err == nil {
				return true
			}
		}
	}
	return false
}

// maxEntries is the largest number of files and folders, of any name, that are listed.
const maxEntries = 500_000

// Load reads files, and folders with all *.gml files below them. In folders, symbolic links are not
// followed and hidden folders are left out; the paths themselves may be either. The library can be used
// even if there is an error, which joins all errors.
func Load(paths []string) (*Library, error) {
	var p problems
	l := &loader{lib: &Library{}, seen: map[string]bool{}, problems: &p}
	for _, path := range paths {
		l.path(path)
	}
	l.lib.read(&p)
	return l.lib, p.join()
}

type loader struct {
	lib     *Library
	seen    map[string]bool // absolute paths
	entries int
	*problems
}

func (l *loader) path(path string) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		l.add(named(path, err))
	case info.IsDir():
		l.folder(path)
	default:
		l.file(path)
	}
}

func (l *loader) folder(path string) {
	err := fs.WalkDir(os.DirFS(path), ".", func(name string, entry fs.DirEntry, err error) error {
		full := filepath.Join(path, filepath.FromSlash(name))
		if l.entries++; l.entries > maxEntries {
			return fmt.Errorf("%s: the rest is left out, there are more than %d files in the folders", path, maxEntries)
		}
		switch {
		case err != nil:
			l.add(named(full, err))
			return nil
		case entry.IsDir():
			if name != "." && strings.HasPrefix(entry.Name(), ".") {
				return fs.SkipDir
			}
		case isGML(entry):
			if len(l.lib.files) == maxFiles {
				return fmt.Errorf("%s: the rest is left out, there are more than %d GML files", path, maxFiles)
			}
			l.file(full)
		}
		return nil
	})
	if err != nil {
		l.add(err)
	}
}

func isGML(entry fs.DirEntry) bool {
	return entry.Type().IsRegular() && strings.EqualFold(filepath.Ext(entry.Name()), ".gml")
}

// file reads a file that has not been read before.
func (l *loader) file(path string) {
	if full, err := filepath.Abs(path); err == nil {
		if l.seen[full] {
			return
		}
		l.seen[full] = true
	}
	text, err := source.ReadRegular(path, maxFileSize)
	if err != nil {
		l.add(named(path, err))
		return
	}
	l.lib.add(path, text, l.problems)
}

// named puts the path in front of an error, in place of the operation.
func named(path string, err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	return fmt.Errorf("%s: %w", path, err)
}

// maxUp is the number of folders above the save's in which the project is searched for.
const maxUp = 8

// maxListed is the number of entries that are read from a folder.
const maxListed = 100_000

// Find returns the paths that Load needs for the save at the given path: the *.gml files in
// its folder, and the folder of the GameMaker project (*.yyp) that contains it, at most
// maxUp folders up. The home folder, the root and the folders above them never count as a
// project.
func Find(save string) []string {
	full, err := filepath.Abs(save)
	if err != nil {
		return nil
	}
	folder := filepath.Dir(full)
	paths, isProject := list(folder)
	home, _ := os.UserHomeDir()
	for up := 0; ; up++ {
		parent := filepath.Dir(folder)
		if folder == parent || home != "" && folder == filepath.Clean(home) {
			return paths
		}
		if isProject {
			return append(paths, folder)
		}
		if up == maxUp {
			return paths
		}
		folder = parent
		_, isProject = list(folder)
	}
}

// list names the GML files in a folder, and reports whether it is a project's folder.
func list(folder string) (files []string, isProject bool) {
	f, err := os.Open(folder)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	for n := 0; n < maxListed; {
		entries, err := f.ReadDir(1000)
		n += len(entries)
		for _, entry := range entries {
			if isGML(entry) {
				files = append(files, filepath.Join(folder, entry.Name()))
			}
			isProject = isProject || entry.Type().IsRegular() && strings.EqualFold(filepath.Ext(entry.Name()), ".yyp")
		}
		if err != nil && !errors.Is(err, io.EOF) || len(entries) == 0 {
			break
		}
	}
	slices.Sort(files)
	return files, isProject
}

// A macro is a #macro: a name that is replaced by a text.
type macro struct {
	name, text string
	file       string
	line       int
	config     bool   // it applies only to one configuration of the project
	rival      *macro // another definition of the name, with other text
}

// An enumMember is a member of an enum. Its value is base plus add; base is the text of an expression, ""
// for 0.
type enumMember struct {
	base string
	add  int64
	file *file
	torn bool // there are two, and they differ
}

// Names that have a meaning for Elephant, and what its macros replace them with. They are
// defined here so that Elephant's own GML need not be among the files.
const (
	wordSchema   = "ELEPHANT_SCHEMA"
	nameSchema   = "__Elephant_Schema__"
	wordForce    = "ELEPHANT_FORCE_VERSION"
	nameForce    = "__Elephant_Force_Version__"
	wordExclude  = "ELEPHANT_VERBOSE_EXCLUDE"
	nameExclude  = "__Elephant_Verbose_Exclude__"
	wordVerbose  = "ELEPHANT_VERSION_VERBOSE"
	nameVerbose  = "__Elephant_Version_Verbose__"
	methodSuffix = "_METHOD" // ELEPHANT_PRE_READ_METHOD and three more: "static … = function()"
)

var elephantNames = map[string]string{wordForce: nameForce, wordExclude: nameExclude, wordVerbose: nameVerbose}

// isKnown reports whether a macro of this name is Elephant's own.
func isKnown(name string) bool {
	_, isDatatype := datatypes[name]
	return isDatatype || name == wordSchema || elephantNames[name] != "" || isMethod(name)
}

func isMethod(name string) bool {
	return strings.HasPrefix(name, "ELEPHANT_") && strings.HasSuffix(name, methodSuffix)
}

// define adds m. A definition for all configurations comes before one for a single configuration.
func define(all map[string]*macro, m macro) {
	switch old := all[m.name]; {
	case old == nil || old.config && !m.config:
		all[m.name] = &m
	case old.config == m.config && old.rival == nil && !sameTokens(old.text, m.text):
		old.rival = &m
	}
}

func sameTokens(a, b string) bool {
	if a == b {
		return true
	}
	x, y := newLexer(a), newLexer(b)
	for {
		s, t := x.next(), y.next()
		if s.kind != t.kind || s.text != t.text {
			return false
		}
		if s.kind == tEnd {
			return true
		}
	}
}

// collect adds the macros and enums of f to the library, and reports what is not valid GML.
func (l *Library) collect(f *file, report func(token, string)) {
	x := newLexer(f.text)
	x.fail = report
	x.macro = func(name, config, body token) {
		if isKnown(name.text) {
			return
		}
		m := macro{name: name.text, text: strings.TrimSpace(body.text), file: f.name, line: int(name.line), config: config.text != ""}
		if l.names++; l.names > maxNames {
			report(name, "this macro is left out: there are more than can be kept")
			return
		}
		define(f.macros, m)
		define(l.macros, m)
	}
	for t := x.next(); t.kind != tEnd; t = x.next() {
		if t.isWord("enum") {
			l.collectEnum(f, &x, report)
		}
	}
}

// collectEnum reads "Name { A = 1, B }".
func (l *Library) collectEnum(f *file, x *lexer, report func(token, string)) {
	name := x.next()
	if open := x.next(); name.kind != tWord || !open.is("{") {
		return
	}
	m := enumMember{file: f}
	for {
		key := x.next()
		if key.kind != tWord {
			return // the closing brace, or something that does not belong here
		}
		t := x.next()
		if t.is("=") {
			m.base, t = expression(x)
			m.add = 0
		}
		if l.names++; l.names > maxNames {
			report(key, "this member is left out: there are more than can be kept")
			return
		}
		full := name.text + "." + key.text
		if old, ok := l.enums[full]; ok {
			old.torn = old.torn || old.base != m.base || old.add != m.add
		} else {
			kept := m
			l.enums[full] = &kept
		}
		m.add++
		if !t.is(",") {
			return
		}
	}
}

// maxExpression and maxExpressionText are the numbers of tokens and bytes of an
// expression that is evaluated.
const (
	maxExpression     = 8
	maxExpressionText = 256
)

// expression takes the tokens up to a comma or closing bracket, and returns their text and that token. For
// an expression that is too long the text is "?", which has no value.
func expression(x *lexer) (string, token) {
	b, depth, n := strings.Builder{}, 0, 0
	for {
		t := x.next()
		if t.kind == tEnd || depth == 0 && (t.is(",") || isCloser(&t)) {
			if n > maxExpression || b.Len() > maxExpressionText || n == 0 {
				return "?", t
			}
			return b.String(), t
		}
		depth += nesting(&t)
		if n++; n <= maxExpression && b.Len()+len(t.text) <= maxExpressionText {
			b.WriteString(t.text + " ")
		} else {
			n = maxExpression + 1
		}
	}
}

// nesting returns 1 for an opening bracket, -1 for a closing one, 0 otherwise.
func nesting(t *token) int {
	switch {
	case t.is("{"), t.is("("), t.is("["):
		return 1
	case isCloser(t):
		return -1
	}
	return 0
}

func isCloser(t *token) bool { return t.is("}") || t.is(")") || t.is("]") }
