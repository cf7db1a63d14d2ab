package gml

import (
	"fmt"
	"maps"
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
	file    *file
	at      token  // its key
	fault   *fault // why it cannot be used; nil if it can
}

func (v *version) same(w *version) bool {
	return v.verbose == w.verbose && slices.Equal(v.members, w.members)
}

// fail makes v unusable. The first reason is kept.
func (v *version) fail(f *fault) {
	if v.fault == nil {
		v.fault, v.members = f, nil
	}
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
	if len(p.functions) == 0 {
		p.report(at, "this schema is outside a constructor")
		return
	}
	c := p.functions[len(p.functions)-1].owner
	if c == nil {
		return // its constructor has no name that a save could hold, and its braces count like any others
	}
	if c.HasSchema = true; !p.tok.is("{") {
		p.report(at, fmt.Sprintf("the schema of %q has to be written out here, as { … }", c.name))
		c.cut, c.isOpaque = p.fault(&at, "the schema is not written out where it is declared"), true
		return
	}
	open := p.tok
	for p.advance(); !p.tok.is("}"); {
		switch {
		case p.runsOut():
			p.report(open, fmt.Sprintf("the { of the schema of %q is not closed", c.name))
			c.cut = p.unclosed(&open, "this { of the schema is not closed")
			return
		case p.tok.is(","):
			p.advance()
		default:
			p.entry(c)
		}
	}
	p.advance()
}

// runsOut reports whether the schema ended without its brace: these tokens belong to the function around
// it.
func (p *parser) runsOut() bool {
	switch p.tok.text {
	case "static", "function", "var", "constructor", wordSchema, nameSchema:
		return p.tok.kind == tWord
	}
	return p.tok.kind == tEnd
}

// key reads a key and the colon after it. name is "" if there is no key.
func (p *parser) key() (name string, hasColon bool) {
	switch p.tok.kind {
	case tText:
		name, _ = p.tok.string()
	case tWord:
		if name = elephantNames[p.tok.text]; name == "" {
			name = p.tok.text
		}
	}
	if name == "" {
		return "", false
	}
	p.advance()
	if hasColon = p.tok.is(":"); hasColon {
		p.advance()
	}
	return name, hasColon
}

// skip moves past something that is not a key, with what belongs to it.
func (p *parser) skip() {
	if isCloser(&p.tok) || p.tok.is(";") {
		p.advance()
		return
	}
	p.value()
}

// entry reads "key : value" of a schema.
func (p *parser) entry(c *Constructor) {
	at := p.tok
	name, hasColon := p.key()
	switch n, isVersion := versionNumber(name); {
	case name == "":
		p.report(at, "a version is expected here: v1 to v255 and a colon")
		p.skip()
	case name == nameForce:
		value := p.tok
		n, ok := p.lib.integer(p.value(), 0)
		if c.Forced, c.ForceVersion = ok && n <= 255, int(n); !c.Forced {
			p.report(value, "the forced version has to be a number from 0 to 255")
		}
	case name == nameExclude, name == nameVerbose: // Elephant looks for this only in versions
		p.value()
	case isVersion && hasColon:
		c.add(p.version(n, &at))
	default:
		p.report(at, fmt.Sprintf("%q is not a version: v1 to v255 and a colon are expected", name))
		p.value()
	}
}

// versionNumber returns the number in a key: v and 1 to 255 without leading zeros.
func versionNumber(key string) (int, bool) {
	digits, ok := strings.CutPrefix(key, "v")
	n, err := strconv.ParseUint(digits, 10, 8)
	return int(n), ok && err == nil && n > 0 && digits[0] != '0' && digits[0] != '+'
}

// version reads the members after the key of version n.
func (p *parser) version(n int, key *token) *version {
	v := &version{number: n, file: p.file, at: *key}
	open := p.tok
	if !open.is("{") {
		v.fail(p.fault(&open, "it is not written out as { … }"))
		p.value()
		return v
	}
	members := map[string]datatype.ID{}
	for p.advance(); !p.tok.is("}"); {
		switch {
		case p.runsOut():
			v.fail(p.unclosed(&open, "its { is not closed"))
			return v
		case p.tok.is(","):
			p.advance()
		default:
			p.member(v, members)
		}
	}
	p.advance()
	if v.fault == nil {
		for _, name := range slices.Sorted(maps.Keys(members)) { // the order of the format
			v.members = append(v.members, Member{name, members[name]})
		}
	}
	return v
}

