package wrap

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"varview/decoder/wrap/lzstring"
)

// TestPeer compares all forms with the library itself, where node has it.
func TestPeer(t *testing.T) {
	const script = `const z = require("lz-string"), out = [];
for (const s of JSON.parse(require("fs").readFileSync(0))) out.push([z.compressToBase64(s), z.compressToEncodedURIComponent(s), z.compressToUTF16(s)]);
console.log(JSON.stringify(out))`
	r := rand.New(rand.NewPCG(7, 31))
	var texts []string
	for i := range 60 {
		var b strings.Builder
		for range r.IntN(20 * (i + 1)) {
			b.WriteRune([]rune("aaab{}\":,0é漢😀")[r.IntN(13)])
		}
		texts = append(texts, b.String())
	}
	in, _ := json.Marshal(texts)
	cmd := exec.Command("node", "-e", script)
	cmd.Stdin = bytes.NewReader(in)
	out, err := cmd.Output()
	if err != nil {
		t.Skip("node with lz-string (NODE_PATH) is not there to compare with")
	}
	var packed [][]string
	if err := json.Unmarshal(out, &packed); err != nil {
		t.Fatal(err)
	}
	for i, forms := range packed {
		for j, f := range []string{"base64", "uri", "utf16"} {
			want := forms[j]
			form := lzstring.Forms[f]
			got, err := form.Pack([]byte(texts[i]))
			if err != nil || string(got) != want {
				t.Errorf("%s of %q: %q, want %q", f, texts[i], got, want)
			}
			if plain, err := form.Unpack([]byte(want), 1<<20); err != nil || string(plain) != texts[i] {
				t.Errorf("%s of %q unpacks to %q: %v", f, texts[i], plain, err)
			}
		}
	}
}

// FuzzLZString: any text is unpacked or refused, and what unpacks to text can be packed again.
func FuzzLZString(f *testing.F) {
	f.Add([]byte("N4Ig"), uint8(0))
	f.Fuzz(func(t *testing.T, b []byte, form uint8) {
		s := lzstring.Forms[[]string{"base64", "uri", "utf16"}[form%3]]
		plain, err := s.Unpack(b, 1<<20)
		if err != nil {
			return
		}
		packed, err := s.Pack(plain)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := s.Unpack(packed, 1<<20); err != nil || !bytes.Equal(again, plain) {
			t.Errorf("%q becomes %q: %v", plain, again, err)
		}
	})
}
