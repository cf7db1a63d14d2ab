// Package gml reads what GameMaker's GML source says about the structs in an
// Elephant file: the members of each version of a constructor's ELEPHANT_SCHEMA,
// which the file itself does not name.
//
// It reads declarations and runs nothing: a datatype has to be a constant, a number, a
// macro or a member of an enum.
package gml

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"varview/decoder/format"
)

// Limits of a Library. What exceeds them is left out and reported.
const (
	MaxFileSize  = 16 << 20 // bytes
	MaxTotalSize = 64 << 20 // bytes of all files
	MaxFiles     = 20_000

	maxNames  = 1 << 17 // macros and members of enums
	maxKept   = 1 << 19 // members of schemas, and names of left-out members
	maxCtors  = 1 << 16
	maxErrors = 20 // for each file
)

// A Library holds what a number of GML files declare. The zero Library is empty. Many
// goroutines may use it.
type Library struct {
	mu           sync.Mutex
	files        []*file
	size         int  // of their text, in bytes
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
	macros     map[string]*macro // of the file; they come before those of other files
}

// Parse adds what the text of one file declares. The file's name is used in messages. What
// can be read of a file with errors is added; the errors are SyntaxErrors, joined if there
// are several, and only the first of very many. Macros and enums apply to all files,
// including those added before.
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
	case len(text) > MaxFileSize:
		p.add(fmt.Errorf("%s: larger than %d MiB, the most that is read", name, MaxFileSize>>20))
		return nil
	case l.size+len(text) > MaxTotalSize:
		p.add(fmt.Errorf("%s: left out, the GML files are larger than %d MiB together", name, MaxTotalSize>>20))
		return nil
	case len(l.files) == MaxFiles:
		p.add(fmt.Errorf("%s: left out, there are more than %d GML files", name, MaxFiles))
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

// Schema returns a version of a constructor's schema, which may be that of its nearest
// ancestor with one. The error is a *SchemaError.
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
