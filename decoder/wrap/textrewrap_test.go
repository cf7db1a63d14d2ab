package wrap

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// TestRewrapText: a text after its bytes have changed.
func TestRewrapText(t *testing.T) {
	for _, c := range []struct {
		kind              Kind
		text, plain, want string // plain in hexadecimal digits
	}{
		// The first layout is used for all digits; wrong characters are not written again.
		{Hex, "47435046", "4743ff46", "4743ff46"},
		{Hex, "AbcD", "abce", "ABCE"},
		{Hex, "47 4g 50 4", "474051", "47 40 51"},
		{Hex, "47 4g 50", "474150", "47 41 50"},
		{Hex, "47435046  \n4743  \n", "474350464744", "47435046  \n4744  \n"},
		{Hex, " 0,x0xf", "0030", " 0030"},
		{Hex, "0x0, 0xf, 0x10", "000e10", "0x00, 0x0e, 0x10"},
		{Hex, "47\n!?\n43", "4744", "4744"},
		{Base64, "R0NQRg==", "47435047", "R0NQRw=="},
		{Base64, "R0N*Rg==", "47434046", "R0NARg=="},
		{Base64, "R0N*Rg==", "47434047", "R0NARw=="},
		{Base64, "R0NQRh==", "47435046", "R0NQRg=="},
		{Base64, "R0NQR", "474351", "R0NR"},
		// Another size.
		{Hex, "47 43 50 46\n", "4743", "47 43\n"},
		{Hex, "47 43 50 46\n", "474350460102", "47 43 50 46 01 02\n"},
		{Hex, "4743 5046\r\n0a0B\r\n", "474350460a0b0c0d0e", "4743 5046\r\n0A0B 0C0D\r\n0E\r\n"},
		{Hex, "{ 0x47, 0x43,\n  0x50 };\n", "47435046ff", "{ 0x47, 0x43,\n  0x50, 0x46,\n  0xff };\n"},
		{Hex, "{ 0x47, 0x43,\n  0x50 };\n", "47", "{ 0x47 };\n"},
		{Hex, "{ 0x47, 0x43,\n  0x50 };\n", "", "{ 0x };\n"},
		{Hex, `"\x47\x43"`, "474350", `"\x47\x43\x50"`},
		{Hex, "474", "474350", "474350"},
		{Hex, "0x5", "0547", "0x0547"},
		{Hex, "\xef\xbb\xbf", "4743", "\xef\xbb\xbf4743"},
		{Hex, "", "4743", "4743"},
		{Hex, "\n", "47", "47\n"},
		{Hex, "=00000a4: 00", "00000a003d", "00000a003d"},
		{Base64, "R0NQRg==\n", "474350", "R0NQ\n"},
		{Base64, "R0NQRg==\n", "4743504647", "R0NQRkc=\n"},
		{Base64, "R0NQRg\n", "4743504647", "R0NQRkc\n"},
		{Base64, "R0NQ", "47", "Rw=="},
		{Base64, "R0NQ\nRkZG\nRg==\n", "47435046464646474849", "R0NQ\nRkZG\nRkdI\nSQ==\n"},
		{Base64, "R0NQ\r\nRkZG\r\n", "47435046", "R0NQ\r\nRg==\r\n"},
		{Base64, "Rg==R0NQ", "46474351", "RkdDUQ=="},
		{Base64, "R0N*Rg==", "4743404647", "R0NARkc="},
		{Base64, "", "47", "Rw=="},
		{Base64, "R0NQRg = =", "47", "Rw==  "},
		{Base64, "R0NQRg = =", "4743", "R0M=  "},
		// Rows are written as the tools write them by default, from the same offset on.
		{Hex, "00000000: 4743 5046  GCPF\n", "4743ff46", "00000000: 4743 ff46                                GC.F\n"},
		{Hex, "00000000: 4743 5046  GCPF\r\n00000004: 01         .", "4743504601", "00000000: 4743 5046 01                             GCPF.\r\n"},
		{Hex, "00000000: 4743 5046  GCPF\n", "", ""},
		{Hex, "00000000: 4743  GC\n", "c3a9", "00000000: c3a9                                     ..\n"},
		{Hex, "4743" + strings.Repeat("\x00", 20), "474350", "474350" + strings.Repeat("\x00", 18)},
		{Hex, "4743\x00", "474350", "474350\x00"},
		{Hex, "4743\x00\x00\x00", "4743504647", "4743504647\x00"},
		{Base64, "R0NQRg==" + strings.Repeat("\x00", 20), "474350", "R0NQ" + strings.Repeat("\x00", 24)},
		{Hex, "000000a0: 4A4B                                     JK\n", "4a4b4C4d4e4f505152535455565758595A",
			"000000a0: 4a4b 4c4d 4e4f 5051 5253 5455 5657 5859  JKLMNOPQRSTUVWXY\n000000b0: 5a                                       Z\n"},
		{Hex, "00000000  47 43 50 46                                       |GCPF|\n00000004\n", "474350464142434445",
			"00000000  47 43 50 46 41 42 43 44  45                       |GCPFABCDE|\n00000009\n"},
		{Hex, "00000000  47 43 50 |GCP|\n*\n00000009\n", "474350474350", "00000000  47 43 50 47 43 50                                 |GCPGCP|\n00000006\n"},
		{Hex, "00000000  47 |G|\n00000001\n", strings.Repeat("47", 49),
			"00000000  47 47 47 47 47 47 47 47  47 47 47 47 47 47 47 47  |GGGGGGGGGGGGGGGG|\n*\n00000030  47                                                |G|\n00000031\n"},
		{Hex, "00000000: 4743\nsome words\n00000002: 50", "474351", "00000000: 4743 51                                  GCQ\n"},
		{Hex, "00000010: 4743\n00000017: 5046\n", "47435146", "00000010: 4743 5146                                GCQF\n"},
		{Hex, "\xef\xbb\xbf00000010: 47\n00000011: 4743\n", "ff", "00000010: ff                                       .\n"},
	} {
		o := Options{MaxUnpacked: 1 << 20}
		plain, err := hex.DecodeString(c.plain)
		if err != nil {
			t.Fatal(err)
		}
		if got := rewrap(t, open(t, c.kind, []byte(c.text), o), plain, nil, o); string(got) != c.want {
			t.Errorf("%q\n became %q,\n    not %q", c.text, got, c.want)
		}
	}
}

