package source

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// guardedFile makes a file of some parts, written an hour ago, and opens and guards it.
func guardedFile(t *testing.T, size int) (f *File, name string, data []byte) {
	t.Helper()
	data = make([]byte, size)
	for i := range data {
		data[i] = byte(i ^ i>>8 ^ i>>16)
	}
	name = filepath.Join(t.TempDir(), "save.dat")
	writeAt(t, name, data, time.Now().Add(-time.Hour))
	f, err := OpenFile(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	f.Guard()
	return f, name, data
}

// writeAt writes into a file, which keeps its identity, and sets its time.
func writeAt(t *testing.T, name string, data []byte, at time.Time) {
	t.Helper()
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(name, at, at); err != nil {
		t.Fatal(err)
	}
}

// read reads bytes in steps of odd sizes.
func read(t *testing.T, f *File, from, to int) []byte {
	t.Helper()
	b := make([]byte, to-from)
	for off := from; off < to; {
		n := min(to-off, 77_777)
		if _, err := f.ReadAt(b[off-from:][:n], int64(off)); err != nil {
			t.Fatal(err)
		}
		off += n - min(n/3, to-off-n) // some are read twice
	}
	return b
}

const guardedSize = 3*sumSize + 12345

// A file that was touched, or rewritten with the same bytes, has not changed.
func TestGuardTouched(t *testing.T) {
	f, name, data := guardedFile(t, guardedSize)
	read(t, f, 0, guardedSize)
	writeAt(t, name, data, time.Now())
	if how := f.Changed(); how != "" {
		t.Error(how)
	}
	if !bytes.Equal(read(t, f, 5, guardedSize), data[5:]) {
		t.Error("other bytes")
	}
	if err := os.Rename(name, name+"~"); err != nil {
		t.Fatal(err)
	}
	writeAt(t, name, data, time.Now())
	if how := f.Changed(); how != "" {
		t.Error(how)
	}
}

// Overwritten parts are holes; the others are as they were.
func TestGuardOverwritten(t *testing.T) {
	f, name, data := guardedFile(t, guardedSize)
	read(t, f, 0, guardedSize)
	other := bytes.Clone(data)
	other[sumSize+7]++
	writeAt(t, name, other[:guardedSize-1], time.Now())
	if how := f.Changed(); how != "the file has become shorter" {
		t.Error(how)
	}
	writeAt(t, name, other, time.Now())
	if how := f.Changed(); how != "the file was changed by another program" {
		t.Error(how)
	}
	b := make([]byte, guardedSize)
	n, err := f.ReadAt(b, 100)
	var hole *HoleError
	if n != sumSize-100 || !errors.As(err, &hole) || hole.Offset != sumSize || hole.Length != sumSize || hole.Err != ErrOverwritten {
		t.Errorf("%d bytes, %v", n, err)
	}
	if !bytes.Equal(b[:n], data[100:][:n]) || !bytes.Equal(read(t, f, 2*sumSize, guardedSize), data[2*sumSize:]) {
		t.Error("other bytes")
	}
}

// Parts that were not completely read are trusted only on request.
func TestGuardUnread(t *testing.T) {
	f, name, data := guardedFile(t, guardedSize)
	read(t, f, 0, sumSize+10)
	writeAt(t, name, data, time.Now())
	if how := f.Changed(); how != "the file was written by another program before all of it was read" {
		t.Error(how)
	}
	b := make([]byte, 10)
	var hole *HoleError
	if _, err := f.ReadAt(b, sumSize); !errors.As(err, &hole) || hole.Err != ErrUnread {
		t.Error(err)
	}
	f.Trust()
	if !bytes.Equal(read(t, f, 0, guardedSize), data) {
		t.Error("other bytes")
	}
	data[sumSize]++ // which was read
	writeAt(t, name, data, time.Now().Add(time.Second))
	if _, err := f.ReadAt(b, sumSize); !errors.As(err, &hole) || hole.Err != ErrOverwritten {
		t.Error(err)
	}
}

// A copy can be read whatever happens to the file.
func TestGuardCopy(t *testing.T) {
	f, name, data := guardedFile(t, 1000)
	copied, err := os.Create(name + ".copy")
	if err != nil {
		t.Fatal(err)
	}
	if f.ReadFrom(copied) {
		t.Fatal("a copy of another size")
	}
	copied.Write(data)
	if !f.ReadFrom(copied) {
		t.Fatal("the copy is not taken")
	}
	writeAt(t, name, []byte("something else"), time.Now())
	if !bytes.Equal(read(t, f, 0, 1000), data) || f.Changed() != "the file has become shorter" {
		t.Errorf("other bytes, or %q", f.Changed())
	}
	writeAt(t, name, data, time.Now())
	if how := f.Changed(); how != "" {
		t.Error(how)
	}

	f, name, data = guardedFile(t, 1000)
	writeAt(t, name, data, time.Now()) // while it was copied
	if f.ReadFrom(copied) {
		t.Error("a copy that may be torn")
	}
}

// Files that the system generates have no size.
func TestNoSize(t *testing.T) {
	const name = "/proc/self/status"
	if _, err := os.Stat(name); err != nil {
		t.Skip("no " + name)
	}
	f, err := OpenFile(name)
	if err != nil || f.Size() == 0 || f.Changed() != "" {
		t.Fatal(err)
	}
	f.Close()
}

// A change in place that keeps size and time is noticed, and its bytes are not taken for the old ones.
func TestStamp(t *testing.T) {
	for _, guarded := range []bool{true, false} {
		f, name, data := guardedFile(t, 1000)
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if changeTime(info).IsZero() {
			t.Skip("the system has no change time")
		}
		if !guarded {
			f.sums = nil
		}
		read(t, f, 0, 1000)
		if how := f.Changed(); how != "" {
			t.Fatal(how)
		}
		time.Sleep(12 * time.Millisecond) // for the system's clock to go on
		data[500]++
		writeAt(t, name, data, info.ModTime())
		if how := f.Changed(); how != "the file was changed by another program" {
			t.Errorf("guarded %v: %q", guarded, how)
		}
		var hole *HoleError
		if _, err := f.ReadAt(make([]byte, 10), 495); guarded && !errors.As(err, &hole) || f.IsOverwritten() == guarded {
			t.Errorf("guarded %v: %v, %v", guarded, err, f.IsOverwritten())
		}
	}
}

// A replaced file keeps its old bytes, even those not read yet.
func TestStampReplaced(t *testing.T) {
	f, name, data := guardedFile(t, guardedSize)
	read(t, f, 0, 10)
	time.Sleep(12 * time.Millisecond)
	if err := os.Link(name, name+"~"); err != nil {
		t.Skip(err)
	}
	writeAt(t, name+".new", []byte("theirs"), time.Now())
	if err := os.Rename(name+".new", name); err != nil {
		t.Skip(err)
	}
	if !bytes.Equal(read(t, f, 0, guardedSize), data) {
		t.Error("other bytes")
	}
	if how := f.Changed(); how != "the file has become shorter" {
		t.Error(how)
	}
}
