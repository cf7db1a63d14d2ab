package explore

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"varview/decoder"
	"varview/decoder/engine/span"
	"varview/model"
)

// isSmall reports whether a file is quickly walked through.
func isSmall(t testing.TB, name string) bool {
	t.Helper()
	info, err := os.Stat(repoFile(name))
	must(t, err)
	return info.Size() < 1000
}

// Elephant's files and wrapped ones walk as those made here do, buffer by buffer.
func TestWalkOfElephantAndWrappers(t *testing.T) {
	names := realNames(t, "elephant/*.bin", "elephant/*.txt", "elephant/corrupt/*.bin", "wrapped/*.bin", "wrapped/*.b64")
	for _, name := range names {
		if !isSmall(t, name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			doc := openReal(t, name)
			if doc.Missing != nil {
				t.Fatal(doc.Missing.Message)
			}
			checkDocument(t, doc)
		})
	}
}

// What was not unpacked yet walks too.
func TestWalkDeferred(t *testing.T) {
	doc := openFile(t, repoFile("elephant/v1-5-1-export-savegame.txt"), decoder.Options{Defer: 100})
	if !doc.IsDeferred() {
		t.Fatal("it was unpacked")
	}
	checkDocument(t, doc)
}

func TestLacksSchema(t *testing.T) {
	path := write(t, read(t, "elephant/v1-5-1-ctor-three-versions.bin"))
	x := New(openFile(t, path, decoder.Options{}).Innermost())
	if !x.LacksSchema() || CanOpen(x.row) {
		t.Error("nothing lacks a schema")
	}
}

// The same without the schemas.
func TestWalkWithoutSchemas(t *testing.T) {
	for _, name := range realNames(t, "elephant/*ctor*.bin", "elephant/*savegame-[iqs]*.bin", "elephant/*diffs-*.bin") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			checkDocument(t, openFile(t, write(t, read(t, name)), decoder.Options{}))
		})
	}
}

// FuzzBuffers opens any bytes as whatever they are and does anything in any of
// the buffers.
func FuzzBuffers(f *testing.F) {
	for i, name := range realNames(f, "elephant/*.bin", "elephant/*.txt", "elephant/corrupt/*.bin", "wrapped/*.bin") {
		if i%4 == 0 {
			f.Add(read(f, name), []string{"udd5rRGP3s", "i<dpup>urbbRkfF-9"}[i/4%2])
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, steps string) {
		if len(data) > 1<<12 || len(steps) > 24 {
			t.Skip()
		}
		path := filepath.Join(t.TempDir(), "save.dat")
		must(t, os.WriteFile(path, data, 0o600))
		o := model.Options{Options: decoder.Options{Passwords: []string{"hunter2"}, MaxUnpacked: 1 << 16}, GML: []string{repoFile("elephant")}}
		explore(t, openWith(t, path, o), steps)
	})
}

// holed is a GCPF of two blocks of which one does not unpack: its bytes
// [4096, 6324) are lost, or the first 4096.
func holed(t testing.TB, block int) []byte {
	t.Helper()
	data := read(t, "wrapped/godot4-gcpf-brotli-multi-block.bin")
	first := 16 + 2*4 // behind the header and the lengths of the blocks
	if block == 1 {
		first += int(binary.LittleEndian.Uint32(data[16:]))
	}
	for i := first + 20; i < first+60; i++ {
		data[i] ^= 0xff
	}
	return data
}

func TestWalkAroundHoles(t *testing.T) {
	for block := range 2 {
		doc := openFile(t, write(t, holed(t, block)), decoder.Options{})
		for _, indexed := range []bool{false, true} {
			if indexed {
				buildIndex(t, doc)
			}
			x := New(doc.Innermost())
			x.SetHeight(6)
			checkWalk(t, x)
			for off := int64(4000); off < 4200; off++ {
				must(t, x.GoTo(off))
				x.Rows(80)
				x.Describe(80)
				checkCursor(t, x)
				if lost := off >= 4096; (x.field.Label == "unreadable") != (lost == (block == 1)) {
					t.Fatalf("block %d: byte %d is %s %s", block, off, x.field.Kind, x.field.Label)
				}
			}
		}
	}
}

// What cannot be unpacked is reported, and not taken for zeros.
func TestHoles(t *testing.T) {
	doc := openFile(t, write(t, holed(t, 1)), decoder.Options{})
	buildIndex(t, doc)
	x := New(doc.Innermost())
	buf := make([]byte, 200)
	if n, holes := x.Bytes(buf, 4000); n != 200 || !slices.Equal(holes, []span.Span{{Offset: 4096, Length: 104}}) {
		t.Errorf("%d bytes, holes %v", n, holes)
	}
	if n, holes := x.Bytes(buf, 6300); n != 24 || !slices.Equal(holes, []span.Span{{Offset: 6300, Length: 24}}) {
		t.Errorf("%d bytes, holes %v", n, holes)
	}
	if n, holes := x.Bytes(buf, 100); n != 200 || len(holes) > 0 {
		t.Errorf("%d bytes, holes %v", n, holes)
	}
	for _, q := range []string{"x:00", "0"} {
		hits, err := hitsFrom(doc.Innermost(), query(t, q), -1, false)
		must(t, err)
		if len(hits) == 0 || hits[len(hits)-1].Offset >= 4096 {
			t.Errorf("%s: %d hits, the last at %v", q, len(hits), hits[len(hits)-1])
		}
	}
	must(t, x.Last())
	rows, _ := x.Rows(80)
	if r := rows[len(rows)-1]; r.Value != "unreadable" || r.Type != "" || r.Kind != RowGap {
		t.Errorf("%+v", r)
	}
	if d := x.Describe(80); d.Type != "unreadable" || d.Meaning != "these bytes could not be unpacked" {
		t.Errorf("%+v", d)
	}
	if d := describeAt(t, x, 5000); d.Meaning != "these bytes could not be unpacked" || d.Field.Kind != span.Gap {
		t.Errorf("%+v", d)
	}
}

func describeAt(t testing.TB, x *Explorer, off int64) Description {
	t.Helper()
	must(t, x.GoTo(off))
	return x.Describe(80)
}
