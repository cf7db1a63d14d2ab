package source

import (
	"os"
	"syscall"
	"time"
)

// changeTime is when a file was written or anything else of it changed, which no program can
// set.
func changeTime(info os.FileInfo) time.Time {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return time.Unix(s.Ctimespec.Unix())
	}
	return time.Time{}
}
