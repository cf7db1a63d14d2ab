package ui

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/cancelreader"

	"varview/decoder/engine/background"
	"varview/internal/state"
	"varview/model"
	"varview/model/saves"
	"varview/themes"
	"varview/ui/paint"
	"varview/ui/start"
	"varview/ui/terminal"
)

// folderDepth is the number of levels below a folder in which saves are looked for.
const folderDepth = 3

// Choose lets the user choose a file in a folder. With games set, it also lists those of games on this
// computer and those opened before. The file chosen before is selected, if it is not "". path is "" if
// none was chosen.
func Choose(ctx context.Context, folder, before string, games bool, o Options, keys, screen *os.File) (path string, err error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	if folder, err = filepath.Abs(folder); err != nil {
		return "", err
	}
	dark, known := terminal.Hint(os.Environ())
	name := cmp.Or(o.Theme, map[bool]string{true: "dark", false: "light"}[dark || !known])
	theme, err := themes.Load(name)
	if err != nil {
		return "", err
	}
	files := make(chan start.Found, 100)
	styles := paint.New(theme, lipgloss.ColorProfile())
	asks := terminal.Queryable(os.Environ())
	if o.Theme != "" || !known && !asks {
		styles.PaintGround()
	}
	p := &start.Picker{Ctx: ctx, Styles: styles, Folder: folder, Before: before, Files: files, Weak: !games, Now: time.Now}
	finding := background.Start(func() {
		defer close(files)
		findFiles(ctx, folder, games, o.State.Data(), files)
	})
	input, answer := cancelreader.File(keys), func(bool) {}
	if o.Theme == "" && asks {
		input = terminal.NewInput(keys, func(dark bool) { answer(dark) })
		p.Ask = func() tea.Msg {
			terminal.Query(screen)
			return nil
		}
	}
	err = run(ctx, choosing{p}, input, screen, func(program *tea.Program, _ *terminal.Screen) {
		answer = func(dark bool) {
			if theme, err := themes.Load(map[bool]string{true: "dark", false: "light"}[dark]); err == nil {
				program.Send(paint.New(theme, lipgloss.ColorProfile()))
			}
		}
	})
	stop()
	finding.Wait()
	return p.Chosen, err
}

// findFiles finds the files to choose from, most likely ones first.
func findFiles(ctx context.Context, folder string, games bool, kept *state.Data, files chan<- start.Found) {
	put := func(g start.Group, f saves.File) bool {
		select {
		case files <- start.Found{File: f, Group: g}:
			return true
		case <-ctx.Done():
			return false
		}
	}
	if games {
		if unsaved, err := model.AllUnsaved(); err == nil {
			for _, u := range unsaved {
				if f, ok := saves.Stat(u.Path); ok && !u.IsAlive {
					put(start.Unsaved, f)
				}
			}
		}
		for _, f := range kept.Files {
			if f, ok := saves.Stat(f.Path); ok {
				put(start.Recent, f)
			}
		}
	}
	saves.InFolder(ctx, folder, folderDepth, func(f saves.File) bool { return put(start.Here, f) })
	if home, err := os.UserHomeDir(); games && err == nil {
		saves.Find(ctx, saves.Places(runtime.GOOS, home, os.Getenv), func(f saves.File) { put(start.Game, f) })
	}
}

// choosing is the picker, in a form that a guard can watch.
type choosing struct{ *start.Picker }

func (c choosing) nameOf(msg tea.Msg) string { return fmt.Sprintf("%T", msg) }

func (c choosing) window() (width, height int) { return c.Size() }
