package resource

import (
	"varview/decoder/engine/span"
	"varview/decoder/formats/godot/internal/convert"
)

// Codes of problems that only resources have. The method Codes says what each means.
const (
	codeEnd    = "missing-end"
	CodeIndex  = convert.CodeIndex
	codeOffset = "resource-offset"
	codeUnused = "unused-bytes"
)

// Codes implements format.CodeLister.
func (family) Codes() []span.Code {
	return []span.Code{
		{Code: codeEnd, Severity: span.Warning, About: "a resource file without RSRC at its end", Repair: "add RSRC"},
		{Code: CodeIndex, Severity: span.Warning, About: "a name or reference with a number that its table does not have"},
		{Code: codeOffset, Severity: span.Error, About: "an offset at which no resource begins", Repair: "set it to where the resource begins"},
		{Code: codeUnused, Severity: span.Note, About: "bytes between two resources that belong to neither"},
	}
}
