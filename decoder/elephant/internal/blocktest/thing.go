package blocktest

import (
	"fmt"
	"slices"
	"strconv"

	"varview/bench/elephantref"
)

// A Thing is a value of a game: what a reference leads to is the same thing in two
// places. It knows nothing of bytes.
type Thing struct {
	Kind  string // number, text, bool, undefined, array, struct, default, nowhere
	Text  string // of a scalar; of a struct its constructor and version
	Names []string
	Kids  []*Thing
	Fixed bool // a schema says what members there are
}

func (x *Thing) IsContainer() bool { return x.Kind == "array" || x.Kind == "struct" }

// ThingOf is what the second decoder has read.
func ThingOf(f *elephantref.File, schemas elephantref.Schemas) *Thing {
	return toThing(f.Root, schemas, map[*elephantref.Value]*Thing{})
}

func toThing(v *elephantref.Value, schemas elephantref.Schemas, seen map[*elephantref.Value]*Thing) *Thing {
	x := &Thing{}
	seen[v] = x
	switch v.Type {
	case elephantref.Ref:
		if v.Ref.Dangling {
			x.Kind = "nowhere"
			return x
		}
		return seen[v.Ref.Target]
	case elephantref.Array:
		x.Kind = "array"
		for _, e := range v.Array.Elems {
			x.Kids = append(x.Kids, toThing(e, schemas, seen))
		}
	case elephantref.Struct:
		x.structOf(v.Struct, schemas, seen)
	case elephantref.String, elephantref.Text:
		x.Kind, x.Text = "text", v.Text
	case elephantref.Undefined:
		x.Kind = "undefined"
	case elephantref.Bool:
		x.Kind, x.Text = "bool", strconv.FormatBool(v.Num != 0)
	case elephantref.U64:
		x.Kind, x.Text = "number", fmt.Sprint(int64(v.Int)) // as GameMaker has it
	default:
		x.Kind, x.Text = "number", strconv.FormatFloat(v.Num, 'f', -1, 64)
	}
	return x
}

func (x *Thing) structOf(s *elephantref.StructValue, schemas elephantref.Schemas, seen map[*elephantref.Value]*Thing) {
	x.Kind = "struct"
	if s.Constructed {
		x.Text = fmt.Sprint(s.Constructor, " v", s.Version, " ", s.Verbose)
	}
	if !s.Constructed || s.Verbose {
		for _, m := range s.Members {
			x.Names = append(x.Names, m.Name)
			x.Kids = append(x.Kids, toThing(m.Value, schemas, seen))
		}
		return
	}
	x.Fixed = true
	left := s.Members
	for i, m := range schemas[s.Constructor].Versions[s.Version].Members {
		x.Names = append(x.Names, m.Name)
		if slices.Contains(s.Skipped, i+1) {
			x.Kids = append(x.Kids, &Thing{Kind: "default"})
			continue
		}
		x.Kids = append(x.Kids, toThing(left[0].Value, schemas, seen))
		left = left[1:]
	}
}

// Differs says where two things differ, "" if nowhere. What is one thing in two
// places must be so in both.
func Differs(got, want *Thing) string {
	return compare(got, want, "$", map[*Thing]*Thing{}, map[*Thing]*Thing{})
}

func compare(got, want *Thing, path string, pairs, back map[*Thing]*Thing) string {
	if want.IsContainer() && got.IsContainer() {
		if pairs[want] != nil || back[got] != nil {
			if pairs[want] == got && back[got] == want {
				return ""
			}
			return path + ": leads elsewhere"
		}
		pairs[want], back[got] = got, want
	}
	if got.Kind != want.Kind || got.Text != want.Text || len(got.Kids) != len(want.Kids) || !slices.Equal(got.Names, want.Names) {
		return fmt.Sprintf("%s: %s %q %q with %d, want %s %q %q with %d", path,
			got.Kind, got.Text, got.Names, len(got.Kids), want.Kind, want.Text, want.Names, len(want.Kids))
	}
	for i := range want.Kids {
		if diff := compare(got.Kids[i], want.Kids[i], fmt.Sprintf("%s[%d]", path, i), pairs, back); diff != "" {
			return diff
		}
	}
	return ""
}
