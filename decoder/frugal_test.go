package decoder

import (
	"bytes"
	"strings"
	"testing"

	"varview/decoder/engine/source"
	"varview/decoder/engine/source/sourcetest"
)

// TestReadsFewTimes: of what is tried in many ways, the bytes are not all read for each.
func TestReadsFewTimes(t *testing.T) {
	open := func(src source.Source) error {
		d, err := Open(t.Context(), src, Options{})
		if err != nil {
			return err
		}
		return d.Close()
	}
	for name, c := range map[string]struct {
		most int64 // times: the beginning is read for hundreds of offsets and ways
		data []byte
		read func(src source.Source) error
	}{
		"one number many times":             {100, bytes.Repeat([]byte{1, 0, 0, 0}, 1<<18), open},
		"a long text as hexadecimal digits": {40, []byte("0400000000180000" + strings.Repeat("61c59320", 0x600)), open},
		"one word as hexadecimal digits":    {40, []byte("040000000d000000615c6220c59375767265200d0a000000"), open},
		"rows of a dump, which one byte makes another text": {53, bytes.Repeat([]byte("00000000: 0400 0000 0500 0000 6865 6c6c 6f00 0000  ........hello...\n"), 1<<12), func(src source.Source) error {
			_, err := FindRecipe(t.Context(), src, "dump.txt", nil, true)
			return err
		}},
	} {
		src := &sourcetest.Counted{Source: source.Bytes(c.data)}
		if err := c.read(src); err != nil {
			t.Fatal(err)
		}
		if n := src.Bytes / src.Size(); n > c.most {
			t.Errorf("%s: all bytes are read %d times", name, n)
		}
	}
}
