package journal

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"varview/model/patch"
)

// labels names the steps that lead to the edited content, with - where one is taken back. Those that
// were joined are named each.
func labels(c *Content) (all []string) {
	for _, l := range c.Lead {
		for _, op := range l.Step.Ops {
			name := strings.TrimPrefix(op.Path, "$.")
			if l.Undone {
				name = "-" + name
			}
			all = append(all, name)
		}
	}
	return all
}

// A model is the plain list of what is done, according to the events one by one.
type plainModel struct {
	done, undone [][]string
}

func (m *plainModel) happen(e Event) {
	n := len(m.done)
	switch e.Kind {
	case Did:
		m.done, m.undone = append(m.done, []string{e.Step.Label}), nil
	case Undid:
		m.undone = append(m.undone, m.done[n-1])
		m.done = m.done[:n-1]
	case Redid:
		k := len(m.undone) - 1
		m.done = append(m.done, m.undone[k])
		m.undone = m.undone[:k]
	case Joined:
		one := slices.Concat(m.done[e.Since:]...)
		m.done, m.undone = append(m.done[:e.Since:e.Since], one), nil
	}
}

// labels are those of the steps that are done after the events, or taken back in the past, but for one.
func (m *plainModel) labels(without string) (all []string) {
	flat := slices.Concat(m.done...)
	if len(flat) == 0 || flat[0] != "past" {
		all = append(all, "-past")
	} else {
		flat = flat[1:]
	}
	for _, name := range flat {
		if name != without {
			all = append(all, name)
		}
	}
	return all
}

// modelOf follows events.
func modelOf(events []Event) *plainModel {
	m := &plainModel{done: [][]string{{"past"}}}
	for _, e := range events {
		m.happen(e)
	}
	return m
}

// sessions are the contents of some journals.
func sessions() map[string][]Event {
	did := func(label string) Event { return Event{Kind: Did, Step: step(label, 1, 0, "bytes of "+label)} }
	undid, redid := Event{Kind: Undid}, Event{Kind: Redid}
	join := func(since int) Event { return Event{Kind: Joined, Since: since, Label: "joined"} }
	return map[string][]Event{
		"edits":   {did("a"), did("b"), did("c"), did("d")},
		"undone":  {did("a"), did("b"), undid, did("c"), undid, redid, did("d"), undid, undid, did("e")},
		"redone":  {did("a"), did("b"), undid, redid, did("c")},
		"joined":  {did("a"), did("b"), did("c"), join(2), did("d"), undid, undid, redid, did("e"), did("f"), join(1), did("g")},
		"past":    {undid, redid, did("a"), undid, undid, did("b"), did("c")},
		"nothing": {did("a"), undid, did("b"), undid},
	}
}

// TestEveryBit flips every bit of journals: no step is missing that is not in the record with
// that bit, and what is missing is counted.
func TestEveryBit(t *testing.T) {
	for name, events := range sessions() {
		for _, secret := range [][]byte{nil, []byte("the key of the file")} {
			if secret != nil && name != "joined" && name != "past" {
				continue
			}
			t.Run(fmt.Sprint(name, len(secret)), func(t *testing.T) { flipEveryBit(t, events, secret) })
		}
	}
}

