// Package patch writes edits as text that can be applied to other files, and reads it.
package patch

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/internal/atomicfile"
)

// patchHeader begins a patch, which is a text of operations:
//
//	varview patch 1
//	set $.player.hp
//	- 87
//	+ 100
//	insert $.items[2]
//	b _	"bow"
//	a end
//	+ "potion"
//	delete $.quests[0]
//	- "dragon"
//	move $.items[4]
//	@ 4
//	> 0
//
// "-" is the old literal, "+" the new one, "=" the path afterwards if it differs, "@" the index of the
// child, ">" its index afterwards, "k" the literal of its key, "?" the path of what identifies an element of a list
// around it, a tab, and its literal; "b" and "a" are what comes before and after an element of a list, see Op.Before. A line of sum before the operations and one behind them say which bytes the
// patch was made of and which bytes it led to.
const patchHeader = "varview patch 1"

var opNames = [...]string{Set: "set", Insert: "insert", Delete: "delete", Move: "move", Bytes: "bytes", Sum: "sum"}

// MaxSize is the largest size in bytes of a patch file.
const MaxSize = 256 << 20

// A Patch is a list of operations that can be made on another file.
type Patch []Op

// Reversed returns the patch that undoes p.
func (p Patch) Reversed() Patch {
	var back Patch
	for _, op := range slices.Backward(p) {
		back = append(back, op.inverse())
	}
	return back
}

// SumOf returns the op that states that a buffer has these bytes.
func SumOf(bytes source.Source) (Op, error) {
	h := sha256.New()
	_, err := io.Copy(h, io.NewSectionReader(bytes, 0, bytes.Size()))
	return Op{Kind: Sum, Path: hex.EncodeToString(h.Sum(nil)[:16])}, err
}

// Between returns the patch with the sums of the bytes before and after it. An empty patch has none, and
// neither has one for bytes that can no longer be read.
func (p Patch) Between(before, after source.Source) Patch {
	if len(p) == 0 {
		return p
	}
	was, errWas := SumOf(before)
	is, errIs := SumOf(after)
	if errWas != nil || errIs != nil {
		return p
	}
	return slices.Concat(Patch{was}, p, Patch{is})
}

// Save writes the patch to a file, which is then complete or not there at all. An existing file is
// replaced if force is set; otherwise the error is os.ErrExist.
func (p Patch) Save(ctx context.Context, path string, force bool) error {
	o := atomicfile.Options{New: !force}
	return atomicfile.Replace(ctx, path, o, func(_ context.Context, f *os.File) error { return p.Write(f) })
}

// Write writes the patch as text.
func (p Patch) Write(out io.Writer) error {
	w := bufio.NewWriter(out)
	fmt.Fprintln(w, patchHeader)
	for i := range p {
		op := &p[i]
		if op.Long {
			return fmt.Errorf("%s is too long for a patch: more than %s of text, or none that carries it", op.Path, span.Bytes(MaxLiteral))
		}
		if op.Kind == Bytes {
			fmt.Fprintf(w, "bytes %d %#x\n", op.Buffer, op.Offset)
		} else {
			fmt.Fprintf(w, "%s %s\n", opNames[op.Kind], op.Path)
		}
		op.writeLines(w)
	}
	return w.Flush()
}

func (o *Op) writeLines(w io.Writer) {
	line := func(mark, text string) { fmt.Fprintf(w, "%s %s\n", mark, text) }
	if o.NewPath != "" {
		line("=", o.NewPath)
	}
	for known := range strings.Lines(o.In) {
		line("?", strings.TrimSuffix(known, "\n"))
	}
	switch o.Kind {
	case Insert, Delete:
		if o.Key != "" {
			line("@", strconv.FormatInt(o.Index, 10))
			line("k", o.Key)
		}
		if o.Before != "" {
			line("b", o.Before)
		}
		if o.After != "" {
			line("a", o.After)
		}
	case Sum:
		return
	case Move:
		line("@", strconv.FormatInt(o.Index, 10))
		line(">", strconv.FormatInt(o.To, 10))
		if o.Old == "" {
			return
		}
	}
	if o.Kind != Insert {
		line("-", o.Old)
	}
	if o.Kind != Delete && o.Kind != Move {
		line("+", o.New)
	}
}

// Read reads a patch. The error names the line.
func Read(in io.Reader) (Patch, error) {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 4*MaxLiteral)
	if !lines.Scan() || strings.TrimPrefix(strings.TrimRight(lines.Text(), "\r"), "\ufeff") != patchHeader {
		return nil, fmt.Errorf("line 1: a patch has to begin with %q", patchHeader)
	}
	var p Patch
	n := 2
	for ; lines.Scan(); n++ {
		text := strings.TrimRight(lines.Text(), "\r")
		if text == "" || text[0] == '#' {
			continue
		}
		if err := p.read(text); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return nil, fmt.Errorf("line %d: more than %s of text", n, span.Bytes(4*MaxLiteral))
	}
	if n := len(p); n > 0 && p[0].Kind == Sum && (n == 1 || p[n-1].Kind != Sum) && lines.Err() == nil {
		return nil, errors.New("the patch is cut: it begins with a sum, but does not end with one")
	}
	return p, lines.Err()
}

// read processes the next line of a patch.
func (p *Patch) read(line string) error {
	word, rest, _ := strings.Cut(line, " ")
	if i := slices.Index(opNames[:], word); i >= 0 {
		op := Op{Kind: Kind(i), Path: rest}
		if op.Kind == Bytes {
			if _, err := fmt.Sscanf(rest, "%d %v", &op.Buffer, &op.Offset); err != nil {
				return errors.New("bytes needs the number of a buffer and an offset")
			}
		}
		*p = append(*p, op)
		return nil
	}
	if len(*p) == 0 {
		return fmt.Errorf("%q is not one of %s", word, strings.Join(opNames[:], ", "))
	}
	op := &(*p)[len(*p)-1]
	var err error
	switch word {
	case "-":
		op.Old = rest
	case "+":
		op.New = rest
	case "=":
		op.NewPath = rest
	case "?":
		op.In += rest + "\n"
	case "b":
		op.Before = rest
	case "a":
		op.After = rest
	case "k":
		op.Key = rest
	case "@":
		op.Index, err = strconv.ParseInt(rest, 10, 64)
	case ">":
		op.To, err = strconv.ParseInt(rest, 10, 64)
	default:
		err = fmt.Errorf("%q is neither one of - + = ? b a k @ > nor of %s", word, strings.Join(opNames[:], ", "))
	}
	return err
}
