package recipe

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/wrap/layer"
)

// run opens packed bytes with a step, and packs the result again.
func run(t *testing.T, s Step, packed string) (plain, again string, notes []string) {
	t.Helper()
	k, err := s.Kind()
	if err != nil {
		t.Fatal(err)
	}
	src := source.Bytes(packed)
	l, err := layer.Open(context.Background(), k, src, span.Between(0, src.Size()), layer.Options{MaxUnpacked: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	if l.Missing != nil {
		return "", "", []string{l.Missing.Message}
	}
	b, _ := io.ReadAll(io.NewSectionReader(l.Payload, 0, l.Payload.Size()))
	f, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := l.Rewrap(context.Background(), l.Payload, nil, f, 0, nil); err != nil {
		notes = append(notes, err.Error())
	}
	out, _ := os.ReadFile(f.Name())
	return string(b), string(out), notes
}

const content = `{"hp":12,"name":"Mira","items":["potion","potion","potion"]}`

// TestSteps compares each step with what another program packed: openssl, Python, node.
func TestSteps(t *testing.T) {
	unhex := func(s string) string { b, _ := hex.DecodeString(s); return string(b) }
	key := "0123456789abcdef"
	for name, c := range map[string]struct {
		Step
		packed, plain string
	}{
		"xor":           {Step{Step: "xor", Key: "key"}, "\x10G\x11\x1bG", `{"hp"`[:5]},
		"xor hex":       {Step{Step: "xor", KeyHex: "ff"}, "\x84\xdd", `{"`},
		"add":           {Step{Step: "add", Add: 3}, "~%", `{"`},
		"add over":      {Step{Step: "add", Add: 1}, "\xff\x00", "\xfe\xff"},
		"add character": {Step{Step: "add", Add: 1}, "\u00ffb", "\u00fea"},
		"skip":          {Step{Step: "skip", Bytes: 4}, "SAVE{}", "{}"},
		"skip at end":   {Step{Step: "skip", Bytes: 2, End: true}, "{}..", "{}"},
		"latin1":        {Step{Step: "latin1"}, "x\u00da\u00ab", "x\xda\xab"},
		"aes-ecb":       {Step{Step: "aes-ecb", Key: key}, unhex("23113c4c93ba7ffb499a9b40e835d155db17b0e16ba9a7fc3a2dad654ee02dcfe18090193c0b085b6861b5f97d4655cbd06e7842ff7e33c1cb7b613d2cf59e02"), content},
		"aes-cbc":       {Step{Step: "aes-cbc", Key: key, IV: "fedcba9876543210"}, unhex("1ee5543c495b4ec96cd12280f68e50727208ecd5c542a7a83e1381180e9e866a796c15cec536eafa95ad0defd4702b724c5fe93a56ac00a65f5aad2d685bde1a"), content},
		"aes-cbc first": {Step{Step: "aes-cbc", Key: key}, "fedcba9876543210" + unhex("1ee5543c495b4ec96cd12280f68e50727208ecd5c542a7a83e1381180e9e866a796c15cec536eafa95ad0defd4702b724c5fe93a56ac00a65f5aad2d685bde1a"), content},
		"aes-gcm":       {Step{Step: "aes-gcm", Key: key}, unhex("6162636465666768696a6b6c9ef014c5719f68977512da5b9b5bfd332858859559d91f70ed88a815217572ea3e6e30e557dcbf6aa9d778305bbf6510a9d8265121bfae93c51f38d638b8433b0a2824cf5a1c81f3fb6a6d72"), content},
		"lz base64":     {Step{Step: "lz-string"}, "N4IgFgDiBcCMBMAaEA7AhgWwKYxAWQEsAnNEZAgFywwGcYBtECAewoOZTKdfc+RbYcQAXQC+QA==", content},
		"lz uri":        {Step{Step: "lz-string", Form: "uri"}, "N4IgFgDiBcCMBMAaEA7AhgWwKYxAWQEsAnNEZAgFywwGcYBtECAewoOZTKdfc+RbYcQAXQC+QA", content},
		"lz utf16":      {Step{Step: "lz-string", Form: "utf16"}, unhex("e1afa1e0a0a5e480bce281bcd280e18ca0e39180e0bba0e48ca2e6b0aae386a8d6b0e0a680e0a7ade0a3a8e0a0a5e696a6c6bce380ade584a2c496e0a8aee38ab9e29dbfe3a892e19bb8e3a2a0d7b0d8922020"), content},
		"lz beyond":     {Step{Step: "lz-string"}, "IYS8RPaLwbgAe5VA", "aé漢😀漢😀"},
		"lz empty":      {Step{Step: "lz-string"}, "Q===", ""},
	} {
		if plain, again, notes := run(t, c.Step, c.packed); plain != c.plain || again != c.packed || notes != nil {
			t.Errorf("%s: %q, packed again %q %q", name, plain, again, notes)
		}
	}
}

// TestCompressed unpacks what Python and the formats' own programs have packed; packed again it has the
// same content, and is no larger where zlib has packed it.
func TestCompressed(t *testing.T) {
	for step, packed := range map[string]string{
		"gzip": "1f8b0800000000000203ab56ca2850b23234d251ca4bcc4d55b252f2cd2c4a54d251ca2c49cd2d56b28a562ac82fc9cccf038aa033626b010d88d04a3c000000", "deflate": "ab56ca2850b23234d251ca4bcc4d55b252f2cd2c4a54d251ca2c49cd2d56b28a562ac82fc9cccf038aa033626b01", "zstd": "28b52ffd0458950100b4027b226870223a31322c226e616d65223a224d697261222c226974656d73223a5b22706f74696f6e222c5d7d0100e15ccab6ba156a", "brotli": "1b3b00f88dd315f723bca42990b9a5fed0a074423211dc2408ccd99cc9a2d395924c245431a0487eac2651a4ef49581c07ef34e8ba5109fe", "lz4": "04224d186440a733000000fa1a7b226870223a31322c226e616d65223a224d697261222c226974656d73223a5b22706f74696f6e222c0900506f6e225d7d00000000f5c7aabe",
	} {
		b, _ := hex.DecodeString(packed)
		plain, again, notes := run(t, Step{Step: step}, string(b))
		if plain != content || notes != nil {
			t.Errorf("%s: %q %q", step, plain, notes)
		}
		if plain, _, _ = run(t, Step{Step: step}, again); plain != content {
			t.Errorf("%s packed again: %q", step, plain)
		}
		if (step == "gzip" || step == "deflate") && len(again) > len(b) {
			t.Errorf("%s: %d bytes packed again take %d", step, len(b), len(again))
		}
		for _, cut := range []string{again[:len(again)/2], "\xff\xff\xff\xff\xff\xff\xff\xff"} {
			if _, _, notes := run(t, Step{Step: step}, cut); notes == nil {
				t.Errorf("%s: nothing is said of %q", step, cut)
			}
		}
		if _, _, notes := run(t, Step{Step: step}, again+"tail"); notes == nil {
			t.Errorf("%s: the tail would be lost", step)
		}
	}
}

// TestLossy refuses what could not be written back.
func TestLossy(t *testing.T) {
	for packed, s := range map[string]Step{"\x00a": {Step: "add", Add: 1}, "IaAA2EZA": {Step: "lz-string"}, "\xff": {Step: "latin1"}} {
		if plain, _, notes := run(t, s, packed); notes == nil {
			t.Errorf("%s of %q: %q", s.Step, packed, plain)
		}
	}
}

// TestLimit unpacks no more than is allowed.
func TestLimit(t *testing.T) {
	var packed bytes.Buffer
	err := codecs["gzip"].pack(&Step{}, &packed, bytes.NewReader(make([]byte, 4<<20)), []byte("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03"))
	if err != nil {
		t.Fatal(err)
	}
	_, _, notes := run(t, Step{Step: "gzip"}, packed.String())
	if len(notes) != 1 || !strings.Contains(notes[0], "--max-unpacked") {
		t.Error(notes)
	}
}

// TestParse checks what is reported about wrong recipes.
func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"[[layer]]\nstep = \"xor\"\nkey = \"k\"\n": "",
		"":                              "1 to 12 steps",
		"[[layer]]\nstep = \"rot13\"\n": "step 1: there is no step \"rot13\": add, aes-cbc",
		"[[layer]]\nstep = \"xor\"\n":   "step 1: xor needs a key",
		"[[layer]]\nstep = \"aes-cbc\"\nkey = \"short\"\n":                        "16, 24 or 32 bytes",
		"[[layer]]\nstep = \"aes-cbc\"\nkey = \"0123456789abcdef\"\niv = \"x\"\n": "the iv of aes-cbc has 16 bytes, not 1",
		"[[layer]]\nstp = \"xor\"\n":                                              "line 2: there is no layer.stp",
		"[[layer]\n":                                                              "line 1: ",
		"files = [\"[\"]\n[[layer]]\nstep = \"hex\"\n":                            "not a pattern",
		"starts-hex = \"0\"\n[[layer]]\nstep = \"hex\"\n":                         "starts-hex",
		"[[layer]]\nstep = \"checksum\"\nkind = \"adler\"\n":                      "there is no checksum \"adler\"",
		"[[layer]]\nstep = \"skip\"\n":                                            "skip needs bytes",
		strings.Repeat("[[layer]]\nstep = \"hex\"\n", mostSteps+1):                "1 to 12 steps",
	} {
		_, err := parse([]byte(text))
		if got := fmt.Sprint(err); want == "" && err != nil || !strings.Contains(got, want) {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// TestFits checks which files a recipe is for.
func TestFits(t *testing.T) {
	for _, c := range []struct {
		r    Recipe
		file string
		want bool
	}{
		{Recipe{Files: []string{"*.sav"}}, "/x/A.SAV", true},
		{Recipe{Files: []string{"*.sav"}}, "/x/a.save", false},
		{Recipe{Files: []string{"*.sav"}, Starts: "PK"}, "a.sav", false},
		{Recipe{StartsHex: "6e6f"}, "a", true},
		{Recipe{Name: "save.dat.layers"}, "/x/save.dat", true},
		{Recipe{Name: "save.layers"}, "/x/save.dat", false},
	} {
		if got := c.r.Fits(c.file, []byte("none")); got != c.want {
			t.Errorf("%+v of %s: %t", c.r, c.file, got)
		}
	}
}

// TestUnpackedMemory: a large payload is not kept in memory.
func TestUnpackedMemory(t *testing.T) {
	var packed bytes.Buffer
	content := bytes.Repeat([]byte("content of some kind, "), 1<<20)
	if err := codecs["gzip"].pack(&Step{}, &packed, bytes.NewReader(content), []byte("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03")); err != nil {
		t.Fatal(err)
	}
	k, err := Step{Step: "gzip"}.Kind()
	if err != nil {
		t.Fatal(err)
	}
	src := source.Bytes(packed.Bytes())
	var was, is runtime.MemStats
	runtime.ReadMemStats(&was)
	l, err := layer.Open(t.Context(), k, src, span.Between(0, src.Size()), layer.Options{MaxUnpacked: 1 << 30})
	runtime.ReadMemStats(&is)
	if err != nil || l.Payload.Size() != int64(len(content)) {
		t.Fatal(err)
	}
	defer l.Close()
	if n := is.TotalAlloc - was.TotalAlloc; n > uint64(len(content))*2 {
		t.Errorf("%d bytes are allocated for a payload of %d", n, len(content))
	}
}
