package model

import (
	"bytes"
	"compress/zlib"
	"context"
	"crypto/md5"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"varview/decoder"
	"varview/decoder/edit"
)

// A composed save is content between a header and a trailer, which are made anew for other content.
type composed struct {
	head, tail []func(body, plain []byte) string
	plain      func(gold int) string
	path       string
	pack       func(plain string) []byte
	unpacked   func(b []byte) (plain string, size int) // of what begins b; nil for what is always packed into the same bytes
}

// fieldsInBytes are what a game writes before and behind its values: numbers in one byte order, texts, sizes and checksums.
func fieldsInBytes(r *rand.Rand) (head, tail []func(body, plain []byte) string) {
	order := binary.AppendByteOrder(binary.LittleEndian)
	if r.IntN(4) == 0 {
		order = binary.BigEndian
	}
	u32 := func(n int) string { return string(order.AppendUint32(nil, uint32(n))) }
	constant := func(s string) func(_, _ []byte) string { return func(_, _ []byte) string { return s } }
	version, slot, time := u32(1+r.IntN(9)), string(byte(1+r.IntN(9))), u32(1700000000+r.IntN(90000000))
	name := []string{"Mira", "Slot One", "Ann", "Jorik van den Berg"}[r.IntN(4)]
	all := []func(body, plain []byte) string{
		constant(version), constant(slot), constant(time),
		constant(name + strings.Repeat("\x00", 32-len(name))),
		constant(u32(len(name)) + name),
		func(body, _ []byte) string { return u32(len(body)) },
		func(_, plain []byte) string { return u32(len(plain)) },
		func(body, _ []byte) string { return string(order.AppendUint64(nil, uint64(len(body)))) },
		func(body, _ []byte) string { return u32(int(crc32.ChecksumIEEE(body))) },
		func(_, plain []byte) string { return u32(int(crc32.ChecksumIEEE(plain))) },
		func(body, _ []byte) string { s := md5.Sum(body); return string(s[:]) },
	}
	head = append(head, constant([]string{"SAVE", "MYGM", "RPGSAV01"}[r.IntN(3)]))
	for range r.IntN(4) {
		head = append(head, all[r.IntN(len(all))])
	}
	if r.IntN(3) == 0 {
		tail = append(tail, all[5+r.IntN(len(all)-5)])
	}
	if r.IntN(5) == 0 {
		tail = append(tail, constant("END!"))
	}
	return head, tail
}

// fieldsInText are the same in digits and words, with a character between them.
func fieldsInText(r *rand.Rand) (head, tail []func(body, plain []byte) string) {
	between := []string{"\n", "|", ";", ":"}[r.IntN(4)]
	constant := func(s string) func(_, _ []byte) string { return func(_, _ []byte) string { return s + between } }
	all := []func(body, plain []byte) string{
		constant(fmt.Sprint(1 + r.IntN(9))), constant("1.0.3"), constant("Mira"), constant("2026-11-29 10:20:45"),
		func(body, _ []byte) string { return fmt.Sprintf("%d%s", len(body), between) },
		func(body, _ []byte) string { return fmt.Sprintf("%08d%s", len(body), between) },
		func(body, _ []byte) string { return fmt.Sprintf("size=%x%s", len(body), between) },
		func(body, _ []byte) string { return fmt.Sprintf("%08x%s", crc32.ChecksumIEEE(body), between) },
		func(body, _ []byte) string { return fmt.Sprintf("%d%s", crc32.ChecksumIEEE(body), between) },
		func(_, plain []byte) string { return fmt.Sprintf("%x%s", md5.Sum(plain), between) },
	}
	head = append(head, constant([]string{"SAVE", "MyGame", "#save"}[r.IntN(3)]))
	for range r.IntN(4) {
		head = append(head, all[r.IntN(len(all))])
	}
	if r.IntN(3) == 0 {
		tail = append(tail, func(body, _ []byte) string { return fmt.Sprintf("\n%x\n", md5.Sum(body)) })
	}
	return head, tail
}

