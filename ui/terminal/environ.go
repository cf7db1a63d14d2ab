package terminal

import (
	"strconv"
	"strings"
)

// Queryable reports whether the terminal that the environment describes can be
// asked for its background: it answers, or at least ignores the question. On
// Windows Bubble Tea reads console events, in which no reply can be found, so
// no terminal is queryable there.
func Queryable(environ []string) bool {
	if !replies {
		return false
	}
	term := lookup(environ, "TERM")
	switch {
	case term == "", term == "dumb", term == "linux":
		return false
	case strings.HasPrefix(term, "screen"):
		// GNU screen does not answer. tmux does (since 3.4 also where no colour
		// is configured), and older ones set TERM to screen too.
		return lookup(environ, "TMUX") != ""
	}
	return true
}

// Hint returns whether the terminal's background is dark, from COLORFGBG. Its last
// field is one of the 16 ANSI colours; black, the dark six and dark grey count as
// dark, white, light grey and the bright ones as light.
func Hint(environ []string) (dark, known bool) {
	fields := strings.Split(lookup(environ, "COLORFGBG"), ";")
	if len(fields) < 2 {
		return false, false
	}
	background, err := strconv.Atoi(fields[len(fields)-1])
	if err != nil || background < 0 || background > 15 {
		return false, false
	}
	return background <= 6 || background == 8, true
}

// lookup returns a variable in environ, whose entries are "name=value"; as in os.Getenv, the first of
// several counts.
func lookup(environ []string, name string) string {
	for _, entry := range environ {
		if value, found := strings.CutPrefix(entry, name+"="); found {
			return value
		}
	}
	return ""
}
