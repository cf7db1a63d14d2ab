package env

import (
	"fmt"
	"strings"

	"varview/decoder/engine/span"
	"varview/decoder/wrap"
	"varview/model"
)

// MissingText returns why the values cannot be read, and what to do about it.
func (f *File) MissingText() string { return MissingText(f.Missing) }

func MissingText(m *wrap.Missing) string {
	if m.Code == wrap.NeedsKey {
		return m.Message + " (--password or --key)"
	}
	return m.Message
}

// ReadAs returns what the values are read as: "Godot 4, stream".
func (f *File) ReadAs() string {
	if f.IsFramed() && !f.IsForeign() {
		return f.Title + ", " + f.Framing
	}
	return f.Title
}

// ForeignKind returns what a foreign file is: "PNG image, no save or packet that varview reads".
func (f *File) ForeignKind() string {
	if f.IsUnexplained() {
		return "unknown: no dialect explains it better than chance would; --as DIALECT reads it anyway"
	}
	return f.Title + ", no save or packet that varview reads"
}

// WrappedIn returns the short names of the wrappers, as a prefix to what they contain, such as
// "GCPF, Zstandard → "; "" if there are none.
func (f *File) WrappedIn() string {
	var names []string
	for _, l := range f.Layers {
		kind, rest, _ := strings.Cut(l.Title, ", ")
		if how, _, more := strings.Cut(rest, ", "); more { // "Zstandard", then the number of blocks
			kind += ", " + how
		}
		names = append(names, kind)
	}
	if f.Missing != nil {
		return strings.Join(names, " → ")
	}
	return strings.Join(append(names, ""), " → ")
}

// BufferTitle describes a buffer by number, size and kind: "buffer 1, 88 bytes: zlib".
func (f *File) BufferTitle(b *model.Buffer) string {
	what := f.ReadAs()
	if b.IsWrapper() {
		what = f.Layers[b.Number].Title
	}
	return fmt.Sprintf("buffer %d, %s: %s", b.Number, span.Bytes(b.Size()), what)
}

// PlainSize returns the size of the buffer with the values, or nil.
func (f *File) PlainSize() *int64 {
	if f.Missing != nil {
		return nil
	}
	size := f.Tree.Source.Size()
	return &size
}

// DisplayName returns the name of a file in text for people.
func DisplayName(name string) string {
	if name == "-" {
		return "standard input"
	}
	return name
}

// ShellWord returns a text as one word of a Unix shell, in quotes if it needs them.
func ShellWord(s string) string {
	const plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./@%+=:,-"
	if s != "" && strings.Trim(s, plain) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
