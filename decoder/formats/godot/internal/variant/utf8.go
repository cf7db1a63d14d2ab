package variant

// States of reading UTF-8, each the place of six bits in a word.
const (
	atRune  = 6 * iota // a character may begin
	notUTF8            // or a NUL was read
	oneMore            // that many bytes of 0x80 to 0xbf must follow
	twoMore
	threeMore
	afterE0 // not all of these may follow
	afterED
	afterF0
	afterF4
)

// utf8Steps has for each byte the state that follows each state, at its place. A text is
// read with it without branches, which other scripts than Latin make hard to predict.
var utf8Steps = func() (all [256]uint64) {
	for b := range all {
		for state := atRune; state <= afterF4; state += 6 {
			all[b] |= notUTF8 << state
		}
	}
	for _, r := range []struct {
		state      int
		first, end byte
		next       uint64
	}{ // the table of well-formed sequences in chapter 3 of the Unicode Standard
		{atRune, 0x01, 0x7f, atRune},
		{atRune, 0xc2, 0xdf, oneMore},
		{atRune, 0xe0, 0xe0, afterE0},
		{atRune, 0xe1, 0xec, twoMore},
		{atRune, 0xed, 0xed, afterED},
		{atRune, 0xee, 0xef, twoMore},
		{atRune, 0xf0, 0xf0, afterF0},
		{atRune, 0xf1, 0xf3, threeMore},
		{atRune, 0xf4, 0xf4, afterF4},
		{oneMore, 0x80, 0xbf, atRune},
		{twoMore, 0x80, 0xbf, oneMore},
		{threeMore, 0x80, 0xbf, twoMore},
		{afterE0, 0xa0, 0xbf, oneMore},
		{afterED, 0x80, 0x9f, oneMore},
		{afterF0, 0x90, 0xbf, twoMore},
		{afterF4, 0x80, 0x8f, twoMore},
	} {
		for b := int(r.first); b <= int(r.end); b++ {
			all[b] = all[b]&^(63<<r.state) | r.next<<r.state
		}
	}
	return all
}()

// isUTF8 reports whether a text is valid UTF-8 without a NUL.
func isUTF8(text []byte) bool {
	state := uint64(atRune)
	for _, b := range text {
		state = utf8Steps[b] >> (state & 63)
	}
	return state&63 == atRune
}