// member reads "name : datatype" of a version.
func (p *parser) member(v *version, members map[string]datatype.ID) {
	at := p.tok
	name, hasColon := p.key()
	if name == "" {
		v.fail(p.fault(&at, "a name is expected, not %q", p.lib.spell(at)))
		p.skip()
		return
	}
	value := p.tok
	tokens := p.value()
	if len(tokens) == 0 { // a name alone stands for the variable with that name
		value, tokens = at, []token{at}
	}
	n, isNumber := p.lib.integer(tokens, 0)
	of, isDatatype := datatypeOf(n)
	was, isThere := members[name]
	switch {
	case name == nameVerbose:
		v.verbose = !p.lib.isFalse(tokens)
	case !hasColon && value != at:
		v.fail(p.fault(&value, "a colon is missing after %q", name))
	case !isNumber || !isDatatype:
		v.fail(p.fault(&value, "%q is not a datatype for %q", p.lib.spell(tokens...), name))
	case isThere && was != of:
		v.fail(p.fault(&at, "the member %q is declared twice", name))
	case len(members) == maxMembers && !isThere:
		v.fail(p.fault(&at, "it has more than %d members", maxMembers))
	case !p.hasRoom(&at, 1):
		v.fail(p.fault(&at, "the schemas have more members than can be kept"))
	default:
		members[name] = of
	}
}

// A Constructor is what the files declare of a constructor. If there are several declarations, they add up.
type Constructor struct {
	Parent       string // constructor that it inherits from; "" if none
	HasSchema    bool   // has its own ELEPHANT_SCHEMA, even one without versions
	Forced       bool   // by ELEPHANT_FORCE_VERSION
	ForceVersion int    // 0 to 255; 0 means no schema

	name     string
	versions []*version // in the order of the files
	cut      *fault     // why there may be more versions; nil if there are none
	isOpaque bool       // any version may be another one
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

// add adds a version. A second one with its number must be the same.
func (c *Constructor) add(v *version) {
	switch old := c.version(v.number); {
	case old == nil:
		c.versions = append(c.versions, v)
	case v.fault != nil:
		old.fail(v.fault)
	case old.fault == nil && !old.same(v):
		old.fail(&fault{old.file, old.at, "it is declared differently in " + v.file.place(&v.at)})
	}
}

// A Member is a member of a struct, with the datatype that a schema gives it.
type Member struct {
	Name string
	Type datatype.ID
}

// A Schema is one version of a constructor's schema: the members in the body of a struct of this version.
type Schema struct {
	Members []Member // members in the order of the format: by name, byte by byte. They must not be changed
	Verbose bool     // ELEPHANT_VERSION_VERBOSE: names and datatypes are stored too
	File    string
	Line    int // line of the version, from 1
}

// maxAncestors is the number of constructors that are searched for a schema: the one and those that it inherits from.
const maxAncestors = 256

// Schema returns a version of a constructor's schema, or of its nearest ancestor's. The error is a
// *SchemaError.
func (l *Library) Schema(name string, version int) (*Schema, error) {
	asked, schema := name, fmt.Sprintf("the schema of %q", name)
	for range maxAncestors {
		c := l.constructors[asked]
		if c == nil {
			return nil, missing(name, asked)
		}
		if asked != name {
			schema = fmt.Sprintf("the schema of %q, which %q inherits,", asked, name)
		}
		v, fault := c.version(version), c.cut
		if v != nil && !c.isOpaque {
			fault = v.fault
		}
		switch {
		case fault != nil:
			return nil, &SchemaError{Unreadable, fmt.Sprintf("%s: %s; v%d of %s cannot be read", fault.file.place(&fault.at), fault.text, version, schema)}
		case v != nil:
			return &Schema{Members: v.members, Verbose: v.verbose, File: v.file.name, Line: int(v.at.line)}, nil
		case c.HasSchema:
			return nil, &SchemaError{NoVersion, fmt.Sprintf("%s has no v%d (%s)", schema, version, c.listed())}
		}
		if asked = c.Parent; asked == "" {
			break
		}
	}
	return nil, &SchemaError{NoSchema, fmt.Sprintf("constructor %q has no ELEPHANT_SCHEMA, and inherits none", name)}
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
