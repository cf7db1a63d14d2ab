package gamemaker

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"varview/decoder/edit/textual"
	"varview/decoder/engine/format"
	"varview/decoder/engine/lazy"
	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
)

// Lines have no names in the file. A file NAME.lines gives them: "11 gold" on a line names line 11, counted from 1, and
// "31-542 flag" names lines 31 to 542 flag0, flag1 and so on. # begins a comment.

// namesExtension is the extension of files of names.
const namesExtension = ".lines"

// Limits of a file of names.
const (
	mostNames     = 100_000   // largest number of a line
	mostNamesSize = 256 << 10 // bytes
)

//go:embed names/*.lines
var knownNames embed.FS

// known are the games whose lines have names without a file: which files they write, and with how many lines at least.
var known = []struct {
	file  func() *regexp.Regexp
	least int
	names string
}{
	{lazy.Regexp(`^file[089]$`), 549, "undertale"},
	{lazy.Regexp(`^filech[1-9]_[0-9]$`), 1000, "deltarune"},
}

var nameLine = lazy.Regexp(`^([0-9]+)(?:-([0-9]+))?[ \t]+([^ \t].*)$`)

// ReadNames implements format.NameReader.
func (linesFamily) ReadNames(file string, folders []string) (all format.Names, err error) {
	base := filepath.Base(file)
	for _, folder := range folders {
		name := filepath.Join(folder, base+namesExtension)
		text, err := source.ReadRegular(name, mostNamesSize)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var names []string
		if err == nil {
			names, err = parseNames(string(text))
		}
		if err != nil {
			return all, fmt.Errorf("%s: %w", name, err)
		}
		return format.Names{List: names}, nil
	}
	for _, k := range known {
		if k.file().MatchString(base) {
			text, _ := knownNames.ReadFile("names/" + k.names + namesExtension) // it is embedded
			names, err := parseNames(string(text))
			return format.Names{List: names, Least: k.least}, err
		}
	}
	return all, nil
}

// parseNames returns the names of lines, "" for a line without one.
func parseNames(text string) (names []string, err error) {
	taken, row := map[string]bool{}, 0
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		row++
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		m := nameLine().FindStringSubmatch(line)
		if m == nil {
			return nil, fmt.Errorf("line %d: %q is not the number of a line with its name, as in 11 gold", row, line)
		}
		from, _ := strconv.Atoi(m[1])
		to := from
		if m[2] != "" {
			to, _ = strconv.Atoi(m[2])
		}
		if from < 1 || to < from || to > mostNames {
			return nil, fmt.Errorf("line %d: lines are numbered from 1 to %d", row, mostNames)
		}
		for i := from; i <= to; i++ {
			name := m[3]
			if m[2] != "" {
				name += strconv.Itoa(i - from)
			}
			if taken[name] {
				return nil, fmt.Errorf("line %d: two lines have the name %s", row, name)
			}
			for taken[name] = true; len(names) < i; {
				names = append(names, "")
			}
			names[i-1] = name
		}
	}
	return names, nil
}

// A namedLines is a reading of lines with names.
type namedLines struct {
	textual.Editor
	names   []string
	numbers map[string]int64 // indexes by path step
}

func newNamedLines(e textual.Editor, names []string) *namedLines {
	n := &namedLines{Editor: e, names: names, numbers: map[string]int64{}}
	for i, name := range names {
		if name != "" {
			n.numbers[string(tree.AppendTextStep(nil, []byte(name)))] = int64(i)
		}
	}
	return n
}

// MemberName implements format.MemberNamer.
func (n *namedLines) MemberName(in *tree.Value, i int64) []byte {
	if !textual.IsBuffer(in) || i < 0 || i >= int64(len(n.names)) || n.names[i] == "" {
		return nil
	}
	return []byte(n.names[i])
}

// AppendStep implements tree.Stepper.
func (n *namedLines) AppendStep(dst []byte, _ *tree.Reader, in *tree.Value, slot tree.Slot, _ *tree.Value) []byte {
	if name := n.MemberName(in, slot.Index); name != nil {
		return tree.AppendTextStep(dst, name)
	}
	return tree.AppendIndexStep(dst, slot.Index)
}

// Shortcut implements tree.Shortcutter: a name leads to its line.
func (n *namedLines) Shortcut(in *tree.Value, rest string) string {
	for step, i := range n.numbers {
		if tail, ok := strings.CutPrefix(rest, step); ok && textual.IsBuffer(in) && (tail == "" || strings.IndexByte(".[#@", tail[0]) >= 0) {
			return string(tree.AppendIndexStep(nil, i)) + tail
		}
	}
	return rest
}
