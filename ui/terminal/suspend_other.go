//go:build !unix

package terminal

// CanSuspend reports whether the program can be suspended, which is impossible here.
func CanSuspend() bool { return false }
