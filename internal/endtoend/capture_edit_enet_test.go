package endtoend

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestEditChecksum: the checksum of an ENet datagram is right after an edit even if the connection began
// before the capture.
func TestEditChecksum(t *testing.T) {
	for _, text := range []string{"MOVE"} {
		c := newCaptured(t)
		c.checksum, c.id, c.session = true, 0x12345678, 2
		c.send(false, 0, reliable(1, variant("move")))
		want := newCaptured(t)
		want.checksum, want.id, want.session = true, 0x12345678, 2
		want.send(false, 0, reliable(1, variant(text)))
		edited := filepath.Join(t.TempDir(), "edited.pcapng")
		run(t, 0, "set", c.save(), fmt.Sprintf("messages[0].value=%q", text), "-o", edited)
		if got, err := os.ReadFile(edited); err != nil || !bytes.Equal(got, want.file.Bytes()) {
			t.Errorf("%v\n%x\nnot\n%x", err, got, want.file.Bytes())
		}
	}
}
