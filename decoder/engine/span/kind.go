package span

import "fmt"

// Kind is the purpose of a field's bytes.
type Kind uint8

// The field kinds. Their names are part of the output of dump and never change.
const (
	Magic      Kind = iota // signature at the start or end of a format
	Version                // version number of a format
	Type                   // type id
	Flags                  // flag bits next to a type id, or a flags word
	Length                 // count, byte length, frame size or block size
	Value                  // payload of a scalar, of one component or of one packed element
	Text                   // bytes of a string without terminator and padding
	Data                   // opaque bytes: a byte array, packed or encrypted data
	Padding                // bytes that only align what follows
	Terminator             // a byte that the format needs to end something
	Ref                    // index of an earlier value
	Ctor                   // index of a constructor
	Schema                 // schema version of a struct
	Skip                   // entry in a list of members left out
	ID                     // number of a live object or resource
	Hash                   // checksum of a format
	IV                     // initialisation vector of a cipher
	Offset                 // where something begins
	Reserved               // bytes kept for later versions of the format
	Checksum               // checksum that a game has appended
	Gap                    // bytes without a meaning

	kinds // number of kinds
)

var kindNames = [kinds]string{
	"magic", "version", "type", "flags", "length", "value", "text", "data", "padding",
	"terminator", "ref", "ctor", "schema", "skip", "id", "hash", "iv", "offset", "reserved", "checksum", "gap",
}

// kindMarks are shown before a field's first byte where there is no colour.
var kindMarks = [kinds]rune{
	'^', 'v', ':', '!', '#', '=', '"', '%', '.', ';', '&', '*', '~', '-', '@', '+', '$', '>', '_', '/', '?',
}

// kindMeanings explain the kinds to new users.
var kindMeanings = [kinds]string{
	"signature that names the format", "version of the format", "type of the value", "flag bits",
	"count, byte length or frame size", "number, component or element", "characters of a string",
	"plain bytes", "filler, which means nothing", "byte that ends a string or list",
	"reference to an earlier value", "constructor index", "schema version", "member left out",
	"id of a live object", "checksum", "start value of the cipher", "where something begins",
	"kept for later versions", "checksum of the game", "bytes that belong to nothing",
}

// String returns the kind's name, or a number for a kind that does not exist.
func (k Kind) String() string {
	if k < kinds {
		return kindNames[k]
	}
	return fmt.Sprintf("kind %d", uint8(k))
}

// Mark returns the character that represents the kind where there is no colour.
func (k Kind) Mark() rune {
	if k < kinds {
		return kindMarks[k]
	}
	return ' '
}

// Meaning returns the purpose of such a field in a few words.
func (k Kind) Meaning() string {
	if k < kinds {
		return kindMeanings[k]
	}
	return ""
}

// IsContent reports whether such bytes have content of their own, rather than only framing that of others.
func (k Kind) IsContent() bool {
	switch k {
	case Value, Text, Data, Ref, ID, Hash, IV, Checksum, Gap:
		return true
	}
	return false
}

// Kinds returns all field kinds in their order.
func Kinds() []Kind {
	all := make([]Kind, kinds)
	for i := range all {
		all[i] = Kind(i)
	}
	return all
}
