package diagnose_test

import (
	"bytes"
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"varview/decoder/diagnose"
	"varview/decoder/godot"
	"varview/decoder/span"
)

// TestLostHeader: bytes that were lost with a header or length are among the causes, also
// where a cut or another type would explain the rest, and their repair gives them back.
func TestLostHeader(t *testing.T) {
	for name, c := range map[string]struct {
		data     string
		at, lost int
	}{
		"the length of a string":       {"04000000 04000000 61626364", 4, 4},
		"the end of a header and more": {"04000000 04000000 61626364", 2, 4},
		"the header of a vector":       {"05000000 0000803f 00000040", 0, 4},
	} {
		data, err := hex.DecodeString(strings.ReplaceAll(c.data, " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		damaged := put(data, c.at, c.lost)
		tr := treeOf(damaged, godot.Raw)
		all := findings(t, tr)
		if len(all) == 0 {
			t.Errorf("%s: nothing found", name)
			continue
		}
		causes := append([]diagnose.Diagnosis{all[0]}, all[0].Alternatives...)
		if !slices.ContainsFunc(causes, func(d diagnose.Diagnosis) bool {
			return d.Code == span.MissingBytes && bytes.Equal(repaired(t, tr, damaged, &d), data)
		}) {
			t.Errorf("%s: %+v", name, causes)
		}
	}
}
