package gml

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	_ "varview/internal/lessgc"
)

// reason returns why version n of A is not known; 0 if it is.
func reason(lib *Library, n int) Reason {
	_, err := lib.Schema("A", n)
	var e *SchemaError
	if errors.As(err, &e) {
		return e.Reason
	}
	return 0
}

// TestMacroBlowUp checks that the expansion of macros that double each other ends, and spoils the versions
// that use them.
func TestMacroBlowUp(t *testing.T) {
	for _, last := range []string{"", "a : buffer_u8,", "buffer_u8"} {
		text := strings.Builder{}
		for i := range 60 {
			fmt.Fprintf(&text, "#macro M%d M%d M%d\n", i, i+1, i+1)
		}
		fmt.Fprintf(&text, "#macro M60 %s\n", last)
		text.WriteString(in("v1 : { b : 1 }, v2 : { M0 }"))
		lib, _ := parse("a.gml", text.String())
		if reason(lib, 1) != 0 || reason(lib, 2) < Unreadable {
			t.Errorf("%q: %s", last, show(lib))
		}
	}
}

// TestMacroDepth nests macros as deep as they may be, and one deeper.
func TestMacroDepth(t *testing.T) {
	for _, depth := range []int{maxMacros, maxMacros + 1} {
		text := strings.Builder{}
		for i := 1; i < depth; i++ {
			fmt.Fprintf(&text, "#macro M%d M%d\n", i, i+1)
		}
		fmt.Fprintf(&text, "#macro M%d buffer_u8\n", depth)
		text.WriteString(in("v1 : { a : M1 }"))
		lib, err := parse("a.gml", text.String())
		if err != nil {
			t.Error(err)
		}
		if want := depth > maxMacros; (reason(lib, 1) == Unreadable) != want {
			t.Errorf("%d deep: %s", depth, show(lib))
		}
	}
}

func TestEnumDepth(t *testing.T) {
	text := strings.Builder{}
	text.WriteString("enum E { M0 = 1")
	for i := 1; i <= maxReferences+1; i++ {
		fmt.Fprintf(&text, ", M%d = E.M%d", i, i-1)
	}
	fmt.Fprintf(&text, "}"+in("v1 : { a : E.M%d }, v2 : { a : E.M%d }"), maxReferences, maxReferences+1)
	lib, err := parse("a.gml", text.String())
	if err != nil {
		t.Error(err)
	}
	if reason(lib, 1) != 0 || reason(lib, 2) != Unreadable {
		t.Error(show(lib))
	}
}

func TestMemberLimit(t *testing.T) {
	most := repeat("m%d:1,", maxMembers)
	texts := []string{"a.gml", in("v1:{" + most + "},v2:{" + most + "x:1},v3:{x:1}")}
	for i := range 7 { // the last of them exceeds the limit
		texts = append(texts, "b.gml", fmt.Sprintf("function B%d() constructor { ELEPHANT_SCHEMA { v1:{%s}, v2:{} } }", i, most))
	}
	lib, err := parse(texts...)
	if all := syntaxErrors(t, err); len(all) != 1 || !strings.Contains(all[0].Message, "more than can be kept") {
		t.Error(err)
	}
	if reason(lib, 1) != 0 || reason(lib, 2) != Unreadable || reason(lib, 3) != 0 {
		t.Error(reason(lib, 1), reason(lib, 2), reason(lib, 3))
	}
	if _, err := lib.Schema("B5", 1); err != nil {
		t.Error(err)
	}
	if _, err = lib.Schema("B6", 1); err == nil {
		t.Error("more members than can be kept")
	}
}

func TestNameLimits(t *testing.T) {
	if testing.Short() {
		t.Skip("reads many megabytes")
	}
	for _, text := range []string{
		"#macro M" + strings.Repeat(" 1", maxKept),
		"enum E {" + repeat("M%d,\n", maxKept+1) + "}",
	} {
		_, err := parse("a.gml", text[:min(len(text), maxFileSize)])
		if all := syntaxErrors(t, err); len(all) == 0 || !strings.Contains(all[0].Message, "more than can be kept") {
			t.Errorf("%.20q: %v", text, all)
		}
	}
}

// repeat returns a format filled in with each number below n.
func repeat(format string, n int) string {
	text := strings.Builder{}
	for i := range n {
		fmt.Fprintf(&text, format, i)
	}
	return text.String()
}

func TestTotalSize(t *testing.T) {
	if testing.Short() {
		t.Skip("reads many megabytes")
	}
	var texts []string
	for range maxTotalSize / maxFileSize {
		texts = append(texts, "a.gml", string(make([]byte, maxFileSize)))
	}
	lib, err := parse(append(texts, "last.gml", in("v1 : {}"))...)
	if err == nil || !strings.Contains(err.Error(), "last.gml") || show(lib) != "" {
		t.Error(err)
	}
}

// TestErrorLimit: the errors of a file of nonsense are bounded.
func TestErrorLimit(t *testing.T) {
	_, err := parse("a.gml", strings.Repeat("} ", 1<<20))
	if lines := strings.Split(err.Error(), "\n"); len(lines) != maxProblems+1 {
		t.Errorf("%d lines", len(lines))
	}
}

// TestBadNesting reads brackets that are opened many times and never closed.
func TestBadNesting(t *testing.T) {
	for _, piece := range []string{"{", "(", "[", "function(", "function(){", "function F() constructor {", "function f(a=", "ELEPHANT_SCHEMA{",
		"v1:{", "$\"{", "$\"{\n", "@'", "\"\n", "/*", "#macro ", "#macro Q \\\n", "enum E{", "function F():", "'", "\\ ", "function F() constructor { ELEPHANT_SCHEMA { v1 : { a : "} {
		lib, _ := parse("a.gml", strings.Repeat(piece, 1<<16/len(piece)), "b.gml", in("v1 : { a : 1 }"))
		if got := show(lib); got != "v1 a:u8" {
			t.Errorf("%q: %s", piece, got)
		}
	}
}

func TestLongInheritance(t *testing.T) {
	const last = 50000
	text := strings.Builder{}
	text.WriteString("function A() : F0() constructor {}\n")
	for i := range last {
		fmt.Fprintf(&text, "function F%d() : F%d() constructor {}\n", i, i+1)
	}
	fmt.Fprintf(&text, "function F%d() constructor { ELEPHANT_SCHEMA { v1 : {} } }", last)
	lib, err := parse("a.gml", text.String())
	if err != nil {
		t.Fatal(err)
	}
	if reason(lib, 1) != NoSchema {
		t.Error(reason(lib, 1))
	}
	if _, err := lib.Schema(fmt.Sprintf("F%d", last-maxAncestors+1), 1); err != nil {
		t.Error(err)
	}
}
