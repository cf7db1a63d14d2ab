package source

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"varview/decoder/engine/span"
)

// content is all bytes of a source.
func content(t testing.TB, p *Pieces) []byte {
	b := make([]byte, p.Size())
	if n, err := p.ReadAt(b, 0); err != nil {
		t.Fatalf("%d of %d bytes: %v", n, len(b), err)
	}
	return b
}

// randomSplices is an edit of size bytes.
func randomSplices(r *rand.Rand, size int64) (splices []Splice) {
	for at := r.Int64N(size + 1); at <= size && len(splices) < r.IntN(5); {
		s := Splice{Span: span.Span{Offset: at, Length: r.Int64N(min(size-at, 9) + 1)}}
		if n := r.IntN(12); n > 0 {
			b := make([]byte, n-1)
			for i := range b {
				b[i] = byte(r.IntN(3))
			}
			s.New = Memory(b)
		}
		splices = append(splices, s)
		at = s.End() + r.Int64N(6)*r.Int64N(9)
	}
	return splices
}

// spliced returns bytes in memory after an edit.
func spliced(t testing.TB, b []byte, splices []Splice) []byte {
	var edited []byte
	at := int64(0)
	for _, s := range splices {
		edited = append(edited, b[at:s.Offset]...)
		if s.New != nil {
			edited = append(edited, content(t, s.New)...)
		}
		at = s.End()
	}
	return append(edited, b[at:]...)
}

// TestPieces makes random edits, compares them with the same edits of bytes in memory, and undoes them.
func TestPieces(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 7))
		base := make([]byte, r.IntN(60))
		for i := range base {
			base[i] = byte(r.IntN(3))
		}
		src := &struct{ Bytes }{base} // as a file: not in memory
		p, want := Whole(src), base
		for range 12 {
			splices := randomSplices(r, p.Size())
			was := want
			want = spliced(t, want, splices)
			e := p.Splice(splices)
			if got := content(t, e); !bytes.Equal(got, want) || e.Size() != int64(len(want)) {
				t.Fatalf("%v, not %v", got, want)
			}
			if back := content(t, e.Splice(p.Inverse(splices))); !bytes.Equal(back, was) {
				t.Fatalf("back to %v, not %v", back, was)
			}
			checkSlices(t, r, e, want)
			checkMinimal(t, p, was, splices, want)
			checkMap(t, splices, was, want)
			since := e.Since(src)
			if got := content(t, Whole(src).Splice(since)); !bytes.Equal(got, want) {
				t.Fatalf("since then: %v, not %v", got, want)
			}
			inOrder(t, since, int64(len(base)))
			p = e
		}
	}
}

func inOrder(t testing.TB, splices []Splice, size int64) {
	at := int64(0)
	for _, s := range splices {
		if s.Offset < at || s.Length < 0 || s.End() > size {
			t.Fatalf("splices %v of %d bytes", splices, size)
		}
		at = s.End()
	}
}

// checkSlices reads parts of the whole in several ways.
func checkSlices(t testing.TB, r *rand.Rand, p *Pieces, want []byte) {
	size := p.Size()
	from := r.Int64N(size + 1)
	to := from + r.Int64N(size-from+1)
	if got := content(t, p.Slice(span.Between(from, to))); !bytes.Equal(got, want[from:to]) {
		t.Fatalf("slice %d–%d: %v", from, to, got)
	}
	b := make([]byte, to-from+3)
	n, err := p.ReadAt(b, from)
	if most := min(int(size-from), len(b)); n != most || !bytes.Equal(b[:n], want[from:int(from)+n]) || (n < len(b)) != (err == io.EOF) {
		t.Fatalf("at %d of %d: %d bytes, %v", from, size, n, err)
	}
	at := int64(0)
	p.List(func(off int64, piece Piece) bool {
		if off != at || piece.Length <= 0 {
			t.Fatalf("piece %v at %d, not %d", piece.Span, off, at)
		}
		at += piece.Length
		return true
	})
	if at != size {
		t.Fatalf("pieces up to %d of %d", at, size)
	}
}

