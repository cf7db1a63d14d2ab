package schemas

import (
	"fmt"
	"strings"

	"varview/decoder"
)

// Check reports what cannot be read of a GML file or folder. The error is
// of one in which there is nothing that can.
func Check(path string) (partly []error, err error) {
	libraries, err := decoder.ReadSchemas([]string{path})
	partly = separate(err)
	for _, l := range libraries {
		if l.Len() > 0 && (err == nil || l.IsUsable()) {
			return partly, nil
		}
	}
	if err != nil {
		return nil, firstOf(partly)
	}
	return nil, fmt.Errorf("%s: no constructor is declared there", strings.TrimSpace(path))
}

// separate lists the errors that are joined in one.
func separate(err error) []error {
	joined, ok := err.(interface{ Unwrap() []error })
	switch {
	case err == nil:
		return nil
	case !ok:
		return []error{err}
	}
	var all []error
	for _, e := range joined.Unwrap() {
		all = append(all, separate(e)...)
	}
	return all
}

// firstOf returns the first of several errors, and the number of others.
func firstOf(errs []error) error {
	if len(errs) == 1 {
		return errs[0]
	}
	return fmt.Errorf("%w (and %d more)", errs[0], len(errs)-1)
}
