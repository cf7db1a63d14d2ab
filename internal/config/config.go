// Package config reads a TOML file as a list of settings with their lines. A mistake only affects the
// setting that it is in.
package config

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	// Only this part of the library knows lines, and continues after a mistake.
	"github.com/pelletier/go-toml/v2/unstable"
)

// An Entry is a setting in the file.
type Entry struct {
	Key   string // with its tables: "layout.tree"
	Line  int    // from 1
	Value any    // a string, int64, bool or []string
}

// A Mistake says why a setting is not used.
type Mistake struct {
	Line int    // from 1
	Key  string // "" if the line has none
	Err  error
}

// Error implements error.
func (m Mistake) Error() string {
	if m.Key == "" {
		return fmt.Sprintf("line %d: %v", m.Line, m.Err)
	}
	return fmt.Sprintf("line %d, %s: %v", m.Line, m.Key, m.Err)
}

// Parse reads a file up to the point from which it is not TOML.
func Parse(data []byte) (entries []Entry, mistakes []Mistake) {
	p := unstable.Parser{}
	p.Reset(data)
	table, seen := "", map[string]int{}
	for p.NextExpression() {
		n := p.Expression()
		if n.Kind != unstable.KeyValue && n.Kind != unstable.Table && n.Kind != unstable.ArrayTable {
			continue
		}
		name, line := keyOf(&p, n)
		if n.Kind != unstable.KeyValue {
			table = name + "."
			continue
		}
		e := Entry{Key: table + name, Line: line}
		var err error
		switch first, twice := seen[e.Key]; {
		case twice:
			err = fmt.Errorf("it is already set in line %d", first)
		default:
			seen[e.Key] = line
			e.Value, err = valueOf(n.Value())
		}
		if err != nil {
			mistakes = append(mistakes, Mistake{line, e.Key, err})
			continue
		}
		entries = append(entries, e)
	}
	var syntax *unstable.ParserError
	if errors.As(p.Error(), &syntax) {
		line := 1 + bytes.Count(data[:min(len(data), int(p.Range(syntax.Highlight).Offset))], []byte("\n"))
		mistakes = append(mistakes, Mistake{Line: line, Err: fmt.Errorf("%w; nothing after this line is used", syntax)})
	}
	return entries, mistakes
}

// keyOf returns the dotted key of an expression, and its line.
func keyOf(p *unstable.Parser, n *unstable.Node) (name string, line int) {
	var parts []string
	for it := n.Key(); it.Next(); {
		if line == 0 {
			line = p.Shape(it.Node().Raw).Start.Line
		}
		parts = append(parts, string(it.Node().Data))
	}
	return strings.Join(parts, "."), line
}

var errKind = errors.New("the value must be a text in quotes, a whole number, true or false, or a list of texts")

// valueOf returns the value of a node.
func valueOf(n *unstable.Node) (any, error) {
	switch n.Kind {
	case unstable.String:
		return string(n.Data), nil
	case unstable.Bool:
		return string(n.Data) == "true", nil
	case unstable.Integer:
		i, err := strconv.ParseInt(strings.ReplaceAll(string(n.Data), "_", ""), 0, 64)
		if err != nil {
			return nil, errors.New("the number is too large")
		}
		return i, nil
	case unstable.Array:
		list := []string{}
		for it := n.Children(); it.Next(); {
			if it.Node().Kind == unstable.Comment {
				continue
			}
			if it.Node().Kind != unstable.String {
				return nil, errKind
			}
			list = append(list, string(it.Node().Data))
		}
		return list, nil
	}
	return nil, errKind
}
