package env

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"varview/decoder"
	"varview/decoder/detect"
	"varview/decoder/engine/format"
	"varview/decoder/engine/openfile"
	"varview/internal/atomicfile"
	"varview/model"
)

// A company is the files that a command works on together. What is certain about one of them helps to
// detect the format of another.
type company struct {
	names []string // all files; nil for those in the same folder, of which a few are looked at

	mu       sync.Mutex
	dialects map[string][]string // by folder
}

// Together returns an environment for work on the named files together.
func (e *Env) Together(names ...string) *Env {
	other := *e
	other.company = newCompany(names)
	return &other
}

func newCompany(names []string) *company {
	return &company{names: names, dialects: map[string][]string{}}
}

// prefer returns the dialects that a document of uncertain dialect is more likely to have because of
// other files: those that files beside it certainly have. If several files are named and the dialect of
// none is certain, it returns the dialects that fit all of them.
func (c *company) prefer(ctx context.Context, name string, doc *model.Document, o decoder.Options) []string {
	unsure := doc.Missing == nil && !doc.IsForeign() && (len(doc.Also) > 0 || doc.Alternative != nil)
	if c == nil || !unsure || !isRegular(name) || o.Dialect != "" {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	folder := filepath.Dir(name)
	if c.names != nil {
		folder = ""
	}
	if all, ok := c.dialects[folder]; ok {
		return all
	}
	all := c.find(ctx, folder, o)
	if ctx.Err() == nil {
		c.dialects[folder] = all
	}
	return all
}

// mostCompany is the largest number of files in a folder that are looked at.
const mostCompany = 48

// find returns the dialects of the files.
func (c *company) find(ctx context.Context, folder string, o decoder.Options) (certain []string) {
	names := c.names
	if names == nil {
		names = some(folder)
	}
	var all []string // dialects that fit all files
	for i, name := range names {
		fits, isCertain := fitting(ctx, name, o)
		if isCertain {
			certain = append(certain, fits...)
		}
		if i == 0 {
			all = fits
		}
		all = slices.DeleteFunc(all, func(d string) bool { return !slices.Contains(fits, d) })
	}
	if len(certain) > 0 || c.names == nil {
		slices.Sort(certain)
		return slices.Compact(certain)
	}
	return all
}

// some returns the names of a few regular files, spread over a folder.
func some(folder string) (names []string) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil
	}
	entries = slices.DeleteFunc(entries, func(e os.DirEntry) bool { return !openfile.IsRegular(e.Type()) || atomicfile.IsTemporary(e.Name()) })
	for i := range min(len(entries), mostCompany) {
		e := entries[i*len(entries)/min(len(entries), mostCompany)]
		names = append(names, filepath.Join(folder, e.Name()))
	}
	return names
}

// fitting returns the dialects that fit a file, best first, judged by its beginning. They are certain if
// there is only one, or if they are rare ones of one engine.
func fitting(ctx context.Context, name string, o decoder.Options) (dialects []string, isCertain bool) {
	if !isRegular(name) {
		return nil, false
	}
	const unpackAtMost = 1 << 20
	o.Thorough, o.Defer, o.Instead = decoder.Quick, unpackAtMost, nil
	doc, err := model.Open(ctx, name, model.Options{ReadOnly: true, Bound: true, Options: o})
	if err != nil {
		return nil, false
	}
	defer doc.Close()
	if doc.Missing != nil || doc.IsForeign() || !doc.Fits() {
		return nil, false
	}
	dialects = append([]string{doc.Dialect}, doc.Also...)
	areRare := !slices.ContainsFunc(decoder.Dialects(), func(d *format.Dialect) bool { return slices.Contains(dialects, d.Name) && !d.Rare })
	return dialects, doc.Confidence == detect.Certain || doc.Confidence == detect.Likely && areRare
}

func isRegular(name string) bool {
	info, err := os.Stat(name)
	return err == nil && openfile.IsRegular(info.Mode())
}
