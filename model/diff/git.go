package diff

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// quiet is how git is told to do nothing but read existing objects. A folder may come from a stranger,
// with configuration in its .git: commands named there are not run. A missing object would be fetched by
// a transport, which may be a command (ext::), so no transport is allowed; GIT_NO_LAZY_FETCH says the
// same to git 2.45 and later. The user's own configuration is trusted.
var quiet = struct{ args, environ []string }{
	[]string{"--no-pager", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull},
	[]string{"GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=:", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0"},
}

// writeRevision writes the git object REVISION:./NAME in dir. cat-file writes the object's bytes; other
// commands may convert them with a command from the configuration.
func writeRevision(ctx context.Context, f *os.File, dir, what string) error {
	cmd := exec.CommandContext(ctx, "git", append(quiet.args, "cat-file", "blob", what)...)
	var said strings.Builder
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, f, &said
	cmd.Env = append(cmd.Environ(), quiet.environ...)
	if err := cmd.Run(); err != nil {
		line, _, _ := strings.Cut(strings.TrimSpace(said.String()), "\n")
		return fmt.Errorf("git: %s", cmp.Or(line, err.Error()))
	}
	return nil
}
