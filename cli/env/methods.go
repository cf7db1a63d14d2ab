package env

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"varview/decoder/capture/methods"
	"varview/decoder/source"
)

// namesEnd is what the name of a list of methods' names ends with, which is beside a capture.
const namesEnd = ".names"

// maxNames is the most bytes of such a list.
const maxNames = 16 << 20

// Methods returns the names of methods that the messages of a capture call by number: those of
// the game, and those that the user has given. It is nil where there are none.
func (e *Env) Methods(name string) (*methods.Library, error) {
	names := methods.New()
	if dir := e.Flags.Project; dir != "" {
		if err := names.ReadProject(dir); err != nil {
			return nil, fmt.Errorf("--project %s: %w", dir, source.Plain(err))
		}
		if names.Len() == 0 {
			e.Tell("--project %s: no script there has methods that can be called", dir)
		}
	}
	given, err := source.ReadRegular(name+namesEnd, maxNames)
	switch {
	case err == nil:
		if wrong := names.Give(string(given)); len(wrong) > 0 {
			e.Tell("%s: line %d is not a node, a number and a name, as in: Game/Player 8 move", name+namesEnd, wrong[0])
		}
	case !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENAMETOOLONG): // its names would be missed in every message
		return nil, fmt.Errorf("%s: %w", name+namesEnd, err)
	case e.Flags.Project == "":
		return nil, nil
	}
	return names, nil
}
