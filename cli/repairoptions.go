package cli

import (
	"errors"
	"fmt"
	"slices"
	"varview/decoder/span"
	"varview/model"
)

// repairOptions say which problems are repaired, and where the result is written.
type repairOptions struct {
	editFlags
	codes  []string // of the problems; all where it is empty
	at     int64    // the byte that a problem is at, negative for everywhere
	choose int      // which of several causes, from 1 on
	drop   bool     // also by repairs that drop what can be read
	list   bool     // nothing is repaired, but what can be is listed
}

// check reports flags that do not go together.
func (o *repairOptions) check(name string) error {
	for _, code := range o.codes {
		if !slices.ContainsFunc(model.Codes(), func(c span.Code) bool { return c.Code == code }) {
			return fmt.Errorf(`--code %s: there is no such code ("varview check --codes" lists them)`, code)
		}
	}
	switch {
	case o.choose < 1:
		return errors.New("--choose counts causes from 1 on")
	case o.list && (o.dryRun || o.out != "" || o.drop || o.choose > 1):
		return errors.New("--list repairs nothing; it goes with --code, --at and --json only")
	case o.dryRun, o.list:
		return nil
	case name == "-" && o.out == "":
		return errors.New("standard input has no place to be saved to: -o OUT says where, -o - is standard output")
	}
	return o.outFlags.check(name)
}
