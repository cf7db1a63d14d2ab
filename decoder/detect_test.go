package decoder

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"varview/decoder/diagnose"
	"varview/decoder/engine/source"
	"varview/decoder/engine/source/sourcetest"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// diagnosed opens bytes and returns the problems of their values.
func diagnosed(t *testing.T, data []byte) (d *Document, all []diagnose.Diagnosis) {
	t.Helper()
	d, err := Open(context.Background(), source.Bytes(data), Options{Thorough: Through})
	if err != nil {
		t.Fatal(err)
	}
	err = d.Diagnose(context.Background(), d.Tree, diagnose.Options{}, func(f diagnose.Diagnosis) bool {
		if f.Severity > span.Note {
			all = append(all, f)
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return d, all
}

// TestHeaderOfTheGame: a game's own bytes before those of the engine do not hide what the engine wrote.
func TestHeaderOfTheGame(t *testing.T) {
	save, err := os.ReadFile("../testdata/godot4/save-player-stats.bin")
	if err != nil {
		t.Fatal(err)
	}
	for _, head := range []string{"MYGAME\x00\x01", "save v2\n", "\x01\x00\x02\x00\xde\xad\xbe\xef\x10\x20\x30\x40"} {
		d, all := diagnosed(t, append([]byte(head), save...))
		if d.Dialect != "godot4" || d.Framing != "stream" || d.Tree.Region.Length != int64(len(save)) {
			t.Errorf("%q: %s, %s, %s", head, d.Dialect, d.Framing, d.Tree.Region)
		}
		if len(all) > 0 {
			t.Errorf("%q: %+v", head, all)
		}
	}
}

// TestSlippedHeader: bytes lost from the header of an Elephant block, or added to it, do not hide which
// version wrote the block.
func TestSlippedHeader(t *testing.T) {
	for i, version := range []string{"1-0-0", "1-1-0", "1-3-0", "1-5-1"} {
		name := fmt.Sprintf("../testdata/elephant/v%s-array-mixed.bin", version)
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		right, _ := diagnosed(t, data)
		for at := i % 2; at < 8; at += 2 {
			for what, damaged := range map[string][]byte{
				"lost":       slices.Delete(bytes.Clone(data), at, at+1),
				"too many":   slices.Insert(bytes.Clone(data), at, 0xfe),
				"8 too many": slices.Insert(bytes.Clone(data), max(1, at), []byte("\xfe\xfd\xfc\xfb\xfa\xf9\xf8\xf7")...),
			} {
				if what == "8 too many" && at == 7 && version == "1-0-0" {
					continue // these bytes are also a struct of that version
				}
				d, all := diagnosed(t, damaged)
				if what == "too many" && at == 0 && len(all) == 0 && d.Tree.Region.Length == int64(len(data)) {
					continue // it is a header of the game's own
				}
				if len(all) == 0 || all[0].Splices == nil {
					t.Errorf("%s, byte %d %s: %+v", name, at, what, all)
					continue
				}
				content := source.Whole(source.Bytes(damaged)).Splice(all[0].Splices)
				mended := make([]byte, content.Size())
				content.ReadAt(mended, 0)
				if what == "lost" && (at == 4 || at == 5) && len(mended) == len(data) {
					continue // without them the headers of several versions are the same
				}
				if d.Dialect != right.Dialect || !bytes.Equal(mended, data) {
					t.Errorf("%s, byte %d %s: %s, %s", name, at, what, d.Dialect, all[0].Message)
				}
			}
		}
	}
}

// TestLargeDamaged: damage in a large file does not hide what it is, even if no reading gets to its end.
func TestLargeDamaged(t *testing.T) {
	const entries = 60_000
	whole := words(18, entries)
	for i := range uint32(entries) {
		whole = append(whole, words(4, 5, 0x68746170, i%10+'0', 7, 0x3f800000, 0xbf800000, 0x40000000)...)
	}
	for _, at := range []int{8 + 20*32, 8 + 30_000*32, 8 + 59_990*32} {
		data := bytes.Clone(whole)
		copy(data[at:], words(99, 1<<30))
		d, err := Open(context.Background(), source.Bytes(data), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Settle(context.Background(), 0); err != nil {
			t.Fatal(err)
		}
		if d.Dialect != "godot3" || d.Framing != "raw" || d.Confidence != "weak" {
			t.Errorf("damage at %#x: %s, %s, %s", at, d.Dialect, d.Framing, d.Confidence)
		}
	}
}

// TestSettleReadsOnce: of a large file that is cut at its end, Settle reads only the end again, and keeps
// the tree.
func TestSettleReadsOnce(t *testing.T) {
	frame := words(24, 28, 1, 4, 8, 0x68746170, 0x68746170)
	whole := bytes.Repeat(frame, 8<<20/len(frame))
	src := &sourcetest.Counted{Source: source.Bytes(whole[:len(whole)-6])}
	d, err := Open(context.Background(), src, Options{Dialect: "godot4"})
	if err != nil {
		t.Fatal(err)
	}
	was, clean := d.Tree, int64(0)
	err = d.Tree.CheckUntil(context.Background(), tree.CheckOptions{Workers: 1}, func(span.Problem, *tree.Node) bool {
		clean, _ = d.Tree.Indexed()
		return false
	})
	if err != nil || clean < 6<<20 {
		t.Fatalf("no problem before %#x, %v", clean, err)
	}
	src.Bytes = 0
	if err := d.Settle(context.Background(), clean); err != nil {
		t.Fatal(err)
	}
	if d.Tree != was || src.Bytes > 4<<20 {
		t.Errorf("the tree stays: %v; %d bytes were read", d.Tree == was, src.Bytes)
	}
}

// TestReadOnce: bytes that values may begin at anywhere, or nowhere, are not read again, or kept again, for each of them.
func TestReadOnce(t *testing.T) {
	const value = "\x1b\x00\x00\x00\x01\x00\x00\x00\x04\x00\x00\x00\x04\x00\x00\x00gold\x02\x00\x00\x00\x05\x00\x00\x00"
	inDigits := answer
	for range maxLayers {
		inDigits = inBase64(inDigits)
	}
	for _, test := range []struct {
		name, data   string
		reads, taken int64 // how many times the size may be read, and taken of memory
	}{
		{"zeros behind a value", value + strings.Repeat("\x00", 1<<20), 200, 200},
		{"a number on each line", strings.Repeat("120 \r\n", 1<<16), 100, 200},
		{"digits in digits", string(inDigits), 100, 2000},
		{"many levels", strings.Repeat("{[", 1<<18), 1000, 4000}, // losses in JSON are looked for from each place on
	} {
		t.Run(test.name, func(t *testing.T) {
			src := &sourcetest.Counted{Source: source.Bytes(test.data)}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			d, err := Open(t.Context(), src, Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			runtime.ReadMemStats(&after)
			if read := src.Bytes / src.Size(); read > test.reads {
				t.Errorf("all bytes are read %d times, expected at most %d", read, test.reads)
			}
			if taken := int64(after.TotalAlloc-before.TotalAlloc) / src.Size(); taken > test.taken {
				t.Errorf("%d times their size of memory is taken, expected at most %d", taken, test.taken)
			}
		})
	}
}

// TestOpenReadsLittle: a file of one sound value, too large to look for a checksum of all of it, is shown without reading it whole.
func TestOpenReadsLittle(t *testing.T) {
	count := binary.LittleEndian.AppendUint32([]byte{28, 0, 0, 0}, 2<<20)
	for name, data := range map[string]string{
		"a list of Godot": string(count) + strings.Repeat("\x02\x00\x00\x00\x07\x00\x00\x00", 2<<20),
		"a list of JSON":  "[" + strings.Repeat(`{"gold": 120, "name": "Hero"}, `, 1<<19) + "0]",
	} {
		t.Run(name, func(t *testing.T) {
			src := &sourcetest.Counted{Source: source.Bytes(data)}
			d, err := Open(t.Context(), src, Options{Defer: 64 << 20})
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			if src.Bytes > src.Size()/2 {
				t.Errorf("%d bytes were read of %d", src.Bytes, src.Size())
			}
		})
	}
}

// TestCaptureReadOnce: the packets of a capture are read once before it is shown.
func TestCaptureReadOnce(t *testing.T) {
	const head = 24 // bytes before the first packet
	capture, err := os.ReadFile("../testdata/captures/auth.pcap")
	if err != nil {
		t.Fatal(err)
	}
	capture = append(capture[:head:head], bytes.Repeat(capture[head:], 4<<20/len(capture))...)
	src := &sourcetest.Counted{Source: source.Bytes(capture)}
	d, err := Open(t.Context(), src, Options{Defer: 64 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if src.Bytes > src.Size()*3/2 {
		t.Errorf("%d bytes were read of %d", src.Bytes, src.Size())
	}
}
