// Package simpletest tests a family by a table of samples: what they mean, that their fields tile them,
// what is left of them where they are cut, and random edits.
package simpletest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"varview/decoder/edit"
	"varview/decoder/engine/format"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
)

// A Sample is a file and all that is read in it. What is "" is not compared.
type Sample struct {
	Hex     string // the bytes as digits, with blanks between them
	Text    string // the bytes where there are no digits
	Type    string
	Literal string
	JSON    string
	Fields  string // those of FieldsOf, with "; " between them; all of them or none with paths

	Problems []string // those of ProblemsOf; nil for none but notes
	Unused   int      // number of bytes at the end that belong to no value
}

func (s *Sample) bytes(t testing.TB) []byte {
	if s.Hex != "" {
		return Hex(t, s.Hex)
	}
	return []byte(s.Text)
}

// isWhole reports whether nothing but notes is reported of the sample.
func (s *Sample) isWhole() bool {
	return len(slices.DeleteFunc(slices.Clone(s.Problems), isNote)) == 0
}

func isNote(problem string) bool { return strings.HasPrefix(problem, "note ") }

// An Edit is an edit of a file: the bytes before, one of the operations of Change, the path, the value, and the bytes
// after or the end of the error.
type Edit [5]string

// A Suite is what a family is tested with.
type Suite struct {
	Family  format.Family
	Samples []Sample
	Edits   []Edit // of bytes as digits

	// Random makes a random file; nil for none.
	Random func(*rand.Rand) Sample
	// Peer reads a file independently and returns the JSON that export must give; nil for none.
	Peer func([]byte) (string, error)
	// OneForm says that a value has only one form: import of what is exported gives the same bytes.
	OneForm bool
	// AnyEnd says that a file may end anywhere: where it is cut, nothing needs to be reported.
	AnyEnd bool
}

// Run runs all tests.
func (s *Suite) Run(t *testing.T) {
	t.Run("samples", s.testSamples)
	t.Run("cuts", s.testCuts)
	t.Run("edits", func(t *testing.T) {
		for _, e := range s.Edits {
			e.check(t, s.Family, Hex(t, e[0]), func(after string) []byte { return Hex(t, after) })
		}
	})
	t.Run("random", s.testRandom)
}

// CheckTexts tests edits of text.
func CheckTexts(t *testing.T, family format.Family, edits []Edit) {
	t.Helper()
	for _, e := range edits {
		e.check(t, family, []byte(e[0]), func(after string) []byte { return []byte(after) })
	}
}

func (e Edit) check(t *testing.T, family format.Family, before []byte, decode func(string) []byte) {
	t.Helper()
	after := e[4]
	switch got, err := Change(t, Open(t, family, before), e[1], e[2], e[3]); {
	case err != nil && !strings.HasSuffix(err.Error(), after):
		t.Errorf("%q: %v", e, err)
	case err == nil && !bytes.Equal(got, decode(after)):
		t.Errorf("%q gives %x, %[2]q", e, got)
	}
}

func (s *Suite) testSamples(t *testing.T) {
	for i := range s.Samples {
		s.check(t, &s.Samples[i])
	}
}

// check compares what is read in a sample, finds all owners of its fields, sets it to itself, and imports
// what is exported.
func (s *Suite) check(t *testing.T, x *Sample) {
	t.Helper()
	b := x.bytes(t)
	tr := Open(t, s.Family, b)
	text := JSONOf(t, tr)
	compare := func(what, got, want string) {
		t.Helper()
		if want != "" && got != want {
			t.Errorf("%s%q: %s\n%s, want\n%s", x.Hex, x.Text, what, got, want)
		}
	}
	compare("literal", LiteralOf(t, tr), x.Literal)
	compare("JSON", text, x.JSON)
	compare("fields", strings.Join(fieldsOf(t, tr, strings.HasPrefix(x.Fields, "$")), "; "), x.Fields)
	found := ProblemsOf(t, tr)
	if x.Problems == nil {
		found = slices.DeleteFunc(found, isNote)
	}
	compare("problems", fmt.Sprintf("%q", found), fmt.Sprintf("%q", x.Problems))
	if x.Type != "" {
		compare("type", typeOf(t, tr), x.Type)
	}
	if !json.Valid([]byte(text)) {
		t.Errorf("%s%q: this is no JSON: %s", x.Hex, x.Text, text)
	}
	if x.isWhole() {
		checkOwners(t, tr)
		s.checkSame(t, b, x.Unused)
	}
}

func typeOf(t testing.TB, tr *tree.Tree) string {
	r := tr.NewReader()
	n, err := r.Child(tr.Base, 0)
	if err != nil {
		t.Fatal(err)
	}
	return string(tr.AppendType(nil, r.Window(), &n.Value))
}

