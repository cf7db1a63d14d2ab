package measure

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"varview/decoder/engine/span"
)

// A Class is the result of a mutation.
type Class uint8

// The classes.
const (
	reported Class = iota
	missed         // the engine reads something else, or nothing, and no problem is reported
	valid          // another file that an engine could have written
	silent         // the engine reads the same; nothing is reported
	remarked       // the engine reads the same; something is reported
	classes
)

var classNames = [classes]string{"reported", "MISSED", "another valid file", "read the same, silent", "read the same, reported"}

func (c Class) String() string { return classNames[c] }

// A Verdict is the judgement of one mutation, read in one way.
type Verdict struct {
	Class Class

	Located  bool // a diagnosis names the damaged value
	First    bool // the first diagnosis is the true cause
	Three    bool // one of the first three is
	Any      bool // one of all is
	Restores bool // the repair of one of the first three restores the file

	AnyRestores bool // the repair of one of all does
	Answer      *Answer
	Took        time.Duration
}

// Judge has the program diagnose a mutation and judges the answer.
func (f *File) Judge(ctx context.Context, m *Mutation, given bool) *Verdict {
	data := m.Apply(f.Data)
	start := time.Now()
	a := f.ask(ctx, data, given)
	v := &Verdict{Answer: a, Took: time.Since(start)}
	now := f.read(data)
	fresh := f.fresh(ctx, a, m, given)
	v.Located = f.isLocated(m, a, fresh)
	f.judgeCauses(v, m, fresh)
	switch {
	case now.same(f.reading) && len(fresh) == 0:
		v.Class = silent
	case now.same(f.reading):
		v.Class = remarked
	case now.clean() || len(fresh) == 0 && !given && f.fits(data, a):
		v.Class = valid
	case len(fresh) > 0:
		v.Class = reported
	default:
		v.Class = missed
	}
	return v
}

// fits reports whether the bytes are a valid file of the dialect that they were
// taken for.
func (f *File) fits(data []byte, a *Answer) bool {
	if len(f.Wrappers) > 0 || a.Dialect == "" || strings.HasPrefix(a.Dialect, "elephant") {
		return false
	}
	r := f.readPlain(data, a.Dialect, a.Framing, a.Big)
	return r.clean()
}

// fresh are the numbers of the diagnoses that the undamaged file does not have.
func (f *File) fresh(ctx context.Context, a *Answer, m *Mutation, given bool) (numbers []int) {
	if f.before[given] == nil {
		f.before[given] = f.ask(ctx, f.Data, given)
	}
	by := int64(len(m.New) - len(m.Old))
	old := map[string]int{}
	for _, x := range f.before[given].Diagnoses {
		old[keyOf(&x, 0)]++
	}
	for i, x := range a.Diagnoses {
		key := keyOf(&x, 0)
		if moved := keyOf(&x, by); x.Offset >= m.At && old[moved] > 0 {
			key = moved
		}
		if old[key] > 0 {
			old[key]--
			continue
		}
		numbers = append(numbers, i)
	}
	return numbers
}

// keyOf identifies a diagnosis, also where it has moved by some bytes.
func keyOf(x *diagnosis, by int64) string { return fmt.Sprint(x.Code, x.Buffer, x.Offset-by) }

// isPacked reports whether a field is a part of what another buffer was unpacked
// from.
func (f *File) isPacked(field *Field) bool {
	return len(f.Wrappers) > 0 && (field.Kind == span.Data || field.Kind == span.Text || field.Kind == span.IV)
}

// mostAlternatives is the number of other causes that count as among the first three.
const mostAlternatives = 2

// judgeCauses judges whether the first new diagnosis, or one of its other causes, names the
// damage, and whether the repair of one of them restores the file. Notes are not causes.
func (f *File) judgeCauses(v *Verdict, m *Mutation, fresh []int) {
	a := v.Answer
	i := slices.IndexFunc(fresh, func(i int) bool { return a.Diagnoses[i].Severity != span.Note })
	if i < 0 {
		return
	}
	i = fresh[i]
	x := &a.Diagnoses[i]
	v.Restores = f.restores(a, i, x.Buffer)
	v.First = v.Restores || f.isCause(m, x)
	v.Three = v.First || slices.ContainsFunc(fresh, func(i int) bool { return f.namesInOther(m, &a.Diagnoses[i]) })
	v.Any, v.AnyRestores = v.Three, v.Restores
	for j, other := range x.Alternatives {
		restores := f.restores(a, a.also[i]+j, x.Buffer)
		v.AnyRestores = v.AnyRestores || restores
		v.Any = v.Any || restores || f.isCause(m, &diagnosis{other, x.Buffer})
		if j < mostAlternatives {
			v.Three, v.Restores = v.Any, v.AnyRestores
		}
	}
}

