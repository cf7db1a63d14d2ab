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
	Lead   []Lead    // steps from the base to the edited content, as far as they can be read
	Saved  string    // sum of the file if everything was saved; otherwise ""
	Locked int       // number of records encrypted with a key that was not given

	Missing int   // number of steps to the edited content, or of records, that cannot be read
	Damaged bool  // something cannot be read, though not necessarily a step
	Exact   bool  // Past and Events lead to all of Lead, and nothing is missing before its end
	Err     error // read error of the disk
}

// A Lead is a step that is done, or one that is done in the base and undone since.
type Lead struct {
	Step   *Step
	Undone bool
	Apart  bool // a step before it cannot be read
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

// Sizes returns the sizes in bytes of the step's buffer before and after it.
func (l *Lead) Sizes() (before, after int64) {
	if l.Undone {
		return l.Step.Is, l.Step.Was
	}
	return l.Step.Was, l.Step.Is
}

// Edits returns the number of edits that are not in the base, as far as it is known.
func (c *Content) Edits() int { return max(len(c.Lead)+c.Missing, c.Locked) }

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
	b, err := readAll(f, 64<<10)
	if err != nil {
		return Header{}, err
	}
	c, err := read(b, nil)
	if err == nil && c.Path == "" {
		err = errDamaged
	}
	if err != nil {
		return Header{}, err
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
	r := reader{c: &Content{Exact: true}, secret: secret, next: all[0].number, known: map[int]unit{}}
	for i := range all {
		r.take(&all[i])
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
	dataOf uint32 // event to which the data belongs
	event  int    // number of the last event that was read
	next   uint32 // number of the expected record
	tally  *tally // nil if there is none
	past   bool   // there is a past
	stack  stack
	known  map[int]unit // units by the event that made them
	base   []*Step      // steps that are done in the base
}

// A tally counts what was written: the number of the next record, and of the last event.
type tally struct{ next, event uint32 }

// take processes a record.
func (r *reader) take(x *record) {
	c := r.c
	c.Damaged = c.Damaged || x.after
	if x.number > firstPast && (c.Base.Sum == "" || x.number > max(r.next, firstPast)) {
		c.Exact = false
	}
	r.past = r.past || x.kind == isPast
	b, err := x.open(r.seal)
	switch {
	case err == nil:
		err = r.takeContent(x, b)
	case err == errLocked && x.kind != isData && x.kind != isPast:
		if x.kind != byte(Saving) {
			c.Missing += max(0, int(x.event)-r.event-1)
			r.event = int(x.event)
		}
		c.Locked++
	}
	if err != nil {
		c.Exact = false
		c.Damaged = c.Damaged || err != errLocked
	}
}

// takeContent processes what a record holds.
func (r *reader) takeContent(x *record, b []byte) error {
	switch x.kind {
	case isHeader:
		return json.Unmarshal(b, &r.c.Header)
	case isTally:
		if len(b) == 8 {
			r.tally = &tally{binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:])}
			return nil
		}
	case isBase:
		return r.takeBase(b)
	case isData:
		if r.dataOf != x.event {
			r.data, r.dataOf = nil, x.event
		}
		r.data = append(r.data, b...)
		return nil
	case isPast:
		return r.takePast(b)
	case byte(Saving):
		e := Event{}
		err := json.Unmarshal(b, &e)
		r.c.Saved = e.Sum
		return err
	}
	r.c.Saved = ""
	return r.happen(x, b)
}

// takeBase processes the base, which is there twice.
func (r *reader) takeBase(b []byte) error {
	c := r.c
	if c.Base.Sum != "" {
		return nil
	}
	if err := json.Unmarshal(b, &c.Base); err != nil {
		return err
	}
	if c.Path == "" {
		c.Header = c.Base.Header
	}
	if c.Base.At < 0 || c.Base.At > c.Base.Steps || c.Base.Steps > maxSteps {
		c.Base.At, c.Base.Steps = 0, 0
		return errDamaged
	}
	r.begin(c.Base.Steps, c.Base.At)
	if len(c.Base.Salt) == 0 {
		return nil
	}
	var err error
	r.seal, err = newSeal(r.secret, c.Base.Salt)
	return err
}

// begin begins with steps that are not known yet.
func (r *reader) begin(steps, at int) {
	r.stack.begin(steps, max(0, at))
	for _, u := range r.stack.units[:r.stack.at] {
		r.base = append(r.base, u.steps...)
	}
}

