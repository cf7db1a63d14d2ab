package pcap

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"varview/decoder/engine/span"
)

// read returns the packets of a file, and its problems, as text.
func read(t testing.TB, data []byte) (packets, problems []string) {
	r := NewReader(bytes.NewReader(data), func(frame int, p span.Problem) {
		problems = append(problems, fmt.Sprint(frame, " ", p.Code))
		if p.Offset < 0 || p.End() > int64(len(data)) || p.Length < 0 {
			t.Errorf("a problem at %v of %d bytes", p.Span, len(data))
		}
	})
	if ok, err := r.Open(); !ok || err != nil {
		return nil, problems
	}
	end := int64(0)
	for {
		p, err := r.Next()
		if err == io.EOF {
			return packets, problems
		}
		if err != nil {
			t.Fatal(err)
		}
		if p.At.Offset < end || !bytes.Equal(p.Data, data[p.At.Offset:p.At.End()]) {
			t.Errorf("frame %d at %v after %d", p.Frame, p.At, end)
		}
		end = p.At.End()
		when := "-"
		if !p.Time.IsZero() {
			when = p.Time.Format("05.000000000")
		}
		packets = append(packets, fmt.Sprintf("%d %s %q %d %d", p.Frame, when, p.Data, p.Wire, p.Link))
	}
}

type byteOrder interface {
	binary.ByteOrder
	binary.AppendByteOrder
}

// words returns the bytes of 32-bit numbers, and texts as they are.
func words(order byteOrder, all ...any) (b []byte) {
	for _, x := range all {
		switch x := x.(type) {
		case int:
			b = order.AppendUint32(b, uint32(x))
		case string:
			b = append(b, x...)
		}
	}
	return b
}

// TestPcap: files of both byte orders and units of time, by the format's description.
func TestPcap(t *testing.T) {
	for _, order := range []byteOrder{binary.LittleEndian, binary.BigEndian} {
		for _, c := range []struct {
			magic int
			extra string // of each record's header
			want  []string
		}{
			{0xa1b2c3d4, "", []string{`1 07.000008000 "abc" 3 1`, `2 08.000000009 "de" 5 1`}},
			{0xa1b23c4d, "", []string{`1 07.000000008 "abc" 3 1`, `2 08.000000009 "de" 5 1`}},
			{0xa1b2cd34, "ifindex.", []string{`1 07.000008000 "abc" 3 1`, `2 08.000000009 "de" 5 1`}},
		} {
			second := 9
			if c.magic != 0xa1b23c4d {
				second = 0
				c.want[1] = `2 08.000000000 "de" 5 1`
			}
			file := words(order, c.magic, 0x00020004, 0, 0, 65535, 1, 7, 8, 3, 3, c.extra, "abc", 8, second, 2, 5, c.extra, "de")
			packets, problems := read(t, file)
			if !slices.Equal(packets, c.want) || problems != nil {
				t.Errorf("%v %#x: %v, not %v; %v", order, c.magic, packets, c.want, problems)
			}
		}
	}
}

// block returns a block of pcapng.
func block(order byteOrder, kind int, all ...any) []byte {
	body := words(order, all...)
	for len(body)%4 != 0 {
		body = append(body, 0)
	}
	n := len(body) + 12
	return slices.Concat(words(order, kind, n), body, words(order, n))
}

func section(order byteOrder) []byte {
	return block(order, SectionHeader, orderMagic, 0x00010000, -1, -1)
}

// option returns an option of an interface with a value of one byte or eight.
func option(order byteOrder, code int, value string) string {
	b := order.AppendUint16(nil, uint16(code))
	b = order.AppendUint16(b, uint16(len(value)))
	return string(b) + value + strings.Repeat("\x00", -len(value)&3)
}

func linkWord(order byteOrder, link int) string {
	return string(order.AppendUint16(order.AppendUint16(nil, uint16(link)), 0))
}

// TestBlocks: sections, interfaces, the three blocks of packets, and blocks without one.
func TestBlocks(t *testing.T) {
	le, be := binary.LittleEndian, binary.BigEndian
	nano := option(le, optionResolution, "\x09")
	binary20 := option(be, optionResolution, "\x94") + option(be, optionOffset, "\x00\x00\x00\x00\x00\x00\x00\x1e") + "\x00\x00\x00\x00"
	file := slices.Concat(
		section(le),
		block(le, InterfaceDescriptor, linkWord(le, 1), 4),
		block(le, InterfaceDescriptor, linkWord(le, 101), 0, nano),
		block(le, NameResolution, "names"),
		block(le, EnhancedPacket, 0, 0, 7_000_008, 3, 9, "abc"),
		block(le, EnhancedPacket, 1, 1, 0, 2, 2, "de"),
		block(le, SimplePacket, 6, "fghi"),
		block(le, 0x7777, "unknown"),
		block(le, OldPacket, linkWord(le, 1), 0, 7, 1, 1, "j"),
		section(be),
		block(be, InterfaceDescriptor, linkWord(be, 113), 0, binary20),
		block(be, Statistics, 0, 0, 0),
		block(be, EnhancedPacket, 0, 0, 3<<19, 1, 1, "k"))
	want := []string{
		`1 07.000008000 "abc" 9 1`, `2 04.294967296 "de" 2 101`, `3 - "fghi" 6 1`, `4 00.000000007 "j" 1 101`, `5 31.500000000 "k" 1 113`,
	}
	packets, problems := read(t, file)
	if !slices.Equal(packets, want) || problems != nil {
		t.Errorf("%v\nnot %v\n%v", packets, want, problems)
	}
	for n := range len(file) { // cut anywhere
		got, _ := read(t, file[:n])
		if len(got) > len(want) {
			t.Fatalf("cut to %d: %v", n, got)
		}
		for i := range max(0, len(got)-1) { // the last one may be cut
			if got[i] != want[i] {
				t.Fatalf("cut to %d: %v", n, got)
			}
		}
	}
}

