package gamemaker_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
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
		return strconv.FormatFloat(v, 'f', 2, 64)
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

func randomSnap(r *rand.Rand, depth int) any {
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
		list[i] = randomSnap(r, depth-1)
	}
	return list
}

// TestRandomSnap makes random edits in both layouts: the bytes equal the encoding of the struct in memory,
// and undo restores the old ones.
func TestRandomSnap(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 8))
	for round := range 120 {
		family, counted := "snap", round%2 == 0
		if !counted {
			family = "snap4"
		}
		members, next := []member{{"first", randomSnap(r, 2)}, {"second", 2.5}}, 0
		b := snapBytes(members, counted)
		for range 10 {
			i, v := r.IntN(len(members)), randomSnap(r, 2)
			path, op := "$."+members[i].name, "retype"
			list, isList := members[i].value.([]any)
			at := r.IntN(len(list) + 1)
			switch kind := r.IntN(4); {
			case kind == 0 && isList:
				op, path = "insert", fmt.Sprintf("%s[%d]", path, at)
				members[i].value = slices.Insert(slices.Clone(list), at, v)
			case kind == 1 && isList && at < len(list):
				op, path = "delete", fmt.Sprintf("%s[%d]", path, at)
				members[i].value = slices.Delete(slices.Clone(list), at, at+1)
			case kind == 2:
				name := fmt.Sprint("k", next)
				next++
				op, path, members = "insert", "$."+name, append(members, member{name, v})
			case kind == 3 && len(members) > 1:
				op, members = "delete", slices.Delete(members, i, i+1)
			default:
				members[i].value = v
			}
			got, err := change(t, open(t, family, b), op, path, snapLiteral(v))
			if want := snapBytes(members, counted); err != nil || !bytes.Equal(got, want) {
				t.Fatalf("%s: %x: %s %s=%s: %v gives\n%x, want\n%x", family, b, op, path, snapLiteral(v), err, got, want)
			}
			b = got
		}
		tr := open(t, family, b)
		if found := problems(t, tr); len(found) > 0 {
			t.Fatalf("%x: %q", b, found)
		}
		if same, err := change(t, tr, "set", "$", literal(t, tr)); err != nil || !bytes.Equal(same, b) {
			t.Fatalf("%x set to itself: %x, %v", b, same, err)
		}
		imported(t, family, export(t, tr), b)
	}
}
