package wrap

import (
	"context"
	"errors"
	"io"
	"testing"

	"varview/decoder/source"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// FuzzOpen: any bytes open as any wrapper, its fields tile them, and the payload
// keeps to its limit.
func FuzzOpen(f *testing.F) {
	for i, c := range realFiles {
		data := load(f, c.name)
		f.Add(data, uint8(c.kind), uint8(i%3), uint8(i%2))
	}
	f.Add(zlibOf(mixed(3000, 1)), uint8(Zlib), uint8(0), uint8(0))
	f.Add(gcpfOf(mixed(1000, 1), 100, 11), uint8(GCPF), uint8(0), uint8(1))
	f.Add(gdecOf(f, 3, mixed(100, 1)), uint8(GDEC), uint8(1), uint8(1))
	f.Add(gdecOf(f, 4, mixed(100, 1)), uint8(GDEC), uint8(0), uint8(0))
	f.Fuzz(func(t *testing.T, data []byte, kind, skip, cut uint8) {
		if len(data) > 32<<10 {
			return
		}
		const limit = 100_000
		src := source.Bytes(data)
		from := min(int64(skip), src.Size())
		region := span.Between(from, max(from, src.Size()-int64(cut)))
		k := Kind(kind) % kinds
		Sniff(src, region, "")
		l, err := Open(context.Background(), k, src, region, Options{MaxUnpacked: limit, Key: PasswordKey("x")})
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		if (l.Payload == nil) != (l.Missing != nil) || l.Title == "" {
			t.Fatalf("%v %+v", l.Payload, l.Missing)
		}
		problems(t, l, data)
		checkTree(t, data, l)
		checkTree(t, data, &Layer{Format: &Closed{Kind: k}, Region: region})
		writes(t, data, l)
		if l.Payload != nil {
			readsAll(t, l.Payload, limit)
		}
	})
}

// writes checks what can be written of a wrapper as a whole.
func writes(t *testing.T, data []byte, l *Layer) {
	tr := tree.New(source.Bytes(data), l.Format, l.Region)
	r := tr.NewReader()
	for _, write := range []func(context.Context, io.Writer, *tree.Reader, *tree.Value) error{l.Format.WriteText, l.Format.WriteJSON} {
		if err := write(context.Background(), io.Discard, r, &tr.Base.Value); err != nil {
			t.Fatal(err)
		}
	}
}

// readsAll reads a payload around its holes.
func readsAll(t *testing.T, p source.Source, limit int64) {
	if p.Size() > limit {
		t.Fatalf("%d bytes of payload", p.Size())
	}
	b := make([]byte, 3000)
	for at := int64(0); at < p.Size(); {
		n, err := p.ReadAt(b, at)
		at += int64(n)
		var hole *source.HoleError
		switch {
		case errors.As(err, &hole):
			if hole.Offset > at || hole.End() <= at || hole.End() > p.Size() {
				t.Fatalf("hole %v at %d of %d", hole, at, p.Size())
			}
			at = hole.End()
		case err != nil && (err != io.EOF || at < p.Size()), n == 0:
			t.Fatalf("%d bytes at %d of %d: %v", n, at, p.Size(), err)
		}
	}
}
