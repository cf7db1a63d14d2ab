package atomicfile

import (
	"bytes"
	"encoding/binary"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// list is an access control list in the form of Linux's attribute (include/uapi/linux/posix_acl_xattr.h):
// owner rw, user 1234 rw, group r, mask rw.
func list() []byte {
	const ownerTag, userTag, groupTag, maskTag, otherTag, noID = 0x01, 0x02, 0x04, 0x10, 0x20, 0xffffffff
	b := binary.LittleEndian.AppendUint32(nil, 2)
	for _, entry := range [][3]uint32{{ownerTag, 6, noID}, {userTag, 6, 1234}, {groupTag, 4, noID}, {maskTag, 6, noID}, {otherTag, 0, noID}} {
		b = binary.LittleEndian.AppendUint16(b, uint16(entry[0]))
		b = binary.LittleEndian.AppendUint16(b, uint16(entry[1]))
		b = binary.LittleEndian.AppendUint32(b, entry[2])
	}
	return b
}

// set gives a file or folder an attribute, or skips the test.
func set(t *testing.T, path, name string, value []byte) {
	t.Helper()
	if err := unix.Setxattr(path, name, value, 0); err != nil {
		t.Skipf("this file system keeps no %s: %v", name, err)
	}
}

func TestExtended(t *testing.T) {
	path := file(t, folder(t), "a", "old", 0o600)
	for name, value := range map[string][]byte{"user.comment": []byte("a\x00b"), "user.empty": {}, accessList: list()} {
		set(t, path, name, value)
		if err := Replace(t.Context(), path, Options{}, put("new")); err != nil {
			t.Fatal(err)
		}
		if got, err := extended(path, name); err != nil || !bytes.Equal(got, value) {
			t.Errorf("%s is %x (%v), want %x", name, got, err, value)
		}
	}
	if got := modeOf(t, path); got != 0o660 { // the group's bits show the mask
		t.Errorf("mode %v", got)
	}
}

// TestListOfFolder checks that a file without an access control list does not get the one that its folder
// has for new files.
func TestListOfFolder(t *testing.T) {
	dir := folder(t)
	path := file(t, dir, "a", "old", 0o640)
	set(t, dir, "system.posix_acl_default", list())
	if err := Replace(t.Context(), path, Options{}, put("new")); err != nil {
		t.Fatal(err)
	}
	if got, err := extended(path, accessList); err != unix.ENODATA {
		t.Errorf("it has the list %x (%v)", got, err)
	}
	if got := modeOf(t, path); got != 0o640 {
		t.Errorf("mode %v", got)
	}
	fresh := filepath.Join(dir, "b")
	if err := Replace(t.Context(), fresh, Options{}, put("new")); err != nil {
		t.Fatal(err)
	}
	if _, err := extended(fresh, accessList); err != nil {
		t.Errorf("a new file has no list (%v)", err)
	}
}
