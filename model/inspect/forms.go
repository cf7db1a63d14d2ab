package inspect

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

// A Form is how bytes are written as text, to be copied into something else.
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
}

// cArray declares an array in C, twelve bytes a line.
func cArray(b []byte) string {
	var out strings.Builder
	fmt.Fprintf(&out, "const unsigned char bytes[%d] = {", len(b))
	for i, x := range b {
		switch {
		case i%12 == 0:
			out.WriteString("\n\t")
		default:
			out.WriteByte(' ')
		}
		fmt.Fprintf(&out, "0x%02x,", x)
	}
	return out.String() + "\n};\n"
}

func packedByteArray(b []byte) string {
	digits := make([]string, len(b))
	for i, x := range b {
		digits[i] = fmt.Sprint(x)
	}
	return "PackedByteArray([" + strings.Join(digits, ", ") + "])"
}

// ParseHex returns the bytes of hex digits, two for each, with or without blanks.
func ParseHex(s string) ([]byte, error) {
	b, err := hex.DecodeString(strings.Join(strings.Fields(s), ""))
	if err != nil || len(b) == 0 {
		return nil, errors.New("hex digits, two for each byte: 00, or de ad be ef")
	}
	return b, nil
}