func flipEveryBit(t *testing.T, events []Event, secret []byte) {
	all, err := os.ReadFile(create(t, secret, func(w *Writer) {
		for _, e := range events {
			w.Add(e)
		}
	}))
	if err != nil {
		t.Fatal(err)
	}
	at := len(magic)
	there, _ := records(all)
	check := func(from, to int, want []string, missing int) {
		t.Helper()
		for bit := from * 8; bit < to*8 && !t.Failed(); bit++ {
			all[bit/8] ^= 1 << (bit % 8)
			left, _ := records(all)
			if lost := len(there) - len(left); lost > 1 || lost == 1 && from == 0 {
				t.Errorf("bit %d of byte %d: %d records cannot be read", bit%8, bit/8, lost)
			}
			if i := bit/8 - from; bit%8 != i%8 || i%3 > 0 || i > headSize && i%50 > 0 { // reading all takes longer
				all[bit/8] ^= 1 << (bit % 8)
				continue
			}
			c, err := read(all, secret)
			all[bit/8] ^= 1 << (bit % 8)
			if err != nil || !slices.Equal(labels(c), want) || c.Missing != missing || !c.Damaged || c.IsEmpty() || c.Path != "/saves/a.dat" {
				t.Errorf("bit %d of byte %d in %d to %d: %v; %q, want %q; %d are missing, want %d", bit%8, bit/8, from, to, err, labels(c), want, c.Missing, missing)
			}
		}
	}
	whole := modelOf(events).labels("")
	check(0, at, whole, 0)
	for at < len(all) {
		r, size, ok := decode(all[at:])
		if !ok {
			t.Fatal("the journal is damaged")
		}
		want, missing := whole, 0
		switch n := int(r.event); {
		case n > 0 && r.kind == byte(Did) && n < len(events):
			lost := events[n-1].Step.Label
			if slices.Contains(whole, lost) {
				want, missing = modelOf(events).labels(lost), 1
			}
		case r.kind == isPast && len(whole) > 0 && whole[0] == "-past": // what was undone is not known
			want, missing = whole[1:], 1
		}
		if int(r.event) == len(events) && r.kind != isData { // nothing tells what it was
			want, missing = modelOf(events[:len(events)-1]).labels(""), 1
		}
		check(at, at+size, want, missing)
		at += size
	}
}

// TestCut cuts journals at every byte: all steps are there that are whole, and it is said how many are
// not, also where the cut is between two records. Where the program ended before it had counted what
// it wrote, only a step that is not whole is missing.
func TestCut(t *testing.T) {
	for name, events := range sessions() {
		all, err := os.ReadFile(create(t, nil, func(w *Writer) {
			for _, e := range events {
				w.Add(e)
			}
		}))
		if err != nil {
			t.Fatal(err)
		}
		type end struct{ next, event uint32 }
		ends, tallyEnds := map[int]end{}, 0 // of records after which nothing is missing
		for at := len(magic); at < len(all); {
			r, size, _ := decode(all[at:])
			at += size
			if r.kind == isTally {
				tallyEnds = at
			}
			if r.kind != isData && r.kind != isBase && r.kind != isHeader {
				ends[at] = end{r.number + 1, r.event}
			}
		}
		last := end{firstBase, 0}
		for n := range len(all) + 1 {
			e, whole := ends[n]
			if whole {
				last = e
			}
			if n < tallyEnds {
				if c, err := read(all[:n], nil); err == nil && !c.Damaged {
					t.Fatalf("%d bytes: taken for empty", n)
				}
				continue
			}
			if n%8 > 0 && !whole { // reading all takes longer
				continue
			}
			want := modelOf(events[:last.event]).labels("")
			cut, err := read(all[:n], nil)
			if err != nil {
				t.Fatalf("%s, %d bytes: %v", name, n, err)
			}
			lost := len(events) - int(last.event)
			if last.next == firstBase && n > tallyEnds+headSize { // nor is the past there
				lost++
			}
			if !slices.Equal(labels(cut), want) || cut.Missing < min(lost, len(events)) || cut.Missing > max(lost, 1) || cut.Damaged != (n < len(all)) {
				t.Fatalf("%s, cut to %d bytes: %q, want %q; %d are missing, want %d; damaged: %v", name, n, labels(cut), want, cut.Missing, lost, cut.Damaged)
			}
			killed := slices.Clone(all[:n])
			tally := record{id: binary.LittleEndian.Uint32(all[len(magic)+4:]), number: tallyAt, kind: isTally}
			counted := binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, last.next), last.event)
			copy(killed[tallyEnds-headSize-len(counted):], tally.encode(counted, nil))
			c, err := read(killed, nil)
			if err != nil || !slices.Equal(labels(c), want) || (c.Missing == 0) != whole || !c.Exact || c.IsEmpty() != (whole && len(want) == 0) {
				t.Fatalf("%s, killed after %d bytes: %q, want %q; %d are missing, at an end: %v, exact: %v, %v", name, n, labels(c), want, c.Missing, whole, c.Exact, err)
			}
		}
	}
}

