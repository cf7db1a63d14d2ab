package repair

import (
	"errors"
	"fmt"
	"slices"

	"varview/cli/flags"
	"varview/decoder/span"
	"varview/model"
)

// Options say which problems are repaired, and where the result is written.
type Options struct {
	flags.Edit
	Codes  []string // of the problems; all where it is empty
	At     int64    // the byte that a problem is at, negative for everywhere
	Choose int      // which of several causes, from 1 on
	Drop   bool     // also by repairs that drop what can be read
	List   bool     // nothing is repaired, but what can be is listed
}

// check reports flags that do not go together.
func (o *Options) check(name string) error {
	for _, code := range o.Codes {
		if !slices.ContainsFunc(model.Codes(), func(c span.Code) bool { return c.Code == code }) {
			return fmt.Errorf(`--code %s: there is no such code ("varview check --codes" lists them)`, code)
		}
	}
	switch {
	case o.Choose < 1:
		return errors.New("--choose counts causes from 1 on")
	case o.List && (o.DryRun || o.Path != "" || o.Drop || o.Choose > 1):
		return errors.New("--list repairs nothing; it goes with --code, --at and --json only")
	case o.DryRun, o.List:
		return nil
	case name == "-" && o.Path == "":
		return errors.New("standard input has no place to be saved to: -o OUT says where, -o - is standard output")
	}
	return o.Output.Check(name)
}
