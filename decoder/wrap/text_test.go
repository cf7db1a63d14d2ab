package wrap

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// TestTextForms: the ways to write digits.
func TestTextForms(t *testing.T) {
	for _, c := range []struct {
		kind       Kind
		text, want string // want in hexadecimal digits
		problems   []string
	}{
		{Hex, "47435046", "47435046", nil},
		{Hex, "47 43 50 46\n", "47435046", nil},
		{Hex, "4743 5046\r\n0a0B", "474350460a0b", nil},
		{Hex, "{ 0x47, 0x43, 0X50,\n 0x46 };", "47435046", nil},
		{Hex, `"\x47\x43\x50\x46"`, "47435046", nil},
		{Hex, "47:43:50:46", "47435046", nil},
		{Hex, "0x47435046", "47435046", nil},
		{Hex, "0x0, 0xf, 0x10", "000f10", nil},
		{Hex, "\xef\xbb\xbf4743", "4743", nil},
		{Hex, "", "", nil},
		{Hex, "474", "47", []string{"error bad-digit 2+1"}},
		{Hex, "47 4 50", "4750", []string{"error bad-digit 3+1"}},
		{Hex, "47 4g 50", "474050", []string{"error bad-digit 4+1"}},
		{Hex, "47 g3 50", "470350", []string{"error bad-digit 3+1"}},
		{Hex, "47;43.50", "474350", []string{"error bad-digit 5+1"}},
		{Hex, "47g35046", "47035046", []string{"error bad-digit 2+1"}},
		{Hex, "47\n!?\n43", "4743", []string{"error bad-digit 3+2"}},
		{Base64, "R0NQRg==", "47435046", nil},
		{Base64, "R0NQRg", "47435046", []string{"warning digit-padding 5+1"}},
		{Base64, "R0NQ", "474350", nil},
		{Base64, "R0\nNQ\r\nRg = =\n", "47435046", nil},
		{Base64, "\xef\xbb\xbfR0NQ", "474350", nil},
		{Base64, "+/+/", "fbffbf", nil},
		{Base64, "-_-_", "000000", []string{"error bad-digit 0+4"}},
		{Base64, "R0NQR", "474350", []string{"error bad-digit 0+5"}},
		{Base64, "R0N*Rg==", "47434046", []string{"error bad-digit 3+1"}},
		{Base64, "Rg==R0NQ", "460000474350", []string{"error bad-digit 2+2"}},
		{Hex, "00000000: 4743 5046  GCPF\n", "47435046", nil},
		{Hex, "00000000: 4743 5g46  GCPF\n00000004: 01", "4743504601", []string{"error bad-digit 16+1"}},
		{Hex, "00000000: 4743 5046  GCPF\n00000004: 0", "47435046", []string{"error bad-digit 36+1"}},
		{Hex, "00000000: 4743 5046  GCPF\n00000008: 01", "4743504601", []string{"warning wrong-offset 26+8"}},
		{Hex, "00000000: 4743 5046  GCPF\n0000!004: 01", "4743504601", []string{"error wrong-offset 26+8"}},
		{Hex, "00000000: 4743 5046  GCPF\nsome words\n00000004: 01", "4743504601", []string{"error bad-digit 26+10"}},
		{Hex, "00000000: 4743\n*\n00000007: 01\n", "4743474347434701", nil},
		{Hex, "00000000: 4743\n*\n", "4743", []string{"error wrong-offset 15+1"}},
		{Hex, "00000000  47 43 50 46  01 02              |GCPF..|\n00000006\n", "474350460102", nil},
		{Hex, "00000000  47 43 00 |GC.|\n*\n00000006\n", "474300474300", nil},
		{Hex, "\xef\xbb\xbf00000000: 4743\n00000002: 50", "474350", nil},
	} {
		data := []byte(c.text)
		l := open(t, c.kind, data, Options{MaxUnpacked: 1 << 20})
		if got := hex.EncodeToString(payload(t, l)); got != c.want {
			t.Errorf("%q: %s, not %s", c.text, got, c.want)
		}
		if got := problems(t, l, data); !slices.Equal(got, c.problems) {
			t.Errorf("%q: %v, not %v", c.text, got, c.problems)
		}
		checkTree(t, data, l)
	}
}

