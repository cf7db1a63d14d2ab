package kaitai

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"varview/decoder/engine/format"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/formats/kaitai/change"
	"varview/decoder/formats/kaitai/expr"
	"varview/decoder/formats/kaitai/read"
	"varview/decoder/formats/kaitai/spec"
)

const (
	mostFitted = 1 << 16 // values of a field that are looked at in a file
	fewValues  = 6       // of a field for any-of
	manyTimes  = 4       // how often each value of any-of, or the number of files, has to be seen
	leastFiles = 3       // in which a number equals something else
	mostBytes  = 32      // of a field that may never vary
)

// A fitted is a field in all files.
type fitted struct {
	path     string
	attr     *spec.Attr
	isSingle bool // it is there once in each file
	isLong   bool // it has more bytes in some file than are compared

	n, files  int
	values    map[string]int // by how they are shown, as long as they are few
	low, high float64

	// Of a field that is there once and is a whole number: names of sizes, numbers and offsets that it has equalled in all
	// files, and of sums; nil before the first.
	equals map[string]bool
	sums   map[string]string // what -varview-value says of those of these that are sums; "" if it needs an instance
	isMany bool              // it has several values
}

// A fitter holds a description against files.
type fitter struct {
	d     *description
	all   []*fitted
	index map[string]*fitted
	gaps  map[string]int // in how many files nothing claims some bytes, by what they are in

	// Of one file:
	end    int64
	sums   map[string]map[string]string // what fields are checksums of, and what -varview-value says of it
	ints   []fittedInt
	spans  map[string]span.Span // where single fields of the file's bytes are
	counts map[string]int64     // of elements
	owners []owner
}

// An owner is a value with fields.
type owner struct {
	at   span.Span
	path string
}

// A fittedInt is the value of a whole number that is there once in a file.
type fittedInt struct {
	*fitted
	value int64
}

// Fit implements format.Custom.
func (d *description) Fit(ctx context.Context, files []format.Region) (found []format.Fit, problems map[int]error, err error) {
	f := &fitter{d: d, index: map[string]*fitted{}, gaps: map[string]int{}}
	problems = map[int]error{}
	fit := 0
	for i, r := range files {
		t := tree.New(r.Src, d.Open(r.Src, r.At), r.At)
		root := read.New(d.t, r.Src, r.At, nil).Root
		root.Ensure()
		magic := firstContents(d.t, 0)
		switch {
		case !bytes.HasPrefix(root.IO.Buf.Append(nil, r.At.Offset, min(r.At.End(), r.At.Offset+int64(len(magic)))), magic):
			problems[i] = fmt.Errorf("it does not begin with %q", magic)
			continue
		case root.Bad != nil:
			problems[i] = root.Bad
			continue
		}
		fit++
		f.file(root, r.At.End())
		gaps, err := t.Gaps(ctx)
		if err != nil {
			return nil, nil, err
		}
		f.unclaimed(gaps)
	}
	for _, x := range f.all {
		found = append(found, x.says(fit)...)
	}
	for _, text := range slices.Sorted(maps.Keys(f.gaps)) {
		found = append(found, format.Fit{Says: fmt.Sprintf("nothing claims %s, in %d of %d files", text, f.gaps[text], fit)})
	}
	return found, problems, nil
}

// file looks at one file.
func (f *fitter) file(root *read.Struct, end int64) {
	f.end, f.sums, f.ints, f.owners = end, change.SumsOf(root), nil, nil
	f.spans, f.counts = map[string]span.Span{}, map[string]int64{}
	f.fields(root, "", true, new(int))
	for i := range f.ints {
		f.relate(&f.ints[i])
	}
}

// unclaimed notes what the bytes are in that nothing claims.
func (f *fitter) unclaimed(gaps []span.Span) {
	of := map[string]bool{}
	for _, g := range gaps {
		in := slices.IndexFunc(f.owners, func(o owner) bool { return o.at.Offset <= g.Offset && g.End() <= o.at.End() })
		what := span.Counted(g.Length, "byte")
		switch {
		case in >= 0: // inner ones come first
			of[what+" of $."+f.owners[in].path] = true
		case g.End() == f.end:
			of["the last "+what] = true
		default:
			of[fmt.Sprintf("%s at %#x", what, g.Offset)] = true
		}
	}
	for text := range of {
		f.gaps[text]++
	}
}

func (f *fitter) fields(s *read.Struct, path string, isSingle bool, seen *int) {
	s.Ensure()
	for i := range s.Cells {
		a, c := s.Type.Seq[i], &s.Cells[i]
		if *seen++; *seen > mostFitted || c.State == read.Absent || a.ID == "" {
			continue
		}
		name := path + a.ID
		list, isList := c.Val.Ref.(*read.Array)
		if c.Buf.IsFile() && isSingle {
			f.spans[name] = span.Between(c.Start, c.End)
		}
		if !isList {
			f.field(a, c, name, isSingle, seen)
			continue
		}
		f.counts[name] = list.Len()
		for j := range min(list.Len(), mostFitted) {
			e := list.Cell(j)
			f.field(a, &e, name+"[]", false, seen)
		}
	}
}

