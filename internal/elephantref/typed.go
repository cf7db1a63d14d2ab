package elephantref

import (
	"math"
	"strconv"
)

// Typed returns the typed form (section 13) as encoding/json decodes it: maps,
// slices, float64, string, bool, nil. The root has the "elephant" object: version
// as "1.5.1", header as "ATMC" or "PELE", footer as a bool, tags as the number 14
// or 204.
func (f *File) Typed() any {
	root := typed(f.Root)
	root["elephant"] = map[string]any{
		"version": f.Version.String(),
		"header":  f.Header,
		"footer":  f.Footer,
		"tags":    float64(f.Tags),
	}
	return root
}

func typed(v *Value) map[string]any {
	switch v.Type {
	case Array:
		return typedArray(v.Array)
	case Struct:
		return typedStruct(v.Struct)
	case Ref:
		form := map[string]any{"type": "ref", "kind": v.Ref.Kind.String(), "ref": float64(v.Ref.Index)}
		if v.Ref.Dangling {
			form["dangling"] = true
		}
		return form
	}
	return map[string]any{"type": v.Type.String(), "value": typedScalar(v)}
}

func typedScalar(v *Value) any {
	switch v.Type {
	case Undefined:
		return nil
	case Bool:
		return v.Num != 0
	case String, Text:
		return v.Text
	case U64:
		return strconv.FormatUint(v.Int, 10)
	}
	switch x := v.Num; {
	case math.IsNaN(x):
		return "NaN"
	case math.IsInf(x, 1):
		return "Infinity"
	case math.IsInf(x, -1):
		return "-Infinity"
	case x == 0 && math.Signbit(x):
		return "-0"
	}
	return v.Num
}

func typedArray(a *ArrayValue) map[string]any {
	form := map[string]any{"type": "array", "id": typedID(a.ID), "elem": nil}
	if a.Elem != "" {
		form["elem"] = a.Elem
	}
	elems := make([]any, len(a.Elems))
	for i, e := range a.Elems {
		if i > 0 && e == a.Elems[i-1] {
			elems[i] = elems[i-1]
			continue
		}
		elems[i] = typed(e)
	}
	form["value"] = elems
	return form
}

func typedStruct(s *StructValue) map[string]any {
	members := make([]any, len(s.Members))
	for i, m := range s.Members {
		members[i] = []any{m.Name, typed(m.Value)}
	}
	form := map[string]any{
		"type": "struct", "id": typedID(s.ID), "constructor": nil, "schema_version": nil,
		"verbose": s.Verbose, "value": members,
	}
	if s.Constructed {
		form["constructor"] = s.Constructor
		form["constructor_index"] = float64(s.Index)
		form["schema_version"] = float64(s.Version)
	}
	if s.Skipped != nil {
		list := make([]any, len(s.Skipped))
		for i, n := range s.Skipped {
			list[i] = float64(n)
		}
		form["skipped"] = list
	}
	return form
}

func typedID(id int) any {
	if id < 0 {
		return nil
	}
	return float64(id)
}
