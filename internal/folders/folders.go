// Package folders finds the folders in which the program keeps files of its own: below XDG_STATE_HOME and
// XDG_CACHE_HOME, and their counterparts on macOS and Windows. Only the user can read them.
package folders

import (
	"os"
	"path/filepath"

	"github.com/adrg/xdg"
)

// program is the name of the folder below those that the system gives.
const program = "varview"

// State returns the folder for what outlives the program, such as unsaved edits. It is created if
// necessary.
func State() (string, error) { return private(xdg.StateHome) }

// Cache returns the folder for what the program can do without. It is created if necessary.
func Cache() (string, error) { return private(xdg.CacheHome) }

// Config returns the path of the user's configuration. Neither it nor its folder need exist.
func Config() string { return filepath.Join(xdg.ConfigHome, program, "config.toml") }

func private(home string) (string, error) {
	folder := filepath.Join(home, program)
	return folder, os.MkdirAll(folder, 0o700)
}
