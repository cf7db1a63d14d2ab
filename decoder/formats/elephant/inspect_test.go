package elephant_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"varview/decoder/engine/span"
	"varview/decoder/formats/elephant/gml"
)

// TestWrapped: after 65,536 arrays the numbers in references are ambiguous.
func TestWrapped(t *testing.T) {
	arrays := bytes.Repeat([]byte{0, 0}, 33_000)
	data := Bytes(t, Head151+"cd 0300 cc cd e880 cd")
	data = append(append(data, arrays...), Bytes(t, "cd e880 cd")...)
	data = append(append(data, arrays...), Bytes(t, "cd ffff 0500"+Foot)...)
	var b Block
	want := fmt.Sprintf("%s@%d+2", "wrapped-reference", len(data)-6)
	if got := FoundAll(Problems(t, b.Tree(data))); got != want {
		t.Errorf("%s, not %s", got, want)
	}
}

// TestForcedVersion: a version that does not fit its 7 bits is reported.
func TestForcedVersion(t *testing.T) {
	library, err := gml.Parse("a.gml", []byte("function Big() constructor {\n ELEPHANT_SCHEMA { ELEPHANT_FORCE_VERSION : 200, v200 : { hp : buffer_u8 } }\n}"))
	if err != nil {
		t.Fatal(err)
	}
	b := Block{Libraries: []*gml.Library{library}}
	all := Problems(t, b.Tree(Bytes(t, Head151+"ce feff 0000 'Big 48 0000 05"+Foot)))
	if len(all) != 1 || all[0].Code != span.MissingSchema || !strings.Contains(all[0].Message, "version 200 as 72") {
		t.Errorf("%+v", all)
	}
}
