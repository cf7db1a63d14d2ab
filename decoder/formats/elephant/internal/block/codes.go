package block

import "varview/decoder/engine/span"

// Problem codes that only Elephant has. Codes says what each means.
const (
	WrongHeader   = "wrong-header"
	WrongVersion  = "wrong-version"
	WrongFooter   = "wrong-footer"
	MissingFooter = "missing-footer"
	ForeignTag    = "foreign-tag"
	Dangling      = "dangling-reference"
	RefKind       = "reference-kind"
	WrappedRef    = "wrapped-reference"
	WrongSkip     = "wrong-skip"
	MissingEnd    = "missing-terminator"
	CtorName      = "constructor-name"
	CtorIndex     = "constructor-index"
	WrongSchema   = "wrong-schema"
	OddVerbose    = "unexpected-verbose"
	EmptyName     = "empty-name"
)

// Codes describes the problems that only Elephant has.
var Codes = []span.Code{
	{Code: WrongHeader, Severity: span.Error, About: "the first four bytes are not those of a block of its version", Repair: "set the header"},
	{Code: WrongVersion, Severity: span.Error, About: "the version number was never released, or does not match the content", Repair: "set the version that the content is read as; one that may be newer only if asked for"},
	{Code: WrongFooter, Severity: span.Error, About: "other bytes follow the value where the footer should be", Repair: "write the footer over them, or insert it before them"},
	{Code: MissingFooter, Severity: span.Error, About: "the file ends before its footer, or within it", Repair: "add the footer"},
	{Code: ForeignTag, Severity: span.Error, About: "a tag that means something in other versions only", Repair: "set the tag that this version has for the type"},
	{Code: Dangling, Severity: span.Error, About: "a reference to an array or struct that does not begin before it", Repair: "make it undefined, as the library reads it"},
	{Code: RefKind, Severity: span.Warning, About: "a reference tagged as array that leads to a struct, or the reverse", Repair: "set the tag of its target"},
	{Code: WrappedRef, Severity: span.Warning, About: "a reference after 65,536 arrays and structs, where the writer cuts numbers to 16 bits"},
	{Code: WrongSkip, Severity: span.Error, About: "a list of skipped members that repeats one, or names one that the schema does not have", Repair: "delete it from the list"},
	{Code: MissingEnd, Severity: span.Error, About: "another byte instead of the NUL that should end a text", Repair: "set it to 0"},
	{Code: CtorName, Severity: span.Error, About: "a constructor name that is not an identifier, or is one byte off a declared one", Repair: "set it to the declared one"},
	{Code: CtorIndex, Severity: span.Warning, About: "a constructor used for the first time with another index than the next one", Repair: "set it to the next one, in every struct of the constructor"},
	{Code: WrongSchema, Severity: span.Error, About: "a schema version that does not match the struct's members", Repair: "set the version that fits"},
	{Code: OddVerbose, Severity: span.Warning, About: "a struct stored with the names of its members, though its schema does not say so"},
	{Code: EmptyName, Severity: span.Note, About: "a member with an empty name"},
}

// IsOfHeader reports whether a problem is that the header or a tag is another version's. Such problems do
// not contradict reading the content by the rules of a version.
func IsOfHeader(code string) bool {
	return code == WrongHeader || code == WrongVersion || code == ForeignTag
}

// Texts of repairs in problems.
const (
	repairCut      = "cut off the incomplete part, close what is open around it and end the block"
	repairBool     = "set it to 1"
	repairText     = "replace each invalid byte with U+FFFD"
	repairSkip     = "delete it from the list of skipped members"
	repairNoRef    = "make it undefined, as the library reads it"
	repairDefault  = "leave the member out, so that it has its default"
	repairRefTag   = "set the tag of its target"
	repairTrailing = "delete these bytes"
	repairRepeat   = "delete the earlier member, which the library drops"
)
