package endtoend

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// documents are the texts that people read: the README and what it leads to.
func documents(t *testing.T) map[string]string {
	t.Helper()
	names, err := filepath.Glob("docs/*.md")
	if err != nil || len(names) == 0 {
		t.Fatalf("no documents in docs (%v)", err)
	}
	all := map[string]string{}
	for _, name := range append(names, "README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md") {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = string(data)
	}
	return all
}

// A transcript is a command in a document and the output shown there. A last line "…" stands for any
// further output.
type transcript struct{ command, output string }

// transcripts returns the transcripts of a document: in its code blocks, a line that begins with "$ " is
// a command, and the lines up to the next one are its output.
func transcripts(document string) (all []transcript) {
	for i, block := range strings.Split(document, "```") {
		if i%2 == 0 {
			continue
		}
		for _, said := range strings.Split(block, "\n$ ")[1:] {
			command, output, _ := strings.Cut(said, "\n")
			all = append(all, transcript{command, strings.TrimSuffix(output, "\n")})
		}
	}
	return all
}

// word matches a word of a command line, with its quotes.
var word = regexp.MustCompile(`(?:'[^']*'|[^' ])+`)

// TestTranscripts runs the commands in the documents and compares what they print
// with what the documents show.
func TestTranscripts(t *testing.T) {
	shown := map[string]int{}
	for name, document := range documents(t) {
		for _, said := range transcripts(document) {
			shown[name]++
			args := word.FindAllString(strings.TrimSpace(said.command), -1)
			for i := range args {
				args[i] = strings.ReplaceAll(args[i], "'", "")
			}
			if args[0] != "varview" {
				t.Errorf("%s: %q is no command of varview", name, said.command)
				continue
			}
			out, _ := start(t, args[1:])
			got, want := strings.TrimSuffix(out.stdout+out.stderr, "\n"), said.output
			if part, cut := strings.CutSuffix(want, "\n…"); cut {
				want, got = part, got[:min(len(got), len(part))]
			}
			if got != want {
				t.Errorf("%s: %s\nprints:\n%s\nthe document has:\n%s", name, said.command, got, want)
			}
		}
	}
	if shown["README.md"] == 0 || len(shown) < 2 {
		t.Errorf("transcripts are in %v only", shown)
	}
}

var (
	// link matches a link to another document, and its target.
	link = regexp.MustCompile(`\]\(([^):#]*)(?:#([^)]*))?\)`)
	// code matches what a document shows as it is typed.
	code = regexp.MustCompile("(?s)```.*?```|`[^`]*`")
)

// named matches a file or folder that a document names.
var named = regexp.MustCompile("`((?:bench|cli|decoder|docs|internal|model|packaging|testdata|themes|ui)/[a-z0-9_./-]*)`")

// TestNamedFiles checks that the files that documents name exist.
func TestNamedFiles(t *testing.T) {
	for name, document := range documents(t) {
		for _, found := range named.FindAllStringSubmatch(document, -1) {
			if _, err := os.Stat(found[1]); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// heading matches a heading; notInAnchors what its anchor leaves out.
var (
	heading      = regexp.MustCompile(`(?m)^#+ (.*)$`)
	notInAnchors = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// hasAnchor reports whether a document has a heading with the anchor.
func hasAnchor(document, anchor string) bool {
	for _, found := range heading.FindAllStringSubmatch(document, -1) {
		text := notInAnchors.ReplaceAllString(strings.ToLower(found[1]), "")
		if strings.ReplaceAll(text, " ", "-") == anchor {
			return true
		}
	}
	return false
}

// TestLinks follows the links from one document to another, and to its headings.
func TestLinks(t *testing.T) {
	all := documents(t)
	for name, document := range all {
		for _, found := range link.FindAllStringSubmatch(code.ReplaceAllString(document, ""), -1) {
			target := name
			if found[1] != "" {
				target = filepath.Join(filepath.Dir(name), found[1])
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s links to %s: %v", name, found[1], err)
			} else if text, ok := all[target]; ok && found[2] != "" && !hasAnchor(text, found[2]) {
				t.Errorf("%s links to %s, which has no heading #%s", name, target, found[2])
			}
		}
	}
}

// TestNamedTests: the tests that documents name exist.
func TestNamedTests(t *testing.T) {
	exist := map[string]bool{}
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(name, "_test.go") {
			return err
		}
		data, err := os.ReadFile(name)
		for _, m := range regexp.MustCompile(`(?m)^func (\w+)\(`).FindAllSubmatch(data, -1) {
			exist[string(m[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("`((?:Test|Fuzz)[A-Z]\\w*)`")
	for name, document := range documents(t) {
		for _, m := range named.FindAllStringSubmatch(document, -1) {
			if !exist[m[1]] {
				t.Errorf("%s names %s, which does not exist", name, m[1])
			}
		}
	}
}
