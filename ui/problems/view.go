package problems

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"varview/decoder/diagnose"
	"varview/decoder/engine/span"
	"varview/internal/text"
	"varview/model"
	"varview/model/diff"
	"varview/model/records"
	"varview/themes"
	"varview/ui/action"
	"varview/ui/dialog"
	"varview/ui/edits"
	"varview/ui/jobs"
	"varview/ui/paint"
)

// severities are the severities, worst first.
var severities = []span.Severity{span.Error, span.Warning, span.Note}

// heading counts the listed problems, and names the hidden severities.
func (p *Pane) heading(width int) [][]paint.Piece {
	pieces := []paint.Piece{paint.Plain(" ")}
	if p.all.Problems() == 0 && p.all.Whole && p.Doc.Missing == nil {
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
		state = fmt.Sprintf("%s of %s ", span.Grouped(int64(p.At+1)), span.Grouped(int64(n)))
	}
	if slices.ContainsFunc(p.Doc.Buffers, func(b *model.Buffer) bool { return p.all.IsUnconfirmed(b) && b.ProblemCount(span.Note) > 0 }) {
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
	return [][]paint.Piece{pieces}
}

// measure makes room for the places of the problems in view.
func (p *Pane) measure(from, to, _ int) {
	for _, i := range p.shown[from:to] {
		p.widest = max(p.widest, text.Width(p.whereOf(i)))
	}
}

// empty explains why nothing is listed.
func (p *Pane) empty() string {
	switch share, _ := p.Doc.Indexed(); {
	case !p.all.IsEmpty():
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

// row draws a problem after the mark of a selected row: its severity, whether it can be repaired, its place and its message.
func (p *Pane) row(row, width int) []paint.Piece {
	i := p.shown[row]
	f, can := &p.all.All[i], " "
	if p.all.CanRepair(f) {
		can = "r"
	}
	key, message := themes.Key, themes.Role("")
	if p.all.IsUnconfirmed(f.Buffer) {
		key, message = themes.Dim, themes.Dim
	}
	pieces := []paint.Piece{paint.In(paint.SeverityRoles[f.Severity], paint.SeverityMarks[f.Severity]+" ")}
	if len(p.Doc.Buffers) > 1 {
		pieces = append(pieces, paint.In(themes.Dim, fmt.Sprintf("%d ", f.Buffer.Number)))
	}
	pieces = append(pieces, paint.In(themes.Dim, fmt.Sprintf("%08x ", f.Offset)), paint.In(themes.Accent, can+" "))
	said := f.Message
	if n := p.alike[i]; n > 1 {
		said = "×" + span.Grouped(int64(n)) + " " + said
	}
	column := min(p.widest, 32, max(8, (width-paint.Columns(pieces))/3))
	return append(pieces, paint.In(key, text.FitLeft(p.whereOf(i), column)+"  "), paint.In(message, text.Head(said, width)))
}

// neededLines returns the number of lines of a width in which all that is known of a problem is shown, at most of those that were
// selected, or of the sentence in place of a list.
func (p *Pane) neededLines(width int) int {
	f, ok := p.Selected()
	if !ok {
		return len(text.Wrap(p.empty(), width))
	}
	n := len(f.Alternatives) + 1
	own := len(p.detailPieces(f, room{width, mostDetails, 4, true, n > 1}))
	if n > 1 {
		own = max(own+1, roomForCauses) + n
	}
	return max(own, p.details)
}

// viewDetails draws what is known of the selected problem, and what its repair would change, or the sentence in place of a list.
func (p *Pane) viewDetails(width int) [][]paint.Piece {
	var all, causes [][]paint.Piece
	rows, height := p.FootLines, min(p.FootLines, max(leastDetails, p.details))
	r := room{width - 1, height, height, true, false}
	f, ok := p.Selected()
	if role := themes.Dim; !ok {
		if p.lost() != "" {
			role = themes.Warning
		}
		all = r.say("", p.empty(), role)
	} else {
		causes = p.causePieces(f, width, height)
		r.height, r.listed = height-len(causes), len(causes) > 0
		// The preview gets at least a line; long sentences are cut for it, and what
		// the engine does is left out.
		for _, most := range []int{4, 2, 1, 0} {
			r.most, r.all = max(1, most), most > 0
			if all = p.detailPieces(f, r); len(all) <= r.height {
				break
			}
		}
	}
	lines := make([][]paint.Piece, rows)
	copy(lines, all[:min(len(all), r.height)])
	copy(lines[height-len(causes):], causes)
	for i := range lines {
		lines[i] = append([]paint.Piece{paint.Plain(" ")}, lines[i]...)
	}
	return lines
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
	choose := fmt.Sprintf("cause %d of %d, h and l choose", at+1, n)
	if f.Code == span.MergeConflict {
		choose = fmt.Sprintf("side %d of %d, h and l choose; m merges both by values", at+1, n)
	}
	lines := [][]paint.Piece{{paint.In(themes.Dim, choose)}}
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
		say("", "not counted: "+span.Counted(int64(n), "more problem")+" caused by it", themes.Dim)
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
	case p.all.IsUnconfirmed(b):
		return [][]paint.Piece{{paint.In(themes.Dim, "checking…")}}
	case f.Repair == "" && records.Of(p.Doc.Innermost().Tree()) != nil:
		return nil // what was sent is as it is
	case f.Repair == "":
		return [][]paint.Piece{{paint.In(themes.Dim, "no repair is known; "+cmp.Or(p.Copy(), "r takes an intact copy, if there is one"))}}
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
	k := action.Keys{Table: p.KeyMap.Table}
	if f, ok := p.Selected(); ok {
		_, cause, _ := p.shownCause()
		canEdit := p.Doc.CanEdit(f.Buffer) == nil
		k.Add(canEdit && cause.Repair != "" && !p.all.IsUnconfirmed(f.Buffer), "", action.Repair)
		k.Add(cause.Repair == "" && p.Copy() != "", "take the copy", action.Repair)
		k.Add(canEdit && f.Code == span.MergeConflict, "", action.MergeSides)
		k.Add(canEdit && p.repairable > 1, "", action.RepairAll)
		k.Add(true, "", action.GoThere)
		k.Add(len(f.Alternatives) > 0, "cause", action.PreviousCause, action.NextCause)
	}
	k.Add(p.Task.Shows(), "", action.Cancel)
	k.Add(p.Doc.IsModified(), "", action.Undo, action.Save)
	k.Add(!p.all.IsEmpty(), "filter", action.ShowErrors, action.ShowWarnings, action.ShowNotes)
	k.Add(!p.all.IsEmpty(), "move", action.Down, action.Up)
	k.Add(true, "", action.Help, action.CloseList)
	return paint.BottomKeys(k.All, p.Width)
}

// A preview is what a repair would change.
type preview struct {
	ready   bool
	changes []model.ByteChange
	drops   string
	err     error
}

// previewed identifies the subject of a preview.
type previewed struct {
	all       *model.Listed
	at, cause int
}

// previewDelay is how long a problem must be selected before its repair is worked out,
// so that moving through a list costs nothing.
const previewDelay = 40 * time.Millisecond

// startPreview works out in the background what the repair of the selected problem would change, unless
// that is known.
func (p *Pane) startPreview() tea.Cmd {
	b, f, ok := p.shownCause()
	is := previewed{p.all, -1, p.cause}
	if ok {
		is.at = p.shown[p.At]
	}
	if is == p.previewed {
		return nil
	}
	p.Preview.Stop()
	p.previewed, p.preview = is, preview{}
	if !ok || f.Repair == "" || f.As != "" || p.all.IsUnconfirmed(b) {
		p.preview.ready = true
		return nil
	}
	doc, intention, wait := p.Doc, p.Explorer.Repair(f), p.Delay
	return p.Start(&p.Preview, "working out a repair", func(ctx context.Context, _ *model.Progress) func() tea.Cmd {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(wait):
		}
		v := newPreview(ctx, doc, b, intention)
		return func() tea.Cmd {
			p.preview = v
			p.Program.Arrange()
			return nil
		}
	})
}

func newPreview(ctx context.Context, doc *model.Document, b *model.Buffer, in model.Intention) preview {
	v := preview{ready: true}
	p, err := doc.Prepare(ctx, b, in)
	if err == nil {
		v.changes, err = p.Preview()
		v.drops = p.Loss()
	}
	v.err = err
	return v
}

// repair repairs the selected problem, with the shown cause.
func (p *Pane) repair() tea.Cmd {
	b, f, ok := p.shownCause()
	switch {
	case !ok:
		return nil
	case p.all.IsUnconfirmed(b):
		return p.Say(stillChecking)
	case f.Repair == "" && f.Severity == span.Error:
		return p.Program.Do(action.TakeBackup)
	case f.Repair == "":
		return p.Say("no repair is known; enter goes there, to edit it")
	case f.As != "":
		return p.Say(readFirst(&f))
	}
	p.chosen()
	p.ShowBuffer(b)
	r := edits.Request{Intention: p.Explorer.Repair(f)}
	lost := ""
	r.Done = func() { p.Doc.NoteLost(lost) }
	r.Ask = func(prepared *model.Prepared) bool {
		if lost = prepared.Loss(); lost == "" {
			lost = text.Clean(prepared.Fewer())
			return false
		}
		return p.askRepair(r, "repair it, and lose "+lost+"?")
	}
	return p.Edits.Make(r)
}

// lost says what the repairs that were made could not keep; "" if that is nothing.
func (p *Problems) lost() string {
	all := p.Doc.Lost()
	if len(all) == 0 {
		return ""
	}
	return "Lost by repairs: " + strings.Join(all, "; ") + ". "
}

// readFirst says how a cause in another dialect can be repaired.
func readFirst(f *diagnose.Diagnosis) string {
	return "to repair this, first read the file so: :as " + f.As
}

// stillChecking is the message if a repair has to wait for the check.
const stillChecking = "still checking: what is listed can be repaired once the check confirms it"

// repairAll repairs all shown problems in the buffer of the selected one.
func (p *Pane) repairAll() tea.Cmd {
	f, ok := p.Selected()
	if !ok {
		return nil
	}
	if p.all.IsUnconfirmed(f.Buffer) {
		return p.Say(stillChecking)
	}
	b, hidden := f.Buffer, p.hidden
	only := func(f *diagnose.Diagnosis) bool { return !hidden[f.Severity] && !f.Guess && !f.Unsure }
	if list, _ := b.Problems(); len(b.Together(list, only)) == 0 {
		return p.Say("no repair is known for any of these, or none is likelier than another; r repairs the selected one")
	}
	p.ShowBuffer(b)
	made, left, lost := 0, 0, ""
	r := edits.Request{Intention: p.Explorer.RepairAll(b, only, &made, &left)}
	r.Done = func() { p.Doc.NoteLost(lost) }
	r.Ask = func(prepared *model.Prepared) bool {
		text := fmt.Sprintf("repair all %s?", span.Grouped(int64(made)))
		switch {
		case left > 0:
			text = fmt.Sprintf("repair %s, and leave %s?", span.Counted(int64(made), "problem"), span.Grouped(int64(left)))
		case made == 1:
			text = "repair it?"
		}
		if lost = prepared.Loss(); lost != "" {
			text += " This loses " + lost + "."
		} else {
			text += " Nothing that can be read is lost."
		}
		return p.askRepair(r, text)
	}
	return p.Edits.Make(r)
}

// mergeSides keeps the side of this file in all conflicts that git has left, and merges the other one by values.
func (p *Pane) mergeSides() tea.Cmd {
	f, ok := p.Selected()
	if !ok || f.Code != span.MergeConflict {
		return p.Say("the selected problem is no conflict that git has left")
	}
	doc, made, left := p.Doc, 0, 0
	isConflict := func(f *diagnose.Diagnosis) bool { return f.Code == span.MergeConflict }
	return p.Start(&p.Task, "looking for the base", jobs.Then(p.Report, func(ctx context.Context, progress *model.Progress) (*diff.Merge, error) {
		x, err := diff.OpenMerge(ctx, doc, diff.GitBase, diff.GitTheirs, progress)
		if err != nil {
			err = fmt.Errorf("what both sides come from is needed, which git has while a merge goes on; without it one side can be kept: %w", err)
		}
		return x, err
	}, func(x *diff.Merge) tea.Cmd {
		x.Close()
		p.ShowBuffer(f.Buffer)
		return p.Edits.Make(edits.Request{Intention: p.Explorer.RepairAll(f.Buffer, isConflict, &made, &left), Done: func() { p.leave(true) }, Then: action.MergeSides})
	}))
}

// askRepair asks before a repair is made.
func (p *Pane) askRepair(r edits.Request, text string) (asked bool) {
	p.Ask(text, "nothing was changed", dialog.Answer{Key: "y", Does: "repair", Run: func() tea.Cmd {
		r.Ask = nil
		return p.Edits.Make(r)
	}})
	return true
}
