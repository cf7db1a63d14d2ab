package explore

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"varview/decoder"
	"varview/decoder/diagnose"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	_ "varview/internal/lessgc"
	"varview/model"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestTranscripts does what the files of testdata say and compares what
// the explorer shows after each step. A file begins with what is opened:
//
//	open player height=5 framing=raw
//
// and goes on with steps behind ">", each followed by what is shown: a line for
// the cursor, then the rows in view. A name with a slash is a file of the
// repository: schemas=none opens it without the schemas beside it, buffer=0 shows
// another buffer than the innermost.
func TestTranscripts(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(paths) == 0 {
		t.Fatal("no transcripts", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) {
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			got := replay(t, string(want))
			if *update {
				if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
			} else if got != string(want) {
				t.Errorf("%s\n%s", path, firstDifference(got, string(want)))
			}
		})
	}
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := 0; ; i++ {
		if i == len(g) || i == len(w) || g[i] != w[i] {
			from, step := i, i
			for step > 0 && !strings.HasPrefix(g[min(step, len(g)-1)], "> ") {
				step--
			}
			return fmt.Sprintf("line %d, after %q:\n got %s\nwant %s", from+1, g[min(step, len(g)-1)],
				strings.Join(g[min(i, len(g)):min(i+3, len(g))], "\n     "), strings.Join(w[min(i, len(w)):min(i+3, len(w))], "\n     "))
		}
	}
}

// replay does the steps of a transcript and returns it with what is shown.
func replay(t *testing.T, script string) string {
	var out strings.Builder
	var x *Explorer
	for line := range strings.Lines(script) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, "#"):
			out.WriteString(line + "\n")
		case strings.HasPrefix(line, "open "):
			x = openScript(t, line)
			out.WriteString(line + "\n" + show(x))
		case strings.HasPrefix(line, "> "):
			out.WriteString(line + "\n" + act(t, x, line[2:]) + show(x))
		}
	}
	return out.String()
}

func openScript(t *testing.T, line string) *Explorer {
	t.Helper()
	o := decoder.Options{Dialect: "godot4"}
	name, height, buffer, alone := strings.TrimPrefix(line, "open "), 8, -1, false
	if i := strings.IndexByte(line, '='); i >= 0 {
		i = strings.LastIndexByte(line[:i], ' ')
		name = line[len("open "):i]
		for _, setting := range strings.Fields(line[i:]) {
			key, value, _ := strings.Cut(setting, "=")
			switch key {
			case "height":
				height = atoi(t, value)
			case "framing":
				o.Framing = value
			case "offset":
				o.Offset = int64(atoi(t, value))
			case "length":
				o.Length = int64(atoi(t, value))
			case "buffer":
				buffer = atoi(t, value)
			case "schemas":
				alone = value == "none"
			default:
				t.Fatalf("%s: no setting %s", line, key)
			}
		}
	}
	var doc *model.Document
	switch data, ok := files[name]; {
	case ok:
		doc = openFile(t, write(t, data), o)
	case alone:
		doc = openFile(t, write(t, read(t, name)), decoder.Options{})
	default:
		doc = openReal(t, name)
	}
	x := New(doc.Innermost())
	if buffer >= 0 {
		x = New(doc.Buffers[buffer])
	}
	x.SetHeight(height)
	return x
}

