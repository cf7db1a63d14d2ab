package model

import (
	"slices"
	"testing"

	"varview/decoder/diagnose"
	"varview/decoder/source"
	"varview/decoder/span"
)

// What is behind a cause is found as if that were repaired: it waits until it is,
// but for the other frames of a stream.
func TestTogether(t *testing.T) {
	cause := []source.Splice{source.Put(0, 1, []byte{1})}
	found := func(path string, splices []source.Splice) diagnose.Finding {
		return diagnose.Finding{Problem: span.Problem{Repair: "make it right"}, Path: path, Splices: splices}
	}
	list := []diagnose.Finding{
		found("$[0].a", nil),
		found("$[0].b", cause),
		found("$[0].c", nil),
		found("$[1]", nil),
		found("$[2][1]", cause),
		found("$[20]", nil),
		{Path: "$[21]"}, // nothing puts it right
	}
	for _, test := range []struct {
		framing string
		want    []string
	}{
		{"stream", []string{"$[0].a", "$[0].b", "$[1]", "$[2][1]", "$[20]"}},
		{"raw", []string{"$[0].a", "$[0].b"}},
	} {
		b := open(t, nil, test.framing).Innermost()
		var got []string
		for _, f := range b.Together(list, func(*diagnose.Finding) bool { return true }) {
			got = append(got, f.Path)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.framing, got, test.want)
		}
	}
}
