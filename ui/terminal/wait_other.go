//go:build !unix

package terminal

import "time"

// replies is false: no replies come in the bytes of a console's input.
const replies = false

// readable cannot know, so nothing is held back.
func readable(uintptr, time.Duration) bool { return false }
