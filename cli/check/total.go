package check

import (
	"fmt"
	"io"
	"strings"

	"varview/decoder/engine/span"
)

// A total counts files by what a check found in them.
type total struct {
	files    int64 // files that could be read
	errors   int64 // files with errors
	warnings int64 // files with warnings and no errors
	others   int64 // files in folders that are not saves
	unread   int64

	objects int64 // files that create objects but run no code
	code    int64 // files that run code
	unknown int64 // files that may do either
	passed  int64 // files that do nothing, or only what the user accepts
}

// add adds the total of other files.
func (t *total) add(one *total) {
	t.files += one.files
	t.errors += one.errors
	t.warnings += one.warnings
	t.others += one.others
	t.unread += one.unread
	t.objects += one.objects
	t.code += one.code
	t.unknown += one.unknown
	t.passed += one.passed
}

// fails reports whether any file has errors, or, if strict, warnings.
func (t *total) fails(strict bool) bool { return t.errors > 0 || strict && t.warnings > 0 }

// unsafe reports whether any file is not known to be safe.
func (t *total) unsafe() bool { return t.objects+t.code+t.unknown > 0 }

// write writes the total of several files as a line: "212 files: 3 with errors, 1 with warnings".
func (t *total) write(out io.Writer, o Options) {
	n := t.files + t.unread
	if o.JSON || n < 2 {
		return
	}
	parts := []string{}
	add := func(n int64, what string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%s %s", span.Grouped(n), what))
		}
	}
	add(t.errors, "with errors")
	add(t.warnings, "with warnings")
	if len(parts) == 0 && t.others > 0 && o.Safe == "" {
		parts = append(parts, "no errors, no warnings")
	}
	add(t.others, "of other kinds")
	add(t.code, "would run code")
	add(t.objects, "would create objects")
	add(t.unknown, "unknown")
	add(t.unread, "could not be read")
	switch {
	case len(parts) > 0:
	case o.Safe != "":
		parts = append(parts, "all safe")
	default:
		parts = append(parts, "no errors, no warnings")
	}
	fmt.Fprintf(out, "%s: %s\n", span.Counted(n, "file"), strings.Join(parts, ", "))
}
