package explore

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"varview/decoder"
	"varview/decoder/engine/tree"
	"varview/model"
)

// checkWindow checks what holds for the rows in view at any time.
func checkWindow(t testing.TB, x *Explorer) {
	t.Helper()
	o := x.outline
	if len(o.rows) > o.height {
		t.Errorf("%d rows in a window of %d", len(o.rows), o.height)
	}
	for i, n := range o.rows {
		if row, err := o.rowOf(n); n.Depth > 0 && (err != nil || !row.Same(n)) {
			t.Errorf("row %d at %#x is folded away", i, n.Start)
		}
		if i == 0 {
			continue
		}
		if m, err := o.next(o.rows[i-1]); err != nil || !m.Same(n) {
			t.Errorf("row %d does not follow row %d: %v", i, i-1, err)
		}
		if m, err := o.prev(n); err != nil || !m.Same(o.rows[i-1]) {
			t.Errorf("row %d does not stand before row %d: %v", i-1, i, err)
		}
	}
	if len(o.rows) > 0 && len(o.rows) < o.height && o.stop == nil {
		if n, err := o.next(o.rows[len(o.rows)-1]); err == nil {
			t.Errorf("the window has room, and a row at %#x follows", n.Start)
		}
		if n, err := o.prev(o.rows[0]); err == nil {
			t.Errorf("the window has room, and a row at %#x stands before", n.Start)
		}
	}
}

// checkCursor checks that the selected row is in view, and stands for the byte
// under the cursor.
func checkCursor(t testing.TB, x *Explorer) {
	t.Helper()
	if x.Waiting() || x.row == nil {
		return
	}
	if x.outline.find(x.row) < 0 {
		t.Errorf("the selected row is not in view")
	}
	if x.owner == nil || !x.field.Contains(x.offset) {
		t.Errorf("byte %#x: field %v of %v", x.offset, x.field, x.owner)
		return
	}
	if x.owner.Depth == 0 && !x.owner.HasGap() { // a footer stays with the row that was the last when it was gone to
		return
	}
	if row, err := x.outline.rowAt(x.owner, x.offset); err != nil || x.inBytes && !row.Same(x.row) {
		t.Errorf("byte %#x: row %#x selected, not that of its owner", x.offset, x.row.Start)
	}
}

// allRows are the rows of a tree with everything unfolded, found by passing over
// the file once.
func allRows(b *model.Buffer) []*tree.Node {
	s := b.Tree().Scanner()
	s.Elements = true
	var met []*tree.Node
	var base *tree.Node
	for ev := s.Next(); ev != tree.Done; ev = s.Next() {
		if ev == tree.Leave {
			base = s.Current(ev)
			continue
		}
		n := s.Current(ev)
		met = append(met, n)
		if ev == tree.Atom && n.Layout == tree.Fixed && (n.Opaque || n.Stride == 0) {
			for i := range n.Count {
				at := n.Body + i*int64(n.Stride)
				met = append(met, &tree.Node{Value: tree.Value{Start: at}, Parent: n, Slot: tree.Slot{Index: i}, Depth: n.Depth + 1})
			}
		}
	}
	var rows []*tree.Node
	for i := 0; i < len(met); i++ {
		n := met[i]
		if n.Slot.Key {
			end := i + 1
			for end < len(met) && met[end].Depth > n.Depth {
				end++
			}
			valued := end < len(met) && met[end].Depth == n.Depth && met[end].Slot == tree.Slot{Index: n.Slot.Index}
			if !valued || n.Layout < tree.Sequence {
				i = end - 1
				continue
			}
		}
		rows = append(rows, n)
	}
	if base != nil && base.HasGap() {
		rows = append(rows, base)
	}
	return rows
}

// unfoldAll walks down and unfolds everything on the way.
func unfoldAll(t testing.TB, x *Explorer) {
	t.Helper()
	must(t, x.First())
	for {
		was := x.row
		if was != nil && CanOpen(was) && !x.outline.isOpen(was) {
			must(t, x.Unfold())
		}
		must(t, x.MoveRows(1))
		if x.row.Same(was) {
			return
		}
	}
}

