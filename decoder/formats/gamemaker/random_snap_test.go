package gamemaker_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"varview/decoder/diagnose"
	"varview/decoder/edit/simple/simpletest"
	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/gamemaker"
)

// A member is a value of a struct of SNAP, in memory.
type member struct {
	name  string
	value any // float64, string, bool, nil, []any
}

// snapBytes encodes a struct by the description of SNAP's forms.
func snapBytes(members []member, counted bool) (b []byte) {
	count := func(n int) {
		if counted {
			b = binary.LittleEndian.AppendUint64(b, uint64(n))
		}
	}
	end := func() {
		if !counted {
			b = append(b, 0)
		}
	}
	var put func(v any)
	put = func(v any) {
		switch v := v.(type) {
		case float64:
			b = binary.LittleEndian.AppendUint64(append(b, 4), math.Float64bits(v))
		case string:
			b = append(append(append(b, 3), v...), 0)
		case bool:
			b = append(b, map[bool]byte{false: 5, true: 6}[v])
		case nil:
			b = append(b, 7)
		case []any:
			b = append(b, 2)
			count(len(v))
			for _, e := range v {
				put(e)
			}
			end()
		}
	}
	b = append(b, 1)
	count(len(members))
	for _, m := range members {
		if !counted {
			b = append(b, 3)
		}
		b = append(append(b, m.name...), 0)
		put(m.value)
	}
	end()
	return b
}

// snapLiteral returns the literal of a value.
func snapLiteral(v any) string {
	switch v := v.(type) {
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case string:
		return strconv.Quote(v)
	case nil:
		return "null"
	case []any:
		var all []string
		for _, e := range v {
			all = append(all, snapLiteral(e))
		}
		return "[" + strings.Join(all, ", ") + "]"
	}
	return fmt.Sprint(v)
}

func randomSnapValue(r *rand.Rand, depth int) any {
	switch r.IntN(4 + depth) {
	case 0:
		return float64(r.IntN(1000)) + 2.25
	case 1:
		return strings.Repeat("ab é", r.IntN(4))
	case 2:
		return r.IntN(2) == 0
	case 3:
		return nil
	}
	list := make([]any, r.IntN(4))
	for i := range list {
		list[i] = randomSnapValue(r, depth-1)
	}
	return list
}

// randomSnap makes a file in one of the layouts.
func randomSnap(r *rand.Rand, counted bool) simpletest.Sample {
	members := []member{{"first", randomSnapValue(r, 2)}, {"second", 2.5}, {"third", randomSnapValue(r, 2)}}
	var all []string
	for _, m := range members {
		all = append(all, strconv.Quote(m.name)+": "+snapLiteral(m.value))
	}
	return simpletest.Sample{Hex: hex.EncodeToString(snapBytes(members, counted)), Literal: "{" + strings.Join(all, ", ") + "}"}
}

// TestSnapWrongCount: with one wrong count, in a struct or a list, what the diagnosis finds first gives the bytes as they
// were, or leaves the choice. The bytes of a count that fits as well may be right.
func TestSnapWrongCount(t *testing.T) {
	r, found := rand.New(rand.NewPCG(42, 1)), 0
	for range 60 {
		b, _ := hex.DecodeString(randomSnap(r, true).Hex)
		reading := func(b []byte) *tree.Tree {
			region := span.Between(0, int64(len(b)))
			return tree.New(source.Bytes(b), gamemaker.Snap.Formats(&format.Request{}, source.Bytes(b), region)[0].Open(source.Bytes(b), region), region)
		}
		var counts []int64
		reading(b).EachField(t.Context(), func(f tree.OwnedField) error {
			if f.Kind == span.Length {
				counts = append(counts, f.Offset)
			}
			return nil
		})
		damaged, at := bytes.Clone(b), counts[r.IntN(len(counts))]
		damaged[at+int64(r.IntN(2))] += byte(1 + r.IntN(3))
		var first *diagnose.Diagnosis
		tr := reading(damaged)
		if err := diagnose.Run(t.Context(), tr, diagnose.Options{}, func(d diagnose.Diagnosis) bool {
			if first == nil && d.Severity >= span.Error {
				first = &d
			}
			return true
		}); err != nil {
			t.Fatal(err)
		}
		if first == nil || first.Unsure {
			continue
		}
		fix, err := diagnose.Repair(t.Context(), tr.NewReader(), first)
		if err != nil {
			continue
		}
		fixed := source.Memory(damaged).Splice(fix.Splices)
		got := make([]byte, fixed.Size())
		if fixed.ReadAt(got, 0); !bytes.Equal(got, b) {
			t.Errorf("%x with another byte at %#x: %s", b, at, first.Message)
		}
		found++
	}
	if found < 30 {
		t.Errorf("the count was found in %d of 60 files only", found)
	}
}
