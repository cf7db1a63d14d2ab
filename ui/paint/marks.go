package paint

import (
	"fmt"

	"varview/decoder/engine/span"
	"varview/themes"
)

// Changed is the mark before what differs from the file.
const Changed = "•"

// Taken marks a value that was edited and is now as in the file that it is compared with.
const Taken = "✓"

// SeverityMarks are drawn in the first column of a row with a problem.
var SeverityMarks = map[span.Severity]string{span.Note: "·", span.Warning: "!", span.Error: "✗"}

// SeverityRoles are the roles of these marks and of the problem's message.
var SeverityRoles = map[span.Severity]themes.Role{span.Note: themes.Note, span.Warning: themes.Warning, span.Error: themes.Error}

// Bytes formats the first bytes of a range: "57 00 00 00 …", "nothing".
func Bytes(b []byte, all span.Span, most int) string {
	if all.Length == 0 {
		return "nothing"
	}
	s := fmt.Sprintf("% x", b[:min(len(b), most)])
	if all.Length > int64(most) {
		s += " …"
	}
	return s
}