// TestRewrapTools: a text becomes what its tool writes for the changed bytes.
func TestRewrapTools(t *testing.T) {
	o := Options{MaxUnpacked: 1 << 20}
	for _, name := range []string{"z.xxd", "z.hexdump-C", "z.xxd-p", "z.xxd-i", "z.base64"} {
		kind := Hex
		if name == "z.base64" {
			kind = Base64
		}
		l := open(t, kind, load(t, name), o)
		plain := payload(t, l)
		for prefix, c := range map[string]change{
			"longer":  {5, 0, []byte("new")},
			"shorter": {100, 150, nil},
			"grown":   {len(plain), 0, []byte("0123456789 and so on until there are more rows")},
		} {
			after, same := c.apply(plain)
			want := load(t, filepath.Join("edited", prefix+strings.TrimPrefix(name, "z")))
			if got := rewrap(t, l, after, same, o); !bytes.Equal(got, want) {
				t.Errorf("%s, %s:\n%s", name, prefix, got)
			}
		}
	}
}

// TestRewrapLongLines: lines longer than a piece.
func TestRewrapLongLines(t *testing.T) {
	plain := mixed(20_000, 1)
	o := Options{MaxUnpacked: 1 << 20}
	for name, text := range map[string]string{
		"hex": hex.EncodeToString(plain), "spaced": fmt.Sprintf("% x", plain), "blanks": string(bytes.Repeat([]byte(" "), 5000)) + "4743",
	} {
		l := open(t, Hex, []byte(text), o)
		before := payload(t, l)
		for _, c := range changes(len(before)) {
			after, same := c.apply(before)
			rewrap(t, l, after, same, o)
		}
		if got := rewrap(t, l, before, nil, o); string(got) != text {
			t.Errorf("%s: %d bytes, not %d", name, len(got), len(text))
		}
	}
}
