package journal

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash/crc32"
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

// Content is what a journal holds.
type Content struct {
	Header
	Base   Base
	Size   int64     // of the journal in bytes
	When   time.Time // it was written last
	Past   Past      // steps that the base has
	Events []Event   // what happened since
	Lead   []Lead    // what leads from the base to what was edited
	Saved  string    // the sum of the file if all was saved, "" if it never was
	Locked int       // records that are encrypted with a key that was not given

	steps []*Step // as they are after the events
	at    int
}

// A Lead is a step that is done, or that was done in the base and is undone.
type Lead struct {
	Step   *Step
	Undone bool
}

// Edits is the number of edits that the base does not have, as far as it is known.
func (c *Content) Edits() int { return max(len(c.Lead), c.Locked) }

// Ops are the operations that lead from the base to what was edited.
func (c *Content) Ops() (ops patch.Patch) {
	for _, l := range c.Lead {
		if l.Undone {
			ops = append(ops, l.Step.Ops.Reversed()...)
		} else {
			ops = append(ops, l.Step.Ops...)
		}
	}
	return ops
}

// ReadHeader reads only whose journal it is.
func ReadHeader(name string) (Header, error) {
	f, err := os.Open(name)
	if err != nil {
		return Header{}, err
	}
	defer f.Close()
	r := reader{in: bufio.NewReader(f)}
	return r.header()
}

// Read reads a journal up to where it was cut off. secret is the key of an encrypted file,
// nil if it is not known. Past the header whatever is damaged ends the journal.
func Read(name string, secret []byte) (*Content, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	c, err := read(f, secret)
	if c != nil {
		c.Size, c.When = info.Size(), info.ModTime()
	}
	return c, err
}

// read reads a journal.
func read(in io.Reader, secret []byte) (*Content, error) {
	r := reader{in: bufio.NewReader(in)}
	h, err := r.header()
	if err != nil {
		return nil, err
	}
	c := &Content{Header: h}
	kind, b, err := r.record()
	if err != nil || kind != isBase || json.Unmarshal(b, &c.Base) != nil {
		return c, nil // there are no edits
	}
	if len(c.Base.Salt) > 0 {
		if r.seal, err = newSeal(secret, c.Base.Salt); err != nil {
			return nil, err
		}
	}
	for {
		kind, b, err := r.record()
		if errors.Is(err, ErrLocked) {
			if kind != isData && kind != isPast {
				c.Locked++
			}
			continue
		}
		if err != nil || c.take(&r, kind, b) != nil {
			return c, nil
		}
	}
}

// take takes a record after the base.
func (c *Content) take(r *reader, kind byte, b []byte) error {
	switch kind {
	case isData:
		r.data = append(r.data, b...)
		return nil
	case isPast:
		p := &c.Past
		if err := json.Unmarshal(b, p); err != nil {
			return err
		}
		if p.At < 0 || p.At > len(p.Steps) || len(c.Events) > 0 {
			return errDamaged
		}
		c.steps, c.at = slices.Clone(p.Steps), p.At
		return r.fill(p.Steps)
	}
	e := Event{}
	if err := json.Unmarshal(b, &e); err != nil {
		return err
	}
	e.Kind = Kind(kind)
	if e.Kind == Did {
		if e.Step == nil {
			return errDamaged
		}
		if err := r.fill([]*Step{e.Step}); err != nil {
			return err
		}
	}
	if err := c.happen(e); err != nil {
		return err
	}
	c.Events = append(c.Events, e)
	return nil
}

// happen follows what happens to the steps.
func (c *Content) happen(e Event) error {
	switch e.Kind {
	case Did:
		c.steps = append(c.steps[:c.at:c.at], e.Step)
		c.at++
		c.lead(e.Step, false)
	case Undid:
		if c.at == 0 {
			return errDamaged
		}
		c.at--
		c.lead(c.steps[c.at], true)
	case Redid:
		if c.at == len(c.steps) {
			return errDamaged
		}
		c.lead(c.steps[c.at], false)
		c.at++
	case Joined:
		return c.join(e)
	case Saving:
		c.Saved = e.Sum
	default:
		return errDamaged
	}
	return nil
}

// lead adds a step to what leads to the edited content. A step and its opposite are nothing.
func (c *Content) lead(s *Step, undone bool) {
	if n := len(c.Lead); n > 0 && c.Lead[n-1] == (Lead{s, !undone}) {
		c.Lead = c.Lead[:n-1]
		return
	}
	c.Lead = append(c.Lead, Lead{s, undone})
}

// join makes one step of those since one.
func (c *Content) join(e Event) error {
	if e.Since < 0 || e.Since >= c.at {
		return errDamaged
	}
	several := c.steps[e.Since:c.at]
	one := join(several, e.Label)
	c.steps, c.at = append(c.steps[:e.Since:e.Since], one), e.Since+1
	if n := len(c.Lead) - len(several); n >= 0 && c.Lead[n] == (Lead{several[0], false}) {
		c.Lead = append(c.Lead[:n:n], Lead{one, false})
	}
	return nil
}

// join makes one step of several.
func join(steps []*Step, label string) *Step {
	one := *steps[0]
	one.Label = label
	for _, s := range steps[1:] {
		one.Groups = append(slices.Clip(one.Groups), s.Groups...)
		one.Back = append(slices.Clip(one.Back), s.Back...)
		one.Ops = append(slices.Clip(one.Ops), s.Ops...)
		one.After, one.Is, one.Reopened, one.When = s.After, s.Is, one.Reopened || s.Reopened, s.When
	}
	return &one
}

// A reader reads records.
type reader struct {
	in   *bufio.Reader
	seal *seal
	data []byte // that no step has taken yet
}

func (r *reader) header() (h Header, err error) {
	b := make([]byte, len(magic))
	if _, err := io.ReadFull(r.in, b); err != nil || string(b) != magic {
		return h, errDamaged
	}
	kind, b, err := r.record()
	if err != nil || kind != isHeader || json.Unmarshal(b, &h) != nil {
		return h, errDamaged
	}
	return h, nil
}

// record reads a record. After ErrLocked the next one can be read.
func (r *reader) record() (kind byte, content []byte, err error) {
	var head [headSize]byte
	if _, err := io.ReadFull(r.in, head[:]); err != nil {
		return 0, nil, err
	}
	size := int64(binary.LittleEndian.Uint32(head[:]))
	if size > maxRecord {
		return 0, nil, errDamaged
	}
	content, err = io.ReadAll(io.LimitReader(r.in, size)) // which takes no memory for bytes that are not there
	if err != nil || int64(len(content)) < size {
		return 0, nil, errDamaged
	}
	kind = head[headSize-1]
	sum := crc32.Update(crc32.Checksum(head[headSize-1:], castagnoli), castagnoli, content)
	if sum != binary.LittleEndian.Uint32(head[4:]) {
		return kind, nil, errDamaged
	}
	if content, err = r.seal.open(kind, content); err != nil {
		return kind, nil, ErrLocked
	}
	return kind, content, nil
}

// fill gives the pieces of steps their data.
func (r *reader) fill(steps []*Step) error {
	if slices.Contains(steps, nil) {
		return errDamaged
	}
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
