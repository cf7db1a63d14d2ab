// Package settings is the configuration of the program: which settings there are, their defaults, and
// where each value comes from.
package settings

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"varview/decoder/engine/source"
	"varview/internal/config"
	"varview/ui/action"
)

// Settings holds the settings in effect.
type Settings struct {
	File     string // path of the configuration, even if it does not exist
	Missing  bool   // the file does not exist
	Mistakes []error
	Actions  action.Table // with the chosen keys

	values map[string]value
}

// A value is the value of a setting, and where it comes from: "" for the default.
type value struct {
	is   any
	from string
}

// maxSize is the largest size of a configuration in bytes.
const maxSize = 1 << 20

// Load reads the configuration at path. A mistake in it only affects its own setting.
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

// Override records a value that comes from a flag and not from the configuration.
func (s *Settings) Override(name string, is any, from string) { s.values[name] = value{is, from} }

// Text returns a text setting.
func (s *Settings) Text(name string) string { return s.values[name].is.(string) }

// Number returns a numeric setting.
func (s *Settings) Number(name string) int { return int(s.values[name].is.(int64)) }

// Is returns a boolean setting.
func (s *Settings) Is(name string) bool { return s.values[name].is.(bool) }

// List returns a setting that is a list of texts.
func (s *Settings) List(name string) []string { return s.values[name].is.([]string) }
