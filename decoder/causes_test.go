package decoder

import (
	"bytes"
	"slices"
	"testing"

	"varview/decoder/diagnose"
	"varview/decoder/engine/span"
)

// TestCauses: the repair of one of the first causes restores a file that was damaged in one place, without
// naming its dialect.
func TestCauses(t *testing.T) {
	const half, quarter, most, one = "0000003f", "0000803e", "0000403f", "0000803f"
	for _, c := range []struct {
		name, right string
		at          int
		wrong       string
		most        int // of the causes are enough
	}{
		{"object of Godot 4 by its id", "18000100 1c0500e806000080", 0, "41", 1},
		{"object of Pandemonium 5 by its id, with other flags", "17000100 3c08000000000000", 2, "81", 2},
		{"int of 64 bits", "02000100 0000000000010000", 0, "82", 2},
		{"colour", "14000000" + half + quarter + most + one, 0, "4b", 1},
		{"colour of Godot 3", "0e000000" + half + quarter + most + one, 0, "4b", 3},
		{"version of a block of 1.0.0", "41544d43 00000100 0a01", 5, "90", 2},
		{"NUL at the end of a block", "41544d43 00010100 0b 74657874 00", 13, "60", 3},
		{"index of a constructor", "50454c45 01050100 ce feff 0000 5100 80 0000 544e4148", 11, "4080", 1},
	} {
		right, wrong := fromHex(t, c.right), fromHex(t, c.wrong)
		damaged := slices.Replace(slices.Clone(right), c.at, c.at+len(wrong), wrong...)
		d := open(t, damaged, Options{Thorough: Through})
		var causes []diagnose.Diagnosis
		err := d.Diagnose(t.Context(), d.Tree, diagnose.Options{}, func(f diagnose.Diagnosis) bool {
			if f.Severity != span.Note {
				causes = append(append(causes, f), f.Alternatives...)
			}
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
		found := slices.IndexFunc(causes, func(f diagnose.Diagnosis) bool {
			repaired := d.repaired(t.Context(), &f)
			held := make([]byte, repaired.Size())
			_, err := repaired.ReadAt(held, 0)
			return err == nil && bytes.Equal(held, right)
		})
		if found < 0 || found >= c.most {
			t.Errorf("%s: of the causes, number %d of %d restores it, not one of the first %d: %+v", c.name, found+1, len(causes), c.most, causes)
		}
	}
}
