package diagnose_test

import (
	"testing"

	"varview/decoder/diagnose"
	"varview/decoder/engine/span"
	"varview/decoder/formats/godot"
)

// TestTextChangedByHand replaces a name without setting a length: the cause reported first, or an
// alternative to lost or extra bytes, keeps the new name.
func TestTextChangedByHand(t *testing.T) {
	const (
		length = 0x34 // of the name Aria
		text   = 0x38
	)
	data := read(t, "../../testdata/godot4/save-player-stats.bin")
	for name, text4 := range map[string]string{
		"Mirabel":  "Mirabel\x00", // with its padding
		"Mirabell": "Mirabell",
		"Maria":    "Maria",
		"Mariam":   "Mariam",
		"Al":       "Al",
	} {
		damaged := put(data, text, 4, []byte(text4)...)
		tr := treeOf(damaged, godot.Stream)
		all := findings(t, tr)
		if len(all) != 1 {
			t.Errorf("%s: %d findings, not 1: %+v", name, len(all), all)
			continue
		}
		var kept *diagnose.Diagnosis
		for _, f := range append([]diagnose.Diagnosis{all[0]}, all[0].Alternatives...) {
			if f.Code == span.WrongLength && f.Offset == length {
				kept = &f
			}
		}
		if kept == nil {
			t.Errorf("%s: that the length is wrong is not told: %+v", name, all[0])
			continue
		}
		fixed := treeOf(repaired(t, tr, damaged, kept), godot.Stream)
		if left := findings(t, fixed); len(left) > 0 {
			t.Errorf("%s: after the repair: %+v", name, left[0])
		}
		n, err := fixed.NewReader().Resolve("$[0].name")
		if err != nil {
			t.Error(err)
			continue
		}
		if got := string(fixed.NewReader().AppendLiteral(nil, &n.Value, 100)); got != `"`+name+`"` {
			t.Errorf("%s: the name is %s", name, got)
		}
	}
}
