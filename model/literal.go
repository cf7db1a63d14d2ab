package model

import (
	"varview/model/search"
)

// CutAssignment cuts PATH=VALUE at the first "=" outside of brackets and quotes;
// ok is false where there is none.
func CutAssignment(s string) (path, value string, ok bool) {
	path, _, value, ok = search.CutOutside(s, "=")
	return path, value, ok
}
