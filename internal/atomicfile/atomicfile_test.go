package atomicfile

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"varview/internal/filelock"
)

// put fills the new file with content.
func put(content string) func(context.Context, *os.File) error {
	return func(_ context.Context, f *os.File) error {
		_, err := f.WriteString(content)
		return err
	}
}

// folder is an empty folder.
func folder(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// file makes a file in dir.
func file(t *testing.T, dir, name, content string, mode fs.FileMode) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
	return path
}

// symlink makes a symbolic link, or skips the test.
func symlink(t *testing.T, to, name string) {
	t.Helper()
	if err := os.Symlink(to, name); err != nil {
		t.Skip(err) // on Windows few may
	}
	if _, err := os.Lstat(name); err != nil {
		t.Skip("Wine 8 makes no symbolic links, and says that it has")
	}
}

// holds checks that dir contains these files with their content, and no others.
func holds(t *testing.T, dir string, want map[string]string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		content, expected := want[entry.Name()]
		if !expected {
			t.Errorf("%s is left in the folder", entry.Name())
			continue
		}
		b, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil || string(b) != content {
			t.Errorf("%s holds %q (%v), want %q", entry.Name(), b, err, content)
		}
	}
	if len(entries) < len(want) {
		t.Errorf("%d files in the folder, want %d", len(entries), len(want))
	}
}

func TestReplace(t *testing.T) {
	long := strings.Repeat("ä", 127) // 254 bytes, the longest that most systems take
	for _, c := range []struct {
		about  string
		before map[string]string
		path   string
		o      Options
		after  map[string]string
	}{
		{"a file", map[string]string{"a": "old"}, "a", Options{}, map[string]string{"a": "new"}},
		{"no file yet", nil, "a", Options{}, map[string]string{"a": "new"}},
		{"a new file", nil, "a", Options{New: true}, map[string]string{"a": "new"}},
		{"a backup", map[string]string{"a": "old"}, "a", Options{Backup: "a~"}, map[string]string{"a": "new", "a~": "old"}},
		{"a backup over one", map[string]string{"a": "old", "a~": "older"}, "a", Options{Backup: "a~"}, map[string]string{"a": "new", "a~": "old"}},
		{"no file, no backup", map[string]string{"a~": "older"}, "a", Options{Backup: "a~"}, map[string]string{"a": "new", "a~": "older"}},
		{"a long name", map[string]string{long: "old"}, long, Options{}, map[string]string{long: "new"}},
		{"a name with blanks", map[string]string{" .x ": "old"}, " .x ", Options{Backup: " "}, map[string]string{" .x ": "new", " ": "old"}},
	} {
		t.Run(c.about, func(t *testing.T) {
			if isWindows && strings.HasSuffix(c.path, " ") {
				t.Skip("Windows drops blanks at the end of names")
			}
			dir := folder(t)
			t.Chdir(dir)
			for name, content := range c.before {
				file(t, ".", name, content, 0o600)
			}
			if err := Replace(t.Context(), c.path, c.o, put("new")); err != nil {
				t.Fatal(err)
			}
			holds(t, dir, c.after)
		})
	}
}

// TestWriteAt fills a file out of order, as formats do whose header comes last.
func TestWriteAt(t *testing.T) {
	path := file(t, folder(t), "a", "a long old file", 0o600)
	err := Replace(t.Context(), path, Options{}, func(_ context.Context, f *os.File) error {
		_, err := f.WriteAt([]byte("body"), 4)
		if err == nil {
			_, err = f.WriteAt([]byte("head"), 0)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	holds(t, filepath.Dir(path), map[string]string{"a": "headbody"})
}

func TestRefused(t *testing.T) {
	dir := folder(t)
	old := file(t, dir, "old", "old", 0o600)
	readOnly := file(t, dir, "read-only", "old", 0o444)
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path string
		o    Options
		kind error
		want string
	}{
		{readOnly, Options{}, fs.ErrPermission, "not saved: the file is read-only"},
		{old, Options{New: true}, fs.ErrExist, "not saved: the file exists already"},
		{filepath.Join(dir, "folder"), Options{}, fs.ErrInvalid, "not saved: it is a folder"},
		{filepath.Join(dir, "other") + string(filepath.Separator), Options{}, fs.ErrInvalid, "not saved: this is the name of a folder"},
		{"", Options{}, fs.ErrInvalid, "not saved: this is the name of a folder"},
		{os.DevNull, Options{}, fs.ErrInvalid, "not saved: it is a device, a pipe or a socket"},
		{filepath.Join(dir, "none", "a"), Options{}, fs.ErrNotExist, "not saved: there is no folder " + filepath.Join(dir, "none")},
	} {
		err := Replace(t.Context(), c.path, c.o, put("new"))
		var e *Error
		if !errors.As(err, &e) || !errors.Is(err, c.kind) || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.path, err, c.want)
		}
	}
	for path, want := range map[string]string{old: "old", readOnly: "old"} {
		if b, err := os.ReadFile(path); err != nil || string(b) != want {
			t.Errorf("%s holds %q (%v), want %q", path, b, err, want)
		}
	}
}

