// Package terminal asks the terminal whether its background is dark, without
// waiting for the answer: Query writes the question, an Input takes the answer
// out of the keys.
//
// A program that imports this package does not ask before main either, as
// Bubble Tea otherwise does.
package terminal

import (
	"io"

	_ "charm.local/nocolorquery"
)

// query is OSC 11 with "?" for the colour, ended by BEL, which terminals knew
// before ST. Some end their reply as the question ends, some always with ST,
// some always with BEL.
const query = "\x1b]11;?\x07"

// Query asks the terminal w for its background colour. The terminal should be in
// raw mode, so that the reply is not echoed, and its input read through an Input.
// Queryable reports whether to ask at all.
func Query(w io.Writer) error {
	_, err := io.WriteString(w, query)
	return err
}
