package env

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"varview/decoder/engine/source"
	"varview/decoder/network/methods"
)

// namesEnd is the suffix of the file beside a capture that lists names of methods.
const namesEnd = ".names"

// maxNames is the largest size of such a file in bytes.
const maxNames = 16 << 20

// Methods returns the names of methods that the messages of a capture call by number: the game's, and
// those given by the user. It is nil if there are none.
func (e *Env) Methods(name string) (*methods.Library, error) {
	names := methods.New()
	if dir := e.Flags.Project; dir != "" {
		if err := names.ReadProject(dir); err != nil {
			return nil, fmt.Errorf("--project %s: %w", dir, source.Plain(err))
		}
		if names.IsEmpty() {
			e.Tell("--project %s: no script there has methods that can be called", dir)
		}
	}
	given, err := source.ReadRegular(name+namesEnd, maxNames)
	switch {
	case err == nil:
		if wrong := names.Give(string(given)); len(wrong) > 0 {
			e.Tell("%s: line %d is not a node, a number and a name, as in: Game/Player 8 move", name+namesEnd, wrong[0])
		}
	case !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENAMETOOLONG) && !errors.Is(err, syscall.ENOTDIR): // otherwise every message would lack its names
		return nil, fmt.Errorf("%s: %w", name+namesEnd, err)
	case e.Flags.Project == "":
		return nil, nil
	}
	return names, nil
}
