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
