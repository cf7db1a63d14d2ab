package endtoend

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A gitFolder is a repository of git for a test, in which varview is the program that is
// tested.
type gitFolder struct {
	t   *testing.T
	dir string
	env []string
}

// newGitFolder makes a repository whose saves are varview's.
func newGitFolder(t *testing.T) *gitFolder {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	if err := os.Symlink(self, filepath.Join(bin, "varview")); err != nil {
		t.Skip(err)
	}
	g := &gitFolder{t: t, dir: t.TempDir()}
	g.env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "HOME="+g.dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_PAGER=cat")
	g.git("init", "-q", "-b", "main")
	for _, c := range [][2]string{{"user.name", "A"}, {"user.email", "a@example.com"}, {"difftool.prompt", "false"}} {
		g.git("config", c[0], c[1])
	}
	g.varview("git", "--install")
	g.write(".gitattributes", []byte("*.dat diff=varview merge=varview\n"))
	return g
}

func (g *gitFolder) write(name string, data []byte) {
	g.t.Helper()
	if err := os.WriteFile(filepath.Join(g.dir, name), data, 0o644); err != nil {
		g.t.Fatal(err)
	}
}

// run runs a command in the folder, and returns what it prints.
func (g *gitFolder) run(name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = g.dir, g.env
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (g *gitFolder) git(args ...string) string {
	g.t.Helper()
	out, err := g.run("git", args...)
	if err != nil {
		g.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// set changes values of a save.
func (g *gitFolder) set(args ...string) {
	g.t.Helper()
	g.varview(append([]string{"set", "save.dat", "--no-backup"}, args...)...)
}

// varview runs the program, and returns what it prints.
func (g *gitFolder) varview(args ...string) string {
	g.t.Helper()
	cmd := exec.Command("varview", args...)
	cmd.Path = filepath.Join(filepath.SplitList(g.path())[0], "varview")
	cmd.Err = nil
	cmd.Dir, cmd.Env = g.dir, g.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		g.t.Fatalf("%v: %s", err, out)
	}
	return string(out)
}

func (g *gitFolder) path() string {
	for i := len(g.env) - 1; i >= 0; i-- {
		if path, ok := strings.CutPrefix(g.env[i], "PATH="); ok {
			return path
		}
	}
	return ""
}

// TestGitSetUp: what is set up is undone, once and again.
func TestGitSetUp(t *testing.T) {
	g := newGitFolder(t)
	if out := g.varview("git"); !strings.Contains(out, "merge.varview.driver=varview merge %O") {
		t.Errorf("after --install: %s", out)
	}
	for range 2 {
		g.varview("git", "--remove")
		if out := g.varview("git") + string(readFile(t, filepath.Join(g.dir, ".git/config"))); strings.Contains(out, "varview") {
			t.Errorf("after --remove: %s", out)
		}
	}
}

// TestGitDiff holds that git shows changes of a save by its values.
func TestGitDiff(t *testing.T) {
	g := newGitFolder(t)
	g.write("save.dat", readFile(t, "testdata/godot4/save-player-stats.bin"))
	g.git("add", ".")
	g.git("commit", "-qm", "first")
	g.set("[0].hp=99")
	if out := g.git("diff"); !strings.Contains(out, "\n-$[0].hp = 83\n+$[0].hp = 99\n") {
		t.Errorf("git diff: %s", out)
	}
	if out := g.git("difftool", "-t", "varview"); !strings.Contains(out, "$[0].hp\n- 83\n+ 99\n") {
		t.Errorf("git difftool: %s", out)
	}
}

// TestGitMerge holds that git merges saves by their values, and leaves a conflict to the user.
func TestGitMerge(t *testing.T) {
	g := newGitFolder(t)
	g.write("save.dat", readFile(t, "testdata/godot4/save-player-stats.bin"))
	g.git("add", ".")
	g.git("commit", "-qm", "first")
	g.git("checkout", "-qb", "theirs")
	g.set("[0].mana=1")
	g.git("commit", "-qam", "theirs")
	g.git("checkout", "-q", "main")
	g.set(`[0].name="a longer name than before"`)
	g.git("commit", "-qam", "ours")
	g.git("merge", "-q", "--no-edit", "theirs")
	lines := g.git("show", "--textconv", "HEAD:save.dat")
	for _, want := range []string{"$[0].mana = 1.0\n", `$[0].name = "a longer name than before"` + "\n"} {
		if !strings.Contains(lines, want) {
			t.Errorf("%q is missing in\n%s", want, lines)
		}
	}
	g.git("checkout", "-q", "theirs")
	g.set("[0].hp=1")
	g.git("commit", "-qam", "again")
	g.git("checkout", "-q", "main")
	g.set("[0].hp=2")
	g.git("commit", "-qam", "otherwise")
	out, err := g.run("git", "merge", "--no-edit", "theirs")
	if err == nil || !strings.Contains(out, "conflict at $[0].hp") || !strings.Contains(out, "varview: save.dat: merged; at 1 conflict it keeps its value\n") || !strings.Contains(g.git("status", "--short"), "UU save.dat") {
		t.Errorf("%v: %s", err, out)
	}
}
