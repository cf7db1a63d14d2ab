package model

import (
	"context"
	"encoding/hex"
	"errors"
	"slices"
	"testing"

	"varview/decoder"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
)

// TestCheck holds that all problems are reported in order, be they few or many, and
// none once report has returned false.
func TestCheck(t *testing.T) {
	for _, n := range []int{3, 2 * fewProblems} {
		path := write(t, stream(array(slices.Repeat([][]byte{words(tBool, 7)}, n)...)))
		for _, most := range []int{1, n - 1, n, n + 1} {
			doc, err := Open(context.Background(), path, Options{Options: decoder.Options{Dialect: "godot4", Framing: "stream", Thorough: decoder.Quick}})
			must(t, err)
			var offsets []int64
			err = doc.Check(context.Background(), nil, func(f BufferProblem) bool {
				offsets = append(offsets, f.Offset)
				return len(offsets) < most
			})
			must(t, err)
			must(t, doc.Close())
			if len(offsets) != min(n, most) || !slices.IsSorted(offsets) {
				t.Errorf("%d problems, of which %d are wanted: they are reported at %d", n, most, offsets)
			}
		}
	}
}

// TestCheckUnpacksOnce holds that a file that is read again, because its beginning does not
// say what it is, keeps what was unpacked.
func TestCheckUnpacksOnce(t *testing.T) {
	whole := stream(array(text("Mira"), text("lantern"), text("harbour")))
	path := write(t, []byte(hex.EncodeToString(whole[:len(whole)-6])))
	doc, err := Open(context.Background(), path, Options{})
	must(t, err)
	defer doc.Close()
	payload := doc.Layers[0].Payload
	found := 0
	must(t, doc.Check(context.Background(), nil, func(BufferProblem) bool {
		found++
		return true
	}))
	if found == 0 || &doc.Layers[0] != doc.Buffers[0].layer || !source.Same(doc.Layers[0].Payload, payload) {
		t.Error(found, "problems; the wrapper was opened again")
	}
	if doc.Innermost().Tree() != doc.Tree {
		t.Error("the values are not those that were checked")
	}
}

// TestCheckEmpty holds that an empty file has one problem.
func TestCheckEmpty(t *testing.T) {
	doc := openFile(t, write(t, nil), decoder.Options{})
	var codes []string
	err := doc.Check(context.Background(), nil, func(f BufferProblem) bool {
		codes = append(codes, f.Code)
		return true
	})
	must(t, err)
	if len(codes) != 1 || codes[0] != EmptyFile {
		t.Errorf("%q", codes)
	}
}

// TestBound holds that what a context ends fails with the error of that.
func TestBound(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	doc, err := Open(ctx, "../testdata/godot4/store-several-types.bin", Options{Bound: true})
	must(t, err)
	defer doc.Close()
	_, err = doc.Innermost().Resolve("$[0]")
	must(t, err)
	stop()
	for {
		if _, err = doc.file.ReadAt(make([]byte, 1), 0); err != nil {
			break
		}
	}
	if !errors.Is(err, context.Canceled) {
		t.Errorf("reading ends with %v", err)
	}
	if again, err := doc.Reopen(context.Background(), nil); err != nil {
		t.Errorf("it cannot be opened again by who still wants it: %v", err)
	} else {
		again.Close()
	}
}

// TestCheckIndexed holds that Check finds what is damaged also in values that were passed
// before.
func TestCheckIndexed(t *testing.T) {
	data := stream(slices.Repeat([][]byte{text("Mira")}, 50_000)...)
	copy(data[25_000*(4+len(text("Mira")))+4:], words(99))
	doc, err := Open(context.Background(), write(t, data), Options{Options: decoder.Options{Dialect: "godot4", Framing: "stream", Thorough: decoder.Quick}})
	must(t, err)
	defer doc.Close()
	must(t, doc.Innermost().Tree().BuildIndex(context.Background()))
	var codes []string
	must(t, doc.Check(context.Background(), nil, func(f BufferProblem) bool {
		codes = append(codes, f.Code)
		return true
	}))
	if !slices.Equal(codes, []string{span.UnknownType}) {
		t.Errorf("the problems are %q, want one of a type", codes)
	}
}
