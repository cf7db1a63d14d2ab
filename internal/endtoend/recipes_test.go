package endtoend

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// recipe matches a recipe: its heading, what is typed, and the output.
var recipe = regexp.MustCompile("(?ms)^## ([^\n]*)\n.*?^```sh\n(.*?)^```\n\n```text\n(.*?)^```\n")

// TestRecipes follows the recipes, each in a folder of its own. It skips recipes whose programs are not
// installed.
func TestRecipes(t *testing.T) {
	shell, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash")
	}
	document, err := os.ReadFile("docs/recipes.md")
	if err != nil {
		t.Fatal(err)
	}
	found := recipe.FindAllSubmatch(document, -1)
	if blocks := bytes.Count(document, []byte("```sh\n")); len(found) < 11 || len(found) != blocks {
		t.Fatalf("%d recipes in %d blocks", len(found), blocks)
	}
	for _, r := range found {
		t.Run(string(r[1]), func(t *testing.T) {
			t.Parallel()
			for _, program := range []string{"git", "jq", "node", "python3"} {
				if _, err := exec.LookPath(program); err != nil && bytes.Contains(r[2], []byte(program+" ")) {
					t.Skip("there is no " + program)
				}
			}
			cmd := exec.Command(shell, "-euo", "pipefail", "-c", string(r[2]))
			cmd.Dir = recipeFolder(t)
			out, err := cmd.CombinedOutput()
			if failed := (*exec.ExitError)(nil); err != nil && !errors.As(err, &failed) {
				t.Fatal(err)
			}
			if want := string(r[3]); err != nil || string(out) != want {
				t.Errorf("%v; it prints\n%s, not\n%s", err, out, want)
			}
		})
	}
}

// recipeFolder is a folder with the files that the recipes name.
func recipeFolder(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	for to, from := range map[string]string{
		"saves/slot1.dat": "godot4/save-player-stats.bin", "saves/slot2.dat": "godot4/save-inventory.bin",
		"old/slot1.dat": "godot3/save-player-stats.bin", "old/slot2.dat": "godot3/save-inventory.bin",
		"before.dat": "godot4/save-player-stats.bin",
	} {
		b, err := os.ReadFile(filepath.Join("testdata", from))
		if err == nil {
			err = os.MkdirAll(filepath.Dir(filepath.Join(folder, to)), 0o777)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, to), b, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.Command("varview", "set", filepath.Join(folder, "before.dat"), "[0].level=18", "[0].stats.luck=0.2", "-o", filepath.Join(folder, "after.dat")).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, strings.TrimSpace(string(out)))
	}
	return folder
}
