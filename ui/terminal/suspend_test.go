//go:build unix

package terminal

import (
	"fmt"
	"os"
	"os/exec"
	"testing"
)

// suspendVariable makes the test binary report whether it could be suspended.
const suspendVariable = "VARVIEW_TEST_SUSPEND"

// A program can be suspended below a shell with job control; started in place of one, or by one
// without job control, it would never be woken.
func TestCanSuspend(t *testing.T) {
	for script, want := range map[string]bool{
		`set -m; "$0"; true`:               true,
		`set -m; sh -c '"$0"; true' $0`:    true,
		`"$0"; true`:                       false,
		`exec "$0"`:                        false,
		`set -m; trap "" TSTP; "$0"; true`: false,
	} {
		screen := startOn(t, exec.Command("sh", "-c", script, os.Args[0]), suspendVariable+"=1")
		if said, ok := screen.until("can be suspended: " + fmt.Sprint(want)); !ok {
			t.Errorf("%s: %q, want %v", script, said, want)
		}
	}
}
