package terminal

import (
	"os"
	"time"
)

// An Input is the terminal's input without its replies to colour queries. It
// is meant for tea.WithInput: like a file it has a descriptor and a name, so
// that Bubble Tea puts the terminal into raw mode and can cancel a read.
// Reads must not overlap.
type Input struct {
	file   *os.File
	filter filter
	buffer []byte
	ready  []byte // filtered, not yet read
	err    error  // what ended the file, once ready is read
}

// NewInput wraps the terminal f. It calls onBackground, from within Read, for each
// reply with the background colour. The caller closes f.
func NewInput(f *os.File, onBackground func(dark bool)) *Input {
	return &Input{file: f, filter: filter{onReply: func(reply []byte) {
		if rgb, ok := background(reply); ok {
			onBackground(isDark(rgb))
		}
	}}}
}

// Fd returns the file's descriptor.
func (in *Input) Fd() uintptr { return in.file.Fd() }

// Name returns the file's name; on BSD and macOS cancelreader treats /dev/tty
// specially.
func (in *Input) Name() string { return in.file.Name() }

// Write writes to the file.
func (in *Input) Write(p []byte) (int, error) { return in.file.Write(p) }

// Close closes the file.
func (in *Input) Close() error { return in.file.Close() }

// Read waits until the file has something to read, and returns it without replies.
// It returns 0 and no error when there was only a reply: another read would block
// where a cancelreader, which waits for the descriptor, cannot cancel. For the same
// reason p should not be shorter than a reply: what does not fit is kept for the
// next Read.
func (in *Input) Read(p []byte) (int, error) {
	if len(in.ready) == 0 && in.err == nil && len(p) > 0 {
		in.fill(max(len(p), maxReply))
	}
	n := copy(p, in.ready)
	in.ready = in.ready[n:]
	if n > 0 || len(p) == 0 {
		return n, nil
	}
	err := in.err
	in.err = nil
	return 0, err
}

// fill makes at most size bytes ready. It holds back the beginning of a reply
// as long as its rest may come, no longer.
func (in *Input) fill(size int) {
	if len(in.buffer) < size {
		in.buffer = make([]byte, size)
	}
	in.ready = in.ready[:0]
	var since time.Time // time at which bytes were first held
	for {
		room := size - len(in.ready) - len(in.filter.held)
		n, err := in.file.Read(in.buffer[:room])
		in.ready = in.filter.feed(in.ready, in.buffer[:n])
		if err != nil {
			in.ready, in.err = in.filter.flush(in.ready), err
			return
		}
		if len(in.filter.held) == 0 && n < room {
			return
		}
		if since.IsZero() {
			since = time.Now()
		}
		more := readable(in.file.Fd(), max(in.filter.patience()-time.Since(since), 0))
		full := len(in.ready)+len(in.filter.held) == size
		switch {
		case more && full:
			return // the next Read continues with the held bytes
		case !more:
			in.ready = in.filter.flush(in.ready)
			return
		}
	}
}
