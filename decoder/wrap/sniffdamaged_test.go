package wrap

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
)

// sniffText returns what Sniff says about a whole text.
func sniffText(text string) []Kind {
	return Sniff(source.Bytes(text), span.Between(0, int64(len(text))), "")
}

// TestSniffDamagedText: a text in which nearly all characters are digits of a form has that form. It needs
// 16 characters, of which one, or one in fifty, may be wrong.
func TestSniffDamagedText(t *testing.T) {
	packed := make([]byte, 1500)
	rand.NewChaCha8([32]byte{}).Read(packed)
	text := base64.StdEncoding.EncodeToString(packed)
	digits, spaced := fmt.Sprintf("%x", packed), fmt.Sprintf("% x", packed)
	wrong := func(text, char string, at ...int) string {
		for _, i := range at {
			text = text[:i] + char + text[i+1:]
		}
		return text
	}
	many := func(text, char string, each int) string {
		for i := 30; i < len(text); i += each {
			text = wrong(text, char, i)
		}
		return text
	}
	rows := "00000000: 4743 5046 0102 0304  GCPF....\n00000008: 4743 5046 0102 0304  GCPF....\n"
	for _, c := range []struct {
		name, text string
		want       []Kind
	}{
		{"base64, a wrong digit", wrong(text, "!", 600), []Kind{Base64}},
		{"base64, a byte that is no UTF-8", wrong(text, "\xff", 600), []Kind{Base64}},
		{"base64, a blank for a digit", wrong(text, " ", 600), []Kind{Base64}},
		{"base64 of 16 digits, a wrong one", "UEVMRQEF!QDOBgBw", []Kind{Base64}},
		{"base64 of 15 digits, a wrong one", "UEVMRQEF!QDOBgB", nil},
		{"base64 of 16 digits, two wrong ones", "UEVMRQEF!QD*BgBw", nil},
		{"base64, 4n+1 digits", text[:501], []Kind{Base64}},
		{"base64, 17 digits", "UEVMRQEFAQDOBgBwb", []Kind{Base64}},
		{"base64, a digit too many before the padding", "UEVMRQEFAQDOBgBwbGF5ZgA==", []Kind{Base64}},
		{"base64 in lines, a wrong digit", strings.ReplaceAll(wrong(text[:700], "*", 100), text[50:60], text[50:55]+"\n"+text[55:60]), []Kind{Base64}},
		{"base64, one wrong digit in 60", many(text, "!", 60), []Kind{Base64}},
		{"base64, one wrong digit in 40", many(text, "!", 40), nil},
		{"base64, a control byte", wrong(text, "\x01", 600), nil},
		{"base64, a NUL behind it", text + "\x00", []Kind{Base64}},
		{"base64, five bytes behind it that are no text", text + "\x00\x00\x00\x00\x00", []Kind{Base64}},
		{"base64, a NUL", wrong(text, "\x00", 600), nil},
		{"long base64, a wrong digit", wrong(strings.Repeat(text[:1024], 100), "*", 60_000), []Kind{Base64}},
		{"hex, an odd digit", digits[:1001], []Kind{Hex}},
		{"hex, an odd digit, 4n+3 digits", digits[:1003], []Kind{Hex}},
		{"hex of 15 digits, cut in a pair", "50454c450050ace", []Kind{Hex, Base64}},
		{"hex of 31 decimal digits, cut in a pair", "9301000005000000010000000800000", []Kind{Hex}},
		{"hex of 16 decimal digits", "6700000002000000", []Kind{Hex}},
		{"base64 of zeros", "AAAAAAAAAAAAAAAA", []Kind{Hex, Base64}},
		{"hex, an odd digit behind blanks", spaced[:2999-2], []Kind{Hex}},
		{"hex, a letter", wrong(digits, "g", 300), []Kind{Hex, Base64}},
		{"hex, a mark", wrong(digits, "!", 300), []Kind{Hex}},
		{"hex with blanks, a wrong pair", wrong(spaced, "z", 300, 301), []Kind{Hex}},
		{"hex of 16 digits, a wrong one", "50454c450!050ace", []Kind{Hex}},
		{"hex of 15 digits, a wrong one", "50454c450!050ac", nil},
		{"hex, one wrong digit in 40", many(digits, "!", 40), nil},
		{"hex, a control byte", wrong(digits, "\x07", 300), nil},
		{"xxd, a wrong digit", wrong(rows, "!", 12), []Kind{Hex}},
		{"xxd, a wrong offset", wrong(rows, "!", 44), []Kind{Hex}},
	} {
		if got := sniffText(c.text); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, not %v", c.name, got, c.want)
		}
	}
}

