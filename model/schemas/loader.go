// Package schemas loads the schemas of Elephant's constructors from a game's GML, once for
// many saves.
package schemas

import (
	"strings"
	"sync"

	"varview/decoder"
	"varview/decoder/format"
)

// A Loader loads the schemas of many saves. It reads the explicit files once, and those
// found near a save only if they are not those of the previous save. Goroutines that use it at
// the same time wait for one another.
type Loader struct {
	explicit []string
	report   func(error)

	mu       sync.Mutex
	given    []format.Schemas // what the explicit paths hold, once loaded
	found    []format.Schemas // what was found for the last save
	foundAt  string           // its paths
	mentions map[string]bool
}

// NewLoader returns a loader that reads the explicit files and folders for
// every save, and passes each new error to report.
func NewLoader(explicit []string, report func(error)) *Loader {
	return &Loader{explicit: explicit, report: report, mentions: map[string]bool{}}
}

// For returns a save's value for decoder.Options.Schemas. Files are read when it is
// called.
func (l *Loader) For(save string) func() []format.Schemas {
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
		return append(all, l.find(save)...)
	}
}

// find loads what belongs to a save, nil if that is nothing.
func (l *Loader) find(save string) []format.Schemas {
	if save == "" || save == "-" {
		return nil
	}
	paths := decoder.FindSchemas(save)
	if len(paths) == 0 {
		return nil
	}
	if at := strings.Join(paths, "\x00"); at != l.foundAt {
		l.found, l.foundAt = l.load(paths), at
	}
	return l.found
}

func (l *Loader) load(paths []string) []format.Schemas {
	libraries, err := decoder.ReadSchemas(paths)
	l.mention(err)
	return libraries
}

// maxMentions bounds what is remembered of errors; after that many an error can
// be reported again.
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
