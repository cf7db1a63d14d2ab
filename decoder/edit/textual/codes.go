package textual

import "varview/decoder/engine/span"

// Codes of problems of text.
const (
	NoValue      = "no-value"
	MissingMark  = "missing-mark"
	Comment      = "comment"
	ExtraMark    = "extra-mark"
	WrongMark    = "wrong-mark"
	OpenText     = "open-text"
	OpenBracket  = "open-bracket"
	WrongBracket = "wrong-bracket"
	BadEscape    = "bad-escape"
	OddKey       = "odd-key"
	ReadBack     = "lost-in-engine"
	ZeroedBlock  = "zeroed-block"
)

// codes describes these problems.
var codes = []span.Code{
	{Code: NoValue, Severity: span.Error, About: "in a text, characters that are not a value", Repair: "complete the word, put quotes around it, or delete it"},
	{Code: Comment, Severity: span.Error, About: "a comment in a text of JSON, which has none", Repair: "delete it"},
	{Code: MissingMark, Severity: span.Error, About: "in a text, a missing comma or colon", Repair: "insert it"},
	{Code: ExtraMark, Severity: span.Error, About: "in a text, a comma or colon too many", Repair: "delete it"},
	{Code: WrongMark, Severity: span.Error, About: "in a text, a mark in place of a comma or colon", Repair: "replace it"},
	{Code: OpenText, Severity: span.Error, About: "a text without its closing quote", Repair: "insert the quote where it fits"},
	{Code: OpenBracket, Severity: span.Error, About: "a bracket that is not closed", Repair: "insert the closing bracket"},
	{Code: WrongBracket, Severity: span.Error, About: "a bracket that closes one of another kind", Repair: "replace it"},
	{Code: BadEscape, Severity: span.Error, About: "a backslash that does not begin an escape, or a quote within a text without one", Repair: "put a backslash before it"},
	{Code: OddKey, Severity: span.Error, About: "a key that is not a text in quotes", Repair: "put quotes around it"},
	{Code: span.Loose, Severity: span.Note, About: "in a text, syntax that only some readers accept", Repair: "write it as all of them accept it, if anything else is repaired"},
	{Code: ZeroedBlock, Severity: span.Warning, About: "a block of zeros in a text: it was never written, or the disk lost it", Repair: "delete the zeros"},
	{Code: ReadBack, Severity: span.Note, About: "a value that an engine changes when it reads a text and writes it again"},
}