// A disk is a file that cannot be read in places.
type disk struct {
	*bytes.Reader
	bad  func(from, to int64) bool
	err  error
	stat error
}

func (d *disk) Close() error { return nil }
func (d *disk) Stat() (os.FileInfo, error) {
	f, err := os.Open(os.DevNull)
	if err != nil || d.stat != nil {
		return nil, errors.Join(err, d.stat)
	}
	defer f.Close()
	info, err := f.Stat()
	return sized{info, d.Reader.Size()}, err
}

type sized struct {
	os.FileInfo
	size int64
}

func (s sized) Size() int64        { return s.size }
func (s sized) ModTime() time.Time { return time.Time{} }

func (d *disk) ReadAt(p []byte, off int64) (int, error) {
	if d.bad(off, off+int64(len(p))) {
		return 0, d.err
	}
	return d.Reader.ReadAt(p, off)
}

// TestReadFails: where a disk cannot be read in one place the other steps are there, and the error
// is known.
func TestReadFails(t *testing.T) {
	long := strings.Repeat("0123456789", 1000)
	all, err := os.ReadFile(create(t, nil, func(w *Writer) {
		for i := range 20 {
			s := step(fmt.Sprint("n", i), 0, 0, long)
			s.Ops[0].New, s.Ops[0].Long = "", true
			w.Add(Event{Kind: Did, Step: s})
		}
	}))
	if err != nil {
		t.Fatal(err)
	}
	for page := range int64(len(all)+pageSize-1) / pageSize {
		bad := func(from, to int64) bool { return from < (page+1)*pageSize && to > page*pageSize }
		c, err := Read(&disk{Reader: bytes.NewReader(all), bad: bad, err: syscall.EIO}, nil)
		if page == 0 && err == nil && len(c.Lead) >= 18 { // the base is there
			continue
		}
		if err != nil || !errors.Is(c.Err, syscall.EIO) || c.Missing == 0 || len(c.Lead)+c.Missing != 20 || c.Missing > 2 {
			t.Errorf("page %d: %v; %d steps, %d missing, %v", page, err, len(c.Lead), c.Missing, c.Err)
		}
	}
	everywhere := func(int64, int64) bool { return true }
	if _, err := Read(&disk{Reader: bytes.NewReader(all), bad: everywhere, err: syscall.EACCES}, nil); !errors.Is(err, syscall.EACCES) {
		t.Error(err)
	}
	if _, err := Read(&disk{Reader: bytes.NewReader(all), stat: io.ErrUnexpectedEOF}, nil); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
}

// TestOtherVersion: a journal of another version does not count as damaged.
func TestOtherVersion(t *testing.T) {
	for content, want := range map[string]error{"varview journal 1\nxyz": errVersion, "varview journal 33\n": errVersion, "varview jour": errDamaged, "PNG": errDamaged} {
		if _, err := read([]byte(content), nil); err != want {
			t.Errorf("%q: %v", content, err)
		}
	}
}

