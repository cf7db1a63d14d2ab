package source

import (
	"os"
	"syscall"
	"time"
)

// changeTime returns when the content or anything else of a file was changed. No program can set it.
func changeTime(info os.FileInfo) time.Time {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return time.Unix(s.Ctim.Unix())
	}
	return time.Time{}
}
