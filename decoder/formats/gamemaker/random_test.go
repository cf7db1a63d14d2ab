package gamemaker_test

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"

	"varview/decoder/edit/simple/simpletest"
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

// randomOf returns a structure of any kind and version.
func randomOf(r *rand.Rand) *structure {
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

// literal returns the literal of a structure.
func (s *structure) literal() string {
	version := s.id % 100
	lists := make([]string, len(s.lists))
	for i, list := range s.lists {
		all := make([]string, len(list))
		for k, v := range list {
			if all[k] = literalOf(v, version); s.isMap() {
				all[k] = literalOf(s.lists[0][k], version) + ": " + literalOf(s.lists[1][k], version)
			}
		}
		lists[i] = strings.Join(all, ", ")
	}
	switch {
	case s.isMap():
		return "{" + lists[0] + "}"
	case s.isColumns():
		return "[[" + strings.Join(lists, "], [") + "]]"
	}
	return "[" + lists[0] + "]"
}

func randomStructure(r *rand.Rand) simpletest.Sample {
	s := randomOf(r)
	return simpletest.Sample{Hex: hex.EncodeToString(s.bytes()), Literal: s.literal()}
}
