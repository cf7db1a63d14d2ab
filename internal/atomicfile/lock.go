package atomicfile

import (
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"syscall"
	"time"

	"varview/decoder/engine/openfile"
	"varview/internal/filelock"
)

// patience is how long Acquire waits for a lock.
const patience = 2 * time.Second

// maxMisses is how often in a row a file is missing or may not be opened until Acquire believes it, where files are not
// replaced at once.
const maxMisses = 10

// ErrBusy is the cause of an Error if another program has held the lock for 2 seconds.
var ErrBusy = errors.New("another program has kept it locked for 2 s; try again")

// A Lock keeps other programs that use this package from replacing a file. It is on the file itself, so
// that it is the same for every path that leads there and for every user, and the system drops it when
// the program ends. A file that replaces the locked one is locked before it appears.
type Lock struct {
	f *os.File // nil if there is no file, or it cannot be locked
}

// Acquire locks the file that path leads to. It waits up to 2 seconds for another program; then the error
// is an *Error for ErrBusy. If there is no file, or it cannot be locked, it returns a Lock that holds
// nothing.
func Acquire(ctx context.Context, path string) (*Lock, error) {
	misses := 0 // how often in a row there was no file that can be opened
	for end := time.Now().Add(patience); ; {
		target, info, err := follow(path)
		if err != nil {
			return nil, err
		}
		if info != nil && !openfile.IsRegular(info.Mode()) {
			return &Lock{}, nil
		}
		f, err := openLock(target)
		if err != nil { // what a program may not open it may not replace either
			if openfile.Replaceable || misses == maxMisses || time.Now().After(end) {
				return &Lock{}, nil
			}
			// Another program may be replacing it, with nothing in its place for a moment, or may hold it for one.
			tidy(target)
			if (errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission)) && !isAside(target) {
				misses++
			}
			pause()
			continue
		}
		misses = 0
		free, err := filelock.Try(f)
		if err == nil && free && leadsTo(target, f) {
			return &Lock{f}, nil
		}
		f.Close()
		switch {
		case err != nil:
			return &Lock{}, nil
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case time.Now().After(end):
			return nil, &Error{Err: ErrBusy, reason: ErrBusy.Error()}
		case !free:
			pause()
		}
	}
}

// openLock opens the file at path to be locked. On network file systems that requires opening it for
// writing.
func openLock(path string) (*os.File, error) {
	f, err := openfile.Open(path, os.O_RDWR|syscall.O_NONBLOCK, 0)
	if err != nil {
		f, err = openfile.Open(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	}
	if err == nil && isMandatory(f) {
		f.Close()
		return nil, errors.ErrUnsupported
	}
	return f, err
}

// leadsTo reports whether path still leads to the locked file, which another program may have replaced
// meanwhile.
func leadsTo(path string, f *os.File) bool {
	locked, err := f.Stat()
	is, err2 := os.Lstat(path)
	return err == nil && err2 == nil && os.SameFile(locked, is)
}

// pause lets others run, for a random time so that programs do not stay in step.
func pause() { time.Sleep(time.Duration(1+rand.IntN(15)) * time.Millisecond) }

// Release releases the lock. It does nothing on a nil Lock.
func (l *Lock) Release() {
	if l != nil && l.f != nil {
		l.f.Close()
		l.f = nil
	}
}

// extend also locks the file with a name that is to replace the locked one. Afterwards settle drops the
// lock on the file that is gone.
func (l *Lock) extend(name string) (settle func(placed bool), err error) {
	if l.f == nil {
		return func(bool) {}, nil
	}
	next, err := openLock(name)
	if err != nil {
		return nil, err
	}
	for end := time.Now().Add(patience); ; pause() {
		// A process started while the file was being written keeps the lock until it runs its program.
		ok, err := filelock.Try(next)
		if ok {
			break
		}
		if err != nil || time.Now().After(end) {
			next.Close()
			return nil, errors.Join(ErrBusy, err)
		}
	}
	return func(placed bool) {
		if placed {
			l.f, next = next, l.f
		}
		next.Close()
	}, nil
}

// acquire locks the file, unless the caller has.
func (r *replacement) acquire(ctx context.Context) (err error) {
	switch {
	case r.Lock != nil:
	case r.noLock:
		r.Lock = &Lock{}
	default:
		if r.own, err = Acquire(ctx, r.target); err == nil {
			r.Lock = r.own
		}
	}
	return err
}
