package ui

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"varview/decoder"
	"varview/decoder/engine/format"
	"varview/internal/state"
	"varview/model"
	"varview/model/bytesize"
	"varview/model/paths"
	"varview/themes"
	"varview/ui/action"
	"varview/ui/dialog"
	"varview/ui/find"
)

// maxOffered is the largest number of candidates that are offered.
const maxOffered = 200

// complete offers what could follow after ":".
func (c *commandLine) complete(typed string) dialog.Offer {
	name, arg, isArg := strings.Cut(typed, " ")
	switch {
	case isArg:
		x := c.command(name)
		if x == nil || x.completes == nil {
			return nil
		}
		trimmed := strings.TrimLeft(arg, " ")
		return shifted(x.completes(c, trimmed), len(typed)-len(trimmed))
	case name != "" && strings.ContainsRune("$.[", rune(name[0])):
		return c.paths(name)
	}
	return c.names(name)
}

// offered returns an offer of the candidates that begin with the typed text.
func offered(typed string, from int, all []dialog.Candidate) dialog.Offer {
	return func(context.Context) dialog.Completion {
		lower := strings.ToLower(typed)
		fits := slices.DeleteFunc(all, func(c dialog.Candidate) bool { return !strings.HasPrefix(strings.ToLower(c.Text), lower) })
		return dialog.Completion{From: from, All: fits[:min(len(fits), maxOffered)]}
	}
}

// names offers the names of commands.
func (c *commandLine) names(typed string) dialog.Offer {
	var all []dialog.Candidate
	for _, x := range c.described() {
		name := x.names[0]
		for _, n := range x.names {
			if !strings.HasPrefix(name, typed) && strings.HasPrefix(n, typed) {
				name = n
			}
		}
		all = append(all, dialog.Candidate{Text: name, Args: x.args, Help: x.does})
	}
	slices.SortStableFunc(all, func(a, b dialog.Candidate) int { return cmp.Compare(a.Text, b.Text) })
	return offered(typed, 0, all)
}

// places offers paths in the buffer, and marks after "'".
func (c *commandLine) places(typed string) dialog.Offer {
	if name, isMark := strings.CutPrefix(typed, "'"); isMark {
		return shifted(c.marks(name), 1)
	}
	return c.paths(typed)
}

// marks offers the marks in the file.
func (c *commandLine) marks(typed string) dialog.Offer {
	return offered(typed, 0, candidates(c.State.Data().MarksOf(c.Doc.Path()), func(m state.Mark) dialog.Candidate {
		return dialog.Candidate{Text: m.Name, Help: find.PlaceOf(m)}
	}))
}

// buffers offers the numbers of the buffers.
func (c *commandLine) buffers(typed string) dialog.Offer {
	return offered(typed, 0, candidates(c.Doc.Buffers, func(b *model.Buffer) dialog.Candidate {
		return dialog.Candidate{Text: strconv.Itoa(b.Number), Help: b.Title()}
	}))
}

// paths offers paths in the buffer.
func (c *commandLine) paths(typed string) dialog.Offer {
	return c.found("", func(ctx context.Context, b *model.Buffer) []paths.Path {
		return paths.Continuing(ctx, b, typed, maxOffered)
	})
}

// found offers the paths that seek finds in the buffer, first those that fit best what was typed.
func (c *commandLine) found(typed string, seek func(context.Context, *model.Buffer) []paths.Path) dialog.Offer {
	b := c.Explorer.Buffer
	if b.IsWrapper() {
		return nil
	}
	return func(ctx context.Context) (x dialog.Completion) {
		for _, p := range seek(ctx, b) {
			x.All = append(x.All, dialog.Candidate{Text: p.Path, Also: p.Path, Help: strings.TrimSpace(p.Type + "  " + strings.TrimPrefix(p.Value, p.Type))})
		}
		x.All = fitting(x.All, typed)
		return x
	}
}

// assignment offers the path before "=", and the current value after it.
func (c *commandLine) assignment(typed string) dialog.Offer {
	path, rest, hasValue := strings.Cut(typed, "=")
	if !hasValue {
		return c.paths(typed)
	}
	b := c.Explorer.Buffer
	if rest != "" || b.IsWrapper() {
		return nil
	}
	return func(ctx context.Context) (x dialog.Completion) {
		x.From = len(typed)
		for _, p := range paths.Continuing(ctx, b, path, maxOffered) {
			if p.Path == path && !strings.Contains(p.Value, "…") {
				x.All = append(x.All, dialog.Candidate{Text: p.Value, Help: "as it is"})
			}
		}
		return x
	}
}

// files offers files and folders.
func (c *commandLine) files(typed string) dialog.Offer { return filesIn(typed) }

// nearFiles offers files for a command that reads them, also those beside the open file.
func (c *commandLine) nearFiles(typed string) dialog.Offer {
	return filesIn(typed, filepath.Dir(c.Doc.Named()))
}

