package problems

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"

	"varview/decoder/diagnose"
	"varview/decoder/engine/span"
	"varview/internal/text"
	"varview/model"
	"varview/model/records"
	"varview/themes"
	"varview/ui/action"
	"varview/ui/dialog"
	"varview/ui/paint"
)

// severities are the severities, worst first.
var severities = []span.Severity{span.Error, span.Warning, span.Note}

// Room implements dialog.Roomed.
func (p *Pane) Room() action.Rooms { return action.Problems }

// Place implements dialog.Dialog.
func (p *Pane) Place() dialog.Place { return dialog.PlaceOf(p.Taken()) }

// Taken implements dialog.Low.
func (p *Pane) Taken() int {
	if p.Layout.Docked {
		return p.Layout.Rows
	}
	return 0
}

// View draws the list of problems and the details of the selected one.
func (p *Pane) View() []string {
	l, width := &p.Layout, p.Width-2
	border, side := p.Styles.In(themes.Border, "│"), p.Styles.Frame(true, "│")
	var lines []string
	put := func(all ...string) {
		for _, line := range all {
			lines = append(lines, side+line+side)
		}
	}
	put(p.heading(width))
	list, details := p.rows(l.listWidth, l.List), p.viewDetails(l.detailsWidth, l.details)
	if l.beside {
		for i := range list {
			put(list[i] + border + details[i])
		}
		return lines
	}
	put(list...)
	if l.details == 0 {
		return lines
	}
	lines = append(lines, p.Styles.Frame(true, "├")+p.Styles.In(themes.Border, strings.Repeat("─", width))+p.Styles.Frame(true, "┤"))
	put(details...)
	return lines
}

// heading counts the listed problems, and names the hidden severities.
func (p *Pane) heading(width int) string {
	pieces := []paint.Piece{paint.Plain(" ")}
	if p.all.problems() == 0 && p.all.Whole && p.Doc.Missing == nil {
		pieces = append(pieces, paint.In(themes.Title, "no problems found  "))
	}
	for _, s := range severities {
		n := p.all.By[s]
		if n == 0 && !p.hidden[s] {
			continue
		}
		count, role := paint.SeverityMarks[s]+" "+span.Counted(int64(n), s.String()), paint.SeverityRoles[s]
		if p.hidden[s] {
			count, role = count+" hidden", themes.Dim
		}
		pieces = append(pieces, paint.In(role, count+"  "))
	}
	if len(p.shown) > 0 {
		pieces = append(pieces, paint.In(themes.Warning, p.lost()))
	}
	state, left := "", width-paint.Columns(pieces)
	if n := len(p.shown); n > 0 {
		state = fmt.Sprintf("%s of %s ", span.Grouped(int64(p.at+1)), span.Grouped(int64(n)))
	}
	if slices.ContainsFunc(p.all.All, func(x model.BufferProblem) bool { return p.all.unconfirmed[x.Buffer] }) {
		state = "checking… · " + state
	}
	if more := p.all.More; more > 0 {
		if longer := fmt.Sprintf("%s more are not listed · %s", span.Grouped(int64(more)), state); text.Width(longer) < left {
			state = longer
		}
	}
	if text.Width(state) < left {
		pieces = append(pieces, paint.In(themes.Dim, strings.Repeat(" ", left-text.Width(state))+state))
	}
	return p.Styles.Line(pieces, width, false)
}

// rows draws the rows of the list in view, or a message if there are none.
func (p *Pane) rows(width, height int) []string {
	var lines []string
	end := min(len(p.shown), p.First+height)
	for i := p.First; i < end; i++ {
		p.widest = max(p.widest, text.Width(p.whereOf(p.shown[i])))
	}
	for i := p.First; i < end; i++ {
		lines = append(lines, p.row(p.shown[i], i == p.at, width))
	}
	if len(p.shown) == 0 {
		role := themes.Dim
		if p.lost() != "" {
			role = themes.Warning
		}
		lines = p.Styles.Paragraph(role, p.empty(), width)
	}
	return text.Fill(lines, width, height)
}

