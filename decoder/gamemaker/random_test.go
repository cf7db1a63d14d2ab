package gamemaker_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A structure is a data structure in memory. It is encoded by the format's description.
type structure struct {
	id          uint32
	last, first int     // of a queue
	lists       [][]any // the values; keys and values; the columns
}

func (s *structure) isColumns() bool { return s.id >= 500 || s.id == 401 }

func (s *structure) isMap() bool { return s.id == 402 || s.id == 403 }

// bytes writes the structure.
func (s *structure) bytes() []byte {
	version := s.id % 100
	u32 := binary.LittleEndian.AppendUint32
	b := u32(nil, s.id)
	n := uint32(len(s.lists[0]))
	switch s.id / 100 {
	case 2:
		b = u32(u32(u32(b, uint32(s.last)), uint32(s.first)), n)
	case 6:
		b = u32(u32(b, uint32(len(s.lists))), n)
	default:
		b = u32(b, n)
	}
	if s.isMap() {
		for i, key := range s.lists[0] {
			b = appendValue(appendValue(b, key, version), s.lists[1][i], version)
		}
		return b
	}
	for _, list := range s.lists {
		for _, v := range list {
			b = appendValue(b, v, version)
		}
	}
	return b
}

// appendValue writes a value of a version.
func appendValue(b []byte, v any, version uint32) []byte {
	u32, u64 := binary.LittleEndian.AppendUint32, binary.LittleEndian.AppendUint64
	switch v := v.(type) {
	case nil:
		return u32(b, 5)
	case float64:
		b = u64(u32(b, 0), math.Float64bits(v))
		if version == 1 {
			b = u32(b, 0)
		}
		return b
	case bool:
		x := 0.0
		if v {
			x = 1
		}
		return u64(u32(b, 13), math.Float64bits(x))
	case int32:
		return u32(u32(b, 7), uint32(v))
	case int64:
		return u64(u32(b, 10), uint64(v))
	case string:
		b = u32(b, 1)
		if version == 1 {
			b = u64(b, 0)
		}
		return append(u32(b, uint32(len(v))), v...)
	case []any:
		b = u32(b, 2)
		if version == 2 {
			b = u32(b, 1) // a single row
		}
		b = u32(b, uint32(len(v)))
		for _, item := range v {
			b = appendValue(b, item, version)
		}
		return b
	}
	panic(v)
}

// literalOf returns the literal of a value.
func literalOf(v any, version uint32) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case int32:
		return fmt.Sprintf("int32(%d)", v)
	case int64:
		return fmt.Sprintf("int64(%d)", v)
	case []any:
		items := make([]string, len(v))
		for i := range v {
			items[i] = literalOf(v[i], version)
		}
		text := "[" + strings.Join(items, ", ") + "]"
		if version == 2 {
			return "[" + text + "]"
		}
		return text
	}
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// randomValue returns a random value that the version has.
func randomValue(r *rand.Rand, version uint32, depth int) any {
	kinds := 6
	if version == 1 {
		kinds = 2
	} else if depth > 0 {
		kinds = 7
	}
	switch r.IntN(kinds) {
	case 0:
		return r.NormFloat64()
	case 1:
		return strings.Repeat("ä", r.IntN(4)) + strconv.Itoa(r.IntN(100))
	case 2:
		return nil
	case 3:
		return r.IntN(2) == 0
	case 4:
		return int32(r.Uint32())
	case 5:
		return int64(r.Uint64())
	}
	list := []any{}
	for range r.IntN(4) {
		list = append(list, randomValue(r, version, depth-1))
	}
	return list
}

// random returns a random structure.
func random(r *rand.Rand) *structure {
	s := &structure{id: uint32(1+r.IntN(6))*100 + uint32(1+r.IntN(3))}
	columns := 1
	switch {
	case s.id/100 == 6:
		columns = 1 + r.IntN(4)
	case s.isColumns(), s.isMap():
		columns = 2
	}
	n := 1 + r.IntN(5)
	for range columns {
		list := []any{}
		for i := range n {
			list = append(list, randomValue(r, s.id%100, 2))
			if s.isMap() && len(s.lists) == 0 {
				list[i] = fmt.Sprint("key", i)
			}
		}
		s.lists = append(s.lists, list)
	}
	s.first = r.IntN(n + 1)
	s.last = s.first + r.IntN(n+1-s.first)
	return s
}

