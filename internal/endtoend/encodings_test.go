package endtoend

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"varview/decoder/value/charset"
)

// TestEncodings opens texts in other encodings than UTF-8: they are shown as text, edits write them back in their encoding, and
// repair writes UTF-8 and changes nothing else.
func TestEncodings(t *testing.T) {
	long(t)
	t.Parallel()
	dir := t.TempDir()
	forms := map[string]string{
		"ini":  "[s]\r\nname=\"%\"\r\nhp=\"12.000000\"\r\n",
		"json": "{\r\n\t\"name\": \"%\",\r\n\t\"hp\": \"12.000000\"\r\n}\r\n",
		"cfg":  "[s]\n\nname=\"%\"\nhp=\"12.000000\"\n",
	}
	for i, c := range []struct{ encoding, mark, text string }{
		{"windows-1252", "", "naïve “quote” €"},
		{"iso-8859-1", "", "Ünï è, François"},
		{"shift_jis", "", "勇者のテスト"},
		{"shift_jis", "", "テキ"},
		{"shift_jis", "", "勇者"}, // which may be anything
		{"windows-1252", "", "don’t – c’est"},
		{"utf-16le", "\xff\xfe", "François Ω 😀"},
		{"utf-16be", "\xfe\xff", "勇者 and friends"},
		{"windows-1251", "", "Привет мир"},
		{"gbk", "", "勇者测试"},
	} {
		for form, text := range forms {
			text = strings.ReplaceAll(text, "%", c.text)
			encoded := func(s string) string {
				b, err := charset.Encode(s, c.encoding)
				if err != nil {
					t.Fatal(err)
				}
				return c.mark + string(b)
			}
			file, out := filepath.Join(dir, fmt.Sprintf("%d-%s.%s", i, c.encoding, form)), filepath.Join(dir, "out")
			if err := os.WriteFile(file, []byte(encoded(text)), 0o600); err != nil {
				t.Fatal(err)
			}
			isKnown := c.encoding != "windows-1251" && c.encoding != "gbk" && c.text != "勇者"
			if said := run(t, 0, "check", file).stdout; strings.Contains(said, "transfer") || !strings.Contains(said, "(other-encoding)") {
				t.Errorf("%s: %s", file, said)
			}
			if said := run(t, 0, "find", file, "key:name").stdout; isKnown && !strings.Contains(said, strings.Trim(c.text, "“”€ ")[:3]) {
				t.Errorf("%s: the name is %s", file, said)
			}
			run(t, 0, "set", file, "--where", "key:hp", `"9.000000"`, "-o", out, "--force")
			if got, want := string(readFile(t, out)), encoded(strings.Replace(text, "12.0", "9.0", 1)); got != want {
				t.Errorf("%s: after an edit it is %q, want %q", file, got, want)
			}
			if !isKnown {
				os.Remove(out)
				run(t, 0, "repair", file, "-o", out)
				if got := string(readFile(t, out)); got != encoded(text) {
					t.Errorf("%s: repair changes it to %q", file, got)
				}
				continue
			}
			run(t, 0, "repair", file, "-o", out, "--force")
			if got := string(readFile(t, out)); got != text {
				t.Errorf("%s: it is repaired as %q, want %q", file, got, text)
			}
			if c.encoding == "windows-1252" {
				run(t, 2, "set", file, "--where", "key:name", `"勇者"`, "-o", out, "--force")
			}
		}
	}
}
