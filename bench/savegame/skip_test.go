package savegame

import (
	"encoding/binary"
	"fmt"
)

// Reads the writer's output from the specification alone: type ids, widths and
// elements are stated here again.

var names4 = map[uint32]string{
	1: "bool", 2: "number", 3: "number", 4: "string", 5: "8", 6: "8", 9: "12", 18: "48", 20: "16", 21: "string", 22: "path",
	27: "dictionary", 28: "array", 29: "elements 1", 30: "elements 4", 31: "elements 8", 32: "elements 4", 34: "strings",
	35: "elements 8", 36: "elements 12",
}

var names3 = map[uint32]string{
	1: "bool", 2: "number", 3: "number", 4: "string", 5: "8", 7: "12", 13: "48", 14: "16", 15: "path", 18: "dictionary",
	19: "array", 20: "elements 1", 21: "elements 4", 22: "elements 4", 23: "strings", 24: "elements 8", 25: "elements 12",
}

type skipper struct {
	b      []byte
	at     int
	types  map[uint32]string
	values int
}

func uint32At(b []byte, at int) uint32 {
	return binary.LittleEndian.Uint32(b[at:])
}

// skipFile reads all of b and returns the number of its values.
func skipFile(b []byte, d Dialect, k Kind) (values int, err error) {
	s := &skipper{b: b, types: names4}
	if d == Godot3 {
		s.types = names3
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("at %d of %d: %v", s.at, len(b), r)
		}
	}()
	if k != Stream {
		s.value()
		if s.at != len(b) {
			panic("bytes after the value")
		}
		return s.values, nil
	}
	for s.at < len(b) {
		end := int(s.u32())
		end += s.at
		s.value()
		if s.at != end {
			panic(fmt.Sprintf("the frame ends at %d", end))
		}
	}
	return s.values, nil
}

func (s *skipper) take(n int) []byte {
	s.at += n
	return s.b[s.at-n : s.at]
}

func (s *skipper) u32() uint32 {
	return binary.LittleEndian.Uint32(s.take(4))
}

func (s *skipper) padding() {
	for s.at%4 != 0 {
		if s.take(1)[0] != 0 {
			panic("padding that is not zero")
		}
	}
}

func (s *skipper) string() string {
	text := string(s.take(int(s.u32())))
	s.padding()
	return text
}

func (s *skipper) value() {
	s.values++
	header := s.u32()
	shape, ok := s.types[header&0xffff]
	if !ok {
		panic(fmt.Sprintf("unknown type id %d", header&0xffff))
	}
	flags := header >> 16
	if flags != 0 && (shape != "number" || flags != 1) {
		panic(fmt.Sprintf("flags %d on %s", flags, shape))
	}
	var width int
	switch shape {
	case "bool":
		if s.u32() > 1 {
			panic("neither false nor true")
		}
	case "number":
		s.take(4 << flags)
	case "string":
		s.string()
	case "path":
		names, subnames, pathFlags := s.u32(), s.u32(), s.u32()
		if names>>31 != 1 || subnames != 0 || pathFlags != 1 {
			panic("not an absolute path without subnames")
		}
		for n := names & 0x7fffffff; n > 0; n-- {
			s.string()
		}
	case "dictionary":
		s.dictionary()
	case "array":
		for n := s.u32(); n > 0; n-- {
			s.value()
		}
	case "strings":
		for n := s.u32(); n > 0; n-- {
			if text := s.string(); text == "" || text[len(text)-1] != 0 {
				panic("an entry without NUL")
			}
		}
	default:
		if _, err := fmt.Sscanf(shape, "elements %d", &width); err == nil {
			s.take(int(s.u32()) * width)
			s.padding()
		} else if _, err := fmt.Sscan(shape, &width); err == nil {
			s.take(width)
		}
	}
}

func (s *skipper) dictionary() {
	seen := map[string]bool{}
	for n := s.u32(); n > 0; n-- {
		start := s.at
		s.value()
		key := string(s.b[start:s.at])
		if seen[key] {
			panic(fmt.Sprintf("the key %q twice", key))
		}
		seen[key] = true
		s.value()
	}
}
