package wrap

import (
	"bytes"
	"context"
	"slices"
	"testing"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// TestMessages: a message says what is wrong before it says how that shows, as narrow windows cut its end.
func TestMessages(t *testing.T) {
	secret, whole := gdecOf(t, 4, mixed(50, 8)), gdecOf(t, 4, mixed(48, 8))
	zeros := zlibOf(make([]byte, 100))
	blocks := gcpfOf(make([]byte, 100), 50, 3)
	for _, c := range []struct {
		kind Kind
		data []byte
		o    Options
		want string
	}{
		{GDEC, secret, password("y"), "wrong key or password, or a damaged end: the MD5 differs and the padding is not zero"},
		{GDEC, put(secret, 45, secret[45]^1, secret[46]^1), password("x"), "damaged bytes: the MD5 differs, but the padding is zero, so the key is right; each damaged cipher block damages up to 32 plain bytes"},
		{GDEC, whole, password("y"), "wrong key or password, or damaged bytes: the MD5 of the plain bytes differs"},
		{GDEC, secret[:44+40], password("x"), "cut: only 40 bytes are there for 50 bytes in whole cipher blocks of 16; 40 bytes can be read if the key is right"},
		{Zlib, zeros, Options{MaxUnpacked: 10}, "cut by --max-unpacked: only the first 10 bytes are unpacked"},
		{GCPF, blocks, Options{MaxUnpacked: 10}, "cut by --max-unpacked: only the first 10 bytes of 100 bytes are unpacked"},
		{Zlib, append(bytes.Clone(zeros[:2]), 3, 0, 0, 0, 0, 2), Options{MaxUnpacked: 10}, "damaged bytes: the Adler-32 is 00000002, that of the unpacked bytes is 00000001"},
		{Zlib, zeros[:2], Options{MaxUnpacked: 10}, "the packed bytes end too early: only the first 0 bytes could be unpacked"},
		{Zlib, append(bytes.Clone(zeros[:2]), 0xff), Options{MaxUnpacked: 10}, "the packed bytes are damaged: only the first 0 bytes could be unpacked"},
		{GCPF, gcpfOf(make([]byte, 100), 50, 2), Options{MaxUnpacked: 1000}, "one block too few: 2 instead of 3 (the last is empty) for 100 bytes in blocks of 50 bytes"},
		{GCPF, blocks[:24], Options{MaxUnpacked: 1000}, "the file ends after 2 of 3 block lengths, for 100 bytes in blocks of 50 bytes: none of them can be read"},
		{Base64, []byte("UEVM!QEF*QDO\n"), Options{MaxUnpacked: 1000}, `2 characters of this line are not base64 digits, the first "!"`},
		{Hex, []byte("47 !! 50 .. 43"), Options{MaxUnpacked: 1000}, `4 characters of this line are not hexadecimal digits, the first "!!"`},
	} {
		l := open(t, c.kind, c.data, c.o)
		if got := messages(t, l, c.data); !slices.Equal(got, []string{c.want}) {
			t.Errorf("%q, not %q", got, c.want)
		}
	}
}

// messages returns the messages of all problems of a wrapper.
func messages(t *testing.T, l *Layer, data []byte) (all []string) {
	err := tree.New(source.Bytes(data), l.Reading, l.Region).Check(context.Background(), tree.CheckOptions{}, func(p span.Problem, _ *tree.Node) {
		all = append(all, p.Message)
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
