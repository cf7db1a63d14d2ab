package block

import (
	"fmt"
	"math"

	"varview/decoder/formats/elephant/internal/datatype"
)

// Magic numbers as they are in the file.
const (
	magicOld    = "ATMC" // 1.0.0 and 1.1.0
	MagicHeader = "PELE"
	MagicFooter = "TNAH"
)

// HeaderSize is the size of magic and version in bytes.
const HeaderSize = 8

// Rules say what one version of the library writes and reads.
type Rules struct {
	Name    string // "1.5.1"
	Version uint32 // number in the header: major<<16 | minor<<8 | patch

	old      bool // header ATMC, no footer
	LowTags  bool // any, array, struct and undefined are 14 to 17
	HighTags bool // they are 204 to 207
	CtorTags bool // a tag from 32 on is a constructor, and there are no references
	Bit7     bool // bit 7 of the version byte means verbose; in other versions 0 in the whole byte does
	Skips    bool // a schema body begins with a list of skipped members
	current  bool // Elephant 1.5.1 itself can read it
}

// rules are the versions that the library's readers know, the newest first.
var rules = [...]Rules{
	{Name: "1.5.1", Version: 0x10501, HighTags: true, Bit7: true, Skips: true, current: true},
	{Name: "1.5.0", Version: 0x10500, HighTags: true, Bit7: true, Skips: true, current: true},
	{Name: "1.4.0", Version: 0x10400, LowTags: true, HighTags: true, Bit7: true, current: true},
	{Name: "1.3.0", Version: 0x10300, LowTags: true, Bit7: true},
	{Name: "1.2.1", Version: 0x10201, LowTags: true},
	{Name: "1.2.0", Version: 0x10200, LowTags: true},
	{Name: "1.1.0", Version: 0x10100, LowTags: true, old: true},
	{Name: "1.0.0", Version: 0x10000, LowTags: true, old: true, CtorTags: true},
}

// Versions lists the rules of all versions, the newest first.
func Versions() []Rules { return rules[:] }

// ByVersion returns the rules for the version number in a header; ok is false for a version that was never
// released. The rules are then those of the newest version, which a later one resembles most.
func ByVersion(v uint32) (r *Rules, ok bool) {
	for i := range rules {
		if rules[i].Version == v {
			return &rules[i], true
		}
	}
	return &rules[0], false
}

// ByName returns the rules of a version like "1.4.0".
func ByName(name string) (r *Rules, ok bool) {
	for i := range rules {
		if rules[i].Name == name {
			return &rules[i], true
		}
	}
	return nil, false
}

// Dialect returns the name of the dialect: elephant-1.5.1.
func (r *Rules) Dialect() string { return "elephant-" + r.Name }

// IsCurrent reports whether Elephant 1.5.1 itself reads files of the version.
func (r *Rules) IsCurrent() bool { return r.current }

// Magic returns the first word of the header.
func (r *Rules) Magic() string {
	if r.old {
		return magicOld
	}
	return MagicHeader
}

// VersionText writes a header's version number in the usual notation.
func VersionText(v uint32) string {
	return fmt.Sprintf("%d.%d.%d", v>>16, v>>8&0xff, v&0xff)
}

// Title returns the version's full name: Elephant 1.5.1.
func (r *Rules) Title() string { return "Elephant " + r.Name }

// About says in a few words what distinguishes the version.
func (r *Rules) About() string {
	switch r.Name {
	case "1.0.0":
		return "header ATMC, constructors as tags, no references, no footer"
	case "1.1.0":
		return "header ATMC, no footer"
	case "1.2.0", "1.2.1":
		return "header PELE and a footer"
	case "1.3.0":
		return "schema versions up to 127, stored with names by a bit"
	case "1.4.0":
		return "tags 204 to 207; its development builds kept 14 to 17"
	}
	return "lists of skipped members"
}

// Types returns the names of the datatypes by their tag in this version.
func (r *Rules) Types() []string {
	last := 17
	if r.HighTags {
		last = int(datatype.Undefined)
	}
	types := make([]string, last+1)
	for tag := range types {
		if t := r.TypeOf(byte(tag)); t != datatype.Unknown && !r.IsForeign(byte(tag)) && t&datatype.CtorElement == 0 {
			types[tag] = datatype.Name(t)
		}
	}
	return types
}

// Room returns the largest number of children of an array or a struct (sections 3 and 4 of the
// specification); larger counts are marks, which 1.0.0 does not have.
func (r *Rules) Room(t datatype.ID) int {
	switch {
	case r.CtorTags:
		return math.MaxUint16
	case t == datatype.Struct:
		return MarkCtor - 1
	}
	return MarkCtor
}

// CtorRange returns the least and the greatest index of a constructor.
func (r *Rules) CtorRange() (least, most int) {
	if r.CtorTags {
		return 32, math.MaxUint8
	}
	return 0, math.MaxUint16
}

// MaxVersion returns the highest schema version that can be stored.
func (r *Rules) MaxVersion() int {
	if r.Bit7 {
		return 127
	}
	return 255
}

// SchemaVersion decodes a version byte.
func (r *Rules) SchemaVersion(b byte) (version int, verbose bool) {
	if r.Bit7 {
		return int(b & 0x7f), b&0x80 != 0
	}
	return int(b), b == 0
}

// VersionByte returns the version byte of a constructed struct, the inverse of
// SchemaVersion.
func (r *Rules) VersionByte(version int, verbose bool) byte {
	switch {
	case verbose && r.Bit7:
		return byte(version) | 0x80
	case verbose:
		return 0
	}
	return byte(version)
}

// TagShift is the difference between the later tags and those of 1.0.0 to 1.3.0.
const TagShift = datatype.Any - 14

// TypeOf returns the datatype of a tag, or Unknown. Every version accepts both sets of tags, as they do not
// overlap; Inspect reports those that the version's own reader refuses. In 1.0.0 tags from 32 on are
// constructors.
func (r *Rules) TypeOf(tag byte) datatype.ID {
	switch t := datatype.ID(tag); {
	case t >= 1 && t <= datatype.Text:
		return t
	case t >= 14 && t <= 17:
		return t + TagShift
	case r.CtorTags && t >= 32:
		return datatype.CtorElement | t
	case t >= datatype.Any && t <= datatype.Undefined:
		return t
	}
	return datatype.Unknown
}

// IsForeign reports whether a tag belongs to versions other than this.
func (r *Rules) IsForeign(tag byte) bool {
	return tag >= 14 && tag <= 17 && !r.LowTags || datatype.ID(tag) >= datatype.Any && datatype.ID(tag) <= datatype.Undefined && !r.HighTags && !r.CtorTags
}

// NativeTag returns this version's tag for the datatype of a foreign tag.
func (r *Rules) NativeTag(tag byte) byte {
	if r.HighTags && !r.LowTags {
		return tag + byte(TagShift)
	}
	return tag - byte(TagShift)
}
