package atomicfile

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// nobody is a user that no file belongs to.
const nobody = 65534

// TestAsUser replaces files as a user who may not do everything.
func TestAsUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can become another user")
	}
	const denied, belongs = "permission denied", "the file belongs to root, and a new one would belong to you"
	for _, c := range []struct {
		about  string
		folder fs.FileMode // of the folder
		mode   fs.FileMode // of the file
		uid    int         // of the file and, but for its group, the folder
		gid    int
		want   string
		is     fs.FileMode // of the file afterwards
		owners [2]uint32
	}{
		{"his own", 0o700, 0o640, nobody, nobody, "", 0o640, [2]uint32{nobody, nobody}},
		{"a folder that is read-only", 0o500, 0o644, nobody, nobody, "no file can be made in its folder: " + denied, 0o644, [2]uint32{nobody, nobody}},
		{"a folder that cannot be searched", 0o600, 0o644, nobody, nobody, "its details cannot be read: " + denied, 0o644, [2]uint32{nobody, nobody}},
		{"a folder that cannot be listed", 0o300, 0o644, nobody, nobody, "", 0o644, [2]uint32{nobody, nobody}},
		{"somebody else's", 0o777, 0o644, 0, 0, "the file cannot be written to: " + denied, 0o644, [2]uint32{0, 0}},
		{"somebody else's, for all", 0o777, 0o666, 0, 0, belongs, 0o666, [2]uint32{0, 0}},
		{"somebody else's, in a sticky folder", fs.ModeSticky | 0o777, 0o666, 0, 0, belongs, 0o666, [2]uint32{0, 0}},
		{"another group's", 0o700, 0o664, nobody, 0, "", 0o644, [2]uint32{nobody, nobody}},
		{"another group's alone", 0o700, 0o660, nobody, 0, "", 0o600, [2]uint32{nobody, nobody}},
		{"denied to another group", 0o700, 0o604, nobody, 0, "", 0o604, [2]uint32{nobody, nobody}},
	} {
		t.Run(c.about, func(t *testing.T) {
			base, err := os.MkdirTemp("", "atomicfile") // t.TempDir is closed to others
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { os.RemoveAll(base) })
			if err := os.Chmod(base, 0o711); err != nil {
				t.Fatal(err)
			}
			dir := filepath.Join(base, "saves")
			if err := os.Mkdir(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			path := file(t, dir, "a", "old", 0o600)
			for _, err := range []error{
				os.Chown(path, c.uid, c.gid), os.Chmod(path, c.mode), os.Chown(dir, c.uid, c.gid), os.Chmod(dir, c.folder),
			} {
				if err != nil {
					t.Fatal(err)
				}
			}
			got := results(t, child(t, order{Path: path, Content: "new", User: nobody}))
			want, content := c.want, "old"
			if want == "" {
				content = "new"
			} else {
				want = "not saved: " + want
			}
			if got.Error != want {
				t.Errorf("%q, want %q", got.Error, want)
			}
			if is, owners := modeOf(t, path), ownersOf(t, path); is != c.is || owners != c.owners {
				t.Errorf("%v of %d, want %v of %d", is, owners, c.is, c.owners)
			}
			holds(t, dir, map[string]string{"a": content})
			if c.want != belongs {
				return
			}
			got = results(t, child(t, order{Path: path, Backup: path + "~", Content: "new", User: nobody, InPlace: true}))
			if owners := ownersOf(t, path); got.Error != "" || owners != c.owners {
				t.Errorf("in place: %q; of %d, want %d", got.Error, owners, c.owners)
			}
			holds(t, dir, map[string]string{"a": "new", "a~": "old"})
		})
	}
}
