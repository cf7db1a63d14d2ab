package cli

import (
	"fmt"
	"strings"

	"varview/decoder"
	"varview/decoder/wrap"
	"varview/model"
)

// missing says why the values cannot be had, and what to do about it.
func (f *file) missing() string { return whyMissing(f.Missing) }

func whyMissing(m *wrap.Missing) string {
	if m.Code == wrap.NeedsKey {
		return m.Message + " (--password or --key)"
	}
	return m.Message
}

// reading names what the values are read as: "Godot 4, stream".
func (f *file) reading() string {
	if f.hasFramings() && !f.IsForeign() {
		return f.Title + ", " + f.Framing
	}
	return f.Title
}

// hasFramings reports whether values of the dialect can follow one another in
// more ways than one.
func (f *file) hasFramings() bool {
	o := decoder.Options{Dialect: f.Dialect, Framing: "stream"}
	return o.Check() == nil
}

// wrappedIn names the wrappers in short and what joins them to the values, "" if
// there are none: "GCPF, Zstandard → ".
func (f *file) wrappedIn() string {
	var names []string
	for _, l := range f.Layers {
		kind, rest, _ := strings.Cut(l.Title, ", ")
		if how, _, more := strings.Cut(rest, ", "); more { // "Zstandard", and in how many blocks
			kind += ", " + how
		}
		names = append(names, kind)
	}
	if f.Missing != nil {
		return strings.Join(names, " → ")
	}
	return strings.Join(append(names, ""), " → ")
}

// bufferTitle says which buffer it is, how large, and what: "buffer 1, 88 bytes: zlib".
func (f *file) bufferTitle(b *model.Buffer) string {
	what := f.reading()
	if b.IsWrapper() {
		what = f.Layers[b.Number].Title
	}
	return fmt.Sprintf("buffer %d, %s: %s", b.Number, model.ByteCount(b.Size()), what)
}

// plainSize is the size of the buffer with the values, or nil.
func (f *file) plainSize() *int64 {
	if f.Missing != nil {
		return nil
	}
	size := f.Tree.Source.Size()
	return &size
}
