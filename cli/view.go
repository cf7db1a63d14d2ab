package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"

	"github.com/charmbracelet/x/term"

	"varview/cli/env"
	"varview/cli/files"
	"varview/decoder"
	"varview/decoder/engine/background"
	"varview/internal/atomicfile"
	"varview/internal/folders"
	"varview/internal/state"
	"varview/model"
	"varview/model/diff"
	"varview/ui"
	"varview/ui/start"
)

// eager is the number of bytes that may be unwrapped before the first frame. A larger payload is unpacked
// while the wrapper is shown.
const eager = 16 << 20

// view shows a file in the terminal program, or as dump does if there is no terminal. Without a file, or
// for a folder, the user chooses one first, and then another.
func (e commands) view(ctx context.Context, name string, o model.Options) error {
	if !e.isTerminal() {
		return e.dump(ctx, files.File{Path: name}, &dumpOptions{}, e.Out(false))
	}
	options := e.programOptions()
	if info, err := os.Stat(name); name != "" && (err != nil || !info.IsDir()) {
		return e.viewFile(ctx, name, o, options)
	}
	for chosen := (start.Choice{}); ; {
		var err error
		if chosen, err = e.choose(ctx, name, chosen, options); chosen.Path == "" || err != nil {
			return err
		}
		options.Learns = chosen.Learns
		if err := e.viewFile(ctx, chosen.Path, o, options); err != nil {
			return err
		}
		options.Notice = nil // it was shown already
	}
}

// viewFile shows one file until it is closed.
func (e commands) viewFile(ctx context.Context, name string, o model.Options, options ui.Options) error {
	o.Defer, o.GML = eager, e.Flags.Schemas
	doc, err := e.OpenDocument(ctx, name, decoder.Quick, o)
	if err != nil {
		return err
	}
	if name != "-" && !o.ReadOnly {
		background.Start(func() { atomicfile.Tidy(name) }) // nobody waits for it
	}
	return e.runProgram(ctx, doc, options)
}

// runProgram shows an open document in the terminal program, which closes it.
func (e commands) runProgram(ctx context.Context, doc *model.Document, o ui.Options) error {
	keys, err := e.keyboard()
	if err != nil {
		doc.Close()
		return err
	}
	if keys != e.Stdin {
		defer keys.Close()
	}
	return ui.Run(ctx, doc, o, keys, e.Stdout)
}

// decide shows the conflicts of a merge; see differ.Decide.
func (e commands) decide(ctx context.Context, ours string, m *diff.Merge) error {
	if !e.isTerminal() {
		return errors.New("--interactive needs a terminal")
	}
	doc, err := e.OpenDocument(ctx, ours, decoder.Settle, model.Options{ReadOnly: true})
	if err != nil {
		return err
	}
	o := e.programOptions()
	o.Merge = m
	if err := e.runProgram(ctx, doc, o); err != nil {
		return err
	}
	if !m.Decided {
		e.Tell("not all conflicts were decided; nothing is written")
		return env.ErrProblems
	}
	return nil
}

// choose lets the user choose a file in a folder or, if folder is "", among the saves on this computer.
// The file chosen before is selected.
func (e commands) choose(ctx context.Context, folder string, before start.Choice, o ui.Options) (chosen start.Choice, err error) {
	keys, err := e.keyboard()
	if err != nil {
		return chosen, err
	}
	if keys != e.Stdin {
		defer keys.Close()
	}
	return ui.Choose(ctx, cmp.Or(folder, "."), before, folder == "", o, keys, e.Stdout)
}

// isTerminal reports whether the terminal program can run.
func (e commands) isTerminal() bool {
	return term.IsTerminal(e.Stdout.Fd()) && os.Getenv("TERM") != "dumb"
}

// programOptions returns the options of the terminal program.
func (e commands) programOptions() ui.Options {
	o := ui.Options{Theme: e.Theme, State: e.state(), Actions: e.Settings.Actions, Marks: e.Settings.Text("marks"), BytesPerRow: e.Settings.Number("bytes-per-row"),
		TreeShare: e.Settings.Number("layout.tree"), Alone: e.Settings.Is("layout.alone")}
	switch n := len(e.Settings.Mistakes); {
	case n == 1:
		o.Notice = e.Settings.Mistakes[0]
	case n > 1:
		o.Notice = fmt.Errorf("%w; \"varview config\" lists all %d errors", e.Settings.Mistakes[0], n)
	}
	return o
}

// state returns what is remembered between runs; nil if that is not possible, in which case the program
// works without it.
func (e commands) state() *state.Store {
	if e.NoState {
		return state.InMemory()
	}
	folder, err := folders.State()
	if err != nil {
		return state.InMemory()
	}
	store, err := state.Open(folder)
	if err != nil {
		e.Tell("%v", err)
	}
	return store
}

// keyboard returns where keys come from: standard input, or the terminal itself if standard input is
// something else.
func (e commands) keyboard() (*os.File, error) {
	if term.IsTerminal(e.Stdin.Fd()) {
		return e.Stdin, nil
	}
	name := "/dev/tty"
	if runtime.GOOS == "windows" {
		name = "CONIN$"
	}
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return nil, fmt.Errorf("no keyboard: standard input is not a terminal, and %s cannot be opened; \"varview dump\" needs none", name)
	}
	return f, nil
}
