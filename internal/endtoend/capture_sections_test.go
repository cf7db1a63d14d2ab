package endtoend

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	packet "varview/decoder/network/link"
)

// A file of pcapng begins with a block of 28 bytes, in which the length of what follows is at 16.
const sectionHead, sectionLength = 28, 16

// unknown returns a section that does not say how long it is.
func unknown(b []byte) []byte {
	b = bytes.Clone(b)
	binary.LittleEndian.PutUint64(b[sectionLength:], 1<<64-1)
	return b
}

// section returns a capture of texts, sent as datagrams, that says how long it is.
func section(t *testing.T, texts ...string) []byte {
	c := newCaptured(t)
	for _, text := range texts {
		c.ip(packet.Datagram(c.client, c.server, []byte(variant(text))))
	}
	b := c.file.Bytes()
	binary.LittleEndian.PutUint64(b[sectionLength:], uint64(len(b)-sectionHead))
	return b
}

// TestEditSections: after an edit, sections no longer declare their length; everything else stays.
func TestEditSections(t *testing.T) {
	first, second := section(t, "one", "two"), section(t, "three", "four")
	file := filepath.Join(t.TempDir(), "sections.pcapng")
	if err := os.WriteFile(file, append(bytes.Clone(first), second...), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		edits []string
		want  [][]string // the texts in each section
	}{
		{[]string{`messages[1].value="twenty-two and more"`}, [][]string{{"one", "twenty-two and more"}, {"three", "four"}}},
		{[]string{`messages[3].value="4"`, `messages[2].value="a third one"`}, [][]string{{"one", "two"}, {"a third one", "4"}}},
		{[]string{`messages[0].value=""`, `messages[2].value="two sections"`}, [][]string{{"", "two"}, {"two sections", "four"}}},
		{[]string{`messages[0].value="eno"`}, [][]string{{"eno", "two"}, {"three", "four"}}},
	} {
		edited := filepath.Join(t.TempDir(), "edited.pcapng")
		run(t, 0, append([]string{"set", file, "-o", edited}, test.edits...)...)
		got, err := os.ReadFile(edited)
		if err != nil {
			t.Fatal(err)
		}
		if want := append(unknown(section(t, test.want[0]...)), unknown(section(t, test.want[1]...))...); !bytes.Equal(got, want) {
			t.Errorf("%q:\n%x\nnot\n%x", test.edits, got, want)
		}
	}
}

// TestEditHashed: the hash of a changed packet is dropped, since it is the hash of the old bytes; other
// options, and the hashes of other packets, stay.
func TestEditHashed(t *testing.T) {
	const comment, hash, end = "\x01\x00\x03\x00abc\x00", "\x03\x00\x05\x00\x02\xde\xad\xbe\xef\x00\x00\x00", "\x00\x00\x00\x00"
	plain := section(t, "one")
	head := sectionHead + int(binary.LittleEndian.Uint32(plain[sectionHead+4:])) // up to the packet
	withOptions := func(b []byte, options string) []byte {
		is := bytes.Clone(b[head : len(b)-4])
		is = append(is, options...)
		is = append(is, 0, 0, 0, 0)
		binary.LittleEndian.PutUint32(is[4:], uint32(len(is)))
		binary.LittleEndian.PutUint32(is[len(is)-4:], uint32(len(is)))
		return is
	}
	file := func(blocks ...[]byte) []byte {
		b := append(bytes.Clone(plain[:head]), bytes.Join(blocks, nil)...)
		binary.LittleEndian.PutUint64(b[sectionLength:], uint64(len(b)-sectionHead))
		return b
	}
	name := filepath.Join(t.TempDir(), "hashed.pcapng")
	all := comment + hash + end
	if err := os.WriteFile(name, file(withOptions(plain, all), withOptions(plain, all)), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"eno", "another"} {
		edited := filepath.Join(t.TempDir(), "edited.pcapng")
		run(t, 0, "set", name, fmt.Sprintf("messages[0].value=%q", text), "-o", edited)
		got, err := os.ReadFile(edited)
		if err != nil {
			t.Fatal(err)
		}
		if want := unknown(file(withOptions(section(t, text), comment+end), withOptions(plain, all))); !bytes.Equal(got, want) {
			t.Errorf("%s:\n%x\nnot\n%x", text, got, want)
		}
	}
}
