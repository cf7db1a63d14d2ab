package edits

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"varview/cli/env"
	"varview/model"
	"varview/model/patch"
)

// readPatch reads a patch from a file, or from standard input for "-".
func (e commands) readPatch(ctx context.Context, name string, reverse bool) (patch.Patch, error) {
	text, err := e.ReadSide(ctx, name, patch.MaxSize)
	if err != nil {
		return nil, err
	}
	p, err := patch.Read(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", env.DisplayName(name), err)
	}
	if reverse {
		p = p.Reversed()
	}
	return p, nil
}

func beginPatch(doc *model.Document, p patch.Patch) (*model.Transaction, error) {
	i := slices.IndexFunc(p, func(op patch.Op) bool { return op.Kind != patch.Sum })
	if i < 0 || p[i].Kind != patch.Bytes {
		return env.BeginValues(doc)
	}
	b, err := env.BufferOf(doc, p[i].Buffer)
	if err != nil {
		return nil, err
	}
	return doc.Begin(b)
}
