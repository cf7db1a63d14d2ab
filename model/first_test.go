package model

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"varview/decoder"
)

// TestFirstNotes holds that what is to be said of the beginning is known once a file is open, and is said once.
func TestFirstNotes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "save.json")
	text := "[" + strings.Repeat(`{"hp": 1, "name": "rope"},`, 1<<18) + "{}]"
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	b := openFile(t, path, decoder.Options{}).Innermost()
	list, more := b.Problems()
	if _, done := b.Indexed(); done || len(list) != 1 || more != 0 || list[0].Code != "lost-in-engine" {
		t.Errorf("before the index (complete: %t): %v and %d more", done, list, more)
	}
	if err := b.Index(context.Background()); err != nil {
		t.Fatal(err)
	}
	if again, more := b.Problems(); len(again) != 1 || more != 0 || again[0].Problem != list[0].Problem {
		t.Errorf("after the index: %v and %d more", again, more)
	}
}
