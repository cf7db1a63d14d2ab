package decoder

import (
	"encoding/hex"
	"strings"
	"testing"

	"varview/decoder/diagnose"
	"varview/decoder/engine/span"
)

// TestAlternative: bytes that read cleanly in one dialect, and as well in another with damage.
func TestAlternative(t *testing.T) {
	for _, c := range []struct {
		name, bytes string
		dialect     string
		confidence  Confidence
		alternative string // its dialect, with "likelier" after it if it is
		damage      string // code of what would be damaged
	}{
		{"Dictionary of Godot 4, cut in its first key", "1b000000 01000000 04000000", "pandemonium4", Weak, "godot4 likelier", span.Truncated},
		{"String of Godot 4 with a wrong type", "18000000 03000000 61626300", "pandemonium", Weak, "godot4 likelier", span.Truncated},
		{"Dictionary of Pandemonium 3", "16000000 01000000 02000000 01000000 04000000 01000000 61000000", "pandemonium3", Weak, "godot3", span.WrongType}, // with the type 18 it is a Dictionary of Godot 3
		{"type of an Array of Godot 4", "1c000000", "godot4", Weak, "godot3", span.Truncated},
		{"Nil", "00000000", "godot4", Likely, "", ""},
		{"bool", "01000000 01000000", "godot4", Likely, "", ""},
		{"int", "02000000 05000000", "godot4", Likely, "", ""},
		{"Dictionary of Godot 4", "1b000000 01000000 04000000 02000000 68700000 02000000 09000000", "godot4", Certain, "", ""},
		{"PackedVector4Array", "26000000 01000000 0000803f 0000803f 0000803f 0000803f", "godot4", Likely, "", ""},
		{"StringNames of Pandemonium 5", "1a000000 04000000" + strings.Repeat("18000000 03000000 61626300", 4), "pandemonium", Likely, "", ""},
	} {
		data, err := hex.DecodeString(strings.ReplaceAll(c.bytes, " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		d := open(t, data, Options{Thorough: Through})
		alternative, damage := "", ""
		if a := d.Alternative; a != nil {
			alternative = a.Format.Info().Dialect.Name
			if a.Likelier {
				alternative += " likelier"
			}
		}
		err = d.Diagnose(t.Context(), d.Tree, diagnose.Options{}, func(f diagnose.Diagnosis) bool {
			for _, other := range f.Alternatives {
				if strings.HasPrefix(other.Message, "as ") {
					damage = other.Code
				}
			}
			return true
		})
		if err != nil || d.Dialect != c.dialect || d.Confidence != c.confidence || alternative != c.alternative || damage != c.damage {
			t.Errorf("%s: %s, %s, %q, %q, %v", c.name, d.Dialect, d.Confidence, alternative, damage, err)
		}
	}
}

// TestVersionOfHeader: a header that contradicts itself, or is cut, makes no version certain.
func TestVersionOfHeader(t *testing.T) {
	right := readFile(t, elephantFiles+"v1-3-0-array-mixed.bin")
	if d := open(t, right, Options{}); d.Confidence != Certain {
		t.Errorf("right: %s", d.Confidence)
	}
	old := append([]byte{}, right...)
	old[5] = 0 // version 1.0.0, which begins with other bytes
	for name, data := range map[string][]byte{"1.0.0 with a later header": old, "cut": right[:5], "unknown version": append([]byte("PELE\xff"), right[5:]...)} {
		if d := open(t, data, Options{}); d.Format != "elephant" || d.Confidence == Certain {
			t.Errorf("%s: %s, %s", name, d.Dialect, d.Confidence)
		}
	}
}

// TestUnusualValues: a clean reading that yields only values no game stores is not preferred to one with a
// damaged type.
func TestUnusualValues(t *testing.T) {
	for _, n := range []uint32{40, 300, 20_000} {
		data := words(28, n) // an Array of Godot 4; a PoolVector2Array of as many bytes in Pandemonium 3
		for i := range n {
			data = append(data, words(2, i)...)
		}
		data[8+8*(n/2)] = 0x99
		if d := open(t, data, Options{Thorough: Through}); d.Dialect != "godot4" || d.Confidence != Weak {
			t.Errorf("%d ints: %s, %s", n, d.Dialect, d.Confidence)
		}
	}
}

// TestCertain: few values are enough for a rare dialect.
func TestCertain(t *testing.T) {
	for name, dialect := range map[string]string{
		"godot4/packet-chat": "godot4", "godot3/array-mixed": "godot3", "pandemonium/p42-array-projection-then-much": "pandemonium4",
		"pandemonium/p53-typed-array-int": "pandemonium", "pandemonium/p53-store-objects-as-id": "pandemonium",
	} {
		if d := open(t, readFile(t, "../testdata/"+name+".bin"), Options{Thorough: Through}); d.Dialect != dialect || d.Confidence != Certain {
			t.Errorf("%s: %s, %s", name, d.Dialect, d.Confidence)
		}
	}
}
