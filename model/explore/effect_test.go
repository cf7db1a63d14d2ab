package explore_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"varview/decoder/edit"
	"varview/model"
	"varview/model/explore"
)

// TestTryEffect: what is typed says which other values would read differently.
func TestTryEffect(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.ksy": "meta: {id: a, file-extension: lst}\nseq: [{id: n, type: u1}, {id: m, type: u1}, {id: all, size: 2, repeat: expr, repeat-expr: n}]",
		"x.lst": "\x02\x07abcd",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	doc, err := model.Open(context.Background(), filepath.Join(dir, "x.lst"), model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer doc.Close()
	x := explore.New(doc.Buffers[0])
	for _, c := range [][3]string{{"n", "1", "1 other value would read differently"}, {"n", "2", ""}, {"m", "9", ""}, {"n", "3", "1 other value would read differently, and there would be 1 problem instead of 0"}} {
		n, err := doc.Buffers[0].Tree().NewReader().Resolve(c[0])
		if err != nil {
			t.Fatal(err)
		}
		tried, err := x.Try(context.Background(), n, c[1], edit.Options{})
		if err != nil || tried == nil || tried.Effect != c[2] {
			t.Errorf("%s=%s: %+v, %v", c[0], c[1], tried, err)
		}
	}
}
