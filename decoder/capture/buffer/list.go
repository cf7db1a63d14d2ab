package buffer

import (
	"varview/decoder/capture/message"
	"varview/decoder/format"
	"varview/decoder/source"
	"varview/decoder/tree"
)

// Listing implements format.Lister.
func (r *reading) Listing() format.Listing {
	return format.Listing{Name: "message", Path: "$.messages", Columns: message.Columns, TextNames: message.TextNames}
}

// Record implements format.Lister.
func (r *reading) Record(w *source.Window, v *tree.Value) (format.Record, func()) {
	if v.Type != typeMessage || v.Damage != nil {
		return nil, func() {}
	}
	p, done := r.parse(w, v.Foot)
	return p.message, done
}
