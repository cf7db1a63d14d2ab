package schemas

import (
	"fmt"
	"strings"

	"varview/decoder/elephant/gml"
)

// Check reports what cannot be read of a GML file or folder. The error is
// of one in which there is nothing that can.
func Check(path string) (partly []error, err error) {
	library, err := gml.Load([]string{path})
	partly = separate(err)
	switch {
	case library.Len() > 0 && (err == nil || hasSchema(library)):
		return partly, nil
	case err != nil:
		return nil, firstOf(partly)
	}
	return nil, fmt.Errorf("%s: no constructor is declared there", strings.TrimSpace(path))
}

// hasSchema reports whether any version of any schema can be used.
func hasSchema(library *gml.Library) bool {
	for _, name := range library.Constructors() {
		c, _ := library.Constructor(name)
		for _, version := range c.Versions() {
			if _, err := library.Schema(name, version); err == nil {
				return true
			}
		}
	}
	return false
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

// firstOf is the first of several errors, and how many more there are.
func firstOf(errs []error) error {
	if len(errs) == 1 {
		return errs[0]
	}
	return fmt.Errorf("%w (and %d more)", errs[0], len(errs)-1)
}
