package model

import (
	"context"
	"os"
)

// WriteTo writes the document as it is now into an empty file, which no document is saved in.
// unwrap leaves the wrappers out.
func (d *Document) WriteTo(ctx context.Context, f *os.File, unwrap bool, p *Progress) error {
	s, err := d.Save(SaveOptions{Path: f.Name(), Unwrap: unwrap})
	if err != nil {
		return err
	}
	done, err := d.use()
	if err != nil {
		return err
	}
	defer done()
	if d.file.file.IsOverwritten() {
		return errOverwritten
	}
	return s.write(ctx, f, p)
}
