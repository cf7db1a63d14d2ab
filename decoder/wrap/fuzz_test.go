package wrap

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"testing"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/wrap/capture"
)

// FuzzOpen: any bytes open as any wrapper, its fields tile them, and the payload
// keeps to its limit.
func FuzzOpen(f *testing.F) {
	for i, c := range realFiles {
		data := load(f, c.name)
		f.Add(data, number(c.kind), uint8(i%3), uint8(i%2))
	}
	f.Add(zlibOf(mixed(3000, 1)), number(Zlib), uint8(0), uint8(0))
	f.Add(gcpfOf(mixed(1000, 1), 100, 11), number(GCPF), uint8(0), uint8(1))
	f.Add(mixed(30, 1), number(capture.Kind), uint8(0), uint8(0))
	f.Add(gdecOf(f, 3, mixed(100, 1)), number(GDEC), uint8(1), uint8(1))
	f.Add(gdecOf(f, 4, mixed(100, 1)), number(GDEC), uint8(0), uint8(0))
	f.Fuzz(func(t *testing.T, data []byte, kind, skip, cut uint8) {
		if len(data) > 32<<10 {
			return
		}
		const limit = 100_000
		src := source.Bytes(data)
		from := min(int64(skip), src.Size())
		region := span.Between(from, max(from, src.Size()-int64(cut)))
		k := kinds[int(kind)%len(kinds)]
		Sniff(src, region, "")
		l, err := Open(context.Background(), k, src, region, Options{MaxUnpacked: limit, Key: PasswordKey("x")})
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		if (l.Payload == nil) != (l.Missing != nil) || l.Title == "" {
			t.Fatalf("%v %+v", l.Payload, l.Missing)
		}
		problems(t, l, data)
		checkTree(t, data, l)
		checkTree(t, data, NewClosed(k, region, nil))
		writes(t, data, l)
		if l.Payload != nil {
			readsAll(t, l.Payload, limit)
		}
	})
}

// writes checks what can be written of a whole wrapper.
func writes(t *testing.T, data []byte, l *Layer) {
	tr := tree.New(source.Bytes(data), l.Reading, l.Region)
	r := tr.NewReader()
	for _, write := range []func(context.Context, io.Writer, *tree.Value) error{r.WriteText, r.WriteJSON} {
		if err := write(context.Background(), io.Discard, &tr.Base.Value); err != nil {
			t.Fatal(err)
		}
	}
}

// readsAll reads a payload around its holes.
func readsAll(t *testing.T, p source.Source, limit int64) {
	if p.Size() > limit {
		t.Fatalf("%d bytes of payload", p.Size())
	}
	b := make([]byte, 3000)
	for at := int64(0); at < p.Size(); {
		n, err := p.ReadAt(b, at)
		at += int64(n)
		var hole *source.HoleError
		switch {
		case errors.As(err, &hole):
			if hole.Offset > at || hole.End() <= at || hole.End() > p.Size() {
				t.Fatalf("hole %v at %d of %d", hole, at, p.Size())
			}
			at = hole.End()
		case err != nil && (err != io.EOF || at < p.Size()), n == 0:
			t.Fatalf("%d bytes at %d of %d: %v", n, at, p.Size(), err)
		}
	}
}

