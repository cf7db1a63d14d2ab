package read

// The codes of problems that only this family has. Codes of the family says what each means.
const (
	NotValid      = "not-valid"
	WrongContent  = "wrong-content"
	Unevaluated   = "expression-failed"
	Unprocessed   = "process-failed"
	InvalidText   = "invalid-text"
	EndlessRepeat = "endless-repeat"
	NotKept       = "not-kept"
	TooDeep       = "too-deep"
)
