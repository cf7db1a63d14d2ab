//go:build !unix

package terminal

import "time"

// replies says that no replies come in the bytes of a console's input.
const replies = false

// readable does not know, so that nothing is held back.
func readable(uintptr, time.Duration) bool { return false }