// checkWalk compares the rows met by walking down and up with all there are.
func checkWalk(t testing.TB, x *Explorer) {
	t.Helper()
	want := allRows(x.Buffer)
	unfoldAll(t, x)
	must(t, x.First())
	for i := range want {
		if !want[i].Same(x.row) {
			t.Fatalf("row %d going down: %s, want %s", i, nodeText(x.row), nodeText(want[i]))
		}
		x.Rows(40) // drawing changes nothing
		x.Describe(40)
		checkWindow(t, x)
		checkCursor(t, x)
		must(t, x.MoveRows(1))
	}
	if len(want) == 0 {
		if x.row != nil {
			t.Errorf("a row in a file without any: %s", nodeText(x.row))
		}
		return
	}
	must(t, x.Last())
	for i := len(want) - 1; i >= 0; i-- {
		if !want[i].Same(x.row) {
			t.Fatalf("row %d going up: %s, want %s", i, nodeText(x.row), nodeText(want[i]))
		}
		checkWindow(t, x)
		must(t, x.MoveRows(-1))
	}
	for range 3 { // from anywhere to anywhere
		i := len(want) / 3
		must(t, x.First())
		must(t, x.MoveRows(i))
		if !want[i].Same(x.row) {
			t.Errorf("%d rows down: %s, want %s", i, nodeText(x.row), nodeText(want[i]))
		}
		must(t, x.MoveRows(len(want)))
		if last := want[len(want)-1]; !last.Same(x.row) {
			t.Errorf("down past the end: %s, want %s", nodeText(x.row), nodeText(last))
		}
	}
}

func nodeText(n *tree.Node) string {
	if n == nil {
		return "none"
	}
	return fmt.Sprintf("%#x depth %d slot %v", n.Start, n.Depth, n.Slot)
}

// checkBytes puts the cursor on each byte.
func checkBytes(t testing.TB, x *Explorer) {
	t.Helper()
	for off := range x.Buffer.Size() {
		must(t, x.GoTo(off))
		if x.Waiting() {
			t.Fatalf("byte %#x waits", off)
		}
		checkCursor(t, x)
		checkWindow(t, x)
		if x.owner == nil || x.owner.Depth == 0 || x.Buffer.IsWrapper() {
			continue
		}
		path := x.Path(x.owner)
		n, err := x.Buffer.Resolve(path)
		if err != nil || !n.Same(x.owner) {
			t.Fatalf("byte %#x: path %q resolves to %s, %v; the owner is %s", off, path, nodeText(n), err, nodeText(x.owner))
		}
	}
}

// checkHeights compares windows of every height, at every place, with all rows.
func checkHeights(t testing.TB, x *Explorer) {
	t.Helper()
	all := allRows(x.Buffer)
	unfoldAll(t, x)
	for height := 1; height < min(len(all)+3, 12); height++ {
		x.SetHeight(height)
		checkWindow(t, x)
		checkCursor(t, x)
		x.Scroll(-len(all))
		for top := 0; top <= max(0, len(all)-height); top++ {
			for i, n := range x.outline.rows {
				if !n.Same(all[top+i]) {
					t.Fatalf("height %d, scrolled by %d: row %d is %s, want %s", height, top, i, nodeText(n), nodeText(all[top+i]))
				}
			}
			if len(x.outline.rows) != min(height, len(all)) {
				t.Fatalf("height %d, scrolled by %d: %d rows of %d", height, top, len(x.outline.rows), len(all))
			}
			x.Scroll(1)
		}
	}
}

// checkFile checks all of this for a file, with and without an index.
func checkFile(t testing.TB, data []byte, framing string) {
	t.Helper()
	checkDocument(t, open(t, data, framing))
}

// checkDocument checks it for all buffers.
func checkDocument(t testing.TB, doc *model.Document) {
	t.Helper()
	for _, indexed := range []bool{false, true} {
		if indexed {
			buildIndex(t, doc)
		}
		for _, b := range doc.Buffers {
			x := New(b)
			x.SetHeight(5)
			checkBytes(t, x)
			x = New(b)
			x.SetHeight(4)
			checkWalk(t, x)
			checkHeights(t, x)
		}
	}
}

func TestWalkOfNamedFiles(t *testing.T) {
	for name, data := range files {
		t.Run(name, func(t *testing.T) {
			for _, framing := range []string{"raw", "stream"} {
				checkFile(t, data, framing)
			}
		})
	}
}

func TestWalkOfRandomFiles(t *testing.T) {
	for seed := range rounds(40) {
		data, framing := randomFile(rand.New(rand.NewPCG(seed, 1)))
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			checkFile(t, data, framing)
			if t.Failed() {
				t.Logf("%s %x", framing, data)
			}
		})
	}
}

