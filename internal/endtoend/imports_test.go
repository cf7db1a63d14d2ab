package endtoend

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// mayImport lists the local packages that the packages of a folder may import, by
// the folder at the top. TestImports has decoder's own layers.
var mayImport = map[string][]string{
	"":        {"cli"},
	"cli":     {"cli", "ui", "model", "decoder", "themes", "internal"},
	"ui":      {"ui", "model", "decoder", "themes", "internal"},
	"model":   {"model", "decoder", "internal"},
	"decoder": {"decoder"},
	"themes":  {"decoder"},
}

// forTests are the packages that no part of the program may import.
var forTests = []string{"internal/endtoend", "internal/nocolorquery", "internal/elephantref", "internal/variantref"}

// TestImports checks that imports run one way: main, cli, ui, model, decoder.
func TestImports(t *testing.T) {
	for folder, imports := range programImports(t) {
		top, _, _ := strings.Cut(folder, "/")
		allowed, known := mayImport[top]
		if !known || strings.HasSuffix(folder, "test") {
			continue // benchmarks and test helpers, which no package here may import either
		}
		for _, imported := range imports {
			local, isLocal := strings.CutPrefix(imported, "varview/")
			switch {
			case !isLocal:
				if strings.HasPrefix(imported, "github.com/charmbracelet/") && (top == "themes" || top == "decoder" || top == "model") {
					t.Errorf("%s imports %s, but knows no terminal", folder, imported)
				}
			case !slices.Contains(allowed, strings.Split(local, "/")[0]):
				t.Errorf("%s imports %s", folder, imported)
			case slices.Contains(forTests, local), strings.HasSuffix(local, "test"):
				t.Errorf("%s imports %s, which is for tests", folder, imported)
			case local == "model/explore" && top != "ui" && folder != "model/saves":
				t.Errorf("%s imports %s, but shows no rows", folder, imported)
			case top == "ui" && strings.HasPrefix(local, "ui/") && !isRoomBelow(folder, local):
				t.Errorf("%s imports %s, which is not below it", folder, imported)
			case top == "decoder" && folder != "decoder" && !isBelow(folder, local):
				t.Errorf("%s imports %s, which is not below it", folder, imported)
			}
		}
	}
}

// rooms are the folders of ui. Each may import those before its own line.
var rooms = [][]string{
	{"terminal", "jobs", "action"}, {"textbox", "paint"}, {"dialog"}, {"desk", "draw"}, {"edits"},
	{"start", "tree", "hex", "problems", "inspect", "find", "file"}, {"results", "differ", "table", "records", "tutor"}, {""},
}

// isRoomBelow reports whether a folder of ui may import another one.
func isRoomBelow(folder, local string) bool {
	line := func(folder string) int {
		room := strings.TrimPrefix(strings.TrimPrefix(folder, "ui"), "/")
		return slices.IndexFunc(rooms, func(line []string) bool { return slices.Contains(line, room) })
	}
	return line(local) >= 0 && line(local) < line(folder)
}

// shared are the parts that families and wrappers build on, each after those that
// it may import.
var shared = []string{"engine/lazy", "engine/deflate", "value/spelling", "engine/background", "engine/parallel", "engine/openfile", "engine/tempfile", "engine/work", "wrap/fastlz", "wrap/lzstring", "value/charset", "value/condition",
	"engine/span", "engine/source", "engine/tree", "edit", "score", "diagnose", "engine/format", "value/notation", "edit/simple", "edit/textual", "wrap/checksum"}

// decoderPart returns the shared part, the family or the other part of decoder to
// which a folder below it belongs.
func decoderPart(folder string) string {
	parts := strings.Split(strings.TrimPrefix(folder, "decoder/"), "/")
	two := strings.Join(parts[:min(2, len(parts))], "/")
	if slices.Contains(shared, two) || parts[0] == "formats" {
		return two
	}
	return parts[0]
}

// isBelow reports whether a package below decoder may import another one there. A shared part may import
// those before it; a family, wrap and detect any shared part. A package inside a family may import the
// others of the family. What looks into messages unpacks them.
func isBelow(folder, local string) bool {
	part, other := decoderPart(folder), decoderPart(local)
	to := slices.Index(shared, other)
	if from := slices.Index(shared, part); from >= 0 {
		return to >= 0 && to < from
	}
	return to >= 0 || part == other || part == "detect" && other == "wrap" || part == "network" && (other == "formats/godot" || other == "formats/json" || other == "formats/msgpack") || part == "wrap" && other == "network" || folder == "decoder/network/look" && other == "wrap"
}

// TestOnlyTheTableNamesFamilies checks that no package above the families imports
// one, except the table, and that none compares a family's name: a string without
// blanks is not text for people. Captures are of Godot's networking.
func TestOnlyTheTableNamesFamilies(t *testing.T) {
	families := []string{"godot", "elephant", "gamemaker", "msgpack", "kaitai"}
	found := 0
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		name = filepath.ToSlash(name)
		if err != nil || entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		parts := strings.Split(name, "/")
		if _, known := mayImport[parts[0]]; !known || strings.HasSuffix(path.Dir(name), "test") || parts[0] == "decoder" && (parts[1] == "formats" || parts[1] == "network") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		found++
		ast.Inspect(file, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			text, _ := strconv.Unquote(lit.Value)
			for _, family := range families {
				isImport := strings.HasPrefix(text, "varview/decoder/formats/"+family)
				if isImport && name != "decoder/families.go" || !isImport && strings.Contains(text, family) && !strings.ContainsAny(text, " \n") {
					t.Errorf("%s names %s: %s", name, family, lit.Value)
				}
			}
			return true
		})
		return nil
	})
	if err != nil || found < 100 {
		t.Fatalf("%d files found (%v)", found, err)
	}
}

// programImports lists what the packages of this module import, without their
// tests, by folder.
func programImports(t *testing.T) map[string][]string {
	all := map[string][]string{}
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == "testdata" || strings.HasPrefix(entry.Name(), ".") && name != ".") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		folder := strings.TrimPrefix(path.Dir(filepath.ToSlash(name)), ".")
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			all[folder] = append(all[folder], imported)
		}
		return nil
	})
	if err != nil || len(all) < 8 {
		t.Fatalf("%d packages found (%v)", len(all), err)
	}
	return all
}
