package background

import "io"

// Writing calls write with a writer to out that writes in the background, one piece at a time, while the
// next is put together; small pieces are written at once. It returns when everything is written, with the
// first error. A write reports errors of earlier ones.
func Writing(out io.Writer, write func(io.Writer) error) error {
	w := &writer{out: out}
	err := write(w)
	if failed := w.wait(); err == nil {
		err = failed
	}
	return err
}

// leastBehind is the number of bytes from which on a goroutine pays.
const leastBehind = 8 << 10

type writer struct {
	out   io.Writer
	piece []byte
	task  *Task // writes the piece; nil before the first
	err   error // once the task has ended
}

func (w *writer) Write(b []byte) (int, error) {
	if err := w.wait(); err != nil {
		return 0, err
	}
	if len(b) < leastBehind {
		var n int
		n, w.err = w.out.Write(b)
		return n, w.err
	}
	w.piece = append(w.piece[:0], b...)
	w.task = Start(func() { _, w.err = w.out.Write(w.piece) })
	return len(b), nil
}

func (w *writer) wait() error {
	if w.task != nil {
		w.task.Wait()
		w.task = nil
	}
	return w.err
}
