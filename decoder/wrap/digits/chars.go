package digits

// What a character can be.
const (
	CharWrong uint8 = iota
	CharDigit
	CharBlank // between digits
)

const (
	base64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	lowerDigits  = "0123456789abcdef"
	upperDigits  = "0123456789ABCDEF"
)

// The kind of each byte.
var (
	HexChars    = charTable("0123456789abcdefABCDEF", " \t\r\n,:;{}\"")
	Base64Chars = charTable(base64Digits, " \t\r\n")
)

func charTable(digits, blanks string) (t [256]uint8) {
	for _, c := range []byte(digits) {
		t[c] = CharDigit
	}
	for _, c := range []byte(blanks) {
		t[c] = CharBlank
	}
	return t
}

// Base64Values are the values of base64 digits, 0 for all other bytes.
var Base64Values = func() (t [256]byte) {
	for i := range len(base64Digits) {
		t[base64Digits[i]] = byte(i)
	}
	return t
}()

// HexValue returns the value of a hexadecimal digit, 0 for any other byte.
func HexValue(c byte) byte {
	switch {
	case c >= '0' && c <= '9':
		return c - '0'
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return c | 0x20 - 'a' + 10
	}
	return 0
}

func appendHex(dst []byte, c byte, upper bool) []byte {
	set := lowerDigits
	if upper {
		set = upperDigits
	}
	return append(dst, set[c>>4], set[c&15])
}
