package ui

import (
	"os"
	"testing"

	"github.com/adrg/xdg"
)

// TestMain keeps what the program writes for itself away from the user's own folders.
func TestMain(m *testing.M) {
	home, err := os.MkdirTemp("", "varview-test-*")
	if err != nil {
		panic(err)
	}
	for _, name := range []string{"XDG_CACHE_HOME", "XDG_STATE_HOME"} {
		os.Setenv(name, home)
	}
	xdg.Reload()
	status := m.Run()
	os.RemoveAll(home)
	os.Exit(status)
}