// checkSame checks that a file set to its own literal stays as it is, and what importing its JSON gives.
func (s *Suite) checkSame(t *testing.T, b []byte, unused int) {
	t.Helper()
	tr := Open(t, s.Family, b)
	if _, can := tr.Reading.(edit.Editor); can {
		if same, err := Change(t, tr, "set", "$", LiteralOf(t, tr)); err != nil || !bytes.Equal(same, b) {
			t.Errorf("%x set to itself, %s, gives %x (%v)", b, LiteralOf(t, tr), same, err)
		}
	}
	importer, can := s.Family.(format.Importer)
	if !can {
		return
	}
	var out bytes.Buffer
	text := JSONOf(t, tr)
	if err := importer.Import(t.Context(), strings.NewReader(text), &out, &format.ImportRequest{}); err != nil {
		t.Errorf("%s imported: %v", text, err)
		return
	}
	if again := JSONOf(t, Open(t, s.Family, out.Bytes())); again != text {
		t.Errorf("%s imported is %s", text, again)
	}
	if s.OneForm && !bytes.Equal(out.Bytes(), b[:len(b)-unused]) {
		t.Errorf("%s imported: %x, want %x", text, out.Bytes(), b)
	}
}

// checkOwners checks that the owner of every field is found by its offset, and by its path.
func checkOwners(t *testing.T, tr *tree.Tree) {
	t.Helper()
	r := tr.NewReader()
	err := tr.EachField(t.Context(), func(f tree.OwnedField) error {
		n, err := r.At(f.Offset)
		if err != nil || r.Path(n) != string(f.Path) {
			return fmt.Errorf("%#x is not found to be owned by %s (%v)", f.Offset, f.Path, err)
		}
		if again, err := r.Resolve(string(f.Path)); err != nil || again.Start != n.Start {
			return fmt.Errorf("%s does not lead to %#x (%v)", f.Path, n.Start, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// testCuts cuts the samples at every byte, and changes every byte: all bytes have a field, what is exported is
// JSON, and that something is missing is reported.
func (s *Suite) testCuts(t *testing.T) {
	for i := range s.Samples {
		x := &s.Samples[i]
		b := x.bytes(t)
		for at := range b {
			s.checkTiles(t, b[:at])
			if !s.AnyEnd && x.isWhole() && at < len(b)-x.Unused && len(ProblemsOf(t, Open(t, s.Family, b[:at]))) == 0 {
				t.Errorf("%s%q cut at %d: nothing is reported", x.Hex, x.Text, at)
			}
			for _, is := range []byte{0, 0xff, b[at] ^ 1, b[at] ^ 0x80} {
				changed := slices.Clone(b)
				changed[at] = is
				s.checkTiles(t, changed)
			}
		}
	}
}

// checkPassing checks that values that are passed many at once end where they end one by one, with the same problems.
func (s *Suite) checkPassing(t *testing.T, b []byte) {
	t.Helper()
	type place struct {
		at    int64
		depth int
	}
	for _, checked := range []bool{false, true} {
		var met, passed []span.Problem
		places := map[place]bool{}
		slow, quick := Open(t, s.Family, b).Scanner(), Open(t, s.Family, b).Scanner()
		if checked {
			slow.Report = func(p span.Problem) { met = append(met, p) }
			quick.Report = func(p span.Problem) { passed = append(passed, p) }
		}
		for more := true; more; more = slow.Next() != tree.Done {
			places[place{slow.Pos(), slow.Depth()}] = true
		}
		for quick.PassOrdinary = true; quick.Next() != tree.Done; {
			if !places[place{quick.Pos(), quick.Depth()}] {
				t.Fatalf("%x: passed to %d at depth %d, where no value ends", b, quick.Pos(), quick.Depth())
			}
		}
		if quick.Pos() != slow.Pos() || !slices.Equal(met, passed) {
			t.Fatalf("%x: passed to %d with %v, one by one to %d with %v", b, quick.Pos(), passed, slow.Pos(), met)
		}
	}
}

// checkTiles checks what holds for any bytes.
func (s *Suite) checkTiles(t *testing.T, b []byte) {
	t.Helper()
	s.checkPassing(t, b)
	tr := Open(t, s.Family, b)
	FieldsOf(t, tr)
	ProblemsOf(t, tr)
	LiteralOf(t, tr)
	if text := JSONOf(t, tr); !json.Valid([]byte(text)) {
		t.Fatalf("%x: this is no JSON: %s", b, text)
	}
}

// Fuzz holds for any bytes that fields tile them, and that what is exported is JSON.
func (s *Suite) Fuzz(f *testing.F) {
	for i := range s.Samples {
		f.Add(s.Samples[i].bytes(f))
	}
	f.Fuzz(s.checkTiles)
}

// Open reads bytes as the likeliest format of a family.
func Open(t testing.TB, family format.Family, b []byte) *tree.Tree {
	t.Helper()
	src, all := source.Bytes(b), span.Between(0, int64(len(b)))
	formats := family.Formats(&format.Request{}, src, all)
	if len(formats) == 0 {
		t.Fatal("no formats")
	}
	return tree.New(src, formats[0].Open(src, all), all)
}
