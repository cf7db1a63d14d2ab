package recipe

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
)

func unhex(s string) string { b, _ := hex.DecodeString(s); return string(b) }

// TestSecrets decrypts what OpenSSL has encrypted, with keys that OpenSSL or Python has made of passwords.
func TestSecrets(t *testing.T) {
	const begin = salted + "\x01\x02\x03\x04\x05\x06\x07\x08"
	for name, c := range map[string]struct {
		Step
		packed string
	}{
		"rc4":               {Step{Step: "rc4", Key: "0123456789abcdef"}, unhex("ff4a2829df7491aa25d434ffadf6717fc0a041a2ed13d748853228c229155d5f2f96a2605b01d541099fad741635ae62868046cb5aed08a89e7c6452")},
		"openssl, CryptoJS": {Step{Step: "aes-cbc", Password: "secret"}, begin + unhex("e97cd90c18d1771030bee57d1fd80b4ef4711cf43eb84ffc39312c0de527d581cd7ddfac75ba81b6d58d1ae7b4c0450144a1e55d46896e05ca05c10e49da6a29")},
		"openssl -pbkdf2":   {Step{Step: "aes-cbc", Password: "secret", Rounds: 1000}, begin + unhex("11874fd6079ca3283125d85418be31279f5631fdafe2ba4c02abe2b03d254f76dbd158f540904306508af8050978ff20a5b00e6fb8a104d5f58939e8352e31df")},
		"Easy Save 3":       {Step{Step: "aes-cbc", Password: "password"}, unhex("66656463626139383736353433323130dfb2dfa81623ee2d3a2572c728da44515443610e4dc6e339b2b3e1d7c5a1792a9fff08db96a232a49af5f4e9be9e258d1801dc2a095843b0c266837efbdfacae")},
		"hmac":              {Step{Step: "checksum", Sum: "hmac-sha256", Secret: "key"}, content + "962f5f273198955f4c57414a65ecc63a4b78c5bfd26e422dbecb09860e7905cf"},
	} {
		if plain, again, notes := run(t, c.Step, c.packed); plain != content || again != c.packed || notes != nil {
			t.Errorf("%s: %q, packed again %q %q", name, plain, again, notes)
		}
	}
	if _, _, notes := run(t, Step{Step: "aes-cbc", Password: "wrong"}, begin+unhex("e97cd90c18d1771030bee57d1fd80b4ef4711cf43eb84ffc39312c0de527d581cd7ddfac75ba81b6d58d1ae7b4c0450144a1e55d46896e05ca05c10e49da6a29")); notes == nil {
		t.Error("a wrong password is not noticed")
	}
}

// TestSizedSteps unpacks bytes made by the descriptions of their formats.
func TestSizedSteps(t *testing.T) {
	for name, c := range map[string]struct {
		Step
		packed, plain string
	}{
		"snappy":        {Step{Step: "snappy"}, "\x0a\x08abc\x0d\x03", "abcabcabca"},
		"snappy frames": {Step{Step: "snappy"}, unhex("ff060000734e61507059010700006e57f121616263"), "abc"},
		"fastlz":        {Step{Step: "fastlz"}, "\x02abc\xe0\x07\x02", "abcabcabcabcabcabca"},
		"utf16":         {Step{Step: "utf16"}, "{\x00\xe9\x00\x3d\xd8\x00\xde}\x00", "{é😀}"},
		"utf16 mark":    {Step{Step: "utf16"}, "\xfe\xff\x00{\x00}", "\ufeff{}"},
		"utf16 big":     {Step{Step: "utf16", Form: "big-endian"}, "\x00{\x00}", "{}"},
		"add list":      {Step{Step: "add", Add: []any{int64(1), int64(300)}}, "\x7c\xae\x7d\x8c", "{\x82|\x60"},
		"add many":      {Step{Step: "add", Add: 1234}, "\u054d\u054f", "{}"},
		"pieces":        {Step{Step: "pieces"}, "\x01\x00\x00\x00\x00\x00\x00\x00a\x02\x00\x00\x00\x00\x00\x00\x00{}\x01\x00\x00\x00\x00\x00\x00\x00b\x01\x00\x00\x00\x00\x00\x00\x00\xff", "{\n\"a\": {},\n\"b\": \"base64:/w==\"\n}"},
	} {
		plain, again, notes := run(t, c.Step, c.packed)
		if back, _, _ := run(t, c.Step, again); plain != c.plain || back != c.plain || notes != nil {
			t.Errorf("%s: %q, packed again %q %q", name, plain, again, notes)
		}
		if name == "snappy" || name == "snappy frames" || name == "fastlz" {
			continue // other packers choose other instructions
		}
		if again != c.packed {
			t.Errorf("%s: packed again %q", name, again)
		}
	}
}

