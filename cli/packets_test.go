package cli

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestFlowKinds: the table of what --flow takes in docs/packets.md has every kind once.
func TestFlowKinds(t *testing.T) {
	b, err := os.ReadFile("../docs/packets.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(b), "| KIND | is |\n|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	var listed []string
	for row := range strings.Lines(table) {
		for _, kind := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(strings.Split(row, "|")[1], -1) {
			listed = append(listed, kind[1])
		}
	}
	kinds := flowKinds()
	slices.Sort(listed)
	slices.Sort(kinds)
	if !slices.Equal(listed, kinds) {
		t.Errorf("the table has %q, --flow takes %q", listed, kinds)
	}
}
