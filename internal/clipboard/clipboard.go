// Package clipboard puts text on the clipboard of the system.
package clipboard

import (
	"context"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"
)

// Copy puts text on the clipboard of the system with its own program, if the terminal is on this machine: that of
// a desktop takes longer texts than a terminal.
func Copy(ctx context.Context, environ []string, text string) {
	if has(environ, "SSH_CONNECTION") {
		return
	}
	var programs [][]string
	switch {
	case runtime.GOOS == "darwin":
		programs = [][]string{{"pbcopy"}}
	case runtime.GOOS == "windows":
		programs = [][]string{{"clip.exe"}}
	case has(environ, "WAYLAND_DISPLAY"):
		programs = [][]string{{"wl-copy"}}
	case has(environ, "DISPLAY"):
		programs = [][]string{{"xclip", "-selection", "clipboard"}, {"xsel", "--clipboard", "--input"}}
	}
	ctx, done := context.WithTimeout(ctx, patience)
	defer done()
	for _, p := range programs {
		cmd := exec.CommandContext(ctx, p[0], p[1:]...)
		cmd.Env, cmd.Stdin = environ, strings.NewReader(text)
		if cmd.Run() == nil {
			return
		}
	}
}

// patience is how long the program of the system may take.
const patience = 2 * time.Second

// has reports whether a variable is set to something.
func has(environ []string, name string) bool {
	return slices.ContainsFunc(environ, func(v string) bool { return strings.HasPrefix(v, name+"=") && len(v) > len(name)+1 })
}