// TestTextFields: digits are data, wrong characters are gaps, everything else is text.
func TestTextFields(t *testing.T) {
	for text, want := range map[string]string{
		"0x47, 0x4 3":        "text+2 data+2 text+4 data+1 text+1 gap+1",
		"47 4g":              "data+2 text+1 data+1 gap+1",
		"00000000: 47 43  G": "text+10 data+2 text+1 data+2 text+3",
	} {
		l := open(t, Hex, []byte(text), Options{MaxUnpacked: 100})
		var got []string
		for _, f := range fieldsOf(t, l, []byte(text)) {
			got = append(got, fmt.Sprintf("%v+%d", f.Kind, f.Length))
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%q: %s, not %s", text, s, want)
		}
	}
}

// TestLongLines: lines longer than a piece are cut between bytes.
func TestLongLines(t *testing.T) {
	plain := mixed(20_000, 1)
	spaced := fmt.Sprintf("% x", plain)
	for name, c := range map[string]struct {
		kind Kind
		text string
	}{
		"base64":        {Base64, base64.StdEncoding.EncodeToString(plain)},
		"hex":           {Hex, hex.EncodeToString(plain)},
		"spaced":        {Hex, spaced},
		"one off":       {Hex, " " + hex.EncodeToString(plain)},
		"prefixed":      {Hex, "0x" + strings.ReplaceAll(spaced, " ", ",0x")},
		"escaped":       {Hex, `\x` + strings.ReplaceAll(spaced, " ", `\x`)},
		"escaped later": {Hex, ` \x` + strings.ReplaceAll(spaced, " ", `\x`)},
	} {
		l := open(t, c.kind, []byte(c.text), Options{MaxUnpacked: 1 << 20})
		if !bytes.Equal(payload(t, l), plain) || len(problems(t, l, []byte(c.text))) > 0 {
			t.Errorf("%s: %d bytes, %v", name, l.Payload.Size(), problems(t, l, []byte(c.text)))
		}
		if kinds := Sniff(source.Bytes(c.text), l.Region, ""); len(kinds) == 0 || kinds[0] != c.kind {
			t.Errorf("%s: %v", name, kinds)
		}
		checkTree(t, []byte(c.text), l)
	}
}

// TestTextLimit: rows that are left out cannot exceed the limit.
func TestTextLimit(t *testing.T) {
	text := "00000000: 4743\n*\n7ffffffffffffffe: 01\n"
	l := open(t, Hex, []byte(text), Options{MaxUnpacked: 100_001})
	if got := payload(t, l); len(got) != 100_001 || !bytes.Equal(got, bytes.Repeat([]byte("GC"), 50_001)[:100_001]) {
		t.Errorf("%d bytes", len(got))
	}
	if got := problems(t, l, []byte(text)); !slices.Equal(got, []string{"warning too-large 17+21"}) {
		t.Error(got)
	}
}

// TestSpill: a large payload is kept in a temporary file.
func TestSpill(t *testing.T) {
	plain := bytes.Repeat(mixed(1<<20, 2), 9)
	l := open(t, Hex, []byte(hex.EncodeToString(plain)), Options{MaxUnpacked: 1 << 30})
	f, ok := l.Payload.(io.Closer)
	if !ok || !bytes.Equal(payload(t, l), plain) {
		t.Errorf("%T of %d bytes", l.Payload, l.Payload.Size())
	}
	if l.Close() != nil || f.Close() == nil {
		t.Error("not closed")
	}
}

// TestUnlisted: of very many problems of a text some are only counted, and the last one says so.
func TestUnlisted(t *testing.T) {
	const most = 10_000 // problems of rows that are listed
	data := bytes.Repeat([]byte("00000000: 0400 0000 0500 0000 6865 6c6c 6f00 0000  ........hello...\n"), most+6)
	l := open(t, kindNamed("hex"), data, Options{MaxUnpacked: 1 << 20})
	n, last := 0, span.Problem{}
	tr := tree.New(source.Bytes(data), l.Reading, l.Region)
	if err := tr.Check(t.Context(), tree.CheckOptions{}, func(p span.Problem, _ *tree.Node) { n, last = n+1, p }); err != nil {
		t.Fatal(err)
	}
	if n != most || !strings.HasSuffix(last.Message, "; 5 more problems like it are not listed") {
		t.Errorf("%d problems, the last is %q", n, last.Message)
	}
}
