package model

import "context"

// Drift returns what the file will be opened as next time, if the edits have changed that: the
// bytes show something else than what they are read as now. "" means that they have not. It is
// asked between Write and Saved.
func (s *Saving) Drift(ctx context.Context) (as string, err error) {
	d := s.doc
	if s.buffer != d.Innermost() || d.Missing != nil || d.IsForeign() || s.o.Unwrap || len(s.o.Wrap) > 0 || s.o.Generation > 0 {
		return "", nil
	}
	now, err := d.Redetect(ctx, s.v.content)
	if err != nil || now.IsRead(d.Document) {
		return "", err
	}
	before, err := d.Redetect(ctx, s.buffer.base)
	if err != nil || before == now {
		return "", err
	}
	return now.Title, nil
}
