package format

// A ConvertRequest says how values are to be converted.
type ConvertRequest struct {
	Dialect     string
	Framing     string     // "raw", "stream" or Sequence; "" to keep that of the file
	Lost        Outcome    // outcome for values without a counterpart: Stops, Dropped, Nulled or Described
	Bits        int        // width of components that can have 32 or 64 bits; 0 to keep that of the file
	StringNames bool       // keys that are Strings become StringNames
	Report      func(Loss) // called with each value that changes or is lost, if not nil
	Paths       bool       // values that are Changed are reported with their path too
}

// IsPlain reports whether the request asks for a dialect and for nothing else.
func (q *ConvertRequest) IsPlain() bool {
	return q.Framing == "" && q.Lost == Stops && q.Bits == 0 && !q.StringNames
}

// A Loss is a value that the other dialect cannot express as it is.
type Loss struct {
	Path    string
	Type    string // in the file
	Reason  string // "Godot 3 has no Vector2i"
	Outcome Outcome
}

// An Outcome is what happens to a value.
type Outcome uint8

// The outcomes.
const (
	Stops     Outcome = iota // the conversion stops, and nothing is written
	Changed                  // it is written as something that means the same or nearly so
	Dropped                  // it is left out
	Nulled                   // null takes its place
	Described                // a Dictionary that describes it takes its place
	Texted                   // a key becomes its text
)

var outcomes = [...]string{"stops", "changed", "dropped", "null", "dictionary", "text"}

// String returns the name of the outcome in reports.
func (o Outcome) String() string { return outcomes[o] }

// A LossError is the error of a conversion that stops because values have no
// counterpart.
type LossError struct {
	Count       int64
	First       Loss
	Undescribed bool // no Dictionary can take the place of a value
}

// Ways returns what can be asked for instead.
func (e *LossError) Ways() string {
	if e.Undescribed {
		return "--drop leaves them out, --as-null puts null in their place"
	}
	return "--drop leaves them out, --as-null or --as-dictionary puts something in their place"
}

// Error implements error.
func (e *LossError) Error() string { return e.First.Path + ": " + e.First.Reason }
