package gml

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"varview/decoder/formats/elephant/internal/datatype"
)

// A version is one version of a schema as declared in a file.
type version struct {
	number  int
	members []Member
	verbose bool
	line    int
	problem *SchemaError // why it cannot be used
}

func (v *version) same(w *version) bool {
	return v.verbose == w.verbose && slices.Equal(v.members, w.members)
}

// maxMembers is the greatest number of members of a version: Elephant stores it in 16 bits.
const maxMembers = 65535

// schema reads "ELEPHANT_SCHEMA {…}" or "static __Elephant_Schema__ = {…}", beginning at
// its name.
func (p *parser) schema() {
	at, isMember := p.tok, p.previous.is(".")
	p.advance()
	assigned := p.tok.is("=")
	if assigned {
		p.advance()
	}
	if isMember || !assigned && at.text == nameSchema {
		return // the name is used, not declared
	}
	c := p.owner()
	switch {
	case c == nil && len(p.functions) == 0:
		p.report(at, "this schema is outside a constructor")
		return
	case c == nil:
		return // its constructor has no name that a save could hold, and its braces count like any others
	case c.HasSchema:
		c = p.lib.declare(&Constructor{Name: c.Name, Parent: c.Parent, File: c.File, Line: int(at.line)})
		if c == nil {
			return
		}
	}
	c.HasSchema = true
	if !p.tok.is("{") {
		p.report(at, fmt.Sprintf("the schema of %q has to be written out here, as { … }", c.Name))
		c.unreadable = p.problem(Unreadable, &at, "the schema is not written out where it is declared")
		return
	}
	p.root(c)
}

// root reads the braces with the versions.
func (p *parser) root(c *Constructor) {
	open := p.tok
	p.advance()
	for !p.tok.is("}") {
		if p.runsOut() {
			p.report(open, fmt.Sprintf("the { of the schema of %q is not closed", c.Name))
			c.cut = p.unclosed(&open, "this { of the schema is not closed")
			return
		}
		if p.tok.is(",") {
			p.advance()
			continue
		}
		p.entry(c)
	}
	p.advance()
}

// entry reads "key : value" of a schema.
func (p *parser) entry(c *Constructor) {
	key := p.tok
	if !isKey(&key) {
		p.report(key, "a version is expected here: v1 to v255 and a colon")
		p.skip()
		return
	}
	name := p.key()
	p.advance()
	colon := p.tok.is(":")
	if colon {
		p.advance()
	}
	switch n, isVersion := versionNumber(name); {
	case name == nameForce:
		p.force(c)
	case name == nameExclude:
		p.exclude(c)
	case name == nameVerbose:
		p.value() // Elephant looks for it only in versions
	case isVersion && colon:
		p.lib.addVersion(c, p.version(n, &key))
	default:
		p.report(key, fmt.Sprintf("%q is not a version: v1 to v255 and a colon are expected", name))
		p.value()
	}
}

func isKey(t *token) bool { return t.kind == tWord || t.kind == tText }

// skip moves past something that is not a key, with what belongs to it.
func (p *parser) skip() {
	if isCloser(&p.tok) || p.tok.is(";") {
		p.advance()
		return
	}
	p.value()
}

// runsOut reports whether the schema ended without its brace: these tokens belong to the function around
// it.
func (p *parser) runsOut() bool {
	if p.tok.kind != tWord {
		return p.tok.kind == tEnd
	}
	switch p.tok.text {
	case "static", "function", "var", "constructor", wordSchema, nameSchema:
		return true
	}
	return isMethod(p.tok.text)
}

// key returns the name that the key at tok evaluates to.
func (p *parser) key() string {
	if p.tok.kind == tText {
		return p.tok.string()
	}
	if name := elephantNames[p.tok.text]; name != "" {
		return name
	}
	return p.tok.text
}

// versionNumber returns the number in a key: v and 1 to 255 without leading zeros.
func versionNumber(key string) (int, bool) {
	digits, ok := strings.CutPrefix(key, "v")
	n, err := strconv.ParseUint(digits, 10, 8)
	return int(n), ok && err == nil && n > 0 && digits[0] != '0' && digits[0] != '+'
}

