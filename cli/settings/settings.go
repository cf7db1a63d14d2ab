// Package settings is the configuration of the program: which settings there are, what they
// are without one, and where each value is from.
package settings

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"varview/decoder/source"
	"varview/internal/config"
	"varview/ui/action"
)

// Settings are those in effect.
type Settings struct {
	File     string // the path of the configuration, also where there is none
	Missing  bool   // there is no such file
	Mistakes []error
	Actions  action.Table // with the keys chosen

	values map[string]value
}

// A value is what a setting is, and where that is from: "" for the default.
type value struct {
	is   any
	from string
}

// maxSize is the number of bytes that a configuration may have.
const maxSize = 1 << 20

// Load reads the configuration at path. Each mistake in it costs its own setting.
func Load(path string) *Settings {
	s := &Settings{File: path, Actions: action.Default(), values: map[string]value{}}
	for _, x := range list() {
		s.values[x.name] = value{is: x.usual}
	}
	data, err := source.ReadRegular(path, maxSize)
	s.Missing = errors.Is(err, fs.ErrNotExist) || path == ""
	if err != nil && !s.Missing {
		s.Mistakes = append(s.Mistakes, fmt.Errorf("%s: %w", path, err))
	}
	entries, mistakes := config.Parse(data)
	for _, e := range entries {
		if err := s.set(e); err != nil {
			mistakes = append(mistakes, config.Mistake{Line: e.Line, Key: e.Key, Err: err})
		}
	}
	slices.SortStableFunc(mistakes, func(a, b config.Mistake) int { return cmp.Compare(a.Line, b.Line) })
	for _, m := range mistakes {
		s.Mistakes = append(s.Mistakes, fmt.Errorf("%s: %w", path, m))
	}
	return s
}

// Override notes a value that does not come from the configuration, but from a flag.
func (s *Settings) Override(name string, is any, from string) { s.values[name] = value{is, from} }

// Text returns a setting that is a text.
func (s *Settings) Text(name string) string { return s.values[name].is.(string) }

// Number returns a setting that is a number.
func (s *Settings) Number(name string) int { return int(s.values[name].is.(int64)) }

// Is returns a setting that is true or false.
func (s *Settings) Is(name string) bool { return s.values[name].is.(bool) }

// List returns a setting that is a list of texts.
func (s *Settings) List(name string) []string { return s.values[name].is.([]string) }

// IsSet reports whether a setting is not as it is by default.
func (s *Settings) IsSet(name string) bool { return s.values[name].from != "" }
