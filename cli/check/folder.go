package check

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"varview/decoder/source"
)

// fileOrFolder checks a file, or all files below a folder. Its error means that checking
// other files is pointless.
func (c *checker) fileOrFolder(ctx context.Context, name string) error {
	if info, err := os.Stat(name); name == "-" || err != nil || !info.IsDir() {
		return c.file(ctx, name)
	}
	before := c.total.files + c.total.unread
	c.inFolder = true
	defer func() { c.inFolder = false }()
	inside := name + string(filepath.Separator) + "." // of the folder that a link leads to
	err := filepath.WalkDir(inside, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			c.fail("%s: %v", filepath.Clean(path), source.Plain(err))
			return nil
		}
		return c.entry(ctx, path, entry)
	})
	if err == nil && c.total.files+c.total.unread == before {
		c.fail("%s: there is no file in this folder", name)
	}
	return err
}

// entry checks what a folder has, if that is a file or a link to one.
func (c *checker) entry(ctx context.Context, path string, entry fs.DirEntry) error {
	kind := entry.Type()
	if kind&fs.ModeSymlink != 0 {
		info, err := os.Stat(path)
		switch {
		case err != nil:
			c.fail("%s: a link to nowhere: %v", path, source.Plain(err))
			return nil
		case info.IsDir():
			c.Tell("%s: a link to a folder, which is not followed", path)
			return nil
		}
		kind = info.Mode().Type()
	}
	if !kind.IsRegular() || isSource(path) {
		return nil
	}
	return c.file(ctx, path)
}

// isSource reports whether a file in a folder is GameMaker's source and not a
// save.
func isSource(path string) bool { return strings.EqualFold(filepath.Ext(path), ".gml") }
