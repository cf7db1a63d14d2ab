package msgpack_test

import (
	"os"
	"strings"
	"testing"
)

// TestDocument holds that the walk through msgpack.go quotes what is there.
func TestDocument(t *testing.T) {
	document, err := os.ReadFile("../../docs/adding-a-format.md")
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile("msgpack.go")
	if err != nil {
		t.Fatal(err)
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
				t.Errorf("msgpack.go has no line %q", line)
			}
		}
	}
	if quoted < 20 {
		t.Errorf("%d lines are quoted", quoted)
	}
}
