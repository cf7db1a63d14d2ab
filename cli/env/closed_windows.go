package env

import "os"

// isClosed reports whether standard input was closed by whoever started the program.
func isClosed(stdin *os.File) bool {
	_, err := stdin.Stat()
	return err != nil
}
