package diff

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// A trap is a folder as a stranger may pack it: the configuration in its .git names a command for
// all that git may run one for, each of which leaves a mark.
type trap struct {
	t          *testing.T
	dir, marks string
}

const trapped = "the save as it was committed"

func newTrap(t *testing.T, remote string) *trap {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil || runtime.GOOS == "windows" {
		t.Skip("needs git and sh")
	}
	x := &trap{t, t.TempDir(), t.TempDir()}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	x.git("init", "-q")
	x.write("save.bin", trapped)
	x.write(".gitattributes", "*.bin diff=evil filter=evil\n")
	x.git("add", ".")
	x.git("-c", "user.name=A", "-c", "user.email=a@b", "commit", "-qm", "first")
	config := "[core]\nrepositoryformatversion=1\npager=" + x.mark("pager") + "\nsshCommand=" + x.mark("ssh") + "\nhooksPath=hooks\nfsmonitor=" + x.mark("fsmonitor") +
		"\n[pager]\ncat-file=true\nshow=true\n[alias]\ncat-file=!" + x.mark("alias") +
		"\n[extensions]\npartialClone=evil\n[protocol \"ext\"]\nallow=always\n[protocol]\nallow=always\n" +
		"[diff]\nexternal=" + x.mark("external") + "\n[diff \"evil\"]\ntextconv=" + x.mark("textconv") +
		"\n[filter \"evil\"]\nclean=" + x.mark("clean") + "\nsmudge=" + x.mark("smudge") + "\nprocess=" + x.mark("process") +
		"\n[credential]\nhelper=!" + x.mark("credential") + "\n[remote \"evil\"]\npromisor=true\n" + remote
	x.write(".git/evil", strings.ReplaceAll(config, "MARK", x.mark("remote")))
	x.write(".git/config", "[include]\npath=evil\n[core]\nrepositoryformatversion=1\nbare=false\n[extensions]\npartialClone=evil\n")
	for _, hook := range []string{"post-index-change", "reference-transaction", "post-checkout", "fsmonitor-watchman"} {
		x.write("hooks/"+hook, "#!/bin/sh\n"+x.mark("hook")+"\n")
		os.Chmod(filepath.Join(x.dir, "hooks", hook), 0o755)
	}
	return x
}

// mark is a command that leaves a mark. It has no blank, which an address of ext:: would take for
// the end of a word.
func (x *trap) mark(name string) string {
	path := filepath.Join(x.marks, name+".sh")
	script := fmt.Sprintf("#!/bin/sh\n: > %s\n", filepath.Join(x.marks, name+".ran"))
	if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
		x.t.Fatal(err)
	}
	return path
}

func (x *trap) write(name, text string) {
	x.t.Helper()
	path := filepath.Join(x.dir, filepath.FromSlash(name))
	os.MkdirAll(filepath.Dir(path), 0o755)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		x.t.Fatal(err)
	}
}

func (x *trap) git(args ...string) string {
	x.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = x.dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		x.t.Fatalf("%v: %s", err, out)
	}
	return strings.TrimSpace(string(out))
}

// lose removes the object of the save, which git then wants to fetch.
func (x *trap) lose() {
	object := x.git("rev-parse", "HEAD:save.bin")
	os.Chmod(filepath.Join(x.dir, ".git/objects", object[:2]), 0o755)
	if err := os.Remove(filepath.Join(x.dir, ".git/objects", object[:2], object[2:])); err != nil {
		x.t.Fatal(err)
	}
}

// ran returns what has left a mark, and removes the marks.
func (x *trap) ran() (names []string) {
	marks, _ := filepath.Glob(filepath.Join(x.marks, "*.ran"))
	for _, m := range marks {
		names = append(names, strings.TrimSuffix(filepath.Base(m), ".ran"))
		os.Remove(m)
	}
	return names
}

// careless calls git as it is usually called.
func (x *trap) careless(args ...string) {
	ctx, stop := context.WithTimeout(x.t.Context(), 10*time.Second)
	defer stop()
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = x.dir
	cmd.Run()
}

// revision is what writeRevision writes of the save.
func (x *trap) revision() (string, error) {
	f, err := os.Create(filepath.Join(x.t.TempDir(), "out"))
	if err != nil {
		x.t.Fatal(err)
	}
	defer f.Close()
	err = writeRevision(x.t.Context(), f, x.dir, "HEAD:./save.bin")
	text, _ := os.ReadFile(f.Name())
	return string(text), err
}

// A revision is read from a stranger's folder without running what its configuration names. Git as
// it is usually called runs some of it, which shows that the trap is one.
func TestRevisionRunsNothing(t *testing.T) {
	for name, remote := range map[string]string{
		"ext":        "url=ext::MARK\n",
		"vcs":        "vcs=ext\nurl=MARK\n",
		"uploadpack": "url=.\nuploadpack=MARK\n",
		"ssh":        "url=ssh://nobody@localhost/x\n",
	} {
		t.Run(name, func(t *testing.T) {
			x := newTrap(t, remote)
			x.ran()
			if text, err := x.revision(); text != trapped || err != nil {
				t.Errorf("%q, %v", text, err)
			}
			if ran := x.ran(); ran != nil {
				t.Errorf("with the object there: %q ran", ran)
			}
			x.careless("show", "--textconv", "HEAD:./save.bin")
			if x.ran() == nil {
				t.Error("the trap does nothing with the object there")
			}
			x.lose()
			if text, err := x.revision(); text != "" || err == nil || !strings.HasPrefix(err.Error(), "git: ") {
				t.Errorf("without the object: %q, %v", text, err)
			}
			if ran := x.ran(); ran != nil {
				t.Errorf("without the object: %q ran", ran)
			}
			x.careless("cat-file", "blob", "HEAD:./save.bin")
			if x.ran() == nil {
				t.Error("the trap does nothing without the object")
			}
		})
	}
}
