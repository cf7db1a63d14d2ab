package filelock

import (
	"os"
	"path/filepath"
	"testing"
)

func TestTry(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	open := func() *os.File {
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	first, second := open(), open()
	if ok, err := Try(first); !ok || err != nil {
		t.Fatalf("%v, %v", ok, err)
	}
	if ok, err := Try(second); ok || err != nil {
		t.Fatalf("a second lock: %v, %v", ok, err)
	}
	if _, err := second.WriteString("text"); err != nil {
		t.Error(err)
	}
	first.Close()
	if ok, err := Try(second); !ok || err != nil {
		t.Errorf("once the first is closed: %v, %v", ok, err)
	}
}
