package journal

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"

	"varview/decoder/engine/background"
	"varview/decoder/engine/openfile"
	"varview/decoder/engine/source"
	"varview/internal/atomicfile"
	"varview/internal/filelock"
)

// maxData is the largest number of bytes that are kept of one step.
const maxData = 256 << 20

// errTooLarge says that a step has more bytes than a journal keeps.
var errTooLarge = errors.New("an edit adds more than 256 MiB")

// A Writer writes a journal in the background. What it is given is on disk within a second, unless the
// disk takes longer. The journal is locked as long as it is open.
type Writer struct {
	f      *os.File
	sync   func(name string) error // makes the name of a file outlive a power loss
	header Header
	id     uint32 // number of the journal
	tally  int64  // offset of the tally
	start  int64  // offset of its end

	seal   *seal  // for the records after the base; nil if they are not encrypted
	record uint32 // number of the next record
	event  int    // number of the last event

	work  chan task
	task  *background.Task // the task that writes
	begun bool             // there is a base

	mu  sync.Mutex
	err error // why nothing is written any more
}

// A task is something to be written.
type task struct {
	do   func() error
	anew bool // it drops what was written, and with it any error of that
}

// Create creates a journal in a new file, which other processes can see.
func Create(name string, h Header) (*Writer, error) {
	return createWith(name, h, atomicfile.SyncFolder)
}

