//go:build linux || darwin

package atomicfile

import (
	"os"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// accessList is the attribute that holds a list of access (ACL) on Linux.
const accessList = "system.posix_acl_access"

// bound are attributes that belong to one content, which a changed file must not
// have.
var bound = []string{"security.capability", "security.ima", "security.evm"}

// keepExtended gives f the extended attributes of the file at path, as far as the
// system allows, and reports whether the group may get the rights of the old mode:
// only if it is the same, with the same list of access.
func keepExtended(path string, f *os.File, sameGroup bool) bool {
	fd := int(f.Fd())
	unix.Fremovexattr(fd, accessList) // f has inherited that of its folder
	safe := sameGroup
	for _, name := range extendedNames(path) {
		if slices.Contains(bound, name) || name == accessList && !sameGroup {
			continue
		}
		value, err := extended(path, name)
		if err == nil {
			err = unix.Fsetxattr(fd, name, value, 0)
		}
		if err != nil && name == accessList {
			safe = false
		}
	}
	return safe
}

func extendedNames(path string) []string {
	size, err := unix.Listxattr(path, nil)
	if err != nil || size == 0 {
		return nil
	}
	list := make([]byte, size)
	if size, err = unix.Listxattr(path, list); err != nil {
		return nil
	}
	return strings.FieldsFunc(string(list[:size]), func(r rune) bool { return r == 0 })
}

func extended(path, name string) ([]byte, error) {
	size, err := unix.Getxattr(path, name, nil)
	if err != nil || size == 0 {
		return nil, err
	}
	value := make([]byte, size)
	size, err = unix.Getxattr(path, name, value)
	if err != nil {
		return nil, err
	}
	return value[:size], nil
}