// randomComposed returns one of these around values of a random size.
func randomComposed(r *rand.Rand) (c composed) {
	more := strings.Repeat("x", r.IntN(900))
	u32 := func(n int) string { return string(binary.LittleEndian.AppendUint32(nil, uint32(n))) }
	word := func(s string) string { return u32(4) + u32(len(s)) + s + strings.Repeat("\x00", -len(s)&3) }
	c.path, c.pack = "gold", func(plain string) []byte { return []byte(plain) }
	c.plain = func(gold int) string {
		return fmt.Sprintf(`{"gold": %d, "name": "Mira", "items": ["sword", "rope"], "note": "%s"}`, gold, more)
	}
	isText := true
	switch r.IntN(3) {
	case 0:
		isText = false
		c.plain = func(gold int) string {
			return u32(27) + u32(3) + word("gold") + word(fmt.Sprint(gold)) + word("name") + word("Mira") + word("note") + word(more)
		}
	case 1:
		isText, c.path = false, "$[0].gold"
		c.plain = func(gold int) string {
			v := u32(27) + u32(3) + word("gold") + word(fmt.Sprint(gold)) + word("name") + word("Mira") + word("note") + word(more)
			return u32(len(v)) + v
		}
	}
	switch r.IntN(4) {
	case 0:
		isText = false
		c.pack = func(plain string) []byte {
			var b bytes.Buffer
			w := zlib.NewWriter(&b)
			io.WriteString(w, plain)
			w.Close()
			return b.Bytes()
		}
		c.unpacked = func(b []byte) (string, int) {
			in := bytes.NewReader(b)
			z, err := zlib.NewReader(in)
			if err != nil {
				return "", 0
			}
			plain, err := io.ReadAll(z)
			if err != nil {
				return "", 0
			}
			return string(plain), len(b) - in.Len()
		}
	case 1:
		isText = true
		c.pack = func(plain string) []byte { return []byte(base64.StdEncoding.EncodeToString([]byte(plain))) }
	}
	if isText {
		c.head, c.tail = fieldsInText(r)
	} else {
		c.head, c.tail = fieldsInBytes(r)
	}
	return c
}

// around returns the file of packed and plain bytes.
func (c *composed) around(body []byte, plain string) string {
	all := ""
	for _, f := range c.head {
		all += f(body, []byte(plain))
	}
	all += string(body)
	for _, f := range c.tail {
		all += f(body, []byte(plain))
	}
	return all
}

// want returns the file with other gold, of which packed bytes are those in is.
func (c *composed) want(gold int, is []byte) string {
	plain := c.plain(gold)
	body := c.pack(plain)
	for at := range is {
		if c.unpacked == nil || is[at] != 0x78 {
			continue
		}
		if got, size := c.unpacked(is[at:]); got == plain {
			body = is[at : at+size]
			break
		}
	}
	return c.around(body, plain)
}

// TestComposedEdits sets a value in saves between random headers and trailers: what is written is what the game would write, or
// nothing is written, or it is said what was left. HEADERS="2000 8000" tries 2000 from
// the 8000th on.
func TestComposedEdits(t *testing.T) {
	n, from := 20, 0
	if s := os.Getenv("HEADERS"); s != "" {
		fmt.Sscan(s, &n, &from)
	}
	right, refused, said, unknown := 0, 0, 0, 0
	for seed := from; seed < from+n; seed++ {
		r := rand.New(rand.NewPCG(uint64(seed), 47))
		c := randomComposed(r)
		file := c.around(c.pack(c.plain(12)), c.plain(12))
		path := write(t, []byte(file))
		d := openFile(t, path, decoder.Options{})
		x, err := d.Begin(d.Innermost())
		must(t, err)
		literal := "98765"
		if d.Dialect != "json" {
			literal = `"98765"`
		}
		if _, err = x.SetWithin(context.Background(), c.path, literal, edit.Options{}); err != nil {
			unknown++
			t.Logf("%d: %q: %s, %v", seed, file[:min(len(file), 90)], d.Title, err)
			continue
		}
		_, err = x.Commit(context.Background(), "", Cursor{}, Cursor{})
		must(t, err)
		s, err := d.Save(SaveOptions{})
		must(t, err)
		if err := s.Write(context.Background(), new(Progress)); err != nil {
			refused++
			continue
		}
		is, err := os.ReadFile(path)
		must(t, err)
		switch want := c.want(98765, is); {
		case string(is) == want:
			right++
		case len(d.Beside().Stale)+len(d.Beside().Unknown) > 0:
			said++
		default:
			t.Errorf("%d: %q\nbecomes %q\nwant    %q\n%q", seed, file[:min(len(file), 120)], is[:min(len(is), 120)], want[:min(len(want), 120)], d.Beside().Changes)
		}
	}
	t.Logf("%d right, %d refused, %d said, %d not read", right, refused, said, unknown)
}
