package block

import (
	"fmt"

	"varview/decoder/elephant/internal/datatype"
	"varview/decoder/span"
	"varview/decoder/tree"
)

// reference inspects the target of a reference.
func (in *inspector) reference() {
	v := in.v
	at := v.Body - 2
	switch to := v.Sub; {
	case v.Serial == tree.NoSerial:
	case to >= v.Serial:
		in.repairable(at, 2, span.Error, Dangling, fmt.Sprintf("a reference to number %d, counted from 0, but %s before it", to, begin(v.Serial)), "read as undefined", in.f.DanglingRepair(in.parent, v))
	case v.Serial > MarkRef+1:
		in.problem(at, 2, span.Warning, WrappedRef, fmt.Sprintf("a reference to number %d after %d arrays and structs: the library cuts numbers to 16 bits, so it may mean another", to, v.Serial), "read as number "+fmt.Sprint(to))
	default:
		in.kind(datatype.ID(in.f.Kind(to)))
	}
}

// begin counts arrays and structs in words.
func begin(n uint32) string {
	switch n {
	case 0:
		return "no array or struct begins"
	case 1:
		return "1 array or struct begins"
	}
	return fmt.Sprintf("%d arrays and structs begin", n)
}

// kind compares the tag of a reference with what it leads to. The wrong field is the tag,
// if the reference has one of its own.
func (in *inspector) kind(is datatype.ID) {
	v := in.v
	if is == 0 || is == v.Type {
		return
	}
	at, n := v.Body-4, int64(4)
	if v.Flags&Tagged != 0 {
		at, n = v.Body-5, 1
	}
	in.repairable(at, n, span.Warning, RefKind, fmt.Sprintf("number %d, to which this refers as %s, is of type %s", v.Sub, datatype.Name(v.Type), datatype.Name(is)), "accepted", in.f.RefTagRepair(in.parent, v))
}

// DanglingRepair returns the repair of a reference that leads nowhere.
func (f *Reading) DanglingRepair(parent, v *tree.Value) string {
	switch {
	case v.Flags&Tagged != 0, parent.Type == datatype.Array:
		return repairNoRef
	case f.Rules.Skips:
		return repairDefault
	}
	return ""
}

// RefTagRepair returns the repair of a reference with the tag of another kind.
func (f *Reading) RefTagRepair(parent, v *tree.Value) string {
	if v.Flags&Tagged != 0 || parent.Type == datatype.Array {
		return repairRefTag
	}
	return ""
}
