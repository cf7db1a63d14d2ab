package endtoend

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// codeFiles are the files with the constants of codes, and the string constants in them that are not
// codes.
var codeFiles = map[string][]string{
	"decoder/formats/godot/internal/convert/file.go":   nil,
	"decoder/engine/span/codes.go":                     nil,
	"decoder/formats/elephant/internal/block/codes.go": nil,
	"decoder/wrap/layer/layer.go":                      nil,
	"decoder/edit/textual/codes.go":                    nil,
	"decoder/open.go":                                  {"deferred"}, // which only the terminal program reports
	"decoder/detect/foreign.go":                        nil,
	"model/check.go":                                   nil,
	"decoder/network/message/cursor.go":                nil,
	"decoder/network/payload/payload.go":               {"connection"}, // a kind
	"decoder/formats/kaitai/read/codes.go":             nil,
	"decoder/formats/godot/resource/codes.go":          nil,
}

// withoutTranscript are codes without a transcript.
var withoutTranscript = map[string]string{
	"read-failed":     "the disk has to fail, or the file to change, while it is read",
	"state-forgotten": "a capture has to have more paths than are remembered",
	"left-out":        "a capture has to have more that waits than is kept",
	"too-many":        "a capture has to have more flows than are kept",
	"fewer-channels":  "a server of ENet has to grant fewer channels than the client asks for",
	"no-capture":      "what begins like no capture is not opened as one",

	"unrecognized": "no wrapper is opened that the bytes do not look like",
}

// A codeEntry is a line of "check --codes --json".
type codeEntry struct{ Code, Severity, About, Repair string }

func codeTable(t *testing.T) map[string]codeEntry {
	t.Helper()
	table := map[string]codeEntry{}
	for line := range strings.Lines(run(t, 0, "check", "--codes", "--json").stdout) {
		var c codeEntry
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		if _, twice := table[c.Code]; twice {
			t.Errorf("%s is twice in the table", c.Code)
		}
		table[c.Code] = c
	}
	return table
}

// TestCodes compares the table of codes with the constants.
func TestCodes(t *testing.T) {
	table := codeTable(t)
	declared := declaredCodes(t)
	for _, code := range declared {
		if _, ok := table[code]; !ok {
			t.Errorf("%s is not in the table", code)
		}
	}
	for code, c := range table {
		if !slices.Contains(declared, code) {
			t.Errorf("%s is in the table, but is no constant", code)
		}
		for _, text := range []string{c.About, c.Repair} {
			if strings.HasSuffix(text, ".") || text != strings.TrimSpace(text) || strings.Contains(text, "\n") {
				t.Errorf("%s: %q is no clause", code, text)
			}
		}
		if c.About == "" || !slices.Contains([]string{"note", "warning", "error"}, c.Severity) {
			t.Errorf("%s: %+v", code, c)
		}
	}
}

// isCode matches the form of a code.
var isCode = regexp.MustCompile(`^[a-z]+[a-z0-9]*(-[a-z0-9]+)*$`)

// declaredCodes are the values of all string constants that look like codes.
func declaredCodes(t *testing.T) (codes []string) {
	t.Helper()
	for name, others := range codeFiles {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			gen, ok := d.(*ast.GenDecl)
			if !ok || gen.Tok != token.CONST && gen.Tok != token.VAR {
				continue
			}
			for _, spec := range gen.Specs {
				for _, v := range spec.(*ast.ValueSpec).Values {
					if call, ok := v.(*ast.CallExpr); ok && len(call.Args) > 1 { // span.AddCode(&Codes, "code", …)
						v = call.Args[1]
					}
					lit, ok := v.(*ast.BasicLit)
					if !ok || lit.Kind != token.STRING {
						continue
					}
					code, err := strconv.Unquote(lit.Value)
					if err == nil && isCode.MatchString(code) && !slices.Contains(others, code) {
						codes = append(codes, code)
					}
				}
			}
		}
	}
	if len(codes) < 50 {
		t.Fatalf("only %d constants were found", len(codes))
	}
	return codes
}

var (
	textLine = regexp.MustCompile(`(?m)^[^$\n][^\n]*: (?:note|warning|error): .*$`)
	textCode = regexp.MustCompile(`\(([a-z0-9-]+)\)(?:[;:]|$)`)
	jsonCode = regexp.MustCompile(`"severity":"[a-z]+","code":"([^"]*)"`)
)

// TestTranscriptCodes checks that each code in a transcript is in the table, and
// that each code in the table has a transcript of its own.
func TestTranscriptCodes(t *testing.T) {
	table := codeTable(t)
	names, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	own, err := filepath.Glob("testdata/script/codes/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(names, own...) {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range textLine.FindAll(data, -1) {
			shown := textCode.FindAllSubmatch(line, -1)
			known := func(m [][]byte) bool { return table[string(m[1])].Code != "" }
			if len(shown) > 0 && !slices.ContainsFunc(shown, known) {
				t.Errorf("%s has a code that is not in the table: %s", name, line)
			}
		}
		for _, m := range jsonCode.FindAllSubmatch(data, -1) {
			if _, ok := table[string(m[1])]; !ok {
				t.Errorf("%s has the code %s, which is not in the table", name, m[1])
			}
		}
	}
	for code := range table {
		name := "testdata/script/codes/" + code + ".txtar"
		data, err := os.ReadFile(name)
		switch {
		case withoutTranscript[code] != "":
		case err != nil:
			t.Errorf("%s has no transcript: %v", code, err)
		case !strings.Contains(string(data), "("+code+")"):
			t.Errorf("%s does not show its code", name)
		}
	}
}
