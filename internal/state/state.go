// Package state keeps what the program remembers between runs: what was typed after ":" and "/", marks in
// files, recently opened files, and the sizes of panes. It is one small file that only the user can read.
package state

import (
	"slices"
	"time"
)

// version is the version of the file. A program of another version leaves the file alone.
const version = 1

// Limits of what is kept. The least recently used entries go first.
const (
	maxTyped   = 200
	maxLength  = 2000 // bytes of a typed text
	maxFiles   = 100
	maxMarks   = 100 // in a file
	maxLayouts = 50
)

// Data is everything that is remembered.
type Data struct {
	Version  int                `json:"version"`
	Commands History            `json:"commands,omitempty"`
	Searches History            `json:"searches,omitempty"`
	Picked   History            `json:"picked,omitempty"`  // actions and commands, in the palette
	Greeted  bool               `json:"greeted,omitempty"` // the lines of the first start were shown
	AsBytes  []string           `json:"bytes,omitempty"`   // families of text whose bytes are shown, rather than their lines
	Files    []File             `json:"files,omitempty"`   // most recently opened first
	Layouts  map[string]*Layout `json:"layouts,omitempty"` // layouts by the size of the window: "80x24"
}

// A History holds typed texts, latest last, each once.
type History []string

// Add adds a typed text. A text of more than 2000 bytes is not kept, and a password must never be passed.
func (h *History) Add(typed string) {
	if typed == "" || len(typed) > maxLength {
		return
	}
	*h = append(slices.DeleteFunc(*h, func(s string) bool { return s == typed }), typed)
	*h = (*h)[max(0, len(*h)-maxTyped):]
}

// A File is a file that was opened.
type File struct {
	Path   string    `json:"path"` // absolute
	Opened time.Time `json:"opened"`
	Marks  []Mark    `json:"marks,omitempty"` // by name
}

// A Mark is a place in a file that the user has named.
type Mark struct {
	Name   string `json:"name"`
	Buffer int    `json:"buffer"`         // its number; 0 for the file
	Path   string `json:"path,omitempty"` // path of a value; "" for a byte
	Offset int64  `json:"offset"`         // offset of the byte, or of the value when it was marked
}

// A Layout is how the user has arranged the panes in a window of a given size.
type Layout struct {
	Used  time.Time `json:"used"`
	Tree  int       `json:"tree,omitempty"`  // columns of the tree, or rows if the panes are stacked; 0 for the default
	Alone bool      `json:"alone,omitempty"` // whether only the pane with the focus is shown

	Inspector string `json:"inspector,omitempty"` // shown or hidden, if the user has chosen
}

// Open notes that a file was opened.
func (d *Data) Open(path string, when time.Time) { d.file(path).Opened = when }

// SetMark names a place in a file, replacing a mark of the same name.
func (d *Data) SetMark(path string, m Mark) {
	d.DeleteMark(path, m.Name)
	f := d.file(path)
	f.Marks = append(f.Marks, m)
	f.Marks = f.Marks[max(0, len(f.Marks)-maxMarks):]
}

// DeleteMark removes a mark of a file.
func (d *Data) DeleteMark(path, name string) {
	f := d.file(path)
	f.Marks = slices.DeleteFunc(f.Marks, func(m Mark) bool { return m.Name == name })
}

// MarksOf returns the marks of a file, latest last.
func (d *Data) MarksOf(path string) []Mark {
	for _, f := range d.Files {
		if f.Path == path {
			return f.Marks
		}
	}
	return nil
}

// file returns the entry of a file, and makes it the first.
func (d *Data) file(path string) *File {
	f := File{Path: path}
	if i := slices.IndexFunc(d.Files, func(f File) bool { return f.Path == path }); i >= 0 {
		f = d.Files[i]
		d.Files = slices.Delete(d.Files, i, i+1)
	}
	d.Files = slices.Insert(d.Files, 0, f)
	d.Files = d.Files[:min(len(d.Files), maxFiles)]
	return &d.Files[0]
}

// SetLayout keeps a layout for a size of the window.
func (d *Data) SetLayout(size string, l Layout) {
	if d.Layouts == nil {
		d.Layouts = map[string]*Layout{}
	}
	d.Layouts[size] = &l
	for len(d.Layouts) > maxLayouts {
		oldest := size
		for s, other := range d.Layouts {
			if other.Used.Before(d.Layouts[oldest].Used) {
				oldest = s
			}
		}
		delete(d.Layouts, oldest)
	}
}
