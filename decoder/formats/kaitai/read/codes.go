package read

// The codes of problems that only this family has.
const (
	NotValid      = "not-valid"         // value that the description does not allow
	WrongContent  = "wrong-content"     // other bytes than the description asks for
	Unevaluated   = "expression-failed" // expression of the description without a value here
	Unprocessed   = "process-failed"    // bytes that the process of the description cannot decode
	InvalidText   = "invalid-text"      // text that is not valid in its encoding
	EndlessRepeat = "endless-repeat"    // values without bytes, repeated without end
	NotKept       = "not-kept"          // value that is not what -varview-value keeps it equal to
	TooDeep       = "too-deep"          // more levels of values in one another than are followed
)