func createWith(name string, h Header, sync func(name string) error) (*Writer, error) {
	f, err := openfile.Open(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	w := &Writer{f: f, sync: sync, header: h, id: rand.Uint32(), work: make(chan task, 1024)}
	_, err = filelock.Try(f)
	if err == nil {
		err = w.writeHeader()
	}
	if err != nil {
		f.Close()
		os.Remove(name)
		return nil, err
	}
	w.task = background.Start(w.run)
	w.work <- task{do: w.syncFolders}
	return w, nil
}

// writeHeader writes at once what a journal without a base contains.
func (w *Writer) writeHeader() error {
	h, err := json.Marshal(w.header)
	if err != nil {
		return err
	}
	b := append([]byte(magic), (&record{id: w.id, kind: isHeader}).encode(h, nil)...)
	w.tally, w.record = int64(len(b)), firstBase
	b = append(b, w.tallied()...)
	w.start = int64(len(b))
	_, err = w.f.Write(b)
	return err
}

// tallied returns the tally as a record.
func (w *Writer) tallied() []byte {
	content := binary.LittleEndian.AppendUint32(nil, w.record)
	content = binary.LittleEndian.AppendUint32(content, uint32(w.event))
	return (&record{id: w.id, number: tallyAt, kind: isTally}).encode(content, nil)
}

// count overwrites the tally.
func (w *Writer) count() error {
	_, err := w.f.WriteAt(w.tallied(), w.tally)
	return err
}

// syncFolders makes the names of the journal and of its folder outlive a power loss.
func (w *Writer) syncFolders() error {
	err := w.sync(w.f.Name())
	return cmp.Or(err, w.sync(filepath.Dir(w.f.Name())))
}

// run writes what it is given, and syncs when there is nothing more to write.
func (w *Writer) run() {
	for t := range w.work {
		err := w.Err()
		if err == nil || t.anew {
			err = cmp.Or(t.do(), w.count())
		}
		if err == nil && len(w.work) == 0 {
			err = w.f.Sync()
		}
		w.mu.Lock()
		w.err = err
		w.mu.Unlock()
	}
}

// Err returns why nothing is written any more; nil while writing works.
func (w *Writer) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// Begin drops what was written and begins again with a base, whose sum is worked out unless it is given, and the
// past. secret is the key of an
// encrypted file, and otherwise nil.
func (w *Writer) Begin(b Base, src source.Source, secret []byte, past *Past) {
	w.begun = true
	w.work <- task{anew: true, do: func() (err error) {
		if err := w.truncate(); err != nil {
			return err
		}
		if b.Sum == "" {
			if b.Sum, err = Sum(src); err != nil {
				return err
			}
		}
		if secret != nil {
			b.Salt = newSalt()
		}
		b.Steps = len(past.Steps)
		if err := w.put(isBase, b); err != nil {
			return err
		}
		if secret != nil {
			if w.seal, err = newSeal(secret, b.Salt); err != nil {
				return err
			}
		}
		return w.putSteps(isPast, past, past.Steps)
	}}
}

// Name returns the name of the file.
func (w *Writer) Name() string { return w.f.Name() }

// HasBegun reports whether there is a base to which events can be added.
func (w *Writer) HasBegun() bool { return w.begun }

// Add adds an event.
func (w *Writer) Add(e Event) {
	w.work <- task{do: func() error {
		if e.Kind == Saving {
			return w.put(byte(e.Kind), e)
		}
		var steps []*Step
		if e.Step != nil {
			steps = append(steps, e.Step)
		}
		w.event++
		return w.putSteps(byte(e.Kind), e, steps)
	}}
}

// Then calls do once everything given before is on disk; it does not if that fails.
func (w *Writer) Then(do func() error) {
	w.work <- task{do: func() error {
		if err := w.f.Sync(); err != nil {
			return err
		}
		return do()
	}}
}

// Flush waits until everything given is on disk.
func (w *Writer) Flush() error {
	done := make(chan struct{})
	w.work <- task{do: w.f.Sync}
	w.work <- task{anew: true, do: func() error {
		close(done)
		return w.Err()
	}}
	<-done
	return w.Err()
}

// Forget drops everything except the header, since all edits have been saved.
func (w *Writer) Forget() {
	w.begun = false
	w.work <- task{anew: true, do: w.truncate}
}

// Close ends the writing and waits until everything is on disk. The journal stays if keep is set.
func (w *Writer) Close(keep bool) error {
	close(w.work)
	w.task.Wait()
	err := errors.Join(w.Err(), w.f.Close())
	if !keep {
		err = errors.Join(err, os.Remove(w.f.Name()))
	}
	return err
}

func (w *Writer) truncate() error {
	w.record, w.event, w.seal = firstBase, 0, nil
	if err := cmp.Or(w.count(), w.f.Truncate(w.start)); err != nil { // bytes that are gone are not counted as missing
		return err
	}
	_, err := w.f.Seek(w.start, io.SeekStart)
	return err
}

// putSteps writes the data of steps, and then the record that contains them.
func (w *Writer) putSteps(kind byte, content any, steps []*Step) error {
	data, size := make([]byte, 0, dataSize), int64(0)
	flush := func() error {
		err := w.putBytes(isData, data)
		data = data[:0]
		return err
	}
	err := eachData(steps, func(p *Piece) error {
		if size += p.Length; size > maxData {
			return errTooLarge
		}
		for done := int64(0); done < p.Length; {
			n := min(p.Length-done, int64(dataSize-len(data)))
			end := len(data)
			data = data[:end+int(n)]
			if _, err := p.Data.ReadAt(data[end:], done); err != nil && err != io.EOF {
				return err
			}
			done += n
			if len(data) == dataSize {
				if err := flush(); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err == nil && len(data) > 0 {
		err = flush()
	}
	if err != nil {
		return err
	}
	return w.put(kind, content)
}

// put writes a record of JSON.
func (w *Writer) put(kind byte, content any) error {
	b, err := json.Marshal(content)
	if err != nil {
		return err
	}
	return w.putBytes(kind, b)
}

func (w *Writer) putBytes(kind byte, b []byte) error {
	if len(b) > maxRecord {
		return errTooLarge
	}
	r := record{id: w.id, number: w.record, event: uint32(w.event), kind: kind}
	w.record++
	_, err := w.f.Write(r.encode(b, w.seal))
	return err
}
