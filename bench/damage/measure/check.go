package measure

import (
	"bytes"
	"context"
	"fmt"
	"runtime/debug"

	"varview/decoder"
	"varview/decoder/diagnose"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// A diagnosis is a problem that the program reports in a buffer.
type diagnosis struct {
	diagnose.Diagnosis
	Buffer int
}

// maxDiagnoses is the largest number of problems of one file that are judged.
const maxDiagnoses = 200

// mostRepairs is the largest number of them that are repaired. Only the first ones
// matter.
const mostRepairs = 20

// An Answer is the program's diagnosis of a damaged file.
type Answer struct {
	Diagnoses []diagnosis
	Dialect   string
	Framing   string
	Big       bool
	Broken    string   // a panic, or fields that do not tile
	Unkept    string   // a repair that is offered and cannot be made
	repaired  [][]byte // the result of the repair of each diagnosis, then of its other causes
	also      []int    // where those of each diagnosis begin
}

// ask opens bytes as check does and collects problems and repairs.
func (f *File) ask(ctx context.Context, data []byte, given bool) (a *Answer) {
	a = &Answer{}
	defer func() {
		if p := recover(); p != nil {
			a.Broken = fmt.Sprintf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	d, err := decoder.Open(ctx, source.Bytes(data), f.options(given))
	if err != nil {
		a.Broken = "cannot be opened: " + err.Error()
		return a
	}
	defer d.Close()
	a.Dialect, a.Framing, a.Big = d.Dialect, d.Framing, d.BigEndian
	if err := a.collect(ctx, d); err != nil && ctx.Err() == nil {
		a.Broken = "cannot be checked: " + err.Error()
		return a
	}
	for i, b := range d.Buffers() {
		if err := tiles(ctx, b); err != nil {
			a.Broken = fmt.Sprintf("buffer %d: %v", i, err)
		}
	}
	a.repair(ctx, d)
	return a
}

// collect collects the problems of all buffers.
func (a *Answer) collect(ctx context.Context, d *decoder.Document) error {
	reported := false
	for i, l := range d.Layers {
		if err := l.Verify(ctx, nil); err != nil {
			return err
		}
		err := l.Tree.Check(ctx, tree.CheckOptions{}, func(p span.Problem, _ *tree.Node) {
			reported = reported || d.Missing != nil && p.Code == d.Missing.Code
			a.add(i, diagnose.Diagnosis{Problem: p})
		})
		if err != nil {
			return err
		}
	}
	if d.Missing != nil {
		if last := len(d.Layers) - 1; !reported {
			a.add(last, diagnose.Diagnosis{Problem: span.Problem{Span: d.Layers[last].Region, Severity: span.Error, Code: d.Missing.Code}})
		}
		return nil
	}
	if d.Tree.Source.Size() == 0 && len(d.Layers) == 0 {
		a.add(0, diagnose.Diagnosis{Problem: span.Problem{Severity: span.Warning, Code: "empty-file"}})
	}
	return d.Diagnose(ctx, d.Tree, diagnose.Options{}, func(x diagnose.Diagnosis) bool {
		a.add(len(d.Layers), x)
		return len(a.Diagnoses) < maxDiagnoses
	})
}

func (a *Answer) add(buffer int, x diagnose.Diagnosis) {
	if len(a.Diagnoses) < maxDiagnoses {
		a.Diagnoses = append(a.Diagnoses, diagnosis{x, buffer})
	}
}

// tiles checks that the fields of a buffer are in order, not empty, and cover it.
func tiles(ctx context.Context, t *tree.Tree) error {
	at := int64(0)
	err := t.EachField(ctx, func(f tree.OwnedField) error {
		if f.Offset != at || f.Length <= 0 {
			return fmt.Errorf("the fields do not tile: %s at %#x, %d bytes, expected at %#x", f.Kind, f.Offset, f.Length, at)
		}
		at = f.End()
		return nil
	})
	if err == nil && at != t.Source.Size() {
		err = fmt.Errorf("the fields end at %#x of %#x", at, t.Source.Size())
	}
	return err
}

// repair works out the results of the repairs of the diagnoses and of their other
// causes, as far as they count. It changes nothing.
func (a *Answer) repair(ctx context.Context, d *decoder.Document) {
	a.repaired, a.also = make([][]byte, len(a.Diagnoses)), make([]int, len(a.Diagnoses))
	asked := 0
	for i := range a.Diagnoses {
		x := &a.Diagnoses[i]
		a.also[i] = len(a.repaired)
		if x.Severity == span.Note || asked == mostRepairs {
			continue
		}
		asked++
		a.repaired[i] = a.apply(ctx, d, x)
		for _, other := range x.Alternatives {
			a.repaired = append(a.repaired, a.apply(ctx, d, &diagnosis{other, x.Buffer}))
		}
	}
}

// apply returns the bytes of a diagnosis's buffer after its repair, nil if there is
// none.
func (a *Answer) apply(ctx context.Context, d *decoder.Document, x *diagnosis) []byte {
	t := d.Tree
	if x.Buffer < len(d.Layers) {
		t = d.Layers[x.Buffer].Tree
	}
	if x.Repair == "" && x.Splices == nil {
		return nil
	}
	repair, err := diagnose.Repair(ctx, t.NewReader(), &x.Diagnosis)
	if err != nil {
		if x.Repair != "" {
			a.Unkept = fmt.Sprintf("%s promises to %q: %v", x.Code, x.Repair, err)
		}
		return nil
	}
	p := source.Whole(t.Source).Splice(repair.Splices)
	held := make([]byte, p.Size())
	if _, err := p.ReadAt(held, 0); err != nil && len(held) > 0 {
		a.Broken = "repaired: " + err.Error()
	}
	return held
}

// restores reports whether repair i restores the undamaged bytes.
func (f *File) restores(a *Answer, i, buffer int) bool {
	return i < len(a.repaired) && a.repaired[i] != nil && buffer < len(f.inner) && bytes.Equal(a.repaired[i], f.inner[buffer])
}
