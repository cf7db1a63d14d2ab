package internal_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"

	"varview/internal/clone"
)

func TestCopyOfFile(t *testing.T) {
	const step = 4 << 20 // between two looks at the context
	for _, size := range []int{0, 1, step, 2*step + 7} {
		want := bytes.Repeat([]byte("0123456789abcdef!"), size/17+1)[:size]
		name := filepath.Join(t.TempDir(), "from")
		if err := os.WriteFile(name, want, 0o600); err != nil {
			t.Fatal(err)
		}
		from, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer from.Close()
		to, err := os.Create(name + "2")
		if err != nil {
			t.Fatal(err)
		}
		defer to.Close()
		if err := clone.Copy(context.Background(), to, from); err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(io.NewSectionReader(to, 0, 1<<40))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%d bytes: %d, %v", size, len(got), err)
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	from, to := os.Stdin, os.Stdin // neither is read
	if clone.Copy(ctx, to, from) == nil {
		t.Error("a copy that was stopped")
	}
}
