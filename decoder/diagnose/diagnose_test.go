package diagnose_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"varview/decoder/diagnose"
	"varview/decoder/engine/source"
	"varview/decoder/engine/source/sourcetest"
	"varview/decoder/engine/span"
	"varview/decoder/engine/tree"
	"varview/decoder/engine/work"
	"varview/decoder/formats/godot"
	_ "varview/internal/lessgc"
)

var background = context.Background()

const settings = "../../testdata/godot4/save-settings.bin"

func read(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func treeOf(data []byte, framing godot.Framing) *tree.Tree {
	d, _ := godot.ByName("godot4")
	return tree.New(source.Bytes(data), godot.New(godot.Settings{Dialect: d, Framing: framing}), span.Between(0, int64(len(data))))
}

func findings(t testing.TB, tr *tree.Tree) (all []diagnose.Diagnosis) {
	t.Helper()
	err := diagnose.Run(background, tr, diagnose.Options{}, func(f diagnose.Diagnosis) bool {
		all = append(all, f)
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// put returns bytes with some of them replaced.
func put(data []byte, at, take int, b ...byte) []byte {
	return append(append(bytes.Clone(data[:at]), b...), data[at+take:]...)
}

// repaired makes the repair of a finding.
func repaired(t testing.TB, tr *tree.Tree, data []byte, f *diagnose.Diagnosis) []byte {
	t.Helper()
	r, err := diagnose.Repair(background, tr.NewReader(), f)
	if err != nil {
		t.Fatalf("%s at %#x: %v", f.Code, f.Offset, err)
	}
	p := source.Whole(source.Bytes(data)).Splice(r.Splices)
	b := make([]byte, p.Size())
	if _, err := p.ReadAt(b, 0); err != nil && len(b) > 0 {
		t.Fatal(err)
	}
	return b
}

// TestCauses damages a save in one place: the cause is reported first, and its repair restores the save.
func TestCauses(t *testing.T) {
	tests := []struct {
		name     string
		at, take int
		put      []byte
		code     string
		field    span.Span // that holds what is reported
		restored bool
	}{
		{"length of a key too large", 0x10, 1, []byte{6}, span.WrongLength, span.Between(0x10, 0x14), true},
		{"length of a key too small", 0x10, 1, []byte{1}, span.WrongLength, span.Between(0x10, 0x14), true},
		{"length of a key 0", 0x28, 1, []byte{0}, span.WrongLength, span.Between(0x28, 0x2c), true},
		{"length of a key past the end", 0x11, 1, []byte{9}, span.LengthOverrun, span.Between(0x10, 0x14), true},
		{"length of a key negative", 0x10, 4, []byte{0xff, 0xff, 0xff, 0xff}, span.NegativeLength, span.Between(0x10, 0x14), true},
		{"frame too long", 0x00, 1, []byte{0xd8}, span.LengthOverrun, span.Between(0, 4), true},
		{"frame too short", 0x00, 1, []byte{0xd0}, span.WrongFrame, span.Between(0, 4), true},
		{"frame of 0", 0x00, 2, []byte{0, 0}, span.FrameTooShort, span.Between(0, 4), true},
		{"count of the dictionary too large", 0x08, 1, []byte{7}, span.Truncated, span.Between(8, 12), true},
		{"count of the dictionary too small", 0x08, 1, []byte{5}, span.WrongCount, span.Between(8, 12), true},
		{"type of a key", 0x40, 1, []byte{0x84}, span.UnknownType, span.Between(0x40, 0x42), true},
		{"flags of a bool", 0xea, 1, []byte{1}, span.UnknownFlags, span.Between(0xea, 0xec), true},
		{"a zero lost of a header", 0x45, 1, nil, span.MissingBytes, span.Between(0x44, 0x48), true},
		{"the length lost of a key", 0x44, 1, nil, span.MissingBytes, span.Between(0x44, 0x48), true},
		{"most of a type lost", 0x40, 3, nil, span.MissingBytes, span.Between(0x40, 0x44), false}, // String or StringName
		{"a character lost", 0x30, 1, nil, span.MissingBytes, span.Between(0x24, 0x38), false},
		{"a byte too many in a header", 0x45, 0, []byte{0xff}, span.ExtraBytes, span.Between(0x44, 0x48), true},
		{"a byte too many in a length", 0x2a, 0, []byte{0x61}, span.ExtraBytes, span.Between(0x28, 0x2c), true},
		{"two bytes too many", 0x45, 0, []byte{0xff, 0xff}, span.ExtraBytes, span.Between(0x44, 0x48), true},
		{"cut in a value", 0x1d0, 8, nil, span.Truncated, span.Between(0x1c8, 0x1d0), false},
		{"cut in a text", 0x1b0, 0x28, nil, span.LengthOverrun, span.Between(0x1a4, 0x1a8), false},
		{"cut in the header of a value", 0x192, 0x46, nil, span.Truncated, span.Between(0x190, 0x192), false},
		{"cut between values", 0x1a4, 0x34, nil, span.Truncated, span.Between(0x190, 0x194), false},
	}
	data := read(t, settings)
	if len(findings(t, treeOf(data, godot.Stream))) > 0 {
		t.Fatal("there is something wrong with the save itself")
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			damaged := put(data, test.at, test.take, test.put...)
			tr := treeOf(damaged, godot.Stream)
			all := findings(t, tr)
			if len(all) != 1 {
				t.Errorf("%d findings, not 1: %+v", len(all), all)
			}
			if len(all) == 0 {
				return
			}
			f := &all[0]
			if f.Code != test.code || f.Offset < test.field.Offset || f.End() > test.field.End() {
				t.Errorf("%s at %v: %s, not %s in %v", f.Code, f.Span, f.Message, test.code, test.field)
			}
			if f.Repair == "" {
				t.Fatal("no repair")
			}
			fixed := repaired(t, tr, damaged, f)
			if bytes.Equal(fixed, data) != test.restored {
				t.Errorf("restored: %v", !test.restored)
			}
			if left := findings(t, treeOf(fixed, godot.Stream)); len(left) > 0 && left[0].Severity > span.Note {
				t.Errorf("after the repair: %+v", left[0])
			}
		})
	}
}

// TestErrorsStay: whatever cause is found, bytes that an engine refuses are not said to be merely unusual.
func TestErrorsStay(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 7))
	worst := func(tr *tree.Tree, o diagnose.Options) (worst span.Severity) {
		err := diagnose.Run(background, tr, o, func(f diagnose.Diagnosis) bool {
			worst = max(worst, f.Severity)
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
		return worst
	}
	for _, dialect := range []string{"godot3", "godot4"} {
		d, _ := godot.ByName(dialect)
		for name, data := range smallFiles(t, "../../testdata/"+dialect) {
			for range 4 {
				damaged := damage(rng, data)
				tr := tree.New(source.Bytes(damaged), godot.New(godot.Settings{Dialect: d, Framing: godot.Raw}), span.Between(0, int64(len(damaged))))
				plain, searched := worst(tr, diagnose.Options{NoSearch: true}), worst(tr, diagnose.Options{})
				if plain == span.Error && searched < span.Error {
					t.Errorf("%s: an error is not reported as one:\n%x", name, damaged)
				}
			}
		}
	}
}

// smallFiles returns the small files of values of a folder.
func smallFiles(t *testing.T, dir string) map[string][]byte {
	names, err := filepath.Glob(dir + "/*.bin")
	if err != nil || len(names) == 0 {
		t.Fatal("no files", err)
	}
	files := map[string][]byte{}
	for _, name := range names {
		if data := read(t, name); len(data) > 0 && len(data) < 250 {
			files[name] = data
		}
	}
	return files
}

// damage changes one to three places of a file.
func damage(rng *rand.Rand, data []byte) []byte {
	data = bytes.Clone(data)
	for range 1 + rng.IntN(3) {
		at := rng.IntN(len(data))
		switch rng.IntN(4) {
		case 0:
			data[at] ^= 1 << rng.IntN(8)
		case 1:
			data[at] = byte(rng.Uint32())
		case 2:
			data = put(data, at, 0, make([]byte, 1+rng.IntN(4))...)
		case 3:
			data = data[:max(1, at)]
		}
	}
	return data
}

// TestTwoCauses: each of two is found.
func TestTwoCauses(t *testing.T) {
	one := read(t, settings)
	data := append(bytes.Clone(one), one...)
	second := len(one)
	damaged := put(put(data, second+0x45, 0, 0xff), 0x10, 1, 6)
	all := findings(t, treeOf(damaged, godot.Stream))
	if len(all) != 2 || all[0].Code != span.WrongLength || all[1].Code != span.ExtraBytes {
		t.Fatalf("%+v", all)
	}
	content := source.Whole(source.Bytes(damaged))
	for i := range all { // each fits the bytes as they are, whatever happens to the others
		if f := &all[len(all)-1-i]; f.Splices == nil {
			t.Fatal("no repair")
		} else {
			content = content.Splice(f.Splices)
		}
	}
	b := make([]byte, content.Size())
	if content.ReadAt(b, 0); !bytes.Equal(b, data) {
		t.Error("not restored")
	}
}

// TestCutOrElse: a cause that would explain any bytes is followed by the ones that fit exactly.
func TestCutOrElse(t *testing.T) {
	for _, test := range []struct {
		about, code, also string
		data              []byte
	}{
		{"8 bytes of a Transform2D", span.Truncated, "make it Vector2", []byte("\x0b\x00\x00\x00\x00\x00\x80\x3f\x00\x00\x00\x40")},
		{"a Vector2 without 2 bytes", span.Truncated, "insert 00 00", []byte("\x05\x00\x00\x00\x00\x00\x80\x3f\x00\x40")},
		{"a Vector2 without 1 byte", span.MissingBytes, "", []byte("\x05\x00\x00\x00\x00\x00\x80\x3f\x00\x00\x40")},
		{"a Vector2 and 2 bytes", span.TrailingBytes, "delete 2 bytes", []byte("\x05\x00\x00\x00\x00\x00\x80\x3f\x00\x00\x00\x40\x11\x11")},
	} {
		all := findings(t, treeOf(test.data, godot.Raw))
		if len(all) != 1 || all[0].Code != test.code {
			t.Errorf("%s: %+v", test.about, all)
			continue
		}
		if test.also != "" && !slices.ContainsFunc(all[0].Alternatives, func(f diagnose.Diagnosis) bool { return strings.HasPrefix(f.Repair, test.also) }) {
			t.Errorf("%s: %q is not among %+v", test.about, test.also, all[0].Alternatives)
		}
	}
}

// TestSalvage: values after an unreadable one are found.
func TestSalvage(t *testing.T) {
	r := treeOf(read(t, "../../testdata/damaged/unknown-type.bin"), godot.Raw).NewReader()
	for path, want := range map[string]string{"$[0]": "7", "$[2]": "8"} {
		n, err := r.Resolve(path)
		if err != nil {
			t.Error(err)
			continue
		}
		if got := string(r.AppendLiteral(nil, &n.Value, 100)); got != want {
			t.Errorf("%s is %s, not %s", path, got, want)
		}
	}
}

// TestCancelled: a search ends with its context.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(background)
	cancel()
	if err := diagnose.Run(ctx, treeOf(read(t, settings), godot.Stream), diagnose.Options{}, func(diagnose.Diagnosis) bool { return true }); err != context.Canceled {
		t.Error(err)
	}
}

// FuzzRun: in any bytes, findings lie within them, and their repairs can be made.
func FuzzRun(f *testing.F) {
	for _, name := range []string{settings, "../../testdata/godot4/save-player-stats.bin", "../../testdata/damaged/unknown-type.bin"} {
		data := read(f, name)
		f.Add(data[:min(len(data), 200)], true)
		f.Add(data[4:min(len(data), 200)], false)
	}
	f.Fuzz(func(t *testing.T, data []byte, stream bool) {
		if len(data) > 500 {
			return
		}
		framing := godot.Raw
		if stream {
			framing = godot.Stream
		}
		tr := treeOf(data, framing)
		for _, x := range findings(t, tr) {
			for _, x := range append(x.Alternatives, x) {
				if x.Offset < 0 || x.End() > int64(len(data)) {
					t.Fatalf("%s at %v of %d bytes", x.Code, x.Span, len(data))
				}
				if x.Splices != nil {
					repaired(t, tr, data, &x)
				}
			}
		}
	})
}

// TestReadsOfNoise: the many thousand trial readings of random bytes read the source only some hundred
// times: it may be a file or encrypted.
func TestReadsOfNoise(t *testing.T) {
	noise := make([]byte, 300_000)
	rand.NewChaCha8([32]byte{}).Read(noise)
	data := append([]byte{28, 0, 0, 0, 200, 0, 0, 0}, noise...) // an Array
	src := &sourcetest.Counted{Source: source.Bytes(data)}
	d, _ := godot.ByName("godot4")
	tr := tree.New(src, godot.New(godot.Settings{Dialect: d, Framing: godot.Raw}), span.Between(0, int64(len(data))))
	findings(t, tr)
	if src.Reads > 1000 {
		t.Errorf("the source was read %d times", src.Reads)
	}
}

// TestZeroedBlock: a hole of zeros in a list is named, and no cause is one that takes the zeros for values.
func TestZeroedBlock(t *testing.T) {
	text := func(s string) []byte {
		return slices.Concat([]byte{4, 0, 0, 0, byte(len(s)), 0, 0, 0}, []byte(s), make([]byte, -len(s)&3))
	}
	item := slices.Concat([]byte{27, 0, 0, 0, 2, 0, 0, 0}, text("slot"), []byte{2, 0, 0, 0, 9, 0, 0, 0}, text("equipped"), []byte{1, 0, 0, 0, 1, 0, 0, 0})
	save := slices.Concat([]byte{27, 0, 0, 0, 2, 0, 0, 0}, text("items"), []byte{28, 0, 0, 0, 24, 0, 0, 0}, bytes.Repeat(item, 24), text("gold"), []byte{2, 0, 0, 0, 7, 0, 0, 0})
	if len(findings(t, treeOf(save, godot.Raw))) > 0 {
		t.Fatal("there is something wrong with the save itself")
	}
	for at := 400; at < 470; at += 7 {
		damaged := put(save, at, 200, make([]byte, 200)...)
		all := findings(t, treeOf(damaged, godot.Raw))
		named := false
		for i := range all {
			named = named || strings.Contains(all[i].Message, "are zero: perhaps a block")
			if all[i].Splices != nil && all[i].Loss == "" {
				t.Errorf("zeros from %#x: %s; %s", at, all[i].Message, all[i].Repair)
			}
		}
		if !named {
			t.Errorf("zeros from %#x are not named: %+v", at, all)
		}
	}
	for _, count := range []byte{60, 63} { // what holds zeros itself still gets its count
		ints := slices.Concat([]byte{28, 0, 0, 0, 2, 0, 0, 0, 30, 0, 0, 0, count, 0, 0, 0}, make([]byte, 4*64), text("end"))
		if all := findings(t, treeOf(ints, godot.Raw)); len(all) != 1 || all[0].Repair != "set the length to 64" && all[0].Repair != "set the count to 64" {
			t.Errorf("%d of 64 zeros: %+v", count, all)
		}
	}
}

// TestEndOfSearch: thousands of problems are all reported, and one note says from where on no causes were
// searched for.
func TestEndOfSearch(t *testing.T) {
	const frames = 4000
	data := bytes.Repeat([]byte{16, 0, 0, 0, 28, 0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0}, frames) // each lacks two values
	ends, problems, causesAfter := 0, 0, 0
	for _, f := range findings(t, treeOf(data, godot.Stream)) {
		switch {
		case f.Code == span.Unsearched:
			ends++
		case ends > 0 && f.Splices != nil:
			causesAfter++
		default:
			problems++
		}
	}
	if ends != 1 || problems < frames || causesAfter > 0 {
		t.Errorf("%d problems, %d notes, and %d causes after it", problems, ends, causesAfter)
	}
}

// TestSharedBudget: runs that share a budget end their searches when that is spent, but still report the
// problems.
func TestSharedBudget(t *testing.T) {
	data := put(read(t, settings), 0x10, 1, 6)
	b := work.New(int64(len(data)))
	ctx := work.With(background, b)
	code := func() (codes []string) {
		tr := treeOf(data, godot.Stream)
		err := diagnose.Run(ctx, tr, diagnose.Options{}, func(f diagnose.Diagnosis) bool {
			codes = append(codes, f.Code)
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
		return codes
	}
	before := b.Left()
	if got := code(); got[0] != span.WrongLength || b.Left() >= before {
		t.Errorf("%v with %d of %d left", got, b.Left(), before)
	}
	b.Spend(b.Left())
	if got := code(); len(got) < 2 || got[0] != span.Unsearched || slices.Contains(got, span.WrongLength) {
		t.Errorf("without work left: %v", got)
	}
}