func atoi(t *testing.T, s string) int {
	t.Helper()
	n, err := strconv.ParseInt(s, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	return int(n)
}

// act does one step and returns what it said, if anything.
func act(t *testing.T, x *Explorer, step string) string {
	t.Helper()
	name, arg, _ := strings.Cut(step, " ")
	var err error
	said := ""
	switch name {
	case "First":
		err = x.First()
	case "Last":
		err = x.Last()
	case "MoveRows":
		err = x.MoveRows(atoi(t, arg))
	case "Unfold":
		err = x.Unfold()
	case "Fold":
		err = x.Fold()
	case "Toggle":
		x.Toggle()
	case "FoldAll":
		err = x.FoldAll()
	case "Scroll":
		x.Scroll(atoi(t, arg))
	case "SelectRow":
		err = x.SelectRow(atoi(t, arg))
	case "MoveBytes":
		err = x.MoveBytes(int64(atoi(t, arg)))
	case "GoTo":
		err = x.GoTo(int64(atoi(t, arg)))
	case "GoToValue":
		n, e := x.Buffer.Resolve(arg)
		if err = e; err == nil {
			err = x.GoToValue(n)
		}
	case "Follow":
		_, err = x.Follow()
	case "Back":
		_, err = x.Back(nil)
	case "NextProblem":
		said, err = goToProblem(x)
	case "SetHeight":
		x.SetHeight(atoi(t, arg))
	case "ToRows":
		x.ToRows()
	case "ToBytes":
		x.ToBytes()
	case "Index":
		buildIndex(t, x.Buffer.Document())
		x.Indexed()
	case "Tick":
		x.Tick()
	default:
		t.Fatalf("no step %q", step)
	}
	if err != nil {
		said = "error: " + err.Error()
	}
	if said != "" {
		said = "says " + said + "\n"
	}
	return said
}

// goToProblem puts the cursor on the next problem and tells which it is.
func goToProblem(x *Explorer) (string, error) {
	list, _ := x.Buffer.Problems()
	if len(list) == 0 {
		return "no problem", nil
	}
	p := list[max(0, slices.IndexFunc(list, func(p diagnose.Diagnosis) bool { return p.Offset > x.offset }))]
	return fmt.Sprintf("%s %s", p.Severity, p.Code), x.GoTo(p.Offset)
}

// show is the cursor and the rows in view as text.
func show(x *Explorer) string {
	var b strings.Builder
	at := "-"
	if x.row != nil {
		at = x.Path(x.row)
	}
	fmt.Fprintf(&b, "at %#x row %s", x.Offset(), at)
	if owner, field := x.Owner(); owner != nil {
		fmt.Fprintf(&b, " byte of %s %s %q", x.Path(owner), field.Kind, field.Label)
	}
	if from, to := x.Selected(); from < to {
		fmt.Fprintf(&b, " selected %s", span.Between(from, to))
	}
	if x.Waiting() {
		b.WriteString(" waiting")
	}
	b.WriteString("\n")
	for _, note := range x.Describe(100).Notes {
		b.WriteString("note " + note + "\n")
	}
	rows, pending := x.Rows(200)
	for i := range rows {
		b.WriteString(rowText(&rows[i]) + "\n")
	}
	if pending {
		b.WriteString("   …\n")
	}
	return b.String()
}

func rowText(r *Row) string {
	mark := "  "
	if r.Selected {
		mark = "› "
	}
	if r.Problem != "" {
		mark += r.Severity.String() + " "
	}
	mark += strings.Repeat("  ", r.Indent)
	switch {
	case r.Open:
		mark += "▾ "
	case r.Foldable:
		mark += "▸ "
	default:
		mark += "  "
	}
	return mark + strings.Join(strings.Fields(r.Label+" "+r.Type+" "+r.Value+" "+r.Number), " ")
}

// small makes look-ups give up early, as those in large files do.
func small(t *testing.T, data []byte, budget, height int) *Explorer {
	t.Helper()
	x := New(open(t, data, "raw").Innermost())
	x.read.Budget = budget
	x.outline = newOutline(x.read)
	x.openFirst()
	x.do(func() error { return x.selectRow(x.outline.first()) })
	x.SetHeight(height)
	return x
}

// large is an array of arrays that no look-up with a budget of 100 passes.
func large() []byte {
	inner := array(many(2000)...)
	return array(inner, inner, inner, text("last"))
}

func TestPendingActionHappensAfterIndex(t *testing.T) {
	last := int64(len(large()))
	endsAt := func(path string, offset int64) func(*testing.T, *Explorer) {
		return func(t *testing.T, x *Explorer) {
			t.Helper()
			if got := x.Path(x.row); got != path || x.Offset() != offset {
				t.Errorf("at %s %#x, want %s %#x", got, x.Offset(), path, offset)
			}
		}
	}
	inner := int64(8 + 2000*8)
	tests := []struct {
		name string
		do   func(*Explorer) error
		want func(*testing.T, *Explorer)
	}{
		{"last", (*Explorer).Last, endsAt("$[3]", last-12)},
		{"down", func(x *Explorer) error { return x.MoveRows(4) }, endsAt("$[3]", last-12)},
		{"goto", func(x *Explorer) error { return x.GoTo(last - 1) }, endsAt("$[3]", last-1)},
		{"goto into", func(x *Explorer) error { return x.GoTo(8 + 2*inner + 8 + 150*8 + 5) },
			endsAt("$[2][150]", 8+2*inner+8+150*8+5)},
		{"bytes", func(x *Explorer) error { return x.MoveBytes(last) }, endsAt("$[3]", last-1)},
	}
	for _, test := range tests {
		for _, byTick := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/tick=%v", test.name, byTick), func(t *testing.T) {
				x := small(t, large(), 100, 10)
				if err := test.do(x); err != nil {
					t.Fatal(err)
				}
				if !x.Waiting() {
					t.Fatal("done at once: nothing is tested")
				}
				if !x.Tick() {
					t.Error("nothing waits, though nothing more was read")
				}
				buildIndex(t, x.Buffer.Document())
				if byTick {
					x.read.Budget = tree.LookUpBudget
					if x.Tick() {
						t.Error("still waiting")
					}
				} else {
					x.Indexed()
				}
				test.want(t, x)
				checkWindow(t, x)
			})
		}
	}
}

// A later key replaces what is waiting.
func TestPendingActionIsReplaced(t *testing.T) {
	x := small(t, large(), 100, 10)
	x.Last()
	x.First()
	buildIndex(t, x.Buffer.Document())
	x.Indexed()
	if got := x.Path(x.row); got != "$" {
		t.Errorf("at %s", got)
	}
}

// A file of millions of values opens with rows that wait.
func TestLargeFileWaitsForItsIndex(t *testing.T) {
	inner := packedStrings(make([]string, 1_000_000)...)
	x := New(open(t, array(inner, text("behind")), "raw").Innermost())
	x.SetHeight(5)
	want := fmt.Sprintf("at 0x0 row $ byte of $ type \"type\" selected 0x0–%#x waiting\n› ▾ $ Array (2)\n    ▸ [0] PackedStringArray (1,000,000)\n   …\n", x.Buffer.Size()-1)
	if got := show(x); got != want {
		t.Errorf("before the index:\n%s", got)
	}
	x.Last()
	buildIndex(t, x.Buffer.Document())
	x.Indexed()
	if got := show(x); !strings.Contains(got, `› [1] String "behind"`) && !strings.Contains(got, `›     [1] String "behind"`) {
		t.Errorf("after the index:\n%s", got)
	}
}