// Every problem is reached by asking for the next one.
func TestNextProblemReachesAll(t *testing.T) {
	for seed := range rounds(100) {
		data, framing := randomFile(rand.New(rand.NewPCG(seed, 2)))
		doc := open(t, data, framing)
		buildIndex(t, doc)
		x := New(doc.Innermost())
		left := map[int64]bool{}
		list, _ := doc.Innermost().Problems()
		for _, p := range list {
			left[min(p.Offset, doc.Size()-1)] = true
		}
		want := len(left)
		for range want {
			if _, err := goToProblem(x); err != nil {
				t.Fatal(err)
			}
			delete(left, x.Offset())
		}
		if len(left) > 0 && len(data) > 0 { // the byte it begins at, or the last
			t.Errorf("seed %d: of %d problems %v were not reached in %d bytes (%s %x)", seed, want, left, len(data), framing, data)
		}
	}
}

// FuzzExplorer opens any bytes and does anything: after every step the window
// and the cursor fit together.
func FuzzExplorer(f *testing.F) {
	for _, data := range files {
		f.Add(data, "udd5G3s", false)
		f.Add(data, "ulubbbkfF-9p", true)
	}
	f.Fuzz(func(t *testing.T, data []byte, steps string, asStream bool) {
		if len(data) > 1<<12 || len(steps) > 24 {
			t.Skip()
		}
		framing := "raw"
		if asStream {
			framing = "stream"
		}
		explore(t, open(t, data, framing), steps)
	})
}

// explore takes steps in a document, beginning with its innermost buffer.
func explore(t testing.TB, doc *model.Document, steps string) {
	t.Helper()
	x := New(doc.Innermost())
	indexed, scrolled := false, false // the cursor may be out of view
	for i, step := range []byte(steps) {
		switch step {
		case 'i':
			if !indexed {
				buildIndex(t, doc)
				x.Indexed()
			}
			indexed = true
		case '<', '>':
			to := x.Buffer.Number + int(step) - '='
			x = New(doc.Buffers[(to+len(doc.Buffers))%len(doc.Buffers)])
		default:
			take(t, x, step, i)
		}
		checkWindow(t, x)
		switch {
		case strings.ContainsRune("sSt", rune(step)):
			scrolled = true
		case strings.ContainsRune("dDkfFbBGg<>", rune(step)):
			scrolled = false
		}
		if !scrolled {
			checkCursor(t, x)
		}
		x.Rows(30)
		x.Describe(30)
		x.Selected()
		x.Marks(nil, 0, 256)
		x.Bytes(make([]byte, 64), x.Offset())
		if t.Failed() {
			t.Fatalf("after %q", steps[:i+1])
		}
	}
}

// take takes one step.
func take(t testing.TB, x *Explorer, step byte, i int) {
	t.Helper()
	switch step {
	case 'd':
		must(t, x.MoveRows(1))
	case 'D':
		must(t, x.MoveRows(7))
	case 'u':
		must(t, x.Unfold())
	case 'f':
		must(t, x.Fold())
	case 'F':
		must(t, x.FoldAll())
	case 'k':
		must(t, x.MoveRows(-1))
	case 't':
		x.Toggle()
	case 's':
		x.Scroll(2)
	case 'S':
		x.Scroll(-2)
	case 'b':
		must(t, x.MoveBytes(int64(i)))
	case 'B':
		must(t, x.MoveBytes(-int64(i)))
	case 'G':
		must(t, x.Last())
	case 'g':
		must(t, x.First())
	case 'o':
		x.ToRows()
	case 'p':
		_, err := goToProblem(x)
		must(t, err)
	case 'r':
		x.Follow() // a reference can lead nowhere
	case 'R':
		_, err := x.Back(nil)
		must(t, err)
	case 'P':
		must(t, x.Return(x.Place()))
	case 'w':
		x.Tick()
	default:
		x.SetHeight(int(step % 16))
	}
}

// Real files walk as those made here do.
func TestWalkOfRealFiles(t *testing.T) {
	for _, path := range realFiles(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			data, err := os.ReadFile(path)
			must(t, err)
			doc := openFile(t, path, decoder.Options{})
			checkFile(t, data, doc.Framing)
		})
	}
}
