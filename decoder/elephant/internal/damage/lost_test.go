package damage_test

import (
	"bytes"
	"slices"
	"testing"

	"varview/decoder/diagnose"
	"varview/decoder/elephant/internal/blocktest"
	"varview/decoder/span"
)

// TestLostBytes: bytes that were lost across fields are among the causes, and their
// repair gives them back.
func TestLostBytes(t *testing.T) {
	data := blocktest.Bytes(t, blocktest.Head151+"ce 0200 'x 09 000000000000f03f 'y 09 0000000000000040"+blocktest.Foot)
	for name, c := range map[string]struct{ at, lost int }{
		"the version and the first tag": {5, 4},
		"a tag and zeros":               {24, 4},
	} {
		damaged := slices.Delete(slices.Clone(data), c.at, c.at+c.lost)
		all := findings(t, (&blocktest.Block{}).Tree(damaged))
		if len(all) == 0 {
			t.Errorf("%s: nothing found", name)
			continue
		}
		causes := append([]diagnose.Diagnosis{all[0]}, all[0].Alternatives...)
		if !slices.ContainsFunc(causes, func(d diagnose.Diagnosis) bool {
			return d.Code == span.MissingBytes && bytes.Equal(blocktest.Spliced(t, damaged, d.Splices), data)
		}) {
			t.Errorf("%s: %+v", name, causes)
		}
	}
}
