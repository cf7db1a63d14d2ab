package model

import (
	"context"
	"os"
)

// WriteTo writes the document as it is now into an empty file, which no document is saved in.
func (d *Document) WriteTo(ctx context.Context, f *os.File, o SaveOptions, p *Progress) error {
	o.Path = f.Name()
	s, err := d.Save(o)
	if err != nil {
		return err
	}
	done, err := d.Use()
	if err != nil {
		return err
	}
	defer done()
	if d.file.file.IsOverwritten() {
		return errOverwritten
	}
	return s.write(ctx, f, p)
}
