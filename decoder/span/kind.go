package span

import "fmt"

// Kind says what the bytes of a field are for.
type Kind uint8

// The field kinds. Their names are part of the output of dump and never change.
const (
	Magic      Kind = iota // signature at the start or end of a format
	Version                // version number of a format
	Type                   // type id
	Flags                  // flag bits beside a type id, or a flags word
	Length                 // count, byte length, frame size or block size
	Value                  // payload of a scalar, of one component or of one packed element
	Text                   // bytes of a string without terminator and padding
	Data                   // opaque bytes: a byte array, packed or encrypted data
	Padding                // bytes that only align what follows
	Terminator             // a byte that the format needs to end something
	Ref                    // index of a value met before
	Ctor                   // index of a constructor
	Schema                 // schema version of a struct
	Skip                   // entry in a list of members left out
	ID                     // number of a live object or resource
	Hash                   // checksum
	IV                     // initialisation vector of a cipher
	Gap                    // bytes that nothing claims

	kinds // how many there are
)

var kindNames = [kinds]string{
	"magic", "version", "type", "flags", "length", "value", "text", "data", "padding",
	"terminator", "ref", "ctor", "schema", "skip", "id", "hash", "iv", "gap",
}

// kindMarks stand before a field's first byte where colour cannot tell.
var kindMarks = [kinds]rune{
	'^', 'v', ':', '!', '#', '=', '"', '%', '.', ';', '&', '*', '~', '-', '@', '+', '$', '?',
}

// kindMeanings explain the kinds to somebody who sees them for the first time.
var kindMeanings = [kinds]string{
	"signature that names the format", "version of the format", "type of the value", "flag bits",
	"count, byte length or frame size", "number, component or element", "characters of a string",
	"plain bytes", "filler up to the next multiple of 4", "byte that ends a string or list",
	"reference to an earlier value", "constructor index", "schema version", "member left out",
	"id of a live object", "checksum", "start value of the cipher", "bytes that nothing claims",
}

// String gives the kind's name; a number for a kind that does not exist.
func (k Kind) String() string {
	if k < kinds {
		return kindNames[k]
	}
	return fmt.Sprintf("kind %d", uint8(k))
}

// Mark is the character that stands for the kind where colours do not.
func (k Kind) Mark() rune {
	if k < kinds {
		return kindMarks[k]
	}
	return ' '
}

// Meaning says in a few words what such a field is for.
func (k Kind) Meaning() string {
	if k < kinds {
		return kindMeanings[k]
	}
	return ""
}

// Kinds lists all field kinds in their order.
func Kinds() []Kind {
	all := make([]Kind, kinds)
	for i := range all {
		all[i] = Kind(i)
	}
	return all
}
