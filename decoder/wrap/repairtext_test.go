package wrap

import (
	"bytes"
	"testing"
)

// TestRepairBase64: a line with padding, and 276 bytes in lines of 76 digits.
func TestRepairBase64(t *testing.T) {
	good, lines := load(t, "base64-dictionary.b64"), load(t, "z.base64")
	end := len(good)
	checkDamage(t, []damage{
		{"no padding", Base64, good, good[:end-1], "digit-padding 138+1", "0 padding characters at the end, and the digits need 1", "add =", nil},
		{"too much padding", Base64, good, append(bytes.Clone(good), '='), "digit-padding 140+1", "2 padding characters at the end, and the digits need 1", "delete the surplus ones", nil},
		{"padding of none", Base64, lines, append(bytes.Clone(lines), '='), "digit-padding 373+1", "the digits need 0", "delete the surplus ones", nil},
		{"stray character", Base64, good, with(good, 50, '!'), "bad-digit 50+1", `"!" is not a base64 digit`, `delete "!"`, nil},
		{"stray characters", Base64, good, with(with(good, 50, '!'), 80, '*'), "bad-digit 50+1", "2 characters of this line are not base64 digits", "delete all characters of this line that are not digits", nil},
		{"stray padding", Base64, good, with(good, 50, '='), "bad-digit 50+1", `"=" is not a base64 digit`, `delete "="`, nil},
		{"in the place of a digit", Base64, good, put(good, 50, '!'), "bad-digit 50+1", `"!" is not a base64 digit`, "", nil},
		{"in a line", Base64, lines, with(lines, 100, '~'), "bad-digit 100+1", `"~" is not a base64 digit`, `delete "~"`, nil},
		{"lost digit", Base64, lines, without(lines, 5, 3), "bad-digit 0+369", "one is lost or one is too many", "", nil},
	}, Options{MaxUnpacked: 1 << 20})
}

// TestRepairHex: plain digits, pairs with separators, and rows of xxd and hexdump -C.
func TestRepairHex(t *testing.T) {
	plain, list := load(t, "z.xxd-p"), load(t, "z.xxd-i")
	xxd, dump := load(t, "z.xxd"), load(t, "z.hexdump-C")
	row := bytes.IndexByte(xxd, '\n') + 1 // bytes of a row
	checkDamage(t, []damage{
		{"stray character", Hex, plain, with(plain, 33, '!'), "bad-digit 33+1", `"!" is not a hexadecimal digit`, `delete "!"`, nil},
		{"in the place of a digit", Hex, plain, put(plain, 33, '!'), "bad-digit 33+1", `"!" is not a hexadecimal digit`, "", nil},
		{"stray between bytes", Hex, list, with(list, 8, '!'), "bad-digit 8+1", `"!" is not a hexadecimal digit`, `delete "!"`, nil},
		{"lost digit", Hex, []byte("47 43 50"), []byte("47 4 50"), "bad-digit 3+1", `the digit "4" is alone`, "", nil},
	}, Options{MaxUnpacked: 1 << 20})
	at := func(i int) int { return i * row }
	line := bytes.IndexByte(dump, '\n') + 1
	checkDamage(t, []damage{
		{"offset", Hex, xxd, put(xxd, at(2)+5, '7'), "wrong-offset 136+8", "this row says 0x720, but the rows before it end at 0x20", "write the offset 0x20", nil},
		{"first offset", Hex, xxd, put(xxd, 6, '7'), "wrong-offset 68+8", "this row says 0x10, but the rows before it end at 0x80", "write the offset 0x80", put(put(xxd, 6, '7'), at(1)+6, '8')},
		{"last offset", Hex, xxd, put(xxd, at(17)+7, '3'), "wrong-offset 1156+8", "this row says 0x113, but the rows before it end at 0x110", "write the offset 0x110", nil},
		{"no offset", Hex, xxd, put(xxd, at(2)+5, '!'), "wrong-offset 136+8", `"00000!20" is not an offset`, "write the offset 0x20", nil},
		{"lost row", Hex, xxd, without(xxd, at(2), row), "wrong-offset 136+8", "this row says 0x30, but the rows before it end at 0x20", "write the offset 0x20", put(without(xxd, at(2), row), at(2)+6, '2')},
		{"lost byte", Hex, xxd, without(xxd, at(2)+10, 2), "wrong-offset 202+8", "this row says 0x30, but the rows before it end at 0x2f", "write the offset 0x2f", put(without(xxd, at(2)+10, 2), at(3)+4, '2', 'f')},
		{"end offset of hexdump", Hex, dump, put(dump, len(dump)-2, '9'), "wrong-offset 545+8", "the rows before it end at", "write the offset 0x114", nil},
		{"offset of hexdump", Hex, dump, put(dump, line+7, '3'), "wrong-offset 79+8", "the rows before it end at", "write the offset 0x10", nil},
	}, Options{MaxUnpacked: 1 << 20})
}

// TestRepairOffsets: if many rows have wrong offsets, the ones that agree tell what each should be, so that
// one round repairs all.
func TestRepairOffsets(t *testing.T) {
	xxd := load(t, "z.xxd")
	row := bytes.IndexByte(xxd, '\n') + 1
	bad := bytes.Clone(xxd)
	for at := row; at+8 <= len(bad); at += row {
		copy(bad[at:], "00000000")
	}
	p := examine(t, Hex, bad, Options{MaxUnpacked: 1 << 20}, nil)
	if want := (len(xxd) - 1) / row; len(p.found) != want {
		t.Fatalf("%d problems, not %d", len(p.found), want)
	}
	fixed := bytes.Clone(bad)
	for i := range p.found {
		data, _, err := p.repair(t, &p.found[i])
		if err != nil || len(data) != len(bad) {
			t.Fatalf("%d: %v", i, err)
		}
		at := p.found[i].Offset
		copy(fixed[at:at+8], data[at:])
	}
	if !bytes.Equal(fixed, xxd) {
		t.Errorf("repaired to\n%s", fixed)
	}
}