// packAgain packs other content in place of that of packed bytes.
func packAgain(t *testing.T, s Step, packed, old, is string) (string, error) {
	t.Helper()
	c := codecs[s.Step]
	plain, err := c.all(&s, []byte(packed), 1<<20)
	if err != nil || !strings.Contains(string(plain), old) {
		t.Fatalf("%q has no %q: %v", plain, old, err)
	}
	var b bytes.Buffer
	err = c.pack(&s, &b, strings.NewReader(strings.Replace(string(plain), old, is, 1)), []byte(packed))
	return b.String(), err
}

// TestArchives edits files in archives that Python has written: names, times, methods, order and all other files stay.
func TestArchives(t *testing.T) {
	for _, step := range []string{"zip", "tar"} {
		b, err := os.ReadFile("testdata/python." + step)
		if err != nil {
			t.Fatal(err)
		}
		if step == "zip" {
			b = withExtra(t, b)
		}
		s := Step{Step: step}
		if _, again, notes := run(t, s, string(b)); again != string(b) || notes != nil {
			t.Errorf("%s: not as it was: %q", step, notes)
		}
		was, _ := codecs[step].all(&s, b, 1<<20)
		long := "12" + strings.Repeat("0", 600)
		got, err := packAgain(t, s, string(b), "12", long)
		if err != nil {
			t.Fatal(err)
		}
		now, err := codecs[step].all(&s, []byte(got), 1<<20)
		if err != nil || string(now) != strings.Replace(string(was), "12", long, 1) {
			t.Errorf("%s: %v %q", step, err, now)
		}
		if a, b := listed(t, step, b), listed(t, step, []byte(got)); strings.Replace(a, "12", long, 1) != b {
			t.Errorf("%s: %s, want %s", step, b, a)
		}
		for old, is := range map[string]string{`"save.json"`: `"other.json"`, "\n}": ",\n\"new\": 1\n}"} {
			if _, err := packAgain(t, s, string(b), old, is); err == nil {
				t.Errorf("%s: %q for %q is written", step, is, old)
			}
		}
	}
}

// withExtra returns a zip whose files have a field of another program in their headers.
func withExtra(t *testing.T, b []byte) []byte {
	r, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range r.File {
		f.Extra = []byte("\x99\x99\x04\x00abcd")
		if err := w.Copy(f); err != nil {
			t.Fatal(err)
		}
	}
	w.SetComment(r.Comment)
	w.Close()
	return out.Bytes()
}

// listed describes the files of an archive as the standard library reads it.
func listed(t *testing.T, step string, b []byte) (all string) {
	if step == "tar" {
		for r := tar.NewReader(bytes.NewReader(b)); ; {
			h, err := r.Next()
			if err == io.EOF {
				return all
			}
			if err != nil {
				t.Fatal(err)
			}
			is, _ := io.ReadAll(r)
			all += fmt.Sprintf("%s %v %o %q\n", h.Name, h.ModTime.UTC(), h.Mode, is)
		}
	}
	r, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		is, _ := io.ReadAll(in)
		all += fmt.Sprintf("%s %v %d %v %x %x %d %d %q\n", f.Name, f.Modified.UTC(), f.Method, f.Mode(), f.Extra, f.Flags, f.CreatorVersion, f.ReaderVersion, is)
	}
	return all + r.Comment
}

// TestFor takes secrets from the path of a save.
func TestFor(t *testing.T) {
	r := known("game", nil, Step{Step: "checksum", Secret: "{folder2}/{folder}/{file}"})
	at, err := r.For("/saves/character_1/exit_2/data.sav")
	if err != nil || at.Steps[0].Secret != "character_1/exit_2/data.sav" || r.Steps[0].Secret != "{folder2}/{folder}/{file}" {
		t.Errorf("%v %v", at, err)
	}
	if _, err := r.For("-"); err == nil {
		t.Error("a secret is taken from no path")
	}
}

// TestXorKeys writes keys of any bytes into recipes, and reads them again.
func TestXorKeys(t *testing.T) {
	for c := range 256 {
		for _, key := range [][]byte{{byte(c)}, {'Z', byte(c)}, {byte(c), 0x80}, {0xc2, byte(c), 'a'}} {
			r, err := New("", nil, xorStep(key))
			if err == nil {
				r, err = parse([]byte(r.Text()))
			}
			if err != nil {
				t.Fatalf("%x: %v", key, err)
			}
			if got, _ := bytesOf(r.Steps[0].Key, r.Steps[0].KeyHex); !bytes.Equal(got, key) {
				t.Errorf("%x is read as %x", key, got)
			}
		}
	}
}
