package endtoend

import (
	"os"
	"strings"
	"testing"
)

// TestReadme holds what the README says commands print against what they do. A
// last line "…" stands for more of the same.
func TestReadme(t *testing.T) {
	data, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	commands := 0
	for i, block := range strings.Split(string(data), "```") {
		if i%2 == 0 {
			continue
		}
		for _, said := range strings.Split(block, "\n$ ")[1:] {
			commands++
			command, want, _ := strings.Cut(said, "\n")
			args := strings.Fields(strings.ReplaceAll(command, "'", ""))
			out, _ := start(t, args[1:])
			got := strings.TrimSuffix(out.stdout+out.stderr, "\n")
			want = strings.TrimSuffix(want, "\n")
			if part, more := strings.CutSuffix(want, "\n…"); more {
				want = part
				got = got[:min(len(got), len(part))]
			}
			if got != want {
				t.Errorf("%s\nprints:\n%s\nthe README has:\n%s", command, got, want)
			}
		}
	}
	if commands == 0 {
		t.Error("the README shows no command")
	}
}
