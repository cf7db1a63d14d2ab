package simple_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"testing"

	"varview/decoder/edit"
	"varview/decoder/edit/simple"
	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// boxes is a format with lengths in bytes and with offsets:
//
//	n NUMBER          a number of 1 byte
//	b SIZE COUNT …    a box: the bytes and the number of the values in it, in 1 byte each
//	v X Y Z           a vector: three numbers of 1 byte
//	w SIZE COUNT …    a box whose size does not contain the count
//	d SIZE …          a box of pairs without a count
//	o OFFSET          where a value begins, in 2 bytes from the beginning of the buffer
//	r OFFSET          the same from the beginning of this value, in 1 byte
var boxes = simple.New(simple.Description{
	Name: "boxes", Title: "Boxes", About: "tests", Types: []string{"number", "box", "pairs", "offset", "vector"}, Offsets: true,
	Sniff: func([]byte, int64) format.Claim { return format.None },
	Value: func(c *simple.Cursor) {
		if c.Place().In == inVector {
			c.Type("number")
			c.Uint(1)
			return
		}
		switch is := c.Peek(); is {
		case 'n':
			c.Type("number")
			c.Number(1, span.Type, "type")
			c.Uint(1)
		case 'b', 'B':
			c.Type("box")
			size := 1
			if is == 'B' {
				size = 2
			}
			c.Number(1, span.Type, "type")
			c.Within("size", c.Number(size, span.Length, "size"))
			c.Items(c.Number(1, span.Length, "count"))
		case 'v':
			c.Type("vector")
			c.Number(1, span.Type, "type")
			c.Inside(inVector)
			c.Fixed(3)
		case 'w':
			c.Type("box")
			c.Number(1, span.Type, "type")
			size := c.Number(1, span.Length, "size")
			n := c.Number(1, span.Length, "count")
			c.Within("size", size)
			c.Items(n)
		case 'd':
			c.Type("pairs")
			c.Number(1, span.Type, "type")
			size := c.Number(1, span.Length, "size")
			c.Within("size", size)
			c.Pairs(size / 4)
		case 'o':
			c.Type("offset")
			c.Number(1, span.Type, "type")
			c.Uint(2)
			c.Offset(0)
		case 'r':
			c.Type("offset")
			c.Number(1, span.Type, "type")
			c.Uint(1)
			c.Offset(c.Start())
		}
	},
	Encode: func(d simple.Datum) []byte {
		switch {
		case d.Kind != tree.Int || d.Bits > 255:
			return nil
		case d.Place.In == inVector:
			return []byte{byte(d.Bits)}
		}
		return []byte{'n', byte(d.Bits)}
	},
	Header: func(_ simple.Place, l tree.Layout, n, size int64) []byte {
		switch {
		case l == tree.Pairs && size < 256:
			return []byte{'d', byte(size)}
		case l == tree.Pairs || n > 255:
			return nil
		case size < 255:
			return []byte{'b', byte(size + 1), byte(n)}
		}
		return append(binary.BigEndian.AppendUint16([]byte{'B'}, uint16(size+1)), byte(n))
	},
})

// inVector is the place of the numbers of a vector.
const inVector = 1

