package saves

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"varview/decoder"
	"varview/decoder/engine/span"
	"varview/model"
	"varview/model/explore"
)

// A Look is what a file contains, at a glance.
type Look struct {
	Title    string   // "Godot 4", "PNG picture"
	IsSave   bool     // nothing suggests that it is something else
	IsSure   bool     // it is certainly a save
	IsWeak   bool     // it can be read, but neither its bytes nor its name suggest a save
	IsLocked bool     // it is encrypted
	Problems string   // errors and warnings: "2 problems", or "problems" if they are not counted; for a large file, only in its beginning
	Rows     []string // the first values
	Err      error
}

const (
	unpackAtMost = 4 << 20 // bytes of a packed file
	readAtMost   = 2 << 30 // the same of a capture, where it is bytes of messages, in the unit of decoder.Options.Defer
	checkAtMost  = 8 << 20 // bytes of a file that is read completely
)

// IsNamed reports whether a name is one that games give their saves.
func IsNamed(path string) bool {
	name := strings.ToLower(filepath.Base(path))
	return slices.ContainsFunc([]string{"save", "slot", "profile", "progress", "player", ".sav", ".dat"}, func(part string) bool { return strings.Contains(name, part) })
}

// LookInto opens a file and looks at its first values, each cut to width bytes.
func LookInto(ctx context.Context, path string, rows, width int) (l Look) {
	options := model.Options{ReadOnly: true, Bound: true, Options: decoder.Options{Defer: unpackAtMost}}
	doc, err := model.Open(ctx, path, options)
	if err == nil && doc.Missing == nil && doc.IsDeferred() && doc.Size() <= checkAtMost { // of a capture more can be read
		doc.Close()
		options.Defer = readAtMost
		doc, err = model.Open(ctx, path, options)
	}
	if err != nil {
		return Look{Err: err}
	}
	defer doc.Close()
	l.Title, l.IsLocked = doc.Title, doc.IsLocked()
	if l.IsSave = !doc.IsForeign() && doc.Size() > 0; l.IsSave {
		l.judge(doc, path)
	}
	if doc.Size() == 0 {
		l.Title = "empty file"
	}
	buffer := doc.Innermost()
	if buffer.Size() <= checkAtMost {
		l.Problems = countProblems(ctx, doc)
	}
	if doc.Missing != nil || doc.IsForeign() {
		return l
	}
	if l.Rows = firstRows(buffer, rows, width); doc.IsDeferred() {
		l.Rows = append(l.Rows[:min(len(l.Rows), rows-1)], "…  this is only the beginning")
	}
	return l
}

// countTime is how long a look may take to find causes. Tests give it more, for a busy machine.
var countTime = time.Second

// countProblems counts the problems of a document as the program does once it is open: a cause counts, and not what follows
// from it. If finding that out takes long, it only says that there are some.
func countProblems(ctx context.Context, doc *model.Document) string {
	for _, b := range slices.Backward(doc.Buffers) {
		if b.Index(ctx) != nil {
			return ""
		}
	}
	ctx, stop := context.WithTimeout(ctx, countTime)
	defer stop()
	b := doc.Innermost()
	isCounted := !doc.IsDeferred() && (!b.NeedsDiagnosis() || b.Diagnose(ctx) == nil)
	switch n := doc.ProblemCount(span.Warning); {
	case n == 0:
		return ""
	case !isCounted:
		return "problems"
	default:
		return span.Counted(int64(n), "problem")
	}
}

// judge sets how sure it is that a file is a save.
func (l *Look) judge(doc *model.Document, path string) {
	isNote := strings.EqualFold(filepath.Ext(path), ".txt") && doc.Missing == nil // as beside pictures and programs
	isClear := doc.Missing != nil || doc.Confidence != decoder.Weak
	l.IsSure = isClear && (!doc.IsCommon() && !isNote || IsNamed(path))
	l.IsWeak = doc.Missing == nil && (isNote || !isClear) && !IsNamed(path)
}

// firstRows returns the first values of a buffer, as they are shown.
func firstRows(buffer *model.Buffer, rows, width int) (all []string) {
	x := explore.New(buffer)
	x.SetHeight(rows)
	found, _ := x.Rows(width)
	for _, r := range found {
		line := strings.Repeat("  ", r.Indent) + r.Label + "  " + r.Value
		if r.Value == "" || r.Preview != "" {
			line += " " + r.Preview
		}
		all = append(all, line)
	}
	return all
}