// FuzzRewrap: whatever the change and the file, what is wrapped again is read back, or the change is
// refused.
func FuzzRewrap(f *testing.F) {
	for i, c := range realFiles {
		data := load(f, c.name)
		f.Add(data, number(c.kind), uint16(i*41), uint16(i%5*10), []byte("new")[:i%4])
	}
	for i, text := range []string{"47 4g 50 4", "0x0, 0xf", "47\n!?\n43", "00000000: 4743 5g46  GCPF\n00000004: 0", "00000000: 47\n*\n00000007: 01\n",
		"00000000: 4743\n*\n", "00000000: 47\n00000001: 4743\n", " 00000000: 4743\n*\n00000009: 1", "00000000  47 43 00 |GC.|\n*\n00000006\n",
		"=00000a4: 00", " 0,x0xf", "\x80AP\x01\x00\x00\x000\x00\x00\x00\b4", "00000000: 474 35:g46  GCPF\nQ0000004:000004 0",
		" 00000000: 4743\x9e\x9e\x9e00\x9e\n0\xce\xce*", "00000000: 4743\n Q000002: 5046\n*\n00000010: 1234\n",
		"30000000: 08 00 00 \x86\x86\x8600 02 00 00 00..\n00000008: 01 00 00 00 0C 00 0 0 00 ........\n00000010: 04 00 00 00 "} {
		f.Add([]byte(text), number(Hex), uint16(1), uint16(i%3), []byte("new")[:i%4])
	}
	f.Add([]byte("000000 0 00\n00"), number(Hex), uint16(1), uint16(0), []byte("000")) // the second line must not become a row
	f.Add([]byte("0!!!!!!00"), number(Base64), uint16(1), uint16(3), []byte("0A1"))    // the last wrong one must not become stray
	for _, text := range []string{"R0NQR", "Rg==R0NQ", "R0\nNQ\r\nRg = =\n", "R0N*Rg=="} {
		f.Add([]byte(text), number(Base64), uint16(1), uint16(1), []byte("new"))
	}
	f.Add(zlibOf(mixed(3000, 1)), number(Zlib), uint16(100), uint16(3), []byte("new"))
	f.Add(gcpfOf(mixed(1000, 1), 100, 11), number(GCPF), uint16(500), uint16(3), []byte("new"))
	f.Add(gdecOf(f, 3, mixed(100, 1)), number(GDEC), uint16(3), uint16(3), []byte("new"))
	f.Add(gdecOf(f, 4, mixed(100, 1)), number(GDEC), uint16(3), uint16(3), []byte("new"))
	for i, c := range realFiles {
		for kind, mangle := range mangle {
			f.Add(mangle(load(f, c.name)), number(kind), uint16(i*41), uint16(i%5*10), []byte("\r\n\xe9")[:i%4])
		}
	}
	f.Add([]byte("\x00€\u0081‚\n"), number(Reencoded), uint16(1), uint16(2), []byte("\x81\x80"))
	f.Fuzz(func(t *testing.T, data []byte, kind uint8, at, del uint16, add []byte) {
		if len(data) > 32<<10 {
			return
		}
		o := Options{MaxUnpacked: 100_000, Key: PasswordKey("x")}
		l := open(t, kinds[int(kind)%len(kinds)], data, o)
		if l.CanRewrap() != nil || l.Kind == capture.Kind {
			return // only values of a capture's messages can change, and have their own tests
		}
		before, err := io.ReadAll(io.NewSectionReader(l.Payload, 0, l.Payload.Size()))
		if err != nil || len(before) > 100_000-len(add) {
			return // holes have tests of their own
		}
		from := int(at) % (len(before) + 1)
		c := change{from, min(int(del), len(before)-from), add}
		after, same := c.apply(before)
		if l.Kind == GCPF && len(after) > 10_000*int(binary.LittleEndian.Uint32(data[8:])) {
			return // slow
		}
		if l.Kind == TextMode && !bytes.Contains(after, []byte("\n")) || l.Kind == Reencoded && !bytes.ContainsFunc(after, func(r rune) bool { return r > 0x7f }) {
			return // nothing is left to recognise it by
		}
		if l.Kind == ByteOrderMark && bytes.HasPrefix(after, []byte("\ufeff")) {
			return // marks before a file count as one, whoever put them there
		}
		rewrap(t, l, after, same, o)
	})
}

// FuzzRepair: in any bytes, every problem that names its repair can be repaired, and is gone then.
func FuzzRepair(f *testing.F) {
	for i, c := range realFiles {
		data := load(f, c.name)
		f.Add(data, number(c.kind), uint16(4+i%16), uint16(i%3), []byte{byte(i), 1, 2, 3}[:i%4])
	}
	f.Add(zlibOf(mixed(3000, 1)), number(Zlib), uint16(1), uint16(1), []byte{1})
	f.Add(gcpfOf(mixed(1000, 1), 100, 11), number(GCPF), uint16(16), uint16(1), []byte{7})
	f.Add(gcpfOf(mixed(1000, 1), 100, 10), number(GCPF), uint16(100), uint16(0), []byte{7})
	f.Add(gdecOf(f, 3, mixed(100, 1)), number(GDEC), uint16(24), uint16(1), []byte{7})
	f.Add(gdecOf(f, 4, mixed(100, 1)), number(GDEC), uint16(60), uint16(1), []byte{7})
	f.Add([]byte("00000000: 4743\n*\n00000007: 01\n"), number(Hex), uint16(20), uint16(1), []byte("!"))
	f.Fuzz(func(t *testing.T, data []byte, kind uint8, at, del uint16, add []byte) {
		if len(data) > 8<<10 {
			return
		}
		from := int(at) % (len(data) + 1)
		bad := slices.Concat(data[:from], add, data[min(len(data), from+int(del)):])
		p := examine(t, kinds[int(kind)%len(kinds)], bad, Options{MaxUnpacked: 100_000, Key: PasswordKey("x")}, nil)
		checkRepairs(t, p)
	})
}

// number is the index of a kind in the table.
func number(k Kind) uint8 { return uint8(slices.Index(kinds, k)) }
