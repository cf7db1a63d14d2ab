//go:build unix

package endtoend

import (
	"encoding/base64"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// check --safe also finds a save with a script in the bytes and texts of other formats.
func TestEvasionsOfFormats(t *testing.T) {
	// An Elephant block whose struct has the constructor "Evil" (sections 1, 2 and 5 of its format).
	block := elephant("\xce\xfe\xff\x00\x00Evil\x00\x00\x00\x00")
	for _, e := range []struct{ name, data, says string }{
		{"a bin of MessagePack", "\x81\xa4save\xc5" + string(binary.BigEndian.AppendUint16(nil, uint16(len(evil)))) + string(evil), says(saysBytes, "$.save (Godot 3, raw)")},
		{"a str of MessagePack", "\x81\xa4save\xda" + sized(base64.StdEncoding.EncodeToString(evil)), says(saysBytes, "$.save (base64, Godot 3, raw)")},
		{"an array of bytes of Elephant", elephant("\xcd" + string(binary.LittleEndian.AppendUint16(nil, uint16(len(block)))) + "\x01" + block), says(saysBlock, "$ (Elephant 1.5.1)")},
		{"a string of JSON", `{"save": ["` + base64.StdEncoding.EncodeToString(evil) + `"]}`, says(saysBytes, "$.save[0] (base64, Godot 3, raw)")},
		{"a string of Elephant", elephant("\x0b" + base64.StdEncoding.EncodeToString(evil) + "\x00"), says(saysBytes, "$ (base64, Godot 3, raw)")},
		{"a block in a string of Elephant", elephant("\xce\x01\x00save\x00\x0b" + base64.StdEncoding.EncodeToString(zlibbed([]byte(block))) + "\x00"), says(saysBlock, "$.save (base64, zlib, Elephant 1.5.1)")},
	} {
		name := filepath.Join(t.TempDir(), "save")
		if err := os.WriteFile(name, []byte(e.data), 0o600); err != nil {
			t.Fatal(err)
		}
		checkSays(t, e.name, name, e.says)
	}

	c := newCaptured(t)
	c.connect(7, 1)
	c.send(false, 0, reliable(1, string(array3(pool3(evil)))))
	checkSays(t, "a value in a capture", c.save(), says(saysBytes, "$.messages[0].value[0] (Godot 3, raw)"))
}

const saysBlock = "runs code, once its bytes are decoded: %: constructors Evil, and their callbacks"

// checkSays checks what check --safe says of a file that is not safe.
func checkSays(t *testing.T, what, name, want string) {
	t.Helper()
	written, status := start(t, []string{"check", "--safe", name})
	if got := strings.TrimSpace(strings.TrimPrefix(written.stdout, name+": ")); status != 1 || got != want {
		t.Errorf("%s (%d):\n%s\nwant %s", what, status, got, want)
	}
}

// elephant is a file of Elephant 1.5.1.
func elephant(value string) string { return "PELE\x01\x05\x01\x00" + value + "TNAH" }

// sized is a text after its length, as MessagePack has them.
func sized(s string) string { return string(binary.BigEndian.AppendUint16(nil, uint16(len(s)))) + s }
