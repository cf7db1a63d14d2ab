package span

import "fmt"

// Severity says what a problem means to the engine that would load the file.
type Severity uint8

const (
	Note    Severity = iota // worth knowing
	Warning                 // it loads, but is unusual
	Error                   // the engine refuses or misreads it
)

// String gives the name used in the output of check.
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

// A Problem is something wrong or suspicious at a span.
type Problem struct {
	Span
	Severity Severity
	Code     string // stable name: "length-overrun"
	Message  string // one sentence for a game developer
	Engine   string // what the engine itself does or reports, where known
	Repair   string // what would put it right: "set the padding to zero"; "" where nothing is known to
	Settled  bool   // nothing that stands before it can be its cause
	Guess    bool   // the repair may be wrong where nothing else is: it is made only if it is asked for
}

// IsEvidence reports whether the problem speaks against the way the bytes are
// read, not only against the file or its engine. What stands behind the end of what
// is whole, or where nothing tells what it is, does not.
func (p *Problem) IsEvidence() bool {
	return p.Severity > Note && !p.Settled && p.Code != EngineReadBack && p.Code != ReadFailed && p.Code != Unreadable && p.Code != MissingSchema
}

// MayHaveCause reports whether something that stands before the problem may have led
// to it: also where there are schemas, and none for a struct.
func (p *Problem) MayHaveCause() bool {
	return p.IsEvidence() || p.Code == MissingSchema && p.Severity == Error
}

// IsShortage reports whether the problem is that bytes are missing where some
// are needed.
func (p *Problem) IsShortage() bool {
	switch p.Code {
	case Truncated, LengthOverrun, MissingValue, MissingPadding:
		return true
	}
	return p.Code == NegativeLength && p.Severity == Error
}

// IsLocal reports whether the problem concerns a value by itself, and says nothing
// about where the next one begins.
func (p *Problem) IsLocal() bool {
	switch p.Code {
	case TrailingBytes:
		return false
	case ElementType, ContainerType, InvalidUTF8, OldNodePath, NestedTooDeep:
		return true
	}
	return p.Severity < Error
}

// The codes of problems that decoding can find.
const (
	Truncated      = "truncated"            // the bytes end inside a value
	UnknownType    = "unknown-type"         // type id that the dialect's table lacks
	HighTypeBits   = "high-type-bits"       // bits 8–15 of a header set; engines ignore them
	UnknownFlags   = "unknown-flags"        // flag bits that mean nothing on this type
	LengthOverrun  = "length-overrun"       // length, count or frame size past its end
	NegativeLength = "negative-length"      // length or count of 2³¹ and more
	FrameTooShort  = "frame-too-short"      // frame that ends before its value does
	TrailingBytes  = "trailing-bytes"       // bytes behind the end of a value
	NonZeroPadding = "non-zero-padding"     // padding that is not zero where engines write zero
	MissingPadding = "missing-padding"      // padding missing at the end of the buffer
	BoolValue      = "bool-value"           // bool that is neither 0 nor 1
	InvalidUTF8    = "invalid-utf8"         // text that is no valid UTF-8
	NestedTooDeep  = "nested-too-deep"      // nesting past what an engine or varview follows
	OldNodePath    = "old-node-path"        // NodePath in the old single-string form
	ElementType    = "element-type"         // typed container holding another type
	ContainerType  = "container-type"       // container type that is no type, or not allowed
	EngineReadBack = "engine-cannot-read"   // right bytes that the engine itself misreads
	ReadFailed     = "read-failed"          // the file could not be read here, or changed while open
	RunsCode       = "runs-code"            // full object with a script: loading it can run code
	ObjectInData   = "object-in-data"       // full object: loading it creates an object
	ObjectByID     = "object-by-id"         // object stored as the id it had while the game ran
	ByteOrderMark  = "byte-order-mark"      // string beginning with a byte order mark
	NulInText      = "nul-in-text"          // NUL inside a string
	Unreadable     = "unreadable"           // bytes that their wrapper could not unpack
	MissingSchema  = "missing-schema"       // struct laid out by a schema that is not at hand
	RepeatedKey    = "repeated-key"         // key or member name that stands twice
	MissingValue   = "missing-value-of-key" // key without a value: the bytes end between them
	WideNumber     = "wide-number"          // number in 64 bits that engines write in 32
	SharedBit      = "shared-bit"           // bit 31 of a count, which engines ignore and never write
	NullObject     = "null-object"          // null object with a header of its own, which engines write as Nil
	MissingNul     = "missing-nul"          // packed string without the NUL that its length should count
)

// The codes of causes: what is wrong with bytes so that those behind them cannot be
// read.
const (
	WrongLength  = "wrong-length"  // length of a text or of data that is not that of what follows
	WrongCount   = "wrong-count"   // count that is not that of the children
	WrongFrame   = "wrong-frame"   // frame length that is not that of the value in it
	WrongType    = "wrong-type"    // type id of another type than the value has
	WrongFlags   = "wrong-flags"   // flags that the value does not bear out
	MissingBytes = "missing-bytes" // bytes lost from the middle
	ExtraBytes   = "extra-bytes"   // bytes that do not belong there
	WrongDialect = "wrong-dialect" // another dialect reads the bytes better
	WrongFraming = "wrong-framing" // another framing reads the bytes better
)

// A Code describes the problems that have one code.
type Code struct {
	Code     string
	Severity Severity // the worst that it can have
	About    string   // what is wrong, in one sentence without a stop
	Repair   string   // what puts it right, "" where nothing does
}