// version reads the members after the key of version n.
func (p *parser) version(n int, key *token) *version {
	v := &version{number: n, line: int(key.line)}
	p.checkMacros(v, key)
	if !p.tok.is("{") {
		at := p.tok
		v.fail(p.problem(Unreadable, &at, "it is not written out as { … }"))
		p.value()
		return v
	}
	open := p.tok
	p.checkMacros(v, &open)
	p.advance()
	var members []placed
	for !p.tok.is("}") {
		if p.runsOut() {
			v.fail(p.unclosed(&open, "its { is not closed"))
			return v
		}
		p.checkMacros(v, &p.tok)
		if p.tok.is(",") {
			p.advance()
			continue
		}
		m, ok := p.member(v)
		if ok && len(members) == maxMembers {
			v.fail(p.problem(Unreadable, &m.at, "it has more than 65535 members"))
		} else if ok && v.problem == nil {
			members = append(members, m)
		}
	}
	p.checkMacros(v, &p.tok)
	if p.cut {
		v.fail(p.problem(Unreadable, key, "macros make the file too long"))
	}
	p.advance()
	p.sort(v, members)
	return v
}

// A placed is a member with its token.
type placed struct {
	Member
	at token
}

// member reads "name : datatype". ok is false for a special key, or if the version becomes
// unusable.
func (p *parser) member(v *version) (placed, bool) {
	m := placed{at: p.tok}
	if !isKey(&m.at) {
		v.fail(p.problem(Unreadable, &m.at, fmt.Sprintf("a name is expected, not %q", spell(p.tok))))
		p.skip()
		return m, false
	}
	m.Name = p.key()
	p.advance()
	colon := p.tok.is(":")
	if colon {
		p.advance()
	}
	at := p.tok
	tokens := p.value()
	if !colon && len(tokens) > 0 && m.Name != nameVerbose {
		v.fail(p.problem(Unreadable, &at, fmt.Sprintf("a colon is missing after %q", m.Name)))
		return m, false
	}
	for i := range tokens {
		p.checkMacros(v, &tokens[i])
	}
	if m.Name == nameVerbose {
		v.verbose = !p.lib.isFalse(tokens)
		return m, false
	}
	if len(tokens) == 0 { // a name alone stands for the variable with that name
		at, tokens = m.at, []token{m.at}
	} else if d, ok := p.datatype(tokens); ok {
		m.Type = d
		return m, true
	}
	e := p.problem(UnknownDatatype, &at, spell(tokens...))
	e.Member = m.Name
	v.fail(e)
	return m, false
}

// checkMacros marks v as unusable if t comes from a macro with two definitions.
func (p *parser) checkMacros(v *version, t *token) {
	if m := t.ambiguous(); m != nil && v.problem == nil {
		v.fail(&SchemaError{Reason: Contradiction, File: m.file, Line: m.line, OtherFile: m.rival.file, OtherLine: m.rival.line, Text: m.name})
	}
}

// fail makes v unusable. The first reason is kept.
func (v *version) fail(e *SchemaError) {
	if v.problem == nil {
		e.Version = v.number
		v.problem, v.members = e, nil
	}
}

// sort puts the members in the order of the format. If a name occurs twice, both must have the same
// datatype.
func (p *parser) sort(v *version, members []placed) {
	if v.problem != nil {
		return
	}
	slices.SortStableFunc(members, func(a, b placed) int { return strings.Compare(a.Name, b.Name) })
	v.members = make([]Member, 0, len(members))
	for i, m := range members {
		if i > 0 && m.Name == members[i-1].Name {
			if m.Type != members[i-1].Type {
				e := p.problem(Contradiction, &m.at, "")
				e.Member, e.OtherFile, e.OtherLine = m.Name, p.file.name, int(members[i-1].at.line)
				v.fail(e)
				return
			}
			continue
		}
		v.members = append(v.members, m.Member)
	}
}

// A Constructor is one declaration of a constructor.
type Constructor struct {
	Name   string
	Parent string // constructor that it inherits from; "" if none
	File   string
	Line   int // from 1

	HasSchema    bool // has its own ELEPHANT_SCHEMA, even one without versions
	Forced       bool // by ELEPHANT_FORCE_VERSION
	ForceVersion int  // 0 to 255; 0 means no schema
	Exclude      []string

	versions   []*version // in file order
	unreadable *SchemaError
	cut        *SchemaError // set if the file ends inside it
}

// Versions lists the versions of the constructor's own schema, ascending.
func (c *Constructor) Versions() []int {
	var all []int
	for _, v := range c.versions {
		all = append(all, v.number)
	}
	slices.Sort(all)
	return all
}

func (c *Constructor) version(n int) *version {
	for _, v := range c.versions {
		if v.number == n {
			return v
		}
	}
	return nil
}

