package schemas

import (
	"fmt"
	"strings"

	"varview/decoder"
)

// Check reports what cannot be read of a GML file or folder. The error says that nothing in it can.
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

// separate splits a joined error.
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

// firstOf returns the first of several errors, with the number of the others.
func firstOf(errs []error) error {
	if len(errs) == 1 {
		return errs[0]
	}
	return fmt.Errorf("%w (and %d more)", errs[0], len(errs)-1)
}
