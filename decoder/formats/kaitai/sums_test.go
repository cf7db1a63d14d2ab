package kaitai

import (
	"bytes"
	"compress/zlib"
	"crypto/md5"
	"encoding/binary"
	"fmt"
	"hash/adler32"
	"hash/crc32"
	"io"
	"slices"
	"strings"
	"testing"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/kaitai/change"
	"varview/decoder/formats/kaitai/read"
)

// TestStaleSums: a checksum of which the description says nothing is named once an edit changes what it is of, and follows if it is
// kept equal. What it is of is found by the bytes alone.
func TestStaleSums(t *testing.T) {
	le, be := binary.LittleEndian, binary.BigEndian
	named := func(text string) []byte { return append([]byte{byte(len(text))}, text...) }
	packed := func(text string) []byte { return deflated(named(text)) }
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
		"of all but itself": {"  - {id: magic, contents: SAVE}\n  - {id: crc, type: u4}\n  - {id: n, type: name}\n  - {id: x, type: u4}\ntypes:\n" + name, "n.s", func(s string) []byte {
			rest := append(named(s), 1, 2, 3, 4)
			return append(le.AppendUint32([]byte("SAVE"), crc32.ChecksumIEEE(append([]byte("SAVE"), rest...))), rest...)
		}, "crc was the crc32 of all but itself"},
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
		"of what an offset leads to": {"  - {id: dir, type: ent, repeat: expr, repeat-expr: 1}\ntypes:\n  ent: {seq: [{id: ofs, type: u1}, {id: len, type: u1}, {id: crc, type: u4}], instances: {n: {io: _root._io, pos: ofs, size: len, type: name}}}\n" + name, "dir[0].n.s", func(s string) []byte {
			return append(le.AppendUint32([]byte{6, byte(1 + len(s))}, crc32.ChecksumIEEE(named(s))), append(named(s), 9)...)
		}, "crc was the crc32 of n"},
		"two bytes without a name": {"  - {id: magic, contents: SAVE}\n  - {id: n, type: name}\n  - {id: x, size: 3}\n  - {id: last, type: u2}\ntypes:\n" + name, "n.s", func(s string) []byte {
			rest := append(named(s), 9, 8, 7)
			return le.AppendUint16(append([]byte("SAVE"), rest...), xmodem(rest))
		}, "last was the crc16_xmodem of all from n to before last"},
		"two bytes without a name, of a part": {"  - {id: n, type: name}\n  - {id: gold, type: u2}\n  - {id: xs, size: 3}\ntypes:\n" + name, "n.s", func(s string) []byte {
			return append(le.AppendUint16(named(s), xmodem(named(s))), 1, 2, 3)
		}, ""},
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

// TestPackedSums: a checksum in what a process unpacks is named and follows like others, and then the sizes and checksums around it,
// whichever is read first. A number inside that was equal to a size around it by chance is not meant.
func TestPackedSums(t *testing.T) {
	const text = `
meta: {endian: le, encoding: ASCII}
seq: [{id: len_file, type: u4}, {id: crc, type: u4}, {id: adler, type: u4}, {id: len, type: u4}, {id: body, size: len, process: %s, type: body}]
types:
  body: {seq: [{id: gold, type: u1}, {id: n, type: u1}, {id: s, type: str, size: n}, {id: sum, type: u4}]}
`
	le := binary.LittleEndian
	for process, do := range map[string]struct{ pack, unpack func(b []byte) []byte }{
		"xor(0x5a)": {xored, xored},
		"zlib":      {deflated, inflated},
	} {
		for title, sum := range map[string]func(b []byte) uint32{"crc32": crc32.ChecksumIEEE, "adler32": adler32.Checksum, "hash of Godot": djb2} {
			plain := func(gold byte, s string) []byte {
				b := append([]byte{gold, byte(len(s))}, s...)
				return le.AppendUint32(b, sum(b))
			}
			around := func(packed []byte) []byte {
				b := append(le.AppendUint32(nil, uint32(len(packed))), packed...)
				b = append(le.AppendUint32(nil, adler32.Checksum(b)), b...)
				b = append(le.AppendUint32(nil, crc32.ChecksumIEEE(b)), b...)
				return append(le.AppendUint32(nil, uint32(len(b)+4)), b...)
			}
			gold := byte(len(around(do.pack(plain(60, "Anna of Arendelle"))))) // its size is the same
			data := around(do.pack(plain(gold, "Anna of Arendelle")))
			for _, c := range []struct {
				path, literal string
				want          []byte
			}{{"body.gold", "9", plain(9, "Anna of Arendelle")}, {"body.s", `"Mirabelle the Long of Mill"`, plain(gold, "Mirabelle the Long of Mill")}} {
				var told []string
				note := edit.Options{Unequal: func(e *edit.ChoiceError) error { told = append(told, e.Text); return nil }}
				tr := openAs(t, fmt.Sprintf(text, process), data)
				_, err := setIn(t, tr, c.path, c.literal, note)
				all := strings.Join(told, "; ")
				if err != nil || !strings.HasPrefix(all, "sum (description:5) was the "+title+" of all before sum") || strings.Contains(all, "gold") {
					t.Errorf("%s, %s, %s: %q, %v", process, title, c.path, all, err)
				}
				got, err := setIn(t, tr, c.path, c.literal, edit.Options{Choices: []edit.Choice{edit.KeepEqual}})
				if inside := do.unpack([]byte(got[16:])); err != nil || !slices.Equal(inside, c.want) || got != string(around([]byte(got[16:]))) {
					t.Errorf("%s, %s, %s: %q in %q, not %q in %q, %v", process, title, c.path, inside, got, c.want, around([]byte(got[16:])), err)
				}
			}
			tr := openAs(t, fmt.Sprintf(text, process), data)
			if got, err := setIn(t, tr, "body.sum", "7", edit.Options{Choices: []edit.Choice{edit.KeepEqual}}); err != nil || le.Uint32(do.unpack([]byte(got[16:]))[19:]) != 7 {
				t.Errorf("%s, %s: a checksum that is set itself is another one: %q, %v", process, title, got, err)
			}
		}
	}
}

// TestSumsOfObjects: a checksum of a value with a type is that of the bytes of which it is read, as they are unpacked, and what an edit
// suggests for the description is just that.
func TestSumsOfObjects(t *testing.T) {
	le := binary.LittleEndian
	const kept = ", -varview-value: crc32(body)"
	file := func(process, name string) []byte {
		plain := append([]byte{byte(len(name))}, name...)
		stored := map[string]func([]byte) []byte{"": func(b []byte) []byte { return b }, "zlib": deflated, "xor(0x5a)": xored}[process](plain)
		return append(append(le.AppendUint32([]byte("CH"), crc32.ChecksumIEEE(plain)), byte(len(stored))), stored...)
	}
	for _, process := range []string{"", "zlib", "xor(0x5a)"} {
		for _, says := range []string{kept, ""} {
			text := "meta: {endian: le, encoding: ASCII}\nseq: [{id: c, type: chunk}, {id: last, type: u1}]\ntypes:\n" +
				"  chunk: {seq: [{id: tag, contents: CH}, {id: crc, type: u4" + says + "}, {id: len, type: u1}, {id: body, type: name, size: len}]}\n" +
				"  name: {seq: [{id: n, type: u1}, {id: s, type: str, size: n}]}\n"
			if process != "" {
				text = strings.Replace(text, "size: len}", "size: len, process: '"+process+"'}", 1)
			}
			told := ""
			tr := openAs(t, text, append(file(process, "Anna"), 9))
			tr.Check(t.Context(), tree.CheckOptions{Workers: 1}, func(p span.Problem, _ *tree.Node) { t.Errorf("%s%s: %s", process, says, p.Message) })
			got, err := setIn(t, tr, "c.body.s", `"Mirabelle of York"`, edit.Options{Choices: []edit.Choice{edit.KeepEqual}})
			if want := file(process, "Mirabelle of York"); err != nil || got[:6] != string(want[:6]) {
				t.Errorf("%s%s: %q, not %q (%v)", process, says, got, want, err)
			}
			setIn(t, tr, "c.body.s", `"Mirabelle of York"`, edit.Options{Unequal: func(e *edit.ChoiceError) error { told = e.Line; return nil }})
			if says == "" && told != strings.TrimPrefix(kept, ", ") {
				t.Errorf("%s: %q", process, told)
			}
			name := "crc32 of body"
			if process != "" {
				name = "crc32 of what unpacks from body"
			}
			if sums := change.SumsOf(tr.Reading.(*reading).doc.Root)["c.crc"]; says == "" && sums[name] != "crc32(body)" {
				t.Errorf("%s: %q", process, sums)
			}
		}
	}
}

func xmodem(b []byte) (sum uint16) {
	for _, c := range b {
		sum ^= uint16(c) << 8
		for range 8 {
			sum = sum<<1 ^ sum>>15*0x1021
		}
	}
	return sum
}

func xored(b []byte) []byte {
	b = slices.Clone(b)
	for i := range b {
		b[i] ^= 0x5a
	}
	return b
}

func deflated(b []byte) []byte {
	var all bytes.Buffer
	z := zlib.NewWriter(&all)
	z.Write(b)
	z.Close()
	return all.Bytes()
}

func inflated(b []byte) []byte {
	z, err := zlib.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil
	}
	all, _ := io.ReadAll(z)
	return all
}