// TestLengths checks that the lengths of all boxes around an edit, and offsets, follow it.
func TestLengths(t *testing.T) {
	full := "b\xff\x7f" + string(bytes.Repeat([]byte("n\x01"), 127)) // 254 bytes of values
	wide := "B\x01\x01\x80" + string(bytes.Repeat([]byte("n\x01"), 127)) + "n\x02"
	for _, c := range []struct {
		name, before, path, literal string
		index                       int64 // where it is inserted; -1 to set, -2 to delete
		after                       string
	}{
		{"a number", "b\x05\x02n\x01n\x02", "$[1]", "3", -1, "b\x05\x02n\x01n\x03"},
		{"one more", "b\x05\x02n\x01n\x02", "$", "3", 1, "b\x07\x03n\x01n\x03n\x02"},
		{"one less", "b\x05\x02n\x01n\x02", "$[0]", "", -2, "b\x03\x01n\x02"},
		{"a box in a box", "b\x06\x01b\x03\x01n\x01", "$[0]", "2", 1, "b\x08\x01b\x05\x02n\x01n\x02"},
		{"all of a box", "b\x06\x01b\x03\x01n\x01", "$[0]", "[1, [2]]", -1, "b\x0b\x01b\x08\x02n\x01b\x03\x01n\x02"},
		{"a header that grows", full, "$", "2", 127, wide},
		{"one in a box of the greatest size", "B\x01\x04\x02" + full + "n\x05", "$[0]", "2", 127, "B\x01\x07\x02" + wide + "n\x05"},
		{"an offset behind", "b\x06\x02n\x01o\x00\x05", "$", "3", 0, "b\x08\x03n\x03n\x01o\x00\x07"},
		{"an offset to what stays", "b\x06\x02n\x01o\x00\x03", "$", "3", 1, "b\x08\x03n\x01n\x03o\x00\x03"},
		{"an offset before", "b\x06\x02o\x00\x06n\x01", "$", "3", 1, "b\x08\x03o\x00\x08n\x03n\x01"},
		{"a relative one", "b\x07\x03r\x04n\x01n\x02", "$", "3", 1, "b\x09\x04r\x06n\x03n\x01n\x02"},
		{"a relative one that moves as a whole", "b\x07\x03n\x01r\x02n\x02", "$", "3", 0, "b\x09\x04n\x03n\x01r\x02n\x02"},
		{"an offset that is set", "b\x06\x02n\x01o\x00\x05", "$[1]", "3", -1, "b\x06\x02n\x01o\x00\x03"},
		{"a component", "b\x05\x01v\x01\x02\x03", "$[0][1]", "9", -1, "b\x05\x01v\x01\x09\x03"},
		{"all of a vector", "b\x05\x01v\x01\x02\x03", "$[0]", "[7, 2, 9]", -1, "b\x05\x01v\x07\x02\x09"},
		{"a length that is not the last one", "w\x04\x02n\x01n\x02", "$", "3", 0, "w\x06\x03n\x03n\x01n\x02"},
		{"a key", "d\x04n\x01n\x02", "$[1]@key", "3", -1, "d\x04n\x03n\x02"},
	} {
		r := open2(t, c.before).NewReader()
		n, err := r.Resolve(c.path)
		if err != nil {
			t.Fatal(c.name, err)
		}
		e, content := r.Tree.Reading.(edit.Editor), edit.Content{Literal: c.literal}
		if c.path == "$" {
			if n, err = r.Child(r.Tree.Base, 0); err != nil {
				t.Fatal(err)
			}
		}
		var splices []source.Splice
		switch c.index {
		case -1:
			splices, err = e.Set(context.Background(), r, n, content, edit.Options{})
		case -2:
			splices, err = e.Delete(context.Background(), r, n, edit.Options{})
		default:
			splices, err = e.Insert(context.Background(), r, n, c.index, content, edit.Options{})
		}
		if err != nil {
			t.Fatal(c.name, err)
		}
		after := source.Whole(source.Bytes(c.before)).Splice(splices)
		got := make([]byte, after.Size())
		if _, err := after.ReadAt(got, 0); err != nil || string(got) != c.after {
			t.Errorf("%s: %q, want %q (%v)", c.name, got, c.after, err)
		}
	}
}

// TestNoRoom checks which edits are refused because a header or an offset has no room for them.
func TestNoRoom(t *testing.T) {
	pairs := "d\xfc" + string(bytes.Repeat([]byte("n\x01n\x01"), 63))
	for name, c := range map[string]struct{ before, key, message string }{
		"pairs":     {pairs, "2", "Boxes has no container for 64 values"},
		"an offset": {"b\xff\x7fr\xfe" + string(bytes.Repeat([]byte("n\x01"), 126)), "", "the offset at 0x4 has too few bits for the new place"},
	} {
		r := open2(t, c.before).NewReader()
		n, err := r.Child(r.Tree.Base, 0)
		if err != nil {
			t.Fatal(err)
		}
		index := int64(1)
		if _, err = r.Tree.Reading.(edit.Editor).Insert(context.Background(), r, n, index, edit.Content{Key: c.key, Literal: "9"}, edit.Options{}); err == nil || err.Error() != c.message {
			t.Errorf("%s: %v, want %s", name, err, c.message)
		}
	}
}

// TestFixed: a container whose type says how many values it has keeps that number.
func TestFixed(t *testing.T) {
	r := open2(t, "b\x07\x02n\x03v\x01\x02\x03").NewReader()
	vector, err := r.Resolve("$[1]")
	if err != nil {
		t.Fatal(err)
	}
	first, err := r.Child(vector, 0)
	if err != nil {
		t.Fatal(err)
	}
	e, ctx := r.Tree.Reading.(edit.Editor), context.Background()
	for name, edited := range map[string]func(o edit.Options) ([]source.Splice, error){
		"delete": func(o edit.Options) ([]source.Splice, error) { return e.Delete(ctx, r, first, o) },
		"insert": func(o edit.Options) ([]source.Splice, error) {
			return e.Insert(ctx, r, vector, 3, edit.Content{Literal: "4"}, o)
		},
		"set": func(o edit.Options) ([]source.Splice, error) {
			return e.Set(ctx, r, vector, edit.Content{Literal: "[1, 2]"}, o)
		},
	} {
		if s, err := edited(edit.Options{}); err == nil || err.Error() != "vector always has 3 values" {
			t.Errorf("%s: %v, %v", name, s, err)
		}
	}
}

func open2(t testing.TB, text string) *tree.Tree {
	t.Helper()
	src, all := source.Bytes(text), span.Between(0, int64(len(text)))
	tr := tree.New(src, boxes.Formats(&format.Request{}, src, all)[0].Open(src, all), all)
	if err := tr.BuildIndex(context.Background()); err != nil {
		t.Fatal(err)
	}
	return tr
}
