package godot_test

import (
	"bytes"
	"testing"

	"varview/decoder/diagnose"
	"varview/decoder/formats/godot"
)

// TestSuspects: the original of a changed field is among the suspects, whatever it
// was changed to.
func TestSuspects(t *testing.T) {
	for _, c := range []struct {
		name, as, path, was string
		at                  int64
		is                  string
	}{
		{"type", "godot4 raw", "$", "02000000 05000000", 0, "82"},
		{"type that there is not", "godot4 raw", "$", "04000000 01000000 61000000", 0, "ff"},
		{"high bits", "godot4 raw", "$", "02000000 05000000", 1, "01"},
		{"flags", "godot4 raw", "$", "02000100 ffffffff ffffff00", 2, "00"},
		{"flags of a container", "godot4 raw", "$", "1b000500 04000000 02000000 00000000", 2, "00"},
		{"element type", "godot4 raw", "$", "1c000100 02000000 01000000 02000000 07000000", 4, "03"},
		{"value type", "godot4 raw", "$", "1b000500 04000000 02000000 00000000", 8, "82"},
		{"element type of Pandemonium", "pandemonium raw", "$", "1b000000 02000000 00000000", 4, "42"},
		{"string", "godot4 raw", "$", "04000000 05000000 68656c6c 6f000000", 4, "85"},
		{"string that seems shorter", "godot4 raw", "$", "04000000 05000000 68656c6c 6f000000", 4, "02"},
		{"string in a class", "godot4 raw", "$", "18000000 04000000 4e6f6465 00000000", 4, "44"},
		{"class of elements", "godot4 raw", "$", "1c000200 04000000 4e6f6465 00000000", 4, "00"},
		{"entry", "godot4 raw", "$[0]", "22000000 01000000 04000000 61626300", 8, "ff"},
		{"packed ints", "godot4 raw", "$", "1e000000 02000000 01000000 02000000", 4, "03"},
		{"packed bytes", "godot4 raw", "$", "1d000000 03000000 01020300", 4, "ff"},
		{"names", "godot4 raw", "$", "16000000 01000080 00000000 01000000 01000000 61000000", 4, "09"},
		{"old names", "godot4 raw", "$", "16000000 01000080 00000000 01000000 01000000 61000000", 7, "00"},
		{"subnames", "godot4 raw", "$", "16000000 01000080 00000000 01000000 01000000 61000000", 8, "70"},
	} {
		t.Run(c.name, func(t *testing.T) {
			was := Bytes(t, c.was)
			data := bytes.Clone(was)
			data[c.at] = Bytes(t, c.is)[0]
			r := TreeOf(FormatOf(c.as), data).NewReader()
			n, err := r.Resolve(c.path)
			if err != nil {
				t.Fatal(err)
			}
			found, tries := false, 0
			r.Tree.Reading.(*godot.Format).Suspects(r.Window(), &n.Parent.Value, n.Slot, &n.Value, func(s diagnose.Suspect) bool {
				tries++
				if int64(len(s.New)) != s.Length || s.End() > int64(len(data)) || bytes.Equal(data[s.Offset:s.End()], s.New) || s.Was == "" || s.Is == "" {
					t.Errorf("%v changes nothing, or what is not there", s)
				}
				tried := bytes.Clone(data)
				copy(tried[s.Offset:], s.New)
				found = bytes.Equal(tried, was)
				return !found
			})
			if !found {
				t.Errorf("not among %d", tries)
			}
		})
	}
}

// TestRecount: Recount and Resize give the counts and frame lengths that are asked
// for.
func TestRecount(t *testing.T) {
	for _, c := range []struct {
		as, path, digits string
		count            int64
		at               int64
		want             string
	}{
		{"godot4 raw", "$", "1c000100 02000000 05000000", 3, 8, "03000000"},
		{"godot4 raw", "$", "1b000000 05000000", 0, 4, "00000000"},
		{"godot4 raw", "$", "18000000 01000000 41000000 05000000", 2, 12, "02000000"},
		{"godot4 raw", "$", "22000000 05000000", 1, 4, "01000000"},
		{"godot4 raw", "$", "16000000 05000080 01000000 01000000", 3, 4, "02000080"},
		{"godot4 raw", "$", "18000100 01000000 00000000", 3, 0, ""},
		{"godot4 raw", "$", "02000000 01000000", 3, 0, ""},
		{"godot4 raw", "$", "1c000000 05000000", -1, 0, ""},
	} {
		r := TreeOf(FormatOf(c.as), Bytes(t, c.digits)).NewReader()
		n, err := r.Resolve(c.path)
		if err != nil {
			t.Fatal(err)
		}
		s, ok := r.Tree.Reading.(*godot.Format).Recount(r.Window(), &n.Parent.Value, &n.Value, c.count)
		if ok != (c.want != "") || ok && (s.Offset != c.at || !bytes.Equal(s.New, Bytes(t, c.want))) {
			t.Errorf("%s to %d: %v at %d, %x", c.digits, c.count, ok, s.Offset, s.New)
		}
	}
	for as, want := range map[string]string{"godot4 stream": "0a000000", "godot4 big-endian": "0000000a", "godot4 raw": ""} {
		digits := "04000000 02000000 07000000"
		if as == "godot4 big-endian" {
			digits = "00000004 02000000 07000000"
		}
		tr := TreeOf(FormatOf(as), Bytes(t, digits))
		n, err := tr.NewReader().Child(tr.Base, 0)
		if err != nil {
			t.Fatal(err)
		}
		s, ok := tr.Reading.(*godot.Format).Resize(tr.NewReader().Window(), &tr.Base.Value, &n.Value, 14)
		if ok != (want != "") || ok && !bytes.Equal(s.New, Bytes(t, want)) {
			t.Errorf("%s: %v %x", as, ok, s.New)
		}
	}
}