func (f *fitter) field(a *spec.Attr, c *read.Cell, path string, isSingle bool, seen *int) {
	if inner, ok := c.Val.Ref.(*read.Struct); ok {
		f.fields(inner, path+".", isSingle, seen)
		if c.Buf.IsFile() {
			f.owners = append(f.owners, owner{span.Between(c.Start, c.End), path})
		}
		return
	}
	v, err := c.Value(a)
	if err != nil || !slices.Contains([]expr.Kind{expr.Int, expr.Float, expr.Str, expr.Bytes}, v.Kind) {
		return
	}
	x := f.index[path]
	if x == nil {
		x = &fitted{path: path, attr: a, isSingle: isSingle, values: map[string]int{}, low: math.Inf(1), high: math.Inf(-1)}
		f.index[path], f.all = x, append(f.all, x)
	}
	if v.Kind == expr.Bytes && len(v.Data()) > mostBytes {
		x.isLong = true
		return
	}
	x.take(v)
	if n, err := v.Int64(); err == nil && isSingle {
		x.files++
		f.ints = append(f.ints, fittedInt{x, n})
	}
}

func (x *fitted) take(v expr.Value) {
	x.n++
	if len(x.values) <= fewValues {
		x.values[literalOf(v)]++
	}
	if v.Kind == expr.Int || v.Kind == expr.Float {
		x.low, x.high = min(x.low, v.Float()), max(x.high, v.Float())
	}
	x.isMany = len(x.values) > 1
}

// literalOf returns a value as an expression has it.
func literalOf(v expr.Value) string {
	if e, ok := v.Ref.(*expr.Enum); ok {
		if name, ok := v.Label(); ok {
			return e.Name[strings.LastIndex(e.Name, "::")+2:] + "::" + name
		}
	}
	switch v.Kind {
	case expr.Str:
		return fmt.Sprintf("%q", v.Text())
	case expr.Bytes:
		return "[" + strings.ReplaceAll(fmt.Sprintf("% #x", v.Data()), " ", ", ") + "]"
	}
	return v.Digits()
}

// lessThanFile begins the name of what is smaller than the file by some bytes.
const lessThanFile = "_io.size - "

// relate keeps what a number equals in this file, of what it has equalled in those before.
func (f *fitter) relate(p *fittedInt) {
	is := map[string]bool{}
	note := func(name string, n int64) {
		if n == p.value && (p.equals == nil || p.equals[name]) {
			is[name] = true
		}
	}
	note("_io.size", f.end)
	if less := f.end - p.value; less > 0 {
		note(lessThanFile+fmt.Sprint(less), p.value)
	}
	for name, s := range f.spans {
		if name != p.path {
			note(name+"._sizeof", s.Length)
			note("the offset of "+name, s.Offset)
		}
	}
	for name, n := range f.counts {
		note(name+".size", n)
	}
	p.sums = f.sums[p.path]
	for name := range p.sums {
		note(name, p.value)
	}
	p.equals = is
}

// says returns what holds of the field in all files.
func (x *fitted) says(files int) (found []format.Fit) {
	a := x.attr
	if x.isSingle && x.files == files && files >= leastFiles && x.isMany && !a.Follows() && len(a.Located()) == 0 {
		for name := range x.equals {
			if len(x.equals) > 1 && strings.HasPrefix(name, lessThanFile) {
				continue // another one says more
			}
			found = append(found, x.fit("equals "+name, x.keptAs(name)))
		}
		slices.SortFunc(found, func(a, b format.Fit) int { return strings.Compare(a.Says, b.Says) })
	}
	if len(found) == 0 && a.Valid == nil && a.Kept == nil && !a.IsContents && files > 1 {
		return x.allowed()
	}
	return found
}

// fit returns what holds of the field, with the line that says so.
func (x *fitted) fit(says, ksy string) format.Fit {
	return format.Fit{Path: "$." + x.path, Says: says, Ksy: ksy}
}

// allowed returns which values the field has in all files, if they are few or numbers.
func (x *fitted) allowed() []format.Fit {
	a := x.attr
	isText := math.IsInf(x.low, 1)
	switch few := len(x.values) <= fewValues; {
	case len(x.values) == 1 && !x.isLong:
		key := "valid: "
		if a.Type.Kind == spec.RawBytes {
			key = "contents: "
		}
		for v := range x.values {
			return []format.Fit{x.fit("is always "+v, key+quoted(v))}
		}
	case a.Follows():
	case few && a.Type.Kind != spec.RawBytes && x.n >= manyTimes*len(x.values):
		all := slices.Sorted(maps.Keys(x.values))
		text := strings.Join(all, ", ")
		for i := range all {
			all[i] = quoted(all[i])
		}
		return []format.Fit{x.fit("is one of "+text, "valid: {any-of: ["+strings.Join(all, ", ")+"]}")}
	case !isText && a.Enum == nil && x.n >= manyTimes:
		low, high := strconv.FormatFloat(x.low, 'f', -1, 64), strconv.FormatFloat(x.high, 'f', -1, 64)
		return []format.Fit{x.fit(fmt.Sprintf("is from %s to %s", low, high), fmt.Sprintf("valid: {min: %s, max: %s}", low, high))}
	}
	return nil
}

// keptAs returns the line that keeps the field equal to something; "" if none does.
func (x *fitted) keptAs(name string) string {
	sum, what, isSum := strings.Cut(name, " of ")
	switch {
	case isSum && sum == "the offset":
		return ""
	case x.sums[name] != "":
		name = x.sums[name]
	case isSum:
		return fmt.Sprintf("-varview-value: %s(protected), where protected is an instance with the bytes of %s", sum, what)
	case strings.Contains(x.path, ".") && !strings.HasPrefix(name, "_io.size"):
		name = "_root." + name
	}
	return "-varview-value: " + name
}

// quoted puts a text into the quotes that YAML needs around one in quotes.
func quoted(literal string) string {
	if strings.HasPrefix(literal, `"`) {
		return "'" + strings.ReplaceAll(literal, "'", "''") + "'"
	}
	return literal
}