// checkMinimal checks that a minimal edit has the same result, and changes no byte that stays.
func checkMinimal(t testing.TB, p *Pieces, was []byte, splices []Splice, want []byte) {
	least, err := p.Minimal(splices)
	if err != nil || !bytes.Equal(spliced(t, was, least), want) {
		t.Fatalf("minimal: %v %v", least, err)
	}
	inOrder(t, least, p.Size())
	for _, s := range least {
		old, is := was[s.Offset:s.End()], []byte(nil)
		if s.New != nil {
			is = content(t, s.New)
		}
		switch {
		case len(old) == 0 && len(is) == 0:
			t.Fatal("a splice of nothing")
		case len(old) == 0 || len(is) == 0:
		case old[0] == is[0], old[len(old)-1] == is[len(is)-1]:
			t.Fatalf("%v for %v", is, old)
		}
	}
}

// checkMap follows bytes: each that stays is where Map says.
func checkMap(t testing.TB, splices []Splice, was, is []byte) {
	last := int64(0)
	for off := range int64(len(was)) + 1 {
		at := Map(splices, off)
		if got := NewMapping(splices).Map(off); got != at {
			t.Fatalf("%d is mapped to %d and to %d", off, at, got)
		}
		if at < last || at > int64(len(is)) {
			t.Fatalf("%d is at %d, behind one at %d of %d", off, at, last, len(is))
		}
		last = at
		if stays := !slices.ContainsFunc(splices, func(s Splice) bool { return s.Contains(off) }); stays {
			if off < int64(len(was)) && was[off] != is[at] || off == int64(len(was)) && at != int64(len(is)) {
				t.Fatalf("%d is not at %d", off, at)
			}
		}
	}
}

func TestMap(t *testing.T) {
	splices := []Splice{Put(2, 0, []byte("abc")), Put(4, 2, []byte("d")), Put(8, 0, []byte("e")), Put(8, 1, nil)}
	for i, want := range []int64{0, 1, 5, 6, 7, 8, 8, 9, 11, 11, 12} {
		if got := Map(splices, int64(i)); got != want {
			t.Errorf("%d is at %d, not %d", i, got, want)
		}
	}
}

// TestPieceHoles: a hole keeps its place among the bytes around it, and is cut together with its piece.
func TestPieceHoles(t *testing.T) {
	holed := &holed{Bytes: random(100), hole: span.Between(40, 60)}
	for _, c := range []struct {
		from, to int64 // offsets in the source with the hole, after 10 other bytes
		at       int64 // where is read, of the whole
		n        int
		hole     span.Span
	}{
		{0, 100, 0, 50, span.Between(50, 70)},
		{30, 100, 10, 10, span.Between(20, 40)},
		{30, 50, 10, 10, span.Between(20, 30)},
		{45, 100, 0, 10, span.Between(10, 25)},
		{45, 100, 12, 0, span.Between(10, 25)},
	} {
		p := Join(Piece{Bytes(random(10)), span.Between(0, 10)}, Piece{holed, span.Between(c.from, c.to)})
		n, err := p.ReadAt(make([]byte, p.Size()-c.at), c.at)
		var hole *HoleError
		if !errors.As(err, &hole) || n != c.n || hole.Span != c.hole || !errors.Is(err, errHole) {
			t.Errorf("%d–%d, at %d: %d bytes, %v", c.from, c.to, c.at, n, err)
			continue
		}
		w := NewWindow(p)
		behind := w.View(hole.End()-1, 2)
		if want := holed.Bytes[min(hole.End()-10+c.from, 99)]; p.Size() > hole.End() && (len(behind) != 2 || behind[1] != want) || w.Err() != nil {
			t.Errorf("%d–%d: behind the hole %v, %v", c.from, c.to, behind, w.Err())
		}
		if _, err := p.Minimal([]Splice{Put(hole.Offset, 1, []byte{1})}); err != nil {
			t.Error(err)
		}
	}
	p := Join(Piece{holed, span.Between(0, 45)})
	if _, err := p.ReadAt(make([]byte, 50), 60); err != io.EOF {
		t.Error(err)
	}
	if _, err := p.ReadAt(make([]byte, 1), -1); err == nil {
		t.Error("a negative offset")
	}
	gone := Whole(&struct{ shrunk }{shrunk{random(10), 20}})
	if n, err := gone.ReadAt(make([]byte, 15), 0); n != 10 || err != io.ErrUnexpectedEOF {
		t.Errorf("%d bytes, %v", n, err)
	}
}

