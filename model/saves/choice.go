package saves

import (
	"context"
	"os"
	"runtime"

	"varview/model"
)

// A Group is the reason why a file is listed. Files of the first group come first.
type Group int

// The groups.
const (
	Unsaved Group = iota // it has edits that were not saved
	Recent               // it was opened before
	Here                 // it is in the folder
	Game                 // it is where a game keeps its files
)

// A Found is a file that may be chosen.
type Found struct {
	File
	Group Group
}

// folderDepth is the number of levels below a folder in which saves are looked for.
const folderDepth = 3

// All finds the files to choose from in a folder, most likely ones first. With games set, these are also those with edits that were not
// saved, those opened before, and those of games on this computer.
func All(ctx context.Context, folder string, games bool, opened []string, found chan<- Found) {
	put := func(g Group, f File) bool {
		select {
		case found <- Found{f, g}:
			return true
		case <-ctx.Done():
			return false
		}
	}
	if games {
		if unsaved, err := model.AllUnsaved(); err == nil {
			for _, u := range unsaved {
				if f, ok := Stat(u.Path); ok && !u.IsAlive {
					put(Unsaved, f)
				}
			}
		}
		for _, path := range opened {
			if f, ok := Stat(path); ok {
				put(Recent, f)
			}
		}
	}
	InFolder(ctx, folder, folderDepth, func(f File) bool { return put(Here, f) })
	if home, err := os.UserHomeDir(); games && err == nil {
		Find(ctx, Places(runtime.GOOS, home, os.Getenv), func(f File) { put(Game, f) })
	}
}
