package journal

import (
	"bytes"
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

// A model is the plain list of what is done, as the events tell it one by one.
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

// labels are those of the steps that are done after the events, or taken back in the past.
func (m *plainModel) labels() []string {
	flat := slices.Concat(m.done...)
	if len(flat) == 0 || flat[0] != "past" {
		return append([]string{"-past"}, flat...)
	}
	return flat[1:]
}

// modelOf follows events.
func modelOf(events []Event) *plainModel {
	m := &plainModel{done: [][]string{{"past"}}}
	for _, e := range events {
		m.happen(e)
	}
	return m
}

// sessions are what is done in some journals.
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

// journalOf is a journal of events, with where each of its records ends, and the number of events up
// to there.
func journalOf(t testing.TB, events []Event, secret []byte) (all []byte, ends []int, upTo map[int]int) {
	t.Helper()
	all, err := os.ReadFile(create(t, secret, func(w *Writer) {
		for _, e := range events {
			w.Add(e)
		}
	}))
	if err != nil {
		t.Fatal(err)
	}
	n, sum, upTo := 0, uint32(0), map[int]int{}
	for rest := all[len(magic)+tallySize:]; len(rest) > 0; {
		r, after, ok := decode(rest, sum)
		if !ok {
			t.Fatal("the journal is damaged")
		}
		if r.kind == byte(Did) || r.kind == byte(Undid) || r.kind == byte(Redid) || r.kind == byte(Joined) {
			n++
		}
		rest, sum = after, r.sum
		end := len(all) - len(rest)
		ends, upTo[end] = append(ends, end), n
	}
	return all, ends, upTo
}

// TestEveryBit flips every bit of journals: all is there that precedes the record with that bit, and what
// is missing is counted.
func TestEveryBit(t *testing.T) {
	for name, events := range sessions() {
		for _, secret := range [][]byte{nil, []byte("the key of the file")} {
			if secret != nil && name != "joined" && name != "past" {
				continue
			}
			all, ends, upTo := journalOf(t, events, secret)
			before := 0
			for k, end := range ends {
				from := len(magic) + tallySize
				if k > 0 {
					from, before = ends[k-1], upTo[ends[k-1]]
				}
				want, missing := []string(nil), len(events)-before
				if k > 3 { // the header, the base, its data and the past
					want = modelOf(events[:before]).labels()
				}
				for bit := from * 8; bit < end*8; bit++ {
					if i := bit/8 - from; bit%8 != i%8 { // reading all takes longer
						continue
					}
					all[bit/8] ^= 1 << (bit % 8)
					c, err := read(all, secret)
					all[bit/8] ^= 1 << (bit % 8)
					if k == 0 && err != nil {
						continue // it is not known whose journal it is
					}
					if err != nil || !slices.Equal(labels(c), want) || c.Missing != missing || !c.Damaged || c.IsEmpty() || c.Path != "/saves/a.dat" {
						t.Fatalf("%s, bit %d of record %d: %v; %q, want %q; %d are missing, want %d", name, bit-from*8, k, err, labels(c), want, c.Missing, missing)
					}
				}
			}
			for bit := len(magic) * 8; bit < (len(magic)+tallySize)*8; bit++ {
				all[bit/8] ^= 1 << (bit % 8)
				c, err := read(all, secret)
				all[bit/8] ^= 1 << (bit % 8)
				if err != nil || !slices.Equal(labels(c), modelOf(events).labels()) || c.Missing != 0 || !c.Damaged {
					t.Fatalf("%s, bit %d of the tally: %v; %q, %+v", name, bit, err, labels(c), c)
				}
			}
		}
	}
}

// TestCut cuts journals at every byte: all steps are there that are whole, and it is said how many are
// not, also where the cut is between two records. Where the program ended before it had counted what
// it wrote, only a step that is not whole is missing.
func TestCut(t *testing.T) {
	for name, events := range sessions() {
		all, ends, upTo := journalOf(t, events, nil)
		for n := range len(all) + 1 {
			k, isEnd := slices.BinarySearch(ends, n)
			if !isEnd {
				k--
			}
			if k < 0 {
				if c, err := read(all[:n], nil); err == nil {
					t.Fatalf("%d bytes: taken for %+v", n, c)
				}
				continue
			}
			last := upTo[ends[k]]
			want, whole := []string(nil), isEnd && k == 0 // no edit was made
			if k >= 3 {
				want = modelOf(events[:last]).labels()
				whole = isEnd && all[ends[k-1]+4] != isData
			}
			c, err := read(all[:n], nil)
			if err != nil || !slices.Equal(labels(c), want) || c.Missing != len(events)-last && n < len(all) && c.Missing != 1 || c.Damaged != (n < len(all)) {
				t.Fatalf("%s, cut to %d bytes: %v; %q, want %q; %d of %d are missing, damaged: %v", name, n, err, labels(c), want, c.Missing, len(events)-last, c.Damaged)
			}
			killed := slices.Concat(all[:len(magic)], tallied(last), all[len(magic)+tallySize:n])
			c, err = read(killed, nil)
			if err != nil || !slices.Equal(labels(c), want) || (c.Missing == 0) != whole || c.IsEmpty() != (whole && len(want) == 0) {
				t.Fatalf("%s, killed after %d bytes: %q, want %q; %d are missing, at an end: %v, %v", name, n, labels(c), want, c.Missing, whole, err)
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

// TestReadFails: where a disk cannot be read the steps before are there, and the error
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
	const pageSize = 4096
	for page := range int64(len(all)+pageSize-1) / pageSize {
		bad := func(from, to int64) bool { return to > page*pageSize }
		c, err := Read(&disk{Reader: bytes.NewReader(all), bad: bad, err: syscall.EIO}, nil)
		if page == 0 && errors.Is(err, syscall.EIO) { // nor is its header there
			continue
		}
		if err != nil || !errors.Is(c.Err, syscall.EIO) || c.Missing == 0 || len(c.Lead)+c.Missing != 20 {
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

// TestOtherVersion: a journal of another version is no damaged one.
func TestOtherVersion(t *testing.T) {
	for content, want := range map[string]error{"varview journal 1\nxyz": ErrVersion, "varview journal 33\n": ErrVersion, "varview jour": errDamaged, "PNG": errDamaged} {
		if _, err := read([]byte(content), nil); err != want {
			t.Errorf("%q: %v", content, err)
		}
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

// TestRandomDamage damages random sessions: what is left is what some of the first events did, and
// the others are counted.
func TestRandomDamage(t *testing.T) {
	r := rand.New(rand.NewPCG(28, 3))
	for i := range 40 {
		events := randomSession(r, 3+r.IntN(40))
		all, _, _ := journalOf(t, events, nil)
		for range 20 {
			b := bytes.Clone(all)
			for n := 1 + r.IntN(7); n > 0; n-- {
				b[len(magic)+tallySize+r.IntN(len(b)-len(magic)-tallySize)] ^= 1 << r.IntN(8)
			}
			if r.IntN(4) == 0 {
				b = b[:len(magic)+tallySize+r.IntN(len(b)-len(magic)-tallySize)]
			}
			c, err := read(b, nil)
			if err != nil {
				continue // its header cannot be read
			}
			var want []string
			if c.Past.Steps != nil {
				want = modelOf(events[:len(c.Events)]).labels()
			}
			if !slices.Equal(labels(c), want) || c.Missing != max(len(events)-len(c.Events), btoi(!bytes.Equal(b, all))) || c.Damaged == bytes.Equal(b, all) {
				t.Fatalf("session %d: %q, want %q; %d are missing of %d", i, labels(c), want, c.Missing, len(events)-len(c.Events))
			}
		}
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
