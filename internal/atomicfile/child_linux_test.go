package atomicfile

import (
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// prepare brings a child into the situation of its order.
func (o *order) prepare() error {
	if o.User != 0 {
		if err := syscall.Setgroups(nil); err != nil {
			return err
		}
		if err := syscall.Setgid(o.User); err != nil {
			return err
		}
		return syscall.Setuid(o.User)
	}
	if o.Tmpfs == "" {
		return nil
	}
	if err := unix.Mount("varview", o.Tmpfs, "tmpfs", 0, fmt.Sprintf("size=%d", o.Room)); err != nil {
		return fmt.Errorf("mounting: %w", err)
	}
	if o.Old != "" {
		if err := os.WriteFile(o.Path, []byte(o.Old), 0o600); err != nil {
			return err
		}
	}
	if o.Bound {
		return unix.Mount(o.Path, o.Path, "", unix.MS_BIND, "")
	}
	if o.ReadOnly {
		return unix.Mount("", o.Tmpfs, "", unix.MS_REMOUNT|unix.MS_RDONLY, "")
	}
	return nil
}