// empty explains why nothing is listed.
func (p *Pane) empty() string {
	switch share, _ := p.Doc.Indexed(); {
	case !p.all.isEmpty():
		return "All problems are hidden: e, w and n show errors, warnings and notes again."
	case !p.all.Whole:
		return fmt.Sprintf("No problems found so far. %.0f%% of the file is read.", 100*share)
	case p.Doc.Missing != nil:
		return "No problems found in the part that could be read. " + text.Sentence(p.Doc.WhyMissing().Message)
	}
	if records.Of(p.Doc.Innermost().Tree()) != nil {
		return "Nothing is wrong with what was sent, nor with the connections."
	}
	return strings.TrimSpace(p.lost() + "Every byte is as the engine expects it.")
}

// whereOf returns the place of a problem as it is listed.
func (p *Pane) whereOf(i int) string {
	if _, ok := p.where[i]; !ok {
		p.where[i] = text.Clean(whereIs(&p.all.All[i]))
	}
	return p.where[i]
}

// row draws a problem in exactly width columns: its severity, whether it can
// be repaired, its place and its message.
func (p *Pane) row(i int, selected bool, width int) string {
	f := &p.all.All[i]
	mark, can := " ", " "
	if selected {
		mark = "›"
	}
	if p.all.canRepair(f) {
		can = "r"
	}
	key, message := themes.Key, themes.Role("")
	if p.all.unconfirmed[f.Buffer] {
		key, message = themes.Dim, themes.Dim
	}
	pieces := []paint.Piece{paint.In(paint.SeverityRoles[f.Severity], paint.SeverityMarks[f.Severity]), paint.In(themes.Accent, mark+" ")}
	if len(p.Doc.Buffers) > 1 {
		pieces = append(pieces, paint.In(themes.Dim, fmt.Sprintf("%d ", f.Buffer.Number)))
	}
	pieces = append(pieces, paint.In(themes.Dim, fmt.Sprintf("%08x ", f.Offset)), paint.In(themes.Accent, can+" "))
	said := f.Message
	if n := p.alike[i]; n > 1 {
		said = "×" + span.Grouped(int64(n)) + " " + said
	}
	column := min(p.widest, 32, max(8, (width-paint.Columns(pieces))/3))
	pieces = append(pieces, paint.In(key, text.FitLeft(p.whereOf(i), column)+"  "), paint.In(message, text.Head(said, width)))
	return p.Styles.Line(pieces, width, selected)
}

// neededLines returns the number of lines in which all that is known of a problem is shown, at most of those that were
// selected, or of the sentence in place of a list.
func (p *Pane) neededLines() int {
	f, ok := p.Selected()
	switch {
	case p.all == nil || p.Layout.listWidth == 0, ok && p.Layout.detailsWidth == 0: // it has not been laid out
		return 0
	case !ok:
		return len(p.Styles.Paragraph("", p.empty(), p.Layout.listWidth))
	}
	n := len(f.Alternatives) + 1
	own := len(p.detailPieces(f, room{p.Layout.detailsWidth, mostDocked, 4, true, n > 1}))
	if n > 1 {
		own = max(own+1, roomForCauses) + n
	}
	return max(own, p.details)
}

// viewDetails draws what is known of the selected problem, and what its repair
// would change, in exactly height lines.
func (p *Pane) viewDetails(width, height int) []string {
	var all, causes [][]paint.Piece
	rows := height
	height = min(height, max(leastDetails, p.details))
	if f, ok := p.Selected(); ok {
		causes = p.causePieces(f, width, height)
		height := height - len(causes)
		// The preview gets at least a line; long sentences are cut for it, and what
		// the engine does is left out.
		for _, most := range []int{4, 2, 1, 0} {
			r := room{width, height, max(1, most), most > 0, len(causes) > 0}
			if all = p.detailPieces(f, r); len(all) <= height {
				break
			}
		}
	}
	lines := make([]string, 0, height)
	for _, pieces := range all[:min(len(all), height)] {
		lines = append(lines, p.Styles.Line(append([]paint.Piece{paint.Plain(" ")}, pieces...), width, false))
	}
	lines = text.Fill(lines, width, height-len(causes))
	for _, pieces := range causes {
		lines = append(lines, p.Styles.Line(append([]paint.Piece{paint.Plain(" ")}, pieces...), width, false))
	}
	return text.Fill(lines, width, rows)
}

