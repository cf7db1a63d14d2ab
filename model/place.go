package model

// A Place is where the cursor of an explorer is, in words that hold for another
// reading of the same bytes.
type Place struct {
	offset int64
	path   string // of the selected row, if the cursor is at its beginning
}

// Place tells where the cursor is.
func (x *Explorer) Place() Place {
	p := Place{offset: x.offset}
	if n := x.row; !x.inBytes && n != nil && n.Depth > 0 && !x.Buffer.IsWrapper() && (n.Start == x.offset || n.Start == n.End) {
		p.path = x.Path(n)
	}
	return p
}

// Return puts the cursor where another explorer's was: on the value with the same
// path, or on the same byte.
func (x *Explorer) Return(p Place) error {
	if p.path != "" {
		if n, err := x.read.Resolve(p.path); err == nil {
			return x.GoToValue(n)
		}
	}
	if p.offset == 0 {
		return nil
	}
	return x.GoTo(p.offset)
}
