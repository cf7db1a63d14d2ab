package model

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"varview/decoder"
	"varview/decoder/engine/span"
	_ "varview/internal/lessgc"
	"varview/model/bytesize"
)

func TestSpooled(t *testing.T) {
	doc, err := OpenInput(context.Background(), bytes.NewReader(stream(integer(1))), Options{})
	must(t, err)
	if doc.Name != "standard input" || doc.Size() != 12 || doc.Changed() != "" {
		t.Errorf("%q of %d bytes, changed %q", doc.Name, doc.Size(), doc.Changed())
	}
	if _, err := doc.Reload(context.Background(), nil); err == nil {
		t.Error("standard input was read a second time")
	}
	must(t, doc.Close())
}

func TestBuildIndexIsCancelled(t *testing.T) {
	doc := open(t, nested(10_000), "raw")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := doc.Innermost().Index(ctx); err == nil {
		t.Error("no error")
	}
	if _, done := doc.Indexed(); done {
		t.Error("done")
	}
}

func TestIndexed(t *testing.T) {
	for name, data := range files {
		doc := open(t, data, "raw")
		if share, done := doc.Indexed(); done || share < 0 || share > 1 {
			t.Errorf("%s, before: %v %v", name, share, done)
		}
		buildIndex(t, doc)
		if share, done := doc.Indexed(); !done || share != 1 {
			t.Errorf("%s, after: %v %v", name, share, done)
		}
	}
}

func TestProblems(t *testing.T) {
	doc := open(t, files["frames"], "stream")
	if n := doc.ProblemCount(span.Note); n != 0 {
		t.Errorf("%d problems before reading", n)
	}
	buildIndex(t, doc)
	counts := [3]int{}
	for s := range counts {
		counts[s] = doc.ProblemCount(span.Severity(s))
	}
	if counts != [3]int{2, 2, 1} {
		t.Errorf("%v problems", counts)
	}
	tests := []struct {
		from, to int64
		want     string
	}{
		{0, 12, ""}, {0, 100, span.UnknownType}, {0x10, 0x11, span.UnknownType}, {0x11, 0x24, ""}, {0x11, 0x25, span.TrailingBytes},
		{0x24, 0x24, ""}, {0, 0x10, ""},
	}
	for _, test := range tests {
		p, ok := doc.Innermost().WorstIn(test.from, test.to)
		if p.Code != test.want || ok != (test.want != "") {
			t.Errorf("worst in %#x–%#x: %q %v, want %q", test.from, test.to, p.Code, ok, test.want)
		}
	}
}

func TestNumbers(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 12: "12", 999: "999", 1000: "1,000", 1234567: "1,234,567", -5: "-5", -999: "-999", -1000: "-1,000"} {
		if got := span.Grouped(n); got != want {
			t.Errorf("span.Grouped(%d) = %q, want %q", n, got, want)
		}
	}
	for n, want := range map[int64]string{0: "0 B", 1023: "1023 B", 1024: "1.0 KiB", 12700: "12.4 KiB", 1<<20 - 1: "1.0 MiB", 1 << 30: "1.0 GiB",
		1023 << 30: "1.0 TiB", 1<<63 - 1: "8.0 EiB"} {
		if got := bytesize.Format(n); got != want {
			t.Errorf("ByteSize(%d) = %q, want %q", n, got, want)
		}
	}
	if span.Bytes(1) != "1 byte" || span.Bytes(2000) != "2,000 bytes" || span.Bytes(0) != "0 bytes" {
		t.Error("ByteCount")
	}
}

// The model needs no path except that of the file.
func TestNameIsTheLastPart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "my save.dat")
	must(t, os.WriteFile(path, integer(1), 0o600))
	if doc := openFile(t, path, decoder.Options{}); doc.Name != "my save.dat" {
		t.Errorf("name %q", doc.Name)
	}
}

func TestOpenErrors(t *testing.T) {
	dir := t.TempDir()
	good := write(t, integer(1))
	tests := []struct {
		path string
		o    decoder.Options
		want string
	}{
		{filepath.Join(dir, "missing"), decoder.Options{}, "no such file"},
		{dir, decoder.Options{}, "is a directory"},
		{good, decoder.Options{Dialect: "godot9"}, "unknown dialect"},
		{good, decoder.Options{Framing: "cooked"}, "unknown framing"},
		{good, decoder.Options{Offset: -1}, "negative"},
		{good, decoder.Options{Offset: 9}, "after the end"},
		{good, decoder.Options{Offset: 4, Length: 5}, "past the end"},
	}
	for _, test := range tests {
		_, err := Open(context.Background(), test.path, Options{Options: test.o})
		if err == nil || !strings.Contains(err.Error(), test.want) && !(errors.Is(err, fs.ErrNotExist) && test.want == "no such file") {
			t.Errorf("%+v: %v, want %q", test.o, err, test.want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Open(ctx, good, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
