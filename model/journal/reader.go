package journal

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"os"
	"slices"
	"time"

	"varview/decoder/source"
	"varview/model/patch"
)

// errDamaged says that a journal is not as a Writer has written it.
var errDamaged = errors.New("the journal is damaged")

// ErrLocked says that a journal is encrypted with the key of its file, which was not given
// or is another one.
var ErrLocked = errors.New("the unsaved edits are encrypted with the key of the file")

// ErrNothing says that a journal has no bytes: it is being made, or it lost all that it had.
var ErrNothing = errors.New("there is nothing in it")

// ErrVersion says that a journal was written by another version of the program.
var ErrVersion = errors.New("it was written by another version of varview")

// A File is a journal that is read.
type File interface {
	io.ReaderAt
	io.Closer
	Stat() (os.FileInfo, error)
}

// Content is what a journal holds, as far as it can be read.
type Content struct {
	Header
	Base   Base
	Size   int64     // of the journal in bytes
	When   time.Time // it was written last
	Past   Past      // steps that the base has
	Events []Event   // what happened since
	Lead   []Lead    // what leads from the base to what was edited
	Saved  string    // the sum of the file if all was saved, "" if it was not
	Locked int       // events that are encrypted with a key that was not given

	Missing int   // events at the end that cannot be read
	Damaged bool  // something cannot be read, though it need not be an event
	Err     error // of the disk, where it cannot be read
}

// A Lead is a step that is done, or that was done in the base and is undone.
type Lead struct {
	Step   *Step
	Undone bool
}

// Ops are the operations that the step makes.
func (l *Lead) Ops() patch.Patch {
	if l.Undone {
		return l.Step.Ops.Reversed()
	}
	return l.Step.Ops
}

// Edits is the number of edits that the base does not have, as far as it is known.
func (c *Content) Edits() int { return max(len(c.Lead)+c.Missing, c.Locked) }

// IsEmpty reports whether it is certain that there are no edits.
func (c *Content) IsEmpty() bool { return c.Edits() == 0 && !c.Damaged }

// Ops are the operations that lead from the base to what was edited.
func (c *Content) Ops() (ops patch.Patch) {
	for i := range c.Lead {
		ops = append(ops, c.Lead[i].Ops()...)
	}
	return ops
}

// ReadHeader reads only whose journal it is.
func ReadHeader(f File) (Header, error) {
	b, err := io.ReadAll(io.NewSectionReader(f, 0, 64<<10))
	if err != nil {
		return Header{}, err
	}
	c, err := read(b, nil)
	if err != nil {
		return Header{}, err
	}
	return c.Header, nil
}

// Read reads a journal. secret is the key of an encrypted file, nil if it is
// not known. It fails only if nothing in the journal can be read.
func Read(f File, secret []byte) (*Content, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	b, failed := io.ReadAll(io.NewSectionReader(f, 0, info.Size()))
	c, err := read(b, secret)
	if err != nil {
		return nil, cmp.Or(failed, err)
	}
	c.Size, c.When, c.Err = info.Size(), info.ModTime(), failed
	return c, nil
}

// read reads a journal.
func read(b, secret []byte) (*Content, error) {
	rest, known := bytes.CutPrefix(b, []byte(magic))
	switch {
	case len(b) == 0:
		return nil, ErrNothing
	case bytes.HasPrefix(b, []byte(title)) && !bytes.HasPrefix([]byte(magic), b[:min(len(b), len(magic))]):
		return nil, ErrVersion
	case !known || len(rest) < tallySize:
		return nil, errDamaged
	}
	events, ok := readTally(rest)
	c := &Content{Damaged: !ok}
	r := reader{c: c, secret: secret}
	rest = rest[tallySize:]
	for len(rest) > 0 {
		x, after, whole := decode(rest, r.sum)
		if !whole || r.take(&x) != nil {
			break
		}
		r.sum, rest = x.sum, after
	}
	if c.Path == "" {
		return nil, errDamaged
	}
	isBegun := c.Base.Sum != "" && !r.past
	if ok {
		c.Missing = max(0, events-len(c.Events)-c.Locked)
	}
	if c.Missing == 0 && (len(rest) > 0 || isBegun || len(r.data) > 0) { // of a step that was not written to its end
		c.Missing = 1
	}
	if c.Missing > 0 {
		c.Damaged, c.Saved = true, ""
	}
	if c.Locked == 0 {
		c.Lead = r.stack.lead(r.base)
	}
	return c, nil
}

// A reader puts a journal together.
type reader struct {
	c      *Content
	secret []byte
	seal   *seal
	number uint32 // of the record since the base
	sum    uint32 // of the last record
	data   []byte // that no step has taken yet
	past   bool   // it was read, or it is encrypted
	stack  stack
	base   []*Step // that are done in the base
}

// take takes a record. The error is of one that no Writer has written.
func (r *reader) take(x *record) error {
	c, b := r.c, x.content
	if r.number++; x.sealed {
		var err error
		if r.seal == nil {
			return errDamaged
		}
		if b, err = r.seal.Open(nil, r.seal.nonce(r.number), b, x.head); err != nil { // with another key
			r.past = r.past || x.kind == isPast
			if x.kind != isData && x.kind != isPast {
				c.Locked++
			}
			return nil
		}
	}
	switch x.kind {
	case isHeader:
		return json.Unmarshal(b, &c.Header)
	case isBase:
		r.number = 0
		err := json.Unmarshal(b, &c.Base)
		if err == nil && len(c.Base.Salt) > 0 {
			r.seal, err = newSeal(r.secret, c.Base.Salt)
		}
		return err
	case isData:
		r.data = append(r.data, b...)
		return nil
	case isPast:
		return r.takePast(b)
	case byte(Saving):
		e := Event{}
		err := json.Unmarshal(b, &e)
		c.Saved = e.Sum
		return err
	}
	c.Saved = ""
	return r.happen(Kind(x.kind), b)
}

// takePast takes the steps that the base has.
func (r *reader) takePast(b []byte) error {
	p := &r.c.Past
	if err := json.Unmarshal(b, p); err != nil {
		return err
	}
	if p.At < 0 || p.At > len(p.Steps) || slices.Contains(p.Steps, nil) || r.past || r.c.Base.Sum == "" {
		*p = Past{}
		return errDamaged
	}
	r.stack, r.base, r.past = newStack(p), p.Steps[:p.At], true
	return r.fill(p.Steps)
}

// happen takes an event.
func (r *reader) happen(k Kind, b []byte) error {
	e := Event{}
	if err := json.Unmarshal(b, &e); err != nil || !r.past {
		return errDamaged
	}
	e.Kind = k
	if e.Step != nil {
		if err := r.fill([]*Step{e.Step}); err != nil {
			return err
		}
	}
	if err := r.stack.happen(e); err != nil {
		return err
	}
	r.c.Events = append(r.c.Events, e)
	return nil
}

// fill gives the pieces of steps their data.
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
