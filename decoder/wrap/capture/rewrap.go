package capture

import (
	"errors"

	"varview/decoder/wrap/layer"
)

// packer writes a capture again in which values of messages were changed.
type packer struct {
	cut bool // not all messages are in the payload
}

// CanRewrap implements layer.Packer.
func (p *packer) CanRewrap() error {
	if p.cut {
		return layer.ErrCut
	}
	return nil
}

// Rewrap implements layer.Packer.
func (p *packer) Rewrap(w *layer.Rewrapping) (int64, error) {
	return 0, errors.New("not yet")
}
