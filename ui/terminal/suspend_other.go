//go:build !unix

package terminal

// CanSuspend reports whether the program can be suspended: not here.
func CanSuspend() bool { return false }
