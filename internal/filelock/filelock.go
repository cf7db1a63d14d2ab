// Package filelock locks open files, so that others can tell whether the program working on one is still
// running: the system drops the lock when the program ends, however it ends.
package filelock

import "os"

// Try locks a file until it is closed; ok is false if another open file has the lock. Everybody can still
// read and write the file. The error says that the file system has no locks.
func Try(f *os.File) (ok bool, err error) { return try(f) }