// TestUnchanged checks that a file that changes while its replacement is being written is kept, and its
// backup too.
func TestUnchanged(t *testing.T) {
	changed := errors.New("it was changed")
	for refused := 1; refused <= 2; refused++ {
		dir := folder(t)
		path := file(t, dir, "a", "old", 0o600)
		file(t, dir, "a~", "older", 0o600)
		asked, written := 0, false
		o := Options{Backup: path + "~", Unchanged: func() error {
			if asked++; asked == refused {
				return changed
			}
			return nil
		}}
		err := Replace(t.Context(), path, o, func(context.Context, *os.File) error {
			written = true
			return nil
		})
		if err != changed || written != (refused == 2) {
			t.Errorf("refused at the %d. time: %v, written: %v", refused, err, written)
		}
		holds(t, dir, map[string]string{"a": "old", "a~": "older"})
	}
}

// TestAppeared checks that a file is kept that appears while another is being written in its place.
func TestAppeared(t *testing.T) {
	dir := folder(t)
	path := filepath.Join(dir, "a")
	err := Replace(t.Context(), path, Options{}, func(context.Context, *os.File) error {
		file(t, dir, "a", "somebody else's", 0o600)
		return nil
	})
	const want = "not saved: the new file cannot be put in its place: the file exists by now"
	if !errors.Is(err, fs.ErrExist) || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	holds(t, dir, map[string]string{"a": "somebody else's"})
}

// TestTidy checks that exactly the temporary files are removed whose process is gone and that nobody has
// locked, whatever file they belong to.
func TestTidy(t *testing.T) {
	dir := folder(t)
	path := file(t, dir, "a", "old", 0o600)
	gone, here := goneProcess(t), os.Getpid()
	stay := map[string]string{"a": "new", "a~": "old"}
	for name, stays := range map[string]bool{
		fmt.Sprintf(".a.varview-%d-1", gone):          false,
		fmt.Sprintf(".a.varview-%d-4294967295", gone): false,
		fmt.Sprintf(".a~.varview-%d-7", gone):         false,
		fmt.Sprintf(".b.c.varview-%d-1", gone):        false,
		fmt.Sprintf(".a.varview-%d-2", gone):          true, // locked
		fmt.Sprintf(".a.varview-%d-2", here):          true,
		fmt.Sprintf(".a.varview-%d-x", gone):          true,
		fmt.Sprintf(".a.varview-%d-", gone):           true,
		fmt.Sprintf(".a.varview-%d", gone):            true,
		fmt.Sprintf("a.varview-%d-1", gone):           true,
		".a.varview-0-1":                              true,
	} {
		file(t, dir, name, name, 0o600)
		if stays {
			stay[name] = name
		}
	}
	locked, err := os.Open(filepath.Join(dir, fmt.Sprintf(".a.varview-%d-2", gone)))
	if err != nil {
		t.Fatal(err)
	}
	defer locked.Close()
	if ok, err := filelock.Try(locked); !ok || err != nil {
		t.Skipf("no locks here: %v", err)
	}
	if err := os.Mkdir(filepath.Join(dir, fmt.Sprintf(".d.varview-%d-1", gone)), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := Replace(t.Context(), path, Options{Backup: path + "~"}, put("new")); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, fmt.Sprintf(".d.varview-%d-1", gone))); err != nil { // a folder stays
		t.Fatal(err)
	}
	holds(t, dir, stay)
}

// goneProcess is the id of a process that has ended.
func goneProcess(t *testing.T) int {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	return cmd.Process.Pid
}

// TestTidyFollows tidies the folder of the file that a link leads to.
func TestTidyFollows(t *testing.T) {
	dir, other := folder(t), folder(t)
	path := file(t, dir, "a", "old", 0o600)
	file(t, dir, fmt.Sprintf(".a.varview-%d-1", goneProcess(t)), "", 0o600)
	link := filepath.Join(other, "link")
	symlink(t, path, link)
	Tidy(link)
	holds(t, dir, map[string]string{"a": "old"})
}

// BenchmarkTidy tidies a folder of 100,000 files.
func BenchmarkTidy(b *testing.B) {
	dir := b.TempDir()
	for i := range 100_000 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf(".save%d.bin", i)), nil, 0o600); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		Tidy(filepath.Join(dir, "a"))
	}
}
