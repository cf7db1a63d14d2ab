package endtoend

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestNoSourceIsCompared checks that nothing that contains a source is compared with ==, directly or as
// the key of a map: a source may be a slice, and comparing it would panic. It also checks that keys are
// named in one place: Bubble Tea gives characters that arrive together the name of a key.
func TestNoSourceIsCompared(t *testing.T) {
	long(t)
	t.Parallel()
	packages, exported := listed(t, "./...")
	files := token.NewFileSet()
	from := importer.ForCompiler(files, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exported[path]) })
	source, err := from.Import("varview/decoder/engine/source")
	if err != nil {
		t.Fatal(err)
	}
	c := comparisons{holds: map[types.Type]bool{}, source: source.Scope().Lookup("Source").Type()}
	for _, p := range packages {
		info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Instances: map[*ast.Ident]types.Instance{}, Uses: map[*ast.Ident]types.Object{}}
		var parsed []*ast.File
		for _, name := range p.GoFiles {
			f, err := parser.ParseFile(files, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			parsed = append(parsed, f)
		}
		if _, err := (&types.Config{Importer: from}).Check(p.ImportPath, files, parsed, info); err != nil {
			t.Fatal(err)
		}
		for _, f := range parsed {
			ast.Inspect(f, func(n ast.Node) bool {
				if said := c.wrong(p.ImportPath, n, info); said != "" {
					t.Errorf("%s: %s", files.Position(n.Pos()), said)
				}
				return true
			})
		}
	}
}

// comparisons finds comparisons that must not be made.
type comparisons struct {
	source types.Type
	holds  map[types.Type]bool
}

// wrong describes what is wrong with a node; "" if nothing is.
func (c *comparisons) wrong(folder string, n ast.Node, info *types.Info) string {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if folder == "varview/decoder/engine/source" {
			break // Same looks first at what they are
		}
		if x, y := info.Types[n.X], info.Types[n.Y]; (n.Op == token.EQL || n.Op == token.NEQ) && !x.IsNil() && !y.IsNil() && (c.hasSource(x.Type) || c.hasSource(y.Type)) {
			return "compares " + x.Type.String()
		}
	case *ast.SwitchStmt:
		if n.Tag != nil && c.hasSource(info.Types[n.Tag].Type) {
			return "compares " + info.Types[n.Tag].Type.String()
		}
	case *ast.MapType:
		if t := info.Types[n.Key].Type; c.hasSource(t) {
			return "has keys of " + t.String()
		}
	case *ast.Ident:
		return c.wrongInstance(info.Instances[n])
	case *ast.SelectorExpr:
		f, ok := info.Uses[n.Sel].(*types.Func)
		if ok && n.Sel.Name == "String" && isKey(f.Signature().Recv()) && strings.HasPrefix(folder, "varview/ui/") && folder != "varview/ui/action" {
			return "names a key: action.NameOf does"
		}
	}
	return ""
}

// wrongInstance describes what is wrong with an instance of a generic function or type: it may compare
// type arguments that have to be comparable.
func (c *comparisons) wrongInstance(of types.Instance) string {
	var params *types.TypeParamList
	switch t := of.Type.(type) {
	case *types.Signature:
		params = t.TypeParams()
	case *types.Named:
		params = t.Origin().TypeParams()
	}
	for i := range of.TypeArgs.Len() {
		if arg := of.TypeArgs.At(i); c.hasSource(arg) && (params == nil || params.Len() <= i || params.At(i).Constraint().Underlying().(*types.Interface).IsComparable()) {
			return "may compare " + arg.String()
		}
	}
	return ""
}

// hasSource reports whether comparing values of a type compares sources.
func (c *comparisons) hasSource(t types.Type) bool {
	if t == nil {
		return false
	}
	has, known := c.holds[t]
	if known {
		return has
	}
	c.holds[t] = false // a type that contains itself does so by a pointer
	switch u := t.Underlying().(type) {
	case *types.Interface:
		has = types.Identical(t, c.source) || u.NumMethods() > 0 && types.Implements(t, c.source.Underlying().(*types.Interface))
	case *types.Array:
		has = c.hasSource(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			has = has || c.hasSource(f.Type())
		}
	}
	c.holds[t] = has
	return has
}

// isKey reports whether a receiver is a key of Bubble Tea.
func isKey(recv *types.Var) bool {
	if recv == nil {
		return false
	}
	name := recv.Type().String()
	return strings.HasPrefix(name, "github.com/charmbracelet/bubbletea.Key") && !strings.HasSuffix(name, "KeyType")
}

// A listedPackage is the output of go list for a package.
type listedPackage struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
	Module                  *struct{ Main bool }
}

// listed lists the packages of the program, and where the export data of their imports is.
func listed(t *testing.T, pattern string) (own []listedPackage, exported map[string]string) {
	t.Helper()
	cmd := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles,Module", pattern)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	exported = map[string]string{}
	for all := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listedPackage
		if err := all.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		exported[p.ImportPath] = p.Export
		if p.Module != nil && p.Module.Main {
			own = append(own, p)
		}
	}
	if len(own) < 80 {
		t.Fatalf("%d packages found", len(own))
	}
	return own, exported
}
