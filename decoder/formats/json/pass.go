package json

import (
	"varview/decoder/edit/textual"
	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
)

var passing = &textual.Passing{Array: array, Object: object, Text: text, Token: passToken, IsText: isPlainText, Escapes: textual.ClassOf("\"\\/bfnrt"), Hex: true}

// pass is the grammar's Pass.
func pass(w *source.Window, parent *tree.Value, s *tree.Stretch) {
	if textual.IsBuffer(parent) {
		passing.Pass(w, parent, s, func(p *textual.Passer) int { return p.Value(p.Blank(p.At), s.Levels) })
		return
	}
	pairs := parent.Layout == tree.Pairs
	passing.Pass(w, parent, s, func(p *textual.Passer) int { return p.Child(pairs, nil) })
}

// isPlainText reports whether a text in quotes stands for no value of another type.
func isPlainText(b []byte) bool {
	return len(b) == len(`""`) || b[1] != '@' && !(beginsTyped(b) && typed(string(b[1:len(b)-1])) != "")
}

// passToken passes a number or a word.
func passToken(p *textual.Passer, i int) (typ uint16, end int) {
	switch p.B[i] {
	case 't':
		return boolean, passWord(p, i, "true")
	case 'f':
		return boolean, passWord(p, i, "false")
	case 'n':
		return null, passWord(p, i, "null")
	}
	n, whole, exponent := textual.NumberLength(p.B[i:])
	end = i + n
	if n < 0 || n > maxNumber || end == len(p.B) || isWord(p.B[end]) || p.Checks && (whole > exactDigits || exponent > 2) {
		return number, -1
	}
	return number, end
}

func passWord(p *textual.Passer, i int, word string) int {
	if end := i + len(word); len(p.B) > end && string(p.B[i:end]) == word && !isWord(p.B[end]) {
		return end
	}
	return -1
}

// maxNumber is the largest number of characters of a number that is passed.
const maxNumber = 256
