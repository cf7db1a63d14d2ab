package savefile_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"varview/internal/atomicfile"
	"varview/model/savefile"
)

// TestErrors: what keeps values from being reached, or a file from being saved, can be told apart.
func TestErrors(t *testing.T) {
	folder := t.TempDir()
	write := func(name string, b []byte) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for name, c := range map[string]struct {
		path string
		want error
	}{
		"encrypted": {"../../testdata/wrapped/godot3-encrypted-key-small.bin", savefile.ErrEncrypted},
		"empty":     {write("empty", nil), savefile.ErrEmpty},
		"unknown":   {write("picture", append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"), make([]byte, 40)...)), savefile.ErrUnknown},
	} {
		f, err := savefile.Open(c.path)
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.Get("$")
		others := 0
		for _, other := range []error{savefile.ErrEncrypted, savefile.ErrEmpty, savefile.ErrUnknown} {
			if errors.Is(err, other) {
				others++
			}
		}
		if !errors.Is(err, c.want) || !errors.Is(err, savefile.ErrNoValues) || others != 1 {
			t.Errorf("%s: %v", name, err)
		}
		f.Close()
	}
}

// TestLocked: a file that another program keeps locked is not saved, and the error says so.
func TestLocked(t *testing.T) {
	t.Parallel() // it waits two seconds for the lock
	f, path := openCopy(t)
	lock, err := atomicfile.Acquire(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	if err := f.Set("$[0].hp", 1); err != nil {
		t.Fatal(err)
	}
	if err := f.Save(); !errors.Is(err, savefile.ErrLocked) {
		t.Errorf("%v", err)
	}
}

// openCopy opens a copy of a save.
func openCopy(t *testing.T, options ...savefile.Option) (*savefile.File, string) {
	t.Helper()
	b, err := os.ReadFile("../../testdata/godot4/save-player-stats.bin")
	path := filepath.Join(t.TempDir(), "save.dat")
	if err == nil {
		err = os.WriteFile(path, b, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	f, err := savefile.Open(path, options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f, path
}

// TestRefused: edits that cannot be made leave the file as it was, with an error of their kind.
func TestRefused(t *testing.T) {
	f, _ := openCopy(t)
	var before, after bytes.Buffer
	f.WriteTo(&before)
	for what, c := range map[string]struct {
		err  error
		want error
	}{
		"no container":    {f.Insert("$[0].hp.x", 1), savefile.ErrType},
		"nothing there":   {f.Delete("$[0].nothing"), savefile.ErrNotFound},
		"nothing matches": {f.Delete("$..[hp>1000000]"), savefile.ErrNotFound},
		"no value":        {f.Insert("$[0].new", func() {}), savefile.ErrType},
		"another type":    {f.Set("$[0]", struct{ HP []int }{[]int{1}}), savefile.ErrType},
	} {
		if !errors.Is(c.err, c.want) {
			t.Errorf("%s: %v, not %v", what, c.err, c.want)
		}
	}
	if f.WriteTo(&after); !bytes.Equal(before.Bytes(), after.Bytes()) {
		t.Error("the file has changed")
	}
}

// TestContext: a context ends what takes long.
func TestContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	f, _ := openCopy(t, savefile.Context(ctx))
	cancel()
	if err := f.Set("$[0].hp", 1); !errors.Is(err, context.Canceled) {
		t.Errorf("Set: %v", err)
	}
	for _, err := range f.Check() {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("Check: %v", err)
		}
	}
}

// TestCreate: in each dialect that can be written, what is put in comes out, and the whole is sound.
func TestCreate(t *testing.T) {
	type save struct {
		Name  string   `save:"name"`
		Gold  int      `save:"gold"`
		Items []string `save:"items"`
	}
	for _, dialect := range []string{"godot4", "godot3", "pandemonium", "json", "msgpack"} {
		want := save{"Mi\"ra", 1 << 20, []string{"torch", "é"}}
		f, err := savefile.Create(dialect, want)
		if err != nil {
			t.Errorf("%s: %v", dialect, err)
			continue
		}
		var got save
		v, err := f.Get("$")
		if err == nil {
			err = v.Decode(&got)
		}
		if err != nil || f.Dialect() != dialect || got.Name != want.Name || got.Gold != want.Gold || strings.Join(got.Items, ",") != "torch,é" {
			t.Errorf("%s: %+v as %s (%v)", dialect, got, f.Dialect(), err)
		}
		for p := range f.Check() {
			if p.Severity != "note" {
				t.Errorf("%s: %v", dialect, p)
			}
		}
		f.Close()
	}
}

// A string whose length and one byte of padding are damaged is repaired to what it was, rather than cut off.
func TestRepairLengthAndPadding(t *testing.T) {
	want, err := os.ReadFile("../../testdata/godot4/save-settings.bin")
	if err != nil {
		t.Fatal(err)
	}
	tried, right := 0, 0
	for at := 4; at+8 < len(want) && tried < 15; at += 4 {
		n := int(binary.LittleEndian.Uint32(want[at+4:]))
		end := at + 8 + n
		if binary.LittleEndian.Uint32(want[at:]) != 4 || n == 0 || n > 40 || n%4 == 0 || end > len(want) || bytes.ContainsFunc(want[at+8:end], func(c rune) bool { return c < ' ' || c > '~' }) {
			continue
		}
		damaged := bytes.Clone(want)
		binary.LittleEndian.PutUint32(damaged[at+4:], uint32(n+64))
		damaged[end+3-n%4] = 7
		tried++
		f, err := savefile.Read(bytes.NewReader(damaged), savefile.As("godot4"))
		if err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		if _, err = f.Repair(); err == nil {
			_, err = f.WriteTo(&got)
		}
		if err == nil && bytes.Equal(got.Bytes(), want) {
			right++
		} else {
			t.Logf("at %#x: %v", at, err)
		}
		f.Close()
	}
	if tried < 10 || right < tried*4/5 {
		t.Errorf("%d of %d are repaired", right, tried)
	}
}
