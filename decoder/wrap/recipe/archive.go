package recipe

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"unicode/utf8"

	"github.com/klauspost/compress/flate"

	"varview/decoder/engine/deflate"
	"varview/decoder/wrap/layer"
)

// An archive holds files. Unpacked it is a JSON object with their names as keys: what is JSON in it stays as it is, other
// text becomes a string, other bytes a string of base64 with a prefix. So members are values by name, and only those
// that are edited are written anew.

// A member is one file of an archive.
type member struct {
	name    string
	content []byte
}

// inBase64 begins the string of a member that is not text.
const inBase64 = "base64:"

// value returns a member as JSON.
func (m *member) value() []byte {
	switch {
	case json.Valid(m.content):
		return bytes.TrimSpace(m.content)
	case utf8.Valid(m.content) && !bytes.HasPrefix(m.content, []byte(inBase64)):
		return quoted(string(m.content))
	}
	return quoted(inBase64 + base64.StdEncoding.EncodeToString(m.content))
}

func quoted(s string) []byte {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string can be encoded
	return bytes.TrimSpace(out.Bytes())
}

// set takes the content from JSON, unless that means what it was.
func (m *member) set(value []byte) error {
	if bytes.Equal(value, m.value()) {
		return nil
	}
	if json.Valid(m.content) {
		was := bytes.TrimSpace(m.content)
		at := bytes.Index(m.content, was)
		m.content = bytes.Join([][]byte{m.content[:at], value, m.content[at+len(was):]}, nil) // with the blanks around it
		return nil
	}
	var text string
	if err := json.Unmarshal(value, &text); err != nil {
		return fmt.Errorf("the file %s in the archive is a text, and must stay one", m.name)
	}
	m.content = []byte(text)
	if digits, ok := bytes.CutPrefix(m.content, []byte(inBase64)); ok {
		b, err := base64.StdEncoding.DecodeString(string(digits))
		if err != nil {
			return fmt.Errorf("the file %s in the archive: %w", m.name, err)
		}
		m.content = b
	}
	return nil
}

// object returns members as a JSON object.
func object(all []member) ([]byte, error) {
	seen, out := map[string]bool{}, []byte("{")
	for i := range all {
		m := &all[i]
		if seen[m.name] || !utf8.ValidString(m.name) {
			return nil, fmt.Errorf("the name %q in the archive is repeated, or no text", m.name)
		}
		if seen[m.name] = true; i > 0 {
			out = append(out, ',')
		}
		out = append(append(append(append(out, '\n'), quoted(m.name)...), ": "...), m.value()...)
	}
	return append(out, "\n}"...), nil
}

// setObject sets the contents of members from a JSON object, which must have the same names in the same order.
func setObject(all []member, b []byte) error {
	d := json.NewDecoder(bytes.NewReader(b))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return errors.New("an archive must stay an object of its files")
	}
	for i := range all {
		name, err := d.Token()
		var value json.RawMessage
		if err == nil && name == all[i].name {
			err = d.Decode(&value)
		} else if err == nil {
			err = errors.New("files of an archive cannot be added, removed, moved or renamed")
		}
		if err == nil {
			err = all[i].set(value)
		}
		if err != nil {
			return err
		}
	}
	if d.More() {
		return errors.New("files of an archive cannot be added")
	}
	return nil
}

// archived makes a codec of functions that read and write the files of an archive. write gets the old archive, too.
func archived(read func(b []byte, limit int64) ([]member, error), write func(all []member, was []byte) ([]byte, error)) codec {
	return inMemory(
		func(_ *Step, b []byte, limit int64) ([]byte, error) {
			all, err := read(b, limit)
			if err != nil {
				return nil, err
			}
			return object(all)
		},
		func(_ *Step, b, was []byte) ([]byte, error) {
			all, err := read(was, mostBytes)
			if err == nil {
				err = setObject(all, b)
			}
			if err != nil {
				return nil, err
			}
			return write(all, was)
		})
}

// readContent reads a file of an archive, up to what is left of a limit.
func readContent(r io.Reader, left *int64) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, *left+1))
	if *left -= int64(len(b)); *left < 0 {
		return nil, layer.ErrFull
	}
	return b, err
}

