package savefile_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestOutside: programs of another module, which know only this package, work.
func TestOutside(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	folder := t.TempDir()
	programs, err := txtar.ParseFile("testdata/outside.txtar")
	if err == nil {
		err = txtar.Write(programs, folder)
	}
	here, there := os.Getwd()
	work := filepath.Join(folder, "go.work")
	if err = errors.Join(err, there); err == nil {
		err = os.WriteFile(work, []byte("go 1.26.8\n\nuse (\n\t"+filepath.ToSlash(filepath.Join(here, "../.."))+"\n\t.\n)\n"), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	run := func(name string, args ...string) string {
		cmd := exec.Command(name, args...)
		cmd.Dir, cmd.Env = folder, append(os.Environ(), "GOWORK="+work)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %s: %v\n%s", name, args, err, out)
		}
		return string(out)
	}
	bin := filepath.Join(folder, "bin") + string(filepath.Separator)
	run("go", "build", "-o", bin, "./...")
	save := filepath.Join(folder, "save.dat")
	run(bin+"newgame", save)
	old := filepath.Join(here, "../../testdata/godot4/save-player-stats.bin")
	if got, want := run(bin+"leaderboard", old, save, work), "skipped: "; !strings.HasPrefix(got, want) || !strings.Contains(got, "900 Tester\n") {
		t.Errorf("the leaderboard is\n%s", got)
	}
	// Of what it imports about 110 packages are the project's own, which keep formats apart, 65 are those of codecs, encodings
	// and YAML, and the rest is the standard library: 57 of it because github.com/andybalholm/brotli imports net/http.
	imports := strings.Fields(run("go", "list", "-deps", "varview/model/savefile"))
	if len(imports) > 400 {
		t.Errorf("it imports %d packages", len(imports))
	}
	for _, imported := range imports {
		for _, large := range []string{"github.com/parquet-go/", "google.golang.org/", "github.com/charmbracelet/", "github.com/spf13/", "varview/ui", "varview/cli"} {
			if strings.HasPrefix(imported, large) {
				t.Errorf("it imports %s", imported)
			}
		}
	}
}
