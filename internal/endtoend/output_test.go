package endtoend

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"varview/bench/savegame"
	fields "varview/cli/output"
	"varview/decoder/engine/format"
	"varview/model"
)

// writers are all functions that write a whole buffer, by what they write.
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
		return fields.WriteFields(ctx, out, []*model.Buffer{b}, nil, &fields.Palette{}, 0, nil)
	},
	"JSON of fields": func(ctx context.Context, out io.Writer, b *model.Buffer) error {
		return fields.WriteFieldsJSON(ctx, out, "", []*model.Buffer{b}, nil)
	},
}

// An ending is a writer that accepts a number of bytes and then calls end.
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

// TestOutputEnds checks that a write error, or the end of the context, stops whatever writes a buffer,
// and that what was written before is the beginning of the whole.
func TestOutputEnds(t *testing.T) {
	full := errors.New("full")
	mixed := filepath.Join(t.TempDir(), "save.dat")
	if err := (savegame.Plan{Kind: savegame.Mixed, Dialect: "godot4", Size: 500 << 10, Seed: 1}).WriteFile(mixed); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{mixed, references(t, 8000)} {
		d, err := model.Open(context.Background(), name, model.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for what, write := range writers {
			b := d.Buffers[0]
			var all bytes.Buffer
			if err := write(context.Background(), &all, b); err != nil || all.Len() == 0 {
				continue // it has no such form
			}
			whole := all.String()
			for _, want := range []error{full, context.Canceled} {
				ctx, stop := context.WithCancel(context.Background())
				out := ending{room: len(whole) / 3, end: func() error {
					if want == context.Canceled {
						stop()
					}
					return want
				}}
				if err := write(ctx, &out, b); !errors.Is(err, want) || !strings.HasPrefix(whole, out.String()) {
					t.Errorf("%s: %s ended by %v: %v, after %d bytes", name, what, want, err, out.Len())
				}
				stop()
			}
		}
		d.Close()
	}
}

// references writes an Elephant block with a number of structs that each refer to the first, and returns its path.
func references(t *testing.T, n int) string {
	t.Helper()
	plain := `"id":null,"constructor":null,"schema_version":null,"verbose":true`
	var text strings.Builder
	text.WriteString(`{"type":"array","elephant":{"version":"1.5.1","header":"PELE","footer":true,"tags":204},"id":null,"elem":"struct","value":[{"type":"struct",` + plain + `,"value":[]}`)
	for i := range n {
		fmt.Fprintf(&text, `,{"type":"struct",%s,"value":[["name",{"type":"string","value":"the name of thing %d, which is long"}],["of",{"type":"ref","kind":"struct","ref":1}]]}`, plain, i)
	}
	text.WriteString("]}")
	folder := t.TempDir()
	in, out := filepath.Join(folder, "save.json"), filepath.Join(folder, "save.elephant")
	if err := os.WriteFile(in, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	run(t, 0, "import", "--as", "elephant-1.5.1", in, "-o", out)
	return out
}

// TestExportedReferences checks that the text of a file says where each of its many references leads.
func TestExportedReferences(t *testing.T) {
	text := run(t, 0, "export", "--text", references(t, 2000)).stdout
	if paths, numbers := strings.Count(text, "ref($"), strings.Count(text, "ref(#"); paths < 1000 || numbers > 0 {
		t.Errorf("%d references with paths, %d without", paths, numbers)
	}
}
