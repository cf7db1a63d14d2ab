package env

import (
	"cmp"
	"context"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"varview/decoder/engine/openfile"
	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
	"varview/internal/text"
	"varview/model"
	"varview/model/paths"
)

const (
	maxCompletions = 200
	// completeWithin is how long completing a path may take while somebody waits for it.
	completeWithin = 200 * time.Millisecond
)

// CompletePaths completes an argument that begins with the path of a value in the file that is the first
// argument, and may also be the name of a further file. end is appended to the path of a value without
// parts; the names that the value may have follow it.
func (e *Env) CompletePaths(end string) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			if all := e.continued(cmd, args[0], typed, end); len(all) > 0 {
				return all, cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
			}
		}
		return nil, cobra.ShellCompDirectiveDefault
	}
}

// RegisterPath completes the path that is the value of a flag, once the file is given.
func (e *Env) RegisterPath(cmd *cobra.Command, flag string) {
	complete := e.CompletePaths("")
	cmd.RegisterFlagCompletionFunc(flag, func(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		all, directive := complete(cmd, args, typed)
		return all, directive | cobra.ShellCompDirectiveNoFileComp
	})
}

// continued lists the paths in a file that begin with the typed one. It returns none if anything goes
// wrong.
func (e *Env) continued(cmd *cobra.Command, name, typed, end string) (all []cobra.Completion) {
	ctx, stop := context.WithTimeout(cmd.Context(), cmp.Or(e.CompleteWithin, completeWithin))
	defer stop()
	doc := e.toComplete(ctx, name)
	if doc == nil {
		return nil
	}
	defer doc.Close()
	if path, value, ok := strings.Cut(typed, end); ok && end != "" {
		for _, name := range choices(doc, path) {
			if strings.HasPrefix(name, value) {
				all = append(all, path+end+name)
			}
		}
		return all
	}
	find := func(typed string) {
		for _, p := range paths.Continuing(ctx, doc.Innermost(), typed, maxCompletions) {
			path := asTyped(p.Path, typed)
			if p.IsLeaf && path != "" {
				path += end
			}
			if path != "" {
				about := p.Type + "  " + strings.TrimPrefix(p.Value, p.Type)
				all = append(all, cobra.CompletionWithDesc(path, text.Clean(strings.TrimSpace(about))))
			}
		}
	}
	if find(typed); len(all) == 1 && strings.HasPrefix(all[0], typed+"\t") { // it is complete; continue with what is in the value
		all = nil
		find(typed + ".")
	}
	return all
}

// choices returns the names that the value at a path may have.
func choices(doc *model.Document, path string) []string {
	r := doc.Innermost().Tree().NewReader()
	c, ok := r.Tree.Reading.(tree.Described)
	n, err := r.Resolve(path)
	if !ok || err != nil {
		return nil
	}
	return c.Choices(&n.Value)
}

// toComplete opens a file to complete paths in, without messages and without anything that could wait for
// a person or another program. It returns nil if that is impossible.
func (e *Env) toComplete(ctx context.Context, name string) *model.Document {
	if info, err := os.Stat(name); err != nil || !openfile.IsRegular(info.Mode()) {
		return nil
	}
	nowhere, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return nil
	}
	defer nowhere.Close()
	quiet := *e
	quiet.Stderr = nowhere
	if err := quiet.Flags.ReadPasswords(source.ReadRegular); err != nil {
		return nil
	}
	f, err := quiet.openValues(ctx, name)
	if err != nil {
		return nil
	}
	return f.Document
}

// asTyped returns a path in the form in which it is typed, with or without its leading "$" or "$."; "" if
// it does not begin with what was typed.
func asTyped(path, typed string) string {
	steps := strings.TrimPrefix(path, "$")
	for _, form := range []string{strings.TrimPrefix(steps, "."), steps, path} {
		if strings.HasPrefix(form, strings.TrimSuffix(typed, ".")) && form != "" {
			return form
		}
	}
	return ""
}
