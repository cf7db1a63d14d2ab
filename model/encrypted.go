package model

import (
	"maps"

	"varview/decoder/wrap"
)

// IsLocked reports whether a key or password would open more of the file.
func (d *Document) IsLocked() bool {
	return d.Missing != nil && (d.Missing.Code == wrap.NeedsKey || d.Missing.Code == wrap.WrongKey)
}

// WhyMissing returns why the values cannot be read, or nil. It differs from Missing where
// the given password has opened an encrypted wrapper and Missing is about another one
// inside.
func (d *Document) WhyMissing() *wrap.Missing {
	if d.judged != nil {
		return d.judged
	}
	return d.Missing
}

// judgeLock asks for another password, and calls none wrong, where those given
// have opened an encrypted layer around the one that is locked, and more layers
// than there were before.
func (d *Document) judgeLock(before int) {
	if !d.IsLocked() || len(d.Layers) <= before {
		return
	}
	for _, l := range d.Layers[:len(d.Layers)-1] {
		if l.Kind.NeedsKey() {
			d.judged = &wrap.Missing{Code: wrap.NeedsKey, Message: "its content is encrypted again: give the password or key of that too"}
		}
	}
}

// dropReported drops the notices that were reported before.
func (d *Document) dropReported(reported map[string]bool) {
	var fresh []error
	d.reported = maps.Clone(reported)
	if d.reported == nil {
		d.reported = map[string]bool{}
	}
	for _, err := range d.Notices {
		if !reported[err.Error()] {
			fresh = append(fresh, err)
		}
		d.reported[err.Error()] = true
	}
	d.Notices = fresh
}

// IsEncrypted reports whether a key or password is of any use to the file.
func (d *Document) IsEncrypted() bool {
	for _, l := range d.Layers {
		if l.Kind.NeedsKey() {
			return true
		}
	}
	return false
}