// TestManyMissing: of many steps of which a range cannot be read the others are known, and
// how many are missing.
func TestManyMissing(t *testing.T) {
	var ends []int
	all, err := os.ReadFile(create(t, nil, func(w *Writer) {
		for i := range 20 {
			w.Add(Event{Kind: Did, Step: step(fmt.Sprint("n", i), 0, 0, "x")})
		}
	}))
	if err != nil {
		t.Fatal(err)
	}
	for at := len(magic); at < len(all); {
		r, size, _ := decode(all[at:])
		if at += size; r.kind == byte(Did) {
			ends = append(ends, at)
		}
	}
	clear(all[ends[3]:ends[14]])
	c, err := read(all, nil)
	if err != nil || c.Missing != 11 || len(c.Lead) != 9 || c.Lead[3].Apart || !c.Lead[4].Apart || c.Edits() != 20 || c.Exact {
		t.Errorf("%v: %d missing, %q", err, c.Missing, labels(c))
	}
	if ops := c.Ops(); len(ops) != 9 || ops[8] != (patch.Op{Kind: patch.Set, Path: "$.n19", Old: "1", New: "x"}) {
		t.Errorf("%+v", ops)
	}
}

// randomSession is a number of random events that are possible one after the other.
func randomSession(r *rand.Rand, n int) (events []Event) {
	m := modelOf(nil)
	for len(events) < n {
		e := Event{Kind: Did, Step: step(fmt.Sprint("s", len(events)), 1, 0, "x")}
		switch r.IntN(8) {
		case 0, 1:
			if len(m.done) == 0 {
				continue
			}
			e = Event{Kind: Undid}
		case 2:
			if len(m.undone) == 0 {
				continue
			}
			e = Event{Kind: Redid}
		case 3:
			since := len(m.done) - 2 - r.IntN(3)
			if since < 1 || len(m.undone) > 0 {
				continue
			}
			e = Event{Kind: Joined, Since: since, Label: "joined"}
		}
		m.happen(e)
		events = append(events, e)
	}
	return events
}

// TestRandomDamage damages records of random sessions: no step is offered that was undone, and
// with what is missing there are as many as were done. Where one record is damaged,
// that one alone is missing at most.
func TestRandomDamage(t *testing.T) {
	r := rand.New(rand.NewPCG(28, 3))
	for i := range 40 {
		events := randomSession(r, 3+r.IntN(40))
		all, err := os.ReadFile(create(t, nil, func(w *Writer) {
			for _, e := range events {
				w.Add(e)
			}
		}))
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			b := bytes.Clone(all)
			several := r.IntN(3) > 0
			for n := 1 + r.IntN(1+6*btoi(several)); n > 0; n-- {
				b[r.IntN(len(b))] ^= 1 << r.IntN(8)
			}
			if several && r.IntN(3) == 0 {
				at := r.IntN(len(b))
				clear(b[at:min(len(b), at+r.IntN(4000))])
			}
			if several && r.IntN(4) == 0 {
				b = b[:r.IntN(len(b))]
			}
			c, err := read(b, nil)
			if err != nil {
				if several {
					continue // nothing is left, or no record
				}
				t.Fatal(err)
			}
			lead, kept := labels(c), lastEvent(b)
			done := modelOf(events[:kept]) // what those events have done of which the last is there
			truth, missing := done.labels(""), 0
			for _, unit := range append(done.done, []string{"-past"}) { // what is joined counts as one if nothing is left of it
				if slices.Contains(truth, unit[0]) && !slices.ContainsFunc(unit, func(name string) bool { return slices.Contains(lead, name) }) {
					missing++
				}
			}
			if missing > c.Missing || !several && len(truth)-len(lead) > 1 {
				t.Fatalf("session %d: %q of %q, %d are missing", i, lead, truth, c.Missing)
			}
			for _, name := range lead {
				if !slices.Contains(truth, name) {
					t.Fatalf("session %d: %s is offered; %q of %q", i, name, lead, truth)
				}
			}
			if !bytes.Equal(b, all) && !c.Damaged && (kept == len(events) || c.IsEmpty() && len(truth) > 0) {
				t.Fatalf("session %d: not noticed", i)
			}
		}
	}
}

// lastEvent is the number of the last event that can be read.
func lastEvent(b []byte) (last int) {
	all, _ := records(b)
	for _, r := range all {
		if r.kind != isData {
			last = max(last, int(r.event))
		}
	}
	return last
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
