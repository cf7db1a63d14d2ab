package textbox

import (
	tea "github.com/charmbracelet/bubbletea"

	"varview/ui/action"
)

// moves are the keys that move the cursor, and their targets.
var moves = map[string]func(*Box) int{
	"left":       func(b *Box) int { return b.before(b.at) },
	"ctrl+b":     func(b *Box) int { return b.before(b.at) },
	"right":      func(b *Box) int { return b.after(b.at) },
	"ctrl+f":     func(b *Box) int { return b.after(b.at) },
	"home":       (*Box).lineStart,
	"ctrl+a":     (*Box).lineStart,
	"end":        (*Box).lineEnd,
	"ctrl+e":     (*Box).lineEnd,
	"ctrl+left":  (*Box).wordBefore,
	"alt+left":   (*Box).wordBefore,
	"alt+b":      (*Box).wordBefore,
	"ctrl+right": (*Box).wordAfter,
	"alt+right":  (*Box).wordAfter,
	"alt+f":      (*Box).wordAfter,
	"ctrl+home":  func(*Box) int { return 0 },
	"ctrl+end":   func(b *Box) int { return len(b.text) },
}

// cuts are the keys that delete the text between the cursor and a target.
var cuts = map[string]func(*Box) int{
	"backspace":     func(b *Box) int { return b.before(b.at) },
	"ctrl+h":        func(b *Box) int { return b.before(b.at) },
	"delete":        func(b *Box) int { return b.after(b.at) },
	"ctrl+d":        func(b *Box) int { return b.after(b.at) },
	"ctrl+w":        (*Box).wordBefore,
	"alt+backspace": (*Box).wordBefore,
	"alt+d":         (*Box).wordAfter,
	"ctrl+u":        (*Box).lineStart,
	"ctrl+k":        (*Box).lineEnd,
}

// Press handles a key; typed reports whether the text has changed.
func (b *Box) Press(msg tea.KeyMsg) (typed bool) {
	if (msg.Type == tea.KeyRunes || msg.Type == tea.KeySpace) && !msg.Alt {
		b.Type(string(msg.Runes))
		return true
	}
	name := action.NameOf(msg)
	if to, ok := moves[name]; ok {
		b.goTo(to(b))
		return false
	}
	if to, ok := cuts[name]; ok {
		was := len(b.text)
		b.cut(to(b))
		return len(b.text) != was
	}
	if b.Single {
		return false
	}
	switch name {
	case "enter":
		b.Type("\n")
		return true
	case "up":
		b.climb(-1)
	case "down":
		b.climb(1)
	case "pgup":
		b.climb(-pageRows)
	case "pgdown":
		b.climb(pageRows)
	}
	return false
}

// pageRows is the number of rows that a page key moves the cursor.
const pageRows = 10
