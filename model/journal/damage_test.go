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

// TestEveryBit flips every bit of journals: what comes before the record with that bit is there, and what is missing is
// counted. Without its tally all is there.
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
	done, begun := 0, false
	check := func(from, to int, kind byte) {
		t.Helper()
		want, missing := modelOf(events[:done]).labels(), len(events)-done
		if kind == isTally {
			want, missing = modelOf(events).labels(), 0
		} else if !begun {
			want = nil
		}
		for at := from; at < to; at++ {
			if at > from+headSize && at%50 > 0 { // reading all takes longer
				continue
			}
			all[at] ^= 1 << (at % 8)
			c, err := read(all, secret)
			all[at] ^= 1 << (at % 8)
			if kind == isHeader {
				if err != errDamaged && err != errVersion {
					t.Fatalf("byte %d: %v", at, err)
				}
			} else if err != nil || !slices.Equal(labels(c), want) || c.Missing != missing || !c.Damaged || c.IsEmpty() || c.Path != "/saves/a.dat" {
				t.Fatalf("byte %d in %d to %d: %v; %q, want %q; %d are missing, want %d", at, from, to, err, labels(c), want, c.Missing, missing)
			}
		}
	}
	check(0, len(magic), isHeader)
	for at := len(magic); at < len(all); {
		r, size, ok := decode(all[at:])
		if !ok {
			t.Fatal("the journal is damaged")
		}
		check(at, at+size, r.kind)
		at += size
		if begun = begun || r.kind == isPast; r.kind != isData {
			done = int(r.event)
		}
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
			want := modelOf(events[:last.event]).labels()
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
			if err != nil || !slices.Equal(labels(c), want) || (c.Missing == 0) != whole || c.IsEmpty() != (whole && len(want) == 0) {
				t.Fatalf("%s, killed after %d bytes: %q, want %q; %d are missing, at an end: %v, %v", name, n, labels(c), want, c.Missing, whole, err)
			}
		}
	}
}

// A disk is a file that cannot be read from an offset on.
type disk struct {
	*bytes.Reader
	bad  int64
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
	n, err := d.Reader.ReadAt(p[:max(0, min(int64(len(p)), d.bad-off))], off)
	if err == nil && n < len(p) {
		err = d.err
	}
	return n, err
}

// TestReadFails: where a disk cannot be read in one place the steps before are there, and the error is known.
func TestReadFails(t *testing.T) {
	const page = 4096
	long := strings.Repeat("0123456789", 1000)
	all, err := os.ReadFile(create(t, nil, func(w *Writer) {
		for i := range 20 {
			w.Add(Event{Kind: Did, Step: step(fmt.Sprint("n", i), 0, 0, long)})
		}
	}))
	if err != nil {
		t.Fatal(err)
	}
	for at := int64(page); at < int64(len(all)); at += page {
		c, err := Read(&disk{Reader: bytes.NewReader(all), bad: at, err: syscall.EIO}, nil)
		if err != nil || !errors.Is(c.Err, syscall.EIO) || c.Missing == 0 || len(c.Lead)+c.Missing != 20 || len(c.Lead) < int(at)*20/len(all)-1 {
			t.Errorf("page %d: %v; %d steps, %d missing, %v", at/page, err, len(c.Lead), c.Missing, c.Err)
		}
	}
	if _, err := Read(&disk{Reader: bytes.NewReader(all), err: syscall.EACCES}, nil); !errors.Is(err, syscall.EACCES) {
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

// TestRandomDamage damages random sessions: what can be read is what was done up to one of the events, and what is missing
// is counted.
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
			for n := 1 + r.IntN(6); n > 0; n-- {
				b[r.IntN(len(b))] ^= 1 << r.IntN(8)
			}
			if r.IntN(3) == 0 {
				b = b[:r.IntN(len(b))]
			}
			c, err := read(b, nil)
			if err != nil {
				continue // nothing is left, or no record
			}
			read := len(c.Events)
			if want := modelOf(events[:read]).labels(); len(c.Past.Steps) > 0 && !slices.Equal(labels(c), want) {
				t.Fatalf("session %d: %q, want %q", i, labels(c), want)
			}
			if !bytes.Equal(b, all) && !c.Damaged || read < len(events) && c.Missing == 0 {
				t.Fatalf("session %d: %d of %d events, %d are missing, damaged: %v", i, read, len(events), c.Missing, c.Damaged)
			}
		}
	}
}
