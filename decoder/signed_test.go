package decoder_test

import (
	"os"
	"testing"

	"varview/decoder"
	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
)

// TestEnclosed: files that end with a signature of their family are enclosed, and need no search for a
// checksum; with more bytes behind it they are not.
func TestEnclosed(t *testing.T) {
	for _, file := range []string{"../testdata/elephant/v1-5-1-savegame-quest-log.bin", "../testdata/resource/godot4-savegame-0.res"} {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for more, want := range map[string]format.Claim{"": format.Enclosed, "\x12\x34\x56\x78": format.Signature} {
			data := append(b[:len(b):len(b)], more...)
			strongest := format.None
			for _, f := range decoder.Families {
				strongest = max(strongest, f.Sniff(source.Bytes(data), span.Between(0, int64(len(data)))))
			}
			if strongest != want {
				t.Errorf("%s and %d bytes: the strongest claim is %d, want %d", file, len(more), strongest, want)
			}
		}
	}
}
