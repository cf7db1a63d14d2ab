package decoder

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"varview/decoder/elephant"
	"varview/decoder/tree"
)

// CheckConversion reports a dialect that nothing is converted to.
func CheckConversion(to string) error {
	if err := (&Options{Dialect: to}).Check(); err != nil {
		return err
	}
	if (&Options{Dialect: to}).rules() == nil {
		return fmt.Errorf("only the versions of Elephant are converted into each other: %s", strings.Join(elephantDialects(), ", "))
	}
	return nil
}

func elephantDialects() []string {
	var names []string
	for _, r := range elephant.Versions() {
		names = append(names, r.Dialect())
	}
	return names
}

// Convert writes what r reads in another dialect of the same format. An error names
// the value that the dialect cannot express.
func Convert(ctx context.Context, r *tree.Reader, to string, out io.Writer) error {
	if err := CheckConversion(to); err != nil {
		return err
	}
	if _, ok := r.Tree.Reading.(*elephant.Reading); !ok {
		return errors.New("only files of Elephant are converted, and this is none")
	}
	return elephant.Convert(ctx, r, (&Options{Dialect: to}).rules(), out)
}

// IsOutdated reports whether the library of a dialect can no longer read it.
func IsOutdated(dialect string) bool {
	r := (&Options{Dialect: dialect}).rules()
	return r != nil && !r.IsCurrent()
}
