package kaitai

import (
	"bytes"
	"compress/zlib"
	"crypto/md5"
	"encoding/binary"
	"hash/adler32"
	"hash/crc32"
	"slices"
	"strings"
	"testing"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
)

// TestStaleSums: a checksum of which the description says nothing is named once an edit changes what it is of, and follows if it is
// kept equal. What it is of is found by the bytes alone.
func TestStaleSums(t *testing.T) {
	le, be := binary.LittleEndian, binary.BigEndian
	named := func(text string) []byte { return append([]byte{byte(len(text))}, text...) }
	packed := func(text string) []byte {
		var b bytes.Buffer
		z := zlib.NewWriter(&b)
		z.Write(named(text))
		z.Close()
		return b.Bytes()
	}
	const name = "  name: {seq: [{id: len, type: u1}, {id: s, type: str, size: len}]}\n"
	const meta = "meta: {endian: le, encoding: ASCII}\nseq:\n"
	for title, c := range map[string]struct {
		text  string
		path  string
		write func(name string) []byte
		named string // "" for none
	}{
		"crc of all behind": {"  - {id: magic, contents: SAVE}\n  - {id: crc, type: u4}\n  - {id: n, type: name}\n  - {id: x, type: u4}\ntypes:\n" + name, "n.s", func(s string) []byte {
			rest := append(named(s), 1, 2, 3, 4)
			return append(le.AppendUint32([]byte("SAVE"), crc32.ChecksumIEEE(rest)), rest...)
		}, "crc was the crc32 of all behind crc"},
		"big-endian, without a name": {"  - {id: n, type: name}\n  - {id: last, type: u4be}\ntypes:\n" + name, "n.s", func(s string) []byte {
			return be.AppendUint32(named(s), crc32.ChecksumIEEE(named(s)))
		}, "last was the crc32 of all before last"},
		"of one field": {"  - {id: check, type: u4}\n  - {id: n, type: name}\n  - {id: x, type: u4}\ntypes:\n" + name, "n.s", func(s string) []byte {
			return append(append(le.AppendUint32(nil, adler32.Checksum(named(s))), named(s)...), 9, 8, 7, 6)
		}, "check was the adler32 of n"},
		"in a header": {"  - {id: h, type: head}\n  - {id: n, type: name}\ntypes:\n  head: {seq: [{id: magic, contents: HD}, {id: sum, type: u4}, {id: version, type: u2}]}\n" + name, "n.s", func(s string) []byte {
			return append(append(le.AppendUint32([]byte("HD"), crc32.ChecksumIEEE(named(s))), 1, 0), named(s)...)
		}, "sum was the crc32 of all behind h"},
		"in a header, with its rest": {"  - {id: h, type: head}\n  - {id: n, type: name}\ntypes:\n  head: {seq: [{id: magic, contents: HD}, {id: sum, type: u4}, {id: version, type: u2}]}\n" + name, "n.s", func(s string) []byte {
			rest := append([]byte{1, 0}, named(s)...)
			return append(le.AppendUint32([]byte("HD"), crc32.ChecksumIEEE(rest)), rest...)
		}, "sum was the crc32 of all behind sum"},
		"a hash": {"  - {id: digest, size: 16}\n  - {id: n, type: name}\ntypes:\n" + name, "n.s", func(s string) []byte {
			sum := md5.Sum(named(s))
			return append(sum[:], named(s)...)
		}, "digest was the MD5 of all behind digest"},
		"in a record": {"  - {id: recs, type: rec, repeat: eos}\ntypes:\n  rec: {seq: [{id: n, type: name}, {id: sum, type: u1}]}\n" + name, "recs[1].n.s", func(s string) []byte {
			sum := byte(0)
			for _, c := range named(s) {
				sum += c
			}
			return append(append([]byte("\x02ab\xc5"), named(s)...), sum)
		}, "sum was the sum8 of"},
		"of what is packed": {"  - {id: crc, type: u4}\n  - {id: len, type: u2}\n  - {id: body, size: len, process: zlib, type: name}\ntypes:\n" + name, "body.s", func(s string) []byte {
			b := packed(s)
			return append(le.AppendUint16(le.AppendUint32(nil, crc32.ChecksumIEEE(named(s))), uint16(len(b))), b...)
		}, "crc was the crc32 of what unpacks from body"},
		"of packed bytes": {"  - {id: crc, type: u4}\n  - {id: len, type: u2}\n  - {id: body, size: len, process: zlib, type: name}\ntypes:\n" + name, "body.s", func(s string) []byte {
			b := packed(s)
			return append(le.AppendUint16(le.AppendUint32(nil, crc32.ChecksumIEEE(b)), uint16(len(b))), b...)
		}, "crc was the crc32 of body"},
		"of all, without itself": {"  - {id: magic, contents: SAVE}\n  - {id: crc, type: u4}\n  - {id: n, type: name}\ntypes:\n" + name, "n.s", func(s string) []byte {
			b := append([]byte("SAVE\x00\x00\x00\x00"), named(s)...)
			le.PutUint32(b[4:], crc32.ChecksumIEEE(b))
			return b
		}, "crc was the crc32 of all, with its own bytes 0"},
		"of all before the header of its own chunk": {"  - {id: magic, contents: SAVE}\n  - {id: n, type: name}\n  - {id: tag, contents: ENDC}\n  - {id: crc, type: u4}\ntypes:\n" + name, "n.s", func(s string) []byte {
			all := append([]byte("SAVE"), named(s)...)
			return le.AppendUint32(append(all, "ENDC"...), crc32.ChecksumIEEE(all))
		}, "crc was the crc32 of all up to n"},
		"another CRC-16": {"  - {id: crc, type: u2}\n  - {id: n, type: name}\ntypes:\n" + name, "n.s", func(s string) []byte {
			sum := uint16(0xffff)
			for _, c := range named(s) {
				sum ^= uint16(c) << 8
				for range 8 {
					sum = sum<<1 ^ sum>>15*0x1021
				}
			}
			return append(le.AppendUint16(nil, sum), named(s)...)
		}, "crc was the crc16_ccitt of all behind crc"},
		"none": {"  - {id: crc, type: u4}\n  - {id: n, type: name}\ntypes:\n" + name, "n.s", func(s string) []byte {
			return append([]byte{1, 2, 3, 4}, named(s)...)
		}, ""},
		"of others": {"  - {id: crc, type: u4}\n  - {id: head, size: 6}\n  - {id: n, type: name}\ntypes:\n" + name, "n.s", func(s string) []byte {
			return append(append(le.AppendUint32(nil, crc32.ChecksumIEEE([]byte("HEADER"))), "HEADER"...), named(s)...)
		}, ""},
	} {
		for _, to := range []string{"Annb", "Barbarella", "A", "Annabel"} {
			data := c.write("Anna")
			tr := openAs(t, meta+c.text, data)
			n, err := tr.NewReader().Resolve(c.path)
			if err != nil {
				t.Fatal(title, err)
			}
			var told []string
			set := func(o edit.Options) []byte {
				splices, err := tr.Reading.(edit.Editor).Set(t.Context(), tr.NewReader(), n, edit.Content{Literal: `"` + to + `"`}, o)
				if err != nil {
					t.Fatal(title, err)
				}
				return source.NewWindow(source.Whole(source.Bytes(data)).Splice(splices)).View(0, 1<<10)
			}
			set(edit.Options{Unequal: func(e *edit.ChoiceError) error { told = append(told, e.Text); return nil }})
			if c.named == "" {
				if len(told) > 0 {
					t.Errorf("%s: %q", title, told)
				}
				continue
			}
			before, after, _ := strings.Cut(strings.Join(told, "; "), " (")
			if _, after, _ = strings.Cut(after, ") "); len(told) != 1 || !strings.HasPrefix(before+" "+after, c.named) {
				t.Errorf("%s: %q, not %q", title, told, c.named)
			}
			want := c.write(to)
			got := set(edit.Options{Choices: []edit.Choice{edit.KeepEqual}})
			if body := bytes.Index(got, []byte("x\x9c")); body >= 0 { // packed in another way
				want = append(le.AppendUint32(nil, crc32.ChecksumIEEE(got[body:])), got[4:]...)
				if strings.Contains(title, "what") {
					want = append(le.AppendUint32(nil, crc32.ChecksumIEEE(named(to))), got[4:]...)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: %q, not %q", title, got, want)
			}
		}
	}
}
