package model

import (
	"context"
	"sync"
)

// ahead is the document as an edit will leave it, which has worked out what it does and is not
// made yet.
type ahead struct {
	sync.Mutex
	v   *version // of the buffer that is edited
	doc *Document
}

// openAhead opens the document as a version of a buffer leaves it, if it has to be opened
// again for that or always. show takes it from there.
func (d *Document) openAhead(ctx context.Context, b *Buffer, v *version, always bool) error {
	if !always && !b.needsOpening(v) {
		return nil
	}
	again, err := d.reopen(ctx, nil, d.options, b, v)
	if err != nil {
		return err
	}
	return d.ahead.put(v, again)
}

// put keeps what was opened, in place of what nobody has taken, which is closed.
func (a *ahead) put(v *version, doc *Document) error {
	a.Lock()
	unused := a.doc
	a.v, a.doc = v, doc
	a.Unlock()
	if unused == nil {
		return nil
	}
	return unused.Close()
}

// take returns what was opened for a version, nil if nothing was.
func (a *ahead) take(v *version) *Document {
	a.Lock()
	defer a.Unlock()
	if a.v != v {
		return nil
	}
	doc := a.doc
	a.v, a.doc = nil, nil
	return doc
}
