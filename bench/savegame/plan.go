// Package savegame writes large synthetic saves of Godot. The same plan gives the same bytes on every machine and with
// every version of Go, so that numbers measured with them can be compared.
package savegame

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
)

// Version is part of every file's name. It changes whenever the bytes of any plan change.
const Version = 2

// Kind is the shape of a file.
type Kind string

const (
	Mixed    Kind = "mixed"    // store_var frames: u32 length and a value, repeated
	MixedRaw Kind = "mixedraw" // one bare Array of such values
	Objects  Kind = "objects"  // a Mixed with objects in many records, each of which check notes
	GCPF     Kind = "gcpf"     // a Mixed as FileAccess.open_compressed packs it, in Zstandard; Size is that of the Mixed
	Rows     Kind = "rows"     // one bare Array of Dictionaries with the same two keys, of 48 bytes each
)

// kinds lists all kinds.
var kinds = []Kind{Mixed, MixedRaw, Objects, GCPF, Rows}

// KindNames lists the kinds for people.
func KindNames() string {
	var names []string
	for _, k := range kinds {
		names = append(names, string(k))
	}
	return strings.Join(names, ", ")
}

// largest keeps a GCPF's 32-bit sizes in their range.
const largest = 3 << 30

// Dialect is the type-id table that a file is written with.
type Dialect string

const (
	Godot4 Dialect = "godot4"
	Godot3 Dialect = "godot3"
)

// A Plan says which file to write.
type Plan struct {
	Kind    Kind
	Dialect Dialect
	Size    int64 // bytes; the file is at most 1 KiB shorter or longer
	Seed    uint64
}

// Validate returns an error that names the first field of p that has no meaning.
func (p Plan) Validate() error {
	switch {
	case !slices.Contains(kinds, p.Kind):
		return fmt.Errorf("unknown kind %q (%s)", p.Kind, KindNames())
	case p.Dialect != Godot4 && p.Dialect != Godot3:
		return fmt.Errorf("the dialect of a %s is godot4 or godot3, not %q", p.Kind, p.Dialect)
	case p.Size < 0:
		return fmt.Errorf("negative size %d", p.Size)
	case p.Size > largest && p.Kind == GCPF:
		return fmt.Errorf("a %s has at most %s", p.Kind, FormatSize(largest))
	}
	return nil
}

// Name returns a file name that no plan with other bytes has.
func (p Plan) Name() string {
	return fmt.Sprintf("%s-%s-%s-seed%d-v%d.dat", p.Kind, p.Dialect, FormatSize(p.Size), p.Seed, Version)
}

// WriteFile writes the file under a temporary name next to path and renames it, so
// that path is never half a file.
func (p Plan) WriteFile(path string) (err error) {
	if err := p.Validate(); err != nil {
		return err
	}
	part := path + ".part"
	f, err := os.Create(part)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(part)
		}
	}()
	if err := p.write(f); err != nil {
		f.Close()
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(part, path)
}

// A target takes the bytes in order; a container's count, known only at the end, is then put in place with WriteAt.
type target interface {
	io.Writer
	io.WriterAt
}

// flushAt is the number of bytes that are gathered before they are written.
const flushAt = 1 << 20

// A sink writes the bytes gathered in a buffer to a target.
type sink struct {
	w       io.Writer
	flushed int64
}

// flush writes the buffer and empties it, if it has at least n bytes.
func (s *sink) flush(buf *[]byte, least int) error {
	if len(*buf) < least {
		return nil
	}
	n, err := s.w.Write(*buf)
	s.flushed += int64(n)
	*buf = (*buf)[:0]
	return err
}

// write sends the planned file to w, holding no more than one entry and flushAt bytes of it in memory; of a GCPF also
// the lengths of its blocks.
func (p Plan) write(w target) error {
	switch p.Kind {
	case GCPF:
		return p.writeGCPF(w)
	case Rows:
		return p.writeRows(w)
	}
	return p.writeVariants(w)
}

func (p Plan) writeVariants(w target) error {
	g := newGenerator(p)
	put := g.frame
	if p.Kind == MixedRaw {
		put = func(one func()) { one() }
		g.open(typeArray)
	}
	const least = 64 // the last value takes 28 bytes, any other at least 40
	out := sink{w: w}
	entries := 1
	for {
		left := p.Size - out.flushed - int64(len(g.buf))
		if left < least {
			break
		}
		put(func() { g.entry(entries-1, left) })
		entries++
		if err := out.flush(&g.buf, flushAt); err != nil {
			return err
		}
	}
	put(func() { g.string(LastText) })
	if err := out.flush(&g.buf, 0); err != nil || p.Kind != MixedRaw {
		return err
	}
	const rootCount = 4 // after the root's header
	_, err := w.WriteAt(le32(entries), rootCount)
	return err
}

var sizeUnits = []struct {
	suffix string
	bytes  int64
}{
	{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"GB", 1e9}, {"MB", 1e6}, {"KB", 1e3}, {"B", 1}, {"", 1},
}

// ParseSize reads a size such as 1GiB, 64MB or 4096.
func ParseSize(s string) (int64, error) {
	for _, u := range sizeUnits {
		digits, ok := strings.CutSuffix(s, u.suffix)
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(digits, 10, 64)
		if err != nil || n < 0 || n > (1<<62)/u.bytes {
			break
		}
		return n * u.bytes, nil
	}
	return 0, fmt.Errorf("%q is not a size such as 1GiB, 64MB or 4096", s)
}

// FormatSize writes a size in the unit that takes the fewest characters.
func FormatSize(n int64) string {
	best := strconv.FormatInt(n, 10) + "B"
	for _, u := range sizeUnits {
		if s := strconv.FormatInt(n/u.bytes, 10) + u.suffix; n%u.bytes == 0 && len(s) < len(best) && u.suffix != "" {
			best = s
		}
	}
	return best
}
