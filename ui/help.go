package ui

import (
	"varview/decoder/span"
	"varview/themes"
	"varview/ui/action"
	"varview/ui/paint"
	"varview/ui/text"
)

// helpLines are the help: made from the actions, the commands and the field kinds.
func helpLines(actions action.Table, commands []command) (lines [][]paint.Piece) {
	say := func(pieces ...paint.Piece) { lines = append(lines, pieces) }
	for i, e := range actions {
		if i == 0 || actions[i-1].Group != e.Group {
			if i > 0 {
				say()
			}
			say(paint.In(themes.Title, string(e.Group)))
		}
		say(paint.In(themes.Accent, "  "+text.Fit(e.Shown(), 12)), paint.Plain(e.Help))
	}
	say()
	say(paint.In(themes.Title, "Commands"))
	for _, c := range commands {
		if c.does == "" {
			continue
		}
		say(paint.In(themes.Accent, "  :"+c.names[0]+" "), paint.In(themes.Dim, text.Fit(c.args, 25-len(c.names[0]))), paint.Plain(c.does))
	}
	say()
	say(paint.In(themes.Title, "Bytes: each field begins with the mark of its kind"))
	for _, kind := range span.Kinds() {
		role := themes.Role(kind.String())
		say(paint.In(role, "  "+string(kind.Mark())+"  "), paint.In(role, text.Fit(kind.String(), 12)), paint.Plain(kind.Meaning()))
	}
	say(paint.In(themes.Accent, "  [ ] "), paint.Plain("around the selected value"))
	say(paint.In(themes.Accent, "  |   "), paint.Plain("the place of a selected value without bytes"))
	say(paint.In(themes.Gap, "  ··  "), paint.Plain("a byte that could not be unpacked"))
	say(paint.In(themes.Changed, "  •   "), paint.Plain("differs from the file, also in the tree"))
	say(paint.In(themes.Error, "  ✗–  "), paint.Plain("a problem, from its first byte on; after the last byte, missing bytes"))
	say()
	say(paint.In(themes.Title, "Tree, and the list of problems"))
	for _, sev := range []span.Severity{span.Error, span.Warning, span.Note} {
		say(paint.In(paint.SeverityRoles[sev], "  "+paint.SeverityMarks[sev]+"  "), paint.In(paint.SeverityRoles[sev], text.Fit(sev.String(), 12)), paint.Plain(severityMeanings[sev]))
	}
	say(paint.In(themes.Accent, "  r  "), paint.Plain("in the list: a repair is known"))
	return lines
}

var severityMeanings = map[span.Severity]string{
	span.Error:   "the engine refuses the value or misreads it",
	span.Warning: "it loads, but is unusual",
	span.Note:    "worth knowing: objects, scripts, ids",
}
