package cli

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"varview/cli/env"
	"varview/cli/flags"
	"varview/decoder"
	"varview/decoder/engine/span"
	"varview/internal/text"
	"varview/model"
	"varview/model/patch"
)

const recoverLong = `List the files with edits that the terminal program has not saved, because it or
the machine was stopped. Opening such a file offers them: take, look, discard.

With FILE, write its edits as a patch like that of set --patch, or discard them.
To read the edits of an encrypted file, give its password or key.`

const recoverExample = `  varview recover
  varview recover savegame.dat > edits.patch
  varview recover savegame.dat --discard`

func (e commands) recoverCommand() *cobra.Command {
	var asJSON, discard bool
	cmd := &cobra.Command{
		Use:               "recover [FILE]",
		Short:             "List edits that were not saved, or write them as a patch",
		Long:              recoverLong,
		Example:           recoverExample,
		Args:              flags.Wants(0, 1, "at most one FILE"),
		ValidArgsFunction: flags.CompleteFiles(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) == 0 && discard:
				return errors.New("--discard needs a FILE: nothing discards the edits of all files")
			case len(args) == 0:
				return e.listUnsaved(asJSON)
			}
			return e.recover(cmd.Context(), args[0], discard)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "the list as one JSON object per line")
	cmd.Flags().BoolVar(&discard, "discard", false, "drop the edits of FILE")
	cmd.MarkFlagsMutuallyExclusive("json", "discard")
	return cmd
}

// unsavedLine is an entry of the list as JSON.
type unsavedLine struct {
	File      string    `json:"file"`
	When      time.Time `json:"when"`
	Edits     int       `json:"edits"`
	Encrypted bool      `json:"encrypted"`
	State     string    `json:"state"`             // "" if the file has not changed
	PID       int       `json:"pid,omitempty"`     // process that edits it now
	Missing   int       `json:"missing,omitempty"` // number of Edits that cannot be read
	Loss      string    `json:"loss,omitempty"`    // what cannot be read
	Journal   string    `json:"journal,omitempty"` // its file, if something cannot be read
}

// listUnsaved lists the unsaved edits of all files.
func (e commands) listUnsaved(asJSON bool) error {
	list, err := model.AllUnsaved()
	if err != nil {
		return err
	}
	out := bufio.NewWriter(e.Stdout)
	write := json.NewEncoder(out)
	for _, u := range list {
		line := unsavedLine{File: u.Path, When: u.When.UTC().Truncate(time.Second), Edits: u.Edits(), Encrypted: u.Locked > 0,
			Missing: u.Missing, Loss: u.Loss()}
		if line.Loss != "" {
			line.Journal = u.Name
		}
		if u.IsAlive {
			line.PID = u.PID
		} else if u.Unreadable == nil {
			line.State = u.State()
		}
		if !asJSON {
			fmt.Fprintf(out, "%s: %s\n", text.Clean(cmp.Or(line.File, "a file whose name cannot be read")), line.describe())
		} else if err := write.Encode(line); err != nil {
			return err
		}
	}
	if len(list) == 0 && !asJSON {
		e.Tell("there are no unsaved edits")
	}
	return out.Flush()
}

// describe describes the entry for people.
func (l *unsavedLine) describe() string {
	when := l.When.Local().Format("2006-01-02 15:04")
	switch {
	case l.PID != 0:
		return fmt.Sprintf("open in process %d", l.PID)
	case l.Edits == 0: // nothing can be read
		return fmt.Sprintf("edits of %s, which %s", when, text.Clean(l.Loss))
	}
	s := fmt.Sprintf("%s of %s", span.Counted(int64(l.Edits), "edit"), when)
	if l.Encrypted {
		s += ", encrypted"
	}
	if l.Loss != "" {
		s += "; " + text.Clean(l.Loss) + ", in " + text.Clean(l.Journal)
	}
	if l.State != "" {
		s += "; " + l.State
	}
	return s
}

// recover writes the unsaved edits of a file as a patch, or discards them.
func (e commands) recover(ctx context.Context, name string, discard bool) error {
	list, err := e.unsavedOf(ctx, name)
	if err != nil {
		return err
	}
	found, lost, older := false, false, 0
	for _, u := range list {
		if u.IsAlive {
			e.Tell("%s is open in process %d", name, u.PID)
			continue
		}
		if loss := u.Loss(); loss != "" && !(discard && u.IsAside()) {
			e.Tell("%s: unsaved edits of %s: %s", name, u.When.Local().Format("2006-01-02 15:04"), loss)
			lost = !discard
		}
		switch {
		case discard:
			found = found || !u.IsAside()
			err = u.Discard()
		case len(u.Lead) == 0 && u.Locked == 0:
		case found: // the latest that can be read are written
			older += u.Edits()
		case u.Locked > 0:
			return fmt.Errorf("%s: its unsaved edits are encrypted with its key (--password or --key)", name)
		default:
			found = true
			err = e.patchOf(ctx, name, u).Write(e.Stdout)
		}
		if err != nil {
			return err
		}
	}
	if older > 0 {
		e.Tell("%s: these are the latest edits; older ones are offered when the file is opened: %s", name, span.Counted(int64(older), "edit"))
	}
	switch {
	case lost && !found:
		return env.ErrReported
	case lost:
		return env.ErrProblems
	case !found:
		return fmt.Errorf("%s: there are no unsaved edits of this file; \"varview recover\" lists the files that have some", name)
	}
	return nil
}

// patchOf returns the patch of unsaved edits: with the sums of the bytes before and after them, if the file is as it
// was.
func (e commands) patchOf(ctx context.Context, name string, u *model.Unsaved) patch.Patch {
	doc, err := e.OpenBound(ctx, name, decoder.Quick, model.Options{})
	if err != nil {
		return u.Ops()
	}
	defer doc.Close()
	p, err := doc.PatchOf(ctx, u)
	if err != nil || len(p) == 0 {
		return u.Ops()
	}
	return p
}

// unsavedOf lists the unsaved edits of a file, which may no longer exist.
func (e commands) unsavedOf(ctx context.Context, name string) ([]*model.Unsaved, error) {
	doc, err := e.OpenBound(ctx, name, decoder.Quick, model.Options{ReadOnly: true})
	if err != nil {
		return model.UnsavedOf(name)
	}
	defer doc.Close()
	return doc.FindUnsaved()()
}
