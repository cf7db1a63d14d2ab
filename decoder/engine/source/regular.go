package source

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"varview/decoder/engine/openfile"
)

// OpenRegular opens a regular file to be read. Anything else is refused: a pipe would keep the program
// waiting for a writer, and a device may have no end. The error does not name the file.
func OpenRegular(path string) (*os.File, os.FileInfo, error) {
	info, err := os.Stat(path)
	if err == nil {
		err = checkRegular(info)
	}
	if err != nil {
		return nil, nil, Plain(err)
	}
	// Without O_NONBLOCK, opening a pipe that has taken the file's place would wait for a
	// writer.
	f, err := openfile.Open(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, Plain(err)
	}
	if info, err = f.Stat(); err == nil {
		err = checkRegular(info)
	}
	if err != nil {
		f.Close()
		return nil, nil, Plain(err)
	}
	return f, info, nil
}

// errPipe is the error of OpenRegular for a pipe.
var errPipe = errors.New("is a pipe, not a regular file")

func checkRegular(info os.FileInfo) error {
	switch m := info.Mode(); {
	case openfile.IsRegular(m):
		return nil
	case m.IsDir():
		return errors.New("is a directory")
	case m&os.ModeNamedPipe != 0:
		return errPipe
	}
	return errors.New("is not a regular file")
}

// ReadRegular reads a regular file of at most most bytes. It is for files that go with a save, such as a
// list of names, and may come from the same stranger. The error does not name the file.
func ReadRegular(path string, most int64) ([]byte, error) {
	f, info, err := OpenRegular(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info.Size() > most {
		return nil, tooLarge(most)
	}
	return ReadAtMost(f, most)
}

// ReadAtMost reads all of r, which may have at most most bytes.
func ReadAtMost(r io.Reader, most int64) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(b)) > most {
		err = tooLarge(most)
	}
	if err != nil {
		return nil, Plain(err)
	}
	return b, nil
}

// ErrTooLarge is in the error for a file that is too large.
var ErrTooLarge = errors.New("the most that is read")

func tooLarge(most int64) error {
	return fmt.Errorf("larger than %d MiB, %w", most>>20, ErrTooLarge)
}