// isCause reports whether a diagnosis names the damage, whatever the repair.
func (f *File) isCause(m *Mutation, x *diagnosis) bool {
	if m.Field != nil && f.isPacked(m.Field) {
		return f.namesPacked(m, x)
	}
	if x.Buffer != 0 {
		return false
	}
	switch m.Way {
	case changedByte, flippedBits, wrongLength, wrongType:
		return overlap(x.Span, m.Field.Span)
	case Cut:
		return isOfCut(x)
	}
	by := int64(len(m.New) - len(m.Old))
	switch {
	case by > 0 && x.IsLocal() && x.Offset >= m.At && x.End() <= m.At+by:
		return true // a text that also the inserted bytes could belong to
	case x.Code == span.WrongCount && m.Field != nil && withoutKey(x.Path) == m.Field.OwnerPath && m.Field.Kind == span.Value:
		return true // elements of an array were lost or inserted
	case by > 0 && x.Code == span.TrailingBytes && (m.Field == nil || f.isEndOf(m, m.Field.OwnerPath)):
		return x.Length == by // which of the last content is too much, nothing shows
	case by < 0 && isOfCut(x) && f.isEndOf(m, x.Path):
		return true // whether the last content has lost its end or its middle, nothing shows
	case by < 0 && x.Code != span.MissingBytes, by > 0 && x.Code != span.ExtraBytes:
		return false
	}
	return sizeOf(x) == max(by, -by) && overlap(x.Span, f.neighbours(m))
}

// isEndOf reports whether damage is in the content of the value with a path, or of its
// last child, and nothing but that content follows it.
func (f *File) isEndOf(m *Mutation, path string) bool {
	if m.Field == nil || path != m.Field.OwnerPath && path != m.Field.ParentPath {
		return false
	}
	for i := range f.Fields {
		field := &f.Fields[i]
		isEnd := field.Kind == span.Padding || field.Kind == span.Terminator || field.Kind == span.Magic
		if field.End() > m.At && (field.isStructural() && !isEnd || field.OwnerPath != m.Field.OwnerPath && field.ParentPath != m.Field.ParentPath && !isEnd) {
			return false
		}
	}
	return true
}

// namesInOther reports whether a note that the file may be of another dialect names the
// damage as the cause of the problems in that one.
func (f *File) namesInOther(m *Mutation, x *diagnosis) bool {
	if x.Code != span.UncertainDialect || len(x.Alternatives) == 0 || m.Field != nil && f.isPacked(m.Field) {
		return false
	}
	other := diagnosis{x.Alternatives[0], x.Buffer}
	by := int64(len(m.Old) - len(m.New)) // it has no repair that shows how many
	switch {
	case by > 0 && other.Code == span.MissingBytes:
		return strings.Contains(other.Message, span.BytesAre(by)+" missing here") && overlap(other.Span, f.neighbours(m))
	case by < 0 && other.Code == span.ExtraBytes:
		return strings.Contains(other.Message, span.Bytes(-by)+" too many here") && overlap(other.Span, f.neighbours(m))
	}
	return f.isCause(m, &other)
}

// namesPacked reports whether a diagnosis names a loss in packed bytes, whose place
// in a block cannot be known: the block, a size that does not fit, or a cut in what
// is unpacked.
func (f *File) namesPacked(m *Mutation, x *diagnosis) bool {
	switch {
	case m.Way == Cut:
		return isOfCut(x)
	case x.Buffer == 0:
		return overlap(x.Span, m.Field.Parent) || x.Code == "wrong-size" || x.Code == "checksum"
	}
	return x.Code == span.Unreadable || x.Code == span.MissingBytes || x.Code == span.ExtraBytes || streamCodes[x.Code]
}

// streamCodes are the codes of compressed streams in other wrappers.
var streamCodes = map[string]bool{"checksum": true, "bad-stream": true, "truncated-stream": true, "bad-block": true}

// isOfCut reports whether the diagnosis is that the bytes end too early.
func isOfCut(x *diagnosis) bool {
	return x.IsShortage() && x.Code != span.NegativeLength || cutCodes[x.Code]
}

// overlap reports whether two spans share a byte; an empty one counts as the byte
// that follows.
func overlap(a, b span.Span) bool {
	return a.Offset < max(b.End(), b.Offset+1) && b.Offset < max(a.End(), a.Offset+1)
}

// cutCodes are the codes of formats and wrappers for a cut file.
var cutCodes = map[string]bool{
	"missing-footer": true, "missing-trailer": true, "truncated-stream": true, "block-count": true, "wrong-size": true, "empty-file": true,
	"unrecognized": true, "bad-digit": true, "digit-padding": true,
}

// sizeOf returns the number of missing or surplus bytes of a cause: what its repair
// inserts or removes.
func sizeOf(x *diagnosis) int64 {
	by := int64(0)
	for i := range x.Splices {
		by += x.Splices[i].Added() - x.Splices[i].Length
	}
	return max(by, -by)
}

// neighbours is the span of the damaged value with those directly before and after it.
func (f *File) neighbours(m *Mutation) span.Span {
	if m.Field == nil {
		return span.Between(f.Fields[len(f.Fields)-1].Owner.Offset, m.At+1)
	}
	near := m.Field.Owner
	if before := f.at(near.Offset - 1); before != nil {
		from := before.Offset
		if !before.Owner.Contains(m.At) {
			from = before.Owner.Offset
		}
		near = span.Between(from, near.End())
	}
	if after := f.at(near.End()); after != nil {
		near = span.Between(near.Offset, after.Owner.End())
	}
	return span.Between(near.Offset, near.End()+max(0, int64(len(m.New)-len(m.Old))))
}
