package journal

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"os"
	"slices"
	"time"

	"varview/decoder/engine/source"
	"varview/model/patch"
)

// errDamaged says that a journal is not as its Writer wrote it.
var errDamaged = errors.New("the journal is damaged")

// errLocked says that a journal is encrypted with the key of its file, and the right key was not given.
var errLocked = errors.New("the unsaved edits are encrypted with the key of the file")

// ErrNothing says that a journal is empty: it is being created, or has lost all its bytes.
var ErrNothing = errors.New("there is nothing in it")

// errVersion says that a journal was written by another version of the program.
var errVersion = errors.New("it was written by another version of varview")

// A File is a journal being read.
type File interface {
	io.ReaderAt
	io.Closer
	Stat() (os.FileInfo, error)
}

// Content is what a journal contains.
type Content struct {
	Header
	Base   Base
	Size   int64     // size of the journal, in bytes
	When   time.Time // time of the last write
	Past   Past      // steps that are in the base
	Events []Event   // what happened since, up to the first event that cannot be read
	Lead   []Lead    // steps from the base to where these events lead
	Saved  string    // sum of the file if everything was saved; otherwise ""
	Locked int       // number of events encrypted with a key that was not given

	Missing int   // number of events that cannot be read, all after those that can
	Damaged bool  // something cannot be read, though not necessarily an event
	Err     error // read error of the disk
}

// A Lead is a step that is done, or one that is done in the base and undone since.
type Lead struct {
	Step   *Step
	Undone bool
}

// Ops returns the operations that the step makes.
func (l *Lead) Ops() patch.Patch {
	if l.Undone {
		return l.Step.Ops.Reversed()
	}
	return l.Step.Ops
}

// Label says what the step does.
func (l *Lead) Label() string {
	if l.Undone {
		return "undo " + l.Step.Label
	}
	return l.Step.Label
}

// Edits returns the number of edits that are not in the base, as far as it is known.
func (c *Content) Edits() int { return max(len(c.Lead), c.Locked) + c.Missing }

// IsEmpty reports whether there certainly are no edits.
func (c *Content) IsEmpty() bool { return c.Edits() == 0 && !c.Damaged }

// Ops returns the operations that lead from the base to the edited content.
func (c *Content) Ops() (ops patch.Patch) {
	for i := range c.Lead {
		ops = append(ops, c.Lead[i].Ops()...)
	}
	return ops
}

// ReadHeader reads only the header.
func ReadHeader(f File) (Header, error) {
	b, failed := readAll(f, 64<<10)
	c, err := read(b, nil)
	if err != nil {
		return Header{}, cmp.Or(failed, err)
	}
	return c.Header, nil
}

// Read reads what can be read of a journal. secret is the key of an encrypted file; nil if it is unknown.
// Read fails if nothing can be read.
func Read(f File, secret []byte) (*Content, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	b, failed := readAll(f, info.Size())
	c, err := read(b, secret)
	if err != nil {
		return nil, cmp.Or(failed, err)
	}
	c.Size, c.When, c.Err = info.Size(), info.ModTime(), failed
	return c, nil
}

// readAll reads a file as far as it can be read.
func readAll(f io.ReaderAt, size int64) ([]byte, error) {
	b := make([]byte, size)
	n, err := f.ReadAt(b, 0)
	if err == io.EOF {
		err = nil
	}
	return b[:n], err
}

// read reads a journal.
func read(b, secret []byte) (*Content, error) {
	all, cut := records(b)
	if len(all) == 0 {
		switch {
		case len(b) == 0:
			return nil, ErrNothing
		case bytes.HasPrefix(b, []byte(title)) && !bytes.HasPrefix([]byte(magic), b[:min(len(b), len(magic))]):
			return nil, errVersion
		}
		return nil, errDamaged
	}
	r := reader{c: &Content{}, secret: secret}
	for i := range all {
		if r.take(&all[i]) != nil {
			cut = true
			break
		}
		r.next = all[i].number + 1
	}
	r.end(cut)
	return r.c, nil
}

