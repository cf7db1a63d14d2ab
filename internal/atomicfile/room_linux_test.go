package atomicfile

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// inNamespace lets a child mount file systems that nobody else sees, or skips the
// test.
func inNamespace(t *testing.T, cmd *exec.Cmd) *exec.Cmd {
	t.Helper()
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Geteuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getegid(), Size: 1}},
	}
	probe := exec.CommandContext(t.Context(), "/bin/sh", "-c", "mount -t tmpfs none \"$0\"", t.TempDir())
	probe.SysProcAttr = cmd.SysProcAttr
	if out, err := probe.CombinedOutput(); err != nil {
		t.Skipf("no mount namespace of our own on this machine: %v %s", err, out)
	}
	return cmd
}

// TestRoom replaces files on a small file system that is full.
func TestRoom(t *testing.T) {
	const room = 64 << 10
	old := strings.Repeat("old ", 8<<10) // 32 KiB
	for _, c := range []struct {
		about    string
		content  string
		readOnly bool
		want     string
	}{
		{"it fits", strings.Repeat("new", 8<<10), false, ""},
		{"it does not fit", strings.Repeat("new", 12<<10), false,
			"not saved: the new content cannot be written: no space left on the device; 36.0 KiB are needed"},
		{"a read-only file system", "new", true, "not saved: the file cannot be written to: the file system is read-only"},
	} {
		t.Run(c.about, func(t *testing.T) {
			dir := folder(t)
			o := order{Tmpfs: dir, Room: room, Path: filepath.Join(dir, "a"), Old: old, Content: c.content, ReadOnly: c.readOnly}
			got := results(t, inNamespace(t, child(t, o)))
			if got.Error != c.want {
				t.Errorf("%q, want %q", got.Error, c.want)
			}
			content := old
			if c.want == "" {
				content = c.content
			}
			if got.Content != content || !slices.Equal(got.Names, []string{"a"}) {
				t.Errorf("%d bytes, want %d; in the folder: %q", len(got.Content), len(content), got.Names)
			}
		})
	}
}

// TestRoomForBackup keeps the old file on another file system, to which it has to be copied.
func TestRoomForBackup(t *testing.T) {
	for _, c := range []struct {
		about string
		size  int
		want  string
	}{
		{"it fits", 60 << 10, ""},
		{"it does not fit", 68 << 10, "no space left on the device; 68.0 KiB are needed"},
	} {
		t.Run(c.about, func(t *testing.T) {
			dir, other := folder(t), folder(t)
			old := strings.Repeat("x", c.size)
			o := order{Tmpfs: other, Room: 64 << 10, Path: file(t, dir, "a", old, 0o640), Backup: filepath.Join(other, "a~"), Content: "new"}
			got := results(t, inNamespace(t, child(t, o)))
			want := result{Content: "new", Kept: old, Mode: "-rw-r-----", Names: []string{"a", "a~"}}
			if c.want != "" {
				want = result{Error: c.want, Content: old, Names: []string{"a"}}
				got.Error = strings.TrimPrefix(got.Error, "not saved: the old file cannot be kept as "+o.Backup+": ")
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%q, %d and %d bytes, %s, %q; want %q, %d and %d bytes, %s, %q", got.Error, len(got.Content), len(got.Kept),
					got.Mode, got.Names, want.Error, len(want.Content), len(want.Kept), want.Mode, want.Names)
			}
		})
	}
}

// TestBound: a file that is a mount point, as in a container, cannot be replaced. It is written in place
// if that is asked for; if there is no room, the old content is put back.
func TestBound(t *testing.T) {
	for _, c := range []struct {
		about   string
		content string
		inPlace bool
		want    result
	}{
		{"replaced", "new", false, result{Error: "not saved: the new file cannot be put in its place: it is in use", Offered: true, Content: "old", Kept: "old"}},
		{"in place", "new content", true, result{Content: "new content", Kept: "old"}},
		{"in place without room", strings.Repeat("new", 9<<10), true,
			result{Error: "not saved: the new content cannot be written: no space left on the device; 27.0 KiB are needed", Content: "old", Kept: "old"}},
	} {
		t.Run(c.about, func(t *testing.T) {
			dir := folder(t)
			path := filepath.Join(dir, "a")
			got := results(t, inNamespace(t, child(t, order{Tmpfs: dir, Room: 48 << 10, Path: path, Old: "old", Bound: true,
				Backup: path + "~", Content: c.content, InPlace: c.inPlace})))
			c.want.Mode, c.want.Names = got.Mode, got.Names
			if !reflect.DeepEqual(got, c.want) || !slices.Equal(slices.Compact(got.Names), []string{"a", "a~", "a", "a~"}) {
				t.Errorf("%+v\nwant %+v", got, c.want)
			}
		})
	}
}