// TestDamage: what is wrong is reported, and reading resumes.
func TestDamage(t *testing.T) {
	le := binary.LittleEndian
	head := words(le, 0xa1b2c3d4, 0x00040002, 0, 0, 65535, 1)
	good := func(i int) []byte { return words(le, 7, i, 4, 4, "data") }
	ng := slices.Concat(section(le), block(le, InterfaceDescriptor, linkWord(le, 1), 0))
	packet := func(i int) []byte { return block(le, EnhancedPacket, 0, 0, i, 4, 4, "data") }
	wrongFoot := packet(2)
	wrongFoot[len(wrongFoot)-4]++
	for _, c := range []struct {
		name     string
		file     []byte
		frames   string
		problems []string
	}{
		{"nothing", nil, "", []string{"0 no-capture"}},
		{"another file", []byte("{}"), "", []string{"0 no-capture"}},
		{"only a header", head, "", nil},
		{"cut in a header", slices.Concat(head, good(1), good(2)[:5]), "1", []string{"2 truncated"}},
		{"cut in a packet", slices.Concat(head, good(1), good(2)[:18]), "12", []string{"2 truncated"}},
		{"a captured length that cannot be", slices.Concat(head, good(1), words(le, 7, 2, 0x7fffffff, 4, "data"), good(3), good(4)), "134", []string{"2 length-overrun", "0 unreadable"}},
		{"a length of a block that cannot be", slices.Concat(ng, packet(1), words(le, EnhancedPacket, 0x7ffffff0), packet(2)[8:], packet(3)), "13", []string{"2 length-overrun", "0 unreadable"}},
		{"another length at the end", slices.Concat(ng, packet(1), wrongFoot, packet(3)), "123", []string{"2 wrong-length"}},
		{"a packet of no interface", slices.Concat(ng, block(le, EnhancedPacket, 3, 0, 0, 4, 4, "data"), packet(1)), "2", []string{"1 unknown-interface"}},
		{"more captured than in the block", slices.Concat(ng, block(le, EnhancedPacket, 0, 0, 0, 40, 40, "data"), packet(1)), "12", []string{"1 length-overrun"}},
		{"an interface that is too short", slices.Concat(ng, block(le, InterfaceDescriptor, 1), packet(1)), "1", []string{"0 truncated"}},
	} {
		packets, problems := read(t, c.file)
		frames := ""
		for _, p := range packets {
			frames += strings.Fields(p)[0]
		}
		if frames != c.frames || !slices.Equal(problems, c.problems) {
			t.Errorf("%s: frames %s, %v", c.name, frames, problems)
		}
	}
}

// TestTime: times in units of any size stay in range.
func TestTime(t *testing.T) {
	for _, c := range []struct {
		resolution byte
		units      uint64
		want       time.Duration
	}{
		{6, 1_500_000, 1500 * time.Millisecond},
		{0, 3, 3 * time.Second},
		{19, 15_000_000_000_000_000_000, 1500 * time.Millisecond},
		{127, 1, 0},
		{0x81, 3, 1500 * time.Millisecond},
		{0xff, 1 << 63, time.Second},
	} {
		i := Interface{Resolution: c.resolution}
		if got := i.Time(c.units).Sub(time.Unix(0, 0)); got != c.want {
			t.Errorf("%#x: %v", c.resolution, got)
		}
	}
}

// FuzzReader: packets of any bytes are in order in the file.
func FuzzReader(f *testing.F) {
	le := binary.LittleEndian
	f.Add(slices.Concat(words(le, 0xa1b2c3d4, 0x00040002, 0, 0, 65535, 1), words(le, 7, 1, 4, 4, "data"), words(le, 7, 2, 4, 4, "data")))
	f.Add(slices.Concat(section(le), block(le, InterfaceDescriptor, linkWord(le, 1), 0), block(le, EnhancedPacket, 0, 0, 1, 4, 4, "data"), block(le, SimplePacket, 6, "fghi")))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 1<<16 {
			read(t, data)
		}
	})
}

// TestWriter: what is written is read back.
func TestWriter(t *testing.T) {
	var out bytes.Buffer
	w, err := NewWriter(&out)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"a", "abcd", ""} {
		if err := w.Packet([]byte(text), time.Unix(7, 123)); err != nil {
			t.Fatal(err)
		}
	}
	packets, problems := read(t, out.Bytes())
	want := []string{`1 07.000000123 "a" 1 101`, `2 07.000000123 "abcd" 4 101`, `3 07.000000123 "" 0 101`}
	if !slices.Equal(packets, want) || problems != nil {
		t.Errorf("%v %v", packets, problems)
	}
}