// roomForCauses is the number of lines of the details besides the causes.
const roomForCauses = 6

// causePieces lists the possible causes of a problem around the one that is shown, if there is room. They
// are always in the last lines that the details need.
func (p *Pane) causePieces(f *model.BufferProblem, width, height int) [][]paint.Piece {
	n, at := len(f.Alternatives)+1, p.cause
	rows := min(n, height-roomForCauses)
	if n < 2 || rows < 2 {
		return nil
	}
	first := max(0, min(at-rows/2, n-rows))
	lines := [][]paint.Piece{{paint.In(themes.Dim, fmt.Sprintf("cause %d of %d, h and l choose", at+1, n))}}
	for i := first; i < first+rows; i++ {
		cause, mark, role := &f.Diagnosis, " ", themes.Dim
		if i > 0 {
			cause = &f.Alternatives[i-1]
		}
		if i == at {
			mark, role = "›", ""
		}
		does, loses := cmp.Or(cause.Repair, cause.Message), ""
		if cause.Repair != "" && cause.As != "" {
			does = "if it is " + cause.Reading + ": " + does
		}
		if cause.Loss != "" {
			loses = "  loses " + cause.Loss
		}
		lines = append(lines, []paint.Piece{paint.In(themes.Accent, mark+" "), paint.In(role, text.Head(does, width)), paint.In(themes.Dim, text.Head(loses, width))})
	}
	return lines
}

// room is the space for the details.
type room struct {
	width, height int
	most          int  // lines of a sentence
	all           bool // optional lines are shown too
	listed        bool // the causes are listed below
}

// say returns a sentence after a label, in lines.
func (r *room) say(label, what string, role themes.Role) (lines [][]paint.Piece) {
	for i, line := range wrapped(label+what, r.width-2, r.most) {
		if rest, ok := strings.CutPrefix(line, label); ok && i == 0 && label != "" {
			lines = append(lines, []paint.Piece{paint.In(themes.Dim, label), paint.In(role, rest)})
		} else {
			lines = append(lines, []paint.Piece{paint.In(role, line)})
		}
	}
	return lines
}

// detailPieces returns the lines of the details.
func (p *Pane) detailPieces(s *model.BufferProblem, r room) [][]paint.Piece {
	_, f, _ := p.shownCause()
	lines := [][]paint.Piece{p.detailTitle(s, &f)}
	say := func(label, what string, role themes.Role) { lines = append(lines, r.say(label, what, role)...) }
	say("", f.Message, "")
	if f.As != "" {
		say("", readFirst(&f), themes.Note)
	}
	if f.Engine != "" && r.all {
		say("the engine: ", f.Engine, themes.Dim)
	}
	if n := f.Symptoms; n > 0 && r.all {
		say("", "explains "+span.Counted(int64(n), "more problem"), themes.Dim)
	}
	if len(s.Alternatives) > 0 && !r.listed {
		say("", fmt.Sprintf("possible cause %d of %d; h and l show the others", p.cause+1, len(s.Alternatives)+1), themes.Note)
	}
	return append(lines, p.repairPieces(s.Buffer, &f, r, r.height-len(lines))...)
}

// detailTitle returns the severity of a problem, its code and its place.
func (p *Pane) detailTitle(s *model.BufferProblem, f *diagnose.Diagnosis) []paint.Piece {
	where := fmt.Sprintf("before %#x", f.Offset)
	if f.Length > 0 {
		where = f.Span.String() + " · " + span.Bytes(f.Length)
	}
	title := []paint.Piece{paint.In(paint.SeverityRoles[f.Severity], paint.SeverityMarks[f.Severity]+" "+f.Severity.String()), paint.In(themes.Title, " "+f.Code), paint.In(themes.Dim, "  "+where)}
	if len(p.Doc.Buffers) > 1 {
		title = append(title, paint.In(themes.Dim, fmt.Sprintf(" · buffer %d", s.Buffer.Number)))
	}
	return title
}

