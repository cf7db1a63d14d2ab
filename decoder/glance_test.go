package decoder

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/gamemaker"
	"varview/decoder/formats/msgpack"
)

// passing returns the problems of a buffer, how many values of each type it has, the largest of them, its texts, and the place
// where the scan ends; quick passes many values at a time.
func passing(data []byte, family format.Family, quick bool) (met []string, events int) {
	src, region := source.Bytes(data), span.Between(0, int64(len(data)))
	f := family.Formats(&format.Request{}, src, region)[0]
	tr := tree.New(src, f.Open(src, region), region)
	s, count, texts := tr.Scanner(), new(tree.Tally), []span.Span{}
	s.PassOrdinary, s.Tally, s.LeastContent = quick, new(tree.Tally), 3
	s.Report = func(p span.Problem) { met = append(met, p.Code+" "+p.Message) }
	r := tr.NewReader()
	for ev := s.Next(); ev != tree.Done; ev = s.Next() {
		events++
		v := s.Value()
		if ev == tree.Passed {
			for _, c := range s.Contents() {
				texts = append(texts, c.Span)
			}
		}
		if ev != tree.Enter && ev != tree.Atom || v.Damage != nil {
			continue
		}
		for _, field := range tr.Reading.Fields(r.Window(), nil, v, nil) {
			if v.Layout == tree.Leaf && field.Length >= 3 && (field.Kind == span.Text || field.Kind == span.Data) {
				texts = append(texts, field.Span)
			}
		}
		if !s.Slot().Key && v.Body > v.Head {
			count.Types[v.Type]++
		}
		if !s.Slot().Key && ev == tree.Atom {
			count.Compare(v.Span())
		}
	}
	count.Add(s.Tally)
	return append(met, fmt.Sprint(count.Types, count.Largest, texts, s.Pos())), events
}

// glanced makes a random value of a format in which many values can be told by their first bytes.
func glanced(r *rand.Rand, levels int, isSnap bool) []byte {
	texts := []string{"", "hp", "a sword", "ü", "\xff", strings.Repeat("long ", 30), strings.Repeat("longest ", 200)}
	text, n := texts[r.IntN(len(texts))], r.IntN(5)
	kind := r.IntN(8)
	if kind > 1 || levels == 0 {
		if isSnap {
			u64 := binary.LittleEndian.AppendUint64(nil, r.Uint64())
			return [][]byte{[]byte("\x03" + text + "\x00"), append([]byte{4}, u64...), {5}, {6}, {7}, append([]byte{8}, u64[:4]...), append([]byte{9}, u64...), {byte(r.IntN(256))}}[r.IntN(8)]
		}
		b := append([]byte{[]byte("\xca\xcb\xcc\xcd\xce\xcf\xd0\xd1\xd2\xd3\xd4\xd5\xd6")[r.IntN(13)]}, make([]byte, 9)...)
		all := [][]byte{{byte(r.IntN(128))}, {byte(0xe0 + r.IntN(32))}, {0xc0}, {0xc2}, {0xc3}, {byte(r.IntN(256))}, b[:1+r.IntN(9)],
			append([]byte{0xda, byte(len(text) >> 8), byte(len(text))}, text...), append([]byte{0xc4, byte(min(len(text), 255))}, text[:min(len(text), 255)]...)}
		if len(text) < 32 {
			all = append(all, append([]byte{0xa0 | byte(len(text))}, text...))
		}
		return all[r.IntN(len(all))]
	}
	head := [][]byte{{0x90 | byte(n)}, {0x80 | byte(n)}, {0xdc, 0, byte(n)}, {0xdf, 0, 0, 0, byte(n)}}[kind%2+2*r.IntN(2)]
	if isSnap {
		head = binary.LittleEndian.AppendUint64([]byte{byte(2 - kind%2)}, uint64(n))
	}
	for range n {
		if key := texts[r.IntN(4)]; kind%2 == 1 && isSnap {
			head = append(head, key+"\x00"...)
		} else if kind%2 == 1 {
			head = append(append(head, 0xa0|byte(len(key))), key...)
		}
		head = append(head, glanced(r, levels-1, isSnap)...)
	}
	return head
}

// TestGlanced holds that values which are passed by their first bytes are those that would be read, also in damaged files.
func TestGlanced(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for round := range 4000 {
		isSnap := round%2 == 0
		family := map[bool]format.Family{true: gamemaker.Snap, false: msgpack.Family}[isSnap]
		data := glanced(r, 4, isSnap)
		for range round % 3 {
			data[r.IntN(len(data))] = byte(r.IntN(256))
		}
		one, _ := passing(data, family, false)
		if many, _ := passing(data, family, true); !slices.Equal(one, many) {
			t.Fatalf("%x:\none by one: %q\nmany at a time: %q", data, one, many)
		}
	}
	list := append([]byte{0xdd, 0, 0, 0x13, 0x88}, strings.Repeat("\x82\xa2id\x01\xa2at\x93\xcd\x01\x02\xc3\xa3abc", 5000)...)
	if _, events := passing(list, msgpack.Family, true); events > 100 {
		t.Errorf("a list of 5000 is passed in %d events", events)
	}
}
