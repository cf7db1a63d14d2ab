//go:build unix

package terminal

import (
	"bytes"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/creack/pty"
	"github.com/muesli/cancelreader"
)

var _ cancelreader.File = (*Input)(nil)

const darkReply = "\x1b]11;rgb:1e1e/1e1e/2e2e\a"

// pipeInput returns an Input on a pipe, the end to write to, and the
// backgrounds reported so far.
func pipeInput(t *testing.T) (in *Input, w *os.File, reported *[]bool) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close(); w.Close() })
	reported = new([]bool)
	return NewInput(r, func(dark bool) { *reported = append(*reported, dark) }), w, reported
}

func write(t *testing.T, w io.Writer, s string) {
	t.Helper()
	if _, err := io.WriteString(w, s); err != nil {
		t.Fatal(err)
	}
}

// readOnce wants the next Read to return exactly want.
func readOnce(t *testing.T, in io.Reader, want string) {
	t.Helper()
	var p [256]byte
	n, err := in.Read(p[:])
	if err != nil || string(p[:n]) != want {
		t.Fatalf("read %q, %v; want %q", p[:n], err, want)
	}
}

func TestInputSplitReply(t *testing.T) {
	for split := 1; split < len(darkReply); split++ {
		in, w, reported := pipeInput(t)
		write(t, w, "a"+darkReply[:split])
		// The rest is there in time, whenever the reader comes to wait for it.
		write(t, w, darkReply[split:]+"b")
		readOnce(t, in, "ab")
		if !slices.Equal(*reported, []bool{true}) {
			t.Errorf("split at %d: reported %v", split, *reported)
		}
	}
}

func TestInputWaitsForTheRest(t *testing.T) {
	in, w, reported := pipeInput(t)
	write(t, w, "a"+darkReply[:8])
	go func() {
		time.Sleep(2 * time.Millisecond)
		io.WriteString(w, darkReply[8:])
	}()
	readOnce(t, in, "a")
	if !slices.Equal(*reported, []bool{true}) {
		t.Errorf("reported %v", *reported)
	}
}

func TestInputHoldsNothingForLong(t *testing.T) {
	for _, keys := range []string{"\x1b", "x\x1b", "\x1b]", "\x1b]1", "\x1b]11;rgb:", "\x1b]11;#000\x1b"} {
		in, w, reported := pipeInput(t)
		write(t, w, keys)
		readOnce(t, in, keys) // comes back though nothing follows
		if len(*reported) != 0 {
			t.Errorf("%q: reported %v", keys, *reported)
		}
	}
}

// A Read that finds only a reply returns, and does not wait for a key.
func TestInputReplyAlone(t *testing.T) {
	in, w, reported := pipeInput(t)
	write(t, w, darkReply)
	readOnce(t, in, "")
	write(t, w, "k")
	readOnce(t, in, "k")
	if !slices.Equal(*reported, []bool{true}) {
		t.Errorf("reported %v", *reported)
	}
}

// Bubble Tea takes a Read that does not fill its buffer for the end of a key;
// a reply taken out of a full one must not make it seem so.
func TestInputFillsTheBuffer(t *testing.T) {
	keys := "k" + strings.Repeat("é", 200)
	in, w, _ := pipeInput(t)
	write(t, w, keys[:99]+darkReply+keys[99:])
	readOnce(t, in, keys[:256])
	readOnce(t, in, keys[256:])
}

func TestInputReplyAcrossTheBuffersEnd(t *testing.T) {
	for before := 256 - len(darkReply); before <= 256; before++ {
		keys := bytes.Repeat([]byte("k"), before)
		in, w, reported := pipeInput(t)
		write(t, w, string(keys)+darkReply+"l")
		w.Close()
		got, err := io.ReadAll(in)
		if err != nil || string(got) != string(keys)+"l" || !slices.Equal(*reported, []bool{true}) {
			t.Errorf("%d keys before: %q, %v, reported %v", before, got, err, *reported)
		}
	}
}

func TestInputShortReads(t *testing.T) {
	in, w, reported := pipeInput(t)
	write(t, w, "ab"+darkReply+"c\x1b")
	w.Close()
	got, err := io.ReadAll(iotest.OneByteReader(in))
	if err != nil || string(got) != "abc\x1b" || !slices.Equal(*reported, []bool{true}) {
		t.Errorf("%q, %v, reported %v", got, err, *reported)
	}
}

func TestInputEnd(t *testing.T) {
	in, w, _ := pipeInput(t)
	write(t, w, "a\x1b]11;")
	w.Close()
	readOnce(t, in, "a\x1b]11;")
	for range 2 {
		if n, err := in.Read(make([]byte, 8)); n != 0 || err != io.EOF {
			t.Errorf("%d, %v at the end", n, err)
		}
	}
}

// A cancelreader on an Input of a terminal cancels a read that waits.
func TestInputCancel(t *testing.T) {
	master, tty, err := pty.Open()
	if err != nil {
		t.Skip(err)
	}
	defer master.Close()
	defer tty.Close()
	in := NewInput(tty, func(bool) {})
	if in.Name() != tty.Name() || in.Fd() != tty.Fd() {
		t.Error("not the file's name and descriptor")
	}
	reader, err := cancelreader.NewReader(in)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	done := make(chan error, 1)
	go func() {
		_, err := reader.Read(make([]byte, 256))
		done <- err
	}()
	time.Sleep(20 * time.Millisecond)
	if !reader.Cancel() {
		t.Error("cannot cancel")
	}
	select {
	case err := <-done:
		if !errors.Is(err, cancelreader.ErrCanceled) {
			t.Errorf("read ended with %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("still reading")
	}
}
