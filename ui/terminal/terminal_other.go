//go:build !unix

package terminal

import "time"

// CanSuspend reports whether the program can be suspended, which is impossible here.
func CanSuspend() bool { return false }

// replies is false: the bytes of a console's input contain no replies.
const replies = false

// readable cannot know, so nothing is held back.
func readable(uintptr, time.Duration) bool { return false }