// A Member is a member of a struct, with the datatype that a schema gives it.
type Member struct {
	Name string
	Type datatype.ID
}

// A Schema is one version of a constructor's schema: the members in the body of a struct of this version.
type Schema struct {
	Constructor string   // the constructor that was asked for
	Version     int      // 1 to 255
	Members     []Member // members in the order of the format: by name, byte by byte. They must not be changed
	Verbose     bool     // ELEPHANT_VERSION_VERBOSE: names and datatypes are stored too
	File        string
	Line        int    // line of the version, from 1
	Owner       string // the constructor whose schema it is: Constructor or an ancestor
}

// found is what the declarations of a constructor say about a version.
type found struct {
	version *version
	owner   *Constructor
	err     *SchemaError // set if version is nil
	cut     bool         // it may be in a part of a file that could not be read
}

// maxAncestors is the number of parent constructors searched for a schema.
const maxAncestors = 256

// find looks for a version of the schema of name, or of its nearest ancestor with one. seen holds earlier
// results, and ends a cycle of ancestors.
func (l *Library) find(name string, version int, seen map[string]found) found {
	if f, ok := seen[name]; ok || len(seen) > maxAncestors {
		if !ok {
			f.err = &SchemaError{Reason: NoSchema}
		}
		return f
	}
	seen[name] = found{err: &SchemaError{Reason: NoSchema}}
	all := l.constructors[name]
	if len(all) == 0 {
		return found{err: &SchemaError{Reason: NoConstructor, Missing: name}}
	}
	best := l.look(all[0], version, seen)
	for _, c := range all[1:] {
		best = best.with(l.look(c, version, seen))
	}
	seen[name] = best
	return best
}

// look looks in one declaration.
func (l *Library) look(c *Constructor, version int, seen map[string]found) found {
	switch {
	case c.unreadable != nil:
		return found{err: c.unreadable, owner: c}
	case c.HasSchema:
		v := c.version(version)
		switch {
		case v == nil && c.cut != nil:
			return found{owner: c, err: c.cut, cut: true}
		case v == nil:
			return found{owner: c, err: &SchemaError{Reason: NoVersion, Versions: c.Versions(), File: c.File, Line: c.Line}}
		case v.problem != nil:
			return found{owner: c, err: v.problem}
		}
		return found{owner: c, version: v}
	case c.cut != nil:
		return found{owner: c, err: c.cut, cut: true}
	case c.Parent != "":
		return l.find(c.Parent, version, seen)
	}
	return found{err: &SchemaError{Reason: NoSchema}}
}

// with combines two declarations of a constructor. A version that only one of them has remains as it is.
func (f found) with(g found) found {
	if f.version == nil || g.version == nil {
		if g.weight() > f.weight() {
			return g
		}
		return f
	}
	if f.version.same(g.version) {
		return f
	}
	return found{owner: f.owner, err: &SchemaError{
		Reason: Contradiction, File: f.owner.File, Line: f.version.line, OtherFile: g.owner.File, OtherLine: g.version.line,
	}}
}

// weight ranks two answers: first a schema known to be wrong, then one that exists, then the closest miss.
func (f found) weight() int {
	switch {
	case f.version != nil:
		return 1000
	case f.cut:
		return 999
	}
	switch f.err.Reason {
	case NoSchema:
		return 0
	case NoConstructor:
		return 1
	case NoVersion:
		return 2 + len(f.err.Versions)
	}
	return 1001
}

// oldAny is datatype.Any up to Elephant 1.3.0; Array, Struct and Undefined follow it.
const oldAny = 14

// datatypes are the datatypes that a schema may name, by their constants in GML.
var datatypes = func() map[string]datatype.ID {
	all := map[string]datatype.ID{}
	for t := datatype.U8; t <= datatype.Undefined; t++ {
		if isDatatype(t) {
			all["buffer_"+datatype.Name(t)] = t
		}
	}
	return all
}()

func isDatatype(t datatype.ID) bool {
	return t >= datatype.U8 && t <= datatype.Text || t >= datatype.Any && t <= datatype.Undefined
}

// datatypeOf returns the datatype with the given number in any of Elephant's versions.
func datatypeOf(n int64) (datatype.ID, bool) {
	if n >= oldAny && n < oldAny+4 {
		n += int64(datatype.Any) - oldAny
	}
	if n < 0 || n > 255 {
		return 0, false
	}
	return datatype.ID(n), isDatatype(datatype.ID(n))
}
