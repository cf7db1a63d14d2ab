// Package schemas loads the schemas of Elephant's constructors from a game's GML, once for
// many saves.
package schemas

import (
	"strings"
	"sync"

	"varview/decoder"
	"varview/decoder/engine/format"
)

// A Loader loads the schemas for many saves, and finds the descriptions beside them. It reads the
// explicit files once, and files found near a save only if it has not just read them for another save. It
// is safe for concurrent use; goroutines wait for one another.
type Loader struct {
	explicit []string
	report   func(error)

	mu       sync.Mutex
	given    []format.Schemas            // what the explicit paths contain, once loaded
	found    map[string][]format.Schemas // what was found for the last saves, by path
	mentions map[string]bool

	descriptions map[string][]format.Format   // by folder
	recipes      map[string][]*decoder.Recipe // by folder
}

// NewLoader returns a loader that uses the explicit files and folders for every save, and passes each new
// error to report.
func NewLoader(explicit []string, report func(error)) *Loader {
	return &Loader{explicit: explicit, report: report, found: map[string][]format.Schemas{}, mentions: map[string]bool{}, descriptions: map[string][]format.Format{}, recipes: map[string][]*decoder.Recipe{}}
}

// Report passes an error on, if it is new.
func (l *Loader) Report(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.mention(err)
}

// maxFound is the number of places whose schemas are kept.
const maxFound = 4

// maxFolders is the number of folders whose descriptions or recipes are kept.
const maxFolders = 64

// Descriptions reads the descriptions in a folder, once for all saves there.
func (l *Loader) Descriptions(folder string) []format.Format {
	l.mu.Lock()
	defer l.mu.Unlock()
	return once(l.descriptions, maxFolders, folder, func() []format.Format { return decoder.Descriptions(folder, l.mention) })
}

// Recipes reads the recipes in a folder, once for all saves there.
func (l *Loader) Recipes(folder string) []*decoder.Recipe {
	l.mu.Lock()
	defer l.mu.Unlock()
	return once(l.recipes, maxFolders, folder, func() []*decoder.Recipe {
		all, errs := decoder.ReadRecipes(folder)
		for _, err := range errs {
			l.report(err)
		}
		return all
	})
}

// once calls read when it is first asked for a key, and remembers the result. If it would have to
// remember more than most keys, it forgets all of them.
func once[T any](known map[string]T, most int, key string, read func() T) T {
	is, found := known[key]
	if !found {
		if len(known) >= most {
			clear(known)
		}
		is = read()
		known[key] = is
	}
	return is
}

// For returns a function for decoder.Options.Schemas of a save, which reads the files when it is called.
// Schemas found near the save come before those found near the others.
func (l *Loader) For(save string, others ...string) func() []format.Schemas {
	return func() []format.Schemas {
		l.mu.Lock()
		defer l.mu.Unlock()
		var all []format.Schemas
		if len(l.explicit) > 0 {
			if l.given == nil {
				l.given = l.load(l.explicit)
			}
			all = append(all, l.given...)
		}
		seen := map[string]bool{}
		for _, s := range append([]string{save}, others...) {
			all = append(all, l.find(s, seen)...)
		}
		return all
	}
}

// find loads the schemas that belong to a save; nil if there are none, or if they were seen for another
// save.
func (l *Loader) find(save string, seen map[string]bool) []format.Schemas {
	if save == "" || save == "-" {
		return nil
	}
	paths := decoder.FindSchemas(save)
	at := strings.Join(paths, "\x00")
	if len(paths) == 0 || seen[at] {
		return nil
	}
	seen[at] = true
	return once(l.found, maxFound, at, func() []format.Schemas { return l.load(paths) })
}

func (l *Loader) load(paths []string) []format.Schemas {
	libraries, err := decoder.ReadSchemas(paths)
	l.mention(err)
	return libraries
}

// maxMentions is the number of errors that are remembered; beyond it an error may be reported again.
const maxMentions = 10_000

// mention reports an error, or each of those that it joins, if it is new.
func (l *Loader) mention(err error) {
	for _, e := range separate(err) {
		if l.mentions[e.Error()] {
			continue
		}
		if len(l.mentions) < maxMentions {
			l.mentions[e.Error()] = true
		}
		l.report(e)
	}
}