// takePast processes the steps that are in the base.
func (r *reader) takePast(b []byte) error {
	p := Past{}
	if err := json.Unmarshal(b, &p); err != nil {
		return err
	}
	if p.At != r.c.Base.At || len(p.Steps) != len(r.stack.units) || r.event > 0 {
		return errDamaged
	}
	if slices.Contains(p.Steps, nil) {
		return errDamaged
	}
	err := r.fill(0, p.Steps)
	for i, s := range p.Steps {
		s.torn = err != nil
		*r.stack.units[i].steps[0] = *s
		p.Steps[i] = r.stack.units[i].steps[0]
	}
	r.c.Past = p
	return err
}

// catchUp begins with an event if it is the first, and notes the events before it that are missing.
func (r *reader) catchUp(n int, e *Event) {
	if r.c.Base.Sum == "" && len(r.stack.units) == 0 {
		r.begin(max(0, min(e.At-n+1, maxSteps)), e.At-n+1)
	}
	if n != r.event+1 || e.At != r.stack.at || !slices.Equal(e.On, r.stack.tops()) {
		r.stack.catchUp(n-r.event-1, *e, r.known)
		r.c.Damaged, r.c.Exact = true, false
	}
}

// happen processes an event.
func (r *reader) happen(x *record, b []byte) error {
	e := Event{}
	err := json.Unmarshal(b, &e)
	e.Kind = Kind(x.kind)
	n := int(x.event)
	if err == nil {
		r.catchUp(n, &e)
	}
	r.event = int(x.event)
	if err != nil || e.Kind == Did && e.Step == nil {
		return errDamaged
	}
	if e.Kind == Did && r.fill(x.event, []*Step{e.Step}) != nil {
		e.Step.torn, r.c.Damaged, r.c.Exact = true, true, false
	}
	if e.Kind == Redid && r.stack.at == len(r.stack.units) { // it was undone, and cannot be read
		r.stack.push(0, &Step{lost: true})
	} else if err := r.stack.happen(e, r.event, e.Step); err != nil {
		return err
	}
	if e.Kind == Did || e.Kind == Joined {
		r.known[n] = r.stack.units[r.stack.at-1]
	}
	if r.c.Exact {
		r.c.Events = append(r.c.Events, e)
	}
	return nil
}

// lead lists the steps that lead to the edited content, and counts those that are missing.
func (r *reader) lead() {
	for _, l := range r.stack.lead(r.base) {
		if l.Step.isUnknown() {
			r.c.Missing++
			continue
		}
		l.Apart = r.c.Missing > 0
		r.c.Lead = append(r.c.Lead, l)
	}
}

// end finds out what leads to the edited content. cut says that the last bytes cannot be read.
func (r *reader) end(cut bool) {
	c := r.c
	if c.Locked == 0 {
		r.lead()
	}
	if c.Base.Sum == "" && r.event > 0 { // it is unknown what was undone before
		c.Missing++
	}
	missing := 0 // number of missing events at the end
	if r.tally == nil {
		c.Damaged = true
	} else if r.next < r.tally.next { // an event, or a note that everything was saved
		missing = max(0, int(r.tally.event)-r.event)
		c.Damaged, c.Saved = true, ""
		c.Missing += missing
	}
	begun := c.Base.Sum != "" && !r.past && r.event == 0
	if cut && missing == 0 || begun || missing == 0 && len(r.data) > 0 && int(r.dataOf) > r.event { // part of a step that was not completely written
		c.Missing++
		c.Damaged, c.Saved = true, ""
	}
}

// join joins several steps into one.
func join(steps []*Step, label string) *Step {
	one := *steps[0]
	one.Label = label
	for _, s := range steps[1:] {
		one.Groups = append(slices.Clip(one.Groups), s.Groups...)
		one.Back = append(slices.Clip(one.Back), s.Back...)
		one.Ops = append(slices.Clip(one.Ops), s.Ops...)
		one.After, one.Is, one.Reopened, one.When = s.After, s.Is, one.Reopened || s.Reopened, s.When
		one.torn = one.torn || s.torn
	}
	return &one
}

// fill attaches the data to the pieces of an event's steps.
func (r *reader) fill(event uint32, steps []*Step) error {
	data := r.data
	r.data = nil
	if r.dataOf != event {
		data = nil
	}
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
