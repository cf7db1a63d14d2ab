package span

// A Code describes all problems with one code.
type Code struct {
	Code     string
	Severity Severity // worst severity that such a problem has
	About    string   // the problem, in one sentence without a full stop
	Repair   string   // what repairs it; "" if nothing does
}

// AddCode adds a code that nothing repairs to a list, and returns it.
func AddCode(list *[]Code, code string, severity Severity, about string) string {
	*list = append(*list, Code{code, severity, about, ""})
	return code
}

// The codes of problems that decoding finds. Codes says what each means.
const (
	Truncated      = "truncated"
	UnknownType    = "unknown-type"
	HighTypeBits   = "high-type-bits"
	UnknownFlags   = "unknown-flags"
	LengthOverrun  = "length-overrun"
	NegativeLength = "negative-length"
	FrameTooShort  = "frame-too-short"
	TrailingBytes  = "trailing-bytes"
	NonZeroPadding = "non-zero-padding"
	MissingPadding = "missing-padding"
	BoolValue      = "bool-value"
	InvalidUTF8    = "invalid-utf8"
	NestedTooDeep  = "nested-too-deep"
	OldNodePath    = "old-node-path"
	ElementType    = "element-type"
	ContainerType  = "container-type"
	EngineReadBack = "engine-cannot-read"
	EngineRefuses  = "engine-refuses"
	EngineChanges  = "engine-changes"
	ReadFailed     = "read-failed"
	MergeConflict  = "merge-conflict"
	RunsCode       = "runs-code"
	ObjectInData   = "object-in-data"
	LoadsFile      = "loads-file"
	ObjectByID     = "object-by-id"
	ByteOrderMark  = "byte-order-mark"
	NulInText      = "nul-in-text"
	Unreadable     = "unreadable"
	MissingSchema  = "missing-schema"
	RepeatedKey    = "repeated-key"
	MissingValue   = "missing-value-of-key"
	WideNumber     = "wide-number"
	SharedBit      = "shared-bit"
	NullObject     = "null-object"
	CESU8          = "cesu-8"
	MissingNul     = "missing-nul"
	UnknownSum     = "unknown-checksum"
	Loose          = "loose-syntax" // described by the families of text
)

// The codes of causes: errors because of which the bytes after them cannot be read. Codes says what each means.
const (
	WrongLength  = "wrong-length"
	WrongCount   = "wrong-count"
	WrongFrame   = "wrong-frame"
	WrongType    = "wrong-type"
	WrongFlags   = "wrong-flags"
	MissingBytes = "missing-bytes"
	ExtraBytes   = "extra-bytes"
	WrongDialect = "wrong-dialect"
	WrongFraming = "wrong-framing"

	UncertainDialect = "uncertain-dialect"
	Unsearched       = "causes-not-searched"
)

// Codes describes the problems that several formats share.
var Codes = []Code{
	{Truncated, Error, "the bytes end inside a value", "cut off the incomplete part and correct the counts"},
	{UnknownType, Error, "a type id that the dialect does not have", "set the type with which the rest can be read"},
	{HighTypeBits, Warning, "a type id with bits set that engines ignore", "clear the bits"},
	{UnknownFlags, Warning, "flag bits without meaning on a value of this type", "clear the flags"},
	{LengthOverrun, Error, "a length, count or frame length that reaches past what holds it", "set the value with which the rest can be read; in a cut file, correct the counts"},
	{NegativeLength, Error, "a length or count of 2,147,483,648 or more, which engines read as negative", "set the value with which the rest can be read; in a cut file, correct the counts"},
	{FrameTooShort, Error, "a frame that ends before the value in it", "set its length to that of the value"},
	{TrailingBytes, Warning, "bytes left over after the end of a value", "delete these bytes"},
	{NonZeroPadding, Warning, "padding that is not zero where engines write zero", "set the padding to zero"},
	{MissingPadding, Error, "the bytes end where padding should follow", "add the padding"},
	{BoolValue, Warning, "a bool that is neither 0 nor 1", "set it to 1"},
	{InvalidUTF8, Error, "text that is not valid UTF-8", "replace each invalid byte with U+FFFD"},
	{NestedTooDeep, Error, "values nested deeper than the engine, or varview, follows", ""},
	{OldNodePath, Error, "a NodePath in an old form that engines no longer read", "rewrite it in the current form"},
	{ElementType, Error, "an element whose type is not that of its typed container", "convert the number, or make the container untyped"},
	{ContainerType, Error, "a container whose element type does not exist or is not allowed", "make the container untyped"},
	{EngineRefuses, Error, "in a text, what the engine does not load, or reads as something else", ""},
	{EngineChanges, Warning, "in a text, a value that becomes another one when the engine loads it", ""},
	{EngineReadBack, Warning, "valid bytes that the engine that wrote them misreads", ""},
	{MergeConflict, Error, "both sides of a merge, which git has left in a text", "keep one of them"},
	{ReadFailed, Error, "a part of the file that could not be read from the disk, or changed meanwhile", ""},
	{RunsCode, Note, "a script: loading the file with objects allowed can run code", ""},
	{ObjectInData, Note, "a whole object: loading the file with objects allowed creates it", ""},
	{LoadsFile, Note, "another file that is loaded with this one", ""},
	{ObjectByID, Note, "an object stored only by its id, so that it cannot be restored", ""},
	{ByteOrderMark, Warning, "a string that begins with a byte order mark, which engines drop", "delete the mark"},
	{NulInText, Warning, "a NUL inside a string, which engines cut there", "delete it so that the rest is read"},
	{Unreadable, Error, "bytes that their wrapper could not unpack", ""},
	{MissingSchema, Error, "a struct whose schema is missing", ""},
	{RepeatedKey, Warning, "a key or name that occurs twice; engines keep one of the values", "keep the value that engines keep, once"},
	{MissingValue, Error, "the bytes end after a key, before its value", "cut off the key and correct the enclosing counts"},
	{WideNumber, Note, "a number in 64 bits that engines write in 32", "store it in 32 bits"},
	{SharedBit, Warning, "bit 31 of a count, which engines ignore and never write", "clear the bit"},
	{NullObject, Note, "a null object with a header of its own, where engines write Nil", "make it Nil"},
	{CESU8, Note, "text in CESU-8, as JavaScript programs write it: a character beyond U+FFFF is two halves of three bytes", ""},
	{UnknownSum, Note, "bytes beside the values that look like a checksum but match none that is known; they stay as they are", ""},
	{MissingNul, Warning, "a string of a packed array without the NUL that its length should count", "add the NUL"},

	{WrongLength, Error, "the length of a text or of data is not that of what follows", "set the length"},
	{WrongCount, Error, "a count is not that of the values that follow", "set the count"},
	{WrongFrame, Error, "the length of a frame is not that of the value in it", "set the length"},
	{WrongType, Error, "a type id is that of another type than the value has", "set the type id"},
	{WrongFlags, Error, "flags do not match the value", "set the flags"},
	{MissingBytes, Error, "bytes were lost: what follows reads well again when moved back", "insert the same number of bytes; the original ones are often unknown"},
	{ExtraBytes, Error, "bytes that belong to nothing were inserted: what follows them reads well", "delete these bytes"},
	{WrongDialect, Error, "another dialect than the one asked for reads the bytes", ""},
	{WrongFraming, Error, "another framing than the one asked for reads the bytes", ""},
	{UncertainDialect, Note, "another dialect is about as likely, if the bytes are damaged", ""},
	{Unsearched, Note, "from here on no causes are searched for: enough were found, or the work budget is used up", ""},
}
