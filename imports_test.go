package main

import (
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

// mayImport says which local packages the packages of a folder may import, by
// the folder at the top. Decoder's own layers follow in TestImports.
var mayImport = map[string][]string{
	"":        {"cli"},
	"cli":     {"ui", "model", "decoder", "themes", "internal"},
	"ui":      {"ui", "model", "decoder", "themes"},
	"model":   {"model", "decoder", "internal"},
	"decoder": {"decoder"},
	"themes":  {},
}

// TestImports holds that imports run one way: main, cli, ui, model, decoder.
func TestImports(t *testing.T) {
	for folder, imports := range programImports(t) {
		top, _, _ := strings.Cut(folder, "/")
		allowed, known := mayImport[top]
		if !known {
			continue // benchmarks and stand-ins, which no package here may import either
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
			case strings.HasPrefix(local, "internal/") && local != "internal/atomicfile":
				t.Errorf("%s imports %s, which is for tests", folder, imported)
			case top == "decoder" && !strings.HasPrefix(local, folder+"/") && !belowFormats(folder, local):
				t.Errorf("%s imports %s, which is not below it", folder, imported)
			}
		}
	}
}

// belowFormats reports whether a package below decoder may import another one
// beside it: a format imports what diagnosis and editing are and the tree, which
// imports what all share, and that imports nothing.
func belowFormats(folder, local string) bool {
	shared := []string{"decoder/diagnose", "decoder/edit", "decoder/tree", "decoder/span", "decoder/source"}
	switch folder {
	case "decoder/span":
		return false
	case "decoder/source":
		return local == "decoder/span"
	case "decoder/tree":
		return local == "decoder/span" || local == "decoder/source"
	case "decoder/edit":
		return local == "decoder/tree" || local == "decoder/span" || local == "decoder/source"
	case "decoder/diagnose":
		return slices.Contains(shared[1:], local)
	}
	return folder != "decoder" && slices.Contains(shared, local) || belowWrapper(folder, local)
}

// belowWrapper reports whether a package below decoder/wrap may import another one
// there: the kinds of wrappers know none of each other, except that digits know what
// the packed forms begin with.
func belowWrapper(folder, local string) bool {
	levels := [][]string{{"part"}, {"layer"}, {"gcpf", "gdec", "zlib", "mangled"}, {"digits"}, {"text", "hexdump"}}
	level := func(folder string) int {
		name, _ := strings.CutPrefix(folder, "decoder/wrap/")
		return slices.IndexFunc(levels, func(names []string) bool { return slices.Contains(names, name) })
	}
	return level(local) >= 0 && level(local) < level(folder)
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
