package paint

import (
	"varview/decoder/span"
	"varview/themes"
)

// Changed is the mark before what differs from the file.
const Changed = "•"

// SeverityMarks are drawn in the first column of a row with a problem.
var SeverityMarks = map[span.Severity]string{span.Note: "·", span.Warning: "!", span.Error: "✗"}

// SeverityRoles are the roles of these marks and of the problem's message.
var SeverityRoles = map[span.Severity]themes.Role{span.Note: themes.Note, span.Warning: themes.Warning, span.Error: themes.Error}