var errHole = errors.New("damaged")

// A holed source lacks some of its bytes.
type holed struct {
	Bytes
	hole span.Span
}

func (h *holed) ReadAt(b []byte, off int64) (int, error) {
	if end := off + int64(len(b)); end > h.hole.Offset && off < h.hole.End() {
		n := copy(b, h.Bytes[off:max(off, h.hole.Offset)])
		return n, &HoleError{Span: h.hole, Err: errHole}
	}
	return h.Bytes.ReadAt(b, off)
}

// TestJoin: neighbours of the same source become one piece again.
func TestJoin(t *testing.T) {
	one, other, value := Bytes(random(20)), Bytes(random(20)), shrunk{random(20), 20}
	for _, c := range []struct {
		a, b Source
		want int
	}{{one, one, 1}, {one, other, 2}, {one, one[:19], 2}, {value, value, 2}, {&value, &value, 1}, {one, &value, 2}, {Bytes(nil), Bytes(nil), 0}} {
		p := Join(Piece{c.a, span.Between(0, c.a.Size()/2)}, Piece{c.b, span.Between(c.a.Size()/2, c.b.Size())})
		n := 0
		p.List(func(int64, Piece) bool { n++; return true })
		if n != c.want {
			t.Errorf("%T and %T: %d pieces, not %d", c.a, c.b, n, c.want)
		}
	}
	p := Memory(random(30))
	back := p.Splice([]Splice{Put(10, 5, random(8))}).Splice([]Splice{{span.Between(10, 18), p.Slice(span.Between(10, 15))}})
	if len(back.list) != 1 {
		t.Errorf("%d pieces after an edit that was taken back", len(back.list))
	}
}

// TestManyEdits: many small edits leave one piece each.
func TestManyEdits(t *testing.T) {
	const size, edits = 1 << 20, 3000
	want := random(size)
	p := Whole(Bytes(slices.Clone(want)))
	r := rand.New(rand.NewPCG(8, 9))
	for i := range edits {
		at := r.Int64N(size)
		want[at] = byte(i)
		p = p.Splice([]Splice{Put(at, 1, []byte{byte(i)})})
	}
	if !bytes.Equal(content(t, p), want) || len(p.list) > 2*edits+1 {
		t.Errorf("%d pieces", len(p.list))
	}
	if since := p.Since(p.list[0].Src); len(since) > edits {
		t.Errorf("%d splices", len(since))
	}
}

// A copy directly after its original is new; nothing after it is.
func TestSinceCopy(t *testing.T) {
	base := Memory([]byte("0123456789abcdef"))
	whole := Whole(base)
	edited := whole.Splice([]Splice{{span.Between(8, 8), whole.Slice(span.Between(4, 8))}})
	got := make([]byte, edited.Size())
	if _, err := edited.ReadAt(got, 0); err != nil || string(got) != "01234567456789abcdef" {
		t.Fatalf("%q, %v", got, err)
	}
	since := edited.Since(base)
	if len(since) != 1 || since[0].Span != span.Between(8, 8) || since[0].Added() != 4 {
		t.Errorf("%v, want 4 bytes put in at 8", since)
	}
}

// TestMinimalMemory: comparing many large splices with the bytes that they replace takes the memory of one.
func TestMinimalMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector lets less memory be reused")
	}
	const size, times = 512 << 10, 40
	p := Memory(make([]byte, size))
	s := Splice{span.Between(0, size), Memory(append(make([]byte, size/2), 1))}
	var was, is runtime.MemStats
	runtime.ReadMemStats(&was)
	for range times {
		if least, err := p.Minimal([]Splice{s}); err != nil || len(least) != 1 || least[0].Offset != size/2 {
			t.Fatal(least, err)
		}
	}
	runtime.ReadMemStats(&is)
	if took := is.TotalAlloc - was.TotalAlloc; took > times/4*size {
		t.Errorf("%d bytes of memory for %d splices of %d", took, times, size)
	}
}
