package atomicfile

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"varview/decoder/engine/openfile"
)

// maxSwaps is how often Unchanged is asked about a file that other programs keep replacing.
const maxSwaps = 20

// ask calls Unchanged, and first records which file that is about.
func (r *replacement) ask() error {
	if r.Unchanged == nil {
		return nil
	}
	r.seen, _ = os.Lstat(r.target) // nil if it is gone
	r.refusal = r.Unchanged()
	return r.refusal
}

// settled returns the error that speaks against replacing the file, and err if there is none. While
// another program replaces the file, the file looks as if it had been written into, so settled asks again
// once that program is done.
func (r *replacement) settled(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil || r.acquire(ctx) != nil {
		return err
	}
	return cmp.Or(r.ask(), err)
}

// tentative is the modification time of a new file that may be taken away again, on systems without
// locks: others must not take it for one that stays.
var tentative = time.Unix(86_399, 0)

// isSeen reports whether a file is the one that Unchanged was asked about, with the same content. Its
// change time differs, because a backup is a second name of the file.
func (r *replacement) isSeen(info fs.FileInfo) bool {
	return r.seen != nil && !info.ModTime().Equal(tentative) && os.SameFile(info, r.seen) && info.Size() == r.seen.Size() && info.ModTime().Equal(r.seen.ModTime())
}

// swap exchanges the new file and the old one, and looks at what comes out: programs that do not use
// locks may have replaced the file since Unchanged was asked. Such a file is put back, and asked about.
// If the system cannot exchange files, the new one is renamed.
func (r *replacement) swap() error {
	temp := r.temp.Name()
	mine, err := openfile.Read(temp)
	if err != nil { // of a mode that its owner cannot read
		return rename(temp, r.target)
	}
	defer mine.Close()
	if r.Lock.f == nil && setTime(mine, tentative) == nil {
		defer func() { setTime(mine, time.Now()) }()
	}
	for range maxSwaps {
		if r.noExchange || exchange(temp, r.target) != nil {
			return rename(temp, r.target)
		}
		if out, err := os.Lstat(temp); err != nil || r.isSeen(out) {
			remove(temp) // a later replacement removes what is left
			return nil
		}
		if err := r.putBack(mine); err != nil {
			return err
		}
		if err := r.ask(); err != nil {
			return err
		}
	}
	return errUnsettled
}

var errUnsettled = errors.New("other programs replace it all the time")

// putBack exchanges files until the new one, which is open, comes out. Since every program does so, each
// ends with its own file, and the one that was there stays. If another program has replaced the new file,
// its file stays.
func (r *replacement) putBack(mine *os.File) error {
	temp := r.temp.Name()
	own, err := mine.Stat()
	for end := time.Now().Add(patience); err == nil && time.Now().Before(end); time.Sleep(time.Millisecond) {
		if err = exchange(temp, r.target); err != nil {
			break
		}
		if out, err := os.Lstat(temp); err == nil && os.SameFile(out, own) {
			return nil
		}
		if isGone(mine) {
			exchange(temp, r.target)
			return errUnsettled
		}
	}
	r.foreign = true // another program has the new file, and does not put it back
	kept := r.target + ".other"
	if os.Rename(temp, kept) != nil {
		kept = temp
	}
	return fmt.Errorf("%w; what one of them has written is %s", errUnsettled, kept)
}
