package internal_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/adrg/xdg"

	"varview/internal/folders"
)

func TestFolders(t *testing.T) {
	home := t.TempDir()
	for name, find := range map[string]func() (string, error){"XDG_STATE_HOME": folders.State, "XDG_CACHE_HOME": folders.Cache} {
		t.Setenv(name, filepath.Join(home, name))
		xdg.Reload()
		folder, err := find()
		if err != nil || folder != filepath.Join(home, name, "varview") {
			t.Fatalf("%s: %s, %v", name, folder, err)
		}
		info, err := os.Stat(folder)
		if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
}
