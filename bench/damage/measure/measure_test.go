package measure

import (
	"bytes"
	"testing"

	"varview/decoder/diagnose"
	"varview/decoder/engine/source"
	"varview/decoder/engine/span"
)

const files = "../../../testdata/"

func load(t *testing.T, name string) *File {
	t.Helper()
	f, err := Load(t.Context(), files+name)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestUnwrap unwraps each kind of wrapper with the second reader, which must find a
// valid file in it.
func TestUnwrap(t *testing.T) {
	for _, name := range []string{
		"wrapped/godot3-compressed-fastlz-small.bin", "wrapped/godot3-compressed-deflate-small.bin", "wrapped/godot3-compressed-zstd-small.bin",
		"wrapped/godot3-compressed-gzip-small.bin", "wrapped/godot3-encrypted-pass-player.bin", "wrapped/godot4-gdec-pass-objects.bin",
		"wrapped/godot3-base64-nil.bin", "elephant/v1-0-0-export-mixed.txt",
	} {
		f := load(t, name)
		if len(f.Wrappers) == 0 || !f.reading.clean() {
			t.Errorf("%s: %q: %s%s", name, f.Wrappers, f.reading.Err, f.reading.Oddness)
		}
		broken := bytes.Clone(f.Data)
		broken[0] ^= 0x10
		if r := f.read(broken); r.Err == "" {
			t.Errorf("%s reads with another first byte", name)
		}
	}
}

// TestRandom checks that random damage changes the file, in all ways and any field.
func TestRandom(t *testing.T) {
	f := load(t, "godot4/packet-chat.bin")
	r := f.Rand(1)
	seen, kinds := map[Way]bool{}, map[span.Kind]bool{}
	for range 500 {
		m := f.Random(r)
		if bytes.Equal(m.Apply(f.Data), f.Data) {
			t.Errorf("%v at %#x, % x to % x changes nothing", m.Way, m.At, m.Old, m.New)
		}
		seen[m.Way] = true
		if m.Field != nil {
			kinds[m.Field.Kind] = true
		}
	}
	if len(seen) != int(ways) {
		t.Errorf("ways: %v", seen)
	}
	for i := range f.Fields {
		if k := f.Fields[i].Kind; !kinds[k] {
			t.Errorf("no %v is damaged", k)
		}
	}
}

// TestLocated checks which diagnoses name the damaged value.
func TestLocated(t *testing.T) {
	f := load(t, "godot4/packet-position-update.bin")
	finding := func(path string, at, n int64) *diagnosis {
		return &diagnosis{diagnose.Diagnosis{Problem: span.Problem{Span: span.Span{Offset: at, Length: n}}, Path: path}, 0}
	}
	for _, c := range []struct {
		about    string
		at, take int64
		put      []byte
		x        *diagnosis
		want     bool
	}{
		{"the value", 8, 1, []byte{200}, finding("$[0]", 8, 2), true},
		{"another value", 8, 1, []byte{200}, finding("$[1]", 16, 2), false},
		{"what contains it", 8, 1, []byte{200}, finding("$", 4, 4), false},
		{"the value that is cut", 30, -1, nil, finding("$[2]", 28, 2), true},
		{"what contains one that is cut", 30, -1, nil, finding("$", 4, 4), false},
		{"what contains the place of a cut between two", 24, -1, nil, finding("$", 4, 4), true},
		{"a place nearby", 14, 1, nil, finding("$[1]", 16, 2), true},
		{"a place far away", 14, 1, nil, finding("$[4]", 48, 2), false},
	} {
		m, err := f.Ask(c.at, c.take, c.put)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.locates(&m, c.x); got != c.want {
			t.Errorf("%s: %v", c.about, got)
		}
	}
}

// TestVerdicts damages a file by hand and checks the class. The file is an Array of
// 17, 3, Vector2, Vector2, float.
func TestVerdicts(t *testing.T) {
	f := load(t, "godot4/packet-position-update.bin")
	for _, c := range []struct {
		about    string
		at, take int64
		put      []byte
		want     Class
	}{
		{"count one less leaves bytes over", 4, 1, []byte{4}, reported},
		{"count one more", 4, 1, []byte{6}, reported},
		{"an int becomes a float", 8, 1, []byte{3}, valid},
		{"unknown type", 8, 1, []byte{200}, reported},
		{"a high bit of a type", 9, 1, []byte{1}, remarked},
		{"a lost header", 0, 4, nil, reported},
		{"cut", 20, -1, nil, reported},
	} {
		m, err := f.Ask(c.at, c.take, c.put)
		if err != nil {
			t.Fatal(err)
		}
		if v := f.Judge(t.Context(), &m, true); v.Class != c.want || v.Answer.Broken != "" {
			t.Errorf("%s: %s %s, want %v\n%q", c.about, f.Describe(&m, v), v.Answer.Broken, c.want, v.Lines(5))
		}
	}
}

// TestCauses checks which findings count as the true cause.
func TestCauses(t *testing.T) {
	f := load(t, "godot4/packet-position-update.bin")
	finding := func(code string, at, n int64, splices ...source.Splice) *diagnosis {
		return &diagnosis{diagnose.Diagnosis{Problem: span.Problem{Span: span.Span{Offset: at, Length: n}, Severity: span.Error, Code: code}, Splices: splices}, 0}
	}
	for _, c := range []struct {
		about          string
		at, take       int64
		put            []byte
		x              *diagnosis
		want, restores bool
	}{
		{"the same field", 4, 1, []byte{6}, finding(span.WrongCount, 4, 4), true, true},
		{"another field", 4, 1, []byte{6}, finding(span.WrongType, 8, 2), false, true},
		{"one too many in the same value", 14, 0, []byte{9}, finding(span.ExtraBytes, 12, 2, source.Put(12, 1, nil)), true, false},
		{"two too many", 14, 0, []byte{9}, finding(span.ExtraBytes, 12, 2, source.Put(12, 2, nil)), false, false},
		{"one too many far away", 14, 0, []byte{9}, finding(span.ExtraBytes, 40, 2, source.Put(40, 1, nil)), false, false},
		{"a lost byte called one too many", 14, 1, nil, finding(span.ExtraBytes, 12, 2, source.Put(12, 1, nil)), false, false},
		{"a cut", 20, -1, nil, finding(span.Truncated, 16, 4), true, false},
		{"a cut called another type", 20, -1, nil, finding(span.WrongType, 16, 2), false, false},
	} {
		m, err := f.Ask(c.at, c.take, c.put)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.isCause(&m, c.x); got != c.want {
			t.Errorf("%s: %v", c.about, got)
		}
		if got := f.isRestorable(&m); got != c.restores {
			t.Errorf("%s: restorable: %v", c.about, got)
		}
	}
}

func TestTally(t *testing.T) {
	f := load(t, "godot4/packet-position-update.bin")
	tally := NewTally()
	for i, v := range []*Verdict{
		{Class: reported, First: true, Three: true, Restores: true}, {Class: reported, Three: true}, {Class: missed}, {Class: missed},
		{Class: valid}, {Class: silent}, {Class: remarked},
	} {
		v.Answer = &Answer{}
		if i == 6 {
			v.Answer.Broken, v.Answer.Unkept = "panic", "promise"
		}
		for _, w := range []Way{changedByte, wrongLength} {
			tally.Add(f, &Mutation{Way: w}, v)
		}
	}
	sum := NewTally()
	sum.Join(tally)
	want := Counts{All: 5, Reported: 3, First: 1, Three: 2, Whole: 5, Restored: 1, Restorable: 5, Recovered: 1, Valid: 1, Unseen: 1}
	if *sum.ByWay["changed byte"] != want || *sum.ByWay["wrong length"] != want || sum.Total[All] != 10 || sum.Broken != 2 || sum.Unkept != 2 || sum.Total.Share(Three, All) != 40 {
		t.Errorf("%+v", sum)
	}
}
