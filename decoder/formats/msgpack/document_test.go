package msgpack_test

import (
	"os"
	"strings"
	"testing"
)

// TestDocument checks that the guide to this folder quotes its code exactly.
func TestDocument(t *testing.T) {
	document, err := os.ReadFile("../../../docs/adding-a-format.md")
	if err != nil {
		t.Fatal(err)
	}
	var program []byte
	for _, name := range []string{"msgpack.go", "encode.go", "msgpack_test.go"} {
		code, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		program = append(program, code...)
	}
	quoted := 0
	for i, part := range strings.Split(string(document), "```") {
		code, isGo := strings.CutPrefix(part, "go\n")
		if i%2 == 0 || !isGo {
			continue
		}
		for line := range strings.Lines(code) {
			if line = strings.TrimSpace(line); line == "…" {
				continue
			}
			quoted++
			if !strings.Contains(string(program), line) {
				t.Errorf("no line is %q", line)
			}
		}
	}
	if quoted < 20 {
		t.Errorf("%d lines are quoted", quoted)
	}
}
