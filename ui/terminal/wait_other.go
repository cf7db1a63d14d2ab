//go:build !unix

package terminal

import "time"

// replies is false: the bytes of a console's input contain no replies.
const replies = false

// readable cannot know, so nothing is held back.
func readable(uintptr, time.Duration) bool { return false }
