package damage_test

import (
	"bytes"
	"slices"
	"testing"

	"varview/decoder/diagnose"
	"varview/decoder/elephant/gml"
	"varview/decoder/elephant/internal/blocktest"
	"varview/decoder/span"
)

// TestLostBytes: bytes that were lost across fields are among the causes, and their
// repair gives them back, but for letters.
func TestLostBytes(t *testing.T) {
	const thing = "function Thing() constructor { ELEPHANT_SCHEMA { v1 : { id : buffer_u16, on : buffer_bool } } }"
	library := &gml.Library{}
	if err := library.Parse("thing.gml", []byte(thing)); err != nil {
		t.Fatal(err)
	}
	plain := blocktest.Head151 + "ce 0200 'x 09 000000000000f03f 'y 09 0000000000000040" + blocktest.Foot
	things := blocktest.Head151 + "cd 0300 ce feff 0000 'Thing 01 0000 0000 01 feff 0000 01 0000 0000 01 feff 0000 01 0000 0000 01" + blocktest.Foot
	for name, c := range map[string]struct {
		block    string
		at, lost int
		want     string // instead of the lost bytes, "" if they are found
	}{
		"the version and the first tag":            {plain, 5, 4, ""},
		"a tag and zeros":                          {plain, 24, 4, ""},
		"the magic and all up to the count":        {plain, 2, 8, ""},
		"the mark of a constructor":                {things, 28, 2, ""},
		"the mark and the index":                   {things, 28, 4, ""},
		"the start of a constructor's name":        {things, 14, 4, ""},
		"the end of a name and the version":        {things, 19, 4, ""},
		"the version and the skipped ones":         {things, 22, 2, ""},
		"the last member and the next mark":        {things, 27, 4, "00feff00"},
		"half of the footer and what is before it": {blocktest.Head151 + "0b 'abc" + blocktest.Foot, 12, 4, ""},
		"the NUL before the footer":                {blocktest.Head151 + "0b 'abc" + blocktest.Foot, 12, 1, ""},
	} {
		data := blocktest.Bytes(t, c.block)
		want := data
		if c.want != "" {
			want = slices.Concat(data[:c.at], blocktest.Bytes(t, c.want), data[c.at+c.lost:])
		}
		damaged := slices.Delete(slices.Clone(data), c.at, c.at+c.lost)
		all := findings(t, (&blocktest.Block{Libraries: []*gml.Library{library}}).Tree(damaged))
		if len(all) == 0 {
			t.Errorf("%s: nothing found", name)
			continue
		}
		causes := append([]diagnose.Diagnosis{all[0]}, all[0].Alternatives...)
		if !slices.ContainsFunc(causes, func(d diagnose.Diagnosis) bool {
			return d.Code == span.MissingBytes && bytes.Equal(blocktest.Spliced(t, damaged, d.Splices), want)
		}) {
			t.Errorf("%s: %+v", name, causes)
		}
	}
}
