package network_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"varview/decoder/network/pool"
	"varview/decoder/network/stream"
	"varview/decoder/network/variants"
)

// aria is the text "Aria is here" of Godot 3 and 4.
const aria = "\x04\x00\x00\x00\x0c\x00\x00\x00Aria is here"

// longAria is a text whose value has 0x94 = 148 bytes.
var longAria = "\x04\x00\x00\x00\x8c\x00\x00\x00" + strings.Repeat("Aria is here, and so", 7)

// TestByteLengths: of lengths in one byte or several, those of more than 127 bytes are told apart by what follows; netstrings by their
// commas.
func TestByteLengths(t *testing.T) {
	var readers variants.Readers
	text := `{"name": "` + strings.Repeat("x", 200) + `"}`
	for _, c := range []struct {
		name string
		all  []string
		want []string
	}{
		{"8 bits", []string{"\x14" + aria, "\x94" + longAria, "\xd4" + text, "\x14" + aria}, []string{aria, longAria, text, aria}},
		{"varint", []string{"\x14" + aria, "\x94\x01" + longAria, "\xd4\x01" + text, "\x14" + aria}, []string{aria, longAria, text, aria}},
		{"netstrings", []string{"20:" + aria + ",", "148:" + longAria + ",", "212:" + text + ",", "20:" + aria + ","}, []string{aria, longAria, text, aria}},
	} {
		whole := strings.Join(c.all, "")
		f := stream.Detect([]byte(whole), readers.All("godot4")...)
		if f == nil {
			t.Fatal(c.name)
		}
		for _, step := range []int{1, 7, len(whole)} {
			got := new(messageRecorder)
			reader := stream.NewReader(pool.New(1<<20), f, got)
			for at := 0; at < len(whole); at += step {
				reader.Data(bytesOf(whole[at:min(at+step, len(whole))]))
			}
			reader.End()
			var want []string
			for _, w := range c.want {
				want = append(want, strconv.Quote(w))
			}
			if !slices.Equal(got.all, want) {
				t.Errorf("%s in segments of %d: %q", c.name, step, got.all)
			}
		}
	}
}

// TestDetect: the content of a stream shows how its values are framed; lengths of 32 bits are ordinary.
func TestDetect(t *testing.T) {
	var readers variants.Readers
	for _, c := range []struct{ bytes, about string }{
		{"\x14\x00\x00\x00" + aria, ""},
		{"\x00\x00\x00\x14" + aria, ""},
		{"\x04\x00\x00\x00\x00\x00\x00\x00", ""}, // null with its length, not an empty text
		{aria + aria[:9], "without a length"},
		{"\x14\x00" + aria, "a length of 16 bits before"},
		{"\x00\x14" + aria, "a length of 16 bits before"},
		{"\x07\x14\x00\x00\x00" + aria, "a length of 32 bits"},
		{"\x07\x00\x14" + aria, "then a length of 16 bits"},
		{"\x18\x00\x00\x00" + aria, "includes its own 4"},
		{"\x14" + aria, "a length of 8 bits, or of 7 bits in each byte (a varint), before each value"},
		{"\x94\x01" + longAria, "of 7 bits in each byte (a varint)"},
		{"\x94" + longAria, "a length of 8 bits"},
		{"20:" + aria + ",20:", "values, with a length in digits and a colon before each value, and a comma behind it (a netstring)"},
		{"14:{\"hp\": [1, 2]},", "JSON, with a length in digits"},
		{"PK01\x14\x00\x00\x00" + aria, "values, with 4 bytes of the game's own, and then a length of 32 bits, before each value"},
		{"\x00\x02\x00\x14" + aria, "with 2 bytes of the game's own, and then a length of 16 bits, before each value"},
		{"\x18\x00\x00\x00\x02\x00\x00\x00" + aria, "with a length of 32 bits, and then 4 bytes of the game's own, before each value; the length includes what is behind it"},
		{"\x00\x18\x00\x02" + aria, "with a length of 16 bits, and then 2 bytes of the game's own, before each value; the length includes these 4 bytes"},
		{"\x82\xa2hp\x53\xa4name\xa4Aria\x82", "MessagePack, with one value after the other"},
		{"\x07" + aria + "\x07" + aria, "a byte of the game's own before each value, and no length"},
		{"{\"a\": [1, 2]}\n{", "JSON, with one text on each line"},
		{"{\"a\": [1, 2]}\x00{", "JSON, with a zero"},
		{"{\"a\": [1, 2]}{", "JSON, with one text after"},
		{"SAY hello\nSAY", "text, with one text on each line"},
		{"SSH-2.0-OpenSSH_9.2", "none"},
		{aria[:15], "none"},
	} {
		f := stream.Detect([]byte(c.bytes), readers.All("godot4")...)
		got := "none"
		switch {
		case f != nil && !f.IsLengths():
			got = f.Holds + ", " + f.About
		case f != nil:
			got = ""
		}
		if !strings.Contains(got, c.about) || c.about == "" && (got != "" || f.BigEndian != (c.bytes[0] == 0)) {
			t.Errorf("%q: %q, want %q", c.bytes, got, c.about)
		}
	}
	if at, f := stream.Resume([]byte("ddle of a value"+"\x14\x00\x00\x00"+aria), true, readers.All("godot4")...); f == nil || at != 15 {
		t.Errorf("a value begins at %d, %v", at, f)
	}
}
