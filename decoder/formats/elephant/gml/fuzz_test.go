package gml

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// FuzzParse: any text is read without panic; what is read is in order and has datatypes; errors lie in the
// text; a file can be read after it.
func FuzzParse(f *testing.F) {
	for _, name := range realSources(f) {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	for _, test := range snippets {
		f.Add([]byte(test.text))
	}
	for _, test := range damaged {
		f.Add([]byte(test.text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		lib, err := parse("a.gml", string(data), "b.gml", "function __Fuzz() constructor { ELEPHANT_SCHEMA { v1 : { } } }")
		lines := 1 + strings.Count(string(data), "\n") + strings.Count(string(data), "\r")
		for _, e := range syntaxErrors(t, err) {
			if e.File == "a.gml" && (e.Line < 1 || e.Line > lines || e.Column < 1 || e.Column > len(data)+1) {
				t.Fatalf("%v in %d lines", e, lines)
			}
		}
		for _, name := range lib.Constructors() {
			c, _ := lib.Constructor(name)
			for _, n := range c.Versions() {
				s, err := lib.Schema(name, n)
				if err != nil {
					continue
				}
				if !slices.IsSortedFunc(s.Members, func(a, b Member) int { return strings.Compare(a.Name, b.Name) }) {
					t.Fatalf("%s v%d: %v", name, n, s.Members)
				}
				for _, m := range s.Members {
					if !isDatatype(m.Type) {
						t.Fatalf("%s v%d: %v", name, n, m)
					}
				}
			}
		}
		if _, ok := lib.Constructor("__Fuzz"); !ok && !strings.Contains(string(data), "#macro") {
			t.Fatal("a second file is not read")
		}
	})
}