func djb2(b []byte) uint32 {
	h := uint32(5381)
	for _, c := range b {
		h = h*33 + uint32(c)
	}
	return h
}

// TestSumsOfDamage: a checksum is not set to that of bytes that are damaged themselves, by which the damage is known.
func TestSumsOfDamage(t *testing.T) {
	const text = `
meta: {endian: le}
seq: [{id: adler, type: u4, -varview-value: adler32(raw)}, {id: len, type: u1}, {id: body, size: len, process: zlib, type: body}, {id: tail, type: u4}]
instances: {raw: {pos: 5, size: len}}
types:
  body: {seq: [{id: n, type: u1}, {id: xs, size: n}]}
`
	file := func(longer int, body string) []byte {
		packed := deflated([]byte(body))
		b := append(binary.LittleEndian.AppendUint32(nil, 7), byte(len(packed)+longer))
		return append(append(b, packed...), 1, 2, 3, 4)
	}
	for _, c := range []struct {
		data []byte
		why  string // "" if it is repaired
	}{
		{file(0, "\x05Hello"), ""},
		{file(4, "\x05Hello"), "tail needs 4 bytes"},
		{file(-3, "\x05Hello"), "body: "},
		{file(0, "\x09Hello"), "xs needs 9 bytes"},
	} {
		tr, found := openAs(t, text, c.data), false
		tr.Check(t.Context(), tree.CheckOptions{Workers: 1}, func(p span.Problem, _ *tree.Node) {
			if p.Code != read.NotKept {
				return
			}
			if found = true; (p.Repair != "") != (c.why == "") || !strings.Contains(p.Message, c.why) {
				t.Errorf("%q: %q, repair %q", c.data, p.Message, p.Repair)
			}
		})
		if !found {
			t.Errorf("%q: the checksum fits", c.data)
		}
	}
}
