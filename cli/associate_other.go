//go:build !windows

package cli

import (
	"errors"
	"io"
)

var errNoTypes = errors.New("only on Windows: elsewhere the packages for the system bring the types of files")

func associate(io.Writer) error { return errNoTypes }

func dissociate(io.Writer) error { return errNoTypes }
