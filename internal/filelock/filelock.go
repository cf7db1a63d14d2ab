// Package filelock locks open files, so that others can tell whether the program that
// works on one is still there: the system drops the lock when that ends, however it ends.
package filelock

import "os"

// Try locks a file until it is closed, and reports false where another open file has the
// lock. The bytes of the file can still be read and written by all. The error is of a file
// system without locks.
func Try(f *os.File) (ok bool, err error) { return try(f) }
