package endtoend

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"varview/bench/savegame"
	fields "varview/cli/output"
	"varview/decoder/format"
	"varview/model"
)

// writers are all that writes a whole buffer, by what it writes.
var writers = map[string]func(context.Context, io.Writer, *model.Buffer) error{
	"JSON": func(ctx context.Context, out io.Writer, b *model.Buffer) error {
		return b.Tree().NewReader().WriteJSON(ctx, out, &b.Tree().Base.Value)
	},
	"text": func(ctx context.Context, out io.Writer, b *model.Buffer) error {
		return b.Tree().NewReader().WriteText(ctx, out, &b.Tree().Base.Value)
	},
	"lines": func(ctx context.Context, out io.Writer, b *model.Buffer) error {
		return b.Tree().NewReader().WriteLines(ctx, out)
	},
	"typed": func(ctx context.Context, out io.Writer, b *model.Buffer) error {
		if t, ok := b.Tree().Reading.(format.TypedWriter); ok {
			return t.WriteTyped(ctx, out, b.Tree().NewReader(), &b.Tree().Base.Value)
		}
		return nil
	},
	"fields": func(ctx context.Context, out io.Writer, b *model.Buffer) error {
		return fields.WriteFields(ctx, out, []*model.Buffer{b}, nil, &fields.Palette{}, 0)
	},
	"JSON of fields": func(ctx context.Context, out io.Writer, b *model.Buffer) error {
		return fields.WriteFieldsJSON(ctx, out, []*model.Buffer{b})
	},
}

// inParts writes a buffer in parts of some size, which it restores.
func inParts(ctx context.Context, b *model.Buffer, size int64, write func(context.Context, io.Writer, *model.Buffer) error) (string, error) {
	was := b.Tree().TextSegment
	defer func() { b.Tree().TextSegment = was }()
	b.Tree().TextSegment = size
	var out bytes.Buffer
	err := write(ctx, &out, b)
	return out.String(), err
}

// TestParts holds that what is written in small parts, beside each other, is what is written
// as one, of all files in testdata.
func TestParts(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	sizes := []int64{50, 1, 700}
	if testing.Short() {
		sizes = sizes[:1]
	}
	several := 0 // buffers that have several parts
	ctx := context.Background()
	eachDocument(t, func(t *testing.T, d *model.Document) {
		for _, b := range d.Buffers {
			if b.Size() > 16 {
				several++
			}
			for what, write := range writers {
				want, err := inParts(ctx, b, b.Size(), write)
				if err != nil {
					t.Fatal(err)
				}
				for _, size := range sizes {
					if size >= b.Size() || size == 1 && b.Size() > 16<<10 { // it is one part, or very many
						continue
					}
					got, err := inParts(ctx, b, size, write)
					if err != nil || got != want {
						t.Errorf("%s of buffer %d in parts of %d bytes: %v\n%s\nwant\n%s", what, b.Number, size, err, got, want)
					}
				}
			}
		}
	})
	if several < 300 {
		t.Errorf("only %d buffers with several parts", several)
	}
}

// TestReferencesInParts holds the same of files of Elephant with many references.
func TestReferencesInParts(t *testing.T) {
	t.Parallel()
	for _, kind := range []savegame.Kind{savegame.Graph, savegame.Verbose} {
		name := filepath.Join(t.TempDir(), "save.dat")
		plan := savegame.Plan{Kind: kind, Dialect: "elephant-1.5.1", Size: 600 << 10, Seed: 1}
		if err := plan.WriteFile(name); err != nil {
			t.Fatal(err)
		}
		d, err := model.Open(context.Background(), name, model.Options{})
		if err != nil {
			t.Fatal(err)
		}
		b := d.Buffers[0]
		for _, what := range []string{"JSON", "text", "typed"} {
			workers := runtime.GOMAXPROCS(1)
			want, err := inParts(context.Background(), b, b.Size(), writers[what])
			if err != nil || len(want) < 500_000 {
				t.Fatal(len(want), err)
			}
			runtime.GOMAXPROCS(4)
			for _, size := range []int64{8 << 10, 40 << 10, 200 << 10} {
				if got, err := inParts(context.Background(), b, size, writers[what]); err != nil || got != want {
					t.Errorf("%s: %s in parts of %d bytes: %v\n%.2000s\nwant\n%.2000s", kind, what, size, err, got, want)
				}
			}
			runtime.GOMAXPROCS(workers)
		}
		d.Close()
	}
}

// eachDocument calls test for the document in each file of testdata.
func eachDocument(t *testing.T, test func(*testing.T, *model.Document)) {
	err := filepath.WalkDir("testdata", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasSuffix(name, ".truth.json") || strings.Contains(name, "script") {
			return err
		}
		t.Run(name, func(t *testing.T) {
			var o model.Options
			o.GML = []string{"testdata/elephant"}
			d, err := model.Open(context.Background(), name, o)
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			if d.Tree.Base.Limit > 0 { // all files in testdata are small
				test(t, d)
			}
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// An ending is a writer that takes so many bytes, and then calls end.
type ending struct {
	bytes.Buffer
	room int
	end  func() error
}

func (e *ending) Write(p []byte) (int, error) {
	if e.Len()+len(p) > e.room {
		return 0, e.end()
	}
	return e.Buffer.Write(p)
}

// TestPartsEnd holds that an error of the output, or the end of the context, ends what writes
// parts, and that what was written before is the beginning of the whole.
func TestPartsEnd(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	full := errors.New("full")
	for _, plan := range []savegame.Plan{
		{Kind: savegame.Mixed, Dialect: "godot4", Size: 500 << 10, Seed: 1},
		{Kind: savegame.Verbose, Dialect: "elephant-1.5.1", Size: 500 << 10, Seed: 1},
	} {
		name := filepath.Join(t.TempDir(), "save.dat")
		if err := plan.WriteFile(name); err != nil {
			t.Fatal(err)
		}
		d, err := model.Open(context.Background(), name, model.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for what, write := range writers {
			b := d.Buffers[0]
			b.Tree().TextSegment = 10 << 10
			whole, err := inParts(context.Background(), b, b.Size(), write)
			if err != nil || whole == "" {
				continue // it has no such form
			}
			for _, want := range []error{full, context.Canceled} {
				ctx, stop := context.WithCancel(context.Background())
				out := ending{room: len(whole) / 3, end: func() error {
					if want == context.Canceled {
						stop()
					}
					return want
				}}
				if err := write(ctx, &out, b); !errors.Is(err, want) || !strings.HasPrefix(whole, out.String()) {
					t.Errorf("%s: %s ended by %v: %v, after %d bytes", plan.Kind, what, want, err, out.Len())
				}
				stop()
			}
		}
		d.Close()
	}
}

// TestExportedReferences holds that the text of a file says where each of its many references
// leads.
func TestExportedReferences(t *testing.T) {
	name := filepath.Join(t.TempDir(), "save.dat")
	plan := savegame.Plan{Kind: savegame.Verbose, Dialect: "elephant-1.5.1", Size: 2 << 20, Seed: 1}
	if err := plan.WriteFile(name); err != nil {
		t.Fatal(err)
	}
	text := run(t, 0, "export", "--text", name).stdout
	if paths, numbers := strings.Count(text, "ref($"), strings.Count(text, "ref(#"); paths < 1000 || numbers > 0 {
		t.Errorf("%d references with paths, %d without", paths, numbers)
	}
}