// insert puts a value at an index of a list, and its counterparts into the other lists.
func (s *structure) insert(list, at int, v any) {
	for i := range s.lists {
		is := any(0.0)
		if i == list {
			is = v
		}
		s.lists[i] = slices.Insert(s.lists[i], at, is)
	}
	if at < s.first {
		s.first++
	}
	if at <= s.last {
		s.last++
	}
}

// remove deletes an index of all lists.
func (s *structure) remove(at int) {
	for i := range s.lists {
		s.lists[i] = slices.Delete(s.lists[i], at, at+1)
	}
	if at < s.first {
		s.first--
	}
	if at < s.last {
		s.last--
	}
}

// change sets the value of an entry and returns its literal.
func (s *structure) change(entry int, v any) string {
	s.lists[1][entry] = v
	return literalOf(v, s.id%100)
}

// step makes a random edit in memory and returns it as an edit of the bytes.
func (s *structure) step(r *rand.Rand) (op, path, value string) {
	version := s.id % 100
	v := randomValue(r, version, 2)
	list, n := r.IntN(len(s.lists)), len(s.lists[0])
	at := r.IntN(n + 1)
	if s.isMap() {
		list = 1
	}
	place := func(i int) string {
		switch {
		case s.isMap():
			return "$." + s.lists[0][i].(string)
		case s.isColumns():
			return fmt.Sprintf("$[%d][%d]", list, i)
		}
		return fmt.Sprintf("$[%d]", i)
	}
	switch op := r.IntN(4); {
	case s.id/100 == 6 && op == 0 && len(s.lists) > 1:
		s.lists = slices.Delete(s.lists, list, list+1)
		return "delete", fmt.Sprintf("$[%d]", list), ""
	case s.id/100 == 6 && op == 1 && n > 0:
		column := []any{}
		literals := []string{}
		for range n {
			column = append(column, randomValue(r, version, 1))
			literals = append(literals, literalOf(column[len(column)-1], version))
		}
		s.lists = slices.Insert(s.lists, list, column)
		return "insert", fmt.Sprintf("$[%d]", list), "[" + strings.Join(literals, ", ") + "]"
	case s.isMap() && (op < 2 || n == 0):
		key := fmt.Sprint("new", r.IntN(1e9))
		s.lists[0] = append(s.lists[0], key)
		s.lists[1] = append(s.lists[1], v)
		return "insert", "$." + key, literalOf(v, version)
	case op == 2 && n > 0:
		path := place(at % n)
		s.remove(at % n)
		return "delete", path, ""
	case op == 3 && n > 0:
		s.lists[list][at%n] = v
		return "retype", place(at % n), literalOf(v, version)
	}
	if s.isMap() {
		return "retype", "$." + s.lists[0][0].(string), s.change(0, v)
	}
	path = place(at)
	s.insert(list, at, v)
	return "insert", path, literalOf(v, version)
}

// TestRandomEdits makes random edits of structures of all kinds and versions: the bytes equal the encoding
// of the structure in memory, undo restores the old ones, and export and import give the same bytes.
func TestRandomEdits(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 7))
	seen := map[uint32]int{}
	for range 300 {
		s := random(r)
		b := s.bytes()
		seen[s.id]++
		for range 12 {
			op, path, value := s.step(r)
			got, err := change(t, open(t, "gamemaker-ds", b), op, path, value)
			if want := s.bytes(); err != nil || !bytes.Equal(got, want) {
				t.Fatalf("%d: %x: %s %s=%s: %v gives\n%x, want\n%x", s.id, b, op, path, value, err, got, want)
			}
			b = got
		}
		tr := open(t, "gamemaker-ds", b)
		if found := problems(t, tr); len(found) > 0 {
			t.Fatalf("%x: %q", b, found)
		}
		text := literal(t, tr)
		if same, err := change(t, tr, "set", "$", text); err != nil || !bytes.Equal(same, b) {
			t.Fatalf("%x set to itself, %s: %x, %v", b, text, same, err)
		}
		imported(t, "gamemaker-ds", export(t, tr), b)
	}
	if len(seen) != 18 {
		t.Errorf("the structures %v", seen)
	}
}
