package themes

import "slices"

// A Role is what a colour is used for. The first eighteen are the field kinds,
// by the same names.
type Role string

const (
	Magic      Role = "magic"
	Version    Role = "version"
	Type       Role = "type"
	Flags      Role = "flags"
	Length     Role = "length"
	Value      Role = "value"
	Text       Role = "text"
	Data       Role = "data"
	Padding    Role = "padding"
	Terminator Role = "terminator"
	Ref        Role = "ref"
	Ctor       Role = "ctor"
	Schema     Role = "schema"
	Skip       Role = "skip"
	ID         Role = "id"
	Hash       Role = "hash"
	IV         Role = "iv"
	Gap        Role = "gap"

	Accent  Role = "accent"  // the pane with the focus, and little else
	Border  Role = "border"  // lines between panes
	Title   Role = "title"   // the file's name, headings
	Dim     Role = "dim"     // offsets, counts, explanations
	Key     Role = "key"     // names of entries, properties, members
	String  Role = "string"  // strings in the tree
	Number  Role = "number"  // numbers in the tree
	Keyword Role = "keyword" // null, true, false and names of types

	Background Role = "background" // background of the window, with text of no other role, if the theme does not suit the terminal

	Selection Role = "selection" // background of the selection in the pane with the focus
	Unfocused Role = "unfocused" // background of the selection in the other panes
	Cursor    Role = "cursor"    // background of the cursor
	Match     Role = "match"     // background of search hits
	Changed   Role = "changed"   // what differs from the file

	Added   Role = "added"   // what is only in the newer of two files
	Removed Role = "removed" // what is only in the older of two files

	Error   Role = "error"
	Warning Role = "warning"
	Note    Role = "note"
)

// Roles lists every role, the field kinds first.
func Roles() []Role {
	return append(kinds(),
		Accent, Border, Title, Dim, Key, String, Number, Keyword,
		Background, Selection, Unfocused, Cursor, Match, Changed, Added, Removed,
		Error, Warning, Note)
}

// kinds lists the roles that are field kinds.
func kinds() []Role {
	return []Role{
		Magic, Version, Type, Flags, Length, Value, Text, Data, Padding,
		Terminator, Ref, Ctor, Schema, Skip, ID, Hash, IV, Gap,
	}
}

// OfKind returns the role of a field kind, by its name.
func OfKind(name string) Role {
	if name == "checksum" {
		return Hash
	}
	return Role(name)
}

// known reports whether there is such a role.
func (r Role) known() bool { return slices.Contains(Roles(), r) }

// isBackground reports whether a colour alone is the background of the role.
func (r Role) isBackground() bool {
	return r == Background || r == Selection || r == Unfocused || r == Cursor || r == Match
}
