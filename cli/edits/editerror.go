package edits

import (
	"errors"
	"fmt"
	"strings"

	"varview/cli/flags"
	"varview/decoder/edit"
	"varview/decoder/tree"
)

// advised is an error of an edit with the flags that allow it.
func advised(err error) error {
	var orphan *edit.OrphanError
	if errors.As(err, &orphan) {
		return fmt.Errorf("%w; --orphans inherit moves the value to the first reference, --orphans undefined makes them undefined", err)
	}
	return err
}

// setError says why a value was not set.
func setError(r *tree.Reader, n *tree.Node, a flags.Assignment, err error) error {
	var syntax *edit.SyntaxError
	var retyped *edit.TypeError
	switch {
	case errors.As(err, &syntax):
		err = fmt.Errorf("%w%s", err, quotesHint(r, n, a))
	case errors.As(err, &retyped):
		err = fmt.Errorf("%w; --retype allows it%s", err, quotesHint(r, n, a))
	}
	return fmt.Errorf("%s: %w", r.Path(n), advised(err))
}

// quotesHint explains how to write text, if the old value is text and the new one has no
// quotes: the shell removes them.
func quotesHint(r *tree.Reader, n *tree.Node, a flags.Assignment) string {
	literal := string(r.AppendLiteral(nil, &n.Value, 16))
	quote := strings.IndexByte(literal, '"')
	if quote < 0 || quote > 1 || strings.Contains(a.Value, `"`) {
		return ""
	}
	text := tree.AppendQuoted([]byte(a.Path+"="+literal[:quote]), []byte(a.Value))
	return "; as text, in a shell: " + shellQuoted(string(text))
}

// shellQuoted quotes text for the shells of Unix.
func shellQuoted(s string) string {
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