// A reader puts a journal together.
type reader struct {
	c      *Content
	secret []byte
	seal   *seal
	data   []byte // data that no step has used yet
	event  int    // number of the last event that was read
	next   uint32 // number of the record after those that were read
	tally  *tally // nil if it cannot be read
	past   bool   // there is a past
	stack  stack
	base   []*Step // steps that are done in the base
}

// A tally counts what was written: the number of the next record, and of the last event.
type tally struct{ next, event uint32 }

// take processes a record.
func (r *reader) take(x *record) error {
	b, err := x.open(r.seal)
	if err == nil {
		return r.takeContent(x, b)
	}
	switch x.kind {
	case isData, byte(Saving):
	case isPast:
		r.past = true
	default:
		r.event = int(x.event)
		r.c.Locked++
	}
	return nil
}

// takeContent processes what a record holds.
func (r *reader) takeContent(x *record, b []byte) error {
	switch x.kind {
	case isHeader:
		return json.Unmarshal(b, &r.c.Header)
	case isTally:
		if len(b) == tallySize-headSize {
			r.tally = &tally{binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:])}
		}
		return nil
	case isBase:
		return r.takeBase(b)
	case isData:
		r.data = append(r.data, b...)
		return nil
	case isPast:
		return r.takePast(b)
	}
	e := Event{}
	if err := json.Unmarshal(b, &e); err != nil {
		return err
	}
	e.Kind, r.c.Saved = Kind(x.kind), e.Sum
	if e.Kind == Saving {
		return nil
	}
	return r.happen(x, e)
}

// takeBase processes the base.
func (r *reader) takeBase(b []byte) (err error) {
	if err = json.Unmarshal(b, &r.c.Base); err == nil && len(r.c.Base.Salt) > 0 {
		r.seal, err = newSeal(r.secret, r.c.Base.Salt)
	}
	return err
}

// takePast processes the steps that are in the base.
func (r *reader) takePast(b []byte) error {
	p := Past{}
	if err := json.Unmarshal(b, &p); err != nil {
		return err
	}
	if p.At < 0 || p.At > len(p.Steps) || slices.Contains(p.Steps, nil) || r.event > 0 {
		return errDamaged
	}
	if err := r.fill(p.Steps); err != nil {
		return err
	}
	r.past, r.c.Past = true, p
	r.stack, r.base = stack{slices.Clone(p.Steps), p.At}, p.Steps[:p.At]
	return nil
}

// happen processes an event.
func (r *reader) happen(x *record, e Event) error {
	if e.Step != nil {
		if err := r.fill([]*Step{e.Step}); err != nil {
			return err
		}
	}
	if err := r.stack.happen(e); err != nil {
		return err
	}
	r.event = int(x.event)
	r.c.Events = append(r.c.Events, e)
	return nil
}

// end finds out what leads to the edited content, and what is missing. cut says that the last bytes cannot be read.
func (r *reader) end(cut bool) {
	c := r.c
	if c.Locked == 0 {
		c.Lead = r.stack.lead(r.base)
	}
	c.Damaged = r.tally == nil
	if r.tally != nil && r.next < r.tally.next { // an event, or a note that everything was saved
		c.Missing = max(0, int(r.tally.event)-r.event)
		c.Damaged = true
	}
	isPart := cut || len(r.data) > 0 || c.Base.Sum != "" && !r.past // of an event that was not completely written
	if isPart && c.Missing == 0 {
		c.Missing = 1
	}
	if c.Damaged = c.Damaged || isPart; c.Damaged {
		c.Saved = ""
	}
}

// fill attaches the data to the pieces of an event's steps.
func (r *reader) fill(steps []*Step) error {
	data := r.data
	r.data = nil
	err := eachData(steps, func(p *Piece) error {
		if p.Length < 0 || p.Length > int64(len(data)) {
			return errDamaged
		}
		p.Data = source.Memory(data[:p.Length:p.Length])
		data = data[p.Length:]
		return nil
	})
	if err == nil && len(data) > 0 {
		err = errDamaged
	}
	return err
}
