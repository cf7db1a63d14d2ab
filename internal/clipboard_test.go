package internal_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"varview/internal/clipboard"
)

// The system's own program gets the text too, unless the terminal is elsewhere.
func TestCopy(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "wl-copy"), []byte("#!/bin/sh\ncat > \"$OUT\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	for name, want := range map[string]string{"": "hi", "SSH_CONNECTION=1": ""} {
		out := filepath.Join(dir, "out"+name)
		clipboard.Copy(context.Background(), append(os.Environ(), "WAYLAND_DISPLAY=w", "OUT="+out, name), "hi")
		if got, _ := os.ReadFile(out); string(got) != want && runtime.GOOS == "linux" {
			t.Errorf("%s: %q", name, got)
		}
	}
}
