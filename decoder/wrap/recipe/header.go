package recipe

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/wrap/layer"
)

// A Field is one of a header that the game writes before its values.
type Field struct {
	Type string `toml:"type"`                 // bytes, text, line, u8, u16, u32, u64
	Size int    `toml:"size,omitempty"`       // of bytes
	Text string `toml:"text,omitempty"`       // what bytes and text must be
	Is   string `toml:"is,omitempty"`         // what a number counts: packed-size, plain-size, file-size, count
	Big  bool   `toml:"big-endian,omitempty"` // of a number, also of the length of a text
}

// widths are the types of numbers, with their sizes in bytes.
var widths = map[string]int{"u8": 1, "u16": 2, "u32": 4, "u64": 8}

// check returns an error if a field is incomplete or wrong.
func (f *Field) check() error {
	width := widths[f.Type]
	switch {
	case f.Type == "bytes" && f.Size <= 0 && f.Text == "":
		return errors.New("bytes of a header need a size, or a text that they are")
	case f.Type == "bytes", f.Type == "text", f.Type == "line", width > 0 && f.Text == "":
	default:
		return fmt.Errorf("a header has no field %q: bytes, text, line, u8, u16, u32, u64", f.Type)
	}
	if f.Is != "" && (width == 0 || !slices.Contains([]string{"packed-size", "plain-size", "file-size", "count"}, f.Is)) {
		return fmt.Errorf("a number of a header cannot be %q: packed-size, plain-size, file-size, count", f.Is)
	}
	return nil
}

// number returns the number in the bytes of a field.
func (f *Field) number(b []byte) (n uint64) {
	for i, c := range b {
		if f.Big {
			n = n<<8 | uint64(c)
		} else {
			n |= uint64(c) << (8 * i)
		}
	}
	return n
}

// put writes a number into the bytes of a field. It returns an error if they are too few.
func (f *Field) put(b []byte, n uint64) error {
	if len(b) < 8 && n>>(8*len(b)) > 0 {
		return fmt.Errorf("the %s %d does not fit the header's %s", f.Is, n, f.Type)
	}
	for i := range b {
		at := i
		if f.Big {
			at = len(b) - 1 - i
		}
		b[at] = byte(n >> (8 * i))
	}
	return nil
}

// length returns how many bytes a field takes at the beginning of b.
func (f *Field) length(b []byte) (n int, err error) {
	const prefix = 4 // size of the length before a text
	switch f.Type {
	case "bytes":
		n = max(f.Size, len(f.Text))
	case "text":
		if len(b) < prefix {
			return 0, io.ErrUnexpectedEOF
		}
		if size := f.number(b[:prefix]); size < uint64(len(b)) {
			n = prefix + int(size)
		} else {
			n = len(b) + 1
		}
	case "line":
		n = bytes.IndexByte(b, '\n') + 1
		if n == 0 {
			n = len(b) + 1
		}
	default:
		n = widths[f.Type]
	}
	if n > len(b) {
		return 0, io.ErrUnexpectedEOF
	}
	if f.Text != "" && !bytes.HasSuffix(bytes.TrimRight(b[:n], "\r\n"), []byte(f.Text)) {
		return 0, fmt.Errorf("the header has not the text %q", f.Text)
	}
	return n, nil
}

// header returns the bytes of the fields of a header, and what follows them.
func (s *Step) header(b []byte) (fields [][]byte, rest []byte, err error) {
	for i := range s.Fields {
		n, err := s.Fields[i].length(b)
		if err != nil {
			return nil, nil, err
		}
		fields, b = append(fields, b[:n]), b[n:]
	}
	return fields, b, nil
}

// counted returns the number that a field must have before the packed bytes of the steps after it.
func (s *Step) counted(is string, packed []byte, header int) (uint64, error) {
	switch is {
	case "packed-size":
		return uint64(len(packed)), nil
	case "file-size":
		return uint64(len(packed) + header), nil
	}
	plain := packed
	for _, k := range s.after {
		var err error
		if plain, err = unpacked(k, plain); err != nil {
			return 0, err
		}
	}
	if is == "plain-size" {
		return uint64(len(plain)), nil
	}
	return countFrames(plain)
}

// unpacked returns what a step unpacks.
func unpacked(k layer.Wrapper, b []byte) ([]byte, error) {
	l, err := layer.Open(context.Background(), k, source.Bytes(b), span.Between(0, int64(len(b))), layer.Options{MaxUnpacked: mostBytes})
	if err != nil {
		return nil, err
	}
	defer l.Close()
	if l.Missing != nil {
		return nil, errors.New(l.Missing.Message)
	}
	out := make([]byte, l.Payload.Size())
	return out, layer.ReadAt(l.Payload, out, 0)
}

// checkHeader returns an error if a field of the header is incomplete or wrong.
func (s *Step) checkHeader() error {
	if len(s.Fields) == 0 {
		return errors.New("header needs fields")
	}
	for i := range s.Fields {
		if err := s.Fields[i].check(); err != nil {
			return err
		}
	}
	return nil
}

// countFrames counts the values of a stream, each after its length in 4 bytes.
func countFrames(b []byte) (n uint64, err error) {
	for ; len(b) > 0; n++ {
		if len(b) < 4 || uint64(binary.LittleEndian.Uint32(b)) > uint64(len(b)-4) {
			return 0, errors.New("what the header counts are not values after their lengths")
		}
		b = b[4+binary.LittleEndian.Uint32(b):]
	}
	return n, nil
}

// unpackHeader removes a header. Numbers that are sizes must be right, so that nothing is taken for one by mistake.
func unpackHeader(s *Step, b []byte, _ int64) ([]byte, error) {
	fields, rest, err := s.header(b)
	if err != nil {
		return nil, err
	}
	for i, f := range s.Fields {
		if f.Is != "packed-size" && f.Is != "file-size" {
			continue // the others take unpacking, and are compared when it is packed again
		}
		if want, err := s.counted(f.Is, rest, len(b)-len(rest)); err != nil || f.number(fields[i]) != want {
			return nil, fmt.Errorf("the %s in the header is %d, but should be %d", f.Is, f.number(fields[i]), want)
		}
	}
	return rest, nil
}

// packHeader puts the header before packed bytes, with the sizes that these have now.
func packHeader(s *Step, b, was []byte) ([]byte, error) {
	fields, rest, err := s.header(was)
	if err != nil {
		return nil, err
	}
	size := len(was) - len(rest)
	out := bytes.Clone(was[:size])
	at := 0
	for i := range s.Fields {
		f := &s.Fields[i]
		if f.Is != "" {
			n, err := s.counted(f.Is, b, size)
			if err == nil {
				err = f.put(out[at:at+len(fields[i])], n)
			}
			if err != nil {
				return nil, err
			}
		}
		at += len(fields[i])
	}
	return append(out, b...), nil
}