// repairPieces describes a repair and shows what it would change, in at most most lines, but never fewer
// than it needs.
func (p *Pane) repairPieces(b *model.Buffer, f *diagnose.Diagnosis, r room, most int) [][]paint.Piece {
	v := &p.preview
	switch {
	case f.Repair == "" && f.Severity == span.Note: // no problem is selected
		return nil
	case p.all.unconfirmed[b]:
		return [][]paint.Piece{{paint.In(themes.Dim, "checking…")}}
	case f.Repair == "":
		return [][]paint.Piece{{paint.In(themes.Dim, "no repair is known")}}
	}
	lines := r.say("repair: ", f.Repair, themes.Accent)
	switch {
	case !v.ready:
		return append(lines, []paint.Piece{paint.In(themes.Dim, "…")})
	case v.err != nil:
		return append(lines, r.say("", "not possible: "+v.err.Error(), themes.Warning)...)
	}
	if v.drops != "" {
		lines = append(lines, r.say("", "this loses "+v.drops, themes.Warning)...)
	}
	left := max(1, most-len(lines))
	for i, c := range v.changes {
		switch rest := len(v.changes) - i; {
		case i == 0 && left == 1 && rest > 1:
			return append(lines, append([]paint.Piece{paint.In(themes.Dim, fmt.Sprintf("1 of %d: ", rest))}, changePieces(&c, r.width)...))
		case i == left-1 && rest > 1:
			return append(lines, []paint.Piece{paint.In(themes.Dim, "… and "+span.Counted(int64(rest), "other range"))})
		}
		lines = append(lines, changePieces(&c, r.width))
	}
	return lines
}

// changePieces shows bytes before and after a change, and what they are for.
func changePieces(c *model.ByteChange, width int) []paint.Piece {
	bytes := max(2, min(12, (width-34)/8)) // bytes of each that are shown
	was, is := paint.Bytes(c.Old, c.Was, bytes), paint.Bytes(c.New, c.At, bytes)
	if was, is, ok := c.Counts(); ok && is < was {
		return []paint.Piece{paint.In(themes.Dim, fmt.Sprintf("%08x  ", c.Was.Offset)), paint.In(themes.Warning, fmt.Sprintf("%d of %d are lost", was-is, was)),
			paint.In(themes.Dim, "  from "), paint.In(themes.Key, text.CutLeft(text.Clean(endOf(c.Path)), width/2))}
	}
	return []paint.Piece{
		paint.In(themes.Dim, fmt.Sprintf("%08x  ", c.Was.Offset)), paint.In(themes.Padding, was), paint.In(themes.Dim, " → "), paint.In(themes.Changed, is),
		paint.Plain("  " + text.Head(c.Field, width)), paint.In(themes.Dim, "  "+text.CutLeft(text.Clean(endOf(c.Path)), width/2)),
	}
}

// wrapped breaks a sentence into at most most lines, the last of which is cut.
func wrapped(s string, width, most int) []string {
	lines := text.Wrap(s, width)
	if len(lines) > most {
		lines[most-1] = text.Cut(strings.Join(lines[most-1:], " "), width)
		lines = lines[:most]
	}
	return lines
}

// Hints implements dialog.Hinting.
func (p *Pane) Hints() []paint.Piece {
	var keys []key.Help
	add := func(actions ...action.Action) { keys = append(keys, p.KeyMap.Hints(actions...)...) }
	if f, ok := p.Selected(); ok {
		_, cause, _ := p.shownCause()
		canEdit := p.Doc.CanEdit(f.Buffer) == nil
		if canEdit && cause.Repair != "" && !p.all.unconfirmed[f.Buffer] {
			add(action.Repair)
		}
		if canEdit && p.repairable > 1 {
			add(action.RepairAll)
		}
		add(action.GoThere)
		if len(f.Alternatives) > 0 {
			keys = append(keys, p.KeyMap.Hint("cause", action.PreviousCause, action.NextCause))
		}
	}
	if p.Task.Shows() {
		add(action.Cancel)
	}
	if p.Doc.IsModified() {
		add(action.Undo, action.Save)
	}
	if !p.all.isEmpty() {
		keys = append(keys, p.KeyMap.Hint("filter", action.ShowErrors, action.ShowWarnings, action.ShowNotes), p.KeyMap.Hint("move", action.Down, action.Up))
	}
	add(action.Help, action.CloseList)
	return paint.Keys(paint.FittingKeys(keys, paint.BottomRoom(p.Width)))
}