// filesIn offers the files that begin with what is typed, also in other folders than the working one.
func filesIn(typed string, others ...string) dialog.Offer {
	return func(context.Context) dialog.Completion {
		folder, base := filepath.Split(typed)
		entries, _ := os.ReadDir(cmp.Or(folder, "."))
		for _, dir := range others {
			more, _ := os.ReadDir(filepath.Join(dir, folder))
			entries = append(entries, more...)
		}
		var all []dialog.Candidate
		for _, e := range entries {
			switch {
			case !strings.HasPrefix(e.Name(), base), strings.HasPrefix(e.Name(), ".") && base == "":
			case slices.ContainsFunc(all, func(c dialog.Candidate) bool {
				return strings.TrimSuffix(c.Text, string(filepath.Separator)) == folder+e.Name()
			}):
			case e.IsDir():
				all = append(all, dialog.Candidate{Text: folder + e.Name() + string(filepath.Separator), Help: "folder"})
			default:
				help := ""
				if info, err := e.Info(); err == nil {
					help = bytesize.Format(info.Size())
				}
				all = append(all, dialog.Candidate{Text: folder + e.Name(), Help: help})
			}
		}
		return dialog.Completion{All: all[:min(len(all), maxOffered)]}
	}
}

// exports offers a file and the forms of an export.
func (c *commandLine) exports(typed string) dialog.Offer {
	return c.fileAnd(typed, []dialog.Candidate{
		{Text: "--text", Help: "the values as text, in the notation that is typed"},
		{Text: "--typed", Help: "JSON that loses nothing, of Elephant's files"},
	})
}

// fileAnd offers a file, and options before and after it.
func (c *commandLine) fileAnd(typed string, options []dialog.Candidate) dialog.Offer {
	at := strings.LastIndexByte(typed, ' ') + 1
	if word := typed[at:]; strings.HasPrefix(word, "-") {
		return offered(word, at, options)
	}
	if at > 0 {
		return nil
	}
	return c.files(typed)
}

// shifted returns an offer for text that begins by bytes later.
func shifted(offer dialog.Offer, by int) dialog.Offer {
	if offer == nil {
		return nil
	}
	return func(ctx context.Context) dialog.Completion {
		x := offer(ctx)
		x.From += by
		return x
	}
}

// types offers the types that the selected value can have.
func (c *commandLine) types(typed string) dialog.Offer {
	n := c.Explorer.Subject()
	if n == nil || n.Depth == 0 {
		return nil
	}
	return offered(typed, 0, plainly(c.Explorer.Types(n)...))
}

// plainly returns words as candidates without help.
func plainly(all ...string) []dialog.Candidate {
	return candidates(all, func(w string) dialog.Candidate { return dialog.Candidate{Text: w} })
}

// candidates returns things as candidates.
func candidates[T any](all []T, as func(T) dialog.Candidate) (offered []dialog.Candidate) {
	for _, x := range all {
		offered = append(offered, as(x))
	}
	return offered
}

// dialects offers dialects, and a framing after one.
func (c *commandLine) dialects(typed string) dialog.Offer {
	if at := strings.IndexByte(typed, ' ') + 1; at > 0 {
		return offered(typed[at:], at, plainly("raw", "stream", "sequence"))
	}
	return offered(typed, 0, choices(decoder.Dialects()))
}

// choices returns dialects as candidates.
func choices(all []*format.Dialect) []dialog.Candidate {
	return candidates(all, func(d *format.Dialect) dialog.Candidate { return dialog.Candidate{Text: d.Name, Help: d.Title} })
}

// conversions offers dialects, and after one a file and what to do with values that the dialect lacks.
func (c *commandLine) conversions(typed string) dialog.Offer {
	to, rest, isFile := strings.Cut(typed, " ")
	if !isFile {
		return offered(typed, 0, choices(decoder.ConversionTargets(c.Doc.Dialect)))
	}
	return shifted(c.fileAnd(rest, []dialog.Candidate{
		{Text: "--drop", Help: "leave out what the dialect does not have"},
		{Text: "--as-null", Help: "put null in its place"},
		{Text: "--as-dictionary", Help: "put a dictionary with its parts in its place"},
	}), len(to)+1)
}

// colours offers themes.
func (c *commandLine) colours(typed string) dialog.Offer {
	return offered(typed, 0, plainly(themes.Names()...))
}

// topics offers what :help explains.
func (c *commandLine) topics(typed string) dialog.Offer {
	commands := candidates(c.described(), func(x command) dialog.Candidate {
		return dialog.Candidate{Text: x.names[0], Args: x.args, Help: x.does}
	})
	return offered(typed, 0, append(commands, candidates(c.Actions, candidate)...))
}

// candidate returns an action as a candidate.
func candidate(e action.Entry) dialog.Candidate {
	return dialog.Candidate{Text: string(e.Action), Args: e.Shown(), Help: e.Help}
}

// terms offers the prefixes of a query, and types after type:.
func (c *commandLine) terms(typed string) dialog.Offer {
	at := strings.LastIndexAny(typed, " |(-") + 1
	if name, isType := strings.CutPrefix(typed[at:], "type:"); isType {
		return shifted(c.types(name), at+len("type:"))
	}
	return offered(typed[at:], at, []dialog.Candidate{
		{Text: "key:", Help: "in a key or name only"}, {Text: "value:", Help: "in a value only"},
		{Text: "type:", Help: "values of a type: type:Vector3, type:Packed*"}, {Text: "path:", Help: "values whose path fits: path:*.hp"},
		{Text: "has:problem", Help: "values of which something is reported"}, {Text: "x:", Help: "bytes: x:1b 00 ?? ff"},
	})
}