func readZip(b []byte, limit int64) (all []member, err error) {
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return nil, err
	}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		is, err := readContent(r, &limit)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		all = append(all, member{f.Name, is})
	}
	return all, nil
}

// writeZip copies the files that are as they were, and packs the others with the same header but for sizes and checksum.
func writeZip(all []member, was []byte) ([]byte, error) {
	z, err := zip.NewReader(bytes.NewReader(was), int64(len(was)))
	if err != nil {
		return nil, err
	}
	before, err := readZip(was, mostBytes)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for i, f := range z.File {
		if bytes.Equal(all[i].content, before[i].content) {
			if err := w.Copy(f); err != nil {
				return nil, err
			}
			continue
		}
		h, content := f.FileHeader, all[i].content
		h.CRC32, h.UncompressedSize64 = crc32.ChecksumIEEE(content), uint64(len(content))
		if h.Method == zip.Deflate {
			content = deflated(content)
		}
		h.CompressedSize64 = uint64(len(content))
		to, err := w.CreateRaw(&h)
		if err == nil {
			_, err = to.Write(content)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := errors.Join(w.SetComment(z.Comment), w.Close()); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func deflated(b []byte) []byte {
	var out bytes.Buffer // to which writing never fails
	w := deflate.NewWriter(&out, flate.DefaultCompression)
	w.Write(b)
	w.Close()
	return out.Bytes()
}

func readTar(b []byte, limit int64) (all []member, err error) {
	for r := tar.NewReader(bytes.NewReader(b)); ; {
		h, err := r.Next()
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		is, err := readContent(r, &limit)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", h.Name, err)
		}
		all = append(all, member{h.Name, is})
	}
}

// tarBlock is the size of a block of a tar: a header, or a piece of a file.
const tarBlock = 512

// writeTar replaces the contents in the old archive, with the size and checksum in the header before each. Everything
// else stays, the end included.
func writeTar(all []member, was []byte) ([]byte, error) {
	in := bytes.NewReader(was)
	r, out, from := tar.NewReader(in), []byte(nil), 0
	for i := range all {
		h, err := r.Next()
		if err != nil {
			return nil, err
		}
		at := len(was) - in.Len() // the content begins here, after its header
		size := int(h.Size)
		if string(was[at:at+size]) == string(all[i].content) {
			continue
		}
		head := bytes.Clone(was[at-tarBlock : at])
		field := head[124:136]
		if field[0]&0x80 != 0 {
			return nil, fmt.Errorf("the size of %s is not written in octal digits", h.Name)
		}
		copy(field, fmt.Appendf(nil, "%011o\x00", len(all[i].content)))
		sum := 8 * int(' ')
		for j, c := range head {
			if j < 148 || j >= 156 {
				sum += int(c)
			}
		}
		copy(head[148:156], fmt.Appendf(nil, "%06o\x00 ", sum))
		out = append(append(append(out, was[from:at-tarBlock]...), head...), all[i].content...)
		out = append(out, make([]byte, -len(all[i].content)&(tarBlock-1))...)
		from = min(at+(size+tarBlock-1)&^(tarBlock-1), len(was))
	}
	return append(out, was[from:]...), nil
}

// readPieces reads names and contents, each after its length in 8 bytes, the lowest first.
func readPieces(b []byte, _ int64) (all []member, err error) {
	next := func() (is []byte) {
		if err == nil && (len(b) < 8 || binary.LittleEndian.Uint64(b) > uint64(len(b)-8)) {
			err = errors.New("the bytes are not names and contents after their lengths")
		}
		if err != nil {
			return nil
		}
		n := int(binary.LittleEndian.Uint64(b))
		is, b = b[8:8+n], b[8+n:]
		return is
	}
	for len(b) > 0 && err == nil {
		name := string(next())
		all = append(all, member{name, next()})
	}
	if err == nil && len(all) == 0 {
		err = io.ErrUnexpectedEOF
	}
	return all, err
}

func writePieces(all []member, _ []byte) (out []byte, err error) {
	for _, m := range all {
		for _, b := range [][]byte{[]byte(m.name), m.content} {
			out = append(binary.LittleEndian.AppendUint64(out, uint64(len(b))), b...)
		}
	}
	return out, nil
}
