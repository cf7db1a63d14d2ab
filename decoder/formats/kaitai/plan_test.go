package kaitai

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"varview/decoder/edit"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/kaitai/spec"
)

// records describes lists of records whose values are of many kinds.
const records = `
meta: {id: records, endian: le, encoding: UTF-8}
seq:
  - {id: n, type: u2}
  - {id: all, type: rec, repeat: expr, repeat-expr: n}
  - {id: rest, type: pair, repeat: eos}
enums:
  kind: {0: none, 1: sword, 2: bow}
types:
  pair: {seq: [{id: a, type: u1}, {id: b, type: s2be}]}
  vec: {-webide-representation: "<{x}>", seq: [{id: x, type: f4}, {id: y, type: f8}]}
  rec:
    seq:
      - {id: id, type: u8}
      - {id: name, type: strz}
      - {id: at, type: vec}
      - {id: pair, type: pair}
      - {id: kind, type: u1, enum: kind}
      - {id: tag, size: 3}
      - {id: len, type: u1}
      - {id: blob, size: len % 4}
      - {id: text, type: str, size: len % 3}
      - {id: wide, type: str, size: 4, encoding: UTF-16LE}
      - {id: marks, type: u2be, repeat: expr, repeat-expr: len % 5}
      - {id: fixed, type: s4, repeat: expr, repeat-expr: 2}
      - {id: low, type: u1, valid: {max: 99}}
      - {id: b, type: b3}
      - {id: c, type: b5}
      - {id: more, type: u2, if: c > 7}
      - {id: pairs, type: pair, repeat: expr, repeat-expr: len % 2}
      - {id: pad, type: str, size: 4, pad-right: 0}
      - {id: last, type: u1}
`

// openRecords opens random records, with the plans of their lists or without.
func openRecords(t testing.TB, data []byte, isPlanned bool) *tree.Tree {
	t.Helper()
	top, err := spec.Parse([]byte(records))
	if err != nil {
		t.Fatal(err)
	}
	d := describe(top, nil, nil)
	if !isPlanned {
		d.plans = nil
	}
	region := span.Between(0, int64(len(data)))
	return tree.New(source.Bytes(data), d.Open(source.Bytes(data), region), region)
}

// all writes what a tree says of its values, and what an edit of each number would be.
func all(t *testing.T, tr *tree.Tree) []string {
	t.Helper()
	var lines []string
	r, inner := tr.NewReader(), tr.Reading.(*reading)
	s, numbers := tr.Scanner(), 0
	s.Elements = true
	err := s.Run(context.Background(), func(ev tree.Event) bool {
		v := s.Value()
		if ev == tree.Leave {
			return true
		}
		n := s.Current(ev)
		line := fmt.Sprint(r.Path(n), v.Start, v.Head, v.Tail, v.End, v.Layout, v.Count, inner.TypeName(v), inner.Spellings(nil, v), inner.HasTitle(v), inner.Look(s.Window(), v))
		for _, f := range inner.Fields(s.Window(), &n.Parent.Value, v, nil) {
			line += fmt.Sprint(f, string(inner.AppendField(nil, s.Window(), v, f)))
		}
		if v.Layout == tree.Leaf {
			line += fmt.Sprintf("%+v", inner.Describe(s.Window(), v))
		}
		var out bytes.Buffer
		line += string(inner.AppendLiteral(nil, r, v, 64)) + fmt.Sprint(inner.WriteJSON(context.Background(), &out, r, v)) + out.String()
		for i := range max(0, v.Count) {
			line += string(inner.MemberName(v, i)) + string(inner.AppendStep(nil, r, v, tree.Slot{Index: i}, nil))
		}
		for _, literal := range []string{"7", `"ab"`, "bow", "-1.5"} {
			splices, err := inner.Set(context.Background(), r, n, edit.Content{Literal: literal}, edit.Options{})
			if numbers++; numbers < 500 {
				line += fmt.Sprint(err)
				for _, x := range splices {
					line += fmt.Sprint(x.Span, source.NewWindow(x.New).View(0, 64))
				}
			}
		}
		lines = append(lines, line)
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// TestPlanned: of records whose places their bytes say, the tree says what it says of others.
func TestPlanned(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 1))
		data := binary.LittleEndian.AppendUint16(nil, uint16(r.IntN(6)))
		for range 100 + r.IntN(300) {
			b := r.IntN(256)
			data = append(data, byte(b&r.IntN(256)))
		}
		want, is := all(t, openRecords(t, data, false)), all(t, openRecords(t, data, true))
		for i := range min(len(want), len(is)) {
			if want[i] != is[i] {
				t.Fatalf("seed %d:\n%s\n, not\n%s", seed, is[i], want[i])
			}
		}
		if len(want) != len(is) {
			t.Fatalf("seed %d: %d values, not %d", seed, len(is), len(want))
		}
	}
}

// TestPlannedAllocations: values of records that are only passed take no memory of their own.
func TestPlannedAllocations(t *testing.T) {
	const count = 2000
	text := "seq: [{id: a, type: e, repeat: eos}]\ntypes: {e: {seq: [{id: n, type: u1}, {id: s, type: str, size: n, encoding: ASCII}, {id: f, type: u1, repeat: expr, repeat-expr: 2}]}}"
	tr := openAs(t, text, []byte(strings.Repeat("\x03abcxy", count)))
	pass := func() {
		s, values := tr.Scanner(), 0
		for ev := s.Next(); ev != tree.Done; ev = s.Next() {
			if ev != tree.Leave {
				values++
				tr.Reading.(*reading).MemberName(s.Around(ev), 0)
			}
		}
		if values != 2+6*count {
			t.Fatalf("%d values", values)
		}
	}
	if pass(); testing.AllocsPerRun(3, pass) > count/10 {
		t.Errorf("%v allocations for %d records", testing.AllocsPerRun(3, pass), count)
	}
}
