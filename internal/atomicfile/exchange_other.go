//go:build !linux && !darwin

package atomicfile

import (
	"errors"
	"os"
	"time"
)

// exchange is not possible here.
func exchange(string, string) error { return errors.ErrUnsupported }

func isMandatory(*os.File) bool { return false }

func setTime(*os.File, time.Time) error { return errors.ErrUnsupported }
