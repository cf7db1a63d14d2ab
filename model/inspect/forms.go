package inspect

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

// A Form is how bytes are written as text, to be pasted elsewhere.
type Form struct {
	Key, Name string
	Write     func(b []byte) string
}

// Forms lists the forms.
var Forms = []Form{
	{"h", "hex", func(b []byte) string { return fmt.Sprintf("% x", b) }},
	{"c", "C", cArray},
	{"g", "GDScript", packedByteArray},
	{"b", "base64", base64.StdEncoding.EncodeToString},
	{"o", "Go", func(b []byte) string { return array("var bytes = []byte{", b, "}\n") }},
	{"r", "Rust", func(b []byte) string { return array(fmt.Sprintf("const BYTES: [u8; %d] = [", len(b)), b, "];\n") }},
	{"p", "Python", func(b []byte) string { return array("data = bytes([", b, "])\n") }},
	{"s", "C#", func(b []byte) string { return array("byte[] bytes = {", b, "};\n") }},
}

// cArray returns a declaration of a C array.
func cArray(b []byte) string {
	return array(fmt.Sprintf("const unsigned char bytes[%d] = {", len(b)), b, "};\n")
}

// array writes bytes between the beginning and the end of a declaration, twelve per line.
func array(begin string, b []byte, end string) string {
	var out strings.Builder
	out.WriteString(begin)
	for i, x := range b {
		switch {
		case i%12 == 0:
			out.WriteString("\n\t")
		default:
			out.WriteByte(' ')
		}
		fmt.Fprintf(&out, "0x%02x,", x)
	}
	return out.String() + "\n" + end
}

func packedByteArray(b []byte) string {
	digits := make([]string, len(b))
	for i, x := range b {
		digits[i] = fmt.Sprint(x)
	}
	return "PackedByteArray([" + strings.Join(digits, ", ") + "])"
}

// ParseHex returns the bytes of hex digits, two per byte, with or without blanks.
func ParseHex(s string) ([]byte, error) {
	b, err := hex.DecodeString(strings.Join(strings.Fields(s), ""))
	if err != nil || len(b) == 0 {
		return nil, errors.New("type hex digits, two for each byte: 00, or de ad be ef")
	}
	return b, nil
}
