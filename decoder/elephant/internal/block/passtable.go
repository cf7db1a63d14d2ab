package block

import "varview/decoder/elephant/internal/datatype"

// A following is what follows a tag, if it can be passed many at a time.
type following uint8

const (
	followsOther following = iota // something that is not passed
	followsFixed                  // a fixed number of bytes
	followsBool
	followsText
	followsArray
	followsStruct
	followsCtor // 1.0.0: the tag is the constructor of a struct
	followsTagged
)

// A passTable says what the tags of a version mean.
type passTable [256]struct {
	following
	width     uint8 // of followsFixed
	isForeign bool  // the tag belongs to other versions
}

// newPassTable returns the table of a version.
func newPassTable(r *Rules) *passTable {
	table := &passTable{}
	for tag := range table {
		t := r.TypeOf(byte(tag))
		table[tag].following, table[tag].width = followingOf(t), uint8(datatype.Width(t))
		table[tag].isForeign = r.IsForeign(byte(tag))
	}
	return table
}

func followingOf(t datatype.ID) following {
	switch {
	case t == datatype.Bool:
		return followsBool
	case datatype.Width(t) > 0, t == datatype.Undefined:
		return followsFixed
	case datatype.IsText(t):
		return followsText
	case t == datatype.Array:
		return followsArray
	case t == datatype.Struct:
		return followsStruct
	case t == datatype.Any:
		return followsTagged
	case t&datatype.CtorElement != 0:
		return followsCtor
	}
	return followsOther
}

// tagOf returns a tag that all versions read as the type of an element or a member.
func tagOf(t datatype.ID) byte {
	if t >= datatype.Any && t <= datatype.Undefined {
		t -= TagShift
	}
	return byte(t)
}
