package span

import "fmt"

// Severity is what a problem means to the engine that loads the file.
type Severity uint8

const (
	Note    Severity = iota // worth knowing
	Warning                 // it loads, but is unusual
	Error                   // the engine refuses or misreads it
)

// String returns the name used in the output of check.
func (s Severity) String() string {
	switch s {
	case Note:
		return "note"
	case Warning:
		return "warning"
	case Error:
		return "error"
	}
	return fmt.Sprintf("severity %d", uint8(s))
}

// A Problem is an error or something unusual at a span.
type Problem struct {
	Span
	Severity Severity
	Code     string // stable name: "length-overrun"
	Message  string // one sentence for a game developer
	Engine   string // reaction of the engine, where known
	Repair   string // what repairs it: "set the padding to zero"; "" where no repair is known
	Settled  bool   // no earlier bytes can be its cause
	Guess    bool   // the repair may be wrong if this is the only problem, and is made only on request
	Apart    bool   // whether the repair of a wrapper's problem changes nothing that other repairs depend on
}

// IsEvidence reports whether the problem shows that the bytes are read in the wrong way,
// not only that the file or its engine has a fault. Bytes after the end of a complete
// value, or bytes that nothing describes, are not evidence.
func (p *Problem) IsEvidence() bool {
	return p.Severity > Note && !p.Settled && p.Code != EngineReadBack && p.Code != ReadFailed && p.Code != Unreadable && p.Code != MissingSchema
}

// MayHaveCause reports whether earlier bytes may have led to the problem. That includes a struct that the
// schemas at hand do not describe.
func (p *Problem) MayHaveCause() bool {
	return p.IsEvidence() || p.Code == MissingSchema && p.Severity == Error
}

// BeginsBefore reports whether a problem concerns the bytes before an offset. A problem without bytes
// belongs to what precedes it.
func (p *Problem) BeginsBefore(off int64) bool {
	return p.Offset < off || p.Length == 0 && p.Offset == off && off > 0
}

// IsShortage reports whether the problem is that needed bytes are missing.
func (p *Problem) IsShortage() bool {
	switch p.Code {
	case Truncated, LengthOverrun, MissingValue, MissingPadding:
		return true
	}
	return p.Code == NegativeLength && p.Severity == Error
}

// IsLocal reports whether the problem concerns a single value, and the position of the next one is certain.
func (p *Problem) IsLocal() bool {
	switch p.Code {
	case TrailingBytes:
		return false
	case ElementType, EngineRefuses, ContainerType, InvalidUTF8, OldNodePath, NestedTooDeep:
		return true
	}
	return p.Severity < Error
}

// The codes of problems that decoding finds.
const (
	Truncated      = "truncated"            // the bytes end inside a value
	UnknownType    = "unknown-type"         // type id that the dialect's table lacks
	HighTypeBits   = "high-type-bits"       // bits 8–15 of a header set; engines ignore them
	UnknownFlags   = "unknown-flags"        // flag bits that mean nothing on this type
	LengthOverrun  = "length-overrun"       // length, count or frame size past its end
	NegativeLength = "negative-length"      // length or count of 2³¹ and more
	FrameTooShort  = "frame-too-short"      // frame that ends before its value does
	TrailingBytes  = "trailing-bytes"       // bytes after the end of a value
	NonZeroPadding = "non-zero-padding"     // padding that is not zero where engines write zero
	MissingPadding = "missing-padding"      // padding missing at the end of the buffer
	BoolValue      = "bool-value"           // bool that is neither 0 nor 1
	InvalidUTF8    = "invalid-utf8"         // text that is not valid UTF-8
	NestedTooDeep  = "nested-too-deep"      // nesting past what an engine or varview follows
	OldNodePath    = "old-node-path"        // NodePath in the old single-string form
	ElementType    = "element-type"         // typed container holding another type
	ContainerType  = "container-type"       // container type that does not exist or is not allowed
	EngineReadBack = "engine-cannot-read"   // valid bytes that the engine itself misreads
	EngineRefuses  = "engine-refuses"       // text that the engine does not load, or reads as something else
	EngineChanges  = "engine-changes"       // value of a text that becomes another one when the engine loads it
	ReadFailed     = "read-failed"          // the file could not be read here, or changed while open
	RunsCode       = "runs-code"            // whole object with a script: loading it can run code
	ObjectInData   = "object-in-data"       // whole object: loading it creates an object
	LoadsFile      = "loads-file"           // another file that is loaded too
	ObjectByID     = "object-by-id"         // object stored as the id it had while the game ran
	ByteOrderMark  = "byte-order-mark"      // string beginning with a byte order mark
	NulInText      = "nul-in-text"          // NUL inside a string
	Unreadable     = "unreadable"           // bytes that their wrapper could not unpack
	MissingSchema  = "missing-schema"       // struct laid out by a schema that is not at hand
	RepeatedKey    = "repeated-key"         // key or member name that occurs twice
	MissingValue   = "missing-value-of-key" // key without a value: the bytes end between them
	WideNumber     = "wide-number"          // number in 64 bits that engines write in 32
	SharedBit      = "shared-bit"           // bit 31 of a count, which engines ignore and never write
	NullObject     = "null-object"          // null object with a header of its own, which engines write as Nil
	CESU8          = "cesu-8"               // text that has surrogates of three bytes each
	MissingNul     = "missing-nul"          // packed string without the NUL that its length should count
	UnknownSum     = "unknown-checksum"     // what looks like a checksum beside the values and fits nothing
)

// The codes of causes: errors because of which the bytes after them cannot be read.
const (
	WrongLength  = "wrong-length"  // length of a text or of data that does not match what follows
	WrongCount   = "wrong-count"   // count that does not match the children
	WrongFrame   = "wrong-frame"   // frame length that does not match the value in it
	WrongType    = "wrong-type"    // type id of another type than the value has
	WrongFlags   = "wrong-flags"   // flags that do not match the value
	MissingBytes = "missing-bytes" // bytes lost from the middle
	ExtraBytes   = "extra-bytes"   // bytes that do not belong there
	WrongDialect = "wrong-dialect" // another dialect reads the bytes better
	WrongFraming = "wrong-framing" // another framing reads the bytes better

	UncertainDialect = "uncertain-dialect"   // another dialect is about as likely, if the bytes are damaged
	Unsearched       = "causes-not-searched" // no causes are searched for from here on
)

// A Code describes all problems with one code.
type Code struct {
	Code     string
	Severity Severity // worst severity that such a problem has
	About    string   // the problem, in one sentence without a full stop
	Repair   string   // what repairs it; "" if nothing does
}
