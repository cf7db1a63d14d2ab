package gml

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"varview/decoder/formats/elephant/internal/datatype"
)

// truth describes a constructor as Elephant itself saw it when it ran.
type truth struct {
	Schema map[string]struct {
		Members [][2]string
		Verbose bool
	}
	Inherited bool `json:"schema_inherited"`
	Force     *int `json:"force_version"`
}

func readTruth(t *testing.T, source string) map[string]truth {
	t.Helper()
	data, err := os.ReadFile(strings.TrimSuffix(source, ".gml") + ".schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]truth
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

func realSources(t testing.TB) []string {
	t.Helper()
	names, err := filepath.Glob("../../../../testdata/elephant/*.gml")
	if err != nil || len(names) != 4 {
		t.Fatal(names, err)
	}
	return names
}

func TestRealFiles(t *testing.T) {
	for _, source := range realSources(t) {
		lib, err := Load([]string{source})
		if err != nil {
			t.Error(err)
		}
		want := readTruth(t, source)
		if lib.Len() != len(want) {
			t.Errorf("%s: %d constructors, want %d", source, lib.Len(), len(want))
		}
		for name, truth := range want {
			checkTruth(t, lib, name, truth)
		}
	}
}

func checkTruth(t *testing.T, lib *Library, name string, want truth) {
	t.Helper()
	c, ok := lib.Constructor(name)
	if !ok {
		t.Errorf("%s: not found", name)
		return
	}
	if c.HasSchema != (want.Schema != nil && !want.Inherited) {
		t.Errorf("%s: HasSchema %v", name, c.HasSchema)
	}
	if c.Forced != (want.Force != nil) || c.Forced && c.ForceVersion != *want.Force {
		t.Errorf("%s: forced %v %d", name, c.Forced, c.ForceVersion)
	}
	if !want.Inherited && len(c.Versions()) != len(want.Schema) {
		t.Errorf("%s: versions %v", name, c.Versions())
	}
	for n := range 256 {
		s, err := lib.Schema(name, n)
		version, exists := want.Schema["v"+strconv.Itoa(n)]
		if !exists {
			if err == nil {
				t.Errorf("%s v%d: %+v, want none", name, n, s)
			}
			continue
		}
		if err != nil {
			t.Error(err)
			continue
		}
		got := [][2]string{}
		for _, m := range s.Members {
			got = append(got, [2]string{m.Name, datatype.Name(m.Type)})
		}
		if !slices.Equal(got, version.Members) || s.Verbose != version.Verbose || (c.Parent != "" && !c.HasSchema) != want.Inherited {
			t.Errorf("%s v%d: %v verbose %v, want %+v", name, n, got, s.Verbose, version)
		}
	}
}

// TestRealFilesTogether reads all four as one project.
func TestRealFilesTogether(t *testing.T) {
	lib, err := Load([]string{"../../../../testdata/elephant"})
	if err != nil {
		t.Fatal(err)
	}
	for _, source := range realSources(t) {
		for name, truth := range readTruth(t, source) {
			checkTruth(t, lib, name, truth)
		}
	}
}
