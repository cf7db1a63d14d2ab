package elephant_test

import (
	"fmt"
	"slices"
	"strconv"

	"varview/internal/elephantref"
)

// A thing is a value of a game: what a reference leads to is the same thing in two
// places. It knows nothing of bytes.
type thing struct {
	kind  string // number, text, bool, undefined, array, struct, default, nowhere
	text  string // of a scalar; of a struct its constructor and version
	names []string
	kids  []*thing
	fixed bool // a schema says what members there are
}

func (x *thing) isContainer() bool { return x.kind == "array" || x.kind == "struct" }

// thingOf is what the second decoder has read.
func thingOf(f *elephantref.File, schemas elephantref.Schemas) *thing {
	return toThing(f.Root, schemas, map[*elephantref.Value]*thing{})
}

func toThing(v *elephantref.Value, schemas elephantref.Schemas, seen map[*elephantref.Value]*thing) *thing {
	x := &thing{}
	seen[v] = x
	switch v.Type {
	case elephantref.Ref:
		if v.Ref.Dangling {
			x.kind = "nowhere"
			return x
		}
		return seen[v.Ref.Target]
	case elephantref.Array:
		x.kind = "array"
		for _, e := range v.Array.Elems {
			x.kids = append(x.kids, toThing(e, schemas, seen))
		}
	case elephantref.Struct:
		x.structOf(v.Struct, schemas, seen)
	case elephantref.String, elephantref.Text:
		x.kind, x.text = "text", v.Text
	case elephantref.Undefined:
		x.kind = "undefined"
	case elephantref.Bool:
		x.kind, x.text = "bool", strconv.FormatBool(v.Num != 0)
	case elephantref.U64:
		x.kind, x.text = "number", fmt.Sprint(int64(v.Int)) // as GameMaker has it
	default:
		x.kind, x.text = "number", strconv.FormatFloat(v.Num, 'f', -1, 64)
	}
	return x
}

func (x *thing) structOf(s *elephantref.StructValue, schemas elephantref.Schemas, seen map[*elephantref.Value]*thing) {
	x.kind = "struct"
	if s.Constructed {
		x.text = fmt.Sprint(s.Constructor, " v", s.Version, " ", s.Verbose)
	}
	if !s.Constructed || s.Verbose {
		for _, m := range s.Members {
			x.names = append(x.names, m.Name)
			x.kids = append(x.kids, toThing(m.Value, schemas, seen))
		}
		return
	}
	x.fixed = true
	left := s.Members
	for i, m := range schemas[s.Constructor].Versions[s.Version].Members {
		x.names = append(x.names, m.Name)
		if slices.Contains(s.Skipped, i+1) {
			x.kids = append(x.kids, &thing{kind: "default"})
			continue
		}
		x.kids = append(x.kids, toThing(left[0].Value, schemas, seen))
		left = left[1:]
	}
}

// differs says where two things differ, "" if nowhere. What is one thing in two
// places must be so in both.
func differs(got, want *thing) string {
	return compare(got, want, "$", map[*thing]*thing{}, map[*thing]*thing{})
}

func compare(got, want *thing, path string, pairs, back map[*thing]*thing) string {
	if want.isContainer() && got.isContainer() {
		if pairs[want] != nil || back[got] != nil {
			if pairs[want] == got && back[got] == want {
				return ""
			}
			return path + ": leads elsewhere"
		}
		pairs[want], back[got] = got, want
	}
	if got.kind != want.kind || got.text != want.text || len(got.kids) != len(want.kids) || !slices.Equal(got.names, want.names) {
		return fmt.Sprintf("%s: %s %q %q with %d, want %s %q %q with %d", path,
			got.kind, got.text, got.names, len(got.kids), want.kind, want.text, want.names, len(want.kids))
	}
	for i := range want.kids {
		if diff := compare(got.kids[i], want.kids[i], fmt.Sprintf("%s[%d]", path, i), pairs, back); diff != "" {
			return diff
		}
	}
	return ""
}

// A spot is where a thing stands: child index of parent.
type spot struct {
	parent *thing
	index  int
	path   []int64 // child indexes from the root
	again  bool    // the thing stands somewhere before this
}

func (s spot) thing() *thing { return s.parent.kids[s.index] }

// spots lists all places in a thing in the order of the file.
func spots(root *thing) (all []spot) {
	seen := map[*thing]bool{root: true}
	var walk func(x *thing, path []int64)
	walk = func(x *thing, path []int64) {
		for i, kid := range x.kids {
			s := spot{x, i, append(slices.Clone(path), int64(i)), seen[kid]}
			all = append(all, s)
			if kid.isContainer() && !s.again {
				seen[kid] = true
				walk(kid, s.path)
			}
		}
	}
	walk(root, nil)
	return all
}

// homes lists the containers whose first place is in the thing at a spot.
func homes(root *thing, at spot) map[*thing]bool {
	in := map[*thing]bool{}
	for _, s := range spots(root) {
		if len(s.path) >= len(at.path) && slices.Equal(s.path[:len(at.path)], at.path) && !s.again && s.thing().isContainer() {
			in[s.thing()] = true
		}
	}
	return in
}

// duplicate is a thing of its own that is like another.
func duplicate(x *thing) *thing { return duplicateOf(x, map[*thing]*thing{}, nil) }

// duplicateOf duplicates what is in inside only, all if that is nil.
func duplicateOf(x *thing, done map[*thing]*thing, inside map[*thing]bool) *thing {
	if done[x] != nil {
		return done[x]
	}
	if x.isContainer() && inside != nil && !inside[x] {
		return x
	}
	y := *x
	done[x] = &y
	y.kids = slices.Clone(x.kids)
	y.names = slices.Clone(x.names)
	for i := range y.kids {
		y.kids[i] = duplicateOf(y.kids[i], done, inside)
	}
	return &y
}
