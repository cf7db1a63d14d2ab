package differ

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"

	"varview/cli/env"
	"varview/decoder"
	"varview/decoder/engine/source"
	"varview/decoder/engine/tree"
	"varview/internal/text"
	"varview/model/patch"
)

// textconv prints the values of a file, one line each: values without children, and empty lists and
// dictionaries.
func (e commands) textconv(ctx context.Context, name string) (err error) {
	f, err := e.OpenFile(ctx, name, decoder.Settle)
	if err != nil {
		return err
	}
	defer f.Finish(&err)
	if err := f.CheckReadable(); err != nil {
		return err
	}
	out := bufio.NewWriterSize(&text.Harmless{W: e.ForPeople(e.Stdout)}, 64<<10)
	if f.IsForeign() {
		err = writeByteLines(ctx, out, f.Tree.Source)
	} else {
		err = writePathLines(ctx, out, f)
	}
	return errors.Join(err, out.Flush())
}

// writeByteLines writes the bytes of a file without values, 16 on each line.
func writeByteLines(ctx context.Context, out *bufio.Writer, src source.Source) error {
	const perLine = 16
	w := source.NewWindow(src)
	for at := int64(0); at < src.Size() && ctx.Err() == nil; at += perLine {
		b := w.View(at, min(perLine, src.Size()-at))
		if _, err := fmt.Fprintf(out, "%#x = %s\n", at, tree.AppendHex(nil, b, int64(len(b)))); err != nil {
			return err
		}
	}
	return cmp.Or(ctx.Err(), w.Err())
}

func writePathLines(ctx context.Context, out *bufio.Writer, f *env.File) error {
	r := f.Tree.NewReader()
	s := f.Tree.Scanner()
	p := tree.NewPather(f.Tree, s)
	var line []byte
	hidden := 0 // depth below a value that is printed as a whole
	err := s.Run(ctx, func(ev tree.Event) bool {
		p.Step(ev)
		switch {
		case ev == tree.Leave:
			hidden = max(0, hidden-1)
			return true
		case hidden > 0 || s.Slot().Key:
			if ev == tree.Enter {
				hidden++
			}
			return true
		}
		v := s.Value()
		_, m := r.AppendMeaning(nil, v)
		if m.Compared == tree.Absent || ev == tree.Enter && m.Compared != tree.Whole && v.Count != 0 {
			return true
		}
		if ev == tree.Enter {
			hidden++
		}
		line = append(text.Append(line[:0], string(p.Path(ev))), " = "...)
		line = append(r.AppendLiteral(line, v, patch.MaxLiteral), '\n')
		_, err := out.Write(line)
		return err == nil
	})
	return err
}