// TestSniffOrdinary: ordinary texts and numbers are not wrappers.
func TestSniffOrdinary(t *testing.T) {
	const words = "The old king lives in the castle behind the hills and waits for a hero who finds the way. "
	for name, text := range map[string]string{
		"prose":                 strings.Repeat(words, 20),
		"prose without marks":   strings.Repeat("you wake up in a small room with no way out ", 20),
		"a sentence":            "you wake up in a small room",
		"words of hex letters":  "a bad decade, a faded facade; dead beef, cafe!",
		"names in lines":        strings.Repeat("Sword\nShield\nPotion\nBow\n", 30),
		"names of two words":    strings.Repeat("Iron Sword\nIron Shield\nRed Potion\nOak Bow\n", 30),
		"JSON":                  `{"player":{"name":"Ada","hp":12,"items":["sword","shield"]},"seed":123456789012345}`,
		"JSON of numbers":       "[1, 22, 333, 4444, 55555, 1.5, -2]",
		"JSON with base64":      `{"data":"` + strings.Repeat("UEVMRQEFAQDOBgBw", 100) + `"}`,
		"GML":                   strings.Repeat("function Player() constructor {\n\tELEPHANT_SCHEMA { v1 : { hp : buffer_u16, name : buffer_string } }\n}\n", 10),
		"CSV":                   strings.Repeat("1,sword,12.5,true\n2,shield,3.0,false\n", 20),
		"CSV of numbers":        strings.Repeat("100,200,300\n401,502,603\n", 20),
		"CSV of long numbers":   strings.Repeat("1000,2000,3000,4000\n", 20) + "500,6000\n",
		"key = value":           "player_name = Ada\nlevel = 12\nseed = 123456789\n",
		"key=value":             "PlayerNameOfSave=AdaLovelaceTheFirst",
		"key=base64":            "data=" + strings.Repeat("UEVMRQEFAQDOBgBw", 100),
		"sections":              "[save]\nlevel=12\nhash=0123456789abcdef0123456789abcdef\n",
		"a float":               "3.14159265358979323846",
		"a date":                "2024-11-21 08:32:55",
		"a path":                "/home/ada/saves/game.sav",
		"identifier with a dot": "playerInventory.maximumWeight",
		"UUID":                  "d41d8cd9-8f00-b204-e980-0998ecf8427e",
		"digests":               strings.Repeat("d41d8cd98f00b204e9800998ecf8427e  player.sav\n", 10),
		"colours":               strings.Repeat("#ff00aa\n", 20),
		"two words":             "package telemetry",
		"a table of digits":     "// Of a generator\nvar data = {\n" + strings.Repeat("0x3000, 0xa000, 0xFF01,\n", 500) + "}\n",
		"data URI":              "data:application/octet-stream;base64," + strings.Repeat("UEVMRQEFAQDOBgBw", 100),
		"Variant":               "\x04\x00\x00\x00\x14\x00\x00\x00UEVMRQEFAQDOBgBwbGF5",
		"Elephant":              "PELE\x01\x05\x01\x00\x0bUEVMRQEFAQDOBgBwbGF5\x00TNAH",
	} {
		if got := sniffText(text); len(got) > 0 {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestEager: a zlib stream counts as the largest size that it can unpack to.
func TestEager(t *testing.T) {
	for _, c := range []struct {
		kind         Kind
		length, most int64
		want         int64
	}{
		{Zlib, 1000, 1 << 30, 64_000},
		{Zlib, 1 << 20, 1 << 22, 1 << 22},
		{Zlib, 1 << 20, 1000, 1 << 20},
		{Zlib, 1 << 62, 1 << 30, 1 << 62},
		{Zlib, 0, 1000, 0},
		{Base64, 1000, 1 << 30, 1000},
		{Hex, 1000, 1 << 30, 1000},
		{GCPF, 1000, 1 << 30, 0},
		{GDEC, 1000, 1 << 30, 0},
	} {
		if got := Eager(c.kind, span.Span{Offset: 7, Length: c.length}, Options{MaxUnpacked: c.most}); got != c.want {
			t.Errorf("%v of %d: %d, not %d", c.kind, c.length, got, c.want)
		}
	}
}
